#!/usr/bin/env python3
"""What one client does touches neither the server nor the next client. clients.py SOFTGT [NAME...]"""
import concurrent.futures
import contextlib
import fcntl
import os
import signal
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


# ---- Messages ----

def short_messages():
    with serving() as server:
        client = Client(server.path)
        answers = {client.ask(command, bytes(n))[0] for command, size in ((MAP, 32), (UNMAP, 24), (REGION_INFO, 32), (IRQ_INFO, 16), (SET_IRQS, 20),
                                                                          (READ, 16), (WRITE, 16), (WRITE_MULTI, 8)) for n in range(size)}
        result(answers == {22} and client.read(0x2358) is not None, "a message that is cut is refused", str(answers))
        wrong = {client.ask(WRITE_MULTI, struct.pack("<QQIIQ", 1, offset, region, count, 0))[0] for offset, region, count in ((16 << 20, 0, 4), (0, 0, 9))}
        result(wrong == {22}, "so are one of several writes to nowhere, and one that is too long", str(wrong))
        client.write(0x100001, 0x1234, 2)
        result(client.read(0x100001, 2) == 0x1234 and client.read(0, 1, 4) is not None, "bytes between dwords, and the I/O region, are accessed")
        result(client.ask(REGION_INFO, struct.pack("<IIIIQQ", 32, 0, 9, 0, 0, 0))[0] == client.ask(IRQ_INFO, struct.pack("<4I", 16, 0, 5, 0))[0] == 22,
               "so are regions and interrupts that are not there")
        client.close()


def versions():
    def hello(payload, *more):
        client = Client(server.path, None)
        try:
            for text in (payload, *more):
                answer = client.ask(VERSION, text)[0]
            return answer, client.read(0x2358) is not None
        except Gone:
            return answer, False
        finally:
            client.close()

    with serving() as server:
        good, gone = b"\0\0\0\0", (22, False)
        for name, answer, *sent in (("a short version is refused, and may be mended", (0, True), b"\0\0\0", good),
                                    ("a second one is refused", (22, True), good, good),
                                    ("capabilities may be left out", (0, True), good + b"{}\0"),
                                    ("text that does not end is none", gone, good + b"{}"), ("nor is another kind of JSON", gone, good + b"7\0")):
            result(hello(*sent) == answer, f"version: {name}", str(hello(*sent)))
        for most in (-1, 0, 8, 1 << 20, 1 << 40):
            client, asked = Client(server.path, good + b'{"capabilities":{"max_data_xfer_size":%d}}\0' % most), []

            def dma(got, command, address, count, data):
                asked.append(count)
                client.dma_reply(got, command, address, count, struct.pack("<Q", address)[:count].ljust(count, b"\0"))

            client.dma = dma
            client.map(0, 1 << 20)
            client.identity(client.table(), 256)
            client.write(0x2034 + 4, 0x10000)
            client.write(0x203C, 1)
            client.write(0x2030, 64)
            client.read(0x2358)
            result(asked and (max(asked) == 8) == (most == 8), f"version: {most} bytes in a message", str(asked))
            client.close()


def unread_answers():
    with serving() as server:
        for i in range(30):
            client = Client(server.path)
            for _ in range(10):
                client.send(*((READ, struct.pack("<QII", 0x2358, BAR0, 4)), (RESET,), (99,))[i % 3])
            client.close()
        result(served(server) is not None, "a client may leave without its answers", server.text())


