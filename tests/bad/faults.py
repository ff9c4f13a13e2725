#!/usr/bin/env python3
"""Outputs that do not take all, descriptors that run out, peers that are killed anywhere: errors are told, what was there is
kept, the next client is served.

faults.py SOFTGT SOFTGT_FAILING ROOT [NAME...]. KILLS=N clients and servers (100) are killed; SEED=N kills them elsewhere.
"""
import contextlib
import os
import pathlib
import random
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time

from vfio_client import *

softgt, failing, root = (os.path.abspath(argument) for argument in sys.argv[1:4])
kills, seed = int(os.environ.get("KILLS", "100")), int(os.environ.get("SEED", "1"))
hello, trace = f"{root}/examples/hello.gts", f"{root}/examples/i915-snb.aub.xz"
blits = f"{root}/examples/blits.gts"
sanitized = "sanitizers" in subprocess.run([softgt, "serve", "--socket", "/nowhere/s"], capture_output=True, text=True, check=False).stderr
results = []


def result(good, name, why=""):
    results.append(bool(good))
    print(f"{'ok' if good else 'not ok'} {len(results)} - {name}{'' if good else ' # ' + ' '.join(str(why).split())[-400:]}", flush=True)


# ---- Outputs ----

SHOWN = {"run": ("run", hello), "run --json": ("run", "--json", hello), "run of a trace": ("run", trace), "decode": ("decode", hello),
         "decode --json": ("decode", "--json", hello), "decode --asm": ("decode", "--asm", hello), "asm": ("asm", "-q", "-o", "-", hello),
         "a timeline": ("run", "-q", "-T", "-", hello), "devices": ("devices",), "commands": ("commands", "skl"), "structures": ("structures", "skl"),
         "registers": ("registers", "skl", "--json"), "contexts": ("contexts", "skl"), "map": ("map", "skl"), "help": ("--help",),
         "a subcommand's help": ("run", "--help"), "version": ("--version",)}
WRITTEN = {"asm": ("asm", "-q", "-o", "file", hello), "a timeline": ("run", "-q", "-T", "file", trace),
           "a state": ("run", "-q", "--save-at", "100", "--save", "file", trace),
           "a picture": ("run", "-q", blits, "--surface", "0x10000000,64x64,R8G8B8A8_UNORM,x", "-o", "file")}


def call(command, folder=None, **options):
    return subprocess.run([softgt, *command], stderr=subprocess.PIPE, text=True, timeout=60, cwd=folder, check=False, **options)


def shown():
    """Standard output that takes nothing."""
    for name, command in SHOWN.items():
        with open("/dev/full", "w") as full:
            done = call(command, stdout=full)
        result(done.returncode == 2 and "No space left" in done.stderr, f"{name}: a full device", (done.returncode, done.stderr))
        done = call(command, stdout=subprocess.DEVNULL, preexec_fn=lambda: os.close(1))
        result(done.returncode == 2 and "Bad file descriptor" in done.stderr, f"{name}: a closed output", (done.returncode, done.stderr))
        reader, writer = os.pipe()
        os.close(reader)
        done = call(command, stdout=writer)
        os.close(writer)
        result(done.returncode == -13 or done.returncode == 2 and "Broken pipe" in done.stderr, f"{name}: a pipe that nobody reads",
               (done.returncode, done.stderr))


def written():
    """Files that must not grow, folders that nothing goes into: what was there is there."""
    def small():
        resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))

    for name, command in WRITTEN.items():
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "file")
            file.write_text("before")
            done = call(command, folder, preexec_fn=small)
            result(done.returncode == 2 and "File too large" in done.stderr and file.read_text() == "before" and os.listdir(folder) == ["file"],
                   f"{name}: a file that is too large", (done.returncode, done.stderr, os.listdir(folder)))
            with open("/dev/full", "w") as full:
                done = call([f"/dev/fd/{full.fileno()}" if word == "file" else word for word in command], folder, pass_fds=[full.fileno()])
            result(done.returncode == 2 and done.stderr, f"{name}: a device that is full", (done.returncode, done.stderr))
            if os.getuid():
                os.chmod(folder, 0o500)
            user = {"user": 65534, "group": 65534, "extra_groups": []} if not os.getuid() else {}
            os.chmod(file, 0o444)
            os.chmod(folder, 0o555)
            done = call([word if word not in (hello, trace, blits) else word for word in command], folder, **user)
            os.chmod(folder, 0o755)
            result(done.returncode == 2 and "ermission denied" in done.stderr and file.read_text() == "before", f"{name}: a folder of others",
                   (done.returncode, done.stderr))


def descriptors():
    """Few, then one more, until there are enough."""
    for name, command in {**WRITTEN, "decode": SHOWN["decode"]}.items():
        for most in range(3, 24):
            with tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder, "file")
                file.write_text("before")
                # The loader has its own for the libraries: what is there when main begins counts.
                done = call(command, folder, stdout=subprocess.DEVNULL,
                            env=dict(os.environ, LD_BIND_NOW="1"), preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most)))
                if done.returncode == 127:
                    continue
                good = done.returncode == 0 or (done.returncode == 2 and done.stderr and file.read_text() == "before" and os.listdir(folder) == ["file"])
            if not good or done.returncode == 0:
                break
        result(good, f"{name}: {most} descriptors", (done.returncode, done.stderr))


