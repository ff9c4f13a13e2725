"""piglit's OpenGL tests, by its lists: on a device, and where they fail there by llvmpipe. Tests that need a window are left out."""
import ast
import concurrent.futures
import gzip
import html
import os
import pathlib
import re
import subprocess

lists = ("quick_gl", "quick_shader")
windows = re.compile(r"^(glx|wgl|egl)@|read-front|spec@egl_|default_fb| samples=\d")
known = {
    r"@interpolation \d+ centroid-edges$": "coverage has 1/256 of a pixel, planes are exact: llvmpipe fails, too",
    r"accuracy (16|all_samples) srgb": "sRGB is rounded to 8 bits: the bound is for 16 samples",
    r"nv_alpha_to_coverage_dither_control": "not understood: pixels differ as they should",
    r"sample-mask-mrt-alpha-to-coverage$": "of 16 samples; not understood",
    r"fbo-depth-array": "more than two minutes",
}


def tests(root):
    for name in lists:
        text = gzip.open(root / f"tests/{name}.xml.gz", "rt").read()
        for kind, test, options in re.findall(r'<Test type="(\w+)" name="([^"]*)">(.*?)</Test>', text, re.S):
            of = {key: html.unescape(value) for key, value in re.findall(r'<option name="(\w+)" value="([^"]*)"', options)}
            command = ["shader_runner", of["shader_file"]] if kind == "shader" and "shader_file" in of else \
                ast.literal_eval(of["command"]) if kind in ("gl", "gl_builtin") and "command" in of else None
            if command and not windows.search(html.unescape(test)):
                yield html.unescape(test), command


def verdict(wrapper, root, command, log, before):
    of = ["env", "PIGLIT_PLATFORM=surfaceless_egl", f"PIGLIT_SOURCE_DIR={root}", f"LD_LIBRARY_PATH={root}/lib"]
    program = [f"{root}/bin/{command[0]}", *(part if part.startswith("-") or not part.endswith("_test") or part.startswith("/") else f"{root}/{part}" for part in command[1:])]
    try:
        with open(log, "w") as to:
            subprocess.run([wrapper, *before, *of, *program, *(flag for flag in ("-auto", "-fbo") if flag not in program)], stdin=subprocess.DEVNULL, stdout=to,
                           stderr=subprocess.STDOUT, timeout=120, cwd=root if pathlib.Path(root).exists() else None)
    except subprocess.TimeoutExpired:
        return "timeout"
    return (re.findall(r'PIGLIT: \{"result": "(\w+)"', pathlib.Path(log).read_text(errors="replace")) or ["crash"])[-1]


def run(packaged, softgt, device, out, result, every, offset, names):
    """One test of `every`, from `offset` on, whose name matches `names`."""
    there = subprocess.run([packaged, "gl", "sh", "-c", "cd /usr/lib/*/piglit && pwd"], capture_output=True, text=True).stdout.strip()
    overlay = subprocess.run([packaged, "gl", "--root"], capture_output=True, text=True).stdout.strip()
    chosen = [test for test in tests(pathlib.Path(overlay + there)) if re.search(names, test[0])][offset::every]
    out.mkdir(parents=True, exist_ok=True)

    def one(number):
        name, command = chosen[number]
        said = verdict(packaged, there, command, out / f"{number}.txt", ["gl", softgt, "exec", "--quiet", "--threads", "1", "--device", device])
        wanted = said if said in ("pass", "skip") else \
            verdict(packaged, there, command, out / f"{number}-llvmpipe.txt", ["gl", "env", "LIBGL_ALWAYS_SOFTWARE=1", "GALLIUM_DRIVER=llvmpipe"])
        return name, said, wanted

    counts = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for number, (name, said, wanted) in enumerate(pool.map(one, range(len(chosen)))):
            counts[said] = counts.get(said, 0) + 1
            if said not in ("pass", "skip") and wanted in ("pass", "warn") and not any(re.search(of, name) for of in known):
                result(False, f"piglit {name} on {device}: {said}, by llvmpipe {wanted}", (out / f"{number}.txt").read_text(errors="replace"))
    result(counts.get("pass", 0) > counts.get("skip", 0), f"piglit's {len(chosen)} OpenGL tests on {device}: {counts}", str(counts))
