#!/usr/bin/env python3
"""softgt serve --control and --debug with softgt debug --connect: a debugger at a guest's device, honest, gone or hostile. debugger.py SOFTGT"""
import os
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time

from control_client import *
from vfio_client import RESET, Server

softgt = sys.argv[1]
failed = 0

STORE_GGTT, NOOP, BATCH_GGTT, BATCH_END = 0x10400002, 0, 0x18800001, 0x05000000
RING_HEAD = RCS + 0x34


def result(good, name, why=""):
    global failed
    failed += not good
    print(f"{'ok' if good else 'FAILED'}  {name}" + (f": {why}" if not good else ""), flush=True)


def machine(opens="--control"):
    return Machine(softgt, result, "--log", "all", opens=opens)


def stores():
    return (STORE_GGTT, 0x9000, 0, 0x11, STORE_GGTT, 0x9004, 0, 0x22, STORE_GGTT, 0x9008, 0, 0x33, NOOP, NOOP)


def stops():
    with machine() as m:
        d = DebugClient(m.control)
        result(d.first["result"] == "done" and d.first["text"] == "#0 the start\n", "a debugger comes", d.first)
        m.ring(*stores())
        start = time.time()
        head, clock = m.client.read(RING_HEAD), m.client.read(RCS + 0x358)
        time.sleep(0.05)
        later = m.client.read(RCS + 0x358)
        result(head == 0 and time.time() - start < 2 and m.stored(0x9000) == 0, "the guest's reads are answered, and its engine makes no progress", head)
        result(later > clock, "time goes on", (clock, later))
        d.run("b MI_STORE_DATA_IMM immediate_data=0x22")
        text = d.run("c")
        result(text == "stop 1: MI_STORE_DATA_IMM immediate_data=0x22\n#2 rcs0 0x00001010:  0x10400002:  MI_STORE_DATA_IMM\n", "it stops at a command by name and field", text)
        result((m.client.read(RING_HEAD) & 0x1FFFFC, m.stored(0x9000), m.stored(0x9004)) == (0x10, 0x11, 0), "there", hex(m.client.read(RING_HEAD)))
        text = d.run("registers rcs0.RING_BUFFER_CTL")
        result("Ring Buffer Enable                       0x1" in text, "a register with its fields", text)
        text = d.run("set ggtt:0x101c 0x77")
        text += d.run("x/4wx ggtt:0x1010") + d.run("list 2") + d.run("walk ggtt:0x9000") + d.run("structure RENDER_SURFACE_STATE ggtt:0x9000")
        result("00000077" in text and "GGTT [9]" in text and "Surface Type" in text, "memory, walks, structures", text)
        m.client.write(RCS + 0x600, 0x1234)
        text = d.run("registers 0x2600")
        result("00001234" in text, "the guest's writes arrive", text)
        text = d.run("watch ggtt:0x9008,4") + d.run("c")
        d.debug("line", "d")
        result("stores 0x33, 4 bytes, at ggtt 0x9008, in #3 MI_STORE_DATA_IMM at rcs0:0x1020" in text and m.stored(0x9008) == 0x33 and m.stored(0x9004) == 0x77, "a stop after a store, of what was changed", text)
        d.debug("line", "c")
        result(m.idle(len(stores()) * 4), "it goes on")
        again = d.debug("line", "engines")
        result(again["result"] == "refused" and "interrupt it first" in again["text"], "a device that runs takes no lines", again)
        result(d.debug("interrupt")["result"] == "done" and "interrupted\n#" in d.line().get("text", ""), "but an interrupt")
        result("live device has no past" in d.debug("line", "back")["text"], "there is no way back")
        result(d.debug("line", "quit")["result"] == "quit" and d.debug("line", "step").get("error", "") != "", "quit leaves the device")
        m.ring(*stores(), start=0x2000)
        result(m.idle(len(stores()) * 4) and m.stored(0x9004) == 0x22, "which goes on without a debugger")


