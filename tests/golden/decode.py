#!/usr/bin/env python3
"""Batches that Mesa 25.0's iris wrote for devices that are only decoded (DEVICE-ENGINE.batch.xz): every command is known, ends where the next begins,
and the one of each name with most fields is listed as decode.txt has it. decode.py SOFTGT [write]"""
import lzma
import pathlib
import re
import subprocess
import sys

here = pathlib.Path(__file__).parent
softgt, *write = sys.argv[1:]
failed, texts = 0, []
batches = sorted(here.glob("*.batch.xz"))
expected = {} if write else dict(part.split("\n", 1) for part in (here / "decode.txt").read_text().split("== ")[1:])
print(f"1..{2 * len(batches)}")
for number, batch in enumerate(batches):
    device, engine = batch.name.removesuffix(".batch.xz").split("-")
    name = f"{device} {engine}"
    done = subprocess.run([softgt, "decode", "--device", device, "--batch", "--engine", engine, "--all", "--nonzero", "-"], input=lzma.decompress(batch.read_bytes()),
                          capture_output=True, timeout=60, check=False)
    commands = re.split(r"(?m)^0x[0-9a-f]{8}:  ", done.stdout.decode())[1:]
    good = done.returncode == 0 and len(commands) > 2 and all(re.match(r"0x[0-9a-f]{8}:  [A-Z0-9_]+\n", text) for text in commands)
    failed += not good
    print(f"{'ok' if good else 'not ok'} {2 * number + 1} - {name}: every command is known" + ("" if good else f"\n# {done.stderr.decode()}"))
    fullest = {}
    for text in commands:
        fullest[text.split()[1]] = max(fullest.get(text.split()[1], ""), re.sub(r"^0x[0-9a-f]{8}: +", "", text), key=len)
    listed = "".join(fullest.values())
    texts.append(f"== {name}\n{listed}")
    lines, wanted = listed.splitlines(), expected.get(name, "").splitlines()
    differs = next((f"{a!r}, not {b!r}" for a, b in zip(lines, wanted) if a != b), f"{len(lines)} lines, not {len(wanted)}")
    failed += lines != wanted
    print(f"{'ok' if lines == wanted else 'not ok'} {2 * number + 2} - {name}: as decode.txt has it" + ("" if lines == wanted else f"\n# {differs}"))
if write:
    (here / "decode.txt").write_text("".join(texts))
sys.exit(failed != 0)
