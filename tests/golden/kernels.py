#!/usr/bin/env python3
"""Golden kernels: what a compiler made, disassembled, against Intel's own disassembler.

Usage: kernels.py SOFTGT [CORPUS]

CORPUS (or SOFTGT_CORPUS, or ../shared/corpus beside the source) and this folder hold eu/PRODUCT/NAME.dat, a kernel's bytes, and NAME.asm, its
text by iga64. Blanks at a line's end do not count. Those of bmg are ocloc's (OpenCL) and Mesa's (mesa-), with the text of IGC 2.40's iga64.
Kernels of devices that the program does not have are skipped. Prints TAP.
"""
import os
import pathlib
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
corpus = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else
                      os.environ.get("SOFTGT_CORPUS", here.parents[2] / "shared" / "corpus"))
DEVICES = {"bdw": "bdw", "skl": "skl", "icllp": "icl", "tgllp": "tgl", "dg2": "dg2", "bmg": "bmg"}
kernels = sorted(corpus.glob("eu/*/*.dat")) + sorted(here.glob("eu/*/*.dat"))
failed = 0

for number, kernel in enumerate(kernels, 1):
    expected = [line.rstrip() for line in kernel.with_suffix(".asm").read_text().splitlines()]
    run = subprocess.run([sys.argv[1], "decode", "--eu", "--device", DEVICES[kernel.parent.name], kernel], capture_output=True, text=True)
    if "no device is named" in run.stderr:
        print(f"ok {number} - {kernel.parent.name}/{kernel.stem} # SKIP no such device")
        continue
    lines = run.stdout.splitlines()
    differ = [pair for pair in zip(expected, lines) if pair[0] != pair[1]]
    good = not differ and len(expected) == len(lines)
    failed += not good
    print(f"{'ok' if good else 'not ok'} {number} - {kernel.parent.name}/{kernel.stem}, {len(expected)} lines")
    for pair in differ[:3]:
        print("# expected: %s\n# is:       %s" % pair)

if not any(corpus.glob("eu/*/*.dat")):
    print(f"# no corpus at {corpus}")
print(f"1..{len(kernels)}")
sys.exit(failed != 0)