def resets():
    with machine() as m:
        d = DebugClient(m.control)
        d.debug("line", "b MI_STORE_DATA_IMM")
        m.ring(*stores())
        stopped = d.run("c")
        m.client.write(0x941C, 2)
        until(lambda: m.client.read(0x941C) == 0)
        result("#1 rcs0" in stopped and "between commands" in d.run("where"), "a guest may reset an engine that is held", d.run("where"))
        m.ring(*stores(), start=0x2000)
        text = d.run("c")
        result("#2 rcs0 0x00002000:" in text, "and its next command stops", text)
        # A page fault stops the engine: no command follows.
        d.debug("line", "d")
        d.debug("line", "b error")
        d.debug("line", "c")
        result(m.idle(len(stores()) * 4), "it goes on")
        m.ring(STORE_GGTT, 0x70000000, 0, 1, NOOP, NOOP, start=0x3000)
        text = d.line().get("text", "")
        result("stop 3: " in text or "stop 2: " in text, "a complaint stops, even where the engine does", text)
        m.client.ask(RESET)
        result("#" in d.run("where"), "a device that was reset is still looked at")


def disconnects():
    with machine() as m:
        for how in "held", "halfway", "moving":
            d = DebugClient(m.control)
            d.debug("line", "b MI_STORE_DATA_IMM")
            m.ring(*stores())
            if how == "held":
                d.run("c")
            elif how == "halfway":
                d.send(b'{"do":"debug","ask":"line","te')
            else:
                d.debug("line", "tb MI_FLUSH_DW")
                d.debug("line", "d 1")
                d.debug("line", "c")
            d.socket.close()
            result(m.idle(len(stores()) * 4), f"the device goes on when a debugger is gone: {how}")
            m.client.write(RCS + 0x3C, 0)
            m.client.write(0x941C, 2)
        one, two = DebugClient(m.control), DebugClient(m.control)
        result("another client debugs" in two.first["error"] and one.debug("line", "engines")["result"] == "done", "one debugger at a time")
        other = subprocess.run([softgt, "control", m.control], capture_output=True, text=True, timeout=30, check=False)
        result("rcs0" in other.stdout, "other clients look beside it", other.stderr)
        file = os.path.join(m.folder.name, "state")
        saved = [subprocess.run([softgt, "control", m.control, verb, file], capture_output=True, text=True, timeout=30, check=False) for verb in ("save", "load")]
        result(saved[0].returncode == 0 and "a debugger looks at the device" in saved[1].stderr, "nobody loads another state under it", saved[1].stderr)
        one.socket.close()
        result(until(lambda: "result" in DebugClient(m.control).first), "the next one may come")


def hostile():
    with machine() as m:
        d = DebugClient(m.control)
        for line in (b"\n", b"{\n", b"[]\n", b'{"do":"debug"}\n', b'{"do":"debug","ask":[]}\n', b'{"do":"debug","ask":"line"}\n', b'{"do":"debug","ask":"line","text":{}}\n', b"\xff\xfe\x00\n",
                     b'{"do":"debug","ask":"dance"}\n'):
            d.send(line)
            answer = d.line()
            result("error" in answer or answer.get("result") == "refused", f"{line[:40]} is refused", answer)
        d.debug("line", "step 0")
        for text in ("A" * 3000, "b " + "%s%n" * 30, "x/65536b 0", "x/4wx 0xffffffffffffffff", "set " + "9" * 300 + " 1", "list " + "9" * 40, "regs r" + "9" * 300, "structure * ggtt:0x9000", "\t\x7f",
                     "b instruction 0xffffffffffffffff", "watch 0,18446744073709551615", "disassemble rcs0:0xffffffffffffffff", "registers *.*", "help", "state " + "*" * 500, "walk ggtt:0xfffffffff000",
                     "set ggtt:0xfffffffffffc 1", "set bus:0xfffffffffffffffc 1", "set local:0 1", "context vcs9", "d 4294967295"):
            answer = d.debug("line", text)
            result(answer.get("result") in ("done", "refused"), f"{text[:30]!r} is answered", answer)
        for text in ("b MI_", "b " + "A" * 3000, "r rcs0.", " ", "x ", "\x01 \x02"):
            answer = d.debug("complete", text)
            result(answer.get("result") == "done", f"{text[:30]!r} is completed", str(answer)[:200])
        for n in range(80):
            d.debug("line", f"b MI_STORE_DATA_IMM immediate_data={n}")
        result("there are 64 stops already" in d.debug("line", "b MI_NOOP")["text"], "stops are bounded")
        # One that does not read does not hold up the guest.
        slow = d
        slow.socket.setblocking(False)
        try:
            while True:
                slow.send({"do": "debug", "ask": "line", "text": "registers *.*"})
        except (BlockingIOError, BrokenPipeError, ConnectionResetError):
            pass
        start = time.time()
        m.client.read(RING_HEAD)
        result(time.time() - start < 2, "one that does not read does not hold up the guest")
        slow.socket.close()
        result(until(lambda: "result" in DebugClient(m.control).first), "and leaves the device")


