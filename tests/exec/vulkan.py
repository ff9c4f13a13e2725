#!/usr/bin/env python3
"""Mesa's Vulkan driver, unmodified, on softgt exec: what kernels, images, samplers and copies give is what vulkan.txt has of lavapipe. So it is with Debian 13's
and forky's by xe (tests/exec/trixie, tests/exec/forky_mesa), which draw copies. On one thread of the host: a kernel tells which group came first.
vulkan.py SOFTGT PROGRAM (vulkan.c); vulkan.py - PROGRAM: writes vulkan.txt anew, by the host's lavapipe

Skipped where Debian 12's packages are neither in the cache nor to be had (tests/exec/mesa)."""
import os
import pathlib
import subprocess
import sys
import tempfile

from results import Results

softgt, program = sys.argv[1:]
here = pathlib.Path(__file__).parent
expected = here / "vulkan.txt"
result = Results(here / "mesa", "driver", 40)
there = result.there

# By what a shader computes with, of images: prefix, vector, what fractions are divided by, what is told of them.
values = {"float": ("", "vec4", "64.0", "floor((v)*4096.0+0.5)"), "uint": ("u", "uvec4", "1u", "v"), "int": ("i", "ivec4", "1", "v")}
# By shape: GLSL's name, coordinates, texels, gradients, offsets; whether texels are gathered.
shapes = {
    "1d": ("1D", ".x", ".x", ".x", "x", False),
    "2d": ("2D", ".xy", ".xy", ".xy", "ivec2(x,y)", True),
    "3d": ("3D", ".xyz", ".xyz", ".xyz", "ivec3(x,y,z)", False),
    "cube": ("Cube", ".xyz", None, ".xyz", None, True),
    "1d_array": ("1DArray", ".xw", ".xz", ".x", "x", False),
    "2d_array": ("2DArray", ".xyw", ".xyz", ".xy", "ivec2(x,y)", True),
    "cube_array": ("CubeArray", ".xyzw", None, ".xyz", None, True),
}


def compile_all(to):
    jobs = [(name, name, []) for name in ("add", "reduce", "histogram", "subgroup", "control", "indirect", "wide", "small")]
    jobs.append(("sample_compare_float", "compare", ["-DSAMPLER=sampler2DShadow"]))
    for kind, (prefix, vector, divisor, rounded) in values.items():
        common = [f"-DVALUE={vector}", f"-DDIVISOR={divisor}", f"-DROUNDED(v)={rounded}"]
        for shape, (name, coordinates, texels, gradient, offsets, gathers) in shapes.items():
            if texels:
                for use in "fill", "load":
                    jobs.append((f"{use}_{shape}_{kind}", use, [*common, f"-DIMAGE={prefix}image{name}", f"-DPOSITION(p)=(p){texels}"]))
            at = {"1d_array": ".xy", "2d_array": ".xyz"}.get(shape, texels)
            jobs.append((f"sample_{shape}_{kind}", "sample",
                         [*common, f"-DSAMPLER={prefix}sampler{name}", f"-DCOORDINATES(c)=(c){coordinates}", f"-DGRADIENT(g)=(g){gradient}",
                          *([f"-DPOSITION(p)=(p){at}", f"-DOFFSETS(x,y,z)={offsets}"] if offsets else ["-DCUBE"]),
                          *(["-DGATHER"] if gathers else [])]))
    for name, source, options in jobs:
        done = subprocess.run([here / "mesa", "glslangValidator", "-V", "--target-env", "vulkan1.2", "-o", f"{to}/{name}.spv", *options,
                               here / "shaders" / f"{source}.comp"], capture_output=True, text=True)
        if done.returncode:
            return f"{name}: {done.stdout}{done.stderr}"
    return ""


with tempfile.TemporaryDirectory() as shaders:
    trouble = compile_all(shaders) if there.returncode == 0 else there.stderr
    if softgt == "-":
        told = subprocess.run([program, shaders], capture_output=True, text=True, check=True,
                              env=os.environ | {"VK_ICD_FILENAMES": "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json", "VK_LOADER_LAYERS_DISABLE": "*"})
        expected.write_text(told.stdout)
        sys.exit(0)
    result(not trouble, "shaders", trouble)
    wanted = expected.read_text().splitlines()
    for device in "skl", "icl", "tgl", "dg2":
        told = [], ""
        if not trouble:
            done = subprocess.run([here / "mesa", softgt, "exec", "--threads", "1", "--device", device, program, shaders], capture_output=True, text=True, timeout=300)
            told = done.stdout.splitlines(), done.stderr
        wrong = [f"{line} (lavapipe: {other})" for line, other in zip(told[0], wanted) if line != other]
        result(told[0] == wanted and ", 0 hung" in told[1] and "counted, not run" not in told[1], f"anv on {device}",
               "\n".join([f"{len(told[0])} lines of {len(wanted)}, {len(wrong)} wrong", *wrong, told[1], trouble]))
    # By xe, and on Xe2.
    for suite, version, devices in ("trixie", "25.0", ("tgl", "dg2", "bmg", "lnl")), ("forky_mesa", "26.1", ("bmg", "lnl")):
        newer = Results(here / suite, "driver", 40)
        newer.number = result.number
        for device in devices:
            told = [], ""
            if not trouble and newer.there.returncode == 0:
                done = subprocess.run([here / suite, softgt, "exec", "--threads", "1", "--driver", "xe", "--device", device, program, shaders], capture_output=True, text=True, timeout=300)
                told = done.stdout.splitlines(), done.stderr
            wrong = [f"{line} (lavapipe: {other})" for line, other in zip(told[0], wanted) if line != other]
            newer(len(told[0]) == len(wanted) and not wrong and ", 0 hung" in told[1], f"anv {version} by xe on {device}",
                  "\n".join([f"{len(told[0])} lines of {len(wanted)}, {len(wrong)} wrong", *wrong, told[1], trouble]))
        result.number, result.failed = newer.number, result.failed + newer.failed
result.end()
