#!/usr/bin/env python3
"""pictures.py SOFTGT SOURCE: what --surface and --surfaces write of examples/blits.gts, read with a decoder of its own."""
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zlib

softgt, source = sys.argv[1:]
program = source + "/examples/blits.gts"


def decode(path):
    """Width, height and rows of RGBA; colour type 6 or 2, 8 bits, no interlace."""
    data = pathlib.Path(path).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    at, body = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", data[at + 8:at + 21])
        if kind == b"IDAT":
            body += data[at + 8:at + 8 + size]
        at += 12 + size
    assert depth == 8 and colour == 6 and interlace == 0, (depth, colour, interlace)
    raw, stride, rows, before = zlib.decompress(body), width * 4, [], bytearray(width * 4)
    for y in range(height):
        kind, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride):
            a, b, c = (row[i - 4] if i > 3 else 0), before[i], (before[i - 4] if i > 3 else 0)
            p = a + b - c
            paeth = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            row[i] = (row[i] + (0, a, b, (a + b) // 2, paeth)[kind]) & 255
        rows.append(row)
        before = row
    return width, height, rows


def pixel(picture, x, y):
    return tuple(picture[2][y][x * 4:x * 4 + 4])


def surface(where, out):
    subprocess.run([softgt, "run", "--quiet", program, "--surface", where, "-o", out], check=True, stdout=subprocess.DEVNULL)
    return decode(out)


with tempfile.TemporaryDirectory() as folder:
    screen = surface("0x10000000,640x400,B8G8R8X8_UNORM,x", folder + "/x.png")
    assert screen[:2] == (640, 400)
    assert pixel(screen, 0, 0) == (20, 30, 90, 255), pixel(screen, 0, 0)
    assert pixel(screen, 639, 399) == (20 + 199 // 2, 30 + 199 // 3, 90 + 199 // 2, 255), pixel(screen, 639, 399)
    for y in range(256):  # the triangle: where x and y have no bit in common
        for x in range(256):
            if x & y == 0:
                assert pixel(screen, 24 + x, 24 + y) == (0xff, 0xc0, 0x40, 255), (x, y)
            else:
                assert pixel(screen, 24 + x, 24 + y) == pixel(screen, 0, 24 + y), (x, y)
    # The same in Y tiles, at a place that says whose memory it is, with the pitch given; and not so in wrong tiles.
    assert surface("bcs0:0x10200000,640x400,B8G8R8X8_UNORM,y,2560", folder + "/y.png") == screen
    assert surface("0x10200000,640x400,B8G8R8X8_UNORM,x", folder + "/wrong.png") != screen
    small = surface("0x10500000,64x100,B5G6R5_UNORM,linear,512", folder + "/small.png")
    assert pixel(small, 0, 0) == (58, 61, 58, 255), pixel(small, 0, 0)
    assert pixel(small, 32, 60 - 16) == (255, 166, 0, 255), pixel(small, 32, 44)

    subprocess.run([softgt, "run", "--quiet", program, "--surfaces", folder + "/all"], check=True, stdout=subprocess.DEVNULL)
    page = pathlib.Path(folder + "/all/index.html").read_text()
    named = re.findall(r'<img src="([^"]+)"', page)
    assert sorted(named) == sorted(p.name for p in pathlib.Path(folder + "/all").glob("*.png")), named
    assert len(named) == 4 and "XY_SRC_COPY_CHROMA_BLT 1" in page, page
    whole = decode(folder + "/all/" + next(n for n in named if "-x.png" in n))
    assert whole == screen
print("pictures are right")
