#!/usr/bin/env python3
"""large.py SOFTGT SOURCE_DIR [SEED [COUNT]]: inputs that are large in one way or another, made up at random: deep, long, many of
something, or telling sizes that are not there. The tool answers with an exit status of its own in bounded time and memory; what it
cannot use it names. A failure is told with the seed of its input, which `large.py SOFTGT SOURCE_DIR SEED 1` plays again."""
import lzma
import os
import pathlib
import random
import resource
import struct
import subprocess
import sys
import tempfile
import time

softgt, source = sys.argv[1], pathlib.Path(sys.argv[2])
first, count = int(sys.argv[3]) if len(sys.argv) > 3 else 1, int(sys.argv[4]) if len(sys.argv) > 4 else 60
MEMORY_MB, BUDGET_DW = 96, 1 << 22
CPU_S, RESIDENT_MB, TEXT_BYTES = 100, MEMORY_MB + 700, 8 << 20  # sanitizers take several times as long
DEVICES = ("snb", "hsw", "bdw", "skl", "icl", "tgl")
WIDE = (0, 1, 0xfff, 0x1000, 0xffffffff, 1 << 32, (1 << 47) - 8, (1 << 48) - 4096, (1 << 63) + 5, (1 << 64) - 1)


def size(r, most):
    """Small as often as large."""
    return max(1, int(2 ** r.uniform(0, most.bit_length() - 0.01)))


def address(r):
    return r.choice((r.choice(WIDE), r.getrandbits(64), r.getrandbits(r.randrange(1, 48)) & ~0xfff))


# ---- Programs: each shape gives the lines behind `device`. ----

def long_token(r):
    n = size(r, TEXT_BYTES)
    return r.choice(("write " + "a" * n + " = 1", "let x = " + "9" * n, "let x = 0x" + "f" * n, 'data d { "' + "s" * n + '" }', "#" * n, " " * n + "run"))


def deep_expression(r):
    n = size(r, 1 << 20)
    return "let x = " + r.choice(("(" * n + "1" + ")" * n, "(" * n, "-" * n + "1", "1" + "+1" * n, "~" * n + "1", "1" + "<<1" * n, "1" + ")" * n))


def deep_repeat(r):
    n = size(r, 40)
    return ("".join(f"repeat {size(r, r.choice((4, 1 << 40)))} as i{i} {{\n" for i in range(n))
            + r.choice(("run", "advance 1", "data { 1 }", "write 0x22b4 = i0", "expect 0x22b4 = 0xffffffff")) + "\n}" * r.choice((n, n, n, n + 1)))


def long_repeat(r):
    depth = r.randrange(1, 4)
    return ("data d {" + "".join(f"\nrepeat {size(r, 1 << 34)} as i{n} {{" for n in range(depth))
            + "\n" + r.choice(("i0", "qw i0 * i0", "fill i0 size 4096", "align 4096", "")) + "\n}" * (depth + 1))


def large_fill(r):
    most = r.choice((1 << 16, 1 << 24, 1 << 44))
    return "\n".join(f"data d{i} {{ fill {i} size {size(r, most) + 3 & ~3} }}" for i in range(size(r, 300)))


def many_spaces(r):
    n = size(r, 6000)
    return "\n".join(f"ppgtt v{i}\ndata d{i} at v{i}:{r.getrandbits(r.choice((31, 46))) & ~0xfff:#x} {{ {i} }}" for i in range(n)) + "\nrun"


def many_contexts(r):
    return "\n".join(f"context c{i} rcs0 {{ MI_NOOP; MI_NOOP }}\nsubmit c{i}\nrun" for i in range(size(r, 3000)))


def long_batch(r):
    command = r.choice(("MI_NOOP", "MI_STORE_DATA_IMM use_global_gtt, address = 0x1000000, immediate_data = 1", "dw 0xffffffff",
                        "MI_LOAD_REGISTER_IMM { rcs0.CS_GPR[0], 1 }", "XY_COLOR_BLT", "dw 0x1108ffff"))
    return "data here at 0x1000000 { 0 }\ncontext c rcs0 size 2M {\n" + (command + "\n") * size(r, 100000) + "}\nsubmit c\nrun"


def long_list(r):
    pairs = ", ".join("{ rcs0.CS_GPR[0], 1 }" for _ in range(size(r, 20000)))
    return f"context c rcs0 {{ MI_LOAD_REGISTER_IMM {pairs} }}\nsubmit c\nrun"


