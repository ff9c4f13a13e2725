#!/usr/bin/env python3
"""softgt draws: the table, a page, an extract and a pixel. Usage: draws.py SOFTGT SOURCE. Prints TAP.

Recordings with pictures are in the corpus (SOFTGT_CORPUS, or ../shared/corpus beside the source); without it those parts are left out.
"""
import base64
import html
import json
import lzma
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import json_schemas
import two_groups

import tap

softgt, source = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
corpus = pathlib.Path(os.environ.get("SOFTGT_CORPUS", source.parent / "shared" / "corpus"))
result = tap.Results()
scratch = tempfile.TemporaryDirectory()
at = pathlib.Path(scratch.name)


def draws(*arguments):
    done = subprocess.run([softgt, "draws", *map(str, arguments)], capture_output=True, text=True, timeout=250, errors="replace", cwd=at)
    wrong = json_schemas.of_output(arguments, done.stdout)
    if wrong:
        result(False, "JSON is as its schema says", wrong[:9])
    return done.stdout, done.stderr, done.returncode


# Five draws, as the rule's own expectations count them: 6, then 30, 35, 35 + 8 primitives.
rule = source / "tests" / "rule" / "draw.gts"
out, err, status = draws("-j", rule)
rows = [json.loads(line) for line in out.splitlines()]
result(status == 0 and [r["primitives"] for r in rows] == [6, 24, 0, 5, 8] and rows[0]["not_drawn"], "primitives of draws: plain, indirect, predicated, to an end offset", (out, err))
result([r["vertices_per_instance"] for r in rows[:2]] == [5, 10] and [r["instances"] for r in rows[:2]] == [2, 3] and
       all(r["topology"] == "TRISTRIP" for r in rows), "their sizes and topology", out)
out, err, status = draws(rule)
result(status == 0 and len(out.splitlines()) == 6 and "TRISTRIP 10 x 3" in out, "the table", out)

# A dispatch of two groups; its kernel comes out as it went in.
kernel = two_groups.program(at / "kernel.gts")
out, err, status = draws("-j", kernel)
row = json.loads(out)
result(status == 0 and row["groups"] == [2, 1, 1] and row["threads"] == 2 and row["instructions"] == 8 and row["kernels"][0]["stage"] == "CS" and
       row["kernels"][0]["size_bytes"] == 48, "a dispatch", (out, err))
out, err, status = draws("--at", "1", "--extract", at / "extract", kernel)
there = (at / "extract" / "CS.bin").read_bytes() if status == 0 else b""
result(there == two_groups.KERNEL, "its kernel as a file", (out, err))
done = subprocess.run([softgt, "eu", "--device", "skl", at / "extract" / "CS.bin"], capture_output=True, text=True)
result(done.returncode == 0, "which softgt eu runs", done.stdout + done.stderr)
out, err, status = draws("--at", "1", "-o", at / "page.html", kernel)
page = (at / "page.html").read_text() if status == 0 else ""
result(re.search(r"^ +\+0x000  .*\n +\+0x008  .*shl .*\n +\+0x018  ", (at / "extract" / "CS.asm").read_text() if status == 0 else "", re.M), "each instruction has its offset", page[-1500:])
result("dispatch 1" in page and "shl (8|M0)" in page and "GPGPU_WALKER" in page, "a page", (out, err))

