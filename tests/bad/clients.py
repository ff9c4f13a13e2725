#!/usr/bin/env python3
"""What one client does touches neither the server nor the next client. clients.py SOFTGT [NAME...]"""
import concurrent.futures
import contextlib
import os
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import threading
import time

from vfio_client import *

softgt = sys.argv[1]
STOP_S = 0.4  # 0.1 on an idle machine
here = threading.local()  # results of a job


def result(good, name, why=""):
    here.results.append((bool(good), name, why))


@contextlib.contextmanager
def serving(*options, **more):
    server = Server(softgt, *options, **more)
    try:
        yield server
    finally:
        if server.alive():
            server.end()


def served(server, limit_s=8):
    """How long the next client waits; None: it is not served."""
    start = time.time()
    try:
        client = Client(server.path, timeout_s=limit_s)
        client.read(0x2358)
        client.close()
        return time.time() - start
    except (OSError, Gone):
        return None


def ends(server, name):
    status, seconds = server.end()
    result(status == 0 and seconds < STOP_S, f"SIGTERM is heard {name}", f"status {status} after {seconds:.2f} s")


# ---- Interrupts ----

def only_eventfds():
    with serving() as server:
        victim = os.path.join(server.folder.name, "victim")
        with open(victim, "w") as file:
            file.write("A" * 64)
        client = Client(server.path)
        closed, nobody = os.pipe()
        os.close(closed)
        reader, writer = os.pipe()
        gone, left = socket.socketpair()
        gone.close()
        kinds = {"a pipe that nobody reads": nobody, "a pipe": writer, "a pipe's other end": reader, "a socket": left.fileno(),
                 "a file": os.open(victim, os.O_RDWR), "/dev/null": os.open("/dev/null", os.O_RDWR), "a memfd": os.memfd_create("m")}
        for kind, fd in kinds.items():
            errors = [client.irqs(index, flags, [fd]) for index, flags in ((INTX, TRIGGER_FD), (MSI, TRIGGER_FD), (INTX, UNMASK_FD))]
            for index in (INTX, MSI):
                client.irqs(index, TRIGGER)
            result(errors == [22, 22, 22], f"{kind} is no interrupt", str(errors))
        with open(victim) as file:
            result(file.read() == "A" * 64, "nothing was written to the file")
        event = os.eventfd(0)
        result(client.irqs(MSI, TRIGGER_FD, [event]) == 0 and client.irqs(MSI, TRIGGER) == 0 and os.eventfd_read(event) == 1,
               "an eventfd is, and is told once")
        client.close()
        result(served(server) is not None, "the next client is served")


def full_eventfd():
    with serving() as server:
        client = Client(server.path)
        event = os.eventfd(0)
        client.irqs(MSI, TRIGGER_FD, [event])
        os.eventfd_write(event, 0xFFFFFFFFFFFFFFFE)
        os.set_blocking(event, True)  # both ends have the same flags
        client.send(SET_IRQS, struct.pack("<5I", 20, TRIGGER, MSI, 0, 1), NO_REPLY)
        time.sleep(0.2)
        client.close()
        result(served(server) is not None, "a full eventfd that blocks does not stop the server")


def stolen_unmask():
    with serving() as server:
        client = Client(server.path)
        event = os.eventfd(0)
        client.irqs(INTX, UNMASK_FD, [event])
        os.set_blocking(event, True)
        thief = subprocess.Popen([sys.executable, "-c", "import os, sys\nwhile True: os.read(int(sys.argv[1]), 8)", str(event)],
                                 pass_fds=[event])
        longest, end = 0, time.time() + 3
        while time.time() < end:
            for _ in range(500):
                os.eventfd_write(event, 1)
            start = time.time()
            client.read(0x2358)
            longest = max(longest, time.time() - start)
        thief.kill()
        thief.wait()
        client.close()
        result(longest < 2 and served(server) is not None, "an eventfd that another reads first does not stop the server",
               f"{longest:.2f} s")


# ---- Memory ----

def huge_pages():
    try:
        file = os.memfd_create("huge", 4)  # MFD_HUGETLB
        os.ftruncate(file, 64 << 20)
    except OSError as error:
        result(True, f"huge pages # SKIP {error}")
        return
    with serving() as server:
        client = Client(server.path)
        before = server.mappings()
        errors = {client.map(i << 22, 0x3000, file, 0x1ff000) or client.unmap(i << 22, 0x3000) for i in range(300)}
        result(errors == {0} and server.mappings() < before + 10, "parts of huge pages are mapped and unmapped",
               f"{errors}, {server.mappings() - before} mappings left")
        client.map(0, 64 << 20, file)
        client.identity(client.table(), 1)
        with contextlib.suppress(Gone):
            client.read(0, 4, GMADR)  # there may be no page for it
        client.close()
        result(served(server) is not None, "huge pages that are not there do not stop the server", server.text())