def many_names(r):
    n = size(r, 60000)
    return "\n".join(f"let n{i} = {'n%d + ' % (i - 1) if i else ''}{i}" for i in range(n)) + f"\nwrite 0x2000 = n{n - 1}"


def wide_map(r):
    return "ppgtt v\n" + "\n".join(f"map {r.choice((f'ggtt:{r.getrandbits(31):#x}', f'v:{address(r):#x}'))[:-3]}000 size {size(r, r.choice((1 << 14, 1 << 38))) * 4096}"
                                 f"{r.choice(('', f' to {address(r) & ~0xfff:#x}'))}" for _ in range(size(r, 400)))


def many_expectations(r):
    most = r.choice((1 << 8, 1 << 30))
    return "data d { fill 1 size 1M }\n" + "\n".join(r.choice((f"expect mem &d = fill 1 size {size(r, most) * 4}", f"expect 0x{r.getrandbits(16) & ~3:x} = {r.getrandbits(32)}",
                                                             f"read mem &d + {size(r, 1 << 18) * 4}")) for _ in range(size(r, 20000)))


def long_time(r):
    return "\n".join(f"advance {size(r, 1 << 48)}" for _ in range(size(r, 20)))


def many_blits(r):
    blit = ("XY_COLOR_BLT color_depth = 3, raster_operation = 0xf0, destination_pitch = 4, destination_x2_coordinate = 0x7fff, "
            "destination_y2_coordinate = 0x7fff, destination_base_address = &here")
    return "ppgtt v\ndata here in v { fill 0 size 512K }\ncontext c bcs0 ppgtt v size 128K {\n" + (blit + "\n") * size(r, 3000) + "}\nsubmit c\nrun"


PROGRAMS = (long_token, deep_expression, deep_repeat, long_repeat, large_fill, many_spaces, many_contexts, long_batch, long_list, many_names,
            wide_map, many_expectations, long_time, many_blits)

# ---- Traces: the packets of a program's, more of them, and others among them. ----


def packets(data):
    at = 0
    while at < len(data):
        end = at + ((struct.unpack_from("<I", data, at)[0] & 0xffff) + 1) * 4
        yield data[at:end]
        at = end