def full():
    """A file system of two pages, both in use. Needs a name space of its own, which not every host gives."""
    inside = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
              'mount -t tmpfs -o size=8k none "$0" && cd "$0" && printf before > file && head -c 4096 /dev/zero > other && shift && "$@"; '
              'echo "status $?"; cat file; echo; ls')
    with tempfile.TemporaryDirectory() as folder:
        there = subprocess.run([*inside, folder, "-", "true"], capture_output=True, text=True, check=False)
        if there.stdout != "status 0\nbefore\nfile\nother\n":
            print("# no file system can be mounted here")
            return
        for name, command in WRITTEN.items():
            done = subprocess.run([*inside, folder, "-", softgt, *command], capture_output=True, text=True, timeout=60, check=False)
            result(done.stdout.endswith("status 2\nbefore\nfile\nother\n") and "No space left" in done.stderr, f"{name}: a file system that is full",
                   (done.stdout, done.stderr))


def stops_and_goes(process, dice, times=50):
    """Calls of the host that wait are interrupted."""
    for _ in range(times):
        process.send_signal(signal.SIGSTOP)
        time.sleep(dice.random() * 0.004)
        process.send_signal(signal.SIGCONT)
        time.sleep(dice.random() * 0.004)


def interrupted():
    dice = random.Random(seed + 3)
    server = Server(softgt)
    disturber = threading.Thread(target=stops_and_goes, args=(server.process, dice, 150))
    disturber.start()
    good = all([works(server.path) for _ in range(20)])
    disturber.join()
    result(good and works(server.path) and server.end()[0] == 0, "a server that is stopped and goes on", server.text())
    for name, command in {"run": ("run", "-q", "-"), "decode": ("decode", "-")}.items():
        process = subprocess.Popen([softgt, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with open(trace, "rb") as file:
            data = file.read()
        disturber = threading.Thread(target=stops_and_goes, args=(process, dice, 20))
        disturber.start()
        with contextlib.suppress(BrokenPipeError):
            for at in range(0, len(data), 500):
                process.stdin.write(data[at:at + 500])
                process.stdin.flush()
                time.sleep(0.004)
        told = process.communicate(timeout=60)
        disturber.join()
        result(process.returncode == 0, f"{name}: stopped and going on while it reads", told[1])


# ---- Peers ----

def works(path):
    """A session from its beginning to the memory that an engine wrote."""
    client = Client(path)
    _, memory = client.ram(1 << 20)
    client.identity(client.table(), 256)
    value = random.getrandbits(32)
    client.ring(0x2000, 0x10000, memory, [0x10400002, 0x20000, 0, value])
    end = time.time() + 10
    while client.read(0x2034) is not None and struct.unpack_from("<I", memory, 0x20000)[0] != value:
        if time.time() > end:
            return False
    client.close()
    return True


def session(client, dice):
    """What a guest's machine sends, as messages with what goes along."""
    file = os.memfd_create("ram")
    os.ftruncate(file, 1 << 20)
    client.files.append(file)
    event = os.eventfd(0)
    client.files.append(event)
    access = lambda command, offset, region, data, count=4: (command, struct.pack("<QII", offset, region, count) + data, ())
    yield MAP, struct.pack("<IIQQQ", 32, 3, 0, 0, 1 << 20), (file,)
    yield MAP, struct.pack("<IIQQQ", 32, 3, 0, 1 << 20, 1 << 20), ()
    yield SET_IRQS, struct.pack("<5I", 20, TRIGGER_FD, MSI, 0, 1), (event,)
    yield SET_IRQS, struct.pack("<5I", 20, TRIGGER_FD, INTX, 0, 1), (event,)
    yield access(WRITE, 0x800000, BAR0, b"".join(struct.pack("<Q", i << 12 | 1) for i in range(512)), 4096)
    os.pwrite(file, struct.pack("<4I", 0x10400002, 0x20000, 0, 1) * 256, 0x10000)
    os.pwrite(file, struct.pack("<4I", 0x10400002, 0x120000, 0, 1) * 256, 0x11000)
    for engine in (0x2000, 0x22000):
        for offset, value in ((0x80, 0x8000), (0x38, 0x10000), (0x3C, 0x1001), (0x30, 0x1800)):
            yield access(WRITE, engine + offset, BAR0, struct.pack("<I", value))
    if dice.random() < 0.3:
        os.ftruncate(file, dice.randrange(1 << 20))
    yield access(READ, 0, GMADR, b"", dice.choice((4, 4096, 1 << 16)))
    yield access(WRITE, 0x100000, GMADR, bytes(4096), 4096)
    yield RESET, b"", ()
    yield UNMAP, struct.pack("<IIQQ", 24, 0, 0, 1 << 20), ()


def stop_anywhere(path, dice):
    """A client whose end comes in the middle of a message, or while it is answered or asked."""
    client = Client(path)
    left = dice.randrange(1, 20)
    with contextlib.suppress(Gone, OSError):
        for command, data, files in session(client, dice):
            left -= 1
            message = struct.pack("<HHIII", left & 0xFFFF, command, 16 + len(data), 0, 0) + data
            if left == 0:
                client.raw(message[:dice.randrange(len(message) + 1)], files)
                break
            client.raw(message, files)
            if dice.random() < 0.5:
                client.socket.settimeout(0.02)
                client.take(16)
    client.close()


def left_open(server):
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


def clients():
    dice = random.Random(seed)
    server = Server(softgt)
    works(server.path)
    time.sleep(0.3)
    good, before = 0, (left_open(server), server.mappings())
    for i in range(kills):
        stop_anywhere(server.path, dice)
        if not server.alive():
            break
        if i == kills // 4:
            middle_kb = server.resident_kb()
        if i % 10 == 9:
            good += works(server.path)
    result(server.alive() and good == kills // 10, f"the next client is served, {kills} times", f"{good}: {server.text()}")
    if server.alive():
        works(server.path)
        time.sleep(0.3)
        after, grown_kb = (left_open(server), server.mappings()), server.resident_kb() - middle_kb
        result(after[0] == before[0] and after[1] < before[1] + 16 and grown_kb < 8192, "descriptors, mappings and memory stay as many",
               f"{before}, {after}, {grown_kb} KB")
    result(server.end()[0] == 0, "and it ends well", server.text())


def servers():
    dice = random.Random(seed + 1)
    good, rounds = 0, max(1, kills // 10)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "s")
        for _ in range(rounds):
            server = Server(softgt, path=path)
            client = Client(path)
            left = dice.randrange(1, 20)
            with contextlib.suppress(Gone, OSError):
                client.socket.settimeout(0.5)
                for command, data, files in session(client, dice):
                    left -= 1
                    client.send(command, data, 0, files)
                    if not left:
                        time.sleep(dice.random() * 0.003)
                        server.process.kill()
                        client.take(1 << 20)
            server.process.kill()
            server.process.wait()
            client.close()
            server = Server(softgt, path=path)
            good += works(path)
            good += server.end()[0] == 0
        result(good == 2 * rounds, f"a server that is started where one was killed serves, {rounds} times", good)
        result(os.listdir(folder) == [], "and nothing is left", os.listdir(folder))


# ---- A server without memory ----

def refused_or_served(path):
    """None: refused."""
    try:
        return works(path)
    except (Gone, OSError, AssertionError, struct.error, IndexError):
        return None


def memory():
    """An allocation of the server fails: it does not start and says so, or a client is refused and the next is served."""
    dice = random.Random(seed + 2)
    with tempfile.TemporaryDirectory() as folder:
        record = os.path.join(folder, "record")
        for options in ((), ("--record", record)):
            number, count, wrong, step = 0, 0, [], 1 if os.environ.get("POINTS") == "0" else 24
            while number < 400:
                number += dice.randrange(1, 2 * step)
                os.environ["FAILING"] = f"{number} 1 0 0"
                server = Server(failing, "--no-sandbox", *options)
                told = [refused_or_served(server.path) for _ in range(3)] if server.alive() else []
                status = server.end()[0]
                if told.count(True) < 2 and (status != 2 or "memory" not in server.text()) or status not in (0, 2) or status and told.count(True) == 3:
                    wrong.append((number, told, status, server.text()))
                count += 1
            result(not wrong, f"serve {' '.join(options[:1])}: {count} allocations that fail", wrong[:4])
    os.environ.pop("FAILING", None)


def crowded():
    """A server that may open no more descriptors, or few: who comes is refused or served, and told why; later all are served."""
    server = Server(softgt)
    works(server.path)
    time.sleep(0.3)
    process = server.process.pid
    most, here, told, wrong = resource.prlimit(process, resource.RLIMIT_NOFILE)[1], left_open(server), [], []
    for more in range(8):
        resource.prlimit(process, resource.RLIMIT_NOFILE, (here + more, most))
        with contextlib.suppress(OSError, Gone, AssertionError, struct.error, IndexError):
            client = Client(server.path, timeout_s=0.4)
            client.close()
            told.append(more)
        used = sum(map(int, open(f"/proc/{process}/stat").read().rsplit(")", 1)[1].split()[11:13]))
        resource.prlimit(process, resource.RLIMIT_NOFILE, (most, most))
        time.sleep(0.2)
        if not server.alive() or not works(server.path) or used > 500:
            wrong.append((more, used))
    result(not wrong and told and 0 not in told and "cannot accept a client: Too many open files" in server.text(),
           "descriptors of a server run out", (wrong, told, server.text()))
    result(server.end()[0] == 0, "and it ends well", server.text())


for job in (shown, written, descriptors, full, interrupted, clients, servers, crowded, memory):
    if not sys.argv[4:] or job.__name__ in sys.argv[4:]:
        job()
print(f"1..{len(results)}")
sys.exit(not all(results))
