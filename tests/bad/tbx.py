#!/usr/bin/env python3
"""softgt tbx and its clients by sockets: several at once, slow ones, wrong ones, ones whose engines hang. tbx.py SOFTGT [none]
"none": this build has no sandbox (sanitizers)."""
import json
import os
import random
import re
import socket
import struct
import subprocess
import sys
import tempfile
import time

softgt, has_sandbox = sys.argv[1], sys.argv[2:] != ["none"]
number = failed = 0
RING, DATA, CONTEXT = 0x8000, 0x20000, 0x100000
STORE = [0x10400002, DATA, 0, 0x600D]
LOOP = [0x18800001, RING, 0, 0]
CONNECTIONS = 16
STOP_S = 0.1 if has_sandbox else 1  # sanitizers look for leaks then


def result(good, name, why=""):
    global number, failed
    number += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {number} - {name}{'' if good else ' # ' + ' '.join(str(why).split())[:300]}", flush=True)


class Server:
    def __init__(self, *options, device="skl"):
        self.said = tempfile.TemporaryFile()
        self.process = subprocess.Popen([softgt, "tbx", "--device", device, "--port", "0", *options], stderr=self.said, stdout=subprocess.DEVNULL)
        self.port, end = None, time.time() + 20
        while not self.port and time.time() < end and self.process.poll() is None:
            found = re.search(r"is at 127\.0\.0\.1:(\d+)", self.text())
            self.port = int(found[1]) if found else None
            time.sleep(0.01)

    def text(self):
        self.said.seek(0)
        return self.said.read().decode(errors="replace")

    def end(self):
        """Exit status, and what of a processor it took from SIGTERM on: others may have the processors meanwhile."""
        with open(f"/proc/{self.process.pid}/stat") as stat:
            before = sum(int(ticks) for ticks in stat.read().rsplit(")", 1)[1].split()[11:13]) / os.sysconf("SC_CLK_TCK")
        self.process.terminate()
        _, status, used = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        return self.process.returncode, used.ru_utime + used.ru_stime - before

    def resident_kb(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1])


class Gone(Exception):
    pass


class Client:
    def __init__(self, server):
        self.socket = socket.create_connection(("127.0.0.1", server.port), 20)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.number = 0

    def send(self, kind, body=b"", data=b""):
        try:
            self.socket.sendall(struct.pack("<3I", kind, self.number, len(body)) + body + data)
        except (BrokenPipeError, ConnectionResetError) as error:
            raise Gone from error
        self.number += 1

    def take(self, count):
        got = b""
        while len(got) < count:
            try:
                part = self.socket.recv(count - len(got))
            except ConnectionResetError as error:
                raise Gone from error
            if not part:
                raise Gone
            got += part
        return got

    def answer(self):
        kind, answered, size = struct.unpack("<3I", self.take(12))
        assert answered == self.number - 1
        return kind, self.take(size)

    def write(self, offset, value):
        self.send(0, struct.pack("<3I", 9, offset, value))

    def read(self, offset):
        self.send(0, struct.pack("<3I", 8, offset, 0))
        return struct.unpack("<I", self.answer()[1])[0]

    def write_memory(self, address, data):
        self.send(4, struct.pack("<3I", address >> 32 << 24, address & 0xFFFFFFFF, len(data)), data)

    def read_memory(self, address, count):
        self.send(5, struct.pack("<3I", address >> 32 << 24, address & 0xFFFFFFFF, count))
        self.answer()
        return self.take(count)

    def run(self, commands):
        """A context of Gen9's render engine with this ring."""
        for page in range(0x110):
            self.send(2, struct.pack("<IIQ", 1, page, page << 12 | 1))
        self.write_memory(RING, struct.pack(f"<{len(commands)}I", *commands))
        image = [0, 0x1100101B, 0x2244, 0x00090009, 0x2034, 0, 0x2030, len(commands) * 4, 0x2038, RING, 0x203C, 1]
        self.write_memory(CONTEXT + 0x1000, struct.pack("<12I", *image).ljust(0x1000, b"\0"))
        self.write(0x229C, 0x80008000)
        for value in (0, 0, 1, CONTEXT | 0x119):
            self.write(0x2230, value)

    def close(self):
        self.socket.close()


def gone(client):
    try:
        client.read(0x2600)
        return False
    except (Gone, TimeoutError, ConnectionResetError, BrokenPipeError) as error:
        return not isinstance(error, TimeoutError)


