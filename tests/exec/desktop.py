#!/usr/bin/env python3
"""softgt desktop: its messages and statuses, and what it leaves behind, with a weston of a few lines; and where they are
installed a picture by weston on the model, and typing into it over VNC. desktop.py SOFTGT [alone]

alone: a library with sanitizers goes into no program of the host's, which have none."""
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tap

softgt, *alone = sys.argv[1:]
for inherited in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # who starts the tests may ignore them, as nohup does
    signal.signal(inherited, signal.SIG_DFL)
result = tap.Results()
work = pathlib.Path(tempfile.mkdtemp())
(fake := work / "bin").mkdir()
(temporary := work / "tmp").mkdir()
(runtime := work / "run").mkdir(mode=0o700)
gone = {"WAYLAND_DISPLAY", "DISPLAY", "XAUTHORITY", "LD_PRELOAD", "SOFTGT_EXEC", "WAYLAND_SERVER_SOCKET"}
real = {k: v for k, v in os.environ.items() if k not in gone} | {"TMPDIR": str(temporary), "XDG_RUNTIME_DIR": str(runtime), "SHELL": "/bin/sh"}
host_environment = real | {"TMPDIR": "/tmp"}  # not one of the desktop's processes
environment = real | {"PATH": f"{fake}:{os.environ['PATH']}"}


def script(name, text):
    (fake / name).write_text("#!/bin/sh\n" + text)
    (fake / name).chmod(0o755)


def run(*arguments, env=environment, **variables):
    return subprocess.run([softgt, "desktop", *arguments], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL, env=env | variables)


def fails(status, said, *arguments, name=None, **variables):
    done = run(*arguments, **variables)
    result(done.returncode == status and re.search(said, done.stderr) and "Sanitizer" not in done.stderr,
           name or " ".join(arguments) or "no arguments", f"{done.returncode}, {done.stderr}")


