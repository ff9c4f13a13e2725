#!/usr/bin/env python3
"""--fail-on of each subcommand: its words, what makes each of them come true, and the exit status. fail_on.py SOFTGT SOURCE. Prints TAP."""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

softgt, source = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
for folder in ("tests", "tests/bad", "tests/golden"):
    sys.path.insert(0, str(source / folder))
import json_schemas
import two_groups
from control_client import Machine, until
from vfio_client import Server

import tap

result = tap.Results()
scratch = tempfile.TemporaryDirectory()
at = pathlib.Path(scratch.name)


def run(*arguments, **more):
    done = subprocess.run([softgt, *map(str, arguments)], capture_output=True, timeout=120, check=False, **more)
    wrong = json_schemas.of_output(arguments, done.stdout) if arguments[0] != "exec" else []
    if wrong:
        result(False, "JSON is as its schema says", wrong[:9])
    return done


def fails(happened, word, *arguments, status=3, **more):
    """With the word the command exits with 3 and says why, with the others of `happened` too; without it, with 0."""
    arguments = [*map(str, arguments)]
    name = " ".join(arguments).replace(str(at) + "/", "").replace(str(source) + "/", "")
    without = run(*arguments, **more)
    done = run(arguments[0], "--fail-on", word, *arguments[1:], **more)
    said = f"--fail-on: {word}" in done.stderr.decode()
    result(without.returncode == (0 if status == 3 else status) and done.returncode == status and said == (status == 3), f"{name}: {word}",
           (without.returncode, done.returncode, done.stderr[-300:]))
    result(done.stdout == without.stdout or "--json" in arguments or arguments[0] == "exec", f"{name}: it prints the same")
    others = sorted(set(WORDS[arguments[0]]) - set(happened) - {word})
    done = run(arguments[0], "--fail-on", ",".join(others), *arguments[1:], **more)
    result(done.returncode == without.returncode, f"{name}: nothing else happened", (others, done.returncode, done.stderr[-300:]))


# ---- Words ----

COMMON = ["unsupported", "unknown", "hung", "faults", "errors"]
WORDS = {
    "run": [*COMMON, "bounds", "trouble", "unused"],
    "draws": [*COMMON, "bounds", "hazards", "trouble", "unused"],
    "decode": [*COMMON, "unused"],
    "eu": ["unsupported", "hung", "faults", "bounds", "errors"],
    "serve": [*COMMON, "bounds", "trouble", "unused"],
    "tbx": [*COMMON, "bounds", "trouble", "unused"],
    "debug": [*COMMON, "trouble"],
    "exec": [*COMMON, "refused", "trouble", "unused"],
    "diff": [*COMMON, "bounds", "trouble", "unused"],
    "desktop": [*COMMON, "refused", "trouble", "unused"],
}
FILE = {"serve": ["--socket", at / "s"], "tbx": ["--port", "0"], "exec": ["true"], "desktop": ["true"], "diff": [source / "examples/hello.gts"] * 2}
NONE = "asm", "control", "functions", "explain", "devices", "commands", "structures", "instructions", "registers", "contexts", "map"