def packet(kind, *dw, data=b"", told=None):
    body = struct.pack(f"<{len(dw)}I", *(d & 0xffffffff for d in dw)) + data + bytes(-len(data) % 4)
    return struct.pack("<I", 0xe0000000 | 0x2e << 23 | kind << 16 | (len(body) // 4 if told is None else told) & 0xffff) + body


def memory_packets(r):
    length = size(r, 250000) & ~3
    data = r.randbytes(min(length, 256)) * (length // 256 + 1)
    for _ in range(size(r, (24 << 20) // (length + 20))):
        a = address(r)
        yield packet(6, a, a >> 32, r.choice((0, 2, 2, 2, 4, 5, r.randrange(16))) << 28 | r.choice((0, r.getrandbits(28))), r.choice((length,) * 9 + (size(r, 1 << 32),)), data=data[:length])


def page_packets(r):
    step = r.choice((4096, 1 << 21, 1 << 30, 1 << 39))
    for i in range(size(r, 200000)):
        yield packet(6, i * step, i * step >> 32, 2 << 28, 4, data=b"page")


def entry_packets(r):
    for _ in range(size(r, 100000)):
        a, entry = address(r), struct.pack("<Q", address(r) | 3)
        yield packet(6, a, a >> 32, r.choice((4, 6, 8, 9, 10)) << 28, 8, data=entry * r.randrange(1, 4))


def register_packets(r):
    for _ in range(size(r, 200000)):
        yield packet(3, r.choice((r.getrandbits(32), r.getrandbits(22) & ~3, r.getrandbits(14) & ~3)), 2 << 16 | r.choice((0, 0, 0, r.getrandbits(16))),
                     0xffffffff, 0xffffffff, r.getrandbits(32), r.getrandbits(32))


def comment_packets(r):
    for _ in range(size(r, 500)):
        yield packet(8, 0, data=b"c" * size(r, 200000))


def any_packets(r):
    for _ in range(size(r, 100000)):
        yield packet(r.getrandbits(7), *(r.getrandbits(32) for _ in range(r.randrange(20))), told=r.getrandbits(16) if r.random() < 1e-4 else None)


TRACES = (memory_packets, page_packets, entry_packets, register_packets, comment_packets, any_packets)


def trace(r, base):
    whole = list(packets(base))
    at = r.randrange(1, len(whole) + 1)
    much = list(r.choice(TRACES)(r)) if r.random() < 0.8 else whole[1:] * size(r, 2000)
    data = b"".join(whole[:at] + much + whole[at:])[:64 << 20]
    if r.random() < 0.2:
        data = data[:-r.randrange(1, 4096)] + r.choice((b"", r.randbytes(4096)))
    return data


# ---- States: what a run saved, with some of it longer, other or many times there. ----


def state(r, base):
    data = bytearray(base)
    for _ in range(size(r, 60)):
        at = r.randrange(len(data))
        how = r.randrange(4)
        if how == 0:
            struct.pack_into("<I", data, min(at & ~3, len(data) - 4), r.choice((0, 1, 0x7fffffff, 0x80000000, 0xffffffff, r.getrandbits(32))))
        elif how == 1:
            data[at:at] = data[at:at + size(r, 1 << 16)] * size(r, 200)
        elif how == 2:
            del data[at:at + size(r, 1 << 12)]
        else:
            struct.pack_into("<Q", data, min(at & ~3, len(data) - 8), r.getrandbits(64))
        del data[64 << 20:]
        if len(data) < 16:
            break
    return bytes(data) or b"?"


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))


def play(at, *arguments):
    """Exit status, what was said last on standard error, megabytes, seconds."""
    errors = at / "errors"
    begin = time.monotonic()
    with open(errors, "wb") as said:
        process = subprocess.Popen([softgt, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said, preexec_fn=limits)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    with open(errors, "rb") as said:
        said.seek(max(0, errors.stat().st_size - 2000))
        return process.returncode, said.read().decode(errors="replace"), used.ru_maxrss // 1024, used.ru_utime + used.ru_stime, time.monotonic() - begin


failed, worst = 0, [0, 0]
with tempfile.TemporaryDirectory() as scratch:
    at = pathlib.Path(scratch)
    hello, saved = at / "hello.aub", at / "hello.state"
    subprocess.run([softgt, "asm", "--quiet", source / "examples/hello.gts", "-o", hello], check=True)
    subprocess.run([softgt, "run", "--quiet", "--save-at", "2", "--save", saved, hello], check=True, stdout=subprocess.DEVNULL)
    for number, seed in enumerate(range(first, first + count), 1):
        r = random.Random(seed)
        what = r.choice(("program", "program", "trace", "state"))
        common = ["--memory", MEMORY_MB, "--budget", BUDGET_DW]
        if what == "program":
            shape = r.choice(PROGRAMS)
            path, name = at / "large.gts", shape.__name__
            path.write_text(f"device {r.choice(DEVICES)}\n{shape(r)}\n"[:64 << 20])
            arguments = r.choice((["run", *common], ["run", *common], ["asm", "--output", at / "out.aub"])) + [path]
        elif what == "trace":
            path, name = at / "large.aub", "trace"
            data = trace(r, hello.read_bytes())
            path.write_bytes(lzma.compress(data, preset=0) if r.random() < 0.2 and len(data) < 8 << 20 else data)
            arguments = r.choice((["run", *common], ["run", *common], ["decode", "--memory", MEMORY_MB])) + [path]
        else:
            path, name = at / "large.state", "state"
            path.write_bytes(state(r, saved.read_bytes()))
            arguments = ["run", *common, "--load", path, hello]
        status, said, megabytes, cpu_s, seconds = play(at, *arguments)
        why = ""
        if status not in (0, 1, 2):
            why = f"exit status {status}"
        elif status == 2 and path.name not in said:
            why = "does not say which file"
        elif megabytes > RESIDENT_MB:
            why = f"{megabytes} MB"
        failed += bool(why)
        worst = [max(worst[0], cpu_s), max(worst[1], megabytes)]
        print(f"{'not ok' if why else 'ok'} {number} - seed {seed}: {arguments[0]} of a {name}, {path.stat().st_size:,} bytes: exit {status}, {cpu_s:.1f} s, {megabytes} MB"
              + (f"\n# {why}: {said[-300:]}" if why else ""), flush=True)
        path.unlink()
print(f"# at most {worst[0]:.1f} s of a processor, {worst[1]} MB")
sys.exit(failed != 0)
