#!/usr/bin/env python3
"""softgt run --jobs: the same bytes with any number of workers, TAP 14, JUnit, workers that die, signals. jobs.py SOFTGT SOURCE [none]

`none`: the build has no sandbox. Prints TAP."""
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

softgt, source = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
sandboxed = sys.argv[3:] != ["none"]
sys.path.insert(0, str(source / "tests"))
import json_schemas
import tap

result = tap.Results()
scratch = tempfile.TemporaryDirectory()
at = pathlib.Path(scratch.name)
hello, blits = source / "examples/hello.gts", source / "examples/blits.gts"
WRONG = "device skl\ndata a { 1, 2 }\nexpect mem &a = 1, 2\nexpect mem &a = 2\n"


def run(*arguments, **more):
    return subprocess.run([softgt, "run", *map(str, arguments)], capture_output=True, timeout=120, check=False, **more)


def processes():
    """Of this test: those with its folder in their arguments."""
    found = {}
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if str(at) in (entry / "cmdline").read_text(errors="replace") and "softgt" in (entry / "cmdline").read_text(errors="replace"):
                status = (entry / "status").read_text()
                found[int(entry.name)] = {k: v.strip() for k, v in (line.split(":", 1) for line in status.splitlines() if ":" in line)}
        except OSError:
            pass
    return {pid: s for pid, s in found.items() if s["State"][0] != "Z"}


def until(what, seconds=10):
    end = time.time() + seconds
    while not what() and time.time() < end:
        time.sleep(0.02)
    return bool(what())


