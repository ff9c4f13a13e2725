#!/usr/bin/env python3
"""What serve, run, decode and asm are in their sandbox, and that nothing is missing in it. sandbox.py SOFTGT SOURCE [none]
"none": this build has none (sanitizers); the same must work all the same."""
import bz2
import gzip
import json
import lzma
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time

from vfio_client import *

softgt, source, has = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:] != ["none"]
RCS, BCS = 0x2000, 0x22000
number = failed = 0


def result(good, name, why=""):
    global number, failed
    number += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {number} - {name}{'' if good else ' # ' + ' '.join(why.split())[:300]}", flush=True)


def statuses(pid):
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/status") as status:
            yield dict(line.rstrip("\n").split(":\t", 1) for line in status if ":\t" in line)


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as found:
        return [int(child) for child in found.read().split()]


# ---- serve ----

def use(client, name, by_message=False):
    """Stores of two engines, interrupts, resets, refusals."""
    if by_message:
        memory = bytearray(4 << 20)

        def dma(got, command, address, count, data):
            if command == DMA_WRITE:
                memory[address:address + count] = data
            client.dma_reply(got, command, address, count, bytes(memory[address:address + count]))

        client.dma = dma
        client.map(0, len(memory))
    else:
        _, memory = client.ram(4 << 20)
    client.identity(client.table(), 1024)
    msi, intx, unmask = (os.eventfd(0, os.EFD_NONBLOCK) for _ in range(3))
    for index, flags, fd in ((INTX, TRIGGER_FD, intx), (INTX, UNMASK_FD, unmask), (MSI, TRIGGER_FD, msi)):
        client.irqs(index, flags, [fd])
    client.irqs(MSI, TRIGGER)
    os.eventfd_write(unmask, 1)
    client.ring(RCS, 0x10000, memory, [0x10400002, 0x20000, 0, 0x600D, 0x01000000, 0])
    client.ring(BCS, 0x11000, memory, [0x10400002, 0x21000, 0, 0xC0FFEE])
    good = True
    for address, value in ((0x20000, 0x600D), (0x21000, 0xC0FFEE)):
        end = time.time() + 10
        while struct.unpack_from("<I", memory, address)[0] != value and time.time() < end:
            client.read(0x2034)
        good = good and struct.unpack_from("<I", memory, address)[0] == value
    result(good, f"{name}: engines work on memory")
    result(os.eventfd_read(msi) == 1, f"{name}: an interrupt arrives")
    result(client.ask(99)[0] == 95 and client.ask(RESET)[0] == 0 and client.unmap(0, 0, 2) == 0, f"{name}: refusals, resets, unmaps")
    client.close()


def many_descriptors():
    """More than may be open, with messages that wait while the server asks for memory."""
    server = Server(softgt)
    client = Client(server.path)
    client.map(0, 1 << 20)
    client.identity(client.table(), 256)
    nothing = os.open("/dev/null", os.O_RDWR)
    try:
        client.send(READ, struct.pack("<QII", 0, GMADR, 4))
        for _ in range(120):
            client.send(SET_IRQS, struct.pack("<5I", 20, TRIGGER, 4, 0, 0), NO_REPLY, [nothing] * 16)
        client.take(1 << 20)
        result(False, "serve: who sends more than 1024 descriptors must go")
    except (Gone, TimeoutError) as error:
        result(isinstance(error, Gone), "serve: who sends more than 1024 descriptors must go", repr(error))
    client.close()
    os.close(nothing)
    client = Client(server.path)
    result(client.read(0x2358) is not None, "serve: the next one finds the server as it was")
    client.close()
    server.end()