# A pixel shader with several kernels: which pointer is of which width, by the enabled dispatches (SKL PRM vol 2a, 3DSTATE_PS). The device runs the first one.
for dispatches, expected in [((8,), [(8, 0)]), ((16,), [(16, 0)]), ((32,), [(32, 0)]), ((8, 16), [(16, 2), (8, 0)]), ((8, 32), [(8, 0), (32, 1)]), ((16, 32), [(16, 2), (32, 1)]),
                             ((8, 16, 32), [(16, 2), (8, 0), (32, 1)])]:
    program = at / "pixel_kernels.gts"
    program.write_text("device skl\nppgtt vm\ndata kernels at vm:0x102000 { " + ", ".join(f"{', '.join(hex(w) for w in two_groups.WORDS[2:6] * (n + 1) + two_groups.WORDS[-4:])}, fill 0 size {96 - 16 * n}" for n in range(3)) + " }\n"
                       "context a rcs0 ppgtt vm {\n    STATE_BASE_ADDRESS instruction_base_address_modify_enable, instruction_base_address = 0x102000\n"
                       "    3DSTATE_PS_EXTRA pixel_shader_valid\n    3DSTATE_PS kernel_start_pointer_0 = 0, kernel_start_pointer_1 = 0x80, kernel_start_pointer_2 = 0x100" +
                       "".join(f", {n}_pixel_dispatch_enable" for n in dispatches) + "\n    3DPRIMITIVE vertex_count_per_instance = 3, instance_count = 1\n}\nsubmit a\nrun\n")
    out, err, status = draws("-j", program)
    row = json.loads(out) if out else {"kernels": []}
    result([(k["simd"], (k["address"], k["size_bytes"])) for k in row["kernels"]] == [(simd, (hex(0x102000 + 0x80 * n), 16 * n + 32)) for simd, n in expected], f"pixel kernels of {dispatches}", (out, err))
out, err, status = draws(program)
result(re.search(r" PS16:([0-9a-f]{8}) PS8:(?!\1)[0-9a-f]{8} PS32:", out), "their sums in the table", out)
out, err, status = draws("--at", "1", "--extract", at / "widths", program)
result(sorted(p.name for p in (at / "widths").glob("PS*.bin")) == ["PS16.bin", "PS32.bin", "PS8.bin"], "their files", (out, err))

# What 3DSTATE_PS_BLEND says of entry 0 of BLEND_STATE: a note where it is not so, of factors only where one of them blends.
for ps_blend, entry, expected in [("color_buffer_blend_enable, destination_blend_factor = INV_SRC_ALPHA", 1 << 31 | 0x12 << 21, ["Destination Blend Factor INV_SRC_ALPHA, BLEND_STATE [0] at 0x100040 has INV_SRC_COLOR"]),
                                  ("color_buffer_blend_enable, destination_blend_factor = INV_SRC_ALPHA", 1 << 31 | 0x13 << 21, []), ("destination_blend_factor = INV_SRC_ALPHA", 0x12 << 21, []),
                                  ("alpha_test_enable", 0, ["Alpha Test Enable 1, BLEND_STATE at 0x100040 has 0"])]:
    program.write_text(f"device skl\nppgtt vm\ndata blend at vm:0x100000 {{ fill 0 size 64, 0, {entry:#x}, 0, fill 0 size 52 }}\ncontext a rcs0 ppgtt vm {{\n"
                       "    STATE_BASE_ADDRESS dynamic_state_base_address_modify_enable, dynamic_state_base_address = 0x100000\n"
                       f"    3DSTATE_BLEND_STATE_POINTERS blend_state_pointer = 0x40, blend_state_pointer_valid\n    3DSTATE_PS_BLEND has_writeable_rt, {ps_blend}\n"
                       "    3DPRIMITIVE vertex_count_per_instance = 3, instance_count = 1\n}\nsubmit a\nrun\n")
    out, err, status = draws("--at", "1", "--json", program)
    result([r["text"] for r in map(json.loads, out.splitlines()) if r["schema"] == "softgt.draw_note"] == ["3DSTATE_PS_BLEND has " + text for text in expected], f"a note of {ps_blend} and {entry:#x}", (out, err))
    draws("--at", "1", "-o", at / "note.html", program)
    result(("<th>note<td>3DSTATE_PS_BLEND has" in (at / "note.html").read_text()) == bool(expected), "and on the page")

# Wrong uses.
for arguments, code in [(["--at", "9", rule], 2), (["--at", "1", "--json", "-o", "x", rule], 64), (["--at", "1", "--pixel", "1,1", rule], 64),
                        (["--vertices", "9", rule], 64), (["--level", "1", rule], 64), (["--layer", "1", rule], 64), (["--pixel", "1,1", "--sample", "16", rule], 64),
                        (["--pixel", "1,1", "--attachment", "8", rule], 64), (["--pixel", "1,1", "--attachment", "alpha", rule], 64),
                        (["--pixel", "3", rule], 64), (["--pixel", "3,99999999", rule], 64),
                        (["--extract", "x", rule], 64), (["--target", "0x1000", rule], 64), (["/nowhere"], 2), ([], 64), ([source / "meson.build"], 2)]:
    out, err, status = draws(*arguments)
    result(status in (code, 2) and err.strip(), f"refused: {' '.join(map(str, arguments))[-50:]}", (status, out, err))

