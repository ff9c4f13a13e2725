#!/usr/bin/env python3
"""Mesa's GL driver (iris), unmodified, on softgt exec: what compute kernels, images and textures give is what gl.txt has of llvmpipe; and draws, draw.txt and geometry.txt.
gl.py SOFTGT PROGRAM (gl.c, draw.c, geometry.c); gl.py - PROGRAM: writes the text anew, by llvmpipe

Skipped where Debian 12's packages are neither in the cache nor to be had (tests/exec/mesa)."""
import os
import pathlib
import subprocess
import sys

from results import Results

softgt, program = sys.argv[1:]
here = pathlib.Path(__file__).parent
expected = here / (pathlib.Path(program).name.removeprefix("exec_") + ".txt")
mesa = here / "mesa"
if softgt == "-":
    expected.write_text(subprocess.run([mesa, program], capture_output=True, text=True, check=True, env=os.environ | {"LIBGL_ALWAYS_SOFTWARE": "1"}).stdout)
    sys.exit(0)
result = Results(mesa, "driver")
for device in ("skl", "icl", "tgl", "dg2"):
    done = result.there if result.there.returncode else subprocess.run([mesa, softgt, "exec", "--device", device, program], capture_output=True,
                                                                       text=True, timeout=120)
    result(done.stdout == expected.read_text() and ", 0 hung" in done.stderr, f"iris on {device}", done.stdout + done.stderr)
result.end()