def several_at_once():
    server = Server()
    clients = [Client(server) for _ in range(3)]
    for index, client in enumerate(clients):
        client.write_memory(0x1000, bytes([index] * 16))
        client.write(0x2600, index + 100)
    result([c.read_memory(0x1000, 16) for c in clients] == [bytes([i] * 16) for i in range(3)], "each connection has a memory of its own")
    result([c.read(0x2600) for c in clients] == [100, 101, 102], "each connection has registers of its own")
    clients[1].run(STORE)
    result([struct.unpack("<I", c.read_memory(DATA, 4))[0] for c in clients] == [0, 0x600D, 0], "each connection has engines of its own")
    for client in clients:
        client.close()
    status, took = server.end()
    result(status == 0, "SIGTERM ends it", server.text())


def several_threads():
    server = Server("--threads", "3")
    client = Client(server)
    client.run(STORE)
    answer = struct.unpack("<I", client.read_memory(DATA, 4))[0]
    result(answer == 0x600D and len(os.listdir(f"/proc/{server.process.pid}/task")) == 3, "the threads that groups are run on are there", server.text())
    hangs = Client(server)
    hangs.run(LOOP)
    hangs.close()
    status, took = server.end()
    result(status == 0 and took < STOP_S, "they end with the server", f"{status}, {took:.3f} s")


def hanging_engines():
    server = Server()
    bad = [Client(server) for _ in range(3)]
    good = Client(server)
    for client in bad:
        client.run(LOOP)
        client.socket.sendall(b"".join(struct.pack("<6I", 0, 0, 12, 8, 0x2234, 0) for _ in range(1000)))  # they wait for nothing
    start = time.time()
    good.run(STORE)
    answer = struct.unpack("<I", good.read_memory(DATA, 4))[0]
    took = time.time() - start
    result(answer == 0x600D and took < 10, "engines that hang hold up nobody else", f"{answer:#x} after {took:.2f} s")
    status, took = server.end()
    result(status == 0 and took < STOP_S, "the stop signal is heard while engines hang", f"{status}, {took:.3f} s")


def slow_peers():
    server = Server("--memory", "64")
    before = Client(server)
    before.read(0x2600)
    resident = server.resident_kb()
    half = Client(server)
    half.socket.sendall(struct.pack("<3I", 7, 0, 0)[:5])
    greedy = Client(server)
    greedy.send(5, struct.pack("<3I", 0, 0, 0xFFFFFFFF))  # 4 GB, which nobody takes
    promising = Client(server)
    promising.send(4, struct.pack("<3I", 0, 0, 0xFFFFFFFF), b"abc")
    skipping = Client(server)
    skipping.socket.sendall(struct.pack("<3I", 99, 0, 0xFFFFFFFF) + bytes(100))
    time.sleep(0.5)
    result(before.read(0x2600) == 0, "slow peers hold up nobody else")
    result(server.resident_kb() - resident < 200000, "slow peers cost little", f"{resident} kB, then {server.resident_kb()} kB")
    half.socket.sendall(struct.pack("<3I", 7, 0, 0)[5:])
    result(half.take(12)[0] == 8, "who was slow is answered")
    taken = len(greedy.take(1 << 20))
    result(taken == 1 << 20 and before.read(0x2600) == 0, "a long answer comes as it is taken")
    promising.close()
    greedy.close()
    skipping.close()
    time.sleep(0.3)
    result(before.read(0x2600) == 0 and "the client left within a message" in server.text(), "who leaves in the middle is told", server.text())
    status, took = server.end()
    result(status == 0 and took < STOP_S, "the stop signal is heard beside slow peers", f"{status}, {took:.3f} s")


def more_than_there_is_room_for():
    server = Server()
    clients = [Client(server) for _ in range(CONNECTIONS)]
    for client in clients:
        client.send(7)
        client.answer()
    late = Client(server)
    late.send(7)
    late.socket.settimeout(0.5)
    try:
        late.answer()
        result(False, "who comes when all are there waits")
    except TimeoutError:
        result(True, "who comes when all are there waits")
    clients[3].close()
    late.socket.settimeout(20)
    result(late.answer()[0] == 8, "and is served when one leaves")
    server.end()


def limits():
    server = Server("--memory", "1")
    client = Client(server)
    for index in range(16):
        client.write_memory(index << 30, b"x")
    result(client.read(0x2600) == 0, "memory up to the limit is there")
    client.write_memory(1 << 36, b"x")
    result(gone(client) and "more than 1 MB of memory are wanted" in server.text(), "who wants more must go", server.text())
    client = Client(server)
    result(client.read_memory(0, 1) == b"\0", "the next one finds nothing of it")
    for _ in range(200):
        client.send(77)
    client.read(0x2600)
    result(server.text().count("not a client's message") <= 64, "what is told has an end")
    client.send(4, b"")
    result(gone(client), "who cannot be understood must go")
    status, _ = server.end()
    result(status == 0 and "more lines like these" in server.text(), "and what was too much is counted", server.text()[-300:])


