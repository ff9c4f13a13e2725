#!/usr/bin/env python3
"""Slices of many items (scripts/slurm), without Slurm: what dies is taken up, what is done is not done again. slices.py ROOT"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml

scripts = pathlib.Path(sys.argv[1]) / "scripts" / "slurm"
count = failed = 0


def result(good, name, why=""):
    global count, failed
    count += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {count} - {name}{'' if good else ' # ' + ' '.join(str(why).split())[:400]}")


def call(script, *arguments, **environment):
    done = subprocess.run([scripts / script, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          env={**os.environ, **environment})
    return done.returncode, done.stdout


def table(out):
    """The results by (item, part)."""
    rows = [line.split("\t") for line in (out / "table.tsv").read_text().splitlines()[1:]]
    return {(row[1], row[2]): row[3] for row in rows}


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    out, ran, listed = folder / "out", folder / "ran", folder / "list"
    first = f"[ -e {folder}/NAME ] || {{ touch {folder}/NAME;"  # what only the first try does
    slice_dies = "kill -9 $PPID; sleep 60;"
    commands = {f"good{i:02}": "true" for i in range(20)}
    commands |= {"bad": "printf 'a <b> & \\033[1mc\\001\\377 ]]>'; exit 3", "crash": "kill -11 $$", "slow": "sleep 60",
                 "flaky": f"{first} exit 1; }}", "dies": f"{first} {slice_dies} }}", "deadly": slice_dies, "a/name of two words": "true"}
    listed.write_text("".join(f"{name}\techo {name.translate({47: '_', 32: '_'})} >>{ran}; {command.replace('NAME', name)}\n" for name, command in commands.items()))
    status, told = call("submit", "--parallel", "--jobs", "3", "--slice", "4", str(out), "commands", str(listed), LIMIT_S="3")
    result(status == 2, "a slice that dies leaves items without a result, and the end says so", told)
    before = table(out)
    begun = ran.read_text().split()
    missing = [name for (name, _), word in before.items() if word == "missing"]
    result("dies" in missing and "deadly" in missing and len(missing) < 9, "only items of slices that died are missing", missing)
    (out / "results" / "good00.json").write_text('{"name": "goo')
    status, told = call("submit", "--parallel", str(out), LIMIT_S="3")
    while status == 2 and len(missing) > 1:  # each time that an item takes its slice with it
        status, told = call("submit", "--parallel", str(out), LIMIT_S="3")
        missing.pop()
    after = table(out)
    again = ran.read_text().split()[len(begun):]
    result(set(again) <= {"dies", "deadly", "good00"} | {name for (name, _), word in before.items() if word == "missing"},
           "a second run does what is missing, and half a result is none", again)
    result(again.count("good00") == 1, "once", again)
    result(status == 1, "all have a result, and some are bad", told)
    wanted = {name: "pass" for name in commands if name.startswith("good")}
    wanted |= {"bad": "fail", "crash": "crash", "slow": "timeout", "flaky": "flaky", "dies": "pass", "deadly": "lost", "a_name_of_two_words": "pass"}
    result(after == {(name, ""): word for name, word in wanted.items()}, "each item has its result", after)
    result(ran.read_text().split().count("deadly") == 2, "what takes its slice with it is begun no more often than others are tried")
    suites = xml.parse(out / "junit.xml").getroot()
    suite = suites[0]
    result((suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("27", "3", "1"), "JUnit counts them", suite.attrib)
    message = next(case for case in suite if case.get("name") == "bad").find("failure").text
    result(message == "a <b> & c?\ufffd ]]>", "and tells what they said, as XML may", repr(message))
    begun = ran.read_text().split()
    call("submit", "--parallel", "--again", str(out), LIMIT_S="1")
    again = set(ran.read_text().split()[len(begun):])
    result(again == {"bad", "crash", "slow", "deadly"}, "what is bad is done again where that is wanted", again)

    # A guest's tests are parts of its item.
    out = folder / "guests"
    listed.write_text("g\tprintf '  SUCCESS     0.03 s  gem_a@b\\n  SKIP        0.00 s  gem_c\\n  FAIL        1.00 s  gem_d@e   <- expected SUCCESS\\n'\n")
    call("submit", "--parallel", str(out), "commands", str(listed))
    text = (out / "items").read_text()
    (out / "items").write_text(text.replace("commands", "igt", 1))
    status, told = call("merge", str(out))
    result(status == 1 and table(out) == {("g", ""): "pass", ("g", "gem_a@b"): "pass", ("g", "gem_c"): "skip", ("g", "gem_d@e"): "fail"},
           "tests of a guest have rows of their own", table(out))

    # A slice that is stopped takes its item with it.
    out = folder / "stopped"
    listed.write_text(f"s\techo $$ >{folder}/pid; exec sleep 60\n")
    runner = subprocess.Popen([scripts / "submit", "--parallel", str(out), "commands", str(listed)], stdout=subprocess.PIPE, text=True)
    end = time.time() + 20
    while not ((folder / "pid").exists() and (folder / "pid").read_text().strip()) and time.time() < end:
        time.sleep(0.02)
    pid = (folder / "pid").read_text().strip()
    os.kill(int(pathlib.Path(f"/proc/{pid}/stat").read_text().split()[3]), 15)
    runner.communicate(timeout=30)
    result(not pathlib.Path(f"/proc/{pid}").exists() and runner.returncode == 2, "a slice that is stopped leaves nothing behind", runner.returncode)
print(f"1..{count}")
sys.exit(failed != 0)
