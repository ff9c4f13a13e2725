#!/usr/bin/env python3
"""softgt exec: a client of i915's interface on every product, of xe's on those that it knows, what is told of it, and what it leaves behind.
run.py SOFTGT CLIENT XE_CLIENT PROCESS_CLIENT [alone]

alone: a library with sanitizers goes into no program of the host's, which have none."""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import json_schemas

softgt, client, xe_client, process_client = sys.argv[1:5]
alone = len(sys.argv) > 5
number = failed = 0
environment = {k: v for k, v in os.environ.items() if k not in ("LD_PRELOAD", "SOFTGT_EXEC")}


def result(good, name, why=""):
    global number, failed
    number += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {number} - {name}" + (f"\n# {why}" if why and not good else ""), flush=True)


# A fork while another thread allocates hangs a child that has a sanitizer.
one_thread = ("--threads", "1") if alone else ()


def run(*arguments, **more):
    if arguments[0] == "exec":
        arguments = "exec", *one_thread, *arguments[1:]
    done = subprocess.run([softgt, *map(str, arguments)], capture_output=True, timeout=120, text=True, env=environment, **more)
    # LeakSanitizer's, of a thread that ended while it looked for leaks.
    done.stderr = re.sub(r"^==\d+==Running thread \d+ was not suspended\..*\n", "", done.stderr, flags=re.M)
    return done


