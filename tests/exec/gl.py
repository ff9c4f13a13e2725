#!/usr/bin/env python3
"""Mesa's GL driver (iris), unmodified, on softgt exec: what compute kernels, images and textures give is what gl.txt has of llvmpipe.
gl.py SOFTGT PROGRAM (gl.c); gl.py - PROGRAM: writes gl.txt anew, by llvmpipe

Skipped where Debian 12's packages are neither in the cache nor to be had (tests/exec/mesa)."""
import os
import pathlib
import subprocess
import sys

softgt, program = sys.argv[1:]
here = pathlib.Path(__file__).parent
expected = here / "gl.txt"
mesa = here / "mesa"
if softgt == "-":
    expected.write_text(subprocess.run([mesa, program], capture_output=True, text=True, check=True, env=os.environ | {"LIBGL_ALWAYS_SOFTWARE": "1"}).stdout)
    sys.exit(0)
there = subprocess.run([mesa, "true"], capture_output=True, text=True)
devices = "skl", "icl", "tgl", "dg2"
failed = 0
for number, device in enumerate(devices, 1):
    if there.returncode == 77:
        print(f"ok {number} - iris on {device} # SKIP the driver's packages are not there")
        continue
    done = subprocess.run([mesa, softgt, "exec", "--device", device, program], capture_output=True, text=True, timeout=120)
    good = done.stdout == expected.read_text() and ", 0 hung" in done.stderr
    failed += not good
    print(f"{'ok' if good else 'not ok'} {number} - iris on {device}")
    if not good:
        print("#", "\n# ".join((done.stdout + done.stderr).splitlines()))
print(f"1..{len(devices)}")
sys.exit(77 if there.returncode == 77 else failed != 0)
