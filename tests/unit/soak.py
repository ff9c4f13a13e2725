#!/usr/bin/env python3
"""What tests/soak is made of: verdicts on growth, and sessions with every device. soak.py SOFTGT ROOT"""
import io
import os
import random
import sys

sys.path.insert(0, os.path.join(sys.argv[2], "tests", "soak"))
import sessions  # noqa: E402
import watch  # noqa: E402

count = failed = 0


def result(good, name, why=""):
    global count, failed
    count += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {count} - {name}{'' if good else ' # ' + ' '.join(str(why).split())[:400]}")


for phase, what, values, grows in (
        ("idle", "descriptors", [6, 6, 6], False), ("idle", "descriptors", [6, 9, 6], False), ("idle", "descriptors", [6, 6, 7], True),
        ("between", "anonymous_kb", [2000, 2512], False), ("between", "anonymous_kb", [2000, 2513], True),
        ("busy", "maps", [100, 500, 100, 500], False), ("busy", "maps", list(range(100, 400)), True),
        ("busy", "anonymous_kb", [20000 + 100 * i for i in range(600)], True),
        ("busy", "anonymous_kb", [115000, 80000, 127000, 116000, 115000, 117000, 144000, 115000], False), ("busy", "descriptors", [8], False)):
    result(bool(watch.verdict(phase, what, values)) == grows, f"{what}, {phase}: {values[:4]}... {'grows' if grows else 'is flat'}")

me = watch.Watched("me", os.getpid(), io.StringIO())
files = []
for _ in range(3):
    me.look("idle")
    files.append(open("/dev/null"))
result([bad for _, bad in me.rows()] == [["descriptors grew by 2"]], "a process that forgets its descriptors is seen", list(me.rows()))
result(not watch.Watched("nobody", 1 << 22, io.StringIO()).look("idle"), "one that is gone, too")

rnd = random.Random(1)
for device in sessions.devices(sys.argv[1]):
    try:
        for _ in range(4):
            device.session(rnd)
        status, _ = device.server.end()
        result(status == 0, f"{device.name}: engines work after hangs, resets and clients of all kinds", device.server.text())
    except (sessions.Failed, OSError) as error:
        device.server.end()
        result(False, f"{device.name}: engines work after hangs, resets and clients of all kinds", repr(error))
print(f"1..{count}")
sys.exit(failed != 0)