devices = [d["name"] for d in json.loads(run("devices", "--json").stdout)["devices"]]
limit = ("--limit", "200000")
with tempfile.TemporaryDirectory() as scratch:
    environment["TMPDIR"] = scratch
    at = pathlib.Path(scratch)
    for device in devices:
        if device.partition("-")[0] in ("bmg", "lnl"):  # xe's alone
            done = run("exec", "--driver", "i915", "--device", device, client, device)
            result(done.returncode == 2 and f"i915 does not know {device}" in done.stderr, f"i915 refuses {device}", done.stderr)
            done = run("exec", "--device", device, xe_client)
            result(done.returncode == 0 and "5 hung" in done.stderr and "2 processes" in done.stderr, f"the client of xe on {device}", done.stdout + done.stderr)
            continue
        done = run("exec", *limit, "--device", device, client, device)
        if device in ("cl", "ctg", "tgl-ccs"):
            result(done.returncode == 2 and "is not a product" in done.stderr, f"{device} is refused", done.stderr)
            continue
        result(done.returncode == 0 and done.stdout.startswith(device + ":"), f"the client on {device}", done.stdout + done.stderr)
        result("3 hung" in done.stderr and "2 processes" in done.stderr, f"what {device} did is told", done.stderr)
        done = run("exec", "--driver", "xe", "--device", device, xe_client)
        if device.partition("-")[0] not in ("tgl", "rkl", "dg2", "atsm"):
            result(done.returncode == 2 and f"xe does not know {device}" in done.stderr, f"xe refuses {device}", done.stderr)
            continue
        result(done.returncode == 0 and "5 hung" in done.stderr and "2 processes" in done.stderr, f"the client of xe on {device}", done.stdout + done.stderr)
    for device in "skl", "icl", "dg2":
        # So much that one submission gives way to another before it counts as hung.
        done = run("exec", "--limit", "3000000", "--device", device, client, device, "blame")
        result(done.returncode == 0 and "ran 2 submissions" in done.stderr and "1 hung" in done.stderr, f"who does not end is to blame on {device}", done.stderr)
    # What a process does beside its calls.
    cases = subprocess.run([process_client], capture_output=True, text=True).stdout.split()
    for case in cases:
        done = run("exec", process_client, case)
        took = "took memory away" in done.stderr
        result(done.returncode == 0 and "0 hung" in done.stderr and took == (case == "memory_goes_while_it_is_used"), case, done.stderr)
    done = run("exec", "--record", at / "y.aub", "--timeline", at / "y.json", "--trace", "contexts", process_client, "files_of_the_device_stay")
    again = run("run", "--json", at / "y.aub")
    told = json.loads(again.stdout) if again.stdout.startswith("{") else {}
    result(done.returncode == 0 and "could not" not in done.stderr and "restore" in done.stderr and (at / "y.json").read_text().rstrip().endswith("]")
           and again.returncode == 0 and told["compares"] > 0 and told["compares_failed"] == 0, "files are written when the program closed all", done.stderr[-500:] + again.stdout[-300:])
    result(len(cases) > 10, "the cases are all", str(cases))
    result(len(devices) > 20, "the devices are all", str(devices))
    # What a recording holds, a replay does again, to the last compare.
    for driver, device in ("i915", "ivb"), ("i915", "skl"), ("i915", "dg2"), ("xe", "tgl"), ("xe", "dg2"), ("xe", "bmg"):
        done = run("exec", "--quiet", *(limit if driver == "i915" else ()), "--driver", driver, "--device", device, "--record", at / "x.aub", "--timeline", at / "x.json",
                   *([client] if driver == "i915" else [xe_client, "recorded"]))
        result(done.returncode == 0 and done.stderr == "", f"a recording of {driver} on {device}", done.stderr)
        again = run("run", at / "x.aub", "--json")
        told = json.loads(again.stdout) if again.stdout.startswith("{") else {}
        result(again.returncode == 0 and told["compares"] > 90 and told["compares_failed"] == 0, f"it repeats ({driver} on {device})", again.stdout[-500:])
        result((at / "x.json").read_text().rstrip().endswith("]"), f"a timeline of {driver} on {device}")
    traced = run("exec", "--quiet", *limit, "--trace", "commands,contexts", client)
    result(traced.returncode == 0 and " rcs0 " in traced.stderr and "MI_BATCH_BUFFER_START" in traced.stderr and "context   restore" in traced.stderr
           and "register" not in traced.stderr, "events are printed", traced.stderr[-500:])
    result("is neither i915 nor xe" in run("exec", "--driver", "radeon", client).stderr, "what is no driver")
    result("is none of" in run("exec", "--trace", "nothing", client).stderr, "what is no event")
    # What the device did, for other programs, and what makes it fail.
    done = run("exec", "--quiet", *limit, "--json", at / "x.json", "--fail-on", "unused,hung,trouble", client, "skl")
    told = json_schemas.sound(json.loads((at / "x.json").read_text()))
    result(done.returncode == 3 and done.stderr == "" and told["failed_on"] == ["hung"] and told["status"] == 0 and told["hung"] == 3 and told["processes"] == 2
           and told["opened"] == 3 and told["program"] == [client, "skl"] and told["schema"] == "softgt.exec" and "why_unused" not in told
           and {"hung", "unknown", "errors", "refused"} == {line["kind"] for line in told["lines"]}, "a report as JSON", str(told))
    result(run("exec", *limit, "--fail-on", "faults,unsupported,trouble,unused", client, "skl").returncode == 0, "what did not happen is no failure")
    printed = run("exec", "--quiet", *limit, "--json", "-", client, "skl")
    result(printed.stdout.startswith("skl: 1912\n{") and printed.stderr == "", "a report behind the program's output", printed.stdout)
    result("none of unsupported, unknown, hung, faults" in run("exec", "--fail-on", "hung,frogs", client).stderr, "a failure that is none")
    for words in "", ",":
        done = run("exec", "--fail-on", words, client, "skl")
        result(done.returncode == 2 and "--fail-on names nothing" in done.stderr and done.stdout == "", f"failures that are none ('{words}')", done.stderr)
    (at / "there").touch()
    for first, second, name, again in ("--record", "--json", "n", "./n"), ("--record", "--timeline", "there", "there"), ("--eu-trace", "--json", "there", "../" + at.name + "/there"):
        done = run("exec", second, f"{at}/{again}", first, f"{at}/{name}", client, "skl")
        result(done.returncode == 2 and f"is the file of {first} and of {second}" in done.stderr and done.stdout == "", f"{first} and {second} to one file", done.stderr)
    for option in "--record", "--timeline", "--eu-trace", "--json":
        done = run("exec", option, "/nonexistent/file", client, "skl")
        result(done.returncode == 2 and f"cannot be written ({option})" in done.stderr and done.stdout == "", f"{option} of a file that cannot be", done.stderr)
    result(not list(at.glob("x.json.*")), "no part of a file is left", str(list(at.iterdir())))
    if not alone:
        # The program's own business stays its own.
        result(run("exec", "--quiet", "sh", "-c", "exit 7").returncode == 7, "the status is the program's")
        result(run("exec", "--quiet", "sh", "-c", "kill -TERM $$").returncode == 128 + signal.SIGTERM, "so is the signal that ends it")
        result(run("exec", "--quiet", "sh", "-c", "cat; echo out", input="in\n").stdout == "in\nout\n", "so are its streams")
        done = run("exec", "--fail-on", "unused", "true")
        result(done.returncode == 3 and "no process opened the device\n  true: nothing looked into /dev/dri" in done.stderr, "no process opened it", done.stderr)
        result(run("exec", "--quiet", "--fail-on", "unused", "false").returncode == 1, "a program that fails has its own status")
        done = run("exec", at)
        result(done.returncode == 126 and "the file is no program" in done.stderr, "a folder is no program", done.stderr)
        (at / "x.c").write_text("int main(void) { return 0; }")
        if subprocess.run(["cc", "-static", "-o", at / "static", at / "x.c"], capture_output=True).returncode == 0:
            result("the program is linked statically" in run("exec", at / "static").stderr, "a program that nothing can be preloaded into")
        (at / "open.py").write_text("open('/dev/dri/renderD128')")
        for driver, why in ("i915", "looked at the device and did not use it"), ("xe", "may not know xe: Mesa does from 24.1 on"):
            done = run("exec", "--driver", driver, "--device", "tgl", sys.executable, at / "open.py")
            result("ran 0 submissions of 1 process" in done.stderr and why in done.stderr, f"why nothing was submitted by {driver}", done.stderr)
        (at / "ask.py").write_text("import ctypes, fcntl, struct\n"
                                   "value = ctypes.c_int()\n"
                                   "fcntl.ioctl(open('/dev/dri/renderD128'), 0xc0106446, struct.pack('ixxxxQ', 4, ctypes.addressof(value)))")
        done = run("exec", sys.executable, at / "ask.py")
        result(done.stderr == "softgt: exec: skl ran 0 submissions of 1 process, 0 hung\n", "who asks what there is has all that it wants", done.stderr)
        done = subprocess.run([softgt, "exec", "true"], capture_output=True, text=True, env=environment | {"TMPDIR": "/proc"})
        result(done.returncode == 2 and "set TMPDIR to another folder" in done.stderr, "a folder that cannot be made", done.stderr)
        bare = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", 'mount -t tmpfs none /proc && exec "$0" exec --quiet "$@"', softgt, *one_thread, *limit, client, "skl")
        if subprocess.run([*bare[:6], "mount -t tmpfs none /proc"], capture_output=True).returncode == 0:
            built = pathlib.Path(softgt).resolve().parent  # the loader finds libraries by $ORIGIN only with /proc
            libraries = {"LD_LIBRARY_PATH": f"{built}:{built.parent / 'src'}"}
            done = subprocess.run(bare, capture_output=True, text=True, env=environment | libraries)
            result(done.returncode == 0 and done.stdout.startswith("skl:"), "without /proc", done.stderr)
        gone = subprocess.Popen([softgt, "exec", "--json", "-", "true", "x" * 100000], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        gone.stdout.close()
        gone.wait(60)
        result(not [p for p in at.iterdir() if p.name.startswith("softgt-exec.")], "nothing is left where nobody reads the report", str(list(at.iterdir())))
        done = run("exec", "--quiet", "--json", at / "x.json", "/nonexistent")
        result(done.returncode == 127 and json.loads((at / "x.json").read_text())["why_unused"].startswith("the file does not exist"), "no such program", done.stderr)
        result("PROGRAM is missing" in run("exec").stderr, "no program")
        result("the status of" not in run("exec", "--quiet", "ls", "-l", "/proc/self/fd").stdout, "descriptors are its own")
        listed = run("exec", "--quiet", "--device", "icl", "sh", "-c", "ls /dev/dri; cat /sys/class/drm/renderD128/device/device")
        result(listed.stdout.split() == ["by-path", "card0", "renderD128", "0x8a52"], "the node is there", listed.stdout)
        slow = subprocess.Popen([softgt, "exec", "--quiet", "sleep", "60"], env=environment)
        while not [p for p in at.iterdir() if p.name.startswith("softgt-exec.")]:
            pass
        slow.terminate()
        result(slow.wait(10) == 128 + signal.SIGTERM, "a signal is passed on")
        result(not [p for p in at.iterdir() if p.name.startswith("softgt-exec.")], "nothing is left", str(list(at.iterdir())))
print(f"1..{number}")
sys.exit(failed != 0)
