#!/usr/bin/env python3
"""Intel's OpenCL runtime, unmodified, in its simulator mode (TBX) on softgt tbx: kernels compute what plain C does.
tbx.py SOFTGT PROGRAM (examples/opencl.c)

Skipped where Debian 12's packages are neither in the cache nor to be had (tests/exec/neo)."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from results import Results

softgt, program = sys.argv[1:]
neo = pathlib.Path(__file__).parent / "neo"
# Devices, the runtime's names of them, and what it is to take them for: its own figures of dg2 have too few units for a group.
devices = (("skl", "skl", ""), ("kbl", "kbl", ""), ("icl", "icllp", ""), ("ehl", "ehl", ""), ("tgl", "tgllp", ""), ("tgl", "adls", ""), ("rkl", "rkl", ""),
           ("dg2", "dg2", "8x4x16"), ("atsm", "dg2", "8x4x16"))
result = Results(neo, "runtime")
there = result.there


def run(device, product, units, threads=1):
    """What the program told, what the server did, and what a replay of the recording did (of one thread: what is recorded runs on no more)."""
    with tempfile.TemporaryDirectory() as folder, open(os.path.join(folder, "said"), "w+") as said:
        record = os.path.join(folder, "a.aub")
        options = ["--record", record] if threads == 1 else ["--threads", str(threads)]
        server = subprocess.Popen([softgt, "tbx", "--device", device, "--port", "0", "--once", "--log", "guest", *options], stderr=said)
        port, end = None, time.time() + 20
        while not port and time.time() < end:
            said.seek(0)
            port = re.search(r"is at [\d.]+:(\d+)", said.read())
            time.sleep(0.02)
        # Local memory and that of the host have the same addresses in this runtime: it is to have one of them only.
        keys = {"NEOReadDebugKeys": "1", "SetCommandStreamReceiver": "2", "TbxServer": "127.0.0.1", "TbxPort": port[1], "ProductFamilyOverride": product,
                "EnableLocalMemory": "0"}
        if units:
            keys["HardwareInfoOverride"] = units
        started = pathlib.Path(f"/proc/{server.pid}/task")
        has = len(list(started.iterdir()))
        done = subprocess.run([neo, program], capture_output=True, text=True, timeout=200, env=dict(os.environ, **keys))
        status = server.wait(60)
        said.seek(0)
        text = said.read()
        if threads > 1:
            return done, status, text, has
        again = subprocess.run([softgt, "run", "-q", "--device", device, record], capture_output=True, text=True, timeout=200)
        return done, status, text, again


def is_right(done, status, text):
    return done.returncode == 0 and status == 0 and len(re.findall(" right$", done.stdout, re.M)) == 5 and "hangs" not in text and " 0 faults" in text


for device, product, units in devices:
    if there.returncode:
        result(False, f"kernels on {device} as {product}", there.stdout + there.stderr)
        continue
    done, status, text, again = run(device, product, units)
    result(is_right(done, status, text), f"kernels on {device} as {product}", done.stdout + done.stderr + text)
    result(again.returncode == 0 and re.search(r"compares: 0 of [1-9]", again.stdout), f"the recording of {device} as {product} repeats itself",
           again.stdout[-1500:] + again.stderr[-1500:])
for device, product, units in devices[0], devices[2], devices[7]:
    if there.returncode:
        result(False, f"kernels on {device}, groups on three threads", there.stdout + there.stderr)
        continue
    done, status, text, has = run(device, product, units, 3)
    result(is_right(done, status, text) and has == 3, f"kernels on {device}, groups on three threads", f"{has} threads\n{done.stdout}{done.stderr}{text}")
result.end()
