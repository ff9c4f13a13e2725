#!/usr/bin/env python3
"""Pages of pages/ as Debian's Chromium draws them on softgt exec, by ANGLE over OpenGL (gl) and over Vulkan (vulkan): pictures are those of Mesa's
llvmpipe and lavapipe but for rounding (`near`, `few` below). chromium.py SOFTGT [DRIVER/DEVICE...]    (gl/tgl vulkan/tgl)

PAGES=REGEX says which pages. The pictures, and what the browser printed, lie in build/programs/chromium/. Status 77: Chromium is not installed."""
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

from results import Results

here = pathlib.Path(__file__).parent
pages = ["canvas.html", "css.html", "webgl.html", "webgl.html?antialias", "webgl2.html", "webgl2.html?antialias"]
width, height = 480, 320
# Of a page's pixels, how many may differ by more than `near` in a channel: edges, and steps of what is filtered, fall on the one side or the other.
near, few = 8, 0.01
flags = ["--headless", "--no-sandbox", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic",
         "--disable-lcd-text", "--hide-scrollbars", f"--window-size={width},{height}", "--force-device-scale-factor=1", "--use-gl=angle", "--ignore-gpu-blocklist",
         "--enable-gpu-rasterization", "--enable-logging=stderr"]
angle = {"gl": "gl-egl", "vulkan": "vulkan"}
drivers = {"gl": {"LIBGL_ALWAYS_SOFTWARE": "1", "GALLIUM_DRIVER": "llvmpipe"}, "vulkan": {"VK_ICD_FILENAMES": "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json"}}
intel = {"gl": {}, "vulkan": {"VK_ICD_FILENAMES": "/usr/share/vulkan/icd.d/intel_icd.x86_64.json"}}
renderers = {"gl": ("llvmpipe", "Intel"), "vulkan": ("llvmpipe", "Intel")}


def pixels(path):
    """The bytes of a PNG's pixels, four each."""
    data, at, packed, shape = path.read_bytes(), 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            shape = struct.unpack(">IIBB", data[at + 8:at + 18])
        packed += data[at + 8:at + 8 + length] if kind == b"IDAT" else b""
        at += length + 12
    across, down, depth, color = shape
    size = {2: 3, 6: 4}[color]
    assert depth == 8
    raw, rows, before = zlib.decompress(packed), [], bytes(across * size)
    for y in range(down):
        how, row = raw[y * (across * size + 1)], bytearray(raw[y * (across * size + 1) + 1:(y + 1) * (across * size + 1)])
        for x in range(len(row) if how else 0):
            left, up, corner = row[x - size] if x >= size else 0, before[x], before[x - size] if x >= size else 0
            guess = left + up - corner
            row[x] = row[x] + (left, up, (left + up) // 2, min((left, up, corner), key=lambda value: abs(guess - value)))[how - 1] & 255
        before = bytes(row)
        rows.append(row)
    return across, down, [tuple(row[x:x + 3]) for row in rows for x in range(0, len(row), size)]


def draw(driver, page, name, before, env):
    """What was printed; the picture is at out/name.png."""
    picture = out / f"{name}.png"
    picture.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as home:
        try:
            with open(out / f"{name}.txt", "w") as to:
                subprocess.run([*before, "chromium", *flags, f"--use-angle={angle[driver]}", f"--user-data-dir={home}/data", f"--screenshot={picture}",
                                (here / "pages").as_uri() + "/" + page], stdin=subprocess.DEVNULL, stdout=to, stderr=subprocess.STDOUT, timeout=240,
                               env=os.environ | {"HOME": home, "MESA_SHADER_CACHE_DISABLE": "1"} | env)
        except subprocess.TimeoutExpired:
            pass
    return (out / f"{name}.txt").read_text(errors="replace")


def compare(one, other):
    """What differs, by channel; the share of pixels that are not near."""
    if one[:2] != other[:2]:
        return "the sizes differ", 1
    off = [[abs(a[c] - b[c]) for a, b in zip(one[2], other[2])] for c in range(3)]
    far = sum(max(of) > near for of in zip(*off)) / len(one[2])
    told = "; ".join(f"{'red green blue'.split()[c]} {sum(n > 0 for n in off[c]) / len(off[c]):.2%} differ, most {max(off[c])}" for c in range(3))
    return f"{told}; {far:.3%} of pixels by more than {near}", far


def check(driver, device, page):
    name = re.sub(r"\W+", "-", page.replace(".html", ""))
    software, hardware = renderers[driver]
    by = "gl" if "webgl2" in page else driver  # lavapipe 22.3 has no WebGL 2
    reference = f"{by}-{name}"
    if reference not in drawn:
        drawn[reference] = draw(by, page, reference, [], drivers[by])
    said = draw(driver, page, f"{driver}-{device}-{name}", [softgt, "exec", "--device", device], intel[driver])
    trouble = [line for of in (drawn[reference], said) for line in of.splitlines() if "page:" in line and "trouble: none" not in line]
    if "webgl" in page:
        trouble += [f"{of} is not the renderer" for of, text in ((software, drawn[reference]), (hardware, said)) if not re.search(rf"page: .*{of}", text)]
    trouble += [f"no page was drawn by {of}" for of, text in ((software, drawn[reference]), (hardware, said)) if "page:" not in text]
    trouble += re.findall(r".*(?:not drawn|stopped after|counted, not run|GPU process exited).*", said)
    pictures = [out / f"{of}.png" for of in (reference, f"{driver}-{device}-{name}")]
    told, far = compare(*map(pixels, pictures)) if all(of.exists() for of in pictures) else ("a picture is missing", 1)
    good = not trouble and far <= few and re.search(r"ran [1-9]\d* submissions.*, 0 hung", said)
    result(good, f"{page} by {driver} on {device}: {told}", "\n".join([told, *trouble, *said.splitlines()[-12:]]))


softgt, targets = sys.argv[1], sys.argv[2:] or ["gl/tgl", "vulkan/tgl"]
if not shutil.which("chromium"):
    print("1..0 # SKIP Chromium is not installed")
    sys.exit(77)
out = here.parents[1] / "build" / "programs" / "chromium"
out.mkdir(parents=True, exist_ok=True)
drawn = {}
result = Results("true", "browser", 40)
for target in targets:
    driver, device = target.split("/")
    for page in pages:
        if re.search(os.environ.get("PAGES", ""), page):
            check(driver, device, page)
result.end()
