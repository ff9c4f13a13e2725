#!/usr/bin/env python3
"""softgt exec --debug and --control: the prompt of softgt debug at the device in a program. debug.py SOFTGT STORES PROCESS_CLIENT [DRAWS]

What it shows at a place is what softgt debug shows at the same place of a recording."""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "bad"))
from control_client import ControlClient, DebugClient

softgt, stores, process_client = sys.argv[1:4]
draws = sys.argv[4] if len(sys.argv) > 4 else None
number = failed = 0
environment = {k: v for k, v in os.environ.items() if k not in ("LD_PRELOAD", "SOFTGT_EXEC")}


def result(good, name, why=""):
    global number, failed
    number += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {number} - {name}" + ("\n# " + str(why).replace("\n", "\n# ") if why and not good else ""), flush=True)


scratch = tempfile.TemporaryDirectory()
environment["TMPDIR"] = scratch.name
at = pathlib.Path(scratch.name)


def script(*lines):
    (at / "script").write_text("".join(line + "\n" for line in lines))
    return at / "script"


def run(*arguments, limit_s=120, **more):
    done = subprocess.run([softgt, *map(str, arguments)], capture_output=True, timeout=limit_s, text=True, env=environment, **more)
    return done.stdout + done.stderr, done.returncode


def debugged(*lines, options=(), program=(stores,)):
    return run("exec", "--quiet", "--debug", "-x", script(*lines), "--batch", *options, *program)


# Stop at a command by name and field, look, change, go on.
look = ["where", "engines", "list 2", "context", "x/4wx rcs0:0x100000", "walk rcs0:0x100000", "registers rcs0.RING_BUFFER_CTL"]
text, status = debugged("b MI_STORE_DATA_IMM immediate_data=0x102", "c", *look, "set rcs0:0x20001c 0x777", "stops", "c", "quit")
result(status == 0 and text.startswith("#0 the start"), "engines stand still until the prompt lets them go on", text)
result("stop 1: MI_STORE_DATA_IMM immediate_data=0x102\n#" in text and "rcs0 0x00200010:  0x10000002:  MI_STORE_DATA_IMM" in text, "a stop at a command by name and field", text)
result("00000101 00000000 00000000" in text and "met 1 time" in text, "memory where it stops", text)
result(re.search(r"RING_BUFFER_CTL +\w{8}\n( +\d+:\d+ .*\n)+ +0:0 +Ring Buffer Enable +0x1", text), "a register with its fields", text)
result("stored 101 777 103" in text and text.rstrip().endswith("the program has ended"), "a change of memory is what runs", text)
text, status = debugged("b register rcs0.CS_GPR*", "watch rcs0:0x100008", "c", "x/4wx rcs0:0x100000", "d", "set rcs0.CS_GPR[1] 0x55", "registers rcs0.CS_GPR[1]", "c", program=(stores, 2))
result("stop 2: " in text and "stores 0x103" in text and "00000101 00000102 00000103" in text, "a stop at memory, before the next command", text)
result("00000055" in text and "stored 104 105 106" in text, "a register is set", text)
moves = debugged("step", "step 2", "tb MI_STORE_DATA_IMM", "c", "next", "finish", "goto 9", "until 0x200000", "where", program=(stores, 3))[0]
result(re.search(r"#1 .*\n.*\n#3 ", moves) and "MI_BATCH_BUFFER_START" in moves and moves.count("0x00200000:") >= 2, "steps, batches, places", moves)
text, status = debugged("step 2", "back", "backi", "rc", "goto 0", "who rcs0.CS_GPR[1]", "who rcs0:0x100000", "nothing", "b register none.*", "set rcs0:0x900001 1", "step")
result(text.count("a live device has no past: record it (softgt exec --record T PROGRAM") == 5 and status == 0 and "stored 101" in text, "there is no way back, and it says what has one", text)
result("'nothing' is no command" in text and "no register has this name" in text and "of a dword" in text, "lines that cannot be carried out", text)

# The same as at the same place of a recording.
same = ["b MI_STORE_DATA_IMM", "c", "where", "engines", "context", "c", "list", "d", "step 4", "where", "b context", "c", "d", "next", "where"]
live, status = debugged(*same, options=("--record", at / "t.aub"), program=(stores, 3))
replayed = run("debug", "-x", script(*same), "--batch", at / "t.aub")[0]


def shown(text):
    return [line for line in text.split("\n") if not re.match(r"  (\d+ ns|submission .*)$|stored |nothing has run|the (program|replay) has ended|#\d+ the end", line)]


result(status == 0 and len(shown(live)) > 60 and shown(live) == shown(replayed), "it shows what softgt debug shows of a recording",
       next((pair for pair in zip(shown(live), shown(replayed)) if pair[0] != pair[1]), (len(shown(live)), len(shown(replayed)), live)))
again = run("run", "--json", at / "t.aub")
told = json.loads(again[0]) if again[0].startswith("{") else {}
result(again[1] == 0 and told["compares"] > 0 and told["compares_failed"] == 0, "a recording of what was debugged is right", again[0][-300:])
text, status = debugged("stepi", "step", options=("--record", at / "t.aub"))
result("cannot stop within a kernel" in text and "#1 " in text, "but has no stops in kernels", text)

