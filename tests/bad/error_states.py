#!/usr/bin/env python3
"""Error states of guests (tests/error_states), whole, cut and damaged, with softgt decode --error. error_states.py SOFTGT SOURCE_DIR [none]

Each file was read in a guest on softgt serve: IGT let an engine hang. "none": this build has no sandbox (sanitizers)."""
import json
import lzma
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import json_schemas

softgt, source = sys.argv[1], pathlib.Path(sys.argv[2])
sanitized = sys.argv[3:] == ["none"]
folder = source / "tests/error_states"
number = failed = 0
MOST_KB = 400 << 10
# What a decode of each must show.
SHOWS = {
    "skl-i915-6.12": [
        "device skl",
        "rcs0 hung in process gem_ctx_persist [158], which was not guilty before.",
        "ACTHD 0x9d83bf3c is in the batch at 0x9d83b000, 3900 bytes in, at MI_NOOP",
        "HEAD is 0x58, its TAIL 0xb0.",
        "CTL                    0x00003001  RING_BUFFER_CTL: Buffer Length 3, Ring Buffer Enable",
        "MI_NOOP  <== HEAD",
        "0x9d83bf3c:  0x00000000:  MI_NOOP  <== ACTHD",
        "0x9d83bf40:  0x1b200002:  MI_CONDITIONAL_BATCH_BUFFER_END",
        "HW context       rcs0   ggtt  0x0000fff22000  90,112 bytes",
    ],
    "dg2-xe-7.2": [
        "device dg2",
        "rcs0 hung in process xe_exec_capture [152].",
        "at MI_CONDITIONAL_BATCH_BUFFER_END (0x1b200002). IPEHR 0x1b200002 is MI_CONDITIONAL_BATCH_BUFFER_END, that command.",
        "RING_BBADDR            0x00002d00001a0021  BB_ADDR",
        "0x2d00001a0010:  0x1b200002:  MI_CONDITIONAL_BATCH_BUFFER_END  <== ACTHD",
        "VM                      ppgtt 0x2d00001a0000  65,536 bytes",
        "0x2d00001a0010 (listed above)",
    ],
    "tgl-i915-7.2": ["device tgl", "rcs0 hung in process gem_ctx_persist [119]", "MI_NOOP  <== ACTHD", "CMD_CCTL               0x3fff0306  CMD_CCTL"],
    "dg2-i915-6.12": [
        "device dg2",
        "ACTHD 0x12e7ebffc is in a batch: no command there is in the file. The batch at 0x0 ends without MI_BATCH_BUFFER_END.",
        "SAMPLER_INSTDONE[0][0] 0xffffffff  SAMPLER_INSTDONE (in 32 copies)",
        "0x00000000:  0x00000000:  MI_NOOP  (1,024 times, to 0x00000ffc)",
        "back in the ring:",
    ],
    "hsw-i915-6.12": [
        "device hsw",
        "vcs0 hung in process gem_spin_batch [166], which was not guilty before. ACTHD 0x2d492f40 is in the batch at 0x2d492000, 3904 bytes in",
        "0x7fd9c120:  0x13244001:  MI_FLUSH_DW  <== HEAD",
        "0x2d492f40:  0x00000000:  MI_NOOP  <== ACTHD",
    ],
    "snb-i915-6.1": [
        "device snb",
        "rcs0 hung in process gem_spin_batch [109]",
        "rcs0, batch at 0x288ae000 (not in the file):",
        "rcs0, batch at 0x25246f40:",
        "0x25246f40:  0x00000000:  MI_NOOP  <== ACTHD",
    ],
    "dg2-xe-6.12": ["device dg2", "rcs0 hung in process xe_exec_reset.", "The ring is empty (HEAD = TAIL = 0x98)."],
}


