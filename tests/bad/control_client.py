"""Clients of a server's control socket, which speak its lines themselves; and a server with a guest that has rings."""
import array
import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import json_schemas
from vfio_client import Client, Server, connected

RCS = 0x2000


def until(condition, limit_s=10):
    end = time.time() + limit_s
    while time.time() < end:
        if condition():
            return True
        time.sleep(0.02)
    return condition()


class ControlClient:
    validates = True

    def __init__(self, path):
        self.socket = connected(str(path))
        self.buffer = b""

    def send(self, request, file=None):
        data = request if isinstance(request, bytes) else json.dumps(request).encode() + b"\n"
        sent = self.socket.sendmsg([data], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [file]))] if file is not None else [])
        self.socket.sendall(data[sent:])

    def line(self):
        """An object, as its schema has it. None: the server hung up."""
        while b"\n" not in self.buffer:
            got = self.socket.recv(1 << 16)
            if not got:
                return None
            self.buffer += got
        line, self.buffer = self.buffer.split(b"\n", 1)
        return json_schemas.sound(json.loads(line)) if self.validates else json.loads(line)

    def ask(self, request, file=None):
        self.send(request, file)
        return self.line()

    def ends(self):
        """The server hangs up."""
        try:
            while self.socket.recv(1 << 16):
                pass
            return True
        except ConnectionResetError:
            return True
        except TimeoutError:
            return False


class DebugClient(ControlClient):
    """One that would debug the device, with the first answer to that."""

    def __init__(self, path):
        super().__init__(path)
        self.first = self.debug("attach")

    def debug(self, ask, text=None):
        return self.ask({"do": "debug", "ask": ask} | ({"text": text} if text is not None else {}))

    def run(self, text):
        """A line; where it moves, with what comes when it stops."""
        answer = self.debug("line", text)
        if answer.get("result") == "moves":
            stopped = self.line()
            assert stopped["event"] == "stopped", stopped
            return stopped["text"]
        return answer["text"]


class Machine:
    """A server with a guest that has rings, 1 MB and a GGTT that maps it. result(GOOD, NAME, WHY) hears how it ends."""

    def __init__(self, softgt, result, *options, device="skl", opens="--control"):
        self.softgt, self.result = softgt, result
        self.folder = tempfile.TemporaryDirectory()
        self.control = os.path.join(self.folder.name, "control")
        self.server = Server(softgt, *((opens, self.control) if opens else ()), *options, device=device)
        self.client = Client(self.server.path)
        _, self.memory = self.client.ram(1 << 20)
        self.client.identity(self.client.table(), 256)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.close()
        status, _ = self.server.end()
        self.result(status == 0, "the server ends well", f"{status}: {self.server.text()}")

    def ring(self, *dwords, base=RCS, start=0x1000):
        self.client.ring(base, start, self.memory, dwords + (0,) * (len(dwords) % 2))

    def stored(self, at):
        return struct.unpack("<I", self.memory[at:at + 4])[0]

    def idle(self, at=16):
        """The render ring's head is there."""
        return until(lambda: self.client.read(RCS + 0x34) & 0x1FFFFC == at)

    def tool(self, *words, limit_s=30):
        return subprocess.run([self.softgt, "control", self.control, *words], capture_output=True, text=True, timeout=limit_s, check=False)

    def says(self, *words, limit_s=10):
        return until(lambda: all(word in self.server.text() for word in words), limit_s)