def cut_descriptors():
    """The descriptor's message comes in two parts, behind others; the server does not look meanwhile."""
    with serving() as server:
        file = os.memfd_create("ram")
        os.ftruncate(file, 4 << 20)
        os.pwrite(file, b"ABCD", 0x4000)
        client = Client(server.path)
        table = client.table()

        def mapping(trailing=b""):
            return struct.pack("<HHIIIIIQQQ", 50, MAP, 48 + len(trailing), 0, 0, 32, 3, 0, 0, 4 << 20) + trailing

        def stopped(*parts):
            server.process.send_signal(signal.SIGSTOP)
            for data, files in parts:
                client.raw(data, files)
            server.process.send_signal(signal.SIGCONT)

        first = struct.pack("<HHIIIQII", 49, READ, 32, 0, 0, 0x2358, BAR0, 4)
        largest = mapping(bytes((1 << 20) + 4096 - 48))
        for name, message, cut, last in (("behind another", mapping(), 20, 1), ("with only a part of its header", mapping(), 7, 1),
                                         ("of the largest size", largest, 100, 8), ("whose end it came with", mapping(), 0, 8),
                                         ("of the largest size whose end it came with", largest, 0, 8)):
            stopped((first + message[:cut], [file] if cut else []))
            time.sleep(0.05)
            client.raw(message[cut:-last])
            time.sleep(0.05)
            client.raw(message[-last:], [] if cut else [file])
            good = client.answer(49)[0] == 0 and client.answer(50)[0] == 0
            client.identity(table, 1024)
            result(good and client.read(0x4000, region=GMADR) == 0x44434241, f"a descriptor comes with a message {name}")
            client.unmap(0, 0, 2)
        # While the server waits for memory, too.
        client.map(0, 1 << 20)
        client.identity(table, 1024)
        number, message = 48, mapping()
        client.raw(struct.pack("<HHIIIQII", number, READ, 32, 0, 0, 0, GMADR, 4) + first + message[:20], [file])
        asked = client.message()
        client.raw(message[20:])
        client.dma_reply(asked[0], asked[1], 0, 4, b"abcd")
        result(client.answer(number)[1][16:] == b"abcd" and client.answer(49)[0] == 0 and client.answer(50)[0] == 17,
               "messages that come between a question and its answer are handled later, with their descriptors")
        client.close()
        os.close(file)


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


@contextlib.contextmanager
def blocking(index, flags):
    """A client and the eventfd that it gave, which blocks: both ends have the same flags."""
    with serving() as server:
        client = Client(server.path)
        event = os.eventfd(0)
        client.irqs(index, flags, [event])
        os.set_blocking(event, True)
        yield server, client, event


def full_eventfd():
    with blocking(MSI, TRIGGER_FD) as (server, client, event):
        os.eventfd_write(event, 0xFFFFFFFFFFFFFFFE)
        client.send(SET_IRQS, struct.pack("<5I", 20, TRIGGER, MSI, 0, 1), NO_REPLY)
        time.sleep(0.2)
        client.close()
        result(served(server) is not None, "a full eventfd that blocks does not stop the server")


def full_eventfd_in_a_slice():
    """Commands raise a message, clear it and raise the next, a hundred times."""
    with serving() as server:
        client, event = Client(server.path), os.eventfd(0)
        _, memory = client.ram(4 << 20)
        client.identity(client.table(), 1024)
        capability = client.read(0x34, 1, CONFIG)
        while client.read(capability, 1, CONFIG) != 5:
            capability = client.read(capability + 1, 1, CONFIG)
        client.write(capability + 2, client.read(capability + 2, 2, CONFIG) | 1, 2, CONFIG)
        for register, value in ((0x44304, 0), (0x4430C, 0xFFFFFFFF), (0x44200, 0x80000000), (0x20A8, 0xFFFFFFFE)):
            client.write(register, value)
        client.irqs(MSI, TRIGGER_FD, [event])
        again = [0x01000000, 0x11000005, 0x44308, 0xFFFFFFFF, 0x44200, 0, 0x44200, 0x80000000]
        client.ring(0x2000, 0x10000, memory, again * 100)
        client.read(0x2358)
        time.sleep(0.5)
        told = os.eventfd_read(event)
        os.eventfd_write(event, 0xFFFFFFFFFFFFFFFE)
        full = client.irqs(MSI, TRIGGER), os.eventfd_read(event)
        result(full == (0, 0xFFFFFFFFFFFFFFFE) and client.irqs(MSI, TRIGGER) == 0 and os.eventfd_read(event) == 1,
               "a full one that does not block is full, no more")
        os.set_blocking(event, True)
        os.eventfd_write(event, 0xFFFFFFFFFFFFFFFE)
        start = time.time()
        client.ring(0x2000, 0x10000, memory, again * 100)
        client.read(0x2358)
        took_s = time.time() - start
        result(told == 100 and took_s < 0.6, "one that blocks is left alone from then on", f"{told} told, a read took {took_s:.2f} s")
        client.irqs(MSI, TRIGGER_FD, [os.eventfd(0)])
        result(client.irqs(MSI, TRIGGER) == 0 and "blocks" in server.text(), "until the client gives another", server.text())
        client.close()


