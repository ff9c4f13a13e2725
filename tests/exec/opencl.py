#!/usr/bin/env python3
"""Intel's OpenCL runtime, unmodified, on softgt exec: it finds the device, takes its numbers, and its kernels compute what plain C does.
opencl.py SOFTGT PROGRAM (examples/opencl.c) KERNELS (kernels.c) [CORPUS]

CORPUS (or SOFTGT_CORPUS, or ../shared/corpus beside the source) holds eu/*.cl, the kernels; without them those are skipped, and all
where Debian 12's packages are neither in the cache nor to be had (tests/exec/neo)."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from results import Results

softgt, program, kernels = sys.argv[1:4]
here = pathlib.Path(__file__).resolve()
neo = here.parent / "neo"
corpus = pathlib.Path(sys.argv[4] if len(sys.argv) > 4 else os.environ.get("SOFTGT_CORPUS", here.parents[3] / "shared" / "corpus")) / "eu"
# Units of execution: slices, subslices and units of each, as the sheet has them; the clock is RP0's.
devices = {"bdw": ("0x1616", 24), "skl": ("0x1912", 24), "icl": ("0x8a52", 64), "tgl": ("0x9a49", 96), "dg2": ("0x56a0", 512)}
result = Results(neo, "runtime")
there = result.there


def run(device, *command):
    if there.returncode:
        return 1, there.stdout + there.stderr, ""
    done = subprocess.run([neo, softgt, "exec", "--device", device, *command], capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


for device, (pci_id, units) in devices.items():
    status, told, errors = run(device, "clinfo")
    result(status == 0 and f"[{pci_id}]" in told and re.search(rf"Max compute units\s+{units}\b", told), f"Intel's runtime on {device}",
           "\n".join(line for line in (told + errors).splitlines() if re.search("Device Name|compute units|Number of|packages", line)))
    status, told, errors = run(device, program)
    result(status == 0 and len(re.findall(" right$", told, re.M)) == 5 and f"[{pci_id}]" in told and "counted, not run" not in errors and "is privileged" not in errors and ", 0 hung" in errors,
           f"kernels on {device}", told + errors)
    if not corpus.is_dir():
        result.skip(f"the corpus' kernels on {device}", "there is no corpus")
        continue
    status, told, errors = run(device, kernels, corpus)
    result(status == 0 and len(re.findall(" right$", told, re.M)) == 10 and "counted, not run" not in errors and ", 0 hung" in errors,
           f"the corpus' kernels on {device}", told + errors)
# Whoever looks at the threads of one changes nothing.
with tempfile.TemporaryDirectory() as scratch:
    file = pathlib.Path(scratch) / "threads"
    status, told, errors = run("dg2", "--eu-trace", file, "--eu-filter", "thread=1", "--eu-trace-limit", "300", program)
    lines = file.read_text().splitlines() if file.exists() else []
    steps = [line for line in lines if re.search(r" ns  \w+ +thread +[0-9a-f]{12}  \d+,\d+,\d+/1 \+", line)]
    result(status == 0 and len(re.findall(" right$", told, re.M)) == 5 and len(steps) == 300 and "300 instructions are shown" in lines[-1],
           "threads that are looked at", told + errors + "\n".join(lines[-3:]))
# Mesa's runtime (rusticl) by xe: on dg2 what is read back comes by draws. Xe2 also by forky's, and with the corpus' kernels.
for suite, version, devices in ("trixie", "25.0", ("tgl", "dg2", "bmg", "lnl")), ("forky_mesa", "26.1", ("bmg", "lnl")):
    mesa = Results(neo.parent / suite, "runtime")
    mesa.number = result.number
    for device in devices:
        for what, right, command in ("kernels", 5, [program]), ("the corpus' kernels", 10, [kernels, corpus]):
            name = f"{what} by rusticl {version} and xe on {device}"
            if right == 10 and (device not in ("bmg", "lnl") or not corpus.is_dir()):
                continue
            done = mesa.there if mesa.there.returncode else subprocess.run([neo.parent / suite, softgt, "exec", "--driver", "xe", "--device", device, *command],
                                                                           capture_output=True, text=True, timeout=120)
            mesa(done.returncode == 0 and len(re.findall(" right$", done.stdout, re.M)) == right and "counted, not run" not in done.stderr and ", 0 hung" in done.stderr,
                 name, done.stdout + done.stderr)
    result.number, result.failed = mesa.number, result.failed + mesa.failed
# Xe2 by xe, and by the runtime of forky: Debian 12's does not know it.
forky = Results(neo.parent / "forky", "runtime")
forky.number = result.number
for device, pci_id, units in ("bmg", "86800be2", 160), ("lnl", "8680a064", 64):  # its UUID begins so
    outputs = []
    for command in ["clinfo"], [program], [kernels, corpus]:
        done = forky.there if forky.there.returncode else subprocess.run([neo.parent / "forky", softgt, "exec", "--driver", "xe", "--device", device, *command],
                                                                        capture_output=True, text=True, timeout=120)
        outputs.append(done)
    told, right, more = outputs
    forky(told.returncode == 0 and f" {pci_id}-" in told.stdout and re.search(rf"Max compute units\s+{units}\b", told.stdout), f"forky's runtime by xe on {device}",
          "\n".join(line for line in (told.stdout + told.stderr).splitlines() if re.search("Device Name|compute units|Number of", line)))
    forky(right.returncode == 0 and len(re.findall(" right$", right.stdout, re.M)) == 5 and ", 0 hung" in right.stderr and "without a binding" not in right.stderr and "counted, not run" not in right.stderr,
          f"kernels by xe on {device}", right.stdout + right.stderr)
    if corpus.is_dir():
        forky(len(re.findall(" right$", more.stdout, re.M)) == 10 and "counted, not run" not in more.stderr, f"the corpus' kernels by xe on {device}", more.stdout + more.stderr)
    else:
        forky.skip(f"the corpus' kernels by xe on {device}", "there is no corpus")
# A recording repeats itself where the runtime submits by calls: of what it writes into its ring while an engine polls there the recording has no times.
with tempfile.TemporaryDirectory() as scratch:
    trace = pathlib.Path(scratch) / "x.aub"
    if not forky.there.returncode:
        subprocess.run([neo.parent / "forky", softgt, "exec", "--quiet", "--driver", "xe", "--device", "bmg", "--record", trace, program], capture_output=True, timeout=120,
                       env=os.environ | {"NEOReadDebugKeys": "1", "EnableDirectSubmission": "0"})
    again = subprocess.run([softgt, "run", "--quiet", trace], capture_output=True, text=True, timeout=120)
    forky(again.returncode == 0 and re.search(r"compares: 0 of [1-9]", again.stdout), "its recording on bmg repeats itself", again.stdout + again.stderr)
result.number, result.failed = forky.number, result.failed + forky.failed
result.end()
