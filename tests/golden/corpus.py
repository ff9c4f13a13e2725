#!/usr/bin/env python3
"""Golden runs: real traces on the model, their commands counted, against an independent count.

Usage: corpus.py SOFTGT [CORPUS]

CORPUS (or SOFTGT_CORPUS, or ../shared/corpus beside the source) holds DEVICE-*.aub.xz, hist/NAME.txt with lines
`cmd<TAB>COMMAND<TAB>COUNT`, and golden/ with raw batches and their listings. Where the independent count is known to
be short, differences.tsv says so: trace, command (or 'exit', or 'tolerate WHAT'), our count, reason. A trace
that has commands which are not done says which with 'tolerate', and fails without.
Prints TAP; the last line counts what was skipped.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
softgt = sys.argv[1]
corpus = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else
                      os.environ.get("SOFTGT_CORPUS", here.parents[2] / "shared" / "corpus"))
number = 0
failed = 0


def result(good, name, why=""):
    global number, failed
    number += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {number} - {name}" + (f"\n# {why}" if why and not good else ""), flush=True)


differences = {}
for line in (here / "differences.tsv").read_text().splitlines():
    if line and not line.startswith("#"):
        trace, command, count, _reason = line.split("\t")
        differences.setdefault(trace, {})[command] = int(count)

if not (corpus / "hist").is_dir():
    print(f"ok 1 - golden runs # SKIP no corpus at {corpus}: {len(differences)} known traces and more not run")
    print("1..1")
    sys.exit(0)

# Two names of one header, where the manual's map (CSP-08) has one.
SAME = {"3DPRIMITIVE_EXTENDED": "3DPRIMITIVE"}


def counted(trace):
    """The trace's name, and the independent count of its commands."""
    name = trace.name[:-len(".aub.xz")]
    cells = [line.split("\t") for line in (corpus / "hist" / f"{name}.txt").read_text().splitlines()]
    return name, {SAME.get(c[1], c[1]): int(c[2]) for c in cells if c[0] == "cmd"}


for trace in sorted([*corpus.glob("snb-*.aub.xz"), *corpus.glob("ivb-*.aub.xz"), *corpus.glob("bdw-*.aub.xz"), *corpus.glob("skl-*.aub.xz"), *corpus.glob("icl-*.aub.xz"), *corpus.glob("tgl-*.aub.xz"), *corpus.glob("dg2-*.aub.xz")]):
    name, expected = counted(trace)
    known = dict(differences.get(name, {}))
    status = known.pop("exit", 0)
    tolerate = [what for what in ("short", "dropped", "misplaced") if known.pop(f"tolerate {what}", 0)]
    tolerate = ["--tolerate", ",".join(tolerate)] if tolerate else []
    expected.update(known)
    expected = {k: v for k, v in expected.items() if v}
    # Draws are not part of the count, and take more than this budget; they run further down.
    count = [softgt, "run", "--json", "--no-draws", "--budget", "1048576"]
    runs = [subprocess.run([*count, *tolerate, str(trace)], capture_output=True, timeout=60)
            for _ in range(2)]
    try:
        got = json.loads(runs[0].stdout)
    except ValueError:
        result(False, name, "no JSON: " + runs[0].stderr.decode(errors="replace")[-200:])
        continue
    wrong = {k: (expected.get(k, 0), got["commands"].get(k, 0)) for k in expected.keys() | got["commands"].keys()
             if expected.get(k, 0) != got["commands"].get(k, 0)}
    result(not wrong, f"{name}: commands", f"(expected, got): {wrong}")
    result(runs[0].returncode == status, f"{name}: exit {status}", f"exit {runs[0].returncode}: {got['errors'][:2]}")
    result(bool(got["unknown"]) == (name == "skl-igt-gen9_exec_parse-basic-rejected"), f"{name}: unknown commands",
           str(got["unknown"]))
    if tolerate:
        strict = subprocess.run([*count, str(trace)], capture_output=True, timeout=60)
        result(strict.returncode == 1 and b'"result":"fail"' in strict.stdout, f"{name}: fails without {' '.join(tolerate)}")
    result(runs[0].stdout == runs[1].stdout, f"{name}: the same to the byte when run again")

# Golden batches, to the dword as their listings say.
line = re.compile(r"^0x([0-9a-f]+):\s+(?:0x|unknown instruction )([0-9a-f]{8})(?::\s+(\w+))?\s*$")
for device, generation in (("snb", "gen6"), ("skl", "gen9")):
    batch = corpus / f"golden/{generation}-null-state.at-0x100000.bin"
    if not batch.is_file():
        continue
    listing = corpus / f"golden/{generation}-null-state.aubinator.txt"
    run = subprocess.run([softgt, "decode", "--device", device, "--batch", "--address", "0x100000", "--headers",
                          str(batch)], capture_output=True, timeout=60)
    want = [m.groups() for m in map(line.match, listing.read_text().splitlines()) if m][1:]
    got = [m.groups() for m in map(line.match, run.stdout.decode().splitlines()) if m]
    same = [a[:2] for a in want] == [b[:2] for b in got] and all(a[2] in (None, b[2]) for a, b in zip(want, got))
    result(same and run.returncode == 0, f"{generation}-null-state: {len(want)} commands decode as listed",
           f"exit {run.returncode}, {len(got)} commands")