def stolen_unmask():
    with blocking(INTX, UNMASK_FD) as (server, client, event):
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


def masks():
    """Of the pin: the client's, with each kind of data."""
    none, flag, mask, unmask, trigger = 1, 2, 8, 16, 32
    with serving() as server:
        client, event, opens = Client(server.path), os.eventfd(0, os.EFD_NONBLOCK), os.eventfd(0, os.EFD_NONBLOCK)
        _, memory = client.ram(4 << 20)
        client.identity(client.table(), 1024)

        def say(flags, value=None, index=INTX, count=1):
            return client.ask(SET_IRQS, struct.pack("<5I", 20, flags, index, 0, count) + (b"" if value is None else bytes([value])))[0]

        def told():
            client.read(0x2358)
            try:
                return os.eventfd_read(event)
            except BlockingIOError:
                return 0

        result({say(none | mask | unmask), say(none | flag | mask), say(none | mask, index=MSI), say(flag | trigger)} == {22},
               "one action, one kind of data, which is there")
        result([say(4 | trigger, index=index, count=0) for index in range(5)] + [say(none | trigger, index=3, count=0)] == [0] * 6,
               "none is none to disable")
        client.irqs(INTX, TRIGGER_FD, [event])
        say(none | trigger, count=0)
        client.irqs(INTX, TRIGGER)
        result(told() == 0, "a pin that is disabled is not rung")
        client.irqs(INTX, TRIGGER_FD, [event])
        rung = [say(none | trigger), told(), say(flag | trigger, 0), told(), say(flag | trigger, 1), told()]
        result(rung == [0, 1, 0, 0, 0, 1], "a client rings itself", str(rung))
        for register, value in ((0x44304, 0), (0x4430C, 0xFFFFFFFF), (0x44200, 0x80000000), (0x20A8, 0xFFFFFFFE)):
            client.write(register, value)
        say(flag | mask, 0)
        say(flag | mask, 1)
        client.ring(0x2000, 0x10000, memory, [0x01000000, 0])
        seen = [told(), say(none | mask), told(), say(flag | unmask, 0), told(), say(none | unmask, count=0), told(), say(flag | unmask, 1), told(), told()]
        result(seen == [0, 0, 0, 0, 0, 0, 0, 0, 1, 0], "a masked pin rings when it is unmasked, once", str(seen))
        client.irqs(INTX, UNMASK_FD, [opens])
        os.eventfd_write(opens, 1)
        time.sleep(0.05)
        result(told() == 1, "so it does when an eventfd unmasks it")
        say(4 | mask)
        client.irqs(INTX, UNMASK_FD)
        client.irqs(INTX, TRIGGER_FD)
        result(say(none | trigger) == 0 and told() == 0, "and no more when the client takes its eventfd back")
        client.close()


# ---- Memory ----

def kinds_of_files():
    with serving() as server:
        client, (reader, writer) = Client(server.path), os.pipe()
        files = {"a folder": os.open("/", os.O_RDONLY), "/dev/zero": os.open("/dev/zero", os.O_RDWR), "a pipe": reader, "a socket": os.dup(client.socket.fileno())}
        errors = {name: client.map(0, 4096, file) for name, file in files.items()}
        result(set(errors.values()) == {22}, "only a file is memory", str(errors))
        sealed = os.memfd_create("m", os.MFD_ALLOW_SEALING)
        os.ftruncate(sealed, 4096)
        fcntl.fcntl(sealed, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE)
        result(client.map(0, 4096, sealed) not in (0, None) and client.read(0x2358) is not None, "one that may not be written is not mapped for writes")
        for file in (*files.values(), writer, sealed):
            os.close(file)
        client.close()


