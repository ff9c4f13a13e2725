#!/usr/bin/env python3
"""softgt draws on damaged recordings: a page or an error, never a crash or a hang. Usage: draws.py SOFTGT SOURCE. Prints TAP.

Bytes of vertex buffers, states and commands are changed at random places. The recordings are in the corpus (SOFTGT_CORPUS, or ../shared/corpus
beside the source); without it nothing runs.
"""
import lzma
import os
import pathlib
import random
import subprocess
import sys
import tempfile

softgt, source = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
corpus = pathlib.Path(os.environ.get("SOFTGT_CORPUS", source.parent / "shared" / "corpus"))
scratch = tempfile.TemporaryDirectory()
at = pathlib.Path(scratch.name)
number = failed = 0
DAMAGES = 6

for device in ["snb", "skl", "dg2"]:
    recording = corpus / f"{device}-gears.aub.xz"
    if not recording.exists():
        continue
    whole = lzma.decompress(recording.read_bytes())
    for seed in range(DAMAGES):
        choice = random.Random(seed)
        data = bytearray(whole)
        places = [n for n in range(len(data) // 4, len(data) - 4, 4) if any(data[n:n + 4])]
        for place in choice.sample(places, 40 << seed):
            data[place:place + 4] = choice.choice([b"\0\0\0\0", b"\xff\xff\xff\xff", b"\0\0\xc0\x7f", choice.randbytes(4)])
        (at / "damaged.aub").write_bytes(data)
        for arguments in [["--at", "3", "-o", "page.html"], ["--at", "4", "--json"], ["--pixel", "30,30"], ["--pixel", "30,30", "--attachment", "depth"]]:
            try:
                done = subprocess.run([softgt, "draws", *arguments, "damaged.aub"], capture_output=True, cwd=at, timeout=120)
                good = done.returncode in (0, 1, 2)
            except subprocess.TimeoutExpired:
                good = False
            number += 1
            failed += not good
            print(f"{'ok' if good else 'not ok'} {number} - {device}, damage {seed}: {' '.join(arguments[:2])}", flush=True)
print(f"1..{number}" if number else "1..0 # SKIP there is no corpus")
sys.exit(failed != 0)
