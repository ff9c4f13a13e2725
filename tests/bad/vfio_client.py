"""A client of softgt serve, honest or not; and the server, with what it says."""
import array
import mmap
import os
import socket
import struct
import subprocess
import tempfile
import time

VERSION, MAP, UNMAP, REGION_INFO, IRQ_INFO, SET_IRQS, READ, WRITE, DMA_READ, DMA_WRITE, RESET, WRITE_MULTI = 1, 2, 3, 5, 7, 8, 9, 10, 11, 12, 13, 15
NO_REPLY, ERROR = 0x10, 0x20
BAR0, GMADR, CONFIG = 0, 2, 7
INTX, MSI = 0, 1
TRIGGER_FD, TRIGGER, UNMASK_FD = 0x24, 0x21, 0x14
HELLO = b'\0\0\0\0{"capabilities":{}}\0'


class Gone(Exception):
    """The server hung up."""


class Server:
    def __init__(self, softgt, *options, device="skl", path=None, stdout=None, stderr=None):
        self.folder = tempfile.TemporaryDirectory()
        self.path = path or os.path.join(self.folder.name, "s")
        self.said = os.path.join(self.folder.name, "stderr")
        with open(self.said, "wb") as said:
            self.process = subprocess.Popen([softgt, "serve", "--device", device, "--socket", self.path, *options],
                                            stdout=stdout, stderr=stderr if stderr is not None else said,
                                            env=dict(os.environ, ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=16"))
        end = time.time() + 20
        while not os.path.exists(self.path) and time.time() < end and self.alive():
            time.sleep(0.01)

    def alive(self):
        return self.process.poll() is None

    def text(self):
        with open(self.said, errors="replace") as said:
            return said.read()

    def mappings(self):
        with open(f"/proc/{self.process.pid}/maps") as maps:
            return sum(1 for _ in maps)

    def resident_kb(self):
        """Without the shadow memory of sanitizers, which lies below all else."""
        total_kb, counts = 0, False
        with open(f"/proc/{self.process.pid}/smaps") as maps:
            for line in maps:
                if line.startswith("Rss:"):
                    total_kb += counts * int(line.split()[1])
                elif not line[0].isupper():
                    counts = int(line.split("-")[0], 16) >= 0x5000 << 32
        return total_kb

    def processor_s(self):
        with open(f"/proc/{self.process.pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self, limit_s=30):
        """Exit status and how long SIGTERM took to be heard."""
        start = time.time()
        if self.alive():
            self.process.terminate()
        try:
            status = self.process.wait(limit_s)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        return status, time.time() - start


def connected(path, timeout_s=20):
    """A socket that waits this long; so the server's may not be there yet, or have a full queue."""
    end = time.time() + timeout_s
    while True:
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(timeout_s)
        try:
            client.connect(path)
            return client
        except (FileNotFoundError, ConnectionRefusedError, BlockingIOError):
            client.close()
            if time.time() > end:
                raise
            time.sleep(0.01)


class Client:
    def __init__(self, path, hello=HELLO, timeout_s=20):
        self.socket = connected(path, timeout_s)
        self.id, self.buffer, self.dma, self.files = 0, b"", None, []
        if hello:
            self.ask(VERSION, hello)

    def close(self):
        self.socket.close()
        for file in self.files:
            os.close(file)

    def raw(self, data, files=()):
        try:
            sent = self.socket.sendmsg([data], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))] if files else [])
            while sent < len(data):
                sent += self.socket.send(data[sent:])
        except (BrokenPipeError, ConnectionResetError):
            raise Gone() from None

    def send(self, command, data=b"", flags=0, files=()):
        self.id = (self.id + 1) & 0xFFFF
        self.raw(struct.pack("<HHIII", self.id, command, 16 + len(data), flags, 0) + data, files)
        return self.id

    def take(self, count):
        while len(self.buffer) < count:
            try:
                data, files, _, _ = socket.recv_fds(self.socket, 1 << 20, 4)
            except ConnectionResetError:
                raise Gone() from None
            if not data:
                raise Gone()
            self.buffer += data
            self.files += files
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def message(self):
        number, command, size, flags, error = struct.unpack("<HHIII", self.take(16))
        return number, command, flags, error, self.take(size - 16)

    def answer(self, number):
        while True:
            got, command, flags, error, data = self.message()
            if flags & 15 == 0 and self.dma:
                self.dma(got, command, *struct.unpack("<QQ", data[:16]), data[16:])
            elif flags & 15 and got == number:
                return error if flags & ERROR else 0, data

    def dma_reply(self, number, command, address, count, data=b""):
        data = data if command == DMA_READ else b""
        self.raw(struct.pack("<HHIIIQQ", number, command, 32 + len(data), 1, 0, address, count) + data)

    def ask(self, command, data=b"", files=(), flags=0):
        return self.answer(self.send(command, data, flags, files))

    def read(self, offset, count=4, region=BAR0):
        error, data = self.ask(READ, struct.pack("<QII", offset, region, count))
        return None if error else int.from_bytes(data[16:16 + count], "little")

    def write(self, offset, value, count=4, region=BAR0, reply=True):
        data = struct.pack("<QII", offset, region, count) + value.to_bytes(count, "little")
        if not reply:
            self.send(WRITE, data, NO_REPLY)
            return 0
        return self.ask(WRITE, data)[0]

    def map(self, address, size, file=None, offset=0):
        return self.ask(MAP, struct.pack("<IIQQQ", 32, 3, offset, address, size), [file] if file is not None else [])[0]

    def unmap(self, address, size, flags=0):
        return self.ask(UNMAP, struct.pack("<IIQQ", 24, flags, address, size))[0]

    def irqs(self, index, flags, files=(), count=1):
        return self.ask(SET_IRQS, struct.pack("<5I", 20, flags, index, 0, count), files)[0]

    def ram(self, size, address=0):
        """Memory that both see."""
        file = os.memfd_create("ram")
        os.ftruncate(file, size)
        assert self.map(address, size, file) == 0
        self.files.append(file)
        return file, mmap.mmap(file, size)

    def table(self):
        """The GGTT's entries."""
        _, data = self.ask(REGION_INFO, struct.pack("<IIIIQQ", 256, 0, BAR0, 0, 0, 0))
        offset, size = struct.unpack_from("<QQ", data, 48)
        return mmap.mmap(self.files[-1], size, offset=offset)

    def identity(self, table, pages, base=0):
        table[:pages * 8] = b"".join(struct.pack("<Q", base + (i << 12) | 1) for i in range(pages))
        self.write(0x101008, 1)

    def ring(self, base, start, memory, dwords):
        memory[start:start + 4 * len(dwords)] = struct.pack(f"<{len(dwords)}I", *dwords)
        for offset, value in ((0x80, 0x8000), (0x3C, 0), (0x38, start), (0x34, 0), (0x3C, 1), (0x30, len(dwords) * 4)):
            self.write(base + offset, value)