def one_way_memory():
    """Memory that is only read, or only written, from a file or by messages: neither store nor blit changes it, no read shows it."""
    store = [0x10400002, 0x20010, 0, 0xBAD, 0x01000000, 0]
    fill = [0x54300004 | 1, 0x03F00000 | 64, 0, 0x00010010, 0x20020, 0, 0xBAD, 0x01000000, 0, 0]
    for flags, by_message in ((1, False), (1, True), (2, False), (2, True)):
        with serving() as server:
            client = Client(server.path)
            file, memory = client.ram(4 << 20)
            memory[0x20000:0x21000] = b"old." * 1024
            result_of = {}

            def dma(got, command, address, count, data):
                result_of[command] = address
                if command == DMA_WRITE:
                    memory[address:address + count] = data
                client.dma_reply(got, command, address, count, bytes(memory[address:address + count]))

            client.dma = dma
            client.unmap(0, 0, 2)
            for address, kind, size in ((0, 3, 0x20000), (0x20000, flags, 0x1000), (0x21000, 3, 0x10000)):
                files = [file] if not by_message or kind == 3 else []
                client.ask(MAP, struct.pack("<IIQQQ", 32, kind, address if files else 0, address, size), files)
            client.identity(client.table(), 1024)
            client.ring(0x2000, 0x10000, memory, store)
            client.ring(0x22000, 0x11000, memory, fill)
            client.write(0x20040, 0xBAD, region=GMADR)
            seen = client.read(0x20000, region=GMADR)
            client.read(0x2358)
            changed = memory[0x20000:0x21000] != b"old." * 1024
            name = f"memory {'by messages' if by_message else 'of a file'} that is only {'read' if flags == 1 else 'written'}"
            result(not changed and seen == 0x2E646C6F if flags == 1 else seen != 0x2E646C6F, name, f"{changed}, {seen:x}, {result_of}")
            client.close()


def lost_memory():
    """One file of several is cut."""
    with serving() as server:
        for cut in range(3):
            client, files = Client(server.path), []
            client.map(0, 4096)
            for i in range(3):
                files.append(client.ram(1 << 20, (i + 1) << 20)[0])
            client.identity(client.table(), 1024)
            os.ftruncate(files[cut], 0)
            try:
                client.read((cut + 1) << 20, 4, GMADR)
                client.read(0x2358)
                result(False, "a client whose memory is gone must go")
            except Gone:
                result(True, "a client whose memory is gone must go")
            client.close()
        result(served(server) is not None, "and the next is served")


def answers():
    """What the client answers for memory: the right answer, an error, too few bytes, and what is no answer to the question."""
    with serving() as server:
        client = Client(server.path)
        client.map(0, 1 << 20)
        client.identity(client.table(), 256)
        seen = []
        for reply in ("right", "error", "short", "another", "other command"):
            number = client.send(READ, struct.pack("<QII", 0, GMADR, 4))
            asked = client.message()
            address, count = struct.unpack("<QQ", asked[4][:16])
            if reply == "error":
                client.raw(struct.pack("<HHIII", asked[0], asked[1], 16, 0x21, 5))
            elif reply == "short":
                client.raw(struct.pack("<HHIIIQQ", asked[0], asked[1], 34, 1, 0, address, count) + b"ab")
            else:
                if reply == "another":
                    client.dma_reply(asked[0] ^ 1, asked[1], address, count, b"wxyz"[:count].ljust(count, b"\0"))
                if reply == "other command":
                    client.dma_reply(asked[0], DMA_WRITE, address, count)
                client.dma_reply(asked[0], asked[1], address, count, b"abcd"[:count].ljust(count, b"\0"))
            seen.append(client.answer(number)[1][16:])
        result(seen[0] == seen[3] == seen[4] == b"abcd", "an answer is the one to the question", str(seen))
        result(seen[1] == seen[2] != seen[0], "without one, the memory is not there", str(seen))
        number = client.send(READ, struct.pack("<QII", 0, GMADR, 4))
        client.message()
        client.close()
        result(served(server) is not None, "a client may leave instead")
    # What comes while an engine's slice asks is handled behind it, but not without end; the client may leave there, too.
    for count, answer in ((1, True), (256, True), (257, False), (3, False)):
        with serving() as server:
            client = Client(server.path)
            client.map(0, 1 << 20)
            client.identity(client.table(), 256)
            for offset, value in ((0x34, 0), (0x38, 0x10000), (0x3C, 1), (0x30, 64)):
                client.write(0x2000 + offset, value, reply=False)
            asked = client.message()
            numbers = [client.send(READ, struct.pack("<QII", 0x2358, BAR0, 4)) for _ in range(count)]
            if answer:
                address, size = struct.unpack("<QQ", asked[4][:16])
                client.dma_reply(asked[0], asked[1], address, size, bytes(size))
                client.dma = lambda got, command, address, size, data: client.dma_reply(got, command, address, size, bytes(size))
                result([client.answer(number)[0] for number in numbers] == [0] * count, f"{count} messages while an engine waits for memory are answered")
            client.close()
            result(served(server) is not None, "and the client may leave")


