#!/usr/bin/env python3
"""What shells complete is what the tool says of itself, and what editors colour are the statements of gts. completions.py SOFTGT SOURCE

Skipped, each, where its shell is not installed."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

softgt, source = sys.argv[1], pathlib.Path(sys.argv[2])
number = failed = 0
home = tempfile.TemporaryDirectory()  # fish writes there
environment = os.environ | {"PATH": f"{pathlib.Path(softgt).resolve().parent}:{os.environ['PATH']}", "HOME": home.name}


def said(*arguments):
    return subprocess.run(["softgt", *arguments], capture_output=True, text=True, timeout=60, env=environment, check=False).stdout


def options(name):
    return set(re.findall(r"--[a-z][a-z-]*", "\n".join(re.findall(r"^ {2,6}(?:-\S, +)?--\S*", said(name, "--help"), re.M))))


subcommands = set(re.findall(r"^  ([a-z]+) ", said("--help"), re.M))
devices = set(re.findall(r"^\| ([a-z0-9-]+) \|", said("devices", "--markdown"), re.M)) - {"device", "---"}
requests = {"state", "registers", "memory", "log", "events", "statistics", "save", "load", "pause", "resume"}
cases = [([""], subcommands), (["de"], {"debug", "decode", "desktop", "devices"}), (["run", "-d", ""], devices), (["run", "--device", "sk"], {d for d in devices if d.startswith("sk")}),
         (["control", "socket", ""], requests), *((([name, "--"]), options(name)) for name in sorted(subcommands - {"commands"}))]

# The words of each case one a line; zsh's and bash's own functions stand for what their editors do.
SHELLS = {
    "bash": r'''source "$1"; shift; COMP_WORDS=(softgt "$@"); COMP_CWORD=$#; _softgt softgt "${@: -1}" "${COMP_WORDS[$#-1]}"; printf '%s\n' "${COMPREPLY[@]}"''',
    "zsh": r'''file=$1; shift; words=(softgt "$@"); CURRENT=$#words; last=$words[-1]
               _describe() { local w; for w in ${(P)2}; do [[ $w = $last* ]] && print -r -- ${w%%:*}; done }; _files() { : }; complete_() { source $file }; complete_''',
    "fish": r'''source $argv[1]; set -l words $argv[2..-1]; complete -C "softgt $words" | string replace -r '\t.*' ""''',
}
for shell in SHELLS:
    file = source / f"scripts/completion.{shell}"
    for words, wanted in cases:
        number += 1
        name = f"{shell}: softgt {' '.join(words)}"
        if not shutil.which(shell):
            print(f"ok {number} - {name} # SKIP no {shell} here")
            continue
        command = [shell, "-c", SHELLS[shell], shell] if shell != "fish" else [shell, "--no-config", "-c", SHELLS[shell]]
        done = subprocess.run([*command, file, *words], capture_output=True, text=True, timeout=60, env=environment, check=False)
        found = set(done.stdout.split("\n")) - {""}
        # argp's own options need not be there
        good = wanted and wanted - found <= {"--help", "--usage", "--version"} and not {f for f in found - wanted if f.startswith("-") or words[-1] == ""}
        failed += not good
        print(f"{'ok' if good else 'not ok'} {number} - {name}" + ("" if good else f"\n# missing {sorted(wanted - found)}, too many {sorted(found - wanted)[:9]}: {done.stderr[-300:]}"))
statements = set(re.findall(r'\{"([a-z]+)", read_\w+\}', (source / "src/gts/statements.c").read_text()))
words = set(re.search(r"gtsWord (.*)", (source / "editors/gts.vim").read_text())[1].split())
EDITORS = {  # statements, and words within them
    "gts.vim": [r"gtsStatement (.*)", r"gtsWord (.*)"],
    "gts.nanorc": [r'color yellow "\\<\((.*)\)\\>"', r'color brightyellow "\\<\((.*)\)\\>"'],
    "gts-mode.el": [r"gts-statements\n  '\(([^)]*)", r"gts-words\n  '\(([^)]*)"],
    "gts.lang": [r'(?s)"statement" style-ref="statement">(.*?)</context>', r'(?s)"word" style-ref="word">(.*?)</context>']}
for file, patterns in EDITORS.items():
    text = (source / "editors" / file).read_text()
    found = [set(re.findall(r"[a-z]+", re.sub(r"</?keyword>", " ", re.search(pattern, text)[1]))) for pattern in patterns]
    number += 1
    failed += found != [statements, words]
    print(f"{'ok' if found == [statements, words] else 'not ok'} {number} - statements and words in {file}\n# {sorted(statements ^ found[0])} {sorted(words ^ found[1])}")
print(f"1..{number}")
sys.exit(failed != 0)