def awaited():
    with machine(opens="--debug") as m:
        m.ring(*stores())
        time.sleep(0.2)
        result(m.client.read(RING_HEAD) == 0 and m.stored(0x9000) == 0, "with --debug engines stand still until a debugger comes")
        script = os.path.join(m.folder.name, "script")
        with open(script, "w") as file:
            file.write("b MI_STORE_DATA_IMM\nc\nwhere\nd\nstep 2\nquit\n")
        done = subprocess.run([softgt, "debug", "--connect", m.control, "-x", script], capture_output=True, text=True, timeout=30, check=False)
        result(done.returncode == 0 and "#1 rcs0 0x00001000:" in done.stdout and "Immediate Data: 0x0000000000000011" in done.stdout and "#3 rcs0" in done.stdout, "softgt debug --connect", done.stdout + done.stderr)
        result(m.idle(len(stores()) * 4) and m.stored(0x9008) == 0x33, "leaves it")
        done = subprocess.run([softgt, "debug", "--connect", m.folder.name + "/none"], capture_output=True, text=True, timeout=30, check=False)
        result(done.returncode == 2 and "No such file" in done.stderr, "no socket is no device", done.stderr)
        done = subprocess.run([softgt, "debug", "--connect", m.control], input="nothing\n", capture_output=True, text=True, timeout=30, check=False)
        result(done.returncode == 1 and "'nothing' is no command" in done.stdout, "a line that is refused is the status", done.stdout + done.stderr)


def interrupts():
    with machine() as m:
        m.memory[0x4000:0x4010] = struct.pack("<4I", NOOP, BATCH_GGTT, 0x4000, 0)
        m.ring(BATCH_GGTT, 0x4000, 0, NOOP)
        prompt = subprocess.Popen([softgt, "debug", "--connect", m.control], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        prompt.stdin.write("c\n")
        prompt.stdin.flush()
        time.sleep(0.7)
        prompt.send_signal(signal.SIGINT)
        text, _ = prompt.communicate("engines\nstep 3\nwhere\nquit\n", timeout=30)
        result("interrupted\n#" in text and "rcs0   running" in text and text.count("MI_BATCH_BUFFER_START") + text.count("MI_NOOP") >= 2 and prompt.returncode == 0, "Control-C holds an endless batch", text)
        prompt = subprocess.Popen([softgt, "debug", "--connect", m.control], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        prompt.stdin.write("c\n")
        prompt.stdin.flush()
        time.sleep(0.5)
        threading.Timer(0.2, m.server.process.terminate).start()
        text, _ = prompt.communicate(timeout=30)
        result("the device is gone" in text, "a server that ends is gone", text)


def functions():
    with tempfile.TemporaryDirectory() as folder:
        sockets = os.path.join(folder, "f")
        server = Server(softgt, "--functions", "2", device="atsm", path=sockets)
        until(lambda: os.path.exists(sockets + "/control"))
        done = subprocess.run([softgt, "debug", "--connect", sockets], input="engines\nguc\nguc boot\nguc none\nfunctions\nfunctions vf3\nregisters rcs0.RING_BUFFER_CTL\nquit\n", capture_output=True, text=True, timeout=30, check=False)
        result("rcs0   " in done.stdout and "GuC running for virtual functions" in done.stdout and "no section of the GuC has this name" in done.stdout and
               "vf1 enabled, running, busy for 0 ms, 0 contexts\nprovisioning\n    ggtt_start " in done.stdout and "no function has this name" in done.stdout and done.returncode == 1,
               "a device with virtual functions", done.stdout + done.stderr)
        status, _ = server.end()
        result(status == 0, "the server ends well", server.text())


tests = [stops, resets, disconnects, hostile, awaited, interrupts, functions]
for test in tests:
    if len(sys.argv) < 3 or test.__name__ in sys.argv[2:]:
        try:
            test()
        except Exception as e:
            result(False, test.__name__, repr(e))
sys.exit(failed != 0)