def words():
    page = (source / "docs/ci.md").read_text()
    lines = page[page.index("| word |"):].partition("\n\n")[0].splitlines()
    head, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    table = {name: [row[0].strip("`") for row in rows if row[column] == "x"] for column, name in enumerate(head) if column > 1}
    result({name: sorted(known) for name, known in table.items()} == {name: sorted(known) for name, known in WORDS.items()}, "docs/ci.md has the table of words", table)
    for name in NONE:
        result("--fail-on" not in run(name, "--help").stdout.decode() and f"`{name}`" in page.partition("These have no `--fail-on`")[2].partition("## JSON")[0] or
               name in NONE[5:], f"docs/ci.md says that {name} has no --fail-on")
    listed = {word for row in re.findall(r"^\| (`softgt [^|]+)\|", page.partition("## Exit statuses")[2].partition("## Fail on")[0], re.M) for word in re.findall(r"`softgt (\w+)`", row)}
    result(listed == {*WORDS, *NONE[:5]}, "docs/ci.md has each command's exit statuses", listed)
    for name, known in WORDS.items():
        said = re.sub(r"\s+", " ", run(name, "--help").stdout.decode())
        listed = re.search(r"one of these happened: ([a-z, ]+?) or all, separated by commas", said)
        result(listed and sorted(listed[1].split(", ")) == sorted(known), f"{name} --help lists the words", said[-600:])
        page = (source / f"man/softgt-{name}.1").read_text()
        section = page.partition("\\-\\-fail\\-on")[2].partition("\n.RE")[0]
        result(sorted(re.findall(r"^\.B (\w+)$", section, re.M)) == sorted([*known, "all"]), f"softgt-{name}(1) describes the words", section)
        file = FILE.get(name, [source / "examples/hello.gts"])
        for wrong in ("frogs", "hung,frogs", *sorted({"hazards", "refused", "bounds", "unknown", "unused"} - set(known))):
            done = run(name, "--fail-on", wrong, *file)
            word = wrong.split(",")[-1]
            listed = re.search(rf"--fail-on: '{word}' is none of ([a-z, ]+) or all\n", done.stderr.decode())
            result(done.returncode == 2 and listed and sorted(listed[1].split(", ")) == sorted(known) and not done.stdout, f"{name} --fail-on {wrong}", done)
        for nothing in ("", ","):
            done = run(name, "--fail-on", nothing, *file)
            result(done.returncode == 2 and b"--fail-on names nothing of" in done.stderr, f"{name} --fail-on '{nothing}'", done)


# ---- Traces and programs ----

BATCH = """device {device}
{before}ppgtt vm
map vm:0x6000
batch b rcs0 in vm {{
{commands}
    MI_BATCH_BUFFER_END
}}
context c rcs0 ppgtt vm {{ MI_BATCH_BUFFER_START address_space_indicator = ppgtt, batch_buffer_start_address = &b }}
submit c
run
"""
DENIED = 'ignore guest_error "is privileged"\n'
WAIT = ("    MI_SEMAPHORE_WAIT wait_mode = polling_mode, compare_operation = sad_greater_than_or_equal_sdd, "
        "semaphore_data_dword = 5, semaphore_address = 0x6000")


def program(name, commands, device="skl", before=""):
    path = at / f"{name}.gts"
    path.write_text(BATCH.format(device=device, commands=commands, before=before))
    return path


def before_reset(hello, unknown):
    """A power-on reset ends what came before it; the run has it nevertheless."""
    for program_before in (hello, unknown):
        path = at / f"reset_{program_before.stem}.gts"
        path.write_text(program_before.read_text() + "reset\n")
        before, after = (json.loads(run("run", "--json", "--fail-on", "unused,unknown", p).stdout) for p in (program_before, path))
        same = all(before[k] == after[k] for k in ("batches", "commands", "unknown", "failed_on"))
        result(same and before["commands"], f"{path.name}: commands before a reset count", after)
    recorded = source / "examples/i915-icl.aub.xz"
    done = run("run", "--json", "--fail-on", "all", recorded)
    counted = json.loads(done.stdout)
    result(done.returncode == 0 and counted["commands"]["MI_BATCH_BUFFER_START"] == counted["batches"] == 41, "i915-icl.aub.xz: batches before a reset count", done)