def begin(*arguments):
    """A run of files of which some wait for a writer: its process, and those of their workers, when the others are done."""
    p = subprocess.Popen([softgt, "run", *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    count = min(2, arguments.count(fifo))
    workers, quiet = [], 0
    for _ in range(500):
        before = list(workers)
        workers[:] = [pid for pid, s in processes().items() if int(s["PPid"]) == p.pid]
        quiet = quiet + 1 if len(workers) == count and workers == before else 0
        if quiet > 10:
            break
        time.sleep(0.02)
    return p, workers


(at / "wrong.gts").write_text(WRONG)
(at / "cut.aub").write_bytes(b"this is no trace")
fifo = at / "fifo.aub"
os.mkfifo(fifo)
good = [hello, blits, *sorted((source / "tests/rule").glob("a*.gts")), source / "examples/i915-snb.aub.xz"]
files = [*good, at / "wrong.gts", at / "nowhere.aub", at / "cut.aub", hello]


def same_bytes():
    for options in ((), ("--json", "--trace", "batches,contexts"), ("--tap",), ("--tap", "--json"), ("--trace", "commands", "--state")):
        runs = [run(*options, f"-J{n}", *files) for n in (1, 2, 5, 0)]
        first = runs[0]
        name = f"run {' '.join(options)}"
        result(all(r.stdout == first.stdout and r.stderr == first.stderr and r.returncode == 2 for r in runs), f"{name}: any number of workers, the same bytes",
               [r.returncode for r in runs])
        merged = [subprocess.run([softgt, "run", *options, "-J", n, *files], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False).stdout for n in "13"]
        result(merged[0] == merged[1] if "--json" not in options or "--tap" in options else True, f"{name}: the same where both streams are one")
        if "--tap" in options:
            continue
        before = run(*options, *files)
        result(first.stdout.startswith(before.stdout) and first.stderr.startswith(before.stderr), f"{name}: what files print without --jobs",
               first.stdout[-500:].decode(errors="replace"))
    plain = subprocess.run([softgt, "run", *files], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False)
    both = subprocess.run([softgt, "run", "-J", "2", *files], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False)
    result(both.stdout.startswith(plain.stdout) and plain.returncode == both.returncode == 2, "messages stay where they are between the lines", both.stdout[-800:])
    end = both.stdout[len(plain.stdout):].decode()
    result(re.fullmatch(rf"3 of {len(files)} files failed:\n  \S*wrong.gts: line 4: .*expected.*\n  \S*nowhere.aub: .*No such file.*\n  \S*cut.aub: .*AUB packet.*\n"
                        rf"{len(files)} files: {len(files) - 3} passed, 1 failed, 2 unusable\n", end), "the summary", end)
    result(run("--jobs", hello).stdout.endswith(b"1 file: 1 passed, 0 failed\n"), "the summary of one file")
    done = run("-J2", "--quiet", at / "wrong.gts", hello)
    result(done.returncode == 1, "the exit status of a failure", done)


def options():
    for arguments in (("-J", "2", hello), ("-J2", hello), ("-J", hello), ("--jobs=2", hello), ("--jobs", "2", hello), (hello, "-J", "2"), (hello, "-J"),
                      ("-J0", hello), ("-J", "0", hello), ("--jobs", hello)):
        done = run(*arguments)
        result(done.returncode == 0 and done.stdout.endswith(b"1 file: 1 passed, 0 failed\n"), f"run {' '.join(map(str, arguments))}", done)
    for arguments, why in ((("-Jx", hello), "--jobs: 'x' is not a number from 0 to 256"), (("--jobs=257", hello), "is not a number"), (("--jobs=-1", hello), "is not a number"),
                           (("--timeout", "9", hello), "--timeout does nothing without --jobs"), (("-J", "2"), "TRACE is missing"), (("-J", "-", "-"), "standard input"),
                           (("--tap", "--junit=-", hello), "both go to standard output"), (("-J", "--load=-", "-"), "not both"),
                           (("-J", "--timeline", at / "t.json", hello, hello), "a timeline is of one trace at a time")):
        done = run(*arguments)
        result(done.returncode == 2 and why.encode() in done.stderr and not done.stdout, f"run {' '.join(map(str, arguments))} is refused", done)
    trace = at / "precious.gts"
    trace.write_text(WRONG)
    done = run("--junit", trace, hello)
    result(done.returncode == 2 and b"is no XML" in done.stderr and trace.read_text() == WRONG, "--junit without FILE overwrites no trace", done)
    done = run("--tap", "--junit", at / "no/j.xml", hello)
    result(done.returncode == 2 and b"j.xml: cannot be written (--junit): No such file" in done.stderr and b"ok 1" not in done.stdout, "a file of JUnit that cannot be written: nothing runs", done)
    done = run("-J2", "-", hello, input=hello.read_bytes())
    result(done.returncode == 0 and b"2 passed" in done.stdout, "standard input", done)
    done = run("-J2", "--surface", "0x1000000,8x8,B8G8R8X8_UNORM,linear", "-o", at / "s.png", blits)
    result((at / "s.png").exists(), "a worker writes pictures", done)


def tap_points(text):
    """[(ok, name, YAML or None)] of a TAP 14 stream, checked on the way."""
    lines = text.decode().splitlines()
    assert lines[0] == "TAP version 14", lines[0]
    plan = int(re.fullmatch(r"1\.\.(\d+)", lines[1])[1])
    points, n = [], 2
    while n < len(lines):
        point = re.fullmatch(r"(ok|not ok) (\d+) - (.*)", lines[n])
        n += 1
        if not point:
            assert re.match(r"#|Bail out!", lines[n - 1]), lines[n - 1]
            continue
        block = None
        if n < len(lines) and lines[n] == "  ---":
            end = lines.index("  ...", n)
            block = "\n".join(line[2:] for line in lines[n + 1:end])
            n = end + 1
        points.append((point[1] == "ok", re.sub(r"\\(.)", r"\1", point[3]), block))
        assert int(point[2]) == len(points), point[0]
    return plan, points


def taps():
    odd = at / "a # b \\ c.gts"
    odd.write_text(WRONG)
    (at / "prints.gts").write_text('device skl\nsay "  first # ... ---"\n' + WRONG.split("\n", 1)[1])
    done = run("--tap", "-J2", *files, odd, at / "prints.gts", fifo, "--timeout", "6")
    plan, points = tap_points(done.stdout)
    names = [*map(str, files), str(odd), str(at / "prints.gts"), str(fifo)]
    result(plan == len(points) == len(names) and [p[1] for p in points] == names and done.returncode == 2 and not done.stderr, "TAP 14", done.stdout)
    result([p[0] for p in points] == [True] * len(good) + [False] * 3 + [True] + [False] * 3, "what passes is ok, the rest is not")
    try:
        import yaml
    except ImportError:
        result.skip("diagnostics are YAML", "python3-yaml is not installed")
        yaml = None
    for ok, name, block in points if yaml else ():
        read = None
        try:
            read = yaml.safe_load(block) if block else {}
        except yaml.YAMLError as e:
            block = f"{e}\n{block}"
        result(read is not None and (ok and not read or bool(read.get("message")) and read.get("severity") == "fail" and read.get("exit_status") in (1, 2)),
               f"diagnostics of {name[-20:]}", block)
    lines = at / "a\nok 9 - b.gts"
    lines.write_text(WRONG)
    done = run("--tap", lines)
    plan, points = tap_points(done.stdout)
    result(plan == 1 and points[0][:2] == (False, str(lines).replace("\n", "?")), "a name with a line end stays in one line", done.stdout)
    done = run("--tap", "--json", "-J2", hello, at / "wrong.gts", "--trace", "batches")
    plan, points = tap_points(done.stdout)
    objects = [re.findall(r"^  - (.*)$", block, re.M) for _, _, block in points]
    wrong = [p for list_ in objects for o in list_ for p in json_schemas.problems(o)]
    events = run("--tap", "--json", "-J2", "--trace", "commands,memory", blits)
    many = re.findall(r"^    - ({.*})$", events.stdout.decode(), re.M)
    result(len(events.stdout) > 1 << 20 and json.loads(many[-1])["schema"] == "softgt.run", "with many objects", len(many))
    result(plan == 2 and not wrong and [json.loads(list_[-1])["result"] for list_ in objects] == ["pass", "fail"], "TAP with objects", wrong or done.stdout)


def junits():
    (at / "odd & <name>\x02.gts").write_text(WRONG)
    (at / "\udcff.gts").write_text(WRONG)
    (at / "bytes.gts").write_bytes(b'device skl\nsay "<b> ]]> &"\n' + WRONG.split("\n", 1)[1].encode())
    lines = at / "two\n\tlines.gts"
    lines.write_text("device skl\n")
    more = [at / "odd & <name>\x02.gts", at / "\udcff.gts", at / "bytes.gts", fifo, lines]
    xml_file = at / "junit.xml"
    done = run("--junit", xml_file, "-J2", "--timeout", "6", *files, *more)
    suites = xml.etree.ElementTree.parse(xml_file).getroot()
    suite, count = suites[0], len(files) + len(more)
    cases = list(suite)
    result(suites.tag == "testsuites" and len(cases) == count == int(suite.get("tests")) and int(suite.get("failures")) == 7 and suite.get("errors") == "0" and done.returncode == 2,
           "JUnit has a case for each file", xml_file.read_text())
    result([c.get("name") for c in cases[:len(files)]] == list(map(str, files)), "in their order")
    kept = xml_file.read_bytes()
    small = run("--junit", xml_file, "-J2", "--quiet", *good, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
    result(small.returncode == 2 and b"cannot be kept" in small.stderr and xml_file.read_bytes() == kept, "a disk that is full: no half a file", small)
    result(cases[-1].get("name") == str(lines), "a name keeps its line ends and tabs", cases[-1].attrib)
    failures = {c.get("name"): (c.find("failure").get("type"), c.find("failure").get("message")) for c in cases if c.find("failure") is not None}
    result(failures.get(str(at / "wrong.gts"), ("", ""))[0] == "failed" and "expected" in failures[str(at / "wrong.gts")][1]
           and failures[str(at / "cut.aub")][0] == "unusable" and failures[str(fifo)] == ("hung", "hung: the worker was ended after 6 s (--timeout)"), "failures have a reason", failures)
    result("Fibonacci" in cases[0].find("system-out").text and re.fullmatch(r"\d+\.\d{3}", cases[0].get("time")), "output and time")
    result("expected" in next(c for c in cases if c.get("name") == str(at / "wrong.gts")).find("system-err").text, "and errors")
    if shutil.which("xmllint"):
        checked = subprocess.run(["xmllint", "--noout", "--schema", source / "tests/junit.xsd", xml_file], capture_output=True, text=True, check=False)
        result(checked.returncode == 0, "it is valid", checked.stderr)
    else:
        result.skip("it is valid", "xmllint (libxml2-utils) is not installed")
    done = run("--junit", "-", hello, at / "wrong.gts")
    result(done.stdout.startswith(b"<?xml") and b"2 files: 1 passed, 1 failed" in done.stderr, "JUnit on standard output", done)
    os.mkdir(at / "folder")
    done = run("--junit", at / "folder", hello)
    result(done.returncode == 2 and done.stderr.startswith(b"softgt: "), "a folder is no file", done)


def deaths():
    for sent, name in ((signal.SIGSEGV, "Segmentation fault"), (signal.SIGKILL, "Killed")):
        if not sandboxed and sent == signal.SIGSEGV:
            continue  # sanitizers handle it
        for options in ((), ("--json",)):
            p, workers = begin("-J2", *options, hello, fifo, blits)
            for pid in workers:
                os.kill(pid, sent)
            out, err = p.communicate(timeout=60)
            reason = f"crashed: the worker was ended by signal {int(sent)} ({name})".encode()
            result(len(workers) == 1 and p.returncode == 1 and err.count(b"softgt: %s: %s\n" % (os.fsencode(fifo), reason)) == 1
                   and (b"3 files: 2 passed, 0 failed, 1 crashed\n" in (err if options else out)), f"a worker that dies of {name}, {options}", (out[-300:], err))
            reports = [json.loads(line) for line in out.splitlines()] if options else []
            wrong = [problem for o in reports for problem in json_schemas.problems(o)]
            result(not options or [o["result"] for o in reports] == ["pass", "fail", "pass"] and not wrong and reports[1]["errors"][0]["text"] == reason.decode(), "its report", wrong or reports)
    done = run("-J2", "--timeout", "1", "--json", fifo, hello)
    result(done.returncode == 1 and b"hung: the worker was ended after 1 s" in done.stdout and b"1 passed, 0 failed, 1 hung" in done.stderr, "a worker that hangs", done)
    result(until(lambda: not processes()), "no process is left", processes())


def signals():
    for sent in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        p, workers = begin("-J2", "--tap", "--junit", at / "s.xml", hello, fifo, fifo, blits, blits)
        p.send_signal(sent)
        began = time.time()
        out, err = p.communicate(timeout=60)
        result(workers and p.returncode == 1 and b"Bail out! a signal ended the run\n" in out and b"not ok" not in out and time.time() - began < 9, f"{sent.name} ends all", (out, err))
        cases = xml.etree.ElementTree.parse(at / "s.xml").getroot()[0]
        result([c.find("failure") is None for c in cases] == [True, False, False, False, False] or cases[1].find("failure").get("type") == "not-run", "JUnit says what did not run")
        result(until(lambda: not processes()), "no process is left", processes())
    p, workers = begin("-J2", fifo, fifo)
    p.kill()
    p.communicate(timeout=60)
    result(workers and until(lambda: not processes()), "a parent that is killed leaves no process", processes())
    p, workers = begin("-J2", fifo)
    if sandboxed:
        result([processes()[pid]["Seccomp"] for pid in workers] == ["2"] and int(processes()[workers[0]]["CapEff"], 16) == 0, "workers are in the sandbox", processes())
    p.send_signal(signal.SIGINT)
    p.communicate(timeout=60)
    # A reader that leaves.
    p = subprocess.Popen(f"'{softgt}' run -J4 --trace commands {' '.join(f'{blits}' for _ in range(20))} 2>'{at}/err' | head -n 3", shell=True, stdout=subprocess.PIPE)
    result(len(p.communicate(timeout=60)[0].splitlines()) == 3, "a reader that leaves ends it")
    result(until(lambda: not processes()), "no process is left", processes())


def much_output():
    """More than a waiting worker may keep: it waits for its turn."""
    lines = at / "lines.gts"
    lines.write_text("device skl\nsay \"" + "x" * 200 + "\"\n" + f"say \"{'y' * 400}\"\n" * 120000)
    slow = at / "slow.aub"
    os.mkfifo(slow)
    trace = subprocess.run([softgt, "asm", "--quiet", hello, "-o", "-"], capture_output=True, check=False).stdout
    p = subprocess.Popen([softgt, "run", "-J4", "--timeout", "20", slow, lines, lines], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    until(lambda: [s["State"][0] for s in processes().values() if int(s["PPid"]) == p.pid].count("S") == 3)
    time.sleep(0.5)
    grown = int(processes().get(p.pid, {}).get("VmRSS", "0 kB").split()[0])
    with open(slow, "wb") as to:
        to.write(trace)
    out = p.communicate(timeout=60)[0]
    result(p.returncode == 0 and out.count(b"y" * 400 + b"\n") == 240000 and out.endswith(b"3 files: 3 passed, 0 failed\n"), "workers that print much", out[-200:])
    result(not sandboxed or 0 < grown < 80 << 10, "what they print is not kept without an end", f"{grown} kB")
    print(f"# {grown} kB")


for part in (same_bytes, options, taps, junits, deaths, signals, much_output):
    try:
        part()
    except Exception as e:
        result(False, part.__name__, repr(e))
result.end()
