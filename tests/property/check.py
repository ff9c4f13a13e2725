#!/usr/bin/env python3
"""check.py SOFTGT PROGRAM.gts [CUTS]: what holds for every program, whatever it does (softgt run --self-check), on the first
device of each generation that the program names.

What is known to fail, and why, stands in known.txt beside this file; what fails no more must leave it.
"""
import json
import pathlib
import re
import subprocess
import sys

softgt, program = sys.argv[1], pathlib.Path(sys.argv[2])
cuts = sys.argv[3] if len(sys.argv) > 3 else "40"
first = {}
for device in json.loads(subprocess.check_output([softgt, "devices", "--json"]))["devices"]:
    first.setdefault(device["generation"], []).append(device["name"])
named = re.search(r"^device (.*)$", program.read_text(), re.M).group(1).split()
devices = [next((d for d in names if generation in named or d in named), None) for generation, names in first.items()]
known = {}
for line in (pathlib.Path(__file__).parent / "known.txt").read_text().splitlines():
    if line and line[0] != "#":
        name, device, variant, reason = (part.strip() for part in line.split("|"))
        known[name, device, variant] = reason

plan = [d for d in devices if d]
number = bad = 0
for device in plan:
    done = subprocess.run([softgt, "run", "--quiet", "--self-check=" + cuts, "--device", device, str(program)],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    failed = {}
    for line in done.stderr.splitlines():
        m = re.search(r"\((\S+): ([^()]*)\)$", line)
        failed.setdefault(m.group(2) if m else "as it is", line)
    if done.returncode not in (0, 1):
        failed.setdefault("as it is", f"exit {done.returncode}")
    expected = {variant for name, d, variant in known if name == program.name and d in (device, "*")}
    for variant in sorted(failed.keys() | expected):
        number += 1
        good = (variant in failed) == (variant in expected)
        bad += not good
        note = failed.get(variant, "it holds now: take it out of known.txt")
        print(f"{'ok' if good else 'not ok'} {number} - {program.name} on {device}: {variant}: {note}")
    number += 1
    print(f"ok {number} - {program.name} on {device}: looked at")
print(f"1..{number}")
sys.exit(bad != 0)
