#!/usr/bin/env python3
"""Golden kernels alone: what a compiler made, run by softgt eu, against arithmetic.

Usage: alone.py SOFTGT [CORPUS]

CORPUS (or SOFTGT_CORPUS, or ../shared/corpus beside the source) holds eu/PRODUCT/NAME.dat, a kernel's bytes. What a kernel finds in its
registers is its compiler's choice: places of 16 bits, then what all threads have (Gen9 to Gen12), or both in memory at r0.0 (Gen12.5).
Prints TAP.
"""
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
softgt = sys.argv[1]
corpus = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else
                      os.environ.get("SOFTGT_CORPUS", here.parents[2] / "shared" / "corpus"))
DEVICES = {"skl": "skl", "icllp": "icl", "tgllp": "tgl", "dg2": "dg2"}
SIMD, INLINE_DW, AT = 32, 8, 0x10000
number = failed = 0


def result(good, name, why=""):
    global number, failed
    number += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {number} - {name}" + (f"\n# {why}" if why and not good else ""), flush=True)


def payload(product, size, words, at):
    """Options that give `size` channels their places, and all threads the dwords."""
    if product != "dg2":
        return ["--local", str(size), "--data", ",".join(map(str, words))]
    # The first register comes with the walker, the others lie before the threads' own: six registers each.
    words = words + [0] * (-len(words) % 8)
    memory = bytearray(struct.pack(f"{len(words) - INLINE_DW}I", *words[INLINE_DW:]))
    for first in range(0, size, SIMD):
        memory += struct.pack(f"{SIMD}H", *range(first, first + SIMD)) + bytes(4 * SIMD)
    (at / "payload").write_bytes(memory)
    return ["--data", ",".join(map(str, words[:INLINE_DW])), "--header", hex(AT), "--buffer", f"9={at / 'payload'}@{AT:#x}"]


def run(product, kernel, groups, size, words, buffers, more=()):
    """The buffers behind it."""
    with tempfile.TemporaryDirectory() as scratch:
        at = pathlib.Path(scratch)
        options = []
        for i, data in enumerate(buffers):
            (at / f"in{i}").write_bytes(data)
            options += ["--buffer", f"{i}={at / f'in{i}'}", "--output", f"{i}={at / f'out{i}'}"]
        done = subprocess.run([softgt, "eu", corpus / "eu" / product / f"{kernel}.dat", "--device", DEVICES[product], "--simd", str(SIMD),
                               "--groups", str(groups), "--threads", str(size // SIMD), *payload(product, size, words, at), *options, *more],
                              capture_output=True, text=True)
        if done.returncode:
            return done.stdout + done.stderr
        return [(at / f"out{i}").read_bytes() for i in range(len(buffers))]


def bits(value):
    return struct.unpack("I", struct.pack("f", value))[0]


def saxpy(product):
    """y = a * x + y: the offset is the eighth dword, a and the group's size are dwords 12 and 13 of r7 and r8."""
    x, y = [float(i) for i in range(192)], [i / 4 for i in range(192)]
    out = run(product, "k01-saxpy", 3, 64, [0] * 12 + [bits(2.5), 64], [struct.pack("192f", *x), struct.pack("192f", *y)])
    good = isinstance(out, list) and list(struct.unpack("192f", out[1])) == [2.5 * a + b for a, b in zip(x, y)]
    result(good, f"{product} saxpy", out if isinstance(out, str) else "other numbers")


def reduce(product):
    """Each group of 256 adds its integers in local memory, with barriers."""
    x = [(i * 7919) % 1000 - 300 for i in range(512)]
    out = run(product, "k02-reduce", 2, 256, [0] * 24, [struct.pack("512i", *x), bytes(4096)], ["--shared", "1024"])
    good = isinstance(out, list) and struct.unpack_from("2i", out[1]) == (sum(x[:256]), sum(x[256:])) and not any(out[1][8:])
    result(good, f"{product} reduce", out if isinstance(out, str) else f"{struct.unpack_from('2i', out[1])}")


if not (corpus / "eu").is_dir():
    print(f"ok 1 - kernels alone # SKIP no corpus at {corpus}")
    number = 1
else:
    for product in DEVICES:
        saxpy(product)
        reduce(product)
print(f"1..{number}")
sys.exit(failed != 0)