def processes():
    """Those that have this test's folder in their environment."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"TMPDIR={temporary}".encode() in path.read_bytes() and int(path.parent.name) != os.getpid():
                found.append((path.parent / "cmdline").read_bytes())
        except OSError:
            pass
    return found


def nothing_left(name):
    left = [*temporary.iterdir(), *runtime.iterdir(), *processes()]
    result(not left, f"{name}: nothing is left", left)


# A weston that draws nothing: it makes its socket, and leaves a process behind that left its group and its parent.
script("weston", r"""[ "$1" = --version ] && echo "weston ${FAKE_VERSION:-10.0.1}" && exit
echo "$*" >>"$TMPDIR/../arguments"
echo "GL renderer: ${FAKE_RENDERER:-Mesa of softgt}"
[ -z "${FAKE_STATUS:-}" ] || { echo "fatal: no luck today"; exit "$FAKE_STATUS"; }
setsid sh -c 'sleep 1000 & :'
: >"$XDG_RUNTIME_DIR/wayland-0"
exec sleep 1000
""")
script("weston-debug", 'echo "View 0 (role (null), PID 1, surface ID 1, panel for output headless"; for _ in $(seq ${FAKE_WINDOWS:-1}); do echo "  View 0 (role xdg_toplevel, PID 1, surface ID 2"; done\n')
script("weston-screenshooter", 'echo picture >"wayland-screenshot-2026.png"\n')
script("vncpasswd", "cat\n")
script("Xtigervnc", 'while [ "$1" != -displayfd ]; do shift; done\necho 99 >&"$2"\nexec sleep 1000\n')

usage = "softgt desktop"
for arguments in (["--size", "0x0"], ["--size", "1280"], ["--size", "64x9000"], ["--size", "640x480x2"], ["--vnc=:65536"], ["--vnc=1.2.3.4:x"], ["--vnc=[::1"],
                  ["--vnc", "--picture", "x.png"], ["--vnc-password", "x"], ["--windows", "2"], ["--after", "2"], ["--socket", "a/b"], ["--windows", "0", "-p", "x"],
                  ["--driver", "nouveau"], ["--nonsense"]):
    fails(2, usage, *arguments)
fails(2, "no device is named 'gtx'", "--device", "gtx")
fails(2, "cl is not a product", "--device", "cl")
fails(2, "xe does not know skl", "--device", "skl", "--driver", "xe")
fails(2, "weston: is not installed; on Debian: apt install weston", name="weston is missing", PATH="/nowhere")
fails(2, "neither WAYLAND_DISPLAY nor DISPLAY is set; --vnc .* --picture", name="no display")
fails(2, "nobody answers at WAYLAND_DISPLAY=x and DISPLAY=:987", name="nobody answers", WAYLAND_DISPLAY="x", DISPLAY=":987")
fails(127, "nosuch: No such file", "--picture", str(work / "x.png"), "nosuch")
fails(127, "has a =", "--vnc", "127.0.0.1:5901", name="--vnc without =")
fails(127, "has a =", "--vnc", "5901", name="a port without =")
fails(2, r"cannot be written \(--picture\): No such file", "--picture", "/nowhere/x.png")
fails(2, r"cannot be written \(--picture\): Is a directory", "--picture", "/")
fails(2, r"cannot be written \(--log\): No such file", "--picture", str(work / "x.png"), "--log", "/nowhere/log")
fails(2, "set TMPDIR", "--picture", str(work / "x.png"), name="TMPDIR is no folder", TMPDIR="/nowhere")
(long := work / ("long" * 25)).mkdir()
fails(2, "is too long for a socket", "--picture", str(work / "x.png"), name="TMPDIR is long", TMPDIR=str(long))
result(not list(long.iterdir()), "and nothing is left there")
(work / "other").touch()
with socket.socket() as other:
    other.bind(("127.0.0.1", 0))
    other.listen()
    fails(2, "127.0.0.1:.*Address already in use .*--vnc=:PORT", f"--vnc=:{other.getsockname()[1]}")
fails(2, "has no password, and others reach 0.0.0.0:5", "--vnc=0.0.0.0:5999", "--vnc-password", str(work / "other"))
fails(2, "nofile: cannot be read", "--vnc=:0", "--vnc-password", "nofile")
(runtime / "mine").touch()
fails(2, "mine: exists: another compositor", "--picture", str(work / "x.png"), "--socket", "mine")
(runtime / "mine").unlink()
fails(2, "--socket needs XDG_RUNTIME_DIR", "--picture", str(work / "x.png"), "--socket", "mine", name="no XDG_RUNTIME_DIR", XDG_RUNTIME_DIR="")
fails(1, "is version 9; a desktop needs 10", "--picture", str(work / "x.png"), name="an old weston", FAKE_VERSION="9.0.0")
nothing_left("errors")

picture = work / "picture.png"
if alone:
    result.skip("programs", "a library with sanitizers goes into no other program")
else:
    fails(1, r"(?s)weston: ended at its start.*fatal: no luck today", "-p", str(picture), "true", name="weston fails", FAKE_STATUS="5")
    fails(1, "draws with llvmpipe .*not on tgl: Mesa has no OpenGL driver", "-d", "tgl", "-p", str(picture), "true", name="drawn in software", FAKE_RENDERER="llvmpipe (LLVM)")
    fails(1, "true: ended with status 0 before the picture", "-p", str(picture), "true", name="the program ends early")
    result(not picture.exists(), "and no picture is written")
    nothing_left("failures")
    began = time.monotonic()
    done = run("-q", "--windows", "2", "--after", "1", "--log", str(work / "log"), "--size", "300x200", "-p", str(picture), "sh", "-c", "env; exec sleep 1000", FAKE_WINDOWS="2", DISPLAY=":987")
    log = (work / "log").read_text()
    result(done.returncode == 0 and picture.read_text() == "picture\n" and not done.stderr and time.monotonic() - began >= 1, "a picture", f"{done.returncode}, {done.stderr}")
    result(re.search(r"WAYLAND_DISPLAY=/.*/wayland-0\n", log) and "DISPLAY=:987" not in log and "GL renderer" in log, "the program's environment, and the log", log)
    result("--width=300 --height=200" in (work / "arguments").read_text() and "--backend=headless-backend.so --use-gl" in (work / "arguments").read_text(), "weston's arguments")
    run("-q", "--after", "1", "-p", str(picture), "sleep", "1000", FAKE_VERSION="14.0.2")
    result("--backend=headless --renderer=gl" in (work / "arguments").read_text(), "weston 14's arguments")
    nothing_left("pictures")
    done = run("-q", "--vnc=:0", "sh", "-c", "exit 7")
    result(done.returncode == 7 and re.fullmatch(r"softgt: desktop: VNC at 127\.0\.0\.1:\d+, password [a-z2-9]{8}\n", done.stderr), "a program's status, and a password is made", f"{done.returncode}, {done.stderr}")
    for number_of_signal in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        desktop = subprocess.Popen([softgt, "desktop", "--vnc=:0", "--socket", "mine", "sh", "-c", f"trap '' TERM; (sleep 1000 &); touch {work}/runs; sleep 1000; sleep 1000"], env=environment, stderr=subprocess.PIPE,
                                   text=True, stdin=subprocess.DEVNULL)
        for _ in range(500):
            if (work / "runs").exists():
                break
            time.sleep(0.02)
        result((runtime / "mine").is_symlink() and (work / "runs").exists(), "it runs, and has its socket")
        desktop.send_signal(number_of_signal)
        if number_of_signal == signal.SIGINT:  # a second one is impatient
            time.sleep(0.3)
            desktop.send_signal(number_of_signal)
        elif number_of_signal == signal.SIGTERM:
            desktop.send_signal(number_of_signal)
        try:
            _, said = desktop.communicate(timeout=40)
        except subprocess.TimeoutExpired:
            desktop.kill()
            said = "it did not end in 40 seconds"
        result(desktop.returncode == 128 + number_of_signal, f"{number_of_signal.name} ends it", f"{desktop.returncode}, {said}")
        nothing_left(number_of_signal.name)
        (work / "runs").unlink()

# ---- With weston ----


def pixels(path):
    """A PNG of 8 bits a sample as rows of (r, g, b)."""
    data, at, packed = path.read_bytes(), 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", data[at + 8:at + 18])
        packed += data[at + 8:at + 8 + size] if kind == b"IDAT" else b""
        at += size + 12
    assert depth == 8
    n, raw, before, rows = {2: 3, 6: 4}[color], zlib.decompress(packed), bytes(width * 4), []
    for y in range(height):
        kind, *line = raw[y * (width * n + 1):(y + 1) * (width * n + 1)]
        for x in range(width * n):
            a, b, c = line[x - n] if x >= n else 0, before[x], before[x - n] if x >= n else 0
            p = a + b - c
            nearest = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            line[x] = (line[x] + (0, a, b, (a + b) // 2, nearest)[kind]) & 255
        rows.append([tuple(line[x:x + 3]) for x in range(0, width * n, n)])
        before = line
    return rows


BACKGROUND = (0x20, 0x30, 0x4a)


class Viewer:
    """A VNC viewer without a password (RFB 3.8)."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.read(12)
        self.socket.sendall(b"RFB 003.008\n")
        assert 1 in self.read(self.read(1)[0])  # no authentication
        self.socket.sendall(b"\x01")
        assert self.read(4) == bytes(4)
        self.socket.sendall(b"\x01")
        self.width, self.height, *_, name = struct.unpack(">HH16sI", self.read(24))
        self.read(name)
        self.socket.sendall(struct.pack(">BxxxBBBBHHHBBBxxx", 0, 32, 24, 0, 1, 255, 255, 255, 16, 8, 0) + struct.pack(">BxHi", 2, 1, 0))

    def read(self, size):
        data = b""
        while len(data) < size:
            more = self.socket.recv(size - len(data))
            assert more
            data += more
        return data

    def picture(self):
        """All pixels, as bytes b, g, r, x."""
        self.socket.sendall(struct.pack(">BBHHHH", 3, 0, 0, 0, self.width, self.height))
        whole = bytearray(self.width * self.height * 4)
        kind = self.read(1)[0]
        while kind != 0:  # a bell, the clipboard
            self.read(struct.unpack(">3xI", self.read(7))[0] if kind == 3 else 0)
            kind = self.read(1)[0]
        for _ in range(struct.unpack(">xH", self.read(3))[0]):
            x, y, width, height, encoding = struct.unpack(">HHHHi", self.read(12))
            assert encoding == 0
            for row in range(y, y + height):
                at = (row * self.width + x) * 4
                whole[at:at + width * 4] = self.read(width * 4)
        return bytes(whole)

    def pixel(self, x, y):
        at = (y * self.width + x) * 4
        return tuple(self.picture()[at:at + 3][::-1])

    def move(self, x, y, buttons=0):
        self.socket.sendall(struct.pack(">BBHH", 5, buttons, x, y))

    def type(self, text):
        for c in text:
            for down in (1, 0):
                self.socket.sendall(struct.pack(">BBxxI", 4, down, 0xff0d if c == "\n" else ord(c)))
            time.sleep(0.02)


