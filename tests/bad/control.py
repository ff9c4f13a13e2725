#!/usr/bin/env python3
"""What a server says of its engines, and its control socket, with clients that are honest, silent and hostile. control.py SOFTGT"""
import fcntl
import json
import os
import signal
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import time

from control_client import *
from vfio_client import Server

softgt = sys.argv[1]
failed = 0

WAIT_GGTT, STORE_GGTT, NOOP, BATCH_GGTT, BATCH_END = 0x0E40C002, 0x10400002, 0, 0x18800001, 0x05000000
BCS = 0x22000
SEMAPHORE = 0x9000


def result(good, name, why=""):
    global failed
    failed += not good
    print(f"{'ok' if good else 'FAILED'}  {name}" + (f": {why}" if not good else ""))


def machine(*options, device="skl", control=True):
    return Machine(softgt, result, *options, device=device, opens="--control" if control else None)


# ---- Sentences ----

def stuck_semaphore():
    with machine("--patience", "1", "--trace", "memory", control=False) as m:
        m.ring(STORE_GGTT, SEMAPHORE, 0, 4, base=BCS, start=0x2000)
        time.sleep(0.1)
        m.ring(WAIT_GGTT, 5, SEMAPHORE, 0)
        m.client.read(RCS + 0x34)
        good = m.says("rcs0 makes no progress for 1.", "MI_SEMAPHORE_WAIT (0e40c002) at GGTT 0x1000", "until the value at GGTT address 0x9000 is == 0x5; it read 0x4",
                      "bcs0 wrote 0x4 there last")
        result(good, "a wait that does not end is reported with its place, value, address and last writer", m.server.text())
        time.sleep(1.5)
        result(m.server.text().count("no progress") == 1, "once", m.server.text())
        m.memory[SEMAPHORE:SEMAPHORE + 4] = struct.pack("<I", 5)
        result(m.says("rcs0 makes progress again, after"), "and when it ends", m.server.text())


def endless_batch():
    with machine("--patience", "1", control=False) as m:
        m.memory[0x4000:0x400C] = struct.pack("<3I", NOOP, BATCH_GGTT & ~(1 << 23) | 0x00800000, 0x4000)
        m.memory[0x4000:0x4010] = struct.pack("<4I", NOOP, 0x18800001, 0x4000, 0)
        m.ring(0x18800001, 0x4000, 0)
        result(m.says("rcs0 makes no progress for 1.", "it runs", "batch 0x4000", "Since then it ran"), "so is a batch without an end", m.server.text())
        m.client.write(0x941C, 2)
        result(m.says("rcs0 is reset while it runs"), "and its reset", m.server.text())


def hang():
    with machine(control=False) as m:
        m.ring(STORE_GGTT, 0x70000000, 0, 1)
        result(m.says("rcs0 hangs: page fault: write of GGTT address 0x70000000, no valid page. It stopped at MI_STORE_DATA_IMM (10400002) at GGTT 0x1000, ring"),
               "a page fault is reported with command and place", m.server.text())
        m.client.write(0x941C, 2)
        result(m.says("rcs0 is reset after its hang"), "and the reset after it", m.server.text())
    with machine("--log", "none", control=False) as m:
        m.ring(STORE_GGTT, 0x70000000, 0, 1)
        m.client.read(RCS + 0x34)
        time.sleep(0.3)
        result(m.server.text() == "", "not with --log none", m.server.text())


def state_on_signal():
    with machine(control=False) as m:
        m.ring(WAIT_GGTT, 5, SEMAPHORE, 0)
        m.client.read(RCS + 0x34)
        os.kill(m.server.process.pid, signal.SIGUSR1)
        result(m.says("skl at ", "rcs0   waiting", "MI_SEMAPHORE_WAIT", "wants == 0x5, read 0x0 at ggtt 0x9000"), "SIGUSR1 prints the state", m.server.text())


# ---- The control socket ----

