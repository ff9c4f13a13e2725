#!/usr/bin/env python3
"""Clients of softgt serve that send nonsense: the server goes on, and ends well. hostile_client.py SOFTGT [SECONDS [SEED]]"""
import array
import os
import random
import socket
import struct
import subprocess
import sys
import tempfile
import time

softgt, seconds = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 2
seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
rnd = random.Random(seed)
HELLO = b'\0\0\0\0{"capabilities":{}}\0'
REGISTERS = [0x2030, 0x2034, 0x2038, 0x203C, 0x2080, 0x20D0, 0x2230, 0x229C, 0x2510, 0x2550, 0x941C, 0xA090, 0xA094, 0xA188,
             0x22030, 0x101008, 0x138124]


def number():
    return rnd.choice([0, 1, 4, 8, 0x1000, 0x2030, 0x100000, 0x800000, 0xFFFFFF, 0x1000000, 0xFFFFFFFF, 1 << 63, (1 << 64) - 1,
                       (1 << 64) - 4096, rnd.getrandbits(16), rnd.getrandbits(32), rnd.getrandbits(64)])


def some_bytes(count):
    return bytes(rnd.getrandbits(8) for _ in range(count))


def file():
    if rnd.randrange(4) == 0:
        return os.open("/dev/null", os.O_RDWR)
    fd = os.memfd_create("guest")
    os.ftruncate(fd, rnd.choice([0, 4096, 1 << 20, 1 << 24]))
    return fd


def payload(command):
    if command == 2:
        return struct.pack("<IIQQQ", 32, rnd.randrange(4), number(), number(), number())
    if command == 3:
        return struct.pack("<IIQQ", 24, rnd.randrange(4), number(), number())
    if command == 8:
        return struct.pack("<5I", 20, rnd.choice([0x21, 0x24, 0x22, 0x11, 9, 0x14, rnd.getrandbits(6)]), rnd.randrange(6),
                           rnd.randrange(2), rnd.randrange(3)) + some_bytes(rnd.randrange(3))
    if command in (9, 10):
        count = rnd.choice([1, 2, 4, 4, 4, 8, 16, 100])
        offset = rnd.choice([rnd.choice(REGISTERS), number(), rnd.randrange(1 << 24)])
        return struct.pack("<QII", offset, rnd.choice([0, 0, 0, 2, 4, 7, rnd.randrange(10)]), count) + \
            (some_bytes(count) if command == 10 else b"")
    if command == 15:
        return struct.pack("<Q", rnd.choice([1, 2, number()])) + b"".join(
            struct.pack("<QIIQ", number(), rnd.randrange(9), rnd.choice([1, 4, 8, 9]), rnd.getrandbits(64))
            for _ in range(rnd.randrange(3)))
    return some_bytes(rnd.choice([0, 4, 8, 16, 32, 40]))


def send(client, command, data, flags=0, fds=()):
    message = struct.pack("<HHIII", rnd.getrandbits(16), command, 16 + len(data), flags, 0) + data
    try:
        client.sendmsg([message], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else [])
    except (BrokenPipeError, ConnectionResetError, socket.timeout):
        return False
    return True


def connect(path):
    end = time.time() + 20
    while time.time() < end:
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(5)
        try:
            client.connect(path)
            return client
        except (BlockingIOError, FileNotFoundError, ConnectionRefusedError):
            client.close()
            time.sleep(0.02)
    return None


def nonsense(path):
    client = connect(path)
    if not client:
        return False
    good = send(client, 1, HELLO)
    for _ in range(rnd.randrange(1, 200)):
        command = rnd.choice([1, 2, 2, 3, 4, 5, 7, 8, 8, 9, 9, 10, 10, 10, 10, 13, 15, rnd.randrange(20)])
        fds = [file() for _ in range(rnd.choice([0, 0, 0, 1, 1, 2]))]
        good = good and send(client, command, payload(command), rnd.choice([0x10, 0x10, 0x10, 0x10, 0, 1, rnd.getrandbits(6)]), fds)
        for fd in fds:
            os.close(fd)
        if not good:
            break
        client.setblocking(False)
        try:
            while client.recv(65536):
                pass
        except (BlockingIOError, ConnectionResetError):
            pass
        client.settimeout(5)
    client.close()
    return True


number_of_test, failed = 0, 0
for device in ("snb", "skl", "icl"):
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "socket")
        server = subprocess.Popen([softgt, "serve", "--device", device, "--socket", path], stderr=subprocess.DEVNULL)
        end = time.time() + seconds
        served = True
        while time.time() < end and served and server.poll() is None:
            served = nonsense(path)
        alive = server.poll() is None
        server.terminate()
        status = server.wait(30)
        number_of_test += 1
        failed += not (served and alive and status == 0)
        print(f"{'ok' if served and alive and status == 0 else 'not ok'} {number_of_test} - {device} outlives its clients (seed {seed})"
              f"{'' if status == 0 else f', exit status {status}'}", flush=True)
print(f"1..{number_of_test}")
sys.exit(failed != 0)