def until(good, seconds=60):
    """False: not in that time."""
    end = time.monotonic() + seconds
    while not good() and time.monotonic() < end:
        time.sleep(0.1)
    return good()


def type_over_vnc():
    typed = work / "typed"
    empty = work / "empty"
    empty.touch()
    desktop = subprocess.Popen([softgt, "desktop", "--device", "tgl", "--size", "640x400", "--vnc=:0", "--vnc-password", str(empty), "weston-terminal", "--maximized"], env=real,
                               stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
    port = None
    while port is None and (line := desktop.stderr.readline()):
        port = re.search(r"VNC at 127\.0\.0\.1:(\d+), without a password", line)
    try:
        viewer = Viewer(int(port[1]))
        result((viewer.width, viewer.height) == (640, 400), "VNC shows the desktop", f"{viewer.width}x{viewer.height}")
        until(lambda: viewer.pixel(400, 300) == (0, 0, 0) and viewer.pixel(600, 5) != (0, 0, 0))
        result(until(lambda: max(abs(a - b) for a, b in zip(viewer.pixel(638, 2), (0x24, 0x24, 0x24))) <= 2), "with the panel at its top", viewer.pixel(638, 2))
        before = viewer.picture()
        viewer.move(300, 200)
        viewer.move(310, 210)
        time.sleep(0.3)
        viewer.move(310, 210, 1)
        viewer.move(310, 210)
        result(until(lambda: viewer.picture()[210 * 640 * 4:211 * 640 * 4] != before[210 * 640 * 4:211 * 640 * 4]), "the pointer moves there")
        viewer.type(f"echo >{typed}\n")
        result(until(typed.exists), "what is typed over VNC reaches the terminal")
        viewer.type("exit\n")
        result(until(lambda: desktop.poll() is not None), "the desktop ends with its program")
    finally:
        desktop.terminate()
        try:
            _, said = desktop.communicate(timeout=40)
        except subprocess.TimeoutExpired:
            desktop.kill()
            said = "it did not end in 40 seconds"
    result(desktop.returncode == 0, "by its status", f"{desktop.returncode}, {said}")
    nothing_left("VNC")


def show_in(name, host, **variables):
    """A window in another server: the desktop lives until its program ends."""
    try:
        done = run("--device", "tgl", "--size", "300x200", "sh", "-c", "sleep 3; exit 5", env=real | variables)
        result(done.returncode == 5 and ", 0 hung" in done.stderr, f"a window of {name}", f"{done.returncode}, {done.stderr}")
    finally:
        host.terminate()
        host.wait(timeout=30)
        for path in runtime.iterdir():
            path.unlink()
    nothing_left(f"a window of {name}")


def show_in_windows():
    if shutil.which("Xtigervnc"):
        read, write = os.pipe()
        host = subprocess.Popen(["Xtigervnc", "-displayfd", str(write), "-geometry", "800x600", "-SecurityTypes", "None", "-nolisten", "tcp", "-interface", "127.0.0.1",
                                 "-rfbunixpath", str(runtime / "rfb")], pass_fds=[write], env=host_environment, stderr=subprocess.DEVNULL)
        os.close(write)
        show_in("X", host, DISPLAY=":" + os.read(read, 16).decode().strip())
    else:
        result.skip("a window of X", "Xtigervnc is not installed")
    version = int(re.search(r"weston (\d+)", subprocess.run(["weston", "--version"], capture_output=True, text=True, check=False).stdout)[1])
    host = subprocess.Popen(["weston", "--backend=headless" + ("-backend.so" if version < 12 else ""), "--no-config", "--socket=host", "--idle-time=0"], env=host_environment, stderr=subprocess.DEVNULL)
    until((runtime / "host").exists)
    show_in("Wayland", host, WAYLAND_DISPLAY="host")


def shows_triangle(rows):
    colors = [p for row in rows[40:] for p in row]
    return colors.count(BACKGROUND) > 10000 and sum(max(p) > 150 and min(p) < 100 for p in colors) > 300


def turned(after, device):
    """Another picture: the triangle turns, and was seen edge-on."""
    run("--device", device, "--size", "320x320", "--after", after, "--picture", str(picture), "weston-simple-egl", env=real)
    return pixels(picture)


draws = not alone and shutil.which("weston") and list(pathlib.Path("/usr/lib").glob("*/dri/iris_dri.so")) + list(pathlib.Path("/usr/lib").glob("*/libgallium*.so"))
if not draws:
    result.skip("a picture by weston", "weston or Mesa is not installed, or sanitizers are on")
else:
    for device in ("tgl", "hsw"):
        done = run("--device", device, "--size", "320x320", "--after", "1", "--picture", str(picture), "weston-simple-egl", env=real)
        rows = pixels(picture) if done.returncode == 0 else []
        result(done.returncode == 0 and f"320x320 on {device}, by Mesa" in done.stderr and ", 0 hung" in done.stderr and len(rows) == 320 and len(rows[0]) == 320, f"a picture by weston on {device}",
               f"{done.returncode}, {done.stderr}")
        result(shows_triangle(rows) or shows_triangle(turned("2", device)) or shows_triangle(turned("3", device)), f"with its background and a triangle on {device}")
        picture.unlink(missing_ok=True)
        nothing_left(f"weston on {device}")
    for words, program, status in (("hung,unused", "weston-simple-egl", 0), ("hung", "weston-terminal", 0), ("hung,unused", "weston-terminal", 3)):
        done = run("--device", "tgl", "--size", "320x320", "--after", "1", "--fail-on", words, "--picture", str(picture), program, env=real)
        result(done.returncode == status and ("--fail-on: unused (weston-terminal)" in done.stderr) == (status == 3), f"--fail-on {words} {program}", f"{done.returncode}, {done.stderr}")
        picture.unlink(missing_ok=True)
    show_in_windows()
if not draws or not shutil.which("Xtigervnc") or not shutil.which("vncpasswd"):
    result.skip("typing over VNC", "weston, Mesa or TigerVNC is not installed, or sanitizers are on")
else:
    type_over_vnc()
shutil.rmtree(work)
result.end()