def requests():
    with machine("--log", "none") as m:
        mode = stat.S_IMODE(os.stat(m.control).st_mode)
        result(mode == 0o600, "the control socket is the owner's alone", oct(mode))
        m.ring(WAIT_GGTT, 5, SEMAPHORE, 0)
        m.client.read(RCS + 0x34)
        state = json.loads(m.tool("--json").stdout)
        rcs = next(e for e in state["engines"] if e["engine"] == "rcs0")
        wait = rcs.get("wait", {})
        result(state["schema"] == "softgt.state" and state["client"] and rcs["state"] == "waiting" and wait["address"] == "0x9000" and wait["wanted"] == "0x5" and
               rcs["command"]["name"] == "MI_SEMAPHORE_WAIT", "state shows engines and waits", str(state)[:800])
        text = m.tool("state").stdout
        result("rcs0   waiting" in text and "client connected" in text, "also as text", text)
        rows = json.loads(m.tool("--json", "registers", "rcs0.RING_BUFFER_*").stdout)["registers"]
        values = {r["name"]: r["value"] for r in rows}
        result(values.get("RING_BUFFER_START") == "0x1000" and all(r["unit"] == "rcs0" for r in rows), "registers are shown by pattern", str(values))
        result("RING_BUFFER_START" in m.tool("registers", "0x2038").stdout, "and by offset")
        every = [r for line in m.tool("--json", "registers").stdout.splitlines() for r in json.loads(line)["registers"]]
        result(len({(r["offset"], r["name"]) for r in every}) == len(every) > 1024, "all of them, in parts", str(len(every)))
        text = m.tool("memory", "ggtt", "0x1000", "16").stdout
        result("000000001000  0e40c002 00000005 00009000 00000000" in text, "memory is shown", text)
        done = m.tool("memory", "ggtt", "0xff000", "0x2000")
        result("0x100000 is not mapped" in done.stdout, "up to what is not mapped", done.stdout[-200:])
        for words, why in ((("memory", "vcs7", "0"), "no space is named 'vcs7'"), (("memory", "ggtt", "x"), "'x' is no number"), (("memory", "ggtt", "0", "70000"), "up to 65536"),
                           (("log", "loud"), "no log level is named 'loud'"), (("events", "noise"), "'noise' is none of commands"), (("load", softgt), "no state of a device"),
                           (("dance",), "no command is named 'dance'"), (("log",), "usage: log LEVEL"), (("save", "/nowhere/at/all"), "No such file")):
            done = m.tool(*words)
            result(done.returncode == 2 and why in done.stderr, f"{' '.join(words)[:30]} is refused", done.stderr)
        c = ControlClient(m.control)
        answers = [c.ask(r) for r in ({"do": "log"}, {"do": "memory", "space": "rcs0", "address": 0, "bytes": 8}, {"do": "memory", "space": "local", "address": 0}, {"do": "events"})]
        result("level is missing" in answers[0]["error"] and [a.get("unmapped") for a in answers[1:3]] == ["0x0", "0x0"] and answers[3]["schema"] == "softgt.control",
               "a level is needed, other spaces have nothing here, and events have a default", str(answers))
        done = m.tool("log", "access")
        m.client.read(0x2358)
        result(done.returncode == 0 and m.says("read  002358"), "the log's level changes", done.stderr + m.server.text()[-300:])
        done = m.tool("log", "none")
        before = m.server.text()
        m.client.read(0x2358)
        result(done.returncode == 0 and m.server.text() == before, "and changes back")


def streams():
    with machine("--log", "none") as m:
        c = ControlClient(m.control)
        result(c.ask({"do": "events", "trace": "commands:MI_STORE*,registers:!*"})["schema"] == "softgt.control", "events are promised")
        m.ring(NOOP, NOOP, STORE_GGTT, SEMAPHORE, 0, 1)
        event = c.line()
        result(event["event"] == "command" and event["name"] == "MI_STORE_DATA_IMM" and event["unit"] == "rcs0", "and come", str(event))
        lines = [c.ask({"do": "statistics"}), c.line(), c.line()]
        result(lines[1]["schema"] == lines[2]["schema"] == "softgt.statistics" and lines[1]["engines"][0]["engine"] == "rcs0" and 0.8e9 < lines[2]["lasted_ns"] < 3e9,
               "statistics come each second", str(lines)[:400])
        result(c.ask({"do": "state"})["schema"] == "softgt.state", "another request ends them")