# A texture with levels: what a sampler state says by its fields, and a picture of each level.
recording = corpus / "skl-piglit-fbo-clearmipmap.aub.xz"
if recording.exists():
    out, err, status = draws("--at", "20", "--json", recording)
    rows = [json.loads(line) for line in out.splitlines()]
    textures = [r for r in rows if r["schema"] == "softgt.draw_surface" and r["sampler_messages"]]
    states = [r for r in rows if r["schema"] == "softgt.structure"]
    result({"BLEND_STATE", "COLOR_CALC_STATE", "CC_VIEWPORT", "SF_CLIP_VIEWPORT"} <= {r["structure"] for r in states}, "structures that the state points to", out)
    result(len(textures) == 1 and textures[0]["surface"]["width"] == 256 and not textures[0]["written"] and len(textures[0]["samplers"]) == 1 and
           states[0]["structure"] == "SAMPLER_STATE" and "Mip Mode Filter" in states[0]["fields"], "a texture and its sampler state", out)
    draws("--at", "20", "--extract", at / "levels", recording)
    result(sorted(p.name for p in (at / "levels").glob("PS-1-level*")) == [f"PS-1-level{n}-layer0.png" for n in range(9)], "pictures of its levels")

    # Its only render target is 0: the texture in the binding table is none; and what no surface has is said.
    for arguments, why in [(["--attachment", "1"], "no draw has a render target 1"), (["--level", "14"], "pixel 3,3, level 14 is outside"), (["--sample", "9"], "pixel 3,3, sample 9 is outside"),
                           (["--target", "0x1000"], "at 0x1000 is outside")]:
        out, err, status = draws("--pixel", "3,3", *arguments, "--json", recording)
        result(status == 2 and why in err and why in json.loads(out)["error"], f"no pixel: {' '.join(arguments)}", (status, out, err))
    out, err, status = draws("--pixel", "9999,3", recording)
    result(status == 2 and "pixel 9999,3 is outside of every surface" in err and not out, "a pixel outside", (status, out, err))

# The same trace without flushes of the render target cache: each draw that samples a level that was drawn to says so.
if recording.exists():
    trace = lzma.open(recording).read()
    flush = re.compile(rb"\x04[\x00-\xff]\x00\x7a([\x00-\xff]{4})")
    patched = flush.sub(lambda m: m[0][:4] + (int.from_bytes(m[1], "little") & ~(1 << 12)).to_bytes(4, "little"), trace)
    (at / "no-flush.aub").write_bytes(patched)
    out, err, status = draws("--json", recording)
    result(out and all(json.loads(line)["hazards"] == [] for line in out.splitlines()), "a driver's trace has no hazards", out[:2000])
    out, err, status = draws("--json", "no-flush.aub")
    hazards = {r["number"]: r["hazards"] for r in map(json.loads, out.splitlines()) if r["hazards"]}
    result(20 in hazards and all(h["missing"] == h["missing_flushes"] == ["Render Target Cache Flush Enable"] and h["missing_invalidation"] is None and h["writer"] < n for n, several in hazards.items() for h in several),
           "without flushes it has", hazards)
    result(draws("--fail-on", "hazards", recording)[2] == 0 and draws("--fail-on", "hazards", "no-flush.aub")[2] == 3, "--fail-on hazards")
    out, err, status = draws("no-flush.aub")
    numbers = dict(re.findall(r"^ *(\d+)  #(\d+) +rcs0:0x[0-9a-f]+ ", out, re.M))
    writers = re.findall(r"hazard: draw 20 samples 0x.*, which draw (\d+) \(#(\d+)\) rendered to, ", out)
    result(writers and all(numbers[draw] == command for draw, command in writers), "a line below the draw", out[-2000:])
    draws("--at", "20", "-o", at / "hazard.html", "no-flush.aub")
    result(re.search(r"<th>hazard<td>draw 20 samples 0x[^<]*, which draw \d+ \(#\d+\) rendered to", (at / "hazard.html").read_text()), "and a row of its page")
    out, err, status = draws("--at", "20", "--json", "no-flush.aub")
    detailed = json.loads(out.splitlines()[0])["hazards"] if out else err
    result(detailed == hazards[20], "and of its details", detailed)
    # Without the invalidation too, what is missing is one of a list, and a field besides.
    both = flush.sub(lambda m: m[0][:4] + (int.from_bytes(m[1], "little") & ~(1 << 12 | 1 << 10)).to_bytes(4, "little"), trace)
    (at / "no-both.aub").write_bytes(both)
    out, err, status = draws("--json", "no-both.aub")
    lacks = [h for line in out.splitlines() for h in json.loads(line)["hazards"]]
    result(lacks and all(h["missing"] == [*h["missing_flushes"], h["missing_invalidation"]] and h["missing_invalidation"] == "Texture Cache Invalidation Enable" for h in lacks),
           "neither flushed nor invalidated", lacks[:2])