# What a replay of each must end with: exit status, lines.
REPLAYS = {
    "skl-i915-6.12": (0, ["rcs0, from the batch at 0x9d83b000: reached the command where it stood, after 979 dwords", "registers: 0 of 13 differ"]),
    "dg2-xe-7.2": (0, ["rcs0, from the batch at 0x2d00001a0000: reached the command where it stood, after 11 dwords", "registers: 0 of"]),
    "dg2-xe-6.12": (2, []),
    "hsw-i915-6.12": (0, ["vcs0, from the ring at 0x7fd9c0a8: reached the command where it stood, after 1,007 dwords", "registers: 0 of 17 differ"]),
    "snb-i915-6.1": (1, ["rcs0, from the batch at 0x25246000: did all that the file has, and did not come to the command where it stood"]),
    "tgl-i915-7.2": (0, ["reached the command where it stood, after 979 dwords", "registers: 0 of"]),
    "dg2-i915-6.12": (1, ["rcs0, from the ring at 0xfed00000: reached the command where it stood, after 1,268,756,508 dwords",
                          "memory that the file does not have was used first by the command at 0xfed00038", "BBADDR"]),
}


def result(good, name, why=""):
    global number, failed
    number += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {number} - {name}{'' if good else ' # ' + ' '.join(str(why).split())[:300]}", flush=True)


def limited():
    if not sanitized:
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_KB << 10, MOST_KB << 10))


def tool(command, data, *options):
    with tempfile.NamedTemporaryFile(suffix=".txt") as file:
        file.write(data)
        file.flush()
        done = subprocess.run([softgt, command, "--error", *options, file.name], capture_output=True, text=True, errors="replace",
                              timeout=120, preexec_fn=limited)
    wrong = json_schemas.of_output(options, done.stdout)
    if wrong:
        result(False, "JSON is as its schema says", wrong[:3])
    return done


def decode(data, *options):
    return tool("decode", data, *options)


def replay(data, *options):
    return tool("run", data, *options)


def ascii85(data):
    out = []
    for at in range(0, len(data), 4):
        word = int.from_bytes(data[at:at + 4].ljust(4, b"\0"), "little")
        digits = ""
        for _ in range(5):
            digits = chr(33 + word % 85) + digits
            word //= 85
        out.append("z" if digits == "!!!!!" else digits)
    return "".join(out).encode()


files = {path.name.removesuffix(".txt.xz"): lzma.open(path).read() for path in sorted(folder.glob("*.txt.xz"))}
result(set(files) == set(SHOWS), "each file has its lines", set(files) ^ set(SHOWS))
for name, data in files.items():
    run = decode(data)
    missing = [line for line in SHOWS.get(name, []) if line not in run.stdout]
    result(run.returncode == 0 and not run.stderr and not missing, name, missing or run.stderr or run.returncode)
    packed = decode(lzma.compress(data))
    result((packed.returncode, packed.stdout) == (0, run.stdout), f"{name}, compressed", packed.stderr)
    lines = decode(data, "--json").stdout.splitlines()
    head = json.loads(lines[0])
    commands = [json.loads(line) for line in lines[1:]]
    result(head["schema"] == "softgt.error_state" and head["problems"] == 0 and all(c["schema"] == "softgt.command" for c in commands)
           and len([c for c in commands if c["acthd"]]) <= 1, f"{name}, as JSON", lines[:1])
    result(all(e["first_look"] in run.stdout for e in head["engines"] if "first_look" in e), f"{name}: the first look is the same")
    for options in (["--follow", "--kernels"], ["--headers", "--engine", "rcs0"], ["--engine", "render"], ["--resolve", "--budget", "1"]):
        followed = decode(data, *options)
        result(followed.returncode == 0 and not followed.stderr, f"{name}, {' '.join(options)}", followed.stderr)

# Replays, and those of damaged files.
for name, (status, lines) in REPLAYS.items():
    run = replay(files[name], "--budget", "2000000000")
    missing = [line for line in lines if line not in run.stdout]
    result(run.returncode == status and not missing, f"{name} runs", missing or (run.returncode, run.stdout, run.stderr))
    if not status:
        report = json.loads(replay(files[name], "--json").stdout)
        result(report["error_state"]["end"] == "reached" and report["exit_status"] == 0 and report["commands"], f"{name} runs, as JSON", report)
        traced = replay(files[name], "--trace", "commands", "--quiet")
        result(traced.returncode == 0 and "MI_BATCH_BUFFER_START" in traced.stdout, f"{name} runs, traced", traced.stderr)