def slow_reader():
    with machine("--log", "none") as m:
        c = ControlClient(m.control)
        c.validates = False  # it would take longer than the server
        c.ask({"do": "events", "trace": "commands"})
        slowest = 0
        m.memory[0x4000:0x8000] = struct.pack("<4096I", *([0x02000000] * 4094), 0x05000000, 0)
        end = time.time() + 8
        batches = 0
        while time.time() < end and batches < 12:
            start = time.time()
            m.ring(0x18800001, 0x4000, 0)
            until(lambda: m.client.read(RCS + 0x34) & 0x1FFFFC == 16, 20)
            slowest = max(slowest, time.time() - start)
            batches += 1
        start = time.time()
        m.client.read(0x2358)
        result(time.time() - start < 1, "a reader that does not read does not hold up the guest", f"{slowest:.1f} s a batch")
        rss = m.server.resident_kb()
        dropped = lines = 0
        m.ring(NOOP, NOOP)
        c.socket.settimeout(2)
        try:
            while True:
                event = c.line()
                lines += 1
                dropped += event["count"] if event["event"] == "dropped" else 0
                if dropped and lines % 1000 == 0:
                    m.ring(NOOP, NOOP)
        except TimeoutError:
            pass
        result(dropped > 0 and lines > 1000, "what it misses is counted", f"{lines} lines, {dropped} dropped, {rss} KB")


def saves():
    with machine("--log", "none") as m, tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "state")
        m.client.write(RCS + 0x600, 0x1234)
        done = m.tool("save", file)
        result(done.returncode == 0 and os.path.getsize(file) > 10000 and "without the machine's memory" in done.stdout, "a state is saved", done.stdout + done.stderr)
        m.client.write(RCS + 0x600, 0x5678)
        table = m.client.table()
        table[4096] = 1
        done = m.tool("load", file)
        result(done.returncode == 0 and m.client.read(RCS + 0x600) == 0x1234, "and loaded", done.stdout + done.stderr)
        result(table[255 * 8] == 1 and table[4096] == 0, "with the GGTT's entries")
        clocks = [m.client.read(RCS + 0x358) for _ in range(2) if not time.sleep(0.05)]
        result(clocks[1] > clocks[0], "time goes on from there", str(clocks))
        table[4096] = 1
        with open(file, "r+b") as state:
            state.seek(5000)
            state.write(b"garbage")
        done = m.tool("load", file)
        result(done.returncode == 2 and "invalid" in done.stderr and m.client.read(RCS + 0x600) == 0x1234, "one that was changed is not", done.stderr)
        result(table[4096] == 1, "and changes no entry of the GGTT")
        for name, change in (("cut", lambda f: f.truncate(os.path.getsize(file) - 1)), ("longer", lambda f: f.truncate(os.path.getsize(file) + 2))):
            with open(file, "r+b") as state:
                change(state)
            done = m.tool("load", file)
            result(done.returncode == 2 and "cut or has more" in done.stderr, f"nor one that is {name}", done.stderr)
        m.tool("save", file)
        whole = open(file, "rb").read()
        for at, why in ((0, "holds no state"), (16, "another device"), (32, "another version"), (46, "cut"), (48, "another version")):
            with open(file, "wb") as state:
                state.write(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1:])
            done = m.tool("load", file)
            result(done.returncode == 2 and why in done.stderr, f"nor one with a wrong header, at {at}", done.stderr)
        c = ControlClient(m.control)
        read, write = os.pipe()
        answers = [c.ask({"do": "save"}), c.ask({"do": "save"}, write), c.ask({"do": "load"}, read), c.ask({"do": "save"}, os.open("/dev/full", os.O_WRONLY))]
        result(all("memory" in a.get("error", "") for a in answers), "a pipe, a device or nothing is no place for it", str(answers))
        empty, sealed, full = os.memfd_create("empty"), os.memfd_create("sealed", os.MFD_ALLOW_SEALING), os.memfd_create("full")
        result("holds no state" in c.ask({"do": "load"}, empty)["error"], "nor is an empty file")
        fcntl.fcntl(sealed, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE)
        os.write(full, b"x")
        answers = [c.ask({"do": "save"}, file).get("error", "") for file in (sealed, full)]
        result("not permitted" in answers[0] and "must be empty" in answers[1], "nor one that cannot be written, or has something", str(answers))


