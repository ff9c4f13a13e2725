# Completion of softgt for bash: subcommands, their options, devices, files. Installed as completions/softgt.
_softgt() {
    local word=$2 before=$3 tool=$1
    if [ "$COMP_CWORD" = 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$("$tool" --help 2>/dev/null | sed -n 's/^  \([a-z]*\) .*/\1/p')" -- "$word")
        return
    fi
    case $before in
    -d | --device)
        mapfile -t COMPREPLY < <(compgen -W "$("$tool" devices --markdown 2>/dev/null | sed -n '3,$s/^| \([a-z0-9-]*\) .*/\1/p')" -- "$word")
        return
        ;;
    esac
    if [ "${COMP_WORDS[1]}" = control ] && [ "$COMP_CWORD" = 3 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$("$tool" control --help 2>/dev/null | tr '\n' ' ' |
            sed 's/.*Commands: //; s/\..*//; s/ [A-Z[][A-Z]*\]*//g; s/; */ /g')" -- "$word")
        return
    fi
    case $word in
    -*) mapfile -t COMPREPLY < <(compgen -W "$("$tool" "${COMP_WORDS[1]}" --help 2>/dev/null |
        sed -nE 's/^ {2,6}(-., )?(--[a-z][a-z-]*).*/\2/p')" -- "$word") ;;
    *) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    esac
}
complete -o filenames -F _softgt softgt