# The same gears with vertex buffers that end after 180 bytes, and with a NaN for an x.
recording = corpus / "skl-gears.aub.xz"
if recording.exists():
    trace = lzma.open(recording).read()
    out, err, status = draws("--json", recording)
    whole = [json.loads(line) for line in out.splitlines()]
    result(whole and all(r["vertices_beyond_buffer"] == 0 and r["nan_positions"] == 0 for r in whole), "a driver's trace has its vertices in their buffers", out[:2000])
    short = re.sub(rb"(.)\x00\x08\x78([\x00-\xff]{12})([\x00-\xff]{4})", lambda m: m[0][:-4] + min(int.from_bytes(m[3], "little"), 180).to_bytes(4, "little"), trace)
    (at / "short.aub").write_bytes(short)
    out, err, status = draws("short.aub")
    lines = re.findall(r"^ +draw (\d+): (\d+) of (\d+) vertices are read beyond buffer (\d+) \(180 bytes, pitch 24\)$", out, re.M)
    result(lines and all(0 < int(beyond) <= int(of) for _, beyond, of, _ in lines), "vertices beyond a buffer", out[:3000])
    wanted = lines[0][0] if lines else "1"
    out, err, status = draws("--at", wanted, "--json", "short.aub")
    rows = [json.loads(line) for line in out.splitlines()]
    elements = [e for r in rows if r["schema"] == "softgt.draw_vertex" for e in r["elements"] if "buffer" in e]
    result(rows[0]["vertices_beyond_buffer"] == int(lines[0][1]) and {(e["buffer_bytes"], e["pitch_bytes"]) for e in elements if not e["in_buffer"]} == {(180, 24)}, "in JSON, with size and pitch", out[:2000])
    vertex = struct.pack("<3f", 0.7, 0, 0)
    first = trace.find(vertex)
    (at / "nan.aub").write_bytes(trace.replace(vertex, b"\0\0\xc0\x7f" + vertex[4:], 1))
    out, err, status = draws("nan.aub")
    result(first > 0 and re.search(r"^ +draw \d+: \d+ of 78 primitives have a NaN in a position$", out, re.M), "positions that are no numbers", out[:3000])
    wanted = re.search(r"^ +draw (\d+): \d+ of 78 primitives have a NaN", out, re.M)
    out, err, status = draws("--at", wanted[1] if wanted else 1, "--json", "--vertices", "80", "nan.aub")
    result('"nan"' in out and not re.search(r"-nan|0x[7f]fc00000", out), "each NaN has one spelling", re.findall(r".{60}nan.{20}|.{60}0x[7f]fc0.{20}", out)[:5])
    draws("--at", wanted[1] if wanted else 1, "--vertices", "80", "-o", at / "nan.html", "nan.aub")
    text = (at / "nan.html").read_text()
    result("nan&ensp;" in text and not re.search(r"-nan|0x[7f]fc00000", text), "and on the page")

# A message fills a block that was fast cleared to blue, and then writes red.
recording = corpus / "icl-piglit-arb_draw_indirect-draw-arrays.aub.xz"
if recording.exists():
    out, err, status = draws("--pixel", "24,24", "--json", recording)
    steps = [r for r in map(json.loads, out.splitlines()) if r["schema"] == "softgt.pixel_step" and r["draw"] == 2 and "after" in r]
    result([(r["what"], r["before"], r["after"]) for r in steps] == [("stored", "(fast cleared)", "0 0 1 1"), ("written", "0 0 1 1", "1 0 0 1")], "a fill and a write of one message", out)