def local_memory():
    with machine("--log", "none", "--local-memory", "64", device="dg2") as m, tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "state")
        first, second = 0x100000, 0x2000000
        m.client.write(first, 0x12345678, region=2)
        result(m.tool("save", file).returncode == 0 and os.stat(file).st_blocks * 512 < 16 << 20 < os.path.getsize(file), "local memory is saved without its zeros", str(os.stat(file)))
        m.client.write(first, 0, region=2)
        m.client.write(second, 1, region=2)
        done = m.tool("load", file)
        seen = [m.client.read(at, region=2) for at in (first, second)]
        result(done.returncode == 0 and seen == [0x12345678, 0], "and loaded", f"{seen} {done.stderr}")
        result("12345678" in m.tool("memory", "local", hex(first), "4").stdout, "it is shown")
        with machine("--log", "none", "--local-memory", "128", device="dg2") as other:
            done = other.tool("load", file)
            result(done.returncode == 2 and "of another size" in done.stderr, "only where it has the same size", done.stderr)


def paused():
    with machine("--log", "none") as m:
        result(m.tool("pause").returncode == 0, "a device is paused")
        m.ring(STORE_GGTT, SEMAPHORE, 0, 4)
        clocks = [m.client.read(RCS + 0x358) for _ in range(2) if not time.sleep(0.1)]
        result(m.memory[SEMAPHORE] == 0 and clocks[0] == clocks[1], "it does nothing, and its time stands still", str(clocks))
        with tempfile.TemporaryDirectory() as folder:
            files = [os.path.join(folder, name) for name in "ab"]
            done = [m.tool(*words).returncode for words in (("save", files[0]), ("load", files[0]), ("save", files[1]))]
            saved = [open(file, "rb").read() for file in files]
            result(done == [0, 0, 0] and saved[0] == saved[1], "what is loaded is saved as the same bytes", str(done))
        result(m.tool("resume").returncode == 0 and until(lambda: m.memory[SEMAPHORE] == 4), "it resumes")


def hostile():
    with machine("--log", "none") as m:
        c = ControlClient(m.control)
        wrong = [c.ask(line).get("error") for line in (b"\n", b"[]\n", b"{\n", b"null\n", b'{"do":7}\n', b'{"do":[[[[[[]]]]]]}\n', b"\xff\xfe\n", b'{"do":"events","trace":[]}\n',
                                                       b'{"do":"memory","address":18446744073709551615,"bytes":8}\n', b'{"do":"registers"' + b" " * 100 + b"\n", b'{"do":"log","level":{}}\n')]
        result(all(wrong), "requests that are wrong are refused", str(wrong))
        odd = [c.ask(line) is not None for line in (b'{"do":"memory","address":-1,"bytes":99}\n', b'{"do":"memory","address":1e30}\n', b'{"do":"registers","from":-5}\n', b'{"do":"registers","pattern":"[[["}\n')]
        result(all(odd), "those that are odd are answered", str(odd))
        found = [c.ask({"do": "registers", "pattern": pattern}).get("registers") for pattern in ("0X2038", "0x2038z", "0q")]
        result([bool(f) for f in found] == [True, False, False] and "error" in c.ask(b"{}\n"), "an offset is a number, and a request has a name", str(found)[:300])
        d = ControlClient(m.control)
        asked = [d.ask({"do": "debug"} | more) for more in ({}, {"ask": "line"}, {"ask": "attach", "color": "always"}, {"ask": "attach"}, {"ask": "line"}, {"ask": "dance"})]
        result(all(a is not None for a in asked), "odd requests of a debugger are answered", str(asked)[:600])
        d.socket.close()
        long = ControlClient(m.control)
        try:
            long.send(b"x" * 5000)
        except OSError:
            pass
        result(long.ends(), "a line that is too long ends its client")
        many = []
        for _ in range(40):
            s = socket.socket(socket.AF_UNIX)
            s.setblocking(False)
            try:
                s.connect(m.control)
            except BlockingIOError:
                pass
            many.append(s)
        start = time.time()
        value = m.client.read(0x2358)
        result(value is not None and time.time() - start < 1, "clients that say nothing do not hold up the guest")
        for s in many:
            s.close()
        c = ControlClient(m.control)
        for _ in range(200):
            try:
                c.socket.settimeout(0.2)
                c.send({"do": "registers"})
            except (TimeoutError, BrokenPipeError, ConnectionResetError):
                break
        start = time.time()
        m.client.read(0x2358)
        result(time.time() - start < 1, "one that asks and does not read does not, either")
        result(c.ends() or True, "it is left")
        result(until(lambda: m.tool("state").returncode == 0, 20), "others are served")
        descriptors = len(os.listdir(f"/proc/{m.server.process.pid}/fd")) if os.access(f"/proc/{m.server.process.pid}/fd", os.R_OK) else 0
        c = ControlClient(m.control)
        for _ in range(50):
            c.ask({"do": "state"}, os.memfd_create("x"))
        after = len(os.listdir(f"/proc/{m.server.process.pid}/fd")) if os.access(f"/proc/{m.server.process.pid}/fd", os.R_OK) else 0
        result(after <= descriptors + 4, "descriptors that come are closed", f"{descriptors} {after}")


