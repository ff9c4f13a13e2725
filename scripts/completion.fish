# Completion of softgt for fish: subcommands, their options, devices, files. Installed as softgt.fish.
function __softgt_subcommands
    softgt --help 2>/dev/null | string replace -rf '^  ([a-z]+) +(.*)' '$1\t$2'
end
function __softgt_devices
    softgt devices --markdown 2>/dev/null | tail -n +3 | string replace -rf '^\| ([a-z0-9-]+) \| [^|]* \| ([^|]*) \|.*' '$1\t$2'
end
function __softgt_options
    softgt (commandline -opc)[2] --help 2>/dev/null | string replace -rf '^ {2,6}(?:-., )?(--[a-z][a-z-]*)\S* *(.*)' '$1\t$2'
end
function __softgt_requests
    set -l told (softgt control --help 2>/dev/null | string join ' ' | string replace -r '.*Commands: ([^.]*)\..*' '$1')
    string split ';' -- $told | string replace -r '^ *([a-z]+).*' '$1'
end
function __softgt_wants -a what
    set -l words (commandline -opc)
    switch $what
        case subcommand
            test (count $words) -eq 1
        case device
            contains -- $words[-1] -d --device
        case request
            test (count $words) -eq 3; and test $words[2] = control
        case option
            test (count $words) -gt 1; and string match -q -- '-*' (commandline -ct)
    end
end
complete -c softgt -n '__softgt_wants subcommand' -f -a '(__softgt_subcommands)'
complete -c softgt -n '__softgt_wants device' -f -a '(__softgt_devices)'
complete -c softgt -n '__softgt_wants request' -f -a '(__softgt_requests)'
complete -c softgt -n '__softgt_wants option' -a '(__softgt_options)'