def waits():
    """Nobody sends a message when a semaphore changes, nor when the display blanks."""
    with serving() as server:
        client = Client(server.path)
        _, memory = client.ram(4 << 20)
        client.identity(client.table(), 1024)

        def stored(value):
            end = time.time() + 5
            while memory[0x21000] != value and time.time() < end:
                time.sleep(0.001)
            return memory[0x21000] == value

        client.ring(0x22000, 0x10000, memory, [0x0E408002 | 4 << 12, 1, 0x20000, 0, 0x10400002, 0x21000, 0, 7, 0, 0])
        client.read(0x2358)
        time.sleep(0.05)
        before = memory[0x21000]
        memory[0x20000] = 1
        result(before == 0 and stored(7), "an engine sees that memory changed")
        client.write(0x70008, 0x80000000)
        client.ring(0x2000, 0x11000, memory, [0x01800008, 0, 0x10400002, 0x21000, 0, 9])
        result(stored(9), "and that the display blanks")
        client.close()


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


def kept_messages():
    """256 while the server waits for memory; with one more the access fails, and that one is not heard."""
    for count in (256, 257):
        with serving() as server:
            client = Client(server.path)
            client.map(0, 1 << 20)
            client.identity(client.table(), 256)
            number = client.send(READ, struct.pack("<QII", 0, GMADR, 4))
            asked = client.message()
            numbers = {client.send(READ, struct.pack("<QII", 0x2358, BAR0, 4)) for _ in range(count)}
            client.dma_reply(asked[0], asked[1], 0, 4, b"abcd")
            last = client.send(READ, struct.pack("<QII", 0x2358, BAR0, 4))
            answers = {}
            while last not in answers:
                got, _, flags, _, data = client.message()
                if flags & 15:
                    answers[got] = data
            heard = len(numbers & set(answers))
            result(heard == 256 and (answers[number][16:] == b"abcd") == (count == 256), f"of {count} messages 256 are kept", f"{heard} were")
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

