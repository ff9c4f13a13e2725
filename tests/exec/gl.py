#!/usr/bin/env python3
"""Mesa's GL drivers (iris, crocus), unmodified, on softgt exec: what compute kernels, images and textures give is what gl.txt has of llvmpipe; and draws, draw.txt and geometry.txt.
gl.py SOFTGT PROGRAM [WRAPPER [DEVICE...]] (gl.c, draw.c, geometry.c, clears.c; mesa, trixie or forky_mesa; "dg2,xe": by that driver's interface)
gl.py - PROGRAM: writes the text anew, by llvmpipe

Skipped where Debian's packages are neither in the cache nor to be had (tests/exec/mesa, trixie, forky_mesa)."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from results import Results

softgt, program, *more = sys.argv[1:]
here = pathlib.Path(__file__).parent
expected = here / (pathlib.Path(program).name.removeprefix("exec_") + ".txt")
wrapper, *devices = more or ["mesa"]
mesa = here / wrapper
if softgt == "-":
    expected.write_text(subprocess.run([mesa, program], capture_output=True, text=True, check=True, env=os.environ | {"LIBGL_ALWAYS_SOFTWARE": "1"}).stdout)
    sys.exit(0)
# What llvmpipe draws otherwise since Mesa 25.
newer = {"discards: 4096 pixels, 79df3759, error 0": "discards: 4096 pixels, a214ed31, error 0"} if wrapper != "mesa" else {}
wanted = "".join(newer.get(line, line) + "\n" for line in expected.read_text().splitlines())
result = Results(mesa, "driver")
for name in devices or ("skl", "icl", "tgl", "dg2"):
    device, *driver = name.split(",")
    # crocus has OpenGL ES 3.0 on Ivy Bridge, although the features of the programs work there.
    versions = {"MESA_GL_VERSION_OVERRIDE": "4.6", "MESA_GLSL_VERSION_OVERRIDE": "460", "MESA_GLES_VERSION_OVERRIDE": "3.2"} if device == "ivb" else {}
    done = result.there if result.there.returncode else subprocess.run([mesa, softgt, "exec", *(f"--driver={d}" for d in driver), "--device", device, program],
                                                                       capture_output=True, text=True, timeout=120, env=os.environ | versions)
    result(done.stdout == wanted and ", 0 hung" in done.stderr, f"GL ({wrapper}) on {name}", done.stdout + done.stderr)
    if program.endswith("exec_draw"):  # what the device only looks at beforehand is no access
        result("without a binding" not in done.stderr, f"and no access is astray on {name}", done.stderr)

# A recording repeats itself, also where threads are traced, and from a state that was saved within a draw.
if program.endswith("exec_draw") and wrapper == "mesa" and result.there.returncode == 0:
    with tempfile.TemporaryDirectory() as folder:
        trace, state = f"{folder}/draw.aub", f"{folder}/state"
        for device in ("skl", "icl", "tgl", "dg2"):
            subprocess.run([mesa, softgt, "exec", "--quiet", "--device", device, "--record", trace, program], capture_output=True, timeout=120)
            for options in ([], ["--eu-trace"], ["--save-at", "640", "--save", state], ["--load", state], ["--load", state, "--eu-trace"]):
                done = subprocess.run([softgt, "run", "--quiet", *options, trace], capture_output=True, text=True, timeout=120)
                result(done.returncode == 0 and "exec_draw" in json.loads(subprocess.run(
                    [softgt, "run", "--json", trace], capture_output=True, text=True, timeout=120).stdout)["application"] if not options
                    else done.returncode == 0, f"its recording on {device}, run {' '.join(options[:1])}", done.stdout[-300:] + done.stderr[-300:])
result.end()