# Cut inside a line: the line is named, what is before it is kept.
chance = random.Random(1)
for name, data in files.items():
    bad, kept = [], 0
    for at in sorted(chance.sample(range(200, len(data)), 12)):
        while data[at - 1] == 10 or data[at] in b"\n\r":
            at -= 1
        run = decode(data[:at])
        line = data[:at].count(b"\n") + 1
        kept += "device" in run.stdout
        if run.returncode != 2 or f"line {line}: " not in run.stderr:
            bad.append((at, line, run.returncode, run.stderr))
    result(not bad and kept, f"{name}, cut", bad)
    bad = []
    for _ in range(25):
        damaged = bytearray(data)
        for _ in range(chance.randrange(1, 6)):
            damaged[chance.randrange(len(data))] = chance.randrange(256)
        for command, options in (("decode", []), ("decode", ["--json", "--follow"]), ("run", ["--budget", "100000"])):
            run = tool(command, bytes(damaged), *options)
            if run.returncode not in (0, 1, 2) or "Sanitizer" in run.stderr or (run.returncode == 2) != bool(run.stderr):
                bad.append((run.returncode, run.stderr))
    result(not bad, f"{name}, damaged", bad)

skylake = b"PCI ID: 0x1912\nrcs0 command stream:\n"
for name, data, options, status, said in (
        ("an empty file", b"", [], 2, "the file is empty"),
        ("another text", b"hello\n", [], 2, "this is no error state of i915 and no devcoredump of xe"),
        ("a program", bytes(range(64)), [], 2, "it is not text"),
        ("a damaged compressed file", lzma.compress(skylake * 4000)[:-40], [], 2, "damaged or cut"),
        ("no PCI ID", b"rcs0 command stream:\n", [], 2, "the file has no PCI ID: name the device with --device"),
        ("no PCI ID, with a device", b"rcs0 command stream:\n", ["--device", "skl"], 0, ""),
        ("an unknown PCI ID", b"PCI ID: 0xffff\nrcs0 command stream:\n", [], 2, "PCI ID 0xffff is no device"),
        ("a bad PCI ID", b"PCI ID: 0x12345\nrcs0 command stream:\n", ["--device", "skl"], 2, "line 1: PCI ID: a number of 16 bits"),
        ("an engine that is not there", skylake, ["--engine", "abc"], 2, "no engine 'abc'"),
        ("a buffer without an address", skylake + b"rcs0 --- batch = 0xg\n~z\n", [], 2, "line 3: a buffer's address is expected"),
        ("data of no buffer", skylake + b"~zzz\n", [], 2, "line 3: data of no buffer"),
        ("a dword at the wrong place", skylake + b"rcs0 --- batch = 0x1000\n00000000 :  00000000\n00000008 :  00000000\n", [], 2,
         "line 5: buffer 'batch': a dword at offset 0x4 is expected"),
        ("an unknown command", skylake + b"rcs0 --- batch = 0x00000000 00001000\n~s8W-!\n", [], 1, "")):
    run = decode(data, *options)
    result(run.returncode == status and said in run.stderr and bool(said) == bool(run.stderr), name, (run.returncode, run.stderr))

run = decode(b"PCI ID: 0x1912\nxyz0 command stream:\n  HEAD: 0x1\nrcs0 command stream:\n  hung: 1\n")
result(run.returncode == 0 and "xyz0 is no engine that softgt knows" in run.stdout and "rcs0 hung." in run.stdout, "an unknown engine", run)

# State that commands point to, as far as the file has it.
def state(surface_base):
    base = [0x61010011] + [0] * 18
    base[4], base[5] = surface_base | 1, 0
    return b"".join(dw.to_bytes(4, "little") for dw in base + [0x782A0000, 0x20, 0x05000000])


surfaces = bytearray(0x100)
surfaces[0x20:0x24] = (0x40).to_bytes(4, "little")  # the first entry of the binding table
surfaces[0x48:0x4c] = (0x001F003F).to_bytes(4, "little")  # 64x32
buffers = b"rcs0 --- batch = 0x00000000 00002000\n~%s\nrcs0 --- user = 0x00000000 00010000\n~%s\n"
run = decode(skylake + buffers % (ascii85(state(0x10000)), ascii85(surfaces)), "--follow")
shown = ["BINDING_TABLE_STATE [0] at 0x00010020", "RENDER_SURFACE_STATE at 0x00010040", "Width: 63", "Height: 31"]
result(run.returncode == 0 and all(text in run.stdout for text in shown), "--follow", run.stdout[-600:])
run = decode(skylake + buffers % (ascii85(state(0x20000)), ascii85(surfaces)), "--follow")
result(run.returncode == 0 and "RENDER_SURFACE_STATE" not in run.stdout, "--follow beyond the memory", run.stdout[-300:])