# A dispatch that stores to a buffer.
recording = corpus / "skl-compute.aub.xz"
if recording.exists():
    out, err, status = draws("--at", "1", "--json", recording)
    buffers = [r for r in map(json.loads, out.splitlines()) if r["schema"] == "softgt.draw_surface" and r["surface"]["format"] == "RAW" and r["written"]]
    result(len(buffers) == 1 and buffers[0]["stores"] and buffers[0]["changed_bytes"] == 64 and buffers[0]["first_changed"] == 0 and
           buffers[0]["before"] == "00" * 32 and "00000000" not in buffers[0]["after"][8:] and len(buffers[0]["after"]) == 64, "a buffer that a dispatch wrote", out)
    draws("--at", "1", "-o", at / "buffer.html", recording)
    result(re.search(r"RAW, \d+ bytes, at 0x[0-9a-f]*, changed</h3>\n<pre>64 of \d+ bytes differ, from offset 0x0 on\nbefore( 00){32}\nafter ", (at / "buffer.html").read_text()), "its bytes on the page")

# Recordings that draw: gears, by three drivers of their time.
for device in ["snb", "ivb", "bdw", "skl", "icl", "tgl", "dg2"]:
    recording = corpus / f"{device}-gears.aub.xz"
    if not recording.exists():
        continue
    out, err, status = draws("-j", recording)
    rows = [json.loads(line) for line in out.splitlines()]
    whole, gears = rows, [r for r in rows if r["primitives"] == 78]
    result(len(gears) >= 3 and all(r["topology"] == "TRILIST" and r["target"]["width"] == 64 and r["vertices"] == 234 for r in gears[:3]) and
           {k["stage"] for k in gears[0]["kernels"]} == {"VS", "PS"}, f"{device}: gears", (out, err))
    done = subprocess.run([softgt, "run", "--trace", "draws", recording], capture_output=True, text=True)
    traced = re.findall(r"TRILIST.* 78 primitives, \d+ channels shaded on 64x64 at (0x[0-9a-f]+), .* kernel 0x[0-9a-f]+$", done.stdout, re.M)
    result(traced and set(traced) <= {r["target"]["address"] for r in gears if r["target"]}, f"{device}: run --trace draws names the same targets", done.stdout[:2000])
    wanted = gears[0]["number"]
    draws("--at", wanted, "-o", at / "gears.html", recording)
    page = (at / "gears.html").read_text()
    # Each command has the number that softgt debug stops at; and state is set by commands before the draw.
    done = subprocess.run([softgt, "debug", "--batch", "-x", "/dev/stdin", recording], input=f"goto {gears[0]['command_number']}\n", capture_output=True, text=True)
    result(re.search(rf"^#{gears[0]['command_number']} rcs0 .*{gears[0]['address'][2:]}.* 3DPRIMITIVE", done.stdout.replace("0x", ""), re.M), f"{device}: the command's number and address", (gears[0], done.stdout, done.stderr))
    sources = re.findall(r"3DSTATE_\w+  \(set by #(\d+) at rcs0:0x[0-9a-f]+\)", page)
    result(len(sources) > 10 and all(int(n) < gears[0]["command_number"] for n in sources), f"{device}: which commands set the state", page[:2000])
    result("BLEND_STATE at 0x" in page and "CC_VIEWPORT at 0x" in page and "COLOR_CALC_STATE at 0x" in page and "Maximum Depth: 1" in page, f"{device}: structures on the page")
    result(gears[0]["clipper_output_primitives"] == 78 and "clipped" not in gears[0] and "<th>primitives out of the clipper<td>78\n" in page, f"{device}: what left the clipper is not called clipped", gears[0])
    pictures = re.findall(r'src="data:image/png;base64,([^"]*)"', page)
    result(len(pictures) >= 3 and all(base64.b64decode(p).startswith(b"\x89PNG\r\n\x1a\n") for p in pictures) and "after" in page and
           "writes by pixel" in page and "Vertices in" in page and "78 visible" in page and not re.search(r"(src|href)=\"(?!data:)", page), f"{device}: a page with pictures before and after", page[:2000])
    draws("--at", wanted, "--extract", at / device, recording)
    result((at / device / "PS-0-before.png").read_bytes() != (at / device / "PS-0-after.png").read_bytes() and
           html.unescape((at / device / "state.txt").read_text()).startswith("0x"), f"{device}: pictures and state as files")
    out, err, status = draws("--pixel", "30,30", "--json", recording)
    rows = [json.loads(line) for line in out.splitlines()]
    touched = {r["draw"] for r in rows if r["schema"] == "softgt.pixel"}
    steps = [r for r in rows if r["schema"] == "softgt.pixel_step"]
    result(touched and touched <= {r["draw"] for r in steps if "after" in r}, f"{device}: the history of a pixel", out)
    kernels = {r["number"]: next((k for k in r["kernels"] if k["stage"] == "PS"), None) for r in whole}
    result(all((r["kernel"], r["simd"]) == (kernels[r["draw"]] and (kernels[r["draw"]]["address"], kernels[r["draw"]]["simd"]) or (None, None)) for r in steps if r["draw"]) and
           any(r.get("simd") == 16 for r in steps), f"{device}: the kernels that gave its fragments", steps[:4])
    for r in rows:
        if r["schema"] == "softgt.pixel":
            changes = [(s["before"], s["after"]) for s in steps if s["draw"] == r["draw"] and "after" in s]
            result(changes[0][0] == r["before"] and changes[-1][1] == r["after"] and all(a[1] == b[0] for a, b in zip(changes, changes[1:])),
                   f"{device}: each step of draw {r['draw']} begins where the one before ended", out)
    out, err, status = draws("--pixel", "30,30", "--attachment", "depth", "--json", recording)
    result(all(r["draw"] or r["command"] in ("PIPE_CONTROL", "3DSTATE_WM_HZ_OP") for r in map(json.loads, out.splitlines())), f"{device}: depth clears that are no draws", out)
    depths = [r for r in map(json.loads, out.splitlines()) if r["schema"] == "softgt.pixel_step" and r["what"] == "depth test"]
    stores = [r for r in map(json.loads, out.splitlines()) if "after" in r]
    result(stores and all(r["function"] == "LESS" and r["passed"] == (float(r["value"]) < float(r["there"])) for r in depths), f"{device}: its depths", out)

    # The first gear has 80 vertices: of the first of these positions and normals, of two elements, are known.
    out, err, status = draws("--at", wanted, "--json", "--vertices", "80", recording)
    rows = [json.loads(line) for line in out.splitlines()]
    result(all(r["command_address"] != "0x0" for r in rows if r["schema"] == "softgt.structure"), f"{device}: structures have the address of the command that points to them", out[:2000])
    result(rows[0] == gears[0], f"{device}: who looks at a draw changes nothing of it", (rows[0], gears[0]))
    vertices = [r for r in rows if r["schema"] == "softgt.draw_vertex"]
    primitives = [r for r in rows if r["schema"] == "softgt.draw_primitive"]
    fragments = next(r for r in rows if r["schema"] == "softgt.draw_fragments")
    result(status in (0, 1) and [v["number"] for v in vertices] == list(range(80)) and
           [e["values"] for e in vertices[0]["elements"]][:2] == [["0.7", "0", "0", "1"], ["1", "0", "-0.5", "1"]] and
           all(e["in_buffer"] and e["format"] == "R32G32B32_FLOAT" for v in vertices for e in v["elements"][:2]), f"{device}: vertices as they are fetched", out[:3000])
    result(len(primitives) == 78 and [p["number"] for p in primitives] == list(range(78)) and all(p["fate"] == "visible" and len(p["vertices"]) == 3 for p in primitives) and
           all(abs(float(v["screen"][0]) - 32 - 32 * float(v["clip"][0])) < 0.001 for p in primitives for v in p["vertices"]), f"{device}: primitives, and where they are", out[:3000])
    result(fragments["covered"]["samples"] >= fragments["written"]["samples"] == gears[0]["passed"] and
           fragments["covered"]["samples"] - fragments["depth test"]["failed"] == gears[0]["passed"], f"{device}: what became of fragments", fragments)
result.end()