def traces():
    hello, draw = source / "examples/hello.gts", source / "tests/rule/draw.gts"
    waits = program("waits", WAIT)
    denied = program("denied", "    MI_LOAD_REGISTER_IMM { rcs0.HWS_PGA, 1 }", before=DENIED)
    fault = program("fault", "    MI_STORE_DATA_IMM address = 0x3004_5000, immediate_data = 1", before='ignore guest_error "page fault"\nignore guest_error "engine stopped"\n')
    (at / "nothing.gts").write_text("device skl\ndata a { 1 }\nexpect mem &a = 1\n")
    unknown = program("unknown", "    dw 0x7fff0001, 0, 0")
    before_reset(hello, unknown)
    for name in ("run", "draws", "decode"):
        fails(["hung", "unused"], "hung", name, waits)
        fails(["errors", "unused"], "errors", name, denied)
    fails(["faults", "hung", "errors"], "faults", "run", fault)
    fails(["faults", "hung", "errors"], "faults", "decode", fault)
    fails(["unsupported"], "unsupported", "run", "--no-draws", draw)
    fails(["unsupported"], "unsupported", "decode", "--no-draws", draw)
    fails([], "unused", "run", at / "nothing.gts")
    fails([], "unused", "diff", at / "nothing.gts", at / "nothing.gts")
    fails(["errors"], "errors", "diff", denied, denied)
    fails(["hung"], "hung", "diff", waits, waits)
    fails(["faults", "hung", "errors"], "faults", "diff", fault, fault)
    fails(["unsupported"], "unsupported", "diff", "--no-draws", draw, draw)
    fails(COMMON, "unknown", "diff", unknown, unknown)
    done = run("diff", "--json", "--fail-on", "hung,unused", waits, waits)
    result(done.returncode == 3 and json.loads(done.stdout)["failed_on"] == ["hung"] and b"--fail-on: hung (rcs0 is waiting" in done.stderr, "diff --json says what came true", done)
    done = run("diff", "--fail-on", "hung", waits, hello)
    result(done.returncode == 1, "a difference is status 1, whatever happened", done)
    fails(["unused"], "unused", "draws", hello)
    fails(COMMON, "unknown", "run", unknown, status=1)
    fails(COMMON, "unknown", "decode", unknown, status=1)
    for name in ("run", "draws", "decode", "debug"):
        result(run(name, "--fail-on", "all", at / "no.aub", *(("-x", "/dev/null", "--batch") if name == "debug" else ())).returncode == 2, f"{name}: a file that is not there gives 2")
    (at / "counted.bin").write_bytes(b"".join(w.to_bytes(4, "little") for w in (0x15800002, 0, 0, 0, 0x05000000)))
    fails(["unsupported"], "unsupported", "decode", "--batch", at / "counted.bin")
    state = next((source / "tests/error_states").glob("tgl*.xz"))
    text = at / "state.txt"
    text.write_bytes(subprocess.run(["xz", "-dc", state], capture_output=True, check=True).stdout)
    fails(["hung"], "hung", "decode", "--error", text)
    done = run("decode", "--eu", "--fail-on", "all", hello)
    result(done.returncode == 2 and b"--fail-on does nothing with --eu" in done.stderr, "of kernels decode fails anyway", done)
    # As JSON, and with several files.
    done = run("run", "--json", "--fail-on", "hung,unused", waits, hello)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    result(done.returncode == 3 and [(o["result"], o["exit_status"], o["failed_on"]) for o in told] == [("fail", 3, ["hung"]), ("pass", 0, [])], "run --json says what came true", told)
    told = json.loads(run("run", "--json", "--fail-on", "all", unknown).stdout)
    result((told["exit_status"], told["result"]) == (1, "fail") and {"unknown", "errors"} <= set(told["failed_on"]), "beside another failure, too", told)
    two = program("two", WAIT, device="skl icl")
    done = run("run", "--json", "--fail-on", "hung", two)
    result(done.returncode == 3 and [json.loads(line)["exit_status"] for line in done.stdout.splitlines()] == [3, 3] and b"two.gts on icl: --fail-on: hung (rcs0" in done.stderr,
           "of each device", done)
    (at / "wrong.gts").write_text("device skl\ndata a { 1 }\nexpect mem &a = 2\n")
    for files, status in (((waits, at / "wrong.gts"), 1), ((at / "wrong.gts", waits), 1), ((waits, at / "no.aub"), 2), ((waits, hello), 3), ((hello, hello), 0)):
        for jobs in ((), ("-J2",)):
            result(run("run", *jobs, "--fail-on", "hung", *files).returncode == status, f"the worst of several is {status}, {jobs}")
    done = run("run", "-J2", "--tap", "--fail-on", "hung", waits, hello)
    result(b"not ok 1" in done.stdout and b"message: \"--fail-on: hung (rcs0 is waiting: " in done.stdout and b"result: fail-on" in done.stdout and b"ok 2" in done.stdout, "a test fails by it", done)