def nonsense():
    rnd = random.Random(int(os.environ.get("SEED", "7")))
    for device in ("skl", "tgl", "dg2"):
        server = Server("--memory", "16", "--log", "all", device=device)
        end = time.time() + 3
        while time.time() < end and server.process.poll() is None:
            client = Client(server)
            client.socket.settimeout(0.05)
            try:
                if rnd.random() < 0.3:
                    client.run([rnd.getrandbits(32) for _ in range(rnd.randrange(1, 40))])
                for _ in range(rnd.randrange(200)):
                    kind = rnd.choice([0, 0, 0, 2, 4, 5, 7, 11, 14, rnd.randrange(50), rnd.getrandbits(32)])
                    body = struct.pack("<4I", *(rnd.choice([rnd.getrandbits(32), rnd.getrandbits(12), 0x2000 + rnd.getrandbits(11)]) for _ in range(4)))
                    client.send(kind, body[:rnd.choice([12, 12, 12, 16, rnd.randrange(17)])], bytes(rnd.randrange(64)))
                    if rnd.random() < 0.2:
                        client.socket.recv(65536)
            except (Gone, TimeoutError, ConnectionResetError, BrokenPipeError):
                pass
            client.close()
        alive = server.process.poll() is None
        status, took = server.end()
        result(alive and status == 0 and took < STOP_S, f"{device} outlives nonsense", f"{status}, {took:.3f} s")


def once():
    server = Server("--once")
    first, second = Client(server), Client(server)
    first.read(0x2600)
    second.read(0x2600)
    first.close()
    time.sleep(0.2)
    result(second.read(0x2600) == 0, "--once: as long as one is there it goes on")
    second.close()
    result(server.process.wait(20) == 0, "--once: it ends with the last one")


def files():
    with tempfile.TemporaryDirectory() as folder:
        record, timeline = os.path.join(folder, "a.aub"), os.path.join(folder, "a.json")
        server = Server("--record", record, "--timeline", timeline, "--log", "all", "--trace", "messages,commands")
        if has_sandbox:
            with open(f"/proc/{server.process.pid}/status") as status:
                lines = dict(line.rstrip("\n").split(":\t", 1) for line in status if ":\t" in line)
            result(lines["Seccomp"] == "2" and lines["NoNewPrivs"] == "1", "it is in its sandbox", lines)
        silent = Client(server)
        silent.send(11, struct.pack("<I", 0x00320002))
        for _ in range(2):
            client = Client(server)
            client.run(STORE)
            client.read(0x2234)
            client.read_memory(DATA, 64)
            client.close()
        time.sleep(0.2)
        status, _ = server.end()
        result(status == 0 and sorted(os.listdir(folder)) == ["a-2.aub", "a-2.json", "a.aub", "a.json"], "each that uses its device has files", server.text()[-300:])
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            if name.endswith(".json"):
                with open(path) as file:
                    result(len(json.load(file)) > 10, f"{name} is whole")
            else:
                done = subprocess.run([softgt, "run", "-q", path], capture_output=True, text=True, check=False)
                result(done.returncode == 0 and "compares: 0 of 2 failed" in done.stdout, f"{name} repeats itself", done.stdout + done.stderr)


def options():
    server = Server()
    for text, why in ((["--port", str(server.port)], "in use"), (["--listen", "nowhere"], "no IPv4 address"), (["--listen", "127.0.0.1:70000"], "not a number"),
                      (["--port", "-1"], "not a number"), (["--device", "none"], "no device is named"), (["--log", "access"], "no log level"),
                      (["--trace", "nothing"], "is none of"), (["--memory", "0"], "not a number"), (["more"], "no arguments")):
        done = subprocess.run([softgt, "tbx", *text], capture_output=True, text=True, check=False, timeout=20)
        result(done.returncode == 2 and why in done.stderr, f"tbx {' '.join(text[:1])}: {why}", done.stderr)
    server.end()
    server = Server("--record", "/nowhere/a.aub", "--once")
    client = Client(server)
    result(gone(client) and server.process.wait(20) == 2 and "/nowhere/a.aub" in server.text(), "a recording that cannot be made is told", server.text())


for test in (several_at_once, several_threads, hanging_engines, slow_peers, more_than_there_is_room_for, limits, nonsense, once, files, options):
    test()
print(f"1..{number}")
sys.exit(failed != 0)
