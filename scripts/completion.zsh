#compdef softgt
# Completion of softgt for zsh: subcommands, their options, devices, files. Installed as _softgt.
local -a found
local tool=$words[1]
if (( CURRENT == 2 )); then
    found=(${(f)"$($tool --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\)  *\(.*\)/\1:\2/p')"})
    _describe subcommand found
    return
fi
case $words[CURRENT-1] in
-d | --device)
    found=(${(f)"$($tool devices --markdown 2>/dev/null | sed -n '3,$s/^| \([a-z0-9-]*\) | [^|]* | \([^|]*\) |.*/\1:\2/p')"})
    _describe device found
    return
    ;;
esac
if [[ $words[2] = control ]] && (( CURRENT == 4 )); then
    found=(${(s: :)"$($tool control --help 2>/dev/null | tr '\n' ' ' | sed 's/.*Commands: //; s/\..*//; s/ [A-Z[][A-Z]*\]*//g; s/; */ /g')"})
    _describe command found
    return
fi
case $words[CURRENT] in
-*)
    found=(${(f)"$($tool $words[2] --help 2>/dev/null | sed -nE 's/^ {2,6}(-., )?(--[a-z][a-z-]*)[^ ]* */\2:/p')"})
    _describe option found
    ;;
*) _files ;;
esac