def kernels():
    kernel = at / "kernel.bin"
    FIVES = bytes.fromhex(
        "01008000081280222000b1000000000009008000080240210400000604000000400080000802402140018d0280028d00090080000802402140018d0602000000"
        "090080000802802180028d0602000000400080000802802180018d0280028d00400080000802802180018d02800000003100800c0002002040010004005e0208"
        "3100600704020020e00f000400000082")
    kernel.write_bytes(FIVES)
    eu = ("eu", "--simd", "16", "--local", "16", "--groups", "3", "--data", "1000")
    fails(["bounds"], "bounds", *eu, "--buffer", "0=64", kernel)
    for buffers in ((), ("--buffer", "1=4096")):
        fails(["bounds"], "bounds", *eu, *buffers, kernel)
        done = run(*eu, *buffers, kernel)
        result(b"48 elements out of bounds" in done.stdout and b"a surface without --buffer has none" in done.stdout, "a surface without a buffer is reported", done)
    done = run(*eu, "--fail-on", "all", "--buffer", "0=64", kernel)
    result(done.stderr.endswith(b"--fail-on: bounds (32 elements out of bounds)\n"), "eu says what happened first", done)
    result(b"bounds" not in run(*eu, "--buffer", "0=4096", kernel).stdout, "with its buffer nothing is out of bounds")
    done = run(*eu, "--json", "--fail-on", "all", "--buffer", "0=64", kernel)
    result(done.returncode == 3 and json.loads(done.stdout)["failed_on"] == ["bounds"], "eu --json says what came true", done)
    done = run(*eu, "--json", "--fail-on", "all", "--budget", "5", "--buffer", "0=256", kernel)
    result(done.returncode == 1 and json.loads(done.stdout)["failed_on"] == ["hung"], "beside another failure, too", done)
    groups = two_groups.program(at / "groups.gts")
    result(run("draws", "--fail-on", "unused", groups).returncode == 0, "a dispatch is used", groups)


def debuggers():
    waits = program("debug_waits", WAIT)
    denied = program("debug_denied", "    MI_LOAD_REGISTER_IMM { rcs0.HWS_PGA, 1 }", before=DENIED)
    (at / "go").write_text("continue\n")
    (at / "stand").write_text("state\n")
    for script, file, word in ((at / "go", waits, "hung"), (at / "go", denied, "errors")):
        fails([word], word, "debug", "--batch", "-x", script, file)
    result(run("debug", "--fail-on", "all", "--batch", "-x", at / "stand", waits).returncode == 0, "what was not reached did not happen")
    done = run("debug", "--fail-on", "all", "--connect", at / "nowhere")
    result(done.returncode == 2 and b"--fail-on does nothing with --connect" in done.stderr, "a live device has its own", done)


# ---- Servers ----

def servers():
    for words, status in (("unused", 3), ("hung,errors", 0), ("all", 3)):
        server = Server(softgt, "--fail-on", words, "--log", "none")
        got, _ = server.end()
        result(got == status and ("softgt: --fail-on: unused" in server.text()) == (status == 3), f"serve without a client, {words}", (got, server.text()))
        tbx = subprocess.Popen([softgt, "tbx", "--port", "0", "--fail-on", words], stderr=subprocess.PIPE)
        line = tbx.stderr.readline()
        tbx.send_signal(signal.SIGTERM)
        said = line + tbx.communicate(timeout=30)[1]
        result(tbx.returncode == status, f"tbx without a client, {words}", (tbx.returncode, said))
    for dwords, word in (((0x10400002, 0x9000, 0, 7), None), ((0x7FFF0001, 0, 0, 0), "unknown"), ((0x0E40C002, 5, 0x9000, 0), "hung")):
        seen = []
        m = Machine(softgt, lambda *a: seen.append(a), "--fail-on", "unknown,hung,unsupported,trouble,unused", "--log", "none", "--patience", "1")
        with m:
            m.ring(*dwords)
            until(lambda: m.client.read(0x2034) & 0x1FFFFC == 16, 2)
            time.sleep(2 if word == "hung" else 0.2)
        status = int(str(seen[-1][2]).split(":")[0])
        result(status == (3 if word else 0) and (word or "") in m.server.text(), f"serve: {word}", (status, m.server.text()))


for part in (words, traces, kernels, debuggers, servers):
    try:
        part()
    except Exception as e:
        result(False, part.__name__, repr(e))
result.end()