def held_message():
    """Each qword of an aperture write is sent to the client, who sends another message meanwhile."""
    with serving() as server:
        client = Client(server.path)
        client.map(0, 1 << 20)
        client.identity(client.table(), 256)
        sent, arrived = bytes(range(1, 9)) * 64, {}
        number = client.send(WRITE, struct.pack("<QII", 0, GMADR, len(sent)) + sent)
        for i in range(len(sent) // 8):
            got, command, _, _, data = client.message()
            address, count = struct.unpack("<QQ", data[:16])
            arrived[address] = data[16:16 + count]
            if i == 2:
                client.raw(struct.pack("<HHIII", 7, WRITE, 2080, NO_REPLY, 0) + struct.pack("<QII", 0x100000, BAR0, 2048) + b"\xee" * 2048)
            client.dma_reply(got, command, address, count)
        result(client.answer(number)[0] == 0 and b"".join(arrived[k] for k in sorted(arrived)) == sent,
               "a message stays as it is while others come")
        client.close()


def bounds():
    """Each at its edge (docs/limits.md)."""
    with serving() as server:
        client = Client(server.path)
        largest = client.ask(READ, struct.pack("<QII", 0x800000, BAR0, 1 << 20))
        result(largest[0] == 0 and len(largest[1]) == 16 + (1 << 20) and client.ask(READ, struct.pack("<QII", 0x800000, BAR0, (1 << 20) + 1))[0] == 22,
               "a message moves 1 MB, and no byte more")
        for i in range(16384):
            client.send(MAP, struct.pack("<IIQQQ", 32, 3, 0, i << 12, 4096), NO_REPLY)
        result(client.map(16384 << 12, 4096) == 28 and client.unmap(0, 4096) == 0 and client.map(16384 << 12, 4096) == 0,
               "16,384 regions of memory, and no more")
        client.unmap(0, 0, 2)
        nothing = os.open("/dev/null", os.O_RDWR)
        result(client.ask(READ, struct.pack("<QII", 0x2358, BAR0, 4), [nothing] * 16)[0] == 0, "a message has 16 descriptors")
        try:
            client.ask(READ, struct.pack("<QII", 0x2358, BAR0, 4), [nothing] * 17)
            result(False, "and 17 end its client")
        except Gone:
            result(True, "and 17 end its client")
        client.close()
        os.close(nothing)
        for size, ends in (((1 << 20) + 4096, False), ((1 << 20) + 4097, True)):
            client = Client(server.path)
            try:
                client.raw(struct.pack("<HHIII", 1, 99, size, 0, 0) + bytes(size - 16))
                result(client.answer(1)[0] == 95 and not ends, f"a message of {size:,} bytes is {'too long' if ends else 'read'}")
            except Gone:
                result(ends, f"a message of {size:,} bytes is {'too long' if ends else 'read'}")
            client.close()


def set_aside():
    """Large messages while the server waits for memory: it keeps some."""
    with serving() as server:
        client = Client(server.path)
        client.map(0, 1 << 20)
        client.identity(client.table(), 256)
        before_kb = server.resident_kb()
        number = client.send(READ, struct.pack("<QII", 0, GMADR, 4))
        asked = client.message()
        for _ in range(40):
            client.raw(struct.pack("<HHIII", 7, 99, 16 + (1 << 20), NO_REPLY, 0) + bytes(1 << 20))
        most_kb = server.resident_kb()
        client.dma_reply(asked[0], asked[1], 0, 4, b"abcd")
        result(most_kb - before_kb < 16000 and client.answer(number)[0] == 0 and client.read(0x2358) is not None,
               "few messages are kept while an answer is waited for", f"{most_kb - before_kb} KB")
        client.close()


def closed_streams():
    """What is opened is not taken for standard error."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "s")
        with subprocess.Popen(["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", softgt, "serve", "--log", "access", "--socket", path]) as process:
            client = Client(path)
            values = {client.read(0x2358 + 8 * (i % 2)) is not None and client.ask(99)[0] == 95 for i in range(200)}
            client.close()
            process.terminate()
            result(values == {True} and process.wait(20) == 0, "a server whose standard streams are closed serves")


# ---- The socket ----

def two_servers():
    with serving("--once") as server:
        second = subprocess.run([softgt, "serve", "--socket", server.path], stderr=subprocess.PIPE, timeout=20, check=False)
        time.sleep(0.2)
        result(second.returncode == 2 and server.alive() and served(server) is not None,
               "a second server at the path does not end the first, with --once")
        server.process.wait(10)
        result(server.process.returncode == 0 and not os.path.exists(server.path), "a client does")
    with serving() as server:
        client, waiting = Client(server.path), []
        with contextlib.suppress(BlockingIOError):
            while len(waiting) < 32:
                waiting.append(socket.socket(socket.AF_UNIX))
                waiting[-1].setblocking(False)
                waiting[-1].connect(server.path)
        second = subprocess.run([softgt, "serve", "--socket", server.path], stderr=subprocess.PIPE, timeout=20, check=False)
        result(second.returncode == 2 and b"in use" in second.stderr, "nor does one wait while clients do")
        client.close()
        for other in waiting:
            other.close()
    with serving() as server:
        os.unlink(server.path)
        with open(server.path, "w") as file:
            file.write("another's")
        server.end()
        result(os.path.exists(server.path), "what is put in the socket's place is left there")
    with serving() as server:
        os.unlink(server.path)
        with serving(path=server.path) as second:
            server.end()
            result(served(second) is not None, "so is the socket of another server")


def killed_servers():
    """What a killed server leaves is put away, but not what the next one has."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "s")
        for _ in range(20):
            server = Server(softgt, path=path)
            Client(path).close()
            server.process.kill()
            server.process.wait()
        with serving(path=path) as server:
            answers = served(server) is not None
            time.sleep(0.5)
            result(answers and os.path.exists(path), "a server that is started when another was killed keeps its socket")


def modes():
    for options, mode in (((), 0o600), (("--mode", "640"), 0o640), (("--group", str(os.getgid())), 0o660),
                          (("--group", str(os.getgid()), "--mode", "620"), 0o620)):
        with serving(*options) as server:
            there = os.stat(server.path)
            result(stat.S_IMODE(there.st_mode) == mode and there.st_gid == os.getgid(), f"the socket's mode is {mode:o}",
                   f"{there.st_mode:o}")


# ---- The end ----

def slow_reader():
    with serving() as server:
        client = Client(server.path)
        client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.send(READ, struct.pack("<QII", 0x800000, BAR0, 1 << 20))
        time.sleep(0.5)
        ends(server, "while a client does not read its answer")
        client.close()


def many_resets():
    with serving() as server:
        client = Client(server.path)
        capability = client.read(0x34, 1, CONFIG)
        while client.read(capability, 1, CONFIG) not in (0x10, 0x13):
            capability = client.read(capability + 1, 1, CONFIG)
        express = client.read(capability, 1, CONFIG) == 0x10
        reset = struct.pack("<QIIQ", capability + (9 if express else 4), CONFIG, 1, 0x80 if express else 1)
        client.send(WRITE_MULTI, struct.pack("<Q", 43690) + reset * 43690)
        time.sleep(0.5)
        ends(server, "in a message of 43,690 resets")
        client.close()


def slow_memory():
    with serving() as server:
        client = Client(server.path)
        client.map(0, 64 << 20)
        client.identity(client.table(), 1 << 14)
        asked = []
        client.write(0x2038, 0x10000)
        client.write(0x203C, 1)
        client.write(0x2030, 4088, reply=False)
        program = struct.pack("<4I", 0x10400002, 0x20000, 0, 1) * 256
        for _ in range(2):
            asked.append(client.message())
            number, command, _, _, data = asked[-1]
            address, count = struct.unpack("<QQ", data[:16])
            client.dma_reply(number, command, address, count, (program[address & 0xFFF:] + bytes(count))[:count])
        client.message()
        time.sleep(0.1)
        ends(server, "while memory is asked for")
        client.close()
    with serving() as server:
        client = Client(server.path)
        client.map(0, 64 << 20)
        client.identity(client.table(), 1 << 14)
        start = time.time()
        for engine in (0x2000, 0x22000, 0x12000, 0x1C000, 0x1A000):
            for offset, value in ((0x38, 0x10000), (0x3C, 1), (0x30, 64)):
                client.send(WRITE, struct.pack("<QIII", engine + offset, BAR0, 4, value), NO_REPLY)
        time.sleep(2.5)
        result(client.read(0x2358) is not None and time.time() - start < 5, "one question without an answer is enough")
        client.close()


def silent():
    """A paused machine is silent for hours; who never spoke, or stops in a message, is not waited for."""
    with serving() as server:
        mute = Client(server.path, hello=b"")
        waited = served(server, 20)
        result(waited and waited < 8, "a client that never says its version must go", str(waited))
        mute.close()
        half = Client(server.path)
        half.raw(b"\0" * 10)
        waited = served(server, 30)
        result(waited and waited < 14, "so must one that stops in a message", f"{waited}: {server.text()}")
        half.close()


def honest_silence():
    with serving() as server:
        client = Client(server.path)
        time.sleep(12)
        result(client.read(0x2358) is not None and not server.text(), "a silent client keeps its device", server.text())
        client.close()


# ---- What is told ----

def refusals():
    with serving() as server:
        client = Client(server.path)
        for _ in range(100):
            client.raw(struct.pack("<HHIII", 1, 99, 16, NO_REPLY, 0) * 500)
        client.read(0x2358)
        client.close()
        server.end()
        text = server.text()
        result(len(text) < 10000 and "49936 more lines" in text, "50,000 refusals are some lines", f"{len(text)} bytes: {text[-100:]}")


def unread():
    reader, writer = os.pipe()
    with serving("--log", "access", stderr=writer) as server:
        os.close(writer)
        client = Client(server.path)
        start = time.time()
        for _ in range(4000):
            client.read(0x2358)
        result(time.time() - start < 10, "standard error that nobody reads does not stop the server", f"{time.time() - start:.1f} s")
        text = b""
        while b"lines are lost" not in text and time.time() - start < 20:
            text += os.read(reader, 65536)
            client.read(0x2358)
        result(b"lines are lost" in text, "what was lost is told")
        os.close(reader)
        client.read(0x2358)
        client.close()
        result(served(server) is not None, "nor does one whose reader went away")
        ends(server, "then, too")


# ---- Recording ----

def recording():
    pages, memory_bytes = 8192, 32 << 20
    folder = tempfile.TemporaryDirectory()
    trace = os.path.join(folder.name, "t.aub")
    with serving("--record", trace) as server:
        client = Client(server.path)
        file, memory = client.ram(memory_bytes)
        table = client.table()
        client.identity(table, pages)
        start = time.time()
        client.ask(WRITE, struct.pack("<QII", 0x100000, BAR0, 65536) + bytes(65536))
        result(time.time() - start < 3, "a long message does not look at the table for each register", f"{time.time() - start:.1f} s")
        before_kb = server.resident_kb()
        store = [0x10400002, 0x20000, 0, 0, 0x10400002, 0x21000, 0, 1]
        for i in range(8):
            client.unmap(0, 0, 2)
            base = i % 4 << 30 if i >= 4 else i << 30
            client.map(base, memory_bytes, file)
            client.identity(table, pages, base)
            for page in range(0, memory_bytes, 4096):
                client.write(page, i + 1, 4, GMADR, reply=False)
            store[3] = i
            client.ring(0x2000, 0x10000, memory, store)
            client.read(0x2034)
        grown_kb = server.resident_kb() - before_kb
        # A context without commands, whose status page has when it was submitted: at a time at which nothing runs.
        client.write(0x2034 + 8, 0)
        client.write(0x229C, 0x80008000)
        time.sleep(0.05)
        for descriptor in (0, 0, 0, 0x40000 | 0x19):
            client.write(0x2230, descriptor)
        client.read(0x2034)
        time.sleep(0.1)
        result(memory[0x40050:0x40058] != bytes(8), "a context tells when it was submitted")
        result(grown_kb < 260000, "pages of a recording are forgotten", f"{grown_kb} KB for {8 * memory_bytes >> 20} MB")
        client.close()
        result(server.end()[0] == 0, "the recording is written")
    done = subprocess.run([softgt, "run", trace], capture_output=True, text=True, check=False)
    result(done.returncode == 0 and "compares: 0 of" in done.stdout, "and repeats itself", done.stdout + done.stderr)
    folder.cleanup()


# ---- All ----

def run(job, times=1):
    """Its results; of those that are measured the last of some, for other work on the machine may hold up one."""
    for _ in range(times):
        here.results = []
        try:
            job()
        except (OSError, Gone, AssertionError, struct.error, subprocess.TimeoutExpired) as error:
            result(False, "comes to its end", repr(error))
        if all(good for good, _, _ in here.results):
            break
    return [(good, f"{job.__name__}: {name}", why) for good, name, why in here.results]


with concurrent.futures.ThreadPoolExecutor() as pool:
    wanted = sys.argv[2:]  # some by name; all without
    waiting = [pool.submit(run, job) for job in (silent, honest_silence) if not wanted or job.__name__ in wanted]
    results = []
    for job in (only_eventfds, full_eventfd, stolen_unmask, huge_pages, held_message, bounds, set_aside, closed_streams, two_servers, killed_servers, modes, slow_reader, many_resets,
                slow_memory, refusals, unread, recording):
        if not wanted or job.__name__ in wanted:
            results += run(job, 3 if job in (slow_reader, many_resets, slow_memory, unread) else 1)
    for job in waiting:
        results += job.result()
for number, (good, name, why) in enumerate(results, 1):
    print(f"{'ok' if good else 'not ok'} {number} - {name}{'' if good else ' # ' + ' '.join(why.split())[:300]}")
print(f"1..{len(results)}")
sys.exit(not all(good for good, _, _ in results))
