#!/usr/bin/env python3
"""Golden threads: what compute threads of unmodified programs leave in memory, against arithmetic.

Usage: threads.py SOFTGT [CORPUS]

CORPUS (or SOFTGT_CORPUS, or ../shared/corpus beside the source) holds DEVICE-*.aub.xz and neo/. A trace holds what a
program asked for, never what came back: what must be there is worked out here, from what each program does. Prints TAP.
"""
import itertools
import json
import os
import pathlib
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
softgt = sys.argv[1]
corpus = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else
                      os.environ.get("SOFTGT_CORPUS", here.parents[2] / "shared" / "corpus"))
DEVICES = ["bdw", "skl", "icl", "tgl", "dg2"]
number = failed = 0


def result(good, name, why=""):
    global number, failed
    number += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {number} - {name}" + (f"\n# {why}" if why and not good else ""), flush=True)


def run(trace):
    """Bytes that the engine stored into the context's memory, by address; and the run's report."""
    memory = {}
    lines = subprocess.run([softgt, "run", "--json", "--no-draws", "--trace", "memory", trace],
                           capture_output=True, text=True).stdout.splitlines()
    for line in lines[:-1]:
        event = json.loads(line)
        if event.get("event") == "memory" and event["space"] == "ppgtt":
            value = int(event["value"], 16).to_bytes(event["size_bytes"], "little")
            memory.update(zip(itertools.count(int(event["address"], 16)), value))
    return memory, json.loads(lines[-1])


def longest(memory):
    """The longest run of bytes that lie together: as dwords, and where."""
    best, at = [], 0
    for _key, group in itertools.groupby(enumerate(sorted(memory)), lambda pair: pair[1] - pair[0]):
        addresses = [address for _index, address in group]
        if len(addresses) > len(best):
            best, at = addresses, addresses[0]
    data = bytes(memory[address] for address in best)
    return [int.from_bytes(data[i:i + 4], "little") for i in range(0, len(data) - 3, 4)], at


def dwords(memory, address, count):
    """None: nothing was stored there."""
    return [None if address + i * 4 not in memory else
            int.from_bytes(bytes(memory[address + i * 4 + n] for n in range(4)), "little") for i in range(count)]


def slm_reversed(device):
    """4 groups of 16, twice, the second time indirectly: local memory gets 3 * id, out[id] the value of the channel
    at the other end and the number of groups; each group then adds its 16 channels to out[0]."""
    memory, report = run(corpus / f"{device}-compute.aub.xz")
    values, _at = longest(memory)
    expected = [3 * (i // 16 * 16 + 15 - i % 16) + 4 for i in range(64)]
    expected[0] += 4 * 16
    result(values == expected, f"{device}-compute", f"{values}")
    result((report["thread_groups"], report["threads"], report["invocations"]) == (8, 8, 128),
           f"{device}-compute counts", f"{report['threads']} {report['invocations']}")


def counters(device, name, local, groups, invocations):
    """Eight counters, of invocations whose IDs in their group are such and such."""
    memory, report = run(corpus / f"{device}-piglit-arb_compute_shader-{name}.aub.xz")
    half = [n // 2 for n in local]
    tests = [lambda x, y, z: x & y & z == 0, lambda x, y, z: x | y | z == 7, lambda x, y, z: x == y == z,
             lambda x, y, z: x != y and y != z and x != z, lambda x, y, z: x & y & z == 2,
             lambda x, y, z: x | y | z == 5, lambda x, y, z: x < half[0] and y < half[1] and z < half[2],
             lambda x, y, z: x >= half[0] or y >= half[1] or z >= half[2]]
    expected = [groups * sum(test(x, y, z) for z in range(local[2]) for y in range(local[1]) for x in range(local[0]))
                for test in tests]
    found = [dwords(memory, address, 8) for address in sorted(memory) if address % 64 in (0, 4)]
    result([n or None for n in expected] in found, f"{device} {name}", f"expected {expected}, found {found}")
    result(report["invocations"] == invocations, f"{device} {name} counts", f"{report['invocations']}")


def media_fill(device):
    """Four threads fill 16 by 16 bytes each of a surface of 64 by 64: its first quarter, and no more."""
    memory, report = run(corpus / f"{device}-igt-gem_media_fill-media-fill.aub.xz")
    at = min(memory, default=0)
    expected = {at + y * 64 + x: 0x4c for y in range(32) for x in range(32)}
    result(at % 4096 == 0 and memory == expected and report["threads"] == 4, f"{device} media fill", f"{len(memory)} bytes at {at:#x}")


def traced(device):
    """Whoever looks changes nothing: the same events and report, and an object for each instruction."""
    trace = corpus / f"{device}-compute.aub.xz"

    def lines(*more):
        return subprocess.run([softgt, "run", "--json", "--trace", "memory", *more, trace], capture_output=True, text=True).stdout.splitlines()

    plain, looked_at = lines(), lines("--eu-trace")
    seen = [json.loads(line) for line in looked_at if '"event":"instruction"' in line]
    others = [line for line in looked_at if '"event":"instruction"' not in line]
    counted = json.loads(plain[-1])["instructions"]
    result(plain == others and len(seen) == counted and counted > 100 and all("context" in e and "submission" in e for e in seen),
           f"{device}-compute traced", f"{len(seen)} of {counted} instructions")
    one = [json.loads(line) for line in lines("--eu-trace=group=1,thread=0,ip=0:15") if '"event":"instruction"' in line]
    result(one and all(e["group"] == [1, 0, 0] and e["thread"] == 0 and e["ip"] < 16 for e in one) and
           one == [e for e in seen if e["group"] == [1, 0, 0] and e["thread"] == 0 and e["ip"] < 16], f"{device}-compute filtered", str(one)[:200])


def ids(trace):
    """a[id] = id."""
    memory, report = run(trace)
    values, _at = longest(memory)
    result(values == list(range(64)) and report["invocations"] == 64, trace.name, f"{values}")


def nothing_to_square(device):
    """What the program says of its length is 0: threads run, and store nothing."""
    _memory, report = run(corpus / f"{device}-igt-gem_compute-compute-square.aub.xz")
    result((report["threads"], report["invocations"], report["page_faults"]) == (32, 1024, 0), f"{device} compute square")


if not (corpus / "neo").is_dir():
    print(f"ok 1 - golden threads # SKIP no corpus at {corpus}\n1..1")
    sys.exit(0)
for d in DEVICES:
    slm_reversed(d)
    traced(d)
    if d != "bdw":  # of which there is no trace
        counters(d, "indirect-compute", (2, 4, 8), 64, 4096)
    if d not in ("bdw", "dg2"):  # of which no dispatch came into the trace
        counters(d, "zero-dispatch-size", (5, 2, 5), 64, 3200)
    if d != "dg2":
        media_fill(d)
for d in ["tgl", "dg2"]:
    nothing_to_square(d)
for t in sorted((corpus / "neo").glob("*.aub.xz")):
    ids(t)
print(f"1..{number}")
sys.exit(failed != 0)
