#!/usr/bin/env python3
"""The command line on input that is wrong: a clear message, the right exit status, bounded time. cli.py SOFTGT SOURCE_DIR"""
import gzip
import json
import os
import pathlib
import random
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import json_schemas

softgt, source = sys.argv[1], pathlib.Path(sys.argv[2])
number = failed = 0


def result(good, name, why=""):
    global number, failed
    number += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {number} - {name}" + (f"\n# {why}" if why and not good else ""), flush=True)


def run(*arguments, given=None, **more):
    done = subprocess.run([softgt, *map(str, arguments)], input=given, capture_output=True, timeout=60, **more)
    wrong = json_schemas.of_output(arguments, done.stdout) if arguments[0] != "exec" else []
    if wrong:
        result(False, "JSON is as its schema says", str(wrong[:9]))
    return done


def expect(name, status, text, *arguments):
    done = run(*arguments)
    said = (done.stdout + done.stderr).decode(errors="replace")
    result(done.returncode == status and text in said, name, f"exit {done.returncode}, said: {said[-300:]}")


with tempfile.TemporaryDirectory() as scratch:
    at = pathlib.Path(scratch)
    trace = at / "hello.aub"
    made = run("asm", "--quiet", source / "examples/hello.gts", "-o", trace)
    result(made.returncode == 0, "the example assembles", made.stderr.decode())
    data = trace.read_bytes()
    expect("the trace of it runs clean", 0, "compares: 0 of", "run", trace)
    for subcommand in ("run", "decode", "asm", "devices", "commands", "instructions", "registers", "contexts", "map", "serve", "exec", "eu"):
        expect(f"{subcommand} --help", 0, "Usage:", subcommand, "--help")
        expect(f"help {subcommand}", 0, f"softgt {subcommand} ", "help", subcommand)
        expect(f"{subcommand}: an unknown option", 2, "unrecognized option", subcommand, "--no-such-option")
    expect("help of no subcommand", 2, "no subcommand is named 'frobnicate'", "help", "frobnicate")
    expect("no subcommand of that name", 2, "no subcommand is named 'frobnicate'", "frobnicate")
    for typed, meant in (("decod", "decode"), ("EXEC", "exec"), ("regsiters", "registers"), ("instruction", "instructions")):
        expect(f"a subcommand that is mistyped: {typed}", 2, f"no subcommand is named '{typed}' (did you mean {meant}?); softgt --help lists them", typed)
    for arguments in (("run", "--device", "tlg", trace), ("commands", "tlg"), ("exec", "--device", "tlg", "true"), ("desktop", "--device", "tlg"), ("explain", "--device", "tlg", "x"),
                      ("decode", "--device", "tlg", trace), ("serve", "--device", "tlg", "--socket", at / "s"), ("tbx", "--device", "tlg"), ("eu", "--device", "tlg", trace)):
        expect(f"{arguments[0]}: a device that is mistyped", 2, "no device is named 'tlg' (did you mean tgl?); there are: snb, ", *arguments)
    expect("no trace", 2, "TRACE is missing", "run")
    # With --json unusable input is an object, too.
    (at / "cut.aub").write_bytes(data[:37])
    (at / "nothing").write_bytes(b"")
    (at / "folder").mkdir()
    for name, arguments in {"run": (), "run -J2": (), "decode": (), "draws": (), "diff": (trace,), "eu": (), "asm": (), "control": (), "functions": (), "map": (), "registers": ()}.items():
        for file in (at / "none", at / "none.gts", at / "cut.aub", at / "folder", at / "nothing", "/dev/null"):
            done = run(*name.split(), "--json", *arguments, file)
            if name == "eu" and file == at / "cut.aub":
                continue  # any bytes are a kernel
            told = json.loads(done.stdout.splitlines()[-1]) if done.stdout else {}
            why = told["error"] if told.get("schema") == "softgt.error" else told.get("errors", [{}])[0].get("text")
            result(done.returncode == 2 == told.get("exit_status") and why and why in done.stderr.decode() and done.stdout.count(b"\n") == 1,
                   f"{name} --json: the object of {file}".replace(f"{at}/", ""), done)
    done = run("decode", "-j", at / "none.gts")
    result(json.loads(done.stdout) == {"schema": "softgt.error", "version": 1, "file": f"{at}/none.gts", "error": "No such file or directory", "exit_status": 2}, "the object of an error", done)
    done = run("run", "--json", "--timeline", "/nowhere/t.json", trace)
    result(json.loads(done.stdout)["file"] == "/nowhere/t.json", "the object of an error before the run", done)
    done = run("run", "--json", trace, at / "none")
    result([json.loads(line)["result"] for line in done.stdout.splitlines()] == ["pass", "unusable"], "files that have objects have no second one", done)
    done = subprocess.run([softgt, "run", "--json", "--tap", trace, at / "none"], capture_output=True, timeout=60)
    result(b"softgt.error" not in done.stdout, "TAP has no such object", done)
    # An option whose FILE was forgotten takes the program's name.
    for name, start in (("program", pathlib.Path("/bin/true").read_bytes()), ("script", b"#!/bin/sh\nexit 0\n")):
        program = at / name
        program.write_bytes(start)
        program.chmod(0o755)
        for option in ("--json", "--record", "--timeline", "--eu-trace"):
            expect(f"exec {option} {name}", 2, f"{program}: cannot be written ({option}): the file is a program (ELF or #!), which is not replaced", "exec", option, program, "true")
        for arguments, said in ((("run", "--timeline", program, trace), "cannot be written (--timeline): "), (("run", "--save-at", "1", "--save", program, trace), "cannot be written (--save-at): "),
                                (("asm", "--quiet", "-o", program, source / "examples/hello.gts"), ""), (("desktop", "--picture", program, "true"), "")):
            expect(f"{arguments[0]} {arguments[1]} {name}", 2, said + "the file is a program (ELF or #!)" if arguments[0] != "desktop" else "softgt: ", *arguments)
        result(program.read_bytes() == start, f"the {name} stays as it is")
    expect("a control socket that cannot be made", 2, "/nowhere/s: cannot be written (--control): No such file", "exec", "--control", "/nowhere/s", "true")
    expect("a control socket without a name", 2, "'' is no file", "exec", "--control", "", "true")
    (at / "own.gts").write_text((source / "examples/hello.gts").read_text())
    expect("asm does not replace the program", 2, "own.gts' is the program itself", "asm", "-o", at / "own.gts", at / "own.gts")
    expect("nor by another name of it", 2, "is the program itself", "asm", "-o", f"{at}/./own.gts", at / "own.gts")
    expect("a file that is not there", 2, f"softgt: {at}/none.aub: cannot be read: No such file or directory\n", "run", at / "none.aub")
    (at / "empty.aub").write_bytes(b"")
    expect("an empty file", 2, "the file is empty", "run", at / "empty.aub")
    (at / "text.aub").write_bytes(b"this is no trace at all, just text\n")
    expect("a file of something else", 2, "not an AUB packet", "run", at / "text.aub")
    (at / "hello.txt").write_text((source / "examples/hello.gts").read_text())
    expect("a program by another name", 0, "3 expectations held", "run", at / "hello.txt")
    expect("-h is --help", 0, "Usage:", "run", "-h")
    expect("a tiling that the device lacks", 2, "skl has no tiling 4; it has linear, x, y, yf, ys", "run", "--surface", "0x1000,8x8,R8G8B8A8_UNORM,4", trace)
    expect("a tiling of another generation", 2, "dg2 has no tiling y; it has linear, x, 4, 64", "run", "--device", "dg2", "--force", "--surface", "0x1000,8x8,R8G8B8A8_UNORM,y", trace)
    (at / "zeros.bin").write_bytes(bytes(4000))
    expect("equal commands are one line", 0, "MI_NOOP  (1,000 times, to 0x00000f9c)", "decode", "--batch", "--headers", at / "zeros.bin")
    result(run("decode", "--batch", "--headers", at / "zeros.bin").stdout.count(b"\n") == 1, "one line it is")
    result(run("decode", "--batch", "--json", at / "zeros.bin").stdout.count(b"\n") == 1000, "as objects they are each")
    expect("a port that is none", 2, "is not a number from 0 to 65535", "tbx", "--port", "70000")
    result(max(map(len, run("devices").stdout.decode().splitlines())) < 150, "lines of devices have an end")
    draws = at / "draw.aub"
    run("asm", "--quiet", source / "tests/rule/draw.gts", "-o", draws)
    drawn, counted = run("run", draws), run("run", "--no-draws", draws)
    result(b"not modelled:\n" not in drawn.stdout and b"counted (draws are not run)" in counted.stdout, "draws run, or are counted", (drawn.stdout + counted.stdout).decode())
    expect("the first draws", 0, "3DPRIMITIVE", "run", "--stop-after-draw", "1", draws)
    expect("more draws than there are", 0, "the trace ends before draw 100", "run", "--stop-after-draw", "100", trace)
    expect("a program's draws have no count", 2, "--stop-after-draw is for traces", "run", "--stop-after-draw", "1", source / "examples/hello.gts")
    expect("an unknown device", 2, "no device is named 'i740'", "run", "--device", "i740", trace)
    expect("a batch that is not dwords", 2, "multiple of 4", "decode", "--batch", at / "text.aub")
    expect("an empty kernel", 2, "the file is empty", "decode", "--eu", at / "empty.aub")
    expect("a kernel with --json", 2, "--eu takes --device and no other option", "decode", "--eu", "--json", at / "empty.aub")
    expect("an empty batch", 2, "the file is empty", "decode", "--batch", at / "empty.aub")
    with open(at / "long.bin", "wb") as long:
        long.truncate((1 << 30) + 4)  # without blocks on the disk
    expect("a batch of more than 1 GB", 2, "it has more than 1024 MB", "decode", "--batch", "--device", "skl", "--engine", "rcs0", at / "long.bin")
    (at / "long.bin").unlink()
    program = b"device skl\n".ljust((64 << 20) - 1, b"\n")
    (at / "long.gts").write_bytes(program)
    expect("a program of a byte less than 64 MB", 0, "Skylake", "run", at / "long.gts")
    (at / "long.gts").write_bytes(program + b"\n")
    expect("a program of 64 MB", 2, "the file is larger than 64 MB", "run", at / "long.gts")
    (at / "long.gts").unlink()
    expect("a trace for an engine that is none", 2, "no engine 'rcs7' on any device", "decode", "--engine", "rcs7", trace)
    expect("a batch for an engine of another device", 2, "no engine 'vcs1' on skl", "decode", "--batch", "--engine", "vcs1",
           at / "empty.aub")
    (at / "unknown.bin").write_bytes(b"\x00\x00\x00\xe0\x00\x00\x00\x05")
    expect("an unknown command is listed", 1, "unknown command", "decode", "--batch", at / "unknown.bin")
    (at / "cut.bin").write_bytes(b"\x02\x00\x00\x10\x00\x00\x00\x00")
    expect("a batch that ends inside a command", 1, "ends inside a command", "decode", "--batch", at / "cut.bin")
    expect("a kernel that is cut", 1, "the file ends inside an instruction", "decode", "--eu", at / "cut.bin")
    (at / "bad.gts").write_text("device skl\nfrobnicate\n")
    (at / "case.gts").write_text("device SKL\n")
    (at / "device.gts").write_text("device i740\n")
    expect("a program's device in capitals", 2, "case.gts:1:8: error: unknown device 'SKL' (did you mean skl?); devices: ", "run", at / "case.gts")
    expect("a program's device that is none", 2, "device.gts:1:8: error: unknown device 'i740'; devices: snb, ", "run", at / "device.gts")
    (at / "held.gts").write_text("device skl\ndata a { 1, 2 }\nexpect mem &a = 1, 2\nexpect mem &a != 2\nexpect faults 0\n")
    expect("a program that holds", 0, "\n  3 expectations held\n", "run", at / "held.gts")
    (at / "failed.gts").write_text("device skl\ndata a { 1, 2 }\nexpect mem &a = 1, 2\nexpect mem &a = 2\n")
    expect("a program that does not", 1, "\n  1 of 2 expectations held\n", "run", at / "failed.gts")
    waits = """device tgl
ppgtt vm
data flag in vm { 3 }
batch waiter rcs0 in vm {
    MI_SEMAPHORE_WAIT wait_mode = polling_mode, compare_operation = sad_greater_than_or_equal_sdd, semaphore_data_dword = 5, semaphore_address = &flag
    MI_BATCH_BUFFER_END
}
context c rcs0 ppgtt vm {
    MI_BATCH_BUFFER_START address_space_indicator = ppgtt, batch_buffer_start_address = &waiter
}
submit c
run
"""
    (at / "waits.gts").write_text(waits)
    run("asm", "--quiet", at / "waits.gts", "-o", at / "waits.aub")
    wait = rb"It waits until the value at PPGTT address 0x1000000 is >= 0x5; it read 0x3"
    place = rb"MI_SEMAPHORE_WAIT \([0-9a-f]{8}\) at PPGTT (0x[0-9a-f]+), batch \1, context 0x[0-9a-f]+ \(id 0x[0-9a-f]+\), ring 0x[0-9a-f]+"
    for file in ("waits.gts", "waits.aub"):
        done = run("run", "--json", at / file)
        result(done.returncode == 0 and re.search(rb"note: rcs0 still waits at the end, at " + place + rb"\. " + wait, done.stderr), f"{file}: an engine that waits is said", done)
        done = run("run", at / file)
        result((done.stdout + done.stderr).count(b"It waits until") == 1, f"{file}: it is said once", done)
        result(re.search(wait + rb", since [\d.]+ s\n +Command: " + place + rb"\n", done.stdout), f"{file}: the semaphore and the place of the command", done)
        engine = json.loads(run("run", "--json", at / file).stdout)["engines"]["rcs0"]
        result((engine["wait_space"], engine["wait_address"], engine["found"], engine["wanted"]) == ("ppgtt", "0x1000000", 3, 5), f"{file}: the semaphore, as JSON", engine)
    wait_starts = waits.index("    MI_SEMAPHORE_WAIT")
    (at / "fault.gts").write_text(waits[:wait_starts] + "    MI_STORE_DATA_IMM address = 0x3004_5000, immediate_data = 1\n" + waits[waits.index("    MI_BATCH_BUFFER_END"):])
    done = run("run", at / "fault.gts")
    result(re.search(rb"\n +page fault: write of PPGTT address 0x30045000, [^\n]+\n +Command: MI_STORE_DATA_IMM \([0-9a-f]{8}\) at PPGTT (0x[0-9a-f]+), batch \1, context ", done.stdout),
           "the address of a page fault, and the place of its command", done)
    engine = json.loads(run("run", "--json", at / "fault.gts").stdout)["engines"]["rcs0"]
    result("PPGTT address 0x30045000" in engine.get("fault", ""), "the address of a page fault, as JSON", engine)
    expect("a timeline that cannot be written", 2, "/nowhere/t.json: cannot be written (--timeline): No such file", "run", "--timeline", "/nowhere/t.json", trace)
    picture = ("run", "--quiet", source / "examples/hello.gts", "-o", at / "s.png", "--surface")
    expect("a surface without an address", 2, "no address", *picture, "x,1x1,R8_UNORM,linear")
    expect("a surface of no size", 2, "WIDTHxHEIGHT", *picture, "0,0x7,R8_UNORM,linear")
    expect("a surface too large", 2, "WIDTHxHEIGHT", *picture, "0,99999x7,R8_UNORM,linear")
    expect("a surface of too many pixels", 2, "pixels", *picture, "0,32768x32768,R8_UNORM,linear")
    expect("a surface of no format", 2, "no format is named \'R8G8B8\'; there are R8G8B8_UNORM", *picture, "0,7x7,R8G8B8,linear")
    expect("a surface in no tiling", 2, "the tiling is one of", *picture, "0,7x7,R8_UNORM,w")
    expect("a surface of no pitch", 2, "the pitch is in bytes", *picture, "0,7x7,R8_UNORM,x,0")
    expect("a surface with too much behind it", 2, "is too much", *picture, "0,7x7,R8_UNORM,x,512,1")
    expect("a surface of an engine that is none", 2, "has no engine rcs7", *picture, "rcs7:0,7x7,R8_UNORM,x")
    expect("a surface that is not mapped", 2, "no engine has memory mapped", *picture, "0x7fff0000,7x7,R8_UNORM,x")
    expect("a picture that cannot be written", 2, "/nowhere/s.png: No such file", "run", "--quiet", source / "examples/blits.gts",
           "--surface", "0x10000000,7x7,R8_UNORM,x", "-o", "/nowhere/s.png")
    expect("pictures in a folder that cannot be made", 2, "No such file", "run", "--surfaces", "/nowhere/s", trace)
    fill = "XY_COLOR_BLT destination_pitch = 8192, raster_operation = 0xf0, destination_base_address = 0x10000000"
    (at / "grows.gts").write_text(f"""device skl
ppgtt vm
map vm:0x10000000 size 4K
map vm:0x1ff00000 size 2M
batch small bcs0 in vm {{
    {fill}, destination_x2_coordinate = 8, destination_y2_coordinate = 1
    MI_BATCH_BUFFER_END
}}
batch large bcs0 in vm {{
    {fill}, destination_x1_coordinate = 8190, destination_y1_coordinate = 32766, destination_x2_coordinate = 8191, destination_y2_coordinate = 32767
    MI_BATCH_BUFFER_END
}}
ring bcs0 ppgtt vm {{
    MI_BATCH_BUFFER_START address_space_indicator = ppgtt, batch_buffer_start_address = &small
    MI_NOOP
    MI_BATCH_BUFFER_START address_space_indicator = ppgtt, batch_buffer_start_address = &large
    MI_NOOP
}}
submit bcs0
run
""")
    expect("pictures of a surface that becomes too large", 0, "XY_COLOR_BLT", "run", "--surfaces", at / "grown", at / "grows.gts")
    result(os.listdir(at / "grown") == ["index.html"] and "too many pixels" in (at / "grown/index.html").read_text(), "it is told, and no picture made")
    expect("pictures of two traces", 2, "one trace at a time", "run", "--surfaces", at / "p", trace, trace)
    expect("a surface whose pitch is too small", 2, "need 512 at least", *picture, "0,7x7,R8_UNORM,x,7")
    expect("a linear one", 2, "need 28 at least", *picture, "0,7x7,R8G8B8A8_UNORM,linear,27")
    expect("a pitch that is no tile's multiple", 2, "tiles' 128 bytes", *picture, "0,7x7,R8_UNORM,y,192")
    expect("two surfaces", 2, "one --surface at a time", *picture, "0,7x7,R8_UNORM,linear", "-u", "0,8x8,R8_UNORM,linear")

    # What is not done of a program's commands fails it, and the trace of it, alike.
    rule = (source / "tests/rule/tolerate.gts").read_text()
    for name, text, status in (("tolerated", rule, 0), ("not tolerated", rule.replace("tolerate short, dropped, misplaced\n", ""), 1),
                               ("tolerated in part", rule.replace("short, dropped", "short"), 1),
                               ("expected", rule.replace("tolerate short, dropped, misplaced\n", 'ignore guest_error "is "\n'), 0)):
        (at / "mistakes.gts").write_text(text)
        made = run("asm", "-q", at / "mistakes.gts", "-o", at / "mistakes.aub")
        done = [run("run", "-q", at / f"mistakes.{form}") for form in ("gts", "aub")]
        result(made.returncode == 0 and [d.returncode for d in done] == [status] * 2, f"mistakes {name} exit alike as .gts and .aub",
               str([(d.returncode, d.stderr[-300:]) for d in done]))

    (at / "mistakes.gts").write_text(rule.replace("tolerate short, dropped, misplaced\n", ""))
    for given, status in (("short,dropped,misplaced", 0), ("short,misplaced", 1)):
        expect(f"a program with --tolerate {given}", status, "", "run", "-q", "--tolerate", given, at / "mistakes.gts")

    # Options that would do nothing are refused.
    for command, why in ((("contexts", "skl", "--fields"), "unrecognized option"), (("map", "skl", "--fields"), "unrecognized option"),
                         (("map", "skl", "rcs0"), "a device is all"), (("commands", "skl", "rcs0", "x"), "a device and an engine are all"),
                         (("commands", "skl", "-f", "-j"), "--json, which has them"), (("registers", "skl", "-f", "-m"), "--markdown, which has none"),
                         (("map", "skl", "-j", "-m"), "not both"), (("devices", "-j", "-m"), "not both")):
        expect(" ".join(command), 2, why, *command)

    # "-" is standard input, and output.
    hello, program = (source / "examples/hello.gts").read_bytes(), source / "examples/hello.gts"
    done = run("asm", "-q", program, "-o", "-")
    result(done.returncode == 0 and done.stdout == data, "a trace on standard output")
    done = run("asm", "-q", "-", given=hello)
    result(done.returncode == 0 and b"softgt program" in done.stdout and not (at / "-.aub").exists(), "a program on standard input")
    for name, given, wanted in (("trace", data, b"compares: 0 of"), ("compressed trace", gzip.compress(data), b"compares: 0 of"),
                                ("program", hello, b"3 expectations held"), ("nothing", b"", b"the file is empty")):
        done = run("run", "-", given=given)
        result(done.returncode == (2 if name == "nothing" else 0) and wanted in done.stdout + done.stderr, f"run - takes a {name}",
               (done.stdout + done.stderr).decode()[-200:])
    def without_offsets(text):  # which follow the length of the trace's name
        return re.sub(rb"file offset 0x[0-9a-f]+", b"", text)
    listed = without_offsets(run("decode", trace).stdout)
    for name, arguments, given in (("a program", (program,), None), ("a program on standard input", ("-",), hello),
                                   ("a trace on standard input", ("-",), data)):
        done = run("decode", *arguments, given=given)
        result(done.returncode == 0 and without_offsets(done.stdout) == listed, f"decode takes {name}", done.stderr.decode())
    expect("decode of a program with an error", 2, "bad.gts:2:1: error: unknown statement 'frobnicate'", "decode", at / "bad.gts")
    done = run("run", "-q", "-T", "-", trace)
    result(done.returncode == 0 and isinstance(json.loads(done.stdout), list) and b"compares" in done.stderr,
           "a timeline on standard output; what else goes there goes to standard error")
    done = run("run", "-q", source / "examples/blits.gts", "-u", "0x10000000,7x7,R8_UNORM,linear", "-o", "-")
    result(done.returncode == 0 and done.stdout[:4] == b"\x89PNG", "a picture on standard output")

    # A write that fails leaves what was there, and nothing beside it.
    kept, blits = at / "out" / "kept", source / "examples/blits.gts"
    kept.parent.mkdir()
    kept.write_text("old")
    surface = ("-u", "0x10000000,700x700,R8_UNORM,linear")
    writes = {"asm": ("asm", "-q", program, "-o"), "picture": ("run", "-q", blits, *surface, "-o"),
              "timeline": ("run", "-q", trace, "-T"), "state": ("run", "-q", trace, "--save-at", "3", "--save")}
    small = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))}
    for name, command in writes.items():
        done = run(*command, kept, **small)
        result(done.returncode == 2 and kept.read_text() == "old" and len(list(kept.parent.iterdir())) == 1 and b"too large" in done.stderr,
               f"{name}: a file that cannot be whole", f"exit {done.returncode}, {done.stderr.decode()[-200:]}, {list(kept.parent.iterdir())}")
        done = run(*command, "/dev/full")
        result(done.returncode == 2 and re.search(rb"/dev/full: (cannot be written \(--[a-z-]+\): )?No space left on device", done.stderr) and not pathlib.Path("/dev/full").is_file(),
               f"{name}: a full device", f"exit {done.returncode}, {done.stderr.decode()[-200:]}")
        pipe = at / f"pipe-{name}"
        os.mkfifo(pipe)
        reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE)
        done = run(*command, pipe)
        got = reader.communicate(timeout=20)[0]
        result(done.returncode == 0 and got and pipe.is_fifo(), f"{name}: a fifo stays one", f"exit {done.returncode}")
    link = at / "out" / "link"
    link.symlink_to("kept")
    kept.chmod(0o640)
    done = run("asm", "-q", program, "-o", link)
    result(done.returncode == 0 and link.is_symlink() and kept.read_bytes() == data and kept.stat().st_mode & 0o777 == 0o640,
           "a link stays one, rights stay")
    with open("/dev/full", "wb") as full:
        done = subprocess.run([softgt, "commands", "skl"], stdout=full, stderr=subprocess.PIPE, timeout=60)
        result(done.returncode == 2 and b"standard output: cannot be written" in done.stderr, "a listing that cannot be written")
    for name, command, closed, status in (("decode without standard input", ("decode", "-"), 0, 2), ("run without standard input", ("run", "-"), 0, 2),
                                          ("run without standard output", ("run", "-q", "-T", at / "closed.json", trace), 1, 2),
                                          ("run without standard error", ("run", "-q", "-T", at / "closed.json", trace), 2, 0)):
        done = run(*command, preexec_fn=lambda: os.close(closed))
        result(done.returncode == status, name, f"exit {done.returncode}, {done.stderr.decode()[-200:]}")
        result(not (at / "closed.json").exists() or isinstance(json.loads((at / "closed.json").read_text()), list), f"{name}: the timeline is one")
    with open("/dev/full", "wb") as full:
        for command in (("--help",), ("--version",)):
            done = subprocess.run([softgt, *command], stdout=full, stderr=subprocess.PIPE, timeout=60)
            result(done.returncode == 2, f"{command[0]} that cannot be written", f"exit {done.returncode}")
    expect("no socket", 2, "--socket is missing", "serve")
    expect("a device that is none", 2, "no device is named 'i740'", "serve", "--device", "i740", "--socket", at / "s")
    expect("no such log level", 2, "no log level is named 'much'", "serve", "--log", "much", "--socket", at / "s")
    expect("a socket in no directory", 2, "/nowhere/s: No such file", "serve", "--socket", "/nowhere/s")
    expect("a recording of what takes time", 2, "a recording does not hold the time that commands take", "serve", "--timing", "--record", at / "r", "--socket", at / "s")
    expect("a socket with too long a name", 2, "name too long", "serve", "--socket", "/tmp/" + "s" * 200)
    expect("functions of a device that has none", 2, "--functions: skl has no virtual functions", "serve", "--functions", "1", "--socket", at / "f")
    expect("more functions than there are", 2, "--functions: atsm has at most 31", "serve", "--device", "atsm", "--functions", "32", "--socket", at / "f")
    expect("functions, and the end of one client", 2, "--functions does not go with --once", "serve", "--device", "atsm", "--functions", "1", "--once", "--socket", at / "f")
    expect("functions where a file is", 2, "text.aub: Not a directory", "serve", "--device", "atsm", "--functions", "1", "--socket", at / "text.aub")
    functions = ("serve", "--device", "atsm", "--functions", "2", "--socket", at / "f")
    for text, why in (("", "offset 0: it ends early"), ('{"vf1": {', "offset 9: it ends early"), ('{"vf1": }', "offset 8: "), ("[]", "it is no object"), ('{"vf1": {}} x', "offset 12: "),
                      ('{"vf3": {}}', "vf3: neither 'each' nor a function; there are vf1 to vf2"), ('{"vf01": {}}', "vf01: neither"), ('{"vf1": 3}', "vf1: it is no object"),
                      ('{"vf1": {"colour": 3}}', "vf1: colour: no such key; there are ggtt_mb, local_mb"), ('{"each": {"quantum_ms": 100001}}', "each: quantum_ms: 100001 is no number from 0 to 100000"),
                      ('{"vf2": {"contexts": "many"}}', 'vf2: contexts: "many" is no number from 1 to 65535'), ('{"vf1": {"local_mb": 512}}', "local memory is too small"), ('{"vf1": {"local_mb": 5}}', "multiple of 2 MB"),
                      ('{"each": {"doorbells": 200}}', "more doorbells than the device has"), ('{"each": {"ggtt_mb": 4096}}', "the GGTT is too small"), ("[" * 100, "offset 4: ")):
        (at / "shares.json").write_text(text)
        expect(f"a provision file that says {text[:20]!r}", 2, "shares.json: " + why if why[0] not in "lmt" else why, *functions, "--provision", at / "shares.json")
    expect("a provision file that is not there", 2, "/nowhere.json: cannot be read: No such file", *functions, "--provision", "/nowhere.json")
    expect("a provision file without functions", 2, "--provision needs --functions", "serve", "--provision", at / "shares.json", "--socket", at / "f")
    expect("a client that decides without functions", 2, "--pf-decides needs --functions", "serve", "--pf-decides", "--socket", at / "f")
    expect("a control socket beside functions", 2, "--control does not go with --functions", "serve", "--device", "atsm", "--functions", "1", "--control", at / "c", "--socket", at / "f")
    expect("a control socket where a file is", 2, "text.aub: is a file, and no socket", "serve", "--control", at / "text.aub", "--socket", at / "f")
    expect("no patience", 2, "--patience: '0' is not a number from 1 to 86400", "serve", "--patience", "0", "--socket", at / "f")
    expect("events as JSON without events", 2, "--trace-json does nothing without --trace", "serve", "--trace-json", "--socket", at / "f")
    expect("an event that is none", 2, "--trace: 'noise' is none of commands, registers", "run", "--trace", "draws,noise:x", trace)
    expect("a pattern that is none", 2, "'commands:!' has no pattern of 1 to 63 characters", "run", "--trace", "commands:!", trace)
    expect("a pattern of commands", 0, "MI_STORE_REGISTER_MEM (4 dwords)", "run", "--trace", "commands:*register_mem", trace)
    expect("control of no server", 2, "nowhere: No such file", "control", at / "nowhere")
    expect("control of nothing", 2, "SOCKET is missing", "control")
    expect("explain nothing", 2, "WHAT is missing", "explain")
    expect("explain two things", 2, "'b' is too much", "explain", "a", "b")
    expect("explain a name that is none", 1, "nothing is named 'MI_SEMAPHORE_WAT'; these are like it: MI_SEMAPHORE_WAIT", "explain", "MI_SEMAPHORE_WAT")
    expect("explain a part of a name", 1, "MI_SEMAPHORE_SIGNAL", "explain", "semaphore")
    expect("explain a command", 0, "0.12-0.14  Compare Operation: SAD_GREATER_THAN_SDD=0", "explain", "mi_semaphore_wait")
    expect("explain a command of two devices", 0, "devices: bmg, lnl", "explain", "RESOURCE_BARRIER")
    expect("explain a field of one of them", 0, "4.02-4.09  Wait Token Number", "explain", "--device", "bmg", "Wait Token Number")
    expect("structures of such a device", 0, "RENDER_SURFACE_STATE", "structures", "dg1")
    expect("registers of such a device", 2, "dg1 is only decoded: commands, structures,", "registers", "dg1")
    for arguments in (["contexts", "dg1"], ["map", "dg1"], ["run", "--device", "dg1", trace], ["asm", "--device", "dg1", "x.gts"]):
        expect(f"{arguments[0]} of such a device", 2, "dg1 is only decoded: commands, structures, instructions, explain and decode take it", *arguments)
    for arguments in (["commands", "dg1x"], ["decode", "--device", "dg1x", trace], ["explain", "--device", "dg1x", "MI_NOOP"]):
        expect(f"{arguments[0]} of such a device, mistyped", 2, "no device is named 'dg1x' (did you mean dg1?)", *arguments)
    listed = run("commands", "dg1")
    result(listed.returncode == 0 and {line.split()[2] for line in listed.stdout.splitlines()} == {b"counted"}, "commands of such a device are counted", str(listed.stdout[:200]))
    for arguments in (["commands", "--json", "skl", "nope"], ["registers", "--json", "skl", "nope"], ["contexts", "-j", "skl", "nope"]):
        refused = run(*arguments)
        result(refused.returncode == 2 and b'"error"' in refused.stdout and "skl has no engine 'nope'" in json.loads(refused.stdout)["error"],
               f"{arguments[0]}: an engine that is none, as JSON", str(refused.stdout + refused.stderr))
    expect("explain a header", 0, "length = 3 dwords", "explain", "11000001")
    expect("explain an offset", 0, "rcs0.CTXT_SR_CTL: a register at 0x2244", "explain", "--device", "skl", "0x2244")
    expect("explain a register of a unit", 0, "bcs0.RING_BUFFER_TAIL: a register at 0x22030", "explain", "--device", "skl", "bcs0.RING_BUFFER_TAIL")
    expect("explain Linux' name of a register", 0, "RING_MODE: Linux' name of GFX_MODE\n\nrcs0.GFX_MODE: a register at 0x229c", "explain", "--device", "skl", "RING_MODE")
    expect("explain Linux' name of a register of a unit", 0, "bcs0.RING_BUFFER_TAIL: a register at 0x22030", "explain", "--device", "skl", "bcs0.ring_tail")
    expect("explain what Linux does not name", 1, "nothing is named 'RING_FROG'", "explain", "RING_FROG")
    expect("explain a dword of an image", 0, "of register 0x211c, SECOND_BB_ADDR_UDW", "explain", "--device", "skl", "rcs0+0x12")
    expect("explain an item of the checklist", 0, "its commands: ", "explain", "CSP-07")
    expect("explain a term", 0, "Logical ring context address", "explain", "LRCA")
    expect("explain a message", 0, "a message of the GuC, action 1000", "explain", "SCHED_CONTEXT")
    expect("explain a field", 0, "Render Target Cache Flush Enable: a field of PIPE_CONTROL, a command\n    1.12  Render Target Cache Flush Enable\n  devices: snb, cl, ctg, ivb, ", "explain", "Render Target Cache Flush Enable")
    expect("explain a field as programs spell it", 0, "a field of PIPE_CONTROL, a command\n    1.05  DC Flush Enable\n  devices: ", "explain", "dc_flush_enable")
    expect("explain a field of a register", 0, "Engine Context Restore Inhibit: a field of CTXT_SR_CTL, a register\n", "explain", "engine context restore inhibit")
    expect("explain a value", 0, "INV_SRC_COLOR: a value of BLEND_STATE, each entry of a structure in memory\n", "explain", "INV_SRC_COLOR")
    expect("explain a value's number", 0, "  Destination Blend Factor: INV_SRC_COLOR=18\n", "explain", "inv_src_color")
    expect("explain a part of a field's name", 1, "these are like it: Render Target Cache Flush Enable", "explain", "Render Target Cache Flush")
    expect("explain an instruction", 0, "an instruction of the execution units", "explain", "add")
    expect("functions of no server", 2, "nowhere/control: No such file", "functions", at / "nowhere")
    expect("a function saved without a file", 2, "save: FILE is missing", "functions", at / "nowhere", "save", "vf1")
    expect("a function saved into two files", 2, "'b' is one file too many", "functions", at / "nowhere", "save", "vf1", "a", "b")
    expect("a function restored from no file", 2, "/nowhere/at/all: No such file", "functions", at / "nowhere", "restore", "vf1", "/nowhere/at/all")
    expect("functions, nothing said", 2, "DIR is missing", "functions")
    expect("a pause of nobody", 2, "pause: FUNCTION is missing", "functions", at, "pause")
    expect("a share that is no number", 2, "'quantum_ms=x' is no KEY=NUMBER", "functions", at, "set", "vf1", "quantum_ms=x")
    expect("a socket where a file is", 2, "is a file, and no socket", "serve", "--socket", at / "text.aub")
    expect("a recording that cannot be written", 2, "/nowhere/r.aub: No such file", "serve", "--record", "/nowhere/r.aub",
           "--socket", at / "s")
    expect("a recording without a name, before anything is served", 2, ": No such file", "serve", "--record", "", "--socket", at / "nameless")
    expect("a timeline of a guest that cannot be written", 2, "/nowhere/t.json: cannot be written (--timeline): No such file", "serve", "--timeline",
           "/nowhere/t.json", "--socket", at / "s")
    server = subprocess.Popen([softgt, "serve", "--socket", str(at / "s")], stderr=subprocess.PIPE)
    for _ in range(200):
        if (at / "s").exists():
            break
        time.sleep(0.05)
    expect("a socket of another server", 2, "Address already in use", "serve", "--socket", at / "s")
    server.send_signal(signal.SIGUSR1)
    expect("a server that was sent SIGUSR1 is still there", 2, "Address already in use", "serve", "--socket", at / "s")
    server.send_signal(signal.SIGHUP)
    said = server.communicate(timeout=20)[1]
    result(server.returncode == 0 and said.startswith(b"skl at ") and said.count(b"\n") == 5 and not (at / "s").exists(), "a server that is told to end takes its socket, and has said its state",
           f"exit {server.returncode}, said: {said}")
    reader, log = os.pipe()
    os.close(reader)
    server = subprocess.Popen([softgt, "serve", "--log", "all", "--socket", str(at / "s")], stderr=log)
    os.close(log)
    for _ in range(200):
        if (at / "s").exists():
            break
        time.sleep(0.05)
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(at / "s"))
        client.sendall(b"\xff" * 64)
        client.recv(1)
    server.send_signal(signal.SIGPIPE)
    expect("a server whose log nobody reads is still there", 2, "Address already in use", "serve", "--socket", at / "s")
    server.terminate()
    result(server.wait(timeout=20) == 0 and not (at / "s").exists(), "it ends when it is told to", str(server.returncode))
    expect("a program with an error", 2, "bad.gts:2:1", "run", at / "bad.gts")

    # What is interrupted did not pass.
    (at / "loop.gts").write_text("""device skl
batch b rcs0 {
there: MI_NOOP
    MI_BATCH_BUFFER_START batch_buffer_start_address = &there
}
context c rcs0 { MI_BATCH_BUFFER_START batch_buffer_start_address = &b }
submit c
run
""")
    run("asm", "-q", at / "loop.gts")
    for form in ("gts", "aub"):
        loop = subprocess.Popen([softgt, "run", "--json", "--budget", str(2**40), "--timeline", str(at / "loop.json"), str(at / f"loop.{form}")],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1)
        loop.send_signal(signal.SIGINT)
        said, errors = loop.communicate(timeout=60)
        result(loop.returncode == 1 and json.loads(said)["result"] == "fail" and b"interrupted: the rest did not run" in errors
               and isinstance(json.loads((at / "loop.json").read_text()), list), f"an interrupted .{form} fails", f"exit {loop.returncode}, {errors}")
        expect(f"--budget bounds what loops: .{form}", 1, "still running after 1000 dwords", "run", "--budget", "1000", at / f"loop.{form}")
    # Nor has a state more of it left. (src/aub/replay_state.c: magic, calls, digest, submission, budget)
    run("run", "--budget", "100000", "--save-at", "1000", "--save", at / "loop.state", at / "loop.aub")
    state = bytearray((at / "loop.state").read_bytes())
    result(90000 < int.from_bytes(state[40:48], "little") <= 99000, "a saved state says what is left of the budget")
    state[40:48] = bytes([255] * 8)
    (at / "loop.state").write_bytes(state)
    expect("a state that says more than there was", 1, "still running after 100000 dwords", "run", "--budget", "100000", "--load", at / "loop.state", at / "loop.aub")
    every, nonzero = (run("decode", *option, trace).stdout.decode().splitlines() for option in ((), ("--nonzero",)))
    result(nonzero == [line for line in every if not re.fullmatch(r"    [^:]*: (0|false|0x0+)( \(.*\))?", line)] != every, "--nonzero leaves out fields that are zero", nonzero[:20])
    rows = [json.loads(line) for line in run("decode", "--nonzero", "--json", trace).stdout.splitlines()]
    result(rows and all(value not in (0, False) for r in rows for value in r.get("fields", {}).values()), "likewise as JSON", rows[:3])
    done = run("decode", "--headers", at / "loop.gts")
    result(done.returncode == 1 and len(done.stdout) < 60 << 20 and b"still running after 1048576 dwords" in done.stderr, "decode ends with what loops")

    # Text that is no UTF-8 does not spoil JSON; text that is makes no trace of a program.
    (at / "text.gts").write_bytes(b'device skl\nsay "a\xff\xc3\xbc\xed\xa0\x80"\n')
    said = run("run", "--json", at / "text.gts").stdout.decode()
    result(json.loads(said)["output"] == [{"line": 2, "text": "a\ufffd\u00fc\ufffd\ufffd\ufffd"}], "bytes that are no UTF-8 in JSON", said)
    done = run("run", "-", given='device skl\nsay "\u00fc"\n'.encode())
    result(done.returncode == 0 and done.stdout.startswith("\u00fc\n".encode()), "a program with umlauts on standard input", str(done))

    # What does nothing is refused.
    for name, arguments in {
            "--trace with nothing": ("run", "--trace", "", trace), "--save": ("run", "--save", at / "x", trace),
            "--output": ("run", "--output", at / "x", trace), "--state with --json": ("run", "-s", "-j", trace),
            "--quiet with --json": ("run", "-q", "-j", trace), "--force": ("run", "--force", trace),
            "--address on a trace": ("decode", "-a", "0", trace), "--all on a trace": ("decode", "-A", trace),
            "--headers with --asm": ("decode", "-H", "-s", trace), "--resolve with --asm": ("decode", "-r", "-s", trace),
            "--nonzero with --asm": ("decode", "-z", "-s", trace), "--nonzero with --headers": ("decode", "-z", "-H", trace),
            "--color with --json": ("decode", "--color=never", "-j", trace), "--budget of a raw batch": ("decode", "-b", "--budget", "9", trace),
            "a state of two traces": ("run", "--save-at", "3", "--save", at / "x", trace, trace),
            "a state for two traces": ("run", "--load", at / "x", trace, trace), "a timeline of two traces": ("run", "-T", at / "x", trace, trace),
            "an engine of another device": ("decode", "-e", "vcs2", trace), "contexts --fields": ("contexts", "-f", "skl"),
            "map --fields": ("map", "-f", "skl"), "map of an engine": ("map", "skl", "rcs0"),
            "--json with --markdown": ("registers", "-j", "-m", "skl"), "a list of nothing": ("run", "--tolerate", "", trace)}.items():
        done = run(*arguments)
        result(done.returncode == 2 and done.stderr, f"{name} is refused", str(done))
    expect("a number that is none", 2, "--budget: 'abc' is not a number", "run", "--budget", "abc", trace)
    expect("a folder for a trace", 2, "Is a directory", "run", at)
    for subcommand in ("run", "decode", "asm", "devices", "commands", "registers", "contexts", "map", "serve"):
        expect(f"{subcommand} -V", 0, "softgt ", subcommand, "-V")

    # Another generation's trace, commands that are not done.
    other = bytearray(data)
    id_at = other.index(b"PCI-ID=0x1912")
    other[id_at:id_at + 13] = b"PCI-ID=0x0bd5"
    (at / "other.aub").write_bytes(other)
    (at / "t.json").write_text("before")
    expect("a timeline of nothing", 2, "cannot be read", "run", "-T", at / "t.json", at / "nothing.aub")
    result((at / "t.json").read_text() == "before", "a timeline of nothing takes no file's place")
    expect("a trace of a device that is not modelled", 2, "PCI id 0bd5", "run", at / "other.aub")
    other[id_at:id_at + 13] = b"PCI-ID=0x5a84"
    (at / "kin.aub").write_bytes(other)
    expect("a trace of a device with a modelled one's commands", 2, "PCI id 5a84 (Broxton (Gen9))", "run", at / "kin.aub")
    result(run("decode", at / "kin.aub").stdout == run("decode", trace).stdout, "a trace of a device with a modelled one's commands is decoded")
    (at / "ivb.gts").write_text("device ivb\nring rcs0 { MI_STORE_DATA_IMM use_global_gtt, address = 0x1000; MI_NOOP; MI_NOOP }\nmap ggtt:0x1000\nsubmit rcs0\nrun\n")
    run("asm", "-q", at / "ivb.gts", "-o", at / "ivb.aub")
    bay = (at / "ivb.aub").read_bytes()
    (at / "vlv.aub").write_bytes(bay.replace(b"PCI-ID=0x162", b"PCI-ID=0xF31"))
    expect("a trace of Bay Trail", 2, "PCI id 0f31 (Bay Trail (Gen7))", "run", at / "vlv.aub")
    listed = run("decode", at / "vlv.aub").stdout
    result(b"MI_STORE_DATA_IMM" in listed and listed == run("decode", at / "ivb.aub").stdout, "a trace of Bay Trail is decoded as Ivy Bridge's")
    (at / "ring.gts").write_text("device hsw\nring rcs0 { MI_NOOP; MI_USER_INTERRUPT; MI_NOOP; MI_NOOP }\nsubmit rcs0\nrun\n")
    names = [json.loads(line)["name"] for line in run("decode", "--json", at / "ring.gts").stdout.splitlines()]
    result(names == ["MI_NOOP", "MI_USER_INTERRUPT", "MI_NOOP", "MI_NOOP"], "a ring's last commands are decoded", str(names))
    listed = [re.findall("MI_[A-Z_]+", run("decode", option, at / "ring.gts").stdout.decode()) for option in ("--headers", "--asm")]
    result(listed == [names, names], "a ring's last commands are listed", str(listed))
    expect("a trace of another generation", 2, "recorded on skl, gen9 (PCI id 1912), not on a device of icl's generation", "run", "-d", "icl", trace)
    expect("the same to decode", 2, "--force", "decode", "-d", "icl", trace)

    (at / "blit.gts").write_text("""device skl
ppgtt vm
map vm:0x1000_0000 size 16M
context big bcs0 ppgtt vm {
    XY_COLOR_BLT _32bpp_byte_mask = 3, color_depth = 3, raster_operation = 0xf0, destination_pitch = 16384, destination_x2_coordinate = 4096,
        destination_y2_coordinate = 1024, destination_base_address = 0x1000_0000, solid_pattern_color = 0x12345678
}
submit big
run
""")
    done = run("decode", "--headers", at / "blit.gts")
    result(done.returncode == 0 and str(done.stdout).count("XY_COLOR_BLT") == 1, "a command that is done in parts is listed once", str(done))

    def program(name, body, more=""):
        (at / f"{name}.gts").write_text(f"""device skl
ppgtt vm
map vm:0x6000
batch b rcs0 in vm {{
{body}
    MI_BATCH_BUFFER_END
}}
context a rcs0 ppgtt vm {{ MI_BATCH_BUFFER_START address_space_indicator = ppgtt, batch_buffer_start_address = &b }}
{more}
submit a
run
""")
        run("asm", "--quiet", at / f"{name}.gts", "-o", at / f"{name}.aub")
        return at / f"{name}.gts", at / f"{name}.aub"

    unknown = "    MI_STORE_DATA_IMM address = 0x6000, immediate_data = 1\n    dw 0x7fff0001, 0, 0\n    MI_STORE_DATA_IMM address = 0x6000, immediate_data = 2"
    bodies = {"unknown": unknown, "short": "    dw 0x61010000, 0", "privileged": "    MI_STORE_DATA_IMM address = 0x6000, immediate_data = 1, use_global_gtt = 1",
              "denied": "    MI_LOAD_REGISTER_IMM { rcs0.IMR, 0 }", "misplaced": "    dw 0x50800008, 0, 0, 0, 0, 0, 0, 0, 0, 0"}
    for name, body in bodies.items():
        for more, status in (("", 1), ("ignore guest_error", 0)):
            got = [run("run", "-q", file).returncode for file in program(name, body, more)]
            result(got == [status, status], f"{name}: a program and its trace exit {status}", str(got))
    gts, aub = program("unknown", unknown)
    report = json.loads(run("run", "--json", aub).stdout)
    result(list(report["unknown"]) == ["7fff0001"] and report["unknown"]["7fff0001"]["count"] == 1 and report["result"] == "fail",
           "the unknown header is the one that is named", str(report["unknown"]))
    done = run("decode", "--json", aub)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    result([(r["name"], r["status"]) for r in rows] == [
        ("MI_BATCH_BUFFER_START", "executed"), ("MI_STORE_DATA_IMM", "executed"), (None, "unknown"), ("MI_STORE_DATA_IMM", "not_run"),
        ("MI_BATCH_BUFFER_END", "not_run")] and done.returncode == 1, "decode shows what is unknown, and what is behind it", str(rows))
    result(all(r["schema"] == "softgt.command" and r["version"] == 1 and r["engine"] == "rcs0" and r["class"] == "render" and r["context"]
               and r["submission"] == 1 and r["file_offset"] for r in rows) and rows[1]["batch"] == 1
           and rows[1]["fields"]["Address"] == "0x6000", "rows say where they are", str(rows[1]))
    expect("run --trace commands marks it", 1, "unknown command  [unknown]", "run", "--trace", "commands", aub)
    for name, mark in (("short", "[too_short]"), ("privileged", "[dropped]"), ("denied", "[denied]"), ("misplaced", "[misplaced]")):
        expect(f"decode marks what is {name}", 1, mark, "decode", program(name, bodies[name])[1])

    # JSON: each object says what it is, keys have no spaces, and what has more than 53 bits is text.
    def sound(value):
        if isinstance(value, dict):
            return all(" " not in key and sound(v) for key, v in value.items())
        return all(map(sound, value)) if isinstance(value, list) else not isinstance(value, int) or abs(value) < 2**53
    for schema, arguments in {"run": ("run", "--json", trace), "devices": ("devices", "-j"), "commands": ("commands", "-j", "icl"),
                              "registers": ("registers", "-j", "icl"), "contexts": ("contexts", "-j", "icl"), "map": ("map", "-j", "skl"),
                              "asm": ("asm", "-j", gts, "-o", at / "j.aub")}.items():
        lines = [json.loads(line) for line in run(*arguments).stdout.splitlines()]
        loose = schema in ("commands", "registers") or all(sound(line) for line in lines)  # fields are named as in the manuals
        result(lines and loose and all(l["schema"] == f"softgt.{schema}" and l["version"] == 1 for l in lines), f"{schema}: JSON is sound", str(lines)[:300])
    lines = [json.loads(line) for line in run("run", "--json", "--trace", "all", trace).stdout.splitlines()]
    result({l["schema"] for l in lines} == {"softgt.event", "softgt.run"} and all(map(sound, lines)), "events are objects, too", str(lines[:2]))
    said = run("run", "--trace", "registers,interrupts,contexts", trace).stdout.decode()
    result("CS_GPR[0]_UDW" in said and "PDP[0]" in said and "by rcs0" in said and "by cpu" in said and "context switch" in said
           and "active to idle" in said, "events tell which, who and what", said[:300])
    result(max(map(len, run("run", trace).stdout.decode().replace(str(trace), "").splitlines())) <= 100, "tables fit a terminal")
    (at / "hello.aub.gz").write_bytes(gzip.compress(data))
    expect("a compressed trace", 0, "compares: 0 of", "run", at / "hello.aub.gz")
    (at / "cut.aub.gz").write_bytes(gzip.compress(data)[:-20])
    expect("a compressed trace that is cut", 2, "offset", "run", at / "cut.aub.gz")

    # A run saved in the middle and loaded ends like one that was not.
    contexts = at / "contexts.aub"
    run("asm", "--quiet", source / "examples/contexts.gts", "-o", contexts)
    whole = run("run", "--json", contexts).stdout
    dwords = json.loads(whole)["dwords"]
    worst = []
    for n in range(1, dwords + 1):
        first = run("run", "--json", "--save-at", str(n), "--save", at / "state", contexts)
        second = run("run", "--json", "--load", at / "state", contexts)
        a, b = json.loads(whole), json.loads(second.stdout)
        for report in (a, b):
            del report["complaints"]
        if first.stdout != whole or a != b:
            worst.append(n)
    result(not worst, f"saved and loaded after each of {dwords} dwords", str(worst[:9]))
    expect("a place behind the end", 1, "nothing saved", "run", "--save-at", "123456789", "--save", at / "state", contexts)
    expect("a state for another trace", 2, "state) is of another trace", "run", "--load", at / "state", trace)
    state = (at / "state").read_bytes()
    for size in (0, 1, 16, 100, len(state) // 2, len(state) - 1):
        (at / "short").write_bytes(state[:size])
        expect(f"a state cut to {size} bytes", 2, "contexts.aub", "run", "--load", at / "short", contexts)
    done = run("run", "--load", "-", contexts, given=(at / "state").read_bytes())
    result(done.returncode == 0, "a state on standard input", done.stderr.decode())
    expect("a state that never ends", 2, "it has more than", "run", "--memory", "16", "--load", "/dev/zero", contexts)
    expect("a state that is not there", 2, "No such file", "run", "--load", at / "nowhere", contexts)
    expect("a state that cannot be kept", 2, "could not be saved", "run", "--save-at", "3", "--save", at / "no" / "dir", contexts)
    expect("a program's state", 2, "softgt asm", "run", "--save-at", "3", source / "examples/hello.gts")

    # Kernels alone: out[16 * group + id] = 5 * id + the dword behind the places; (1 << 4) channels a group.
    fives = at / "fives.bin"
    fives.write_bytes(bytes.fromhex(
        "01008000081280222000b1000000000009008000080240210400000604000000400080000802402140018d0280028d00090080000802402140018d0602000000"
        "090080000802802180028d0602000000400080000802802180018d0280028d00400080000802802180018d02800000003100800c0002002040010004005e0208"
        "3100600704020020e00f000400000082"))
    eu = ("eu", fives, "--simd", "16", "--local", "16", "--groups", "3", "--data", "1000")
    expect("a kernel that stores behind its buffer", 0, "32 elements out of bounds", *eu, "--buffer", "0=64")
    result(b"out of bounds" not in run(*eu, "--buffer", "0=256").stdout, "a kernel that does not")
    done = run(*eu, "--buffer", "0=256", "--output", f"0={at / 'fives.out'}")
    out = (at / "fives.out").read_bytes() if (at / "fives.out").exists() else b""
    values = [int.from_bytes(out[i:i + 4], "little") for i in range(0, len(out), 4)]
    result(done.returncode == 0 and values == [5 * i + 1000 for i in range(16)] * 3 + [0] * 16 and b"finished: 3 groups, 3 threads, 27 inst" in done.stdout,
           "a kernel alone", done.stdout.decode() + done.stderr.decode() + str(values))
    again = run(*eu, "--buffer", "0=256", "--output", f"0={at / 'fives.out'}", "--no-sandbox")
    result(again.stdout == done.stdout and (at / "fives.out").read_bytes() == out, "the same without a sandbox", again.stderr.decode())
    (at / "in").write_bytes(bytes(range(64)) * 4)
    (at / "words").write_bytes((2000).to_bytes(4, "little"))
    done = run(*eu[:-1], at / "words", "--buffer", f"0={at / 'in'}@0x7000", "--groups", "1", "--output", "0=-")
    result(done.returncode == 0 and (2000).to_bytes(4, "little") + (2005).to_bytes(4, "little") in done.stdout and bytes(range(64)) * 3 in done.stdout,
           "a kernel's buffer and data from files", done.stderr.decode())
    trace_lines = run(*eu, "--buffer", "0=256", "--eu-trace=group=1,ip=0:0x30").stdout.decode()
    result(trace_lines.count(" 1,0,0/0 +") == 4 and " 0,0,0/0" not in trace_lines and "r10   00000000" in trace_lines, "its instructions", trace_lines)
    done = run(*eu, "--buffer", "0=256", "--eu-trace", "--eu-trace-limit", "5", "--json")
    objects = [json.loads(line) for line in done.stdout.splitlines()]
    result([o["schema"] for o in objects] == ["softgt.event"] * 6 + ["softgt.eu"] and objects[6]["instructions"] == 27 and
           objects[5]["event"] == "instruction_limit" and objects[5]["limit"] == 5 and [o["ip"] for o in objects[:5]] == [0, 16, 32, 48, 64] and objects[0]["changes"][0]["register"] == "r20", "the same as objects", str(objects)[:300])
    done = run(*eu, "--buffer", "0=256", "--stop-at", "0x70", "--registers", "--json")
    stopped = json.loads(done.stdout)
    result(done.returncode == 0 and stopped["result"] == "stopped" and stopped["ip"] == 0x70 and "untyped surface write" in stopped["text"] and
           stopped["registers"]["r12"].startswith("000003e8 000003ed"), "a kernel that is stopped shows its registers", done.stdout.decode()[:300])
    # Its store is an A64 message of no memory on Gen12.5; an entry of the table without a buffer takes it on all others.
    done = run(*eu)
    result(done.returncode == 0 and b"finished" in done.stdout, "a kernel whose buffer is nothing", done.stdout.decode())
    fives.write_bytes(fives.read_bytes()[:-16])
    expect("a kernel without an end", 1, "exception: 1 group, 1 thread, 9 instructions\n  thread 0 of group 0, 0, 0, at 0080: illegal", *eu, "--buffer", "0=256")
    expect("a kernel that takes too long", 1, "out of budget", *eu, "--budget", "50")
    expect("a kernel of a device without threads", 2, "threads of snb are not modelled, only those of Gen8 and later", "eu", fives, "--device", "snb")
    expect("channels that no thread of the device has", 2, "there is no such launch on bmg: --simd is 8, expected 16 or 32", "eu", fives, "-d", "bmg", "-s", "8")
    expect("channels that no thread has", 2, "there is no such launch on skl: --simd is 12, expected 8, 16 or 32", "eu", fives, "--simd", "12")
    expect("too many channels of a group", 2, "--local is 512,4,1, expected up to 1024 channels in all", "eu", fives, "--simd", "16", "--local", "512,4")
    expect("a start outside the kernel", 2, "--ip is 0x10000, expected a multiple of 8 within the kernel", "eu", fives, "--ip", "0x10000")
    expect("too much shared local memory", 2, "--shared is 65540, expected up to 65536", "eu", fives, "--shared", "65540")
    expect("a kernel that is not there", 2, "cannot be read", "eu", at / "nowhere")
    expect("a kernel of nothing", 2, "the file is empty", "eu", at / "empty.aub")
    for wrong, text in ((["--simd", "9"], "no such launch"), (["--threads", "129"], "129"), (["--local", "0"], "is not X[,Y[,Z]]"),
                        (["--local", "1025"], "no such launch"), (["--large"], "--large needs Gen12.5"), (["--data", "1,x"], "'x' is no dword"), (["--data", "1,,2"], "'' is no dword"), (["--own", "1,"], "'' is no dword"),
                        (["--data", ",".join("1" * 65)], "more than 256 bytes"), (["--data", "b3"], "'b3' is no dword"),
                        (["--own", "1"], "--own does not go with --local"), (["--buffer", "0"], "is not INDEX="), (["--buffer", "64=1"], "is not INDEX="),
                        (["--buffer", "0=16@5"], "no multiple of 4096"), (["--buffer", "0=16@0x1000", "--buffer", "1=16@0x1000"], "overlaps another buffer"),
                        (["--buffer", "0=16@0xffffffffffff0000"], "ends beyond"), (["--buffer", f"0={at / 'nowhere'}"], "cannot be read"),
                        (["--output", "3=x"], "there is no buffer 3"), (["--output", "3"], "is not INDEX=FILE"), (["--ip", "0x1000"], "no such launch"),
                        (["--ip", "x"], "is no number"), (["--header", "0,0,0,0,0,0,0,0,1"], "8 dwords"), (["--eu-trace=frog=1"], "'frog=1' is none of"),
                        (["--mask", "0x100000000"], "is no number up to 0xffffffff"), (["--eu-trace=ip=0x10000000000000000"], "is none of"),
                        (["--eu-trace=group=1:2:3:4"], "is none of"), (["--eu-trace=kernel"], "is none of"), (["--eu-trace-limit", "3"], "does nothing without"),
                        (["--eu-trace", "--eu-trace-limit", "0"], "eu-trace-limit"), ([fives], "one kernel at a time")):
        expect(f"eu {' '.join(map(str, wrong))[:60]}", 2, text, *eu, *wrong)
    expect("run --eu-trace of nothing", 2, "'x' is none of", "run", "--eu-trace=x", trace)
    expect("run --eu-trace-limit alone", 2, "does nothing without", "run", "--eu-trace-limit", "7", trace)
    expect("exec --eu-filter alone", 2, "--eu-filter does nothing without", "exec", "--eu-filter", "thread=0", "true")

    cut = at / "cut.aub"
    worst = []
    for length in list(range(1, 200)) + [len(data) * i // 40 for i in range(1, 40)]:
        cut.write_bytes(data[:length])
        done = run("run", "--quiet", cut)
        if done.returncode not in (0, 1, 2) or (done.returncode == 2 and b"cut.aub" not in done.stderr):
            worst.append((length, done.returncode, done.stderr[-100:]))
    result(not worst, "a trace cut anywhere gives a message", str(worst[:3]))

    chance = random.Random(6)
    worst = []
    for _ in range(250):
        flipped = bytearray(data)
        for _ in range(chance.choice((1, 1, 4))):
            flipped[chance.randrange(len(flipped))] ^= 1 << chance.randrange(8)
        cut.write_bytes(flipped)
        done = run("run", "--quiet", "--budget", "100000", "--memory", "64", cut)
        if done.returncode not in (0, 1, 2):
            worst.append((done.returncode, done.stderr[-200:]))
    result(not worst, "flipped bits are survived", str(worst[:3]))

print(f"1..{number}")
sys.exit(failed != 0)