# Small files that stand for much memory, many engines, many problems.
bomb = skylake + b"".join(b"rcs0 --- user = 0x00000001 00000000\n:%s\n" % ascii85(zlib.compress(bytes(64 << 20), 9)) for _ in range(4))
run = decode(bomb, "--memory", "100")
result(run.returncode == 2 and "the buffers take more memory than --memory allows" in run.stderr, "a zlib bomb", (run.returncode, run.stderr))
run = decode(skylake + b"~z\n" * 100000)
result(run.returncode == 2 and "99,900 more problems" in run.stderr, "many problems", run.stderr[-200:])
run = decode(b"PCI ID: 0x1912\n" + b"".join(b"e%d command stream:\n" % i for i in range(100)))
result(run.returncode == 2 and "more than 64 engines" in run.stderr, "many engines", run.stderr[-200:])
run = decode(skylake + b"rcs0 --- user = 0x00000000 00000000\n~z\n" * 5000)
result(run.returncode == 2 and "more than 4096 buffers" in run.stderr, "many buffers", run.stderr[-200:])
run = decode(skylake + b"  A: 0x1\n" * 2000)
result(run.returncode == 2 and "more than 1024 registers" in run.stderr, "many registers", run.stderr[-200:])
loop = b"".join((0x18800101).to_bytes(4, "little") + (at + 12).to_bytes(8, "little") for at in range(0x1000, 0x1000 + 12 * 4000, 12))
run = decode(skylake + b"rcs0 --- batch = 0x00000000 00001000\n~%s\n" % ascii85(loop))
result(run.returncode == 0 and 200 < run.stdout.count("batch at") <= 257, "thousands of jumps", (run.returncode, run.stdout.count("batch at")))

run = replay(skylake + b"rcs0 --- batch = 0x1000\n~zzzz\n", "--budget", "100000")
result(run.returncode == 1 and "memory that the file does not have was used first" in run.stdout, "a replay beyond the memory", run)
run = replay(skylake + b"rcs0 --- batch = 0x1000\n~zzzz\n" + b"".join(b"rcs0 --- user = 0x%x\n~z\n" % (i << 30 | 0x1000) for i in range(1, 4000)), "--budget", "100000")
result(run.returncode in (0, 1, 2) and "Sanitizer" not in run.stderr, "a replay with many tables", run)
run = replay(skylake + b"  hung: 0\nbcs0 command stream:\n  hung: 0\n")
result(run.returncode == 2 and "no engine hung" in run.stderr, "no engine hung", run)
run = replay(b"PCI ID: 0x4908\nrcs0 command stream:\n  hung: 1\n")
result(run.returncode == 2 and "PCI ID 0x4908 is no device that softgt runs" in run.stderr, "a device that is only decoded", run)
run = replay(skylake + b"rcs0 --- batch = 0xffffffff 00001000\n~zzzz\nrcs0 --- user = 0x1800\n~zz\nrcs0 --- user = 0x1c00\n~zz\n"
             b"rcs0 --- HW context = 0xfffff000\n~zz\n", "--budget", "1000")
result(run.returncode in (1, 2) and "Sanitizer" not in run.stderr, "buffers at odd addresses", run)

for options in (["--batch"], ["--eu"], ["--asm"], ["--no-draws"], ["--force", "--device", "skl"]):
    run = decode(files["skl-i915-6.12"], *options)
    result(run.returncode == 2 and not run.stdout, f"--error with {options[0]}", run.stderr)
for options in (["--self-check"], ["--save-at", "1"], ["--stop-after-draw", "1"], ["--tolerate", "faults"]):
    run = replay(files["skl-i915-6.12"], *options)
    result(run.returncode == 2 and not run.stdout, f"run --error with {options[0]}", run.stderr)
print(f"1..{number}")
sys.exit(failed != 0)
