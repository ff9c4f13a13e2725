"""Clients of a server, one after another: each finds a device that works, hangs it, resets it, and leaves as it likes."""
import json
import os
import re
import struct
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bad"))
from vfio_client import BAR0, CONFIG, NO_REPLY, RESET, WRITE, Client, Gone, Server  # noqa: E402

MEMORY_BYTES, RING, BATCH, RESULT = 16 << 20, 0x10000, 0x20000, 0x30000
TAIL, HEAD, START, CTL = 0x30, 0x34, 0x38, 0x3C
STORE, LOOP = 0x10400002, 0x18800000  # MI_STORE_DATA_IMM and MI_BATCH_BUFFER_START, in the GGTT
ANSWER_S = 20  # also where others have the processors


class Failed(Exception):
    pass


class Device:
    """A device's server, and what a client must know of the device."""

    def __init__(self, softgt, name, generation):
        self.name, self.old = name, generation in ("gen6", "gen7", "gen75")
        text = subprocess.check_output([softgt, "registers", name], text=True)
        self.rings = {unit: int(offset, 16) - TAIL for offset, unit in re.findall(r"^([0-9a-f]+)\s+(\S+)\s+RING_BUFFER_TAIL ", text, re.M)}
        self.resets = [int(offset, 16) for offset in re.findall(r"^([0-9a-f]+)\s+\S+\s+GDRST ", text, re.M)]  # one a GT
        self.server = Server(softgt, device=name)
        self.sessions = self.hangs = self.number = 0

    def pause(self, client, good, what):
        end = time.time() + ANSWER_S
        while not good():
            if time.time() > end:
                raise Failed(f"{self.name}: {what}")
            client.read(HEAD)

    def start(self, client, base, memory, ring, program):
        memory[ring:ring + 4 * len(program)] = struct.pack(f"<{len(program)}I", *program)
        for register, value in ((CTL, 0), (START, ring), (HEAD, 0), (CTL, 1), (TAIL, 4 * len(program))):
            client.write(base + register, value)

    def runs(self, client, memory):
        """Every engine stores a number of its own; at once."""
        wanted = {}
        for i, (unit, base) in enumerate(self.rings.items()):
            self.number = (self.number + 1) & 0xFFFFFFFF
            at = RESULT + 64 * i
            wanted[unit] = base, at, self.number
            store = [STORE, 0, at, self.number] if self.old else [STORE, at, 0, self.number]
            self.start(client, base, memory, RING + 0x1000 * i, store + [0, 0])
        for unit, (base, at, number) in wanted.items():
            self.pause(client, lambda: memory[at:at + 4] == struct.pack("<I", number), f"{unit} stored nothing: it is stuck")
            self.pause(client, lambda: client.read(base + HEAD) & 0x1FFFFC == 24, f"{unit} did not come to its ring's end")

    def hang(self, client, memory, rnd):
        """A batch that begins itself anew for ever, on one engine or on all."""
        jump = [LOOP, BATCH] if self.old else [LOOP + 1, BATCH, 0]
        memory[BATCH:BATCH + 4 * len(jump)] = struct.pack(f"<{len(jump)}I", *jump)
        all_of_them = list(self.rings.values())
        for i, base in enumerate(all_of_them if rnd.randrange(2) else [rnd.choice(all_of_them)]):
            self.start(client, base, memory, RING + 0x1000 * i, (jump + [0, 0, 0])[:4])
        self.hangs += 1

    def reset(self, client, table, rnd):
        """By the device's own register, by the function's, or by the monitor's."""
        how = rnd.randrange(3)
        if how == 0:
            for register in self.resets:
                client.write(register, 1)
                self.pause(client, lambda: client.read(register) & 1 == 0, "the reset does not end")
            return
        if how == 1:
            at = client.read(0x34, 1, CONFIG)
            while client.read(at, 1, CONFIG) not in (0x10, 0x13):
                at = client.read(at + 1, 1, CONFIG)
            express = client.read(at, 1, CONFIG) == 0x10
            client.write(at + (9 if express else 4), 0x80 if express else 1, 1, CONFIG)
        else:
            client.ask(RESET)
        self.identity(client, table)

    def identity(self, client, table):
        client.write(4, 6, 2, CONFIG)  # memory space, bus master
        pages = MEMORY_BYTES >> 12
        if self.old:
            table[:pages * 4] = b"".join(struct.pack("<I", i << 12 | 1) for i in range(pages))
            client.write(0x101008, 1)
        else:
            client.identity(table, pages)

    def session(self, rnd):
        client = Client(self.server.path, timeout_s=ANSWER_S)
        try:
            file, memory = client.ram(MEMORY_BYTES)
            table = client.table()
            self.identity(client, table)
            self.runs(client, memory)
            for _ in range(rnd.randrange(3)):
                self.hang(client, memory, rnd)
                if rnd.randrange(2):
                    time.sleep(0.001)
                self.reset(client, table, rnd)
                self.runs(client, memory)
            if rnd.randrange(3) == 0:
                client.unmap(0, MEMORY_BYTES)
                client.map(0, MEMORY_BYTES, file)
                self.identity(client, table)
                self.runs(client, memory)
            leaves = rnd.randrange(4)
            if leaves == 1:
                self.hang(client, memory, rnd)
            elif leaves == 2:
                client.raw(struct.pack("<HHIII", 1, WRITE, 4096, NO_REPLY, 0)[:rnd.randrange(1, 17)])
            elif leaves == 3:
                for _ in range(rnd.randrange(50)):
                    client.send(WRITE, struct.pack("<QIII", 0x2030, BAR0, 4, 8))
            self.sessions += 1
        except Gone:
            raise Failed(f"{self.name}: the server hung up: {self.server.text()[-300:]}") from None
        except TimeoutError:
            raise Failed(f"{self.name}: no answer in {ANSWER_S} s") from None
        finally:
            client.close()


def devices(softgt):
    text = subprocess.check_output([softgt, "devices", "--json"])
    return [Device(softgt, d["name"], d["generation"]) for d in json.loads(text)["devices"]]
