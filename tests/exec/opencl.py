#!/usr/bin/env python3
"""Intel's OpenCL runtime, unmodified, on softgt exec: it finds the device, and takes its numbers. opencl.py SOFTGT

Skipped where Debian 12's packages (45 MB) are not in the cache: tests/guest/packages bookworm neo intel-opencl-icd clinfo"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

softgt = sys.argv[1]
cache = os.environ.get("SOFTGT_CACHE") or pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "softgt"
root = pathlib.Path(cache) / "bookworm-neo/root"
libraries = root / "usr/lib/x86_64-linux-gnu"
if not (root.parent / "complete").exists():
    print(f"1..0 # SKIP {root.parent} is not there")
    sys.exit(77)
# Units of execution: slices, subslices and units of each, as the sheet has them; the clock is RP0's.
devices = {"skl": ("0x1912", 24), "icl": ("0x8a52", 64), "tgl": ("0x9a49", 96), "dg2": ("0x56a0", 512)}
failed = 0
with tempfile.TemporaryDirectory() as scratch:
    (pathlib.Path(scratch) / "neo.icd").write_text(f"{libraries}/intel-opencl/libigdrcl.so\n")
    environment = dict(os.environ, LD_LIBRARY_PATH=f"{libraries}:{libraries}/intel-opencl", OCL_ICD_VENDORS=scratch)
    for number, (device, (pci_id, units)) in enumerate(devices.items(), 1):
        done = subprocess.run([softgt, "exec", "--quiet", "--device", device, root / "usr/bin/clinfo"], capture_output=True, text=True, timeout=120, env=environment)
        good = done.returncode == 0 and f"[{pci_id}]" in done.stdout and re.search(rf"Max compute units\s+{units}\b", done.stdout)
        failed += not good
        print(f"{'ok' if good else 'not ok'} {number} - Intel's runtime on {device}")
        if not good:
            print("#", "\n# ".join(line for line in (done.stdout + done.stderr).splitlines() if re.search("Device Name|compute units|Number of", line)))
print(f"1..{len(devices)}")
sys.exit(failed != 0)