def serving():
    with tempfile.TemporaryDirectory() as folder:
        trace, timeline = os.path.join(folder, "t.aub"), os.path.join(folder, "t.json")
        server = Server(softgt, "--log", "access", "--record", trace, "--timeline", timeline)
        client = Client(server.path)
        if has:
            tasks = list(statuses(server.process.pid))
            result(all(t["Seccomp"] == "2" and t["NoNewPrivs"] == "1" for t in tasks), "serve: every thread is filtered", str(tasks))
            result(all(int(t[c], 16) == 0 for t in tasks for c in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")) or os.geteuid(),
                   "serve: no thread has a capability, or can have one")
            with open(f"/proc/{server.process.pid}/limits") as limits:
                core = next(line for line in limits if line.startswith("Max core"))
            result(core.split()[4:6] == ["0", "0"], "serve: no core file", core)
            files = children(server.process.pid)
            held = {os.readlink(f"/proc/{files[0]}/fd/{fd}") for fd in os.listdir(f"/proc/{files[0]}/fd") if int(fd) > 2} if files else {}
            result(len(files) == 1 and len(held) == 1, "serve: one process keeps files, and no descriptor of the server's", f"{files} {held}")
        use(client, "recorded")
        use(Client(server.path), "recorded, a second client", by_message=True)
        status, _ = server.end()
        result(status == 0 and not os.path.exists(server.path), "serve: ends, and takes its socket", server.text()[-300:])
        result("trapped:" in server.text() and "RING_BUFFER_TAIL" in server.text(), "serve: has told")
        with open(timeline) as file:
            result(len(json.load(file)) > 10, "serve: the timeline is whole")
        done = subprocess.run([softgt, "run", "-q", trace], capture_output=True, text=True, check=False)
        result(done.returncode == 0 and os.listdir(folder) and "compares: 0 of" in done.stdout, "serve: the recording repeats itself",
               done.stdout + done.stderr)
    server = Server(softgt, "--once", device="icl")
    client = Client(server.path)
    file, _ = client.ram(1 << 20)
    client.identity(client.table(), 256)
    os.ftruncate(file, 0)
    try:
        client.read(0, 4, GMADR)
        client.read(0x2358)
        result(False, "serve: memory that goes ends its client")
    except Gone:
        result(server.process.wait(10) == 0 and "are missing" in server.text(), "serve: memory that goes ends its client", server.text())
    client.close()
    server = Server(softgt)
    use(Client(server.path), "plain")
    use(Client(server.path), "by messages", by_message=True)
    server.process.kill()
    server.process.wait()
    end = time.time() + 10
    while has and os.path.exists(server.path) and time.time() < end:
        time.sleep(0.02)
    result(not has or not os.path.exists(server.path), "serve: a killed server leaves no socket")
    server = Server(softgt, "--no-sandbox")
    if has:
        result(all(t["Seccomp"] == "0" for t in statuses(server.process.pid)) and "has all your rights" in server.text(),
               "serve: --no-sandbox is told", server.text())
    use(Client(server.path), "without a sandbox")
    server.end()


def with_functions():
    """Shares move, and the physical function's client comes and goes, in the sandbox, too."""
    with tempfile.TemporaryDirectory() as folder:
        shares = pathlib.Path(folder) / "shares.json"
        shares.write_text('{"each": {"quantum_ms": 5}, "vf1": {"local_mb": 32}}')
        sockets = pathlib.Path(folder) / "sockets"
        sockets.mkdir()
        server = Server(softgt, "--functions", "2", "--provision", shares, device="atsm", path=str(sockets))

        def ask(*request):
            done = subprocess.run([softgt, "functions", "--json", sockets, *request], capture_output=True, check=False)
            return [f for f in json.loads(done.stdout)["functions"]] if done.returncode == 0 else done.stderr

        end = time.time() + 20
        while not isinstance(before := ask(), list) and time.time() < end:  # the socket is there before it listens
            time.sleep(0.01)
        result(len(before) == 2 and before[0]["local_mb"] == 32 and before[0]["quantum_ms"] == 5, "serve: functions have what a file says", str(before))
        ask("set", "vf1", "local_mb=16")
        client = Client(str(sockets / "vf1"))
        result(client.read(0x1901F8) == 1, "serve: a function with another share", server.text())
        client.close()
        states = [ask(verb, "vf2") for verb in ("pause", "resume", "reset")]
        result(all(isinstance(s, list) for s in states), "serve: functions pause, go on, are reset", str(states))
        pf = Client(str(sockets / "pf"))
        result(pf.read(0x1901F8) == 0, "serve: the physical function", server.text())
        pf.close()
        end = time.time() + 10
        while isinstance(ask("pause", "vf1"), bytes) and time.time() < end:
            time.sleep(0.01)
        result(server.alive() and not server.text(), "serve: functions are there again", server.text())
        server.process.terminate()
        server.process.wait()
        result(not list(sockets.iterdir()), "serve: all sockets go with the server", str(list(sockets.iterdir())))


# ---- run and decode ----

def both(name, *arguments, made=(), **options):
    """The same with and without: what is said, and what is written."""
    said = []
    for more in ([], ["--no-sandbox"]):
        for path in made:
            shutil.rmtree(path) if os.path.isdir(path) else os.path.exists(path) and os.remove(path)
        if "stdin" in options:
            options["stdin"].seek(0)
        done = subprocess.run([softgt, arguments[0], *more, *map(str, arguments[1:])], capture_output=True, check=False, **options)
        errors = done.stderr.replace(b"softgt: without the sandbox, input that exploits a fault in softgt has all your rights\n", b"")
        files = {}
        for path in made:
            for file in sorted(pathlib.Path(path).iterdir()) if os.path.isdir(path) else [pathlib.Path(path)]:
                files[str(file)] = file.read_bytes() if file.exists() else None
        said.append((done.returncode, done.stdout, errors, files))
    good = said[0] == said[1] and said[0][0] in (0, 1) and None not in said[0][3].values() and len(said[0][3]) >= len(made)
    result(good, name, f"{said[0][0]} {said[1][0]} {said[0][2][-300:]} {[f for f in said[0][3] if said[0][3][f] is None]}")


def running():
    examples = source / "examples"
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        hello, blits = examples / "hello.gts", examples / "blits.gts"
        subprocess.run([softgt, "asm", "-q", hello, "-o", "hello.aub"], check=True)
        trace = pathlib.Path("hello.aub").read_bytes()
        for name, pack in (("gz", gzip.compress), ("xz", lzma.compress), ("bz2", bz2.compress)):
            pathlib.Path(f"hello.aub.{name}").write_bytes(pack(trace))
            both(f"run: a trace in {name}", "run", f"hello.aub.{name}")
        both("run: traces and programs", "run", "hello.aub", hello, "hello.aub")
        both("run: --trace all, --state", "run", "-t", "all", "-s", "hello.aub", hello)
        both("run: --json", "run", "-j", "-t", "commands,registers", "hello.aub")
        both("run: --timeline", "run", "-q", "-T", "t.json", "-t", "commands", "hello.aub", made=["t.json"])
        both("run: --surface", "run", "-q", blits, "-u", "0x10000000,640x400,B8G8R8X8_UNORM,x", "-o", "p.png", made=["p.png"])
        both("run: --surface by its own name", "run", "-q", blits, "-u", "0x10000000,640x400,B8G8R8X8_UNORM,x", made=["surface.png"])
        both("run: --surface to standard output", "run", "-q", blits, "-u", "0x10000000,640x400,B8G8R8X8_UNORM,x", "-o", "-")
        both("run: --surface to /dev/stdout", "run", "-q", blits, "-u", "0x10000000,640x400,B8G8R8X8_UNORM,x", "-o", "/dev/stdout")
        both("run: --surfaces", "run", "-q", blits, "-U", "all", made=["all"])
        both("run: --surfaces with a slash", "run", "-q", blits, "-U", "./all/", made=["all"])
        both("run: --save-at", "run", "-S", "100", "--save", "state", "hello.aub", made=["state"])
        both("run: --save-at by its own name", "run", "-S", "100", "hello.aub", made=["softgt.state"])
        both("run: --load", "run", "-l", "state", "hello.aub")
        both("run: --self-check", "run", "--self-check=3", hello)
        both("run: --device, --force, --tolerate, --budget, --memory, --quiet", "run", "-d", "icl", "--force", "--tolerate", "faults", "-b",
             "100000", "-m", "64", "-q", "hello.aub")
        for name, path in (("a trace", "hello.aub"), ("a program", hello)):
            with open(path, "rb") as stdin:
                both(f"run: {name} from standard input", "run", "-", stdin=stdin)
        reader, writer = os.pipe()
        os.write(writer, hello.read_bytes()[:4096])
        os.close(writer)
        done = subprocess.run([softgt, "run", f"/dev/fd/{reader}"], pass_fds=[reader], capture_output=True, check=False)
        result(done.returncode in (0, 1, 2) and b"sandbox" not in done.stderr, "run: a pipe by its name", done.stderr)
        done = subprocess.run([softgt, "run", "nowhere.aub"], capture_output=True, check=False)
        result(done.returncode == 2 and b"No such file" in done.stderr, "run: what is not there is told", done.stderr)
        both("asm: programs", "asm", hello, "-o", "a.aub", made=["a.aub"])
        shutil.copy(hello, "own.gts")
        both("asm: by the program's name, as JSON", "asm", "-j", "own.gts", made=["own.aub"])
        both("asm: to standard output", "asm", "-q", hello, "-o", "-")
        both("decode: a trace", "decode", "hello.aub")
        both("decode: a program, --follow, --json", "decode", "-f", "-j", blits)
        both("decode: --asm", "decode", "-s", "hello.aub")
        both("decode: --color", "decode", "--color=always", "-r", "-H", "hello.aub")
        pathlib.Path("batch").write_bytes(struct.pack("<4I", 0x10400002, 0x20000, 0, 1) * 4000 + struct.pack("<I", 0x05000000))
        both("decode: --batch", "decode", "-b", "-e", "rcs0", "-a", "0x1000", "-A", "batch")
        both("decode: --batch from standard input", "decode", "-b", "-", stdin=open("batch", "rb"))
        both("run: a real driver's trace", "run", "-q", examples / "i915-skl.aub.xz")
        os.chdir("/")


serving()
with_functions()
if has:
    many_descriptors()
running()
print(f"1..{number}")
sys.exit(failed != 0)