def without_guest():
    with tempfile.TemporaryDirectory() as folder:
        control = os.path.join(folder, "c")
        server = Server(softgt, "--control", control)
        done = subprocess.run([softgt, "control", control], capture_output=True, text=True, timeout=20, check=False)
        result("rcs0   idle" in done.stdout and "client none" in done.stdout, "there is a state before the first guest", done.stdout + done.stderr)
        status, _ = server.end()
        result(status == 0 and not os.path.exists(control), "the socket goes with the server")


def no_place():
    """Paths where no socket can be: the server says which, and does not begin."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "file")
        with open(file, "w") as f:
            f.write("mine")
        for options, named in ((("--socket", file), file), (("--socket", folder + "/s", "--control", file), file), (("--socket", folder + "/s", "--control", folder + "/none/c"), "/none/c"),
                               (("--device", "atsm", "--functions", "1", "--socket", file), file)):
            done = subprocess.run([softgt, "serve", *options], capture_output=True, text=True, timeout=30, check=False)
            result(done.returncode == 2 and named in done.stderr and open(file).read() == "mine", f"{' '.join(options)[-40:]} is refused", f"{done.returncode}: {done.stderr}")


def functions():
    with tempfile.TemporaryDirectory() as folder:
        sockets = os.path.join(folder, "f")
        server = Server(softgt, "--functions", "2", device="atsm", path=sockets)
        until(lambda: os.path.exists(sockets + "/control"))
        state = subprocess.run([softgt, "control", "--json", sockets], capture_output=True, text=True, timeout=30, check=False)
        seen = json.loads(state.stdout or "{}")
        result("running" in seen["guc"]["state"] and [f["function"] for f in seen["functions"]] == ["vf1", "vf2"], "functions' socket answers the same requests", state.stdout[:300] + state.stderr)
        done = subprocess.run([softgt, "control", sockets, "save", folder + "/s"], capture_output=True, text=True, timeout=30, check=False)
        result(done.returncode == 2 and not os.path.exists(folder + "/s"), "but saves each of them", done.stderr)
        c = ControlClient(sockets + "/control")
        answers = [c.ask(r).get("error", "") for r in ({"do": "pause", "function": "vfx"}, {"do": "pause", "function": "vf3"}, {"do": "pause", "function": "vf1x"})]
        result(all("no such function" in a for a in answers), "it knows its functions", str(answers))
        shown = subprocess.run([softgt, "functions", sockets], capture_output=True, text=True, timeout=30, check=False)
        result("vf2" in shown.stdout, "and softgt functions is answered there", shown.stderr)
        server.end()


tests = [stuck_semaphore, endless_batch, hang, state_on_signal, requests, streams, slow_reader, saves, local_memory, paused, hostile, without_guest, no_place, functions]
for test in tests:
    if len(sys.argv) < 3 or test.__name__ in sys.argv[2:]:
        try:
            test()
        except Exception as e:
            result(False, test.__name__, repr(e))
sys.exit(failed != 0)