def one_processor():
    """None is kept awake where there is only one."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        with serving() as server:
            tasks = len(os.listdir(f"/proc/{server.process.pid}/task"))
            result(served(server) is not None and tasks == 1, "a machine with one processor is served by one thread", f"{tasks} threads")
            ends(server, "there, too")
    finally:
        os.sched_setaffinity(0, before)


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
        result(len(waiting) == 6, "one client is served, five wait", str(len(waiting) - 1))
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


def unread_answer():
    """5 s without a byte taken, and the client must go; who takes some now and then is waited for."""
    def asked(server):
        client = Client(server.path)
        client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        return client, client.send(READ, struct.pack("<QII", 0x800000, BAR0, 1 << 20))
    with serving() as server:
        client, number = asked(server)
        for _ in range(2):
            time.sleep(3)
            client.buffer += client.socket.recv(1 << 18)
        result(len(client.answer(number)[1]) == 16 + (1 << 20), "who takes some of its answer every 3 s has all of it")
        client.close()
        client, number = asked(server)
        start = time.time()
        next_s = served(server, 12)
        result(next_s is not None and time.time() - start > 4, "who takes nothing for 5 s goes", f"the next client waits {next_s} s")
        client.close()


def slices_between():
    """Commands between two messages: 512 dwords while messages come; then the engine goes on."""
    with serving() as server:
        client = Client(server.path)
        _, memory = client.ram(16 << 20)
        client.identity(client.table(), 4096)
        ring, size = 4 << 20, 2 << 20
        memory[ring:ring + size] = struct.pack("<I", 0x02800000) * (size // 4)  # MI_ARB_CHECK
        for offset, value in ((0x38, ring), (0x34, 0), (0x3C, (size // 4096 - 1) << 12 | 1)):
            client.write(0x2000 + offset, value)
        read = struct.pack("<QII", 0x2034, BAR0, 4)
        client.raw(struct.pack("<HHIIIQIII", 1, WRITE, 36, NO_REPLY, 0, 0x2030, BAR0, 4, size - 8) +
                   b"".join(struct.pack("<HHIII", 100 + i, READ, 32, 0, 0) + read for i in range(200)))
        heads = [int.from_bytes(client.answer(100 + i)[1][16:20], "little") for i in range(200)]
        steps = sorted(b - a for a, b in zip(heads, heads[1:]))
        result(steps[len(steps) // 2] == 512 * 4, "512 dwords of commands are done between two messages", str(steps))
        end = time.time() + 10
        while client.read(0x2034) & 0x1FFFFC != size - 8 and time.time() < end:
            time.sleep(0.02)
        result(client.read(0x2034) & 0x1FFFFC == size - 8, "and the others once none come")
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


def always_halfway():
    """Each message ends in time, and what brings its end brings the next one's beginning."""
    with serving() as server:
        client, start, number = Client(server.path), time.time(), 100
        client.socket.settimeout(5)
        client.raw(struct.pack("<HHIII", number, READ, 32, 0, 0))
        try:
            while time.time() - start < 12:
                client.raw(struct.pack("<QIIHHIII", 0x2358, BAR0, 4, number + 1, READ, 32, 0, 0))
                client.answer(number)
                number += 1
                time.sleep(0.3)
            result(True, "a client that is always in a message, but never long in the same, keeps its device")
        except (OSError, Gone):
            result(False, "a client that is always in a message, but never long in the same, keeps its device", server.text())
        client.close()


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


# ---- Tracing ----

def traced():
    with tempfile.TemporaryFile("w+") as printed, serving("--trace", "registers,commands", stdout=printed) as server:
        client = Client(server.path)
        file, memory = client.ram(1 << 20)
        client.identity(client.table(), 256)
        client.ring(0x2000, 0x10000, memory, [0x10400002, 0x20000, 0, 7])
        client.read(0x2034)
        client.close()
        status = server.end()[0]
        printed.seek(0)
        text = printed.read()
        result(status == 0 and "MI_STORE_DATA_IMM" in text and "RING_BUFFER_CTL" in text, "events of a guest are printed as they happen",
               f"exit {status}: {text[:600]}")


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
    waiting = [pool.submit(run, job) for job in (silent, always_halfway, honest_silence, unread_answer) if not wanted or job.__name__ in wanted]
    results = []
    for job in (short_messages, versions, unread_answers, cut_descriptors, only_eventfds, masks, full_eventfd, full_eventfd_in_a_slice, stolen_unmask, huge_pages, kinds_of_files,
                one_way_memory, lost_memory, answers, waits, held_message, bounds, set_aside, kept_messages, slices_between, closed_streams, one_processor, two_servers, killed_servers, modes, slow_reader, many_resets,
                slow_memory, refusals, unread, traced, recording):
        if not wanted or job.__name__ in wanted:
            results += run(job, 3 if job in (slow_reader, many_resets, slow_memory, unread) else 1)
    for job in waiting:
        results += job.result()
for number, (good, name, why) in enumerate(results, 1):
    print(f"{'ok' if good else 'not ok'} {number} - {name}{'' if good else ' # ' + ' '.join(why.split())[:300]}")
print(f"1..{len(results)}")
sys.exit(not all(good for good, _, _ in results))
