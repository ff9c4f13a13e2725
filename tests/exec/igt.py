#!/usr/bin/env python3
"""IGT's tests, unmodified, on softgt exec: igt.py SOFTGT [DRIVER/DEVICE [TEST[@SUBTEST]...]]

Without tests, and without a device for those of the drivers' below, the tests of igt.testlist, all of which must succeed: SKIP (the device has no such thing) is
told with them. Skipped where the packages cannot be had (tests/exec/igt)."""
import pathlib
import re
import subprocess
import sys

from results import Results

softgt, target, chosen = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "", sys.argv[3:]
here = pathlib.Path(__file__).parent
devices = {"i915": ["skl", "dg2"], "xe": ["tgl", "dg2"]}
tests = {}
for line in (here / "igt.testlist").read_text().splitlines():
    driver, _, rest = line.partition(":")
    if driver in devices:
        tests.setdefault(driver, []).extend(rest.split())


def run(driver, device, test):
    name, _, subtest = test.partition("@")
    command = [here / "igt", driver, softgt, "exec", "--driver", driver, "--device", device, f"/usr/libexec/igt-gpu-tools/{name}"]
    try:
        done = subprocess.run([str(part) for part in command] + (["--run-subtest", subtest] if subtest else []), capture_output=True, text=True, errors="replace", timeout=120)
    except subprocess.TimeoutExpired:
        return None, "it takes more than 120 s"
    return done.returncode, done.stdout + done.stderr


result = Results(here / "igt", "tests", 40)
for driver, names in devices.items():
    for device in names if not target else [target.partition("/")[2]] if target.partition("/")[0] == driver else []:
        for test in chosen or tests[driver]:
            status, told = (1, "") if result.there.returncode else run(driver, device, test)
            results = re.findall(r"^(?:SUCCESS|FAIL|SKIP|Subtest \S+: (?:SUCCESS|FAIL|SKIP))", told, re.M)
            failed = [line for line in results if line.endswith("FAIL")]
            if status == 77:
                result.skip(f"{test} by {driver} on {device}", "the device has no such thing")
            else:
                result(status == 0 and results and not failed, f"{test} by {driver} on {device}", "\n".join(failed) + told[-2000:])
result.end()
