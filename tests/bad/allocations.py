#!/usr/bin/env python3
"""Memory that ends: an error that says so, no crash, no silence, nothing lost that was there.

allocations.py SOFTGT_FAILING ROOT [POINTS]. Of each command POINTS allocations fail (5; 0: every one), one after
the other, then each with all behind it. SEED=N begins elsewhere.
"""
import lzma
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

failing, root = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
points = int(sys.argv[3] if len(sys.argv) > 3 else os.environ.get("POINTS", "5"))
dice = random.Random(int(os.environ.get("SEED", "1")))
hello, rules, old = root / "examples/hello.gts", root / "tests/rule", "what was there before"
told = re.compile(r"out of memory|Cannot allocate memory|no memory")
good = bad = walks = 0


def lines(folder, first, step, count, rest, command):
    environment = dict(os.environ, FAILING=f"{first} {step} {count} {rest}", FAILING_FILE=str(folder / "file"), TMPDIR=str(folder))
    environment.pop("MALLOC_PERTURB_", None)  # every page of every table
    done = subprocess.run([failing, *map(str, command)], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          cwd=folder, check=True, timeout=3000)
    for line in done.stdout.decode(errors="replace").splitlines():
        number, asked, status, out, file, error = line.split(" ", 5)
        yield int(number), int(asked), int(status), out, file, error


def wrong(base, status, out, file, error):
    """Of a command that is cut short."""
    if "Fatal Internal Error in libarchive: Out of memory" in error: # it ends the program itself
        return ""
    if status == 0:
        return "" if (out, file) == base else f"it goes on, with {out} output and {file} file"
    if status != 2:
        return "it does not end" if status == 999 else f"it ends with {status}"
    if not told.search(error):
        return "it does not say why"
    return "" if file in ("old", "whole", "same") else f"the file is {file}"


def walk(name, *command, streams=False, every=False):
    """`streams`: the file holds what came until then; `every`: allocation, as there are few."""
    global good, bad, walks
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (_, asked, status, out, file, error), _ = lines(folder, 1 << 40, 1, 1, 0, command)
        wanted = [f"{name}: {error}"] if status else []
        step = max(1, asked // points) if points and not every else 1
        for rest in (0, 1):
            base, count = (out, file), 0
            for number, _, *result in lines(folder, 1 + dice.randrange(step), step, 1 << 30, rest, command):
                if streams and result[2] != "old":
                    result[2] = "whole"
                why = number and wrong(base if not streams else (base[0], result[2]), *result)
                count += 1
                if why:
                    wanted.append(f"allocation {number}{' and all behind' if rest else ''}: {why}: {result[3][-300:]}")
            good += count
        left = [f.name for f in folder.iterdir() if f.name not in ("file", "state")]
        if left:
            wanted.append(f"left behind: {left}")
    walks += 1
    print(f"{'not ok' if wanted else 'ok'} {walks} - {name}: {asked} allocations", *wanted[:12], sep="\n# " if wanted else " ", flush=True)
    bad += len(wanted)


free = "--no-sandbox"
walk("run", "run", free, "-q", hello)
walk("run --json", "run", free, "--json", hello)
walk("run --timeline", "run", free, "-q", "-T", "file", hello, streams=True)
walk("run, execution lists", "run", free, "-q", rules / "execlists.gts")
walk("run, page faults", "run", free, "-q", rules / "gen6_probe_log.gts")
with tempfile.TemporaryDirectory() as scratch:
    kernel = pathlib.Path(scratch) / "kernel"  # mov (16) r20:ud r1:uw, and an end
    kernel.write_bytes(bytes.fromhex("01008000081280222000b100000000003100600704020020e00f000400000082"))
    walk("eu", "eu", free, kernel, "--simd", "16", "--local", "16", "--data", "1,b0", "--buffer", "0=64", "-o", "0=file", "--eu-trace", "-r", "--stop-at", "16", every=True)
    walk("eu --json", "eu", free, kernel, "--simd", "16", "--own", "1,2.5", "--eu-trace", "--json", every=True)
walk("run, saved and loaded", "run", free, "-q", "--self-check", hello)
# Not compressed ones: libarchive itself crashes where a filter of its has no memory.
with tempfile.TemporaryDirectory() as scratch:
    trace = pathlib.Path(scratch, "t.aub")
    tool = subprocess.run([failing, "asm", "-q", "-o", str(trace), str(hello)], check=True)
    error_state = pathlib.Path(scratch, "error.txt")
    error_state.write_bytes(lzma.open(root / "tests/error_states/skl-i915-6.12.txt.xz").read())
    walk("run --error", "run", free, "-q", "--error", error_state)
    walk("decode --error", "decode", free, "--error", "--follow", "--json", error_state)
    walk("diff", "diff", free, trace, trace)
    walk("run of a trace", "run", free, "-q", trace)
    walk("run --save", "run", free, "-q", "--save", "file", "--save-at", "1", trace)
    walk("run --load", "run", free, "-q", "--save", "file", "--save-at", "9", trace)
walk("asm", "asm", free, "-q", "-o", "file", hello)
walk("asm --json", "asm", free, "--json", "-o", "file", hello)
for form in (), ("--json",), ("--asm",), ("--follow",):
    walk(" ".join(("decode", *form)), "decode", free, *form, hello)
walk("devices", "devices", "--json")
walk("commands", "commands", "skl", "rcs0", "--json")
walk("commands of a device that is only decoded", "commands", "lnl", "rcs0", "--json")
walk("registers", "registers", "icl", "rcs0")
walk("contexts", "contexts", "skl", "rcs0")
walk("map", "map", "skl")
print(f"1..{walks}")
sys.exit(bad != 0)