if draws:
    plain = run("exec", "--quiet", draws, "uniform", "textured")[0]
    script_of_draws = ["b 3DPRIMITIVE", "c", "bindings", "state 3DSTATE_PS", "stepi", "thread", "regs r0-r1", "stepi", "dis", "c", "c", "stepi 5", "thread", "d", "c"]
    text, status = debugged(*script_of_draws, program=(draws, "uniform", "textured"))
    result(status == 0 and "PS kernel at 0x" in text and re.search(r"^#\d+\.1 rcs0 group ", text, re.M) and re.search(r"^r1   ", text, re.M), "a draw, its kernel, its threads", text)
    pixels = [line for line in text.split("\n") if " pixels, " in line]
    result(pixels and pixels == [line for line in plain.split("\n") if " pixels, " in line], "and the same pixels", (pixels, plain))
    run("exec", "--quiet", "--record", at / "d.aub", draws, "uniform", "textured")
    live = debugged(*script_of_draws, options=("--threads", "1"), program=(draws, "uniform", "textured"))[0]
    replayed = run("debug", "-x", script(*script_of_draws), "--batch", at / "d.aub")[0]
    ours, theirs = ([line for line in shown(t) if " pixels, " not in line and "Mesa" not in line] for t in (live, replayed))
    result(ours == theirs, "the same text in threads as of a recording", next((pair for pair in zip(ours, theirs) if pair[0] != pair[1]), (len(ours), len(theirs))))

# Programs of all kinds.
text, status = debugged("where", program=("true",))
result(status == 0 and "the program has ended, and did not open the device" in text, "a program without the device", text)
for case in subprocess.run([process_client], capture_output=True, text=True).stdout.split():
    text, status = debugged("step", "c", program=(process_client, case))
    result(status == 0, f"debugged: {case}", text[-600:])
done = subprocess.run([softgt, "exec", "--quiet", "--debug", stores], input="step\nstep\n", capture_output=True, text=True, timeout=60, env=environment)
result(done.returncode == 0 and "#2 rcs0" in done.stdout and "stored 101 102 103" in done.stdout, "standard input is the prompt's, and its end leaves the device", done.stdout + done.stderr)
for wrong, why in ((["-x", script("c"), stores], "without --debug"), (["--debug", "--batch", stores], "without --execute"), (["--debug", "--eu-trace", at / "e", stores], "does not go with"),
                   (["--control", at / ("x" * 120), stores], "too long for a socket")):
    text, status = run("exec", *wrong)
    result(status in (2, 64) and why in text, why, text)


# ---- A socket in a program ----

path = at / "socket"


def program(*arguments, options=()):
    return subprocess.Popen([softgt, "exec", "--quiet", "--control", str(path), *options, *map(str, arguments)], stdout=subprocess.PIPE, text=True, env=environment)


running = program(stores, 300, 10)
one = DebugClient(path)
answer = one.first
result(answer.get("result") == "done" and answer["schema"] == "softgt.debug", "a debugger comes to a program that runs", answer)
two = DebugClient(path)
result("another client debugs" in two.first.get("error", ""), "one at a time")
result("does not debug" in two.debug("line", "step").get("error", ""), "who did not attach gives no lines")
result(one.debug("line", "b MI_STORE_DATA_IMM") == {"schema": "softgt.debug", "version": 1, "result": "done", "text": "stop 1: MI_STORE_DATA_IMM\n"}, "a line is answered")
words = one.debug("complete", "b MI_STORE_")["text"]
result("MI_STORE_DATA_IMM\n" in words, "completion", words)
moved = one.debug("line", "c")
stopped = one.line()
result(moved["result"] == "moves" and stopped["event"] == "stopped" and "stop 1: MI_STORE_DATA_IMM\n#" in stopped["text"], "a move, and where it ends", (moved, stopped))
hostile = [one.ask(line) for line in (b"\n", b"{\n", b"[]\n", b'{"do":"state"}\n', b'{"do":"debug"}\n', b'{"do":"debug","ask":7}\n', b'{"do":"debug","ask":"line"}\n', b"\xff\xfe\x00\n",
                                      b'{"do":"debug","ask":"line","text":"\\u00e4"}\n', b'{"do":"debug","ask":"dance"}\n', b'{"do":"debug","ask":"line","text":"a"} x\n')]
result(all("error" in answer for answer in hostile), "requests that are wrong are refused", hostile)
odd = [one.debug("line", text) for text in ("A" * 2000, "b " + "%s%n" * 30, "x/65536b 0", "set " + "9" * 500 + " 1", "list 99999999999999999999", "regs r" + "9" * 300, "structure * 0", "\t\x7f")]
result(all(answer["result"] in ("done", "refused", "moves") for answer in odd), "lines that are odd are answered", odd)
one.socket.close()  # while it is held, without a word
result(DebugClient(path).first.get("result") == "done" if not time.sleep(0.2) else None, "the next one may come when the first has gone")
out, _ = running.communicate(timeout=60)
result(running.returncode == 0 and out.count("stored") == 300, "the program goes on without a debugger", out[-200:])
result(not path.exists(), "its socket goes with it")

running = program(stores, 1, options=("--debug", "-x", str(script("c")), "--batch"))
out, _ = running.communicate(timeout=60)
result(running.returncode == 0 and "stored 101" in out, "--debug at a socket with a name", out)
running = program(stores, 2000, 5)
prompt = subprocess.Popen([softgt, "debug", "--connect", str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment) if ControlClient(path) else None
prompt.stdin.write("b MI_STORE_DATA_IMM\nc\nd\nwhere\nc\n")
prompt.stdin.flush()
time.sleep(1)
prompt.send_signal(signal.SIGINT)
text, _ = prompt.communicate("where\nengines\nquit\n", timeout=30)
result("interrupted\n#" in text and "between commands; the last is " in text and prompt.returncode == 0, "Control-C stops a device that runs", text)
running.kill()
running.wait()
print(f"1..{number}")
sys.exit(failed != 0)