# A batch that libdrm lists; its names are older, and 3DSTATE_STENCIL_BUFFER's two other dwords are commands to it.
batch, listing = corpus / "golden/libdrm/gen6-3d.batch", corpus / "golden/libdrm/gen6-3d.batch-ref.txt"
if batch.is_file():
    run = subprocess.run([softgt, "decode", "--device", "snb", "--batch", "--address", "0x12300000", "--headers",
                          str(batch)], capture_output=True, timeout=60)
    older = {"3DSTATE_PIPELINE_SELECT": "PIPELINE_SELECT", "3DSTATE_SCISSOR_POINTERS": "3DSTATE_SCISSOR_STATE_POINTERS",
             "3D UNKNOWN": "3DSTATE_STENCIL_BUFFER", **{f"3DSTATE_CONSTANT_{s}_STATE": f"3DSTATE_CONSTANT_{s}"
                                                        for s in ("VS", "GS", "PS")}}
    want = {m[1]: (m[2], older.get(m[3], m[3])) for m in map(re.compile(
        r"^0x([0-9a-f]+):\s+0x([0-9a-f]{8}): (\w[\w ]*)").match, listing.read_text().splitlines()) if m}
    want = {a: (h, n.strip()) for a, (h, n) in want.items() if a not in ("12300260", "12300264")}
    got = {m[1]: (m[2], m[3]) for m in map(line.match, run.stdout.decode().splitlines()) if m}
    result(run.returncode == 0 and want == got, f"libdrm's gen6-3d: {len(want)} commands decode as listed",
           f"exit {run.returncode}, {sorted(set(want.items()) ^ set(got.items()))[:4]}")

# A trace is listed with the rows of the device that it runs on.
icl = corpus / "icl-blit.aub.xz"
if icl.is_file():
    run = subprocess.run([softgt, "decode", "--headers", str(icl)], capture_output=True, timeout=60)
    result(run.returncode == 0 and b"unknown command" not in run.stdout and b"3DSTATE_VF_SGVS_2" in run.stdout,
           "icl-blit is listed with Ice Lake's rows")

# What commands point to: a draw's surfaces and state are found through bases, binding tables and counts. Formats and
# sizes are those of the windows that the programs draw to. The trace of skl has both contexts of the program at one LRCA:
# the second one's base address holds for the first's later frames, and no binding table is there.
for name, wanted in (("snb-gears", ["Surface Type: 1 (SURFTYPE_2D)", "SF_VIEWPORT", "DEPTH_STENCIL_STATE"]),
                     ("skl-gears", ["Surface Type: 1 (SURFTYPE_2D)", "SF_CLIP_VIEWPORT", "SAMPLER_STATE", "BLEND_STATE"]),
                     *((f"{name}-gears", ["Surface Type: 1 (SURFTYPE_2D)", "RENDER_SURFACE_STATE"]) for name in ("icl", "tgl", "dg2")),
                     ("skl-compute", ["INTERFACE_DESCRIPTOR_DATA", "Surface Type: 4 (SURFTYPE_BUFFER)"]),
                     ("icl-vkmark-vertex", ["Surface Type: 1 (SURFTYPE_2D)", "CC_VIEWPORT", "SCISSOR_RECT"])):
    trace = corpus / f"{name}.aub.xz"
    if trace.is_file():
        run = subprocess.run([softgt, "decode", "--follow", str(trace)], capture_output=True, text=True, timeout=60)
        missing = [w for w in wanted if not re.search("^ +" + re.escape(w), run.stdout, re.M)]
        result(run.returncode == 0 and not missing and (name == "skl-gears") == ("not in the trace" in run.stdout),
               f"{name}: what its commands point to is there", f"exit {run.returncode}, missing {missing}")

# Draws run. Whether a trace contains all that they read or not: they fail nothing, and the commands are the same.
for name in ("snb-gears", "bdw-gears", "skl-gears", "icl-gears", "tgl-gears", "dg2-gears", "icl-vkmark-vertex", "skl-query"):
    trace = corpus / f"{name}.aub.xz"
    if not trace.is_file():
        continue
    runs = [subprocess.run([softgt, "run", "--json", *options, str(trace)], capture_output=True, text=True, timeout=120) for options in ([], ["--no-draws"])]
    got = [json.loads(r.stdout) for r in runs]
    lost = "not complete: the trace does not contain all that they read" in runs[0].stderr
    result(all(r.returncode == 0 for r in runs) and got[0]["commands"] == got[1]["commands"] and got[0]["threads"] > got[1]["threads"] and
           ("3DPRIMITIVE" in got[0]["not_modelled"]) == lost and runs[0].stderr.count("\n") == lost,
           f"{name}: draws run{', but those whose memory it lacks' if lost else ''}", runs[0].stderr[-300:])

# What Intel's own library wrote compares memory itself; the device is that of the product that the header names.
for trace in sorted([*(corpus / "aubstream").glob("tgllp_*.aub.xz"), *(corpus / "aubstream").glob("dg2_*.aub.xz"), *(corpus / "neo").glob("tgllp_*.aub.xz")]):
    run = subprocess.run([softgt, "run", "--json", str(trace)], capture_output=True, timeout=60)
    result(run.returncode == 0 and b'"result":"pass"' in run.stdout, f"{trace.name}: all of its compares hold",
           run.stderr.decode(errors="replace")[-200:])

big = corpus / "big/skl-igt-gem_exec_nop-basic-series.aub.xz"
if big.is_file():
    run = subprocess.run([softgt, "run", "--json", str(big)], capture_output=True, timeout=120)
    result(run.returncode == 0 and json.loads(run.stdout)["batches"] == 149108, "149,108 submissions in one trace")

for trace in sorted((corpus / "faulty").glob("*.aub.xz")):
    status = differences.get(trace.name[:-len(".aub.xz")], {}).get("exit", 1)
    run = subprocess.run([softgt, "run", "--json", str(trace)], capture_output=True, timeout=60)
    result(run.returncode == status and bool(json.loads(run.stdout)["errors"]) == bool(status),
           f"{trace.name}: " + ("its fault is told" if status else "runs clean all the same"))

print(f"1..{number}")
sys.exit(failed != 0)
