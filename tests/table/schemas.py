#!/usr/bin/env python3
"""JSON that each subcommand prints, of good and bad input, against schemas/ (docs/json.md). schemas.py SOFTGT SOURCE EXEC_CLIENT. Prints TAP.

Each schema is met by some output, and so is each kind of event."""
import collections
import json
import lzma
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

softgt, source, exec_client = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve(), os.path.abspath(sys.argv[3])
for folder in ("tests", "tests/bad", "tests/golden"):
    sys.path.insert(0, str(source / folder))
import json_schemas
import two_groups
from control_client import DebugClient, ControlClient, Machine, until
from vfio_client import Server

if json_schemas.missing:
    print(f"1..0 # SKIP {json_schemas.missing}")
    sys.exit(0)

number = failed = 0
scratch = tempfile.TemporaryDirectory()
at = pathlib.Path(scratch.name)
examples, rules, golden = source / "examples", source / "tests/rule", source / "tests/golden"
events = collections.Counter()
# Stores 5 times its number from each channel into buffer 0.
FIVES = bytes.fromhex(
    "01008000081280222000b1000000000009008000080240210400000604000000400080000802402140018d0280028d00090080000802402140018d0602000000"
    "090080000802802180028d0602000000400080000802802180018d0280028d00400080000802802180018d02800000003100800c0002002040010004005e0208"
    "3100600704020020e00f000400000082")
UNKNOWN = """device skl
ppgtt vm
map vm:0x6000
batch b rcs0 in vm {
    MI_STORE_DATA_IMM address = 0x6000, immediate_data = 1
    dw 0x7fff0001, 0, 0
    dw 0x7fff0001, 0, 0
    dw 0x7fff0001, 0, 0
    dw 0x7fff0001, 0, 0
    dw 0x7fff0001, 0, 0
}
context a rcs0 ppgtt vm { MI_BATCH_BUFFER_START address_space_indicator = ppgtt, batch_buffer_start_address = &b }
submit a
run
"""


def result(good, name, why=""):
    global number, failed
    number += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {number} - {name}" + ("\n# " + str(why)[:3000].replace("\n", "\n# ") if why and not good else ""), flush=True)


def valid(text, name, least=1):
    """All lines are objects that their schemas allow, and there are some."""
    lines = text.splitlines()
    problems = [p for line in lines for p in json_schemas.problems(line)]
    result(len(lines) >= least and not problems, name, "\n".join(problems[:9]) or text[:300])
    for line in lines if not problems else ():
        if "softgt.event" in line:
            events[json.loads(line)["event"]] += 1


def tool(*arguments, least=1, status=(0, 1, 2)):
    arguments = [str(a) for a in arguments]
    done = subprocess.run([softgt, *arguments], capture_output=True, timeout=120, check=False)
    name = " ".join(arguments).replace(str(source) + "/", "").replace(str(at) + "/", "")
    valid(done.stdout.decode(), name, least)
    if done.returncode not in status:
        result(False, f"{name} exits {status}", f"{done.returncode}: {done.stderr.decode()}")
    return done.stdout.decode()


# ---- The files ----

def objects_of(node, where=()):
    """Each part of a schema, with its place."""
    if isinstance(node, dict):
        yield node, where
    for key, value in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
        yield from objects_of(value, (*where, str(key)))


def files():
    schemas, definitions = json_schemas.files(), {}
    names = {f"{schema}.{version}.schema.json" for schema, version in schemas}
    result(names == {p.name for p in json_schemas.folder.iterdir()}, "files are named by schema and version", names)
    for (schema, _), contents in schemas.items():
        try:
            json_schemas.jsonschema.Draft202012Validator.check_schema(contents)
            why = []
        except json_schemas.jsonschema.SchemaError as e:
            why = [str(e)]
        known = contents.get("$defs", {})
        for part, where in objects_of(contents):
            if part.get("type") == "object" and not {"additionalProperties", "unevaluatedProperties"} & set(part):
                why.append(f"{'/'.join(where)}: any members are allowed")
            if len(where) > 1 and where[-2] == "properties" and "dependentRequired" not in where and part and "const" not in part:
                described = "description" in part or "description" in known.get(part.get("$ref", "").split("/")[-1], {})
                if not described and not {"if", "then", "else", "allOf", "oneOf"} & set(where[:-2]):
                    why.append(f"{'/'.join(where)}: no description")
        for name, definition in known.items():
            if definitions.setdefault(name, definition) != definition:
                why.append(f"$defs/{name}: another file has another one")
            if f'"#/$defs/{name}"' not in json.dumps(contents):
                why.append(f"$defs/{name}: nothing refers to it")
        result(not why, f"{schema}: the file is sound", "\n".join(why))
    error, event = {"schema": "softgt.error", "version": 1}, {"schema": "softgt.event", "version": 1, "event": "instruction_limit"}
    for wrong in (error, error | {"error": "x", "more": 1}, error | {"error": "x", "version": 2}, error | {"error": 1},
                  error | {"error": "x", "schema": "softgt.dance"}, {"error": "x"}, [], event | {"limit": 1, "name": "x"},
                  event | {"event": "read", "limit": 1}):
        result(json_schemas.problems(json.dumps(wrong)), f"{json.dumps(wrong)[:90]} is refused")


def logs():
    """What make check-json says of a log: of objects that differ in numbers one is validated, and a wrong one is found."""
    right = json.dumps({"schema": "softgt.error", "version": 1, "error": "x 1"}), json.dumps({"schema": "softgt.error", "version": 1, "error": "x 27"})
    for name, lines, count in (("right", right, 0), ("wrong", (*right, '{"schema":"softgt.run","version":1}'), 1), ("unknown", ('{"schema":"softgt.dance","version":1}',), 1)):
        (at / name).write_text("\n".join(lines) + "\n")
        total, kinds, wrong = json_schemas.of_log(at / name)
        result(total == len(lines) and kinds == total - 1 + (name == "unknown") and bool(wrong) == bool(count), f"a log that is {name}", (total, kinds, wrong))


# ---- Subcommands ----

def listings():
    first = {}  # device of each generation
    for device in json.loads(tool("devices", "--json"))["devices"]:
        first.setdefault(device["generation"], device["name"])
    for device in first.values():
        for command in ("commands", "structures", "registers", "contexts", "map", "instructions"):
            tool(command, "--json", device)
    tool("commands", "--json", "icl", "copy")
    tool("registers", "--json", "icl", "rcs0")
    for what in ("MI_SEMAPHORE_WAIT", "0x2244", "rcs0.CTXT_SR_CTL", "rcs0+0x12", "CSP-07", "MI_SEMAPHORE_WIAT", "x" * 300, "\x7f\x01\"\\"):
        tool("explain", "--json", what)
    tool("explain", "--json", "--device", "dg2", "3DSTATE_PS")


def programs():
    (at / "wrong.gts").write_text("device skl\ncontext a rcs0 {\n    MI_DANCE\n}\n")
    (at / "fails.gts").write_text("device skl icl\nexpect rcs0.RING_BUFFER_CTL = 7\n")
    (at / "unknown.gts").write_text(UNKNOWN)
    for program in (examples / "hello.gts", examples / "blits.gts", at / "wrong.gts", at / "nowhere.gts"):
        tool("asm", "--json", program, "-o", at / "out.aub")
    tool("asm", "--json", "--quiet", rules / "errors.gts", "-o", at / "errors.aub")
    for program in ("hello", "contexts", "loop"):
        tool("run", "--json", examples / f"{program}.gts")
    tool("run", "--json", "--trace", "blits,batches", examples / "blits.gts")
    what = "commands:!MI_NOOP,contexts,interrupts,memory:rcs0,reads,registers:rcs0.RING_*,batches,draws,complaints"
    for program in ("errors", "draw", "execlists", "gen6_semaphores", "compute_exceptions", "gen125_compute", "display_waits", "driver_setup",
                    "faulted_commands"):
        tool("run", "--json", "--trace", what, rules / f"{program}.gts")
    tool("run", "--json", "--trace", "guc", rules / "guc.gts")
    for program in (at / "wrong.gts", at / "fails.gts", at / "unknown.gts", at / "nowhere.gts"):
        tool("run", "--json", program)
        tool("decode", "--json", program, least=0)
    for trace in sorted(examples.glob("*.aub.xz")) + sorted(golden.glob("*.aub.xz")):
        tool("run", "--json", "--trace", "batches,draws,contexts", trace)
        tool("decode", "--json", "--follow", "--kernels", trace)
        tool("decode", "--json", "--headers", trace)
    trace = lzma.decompress((golden / "skl-occlusion_query.aub.xz").read_bytes())
    for name, data in (("cut", trace[:len(trace) * 2 // 3]), ("short", trace[:100]), ("empty", b""), ("changed", trace[:9000] + b"\xff" * 400 + trace[9400:])):
        (at / f"{name}.aub").write_bytes(data)
        tool("run", "--json", at / f"{name}.aub")
        tool("decode", "--json", at / f"{name}.aub", least=0)
        tool("draws", "--json", at / f"{name}.aub", least=0)
    blends = bytes.fromhex("00004d7800000040")  # 3DSTATE_PS_BLEND, to one that says that the target blends
    (at / "blends.aub").write_bytes(trace.replace(blends, blends[:7] + b"\x60"))
    tool("draws", "--json", "--at", "1", at / "blends.aub")
    batch = 0, 0x7fff0000, 0x10000002, 0x1000, 0, 1, 0x78240000, 0x81, 0x05000000, 0x11000001, 0x2244, 7, 0x10000002
    (at / "batch.bin").write_bytes(b"".join(word.to_bytes(4, "little") for word in batch))
    for device in ("snb", "skl", "tgl", "dg2"):
        tool("decode", "--batch", "--all", "--resolve", "--json", "--device", device, at / "batch.bin")
    hello, query = examples / "hello.gts", golden / "skl-occlusion_query.aub.xz"
    for pair in ((hello, hello), (hello, examples / "blits.gts"), (query, at / "changed.aub"), (query, at / "unknown.gts")):
        tool("diff", "--json", *pair, least=0)


def error_states():
    for path in sorted((source / "tests/error_states").glob("*.xz")):
        data = lzma.decompress(path.read_bytes())
        for name, text in ((path.name[:-7], data), ("cut", data[:len(data) * 2 // 3])):
            (at / f"{name}.txt").write_bytes(text)
            tool("decode", "--error", "--json", "--follow", "--kernels", at / f"{name}.txt")
        tool("run", "--error", "--json", "--budget", "3000000", at / (path.name[:-7] + ".txt"))


def draws():
    tool("draws", "--json", rules / "draw.gts")
    kernel = two_groups.program(at / "kernel.gts")
    tool("draws", "--json", kernel)
    tool("draws", "--json", "--at", "1", kernel)
    tool("decode", "--json", "--follow", "--kernels", kernel)
    tool("run", "--json", "--eu-trace", kernel)
    tool("run", "--json", "--eu-trace", "--eu-trace-limit", "3", kernel)
    for trace in sorted(golden.glob("*.aub.xz")):
        for at_draw in range(1, len(tool("draws", "--json", trace).splitlines()) + 1):
            tool("draws", "--json", "--at", at_draw, trace)
        for more in ((), ("--attachment", "depth")):
            tool("draws", "--json", "--pixel", "20,20", *more, trace)
        tool("draws", "--json", "--pixel", "9999,1", trace, least=0)
        tool("draws", "--json", "--at", "99", trace, least=0)


def kernels():
    (at / "fives.bin").write_bytes(FIVES)
    (at / "endless.bin").write_bytes(FIVES[:-16])
    eu = ("eu", "--json", "--simd", "16", "--local", "16", "--groups", "3", "--data", "1000")
    for more in (("--buffer", "0=256"), ("--buffer", "0=64"), ("--buffer", "0=256", "--stop-at", "0x70", "--registers"), ("--budget", "50", "--registers"),
                 ("--buffer", "0=256", "--eu-trace", "--eu-trace-limit", "5"), ("--device", "icl", "--eu-trace=group=1")):
        tool(*eu, *more, at / "fives.bin")
    tool(*eu, "--registers", at / "endless.bin")
    tool("eu", "--json", "--device", "dg2", at / "fives.bin")


def hosts_programs():
    environment = {k: v for k, v in os.environ.items() if k not in ("LD_PRELOAD", "SOFTGT_EXEC")}
    for device, program in (("skl", [exec_client, "skl"]), ("dg2", [exec_client, "dg2"]), ("skl", ["true"])):
        done = subprocess.run([softgt, "exec", "--threads", "1", "--limit", "200000", "--quiet", "--device", device, "--fail-on", "all", "--trace-json",
                               "--trace", "contexts,interrupts,complaints", "--json", at / "report.json", *program],
                              capture_output=True, timeout=120, env=environment, check=False)
        valid((at / "report.json").read_text(), f"exec --json, {program[0].split('/')[-1]} on {device}")
        valid(b"".join(re.findall(rb'^\{"schema.*\n', done.stderr, re.M)).decode(), "its events", least=program[0] != "true")


# ---- Servers ----

WAIT_GGTT, STORE_GGTT, NOOP = 0x0E40C002, 0x10400002, 0


def server():
    for device in ("skl", "icl"):
        with Machine(softgt, result, "--log", "none", device=device) as m:
            stream = ControlClient(m.control)
            stream.ask({"do": "events", "trace": "all"})
            m.ring(WAIT_GGTT, 5, 0x9000, 0)
            m.ring(STORE_GGTT, 0x70000000, 0, 1, base=0x22000, start=0x2000)
            m.client.read(0x2034)
            for words in ((), ("registers", "rcs0.*"), ("registers",), ("memory", "ggtt", "0x1000", "64"), ("memory", "ggtt", "0xff000", "0x2000"),
                          ("memory", "rcs0", "0"), ("log", "access"), ("save", at / "state"), ("load", at / "state"), ("pause",), ("resume",)):
                valid(m.tool("--json", *map(str, words)).stdout, f"control --json {' '.join(map(str, words))}".replace(str(at) + "/", ""))
            for request in (b"[]\n", {"do": "dance"}, {"do": "log"}, {"do": "debug"}, {"do": "memory", "space": "x"}, {"do": "events", "trace": "x"}):
                valid(json.dumps(ControlClient(m.control).ask(request)), f"{request} at the control socket")
            valid("\n".join(json.dumps(stream.line()) for _ in range(8)), "events at the control socket", least=8)
            ticks = ControlClient(m.control)
            valid("\n".join(json.dumps(o) for o in (ticks.ask({"do": "statistics"}), ticks.line(), ticks.line())), "statistics", least=3)
    with Machine(softgt, result, "--log", "none") as m:
        debugger = DebugClient(m.control)
        answers = [debugger.first, *(debugger.debug("line", text) for text in ("engines", "dance", "b MI_STORE_DATA_IMM", "c"))]
        m.ring(STORE_GGTT, 0x9000, 0, 1)
        answers += [debugger.line(), debugger.debug("complete", "b MI_"), debugger.debug("dance"), DebugClient(m.control).first,
                    debugger.debug("line", "quit"), debugger.debug("line", "step")]
        valid("\n".join(json.dumps(a) for a in answers), "softgt debug --connect", least=11)
        result(answers[4].get("result") == "moves" and answers[5].get("event") == "stopped", "it stops", answers)


def dropped_events():
    with Machine(softgt, result, "--log", "none") as m:
        stream = ControlClient(m.control)
        stream.ask({"do": "events", "trace": "commands"})
        m.memory[0x4000:0x8000] = b"".join(w.to_bytes(4, "little") for w in [0x02000000] * 4094 + [0x05000000, 0])
        for _ in range(4):
            m.ring(0x18800001, 0x4000, 0)
            until(lambda: m.client.read(0x2034) & 0x1FFFFC == 16, 20)
        count, lines = 0, []
        end = time.time() + 100
        while not any(o["event"] == "dropped" for o in lines[-1:]) and time.time() < end:
            lines.append(stream.line())
            count += 1
            if count % 1000 == 0:
                m.ring(NOOP, NOOP)
        valid("\n".join(json.dumps(o) for o in lines[:50] + lines[-1:]), "events of a slow reader")


def functions():
    sockets = str(at / "functions")
    with open(at / "trace", "wb") as trace:
        served = Server(softgt, "--functions", "2", "--trace", "batches", "--trace-json", device="atsm", path=sockets, stdout=trace)
        until(lambda: os.path.exists(sockets + "/control"))
        for command, *words in (("control",), ("functions",), ("functions", "set", "vf1", "quantum_ms=5"), ("functions", "pause", "vf1")):
            done = subprocess.run([softgt, command, "--json", sockets, *words], capture_output=True, text=True, timeout=60, check=False)
            valid(done.stdout, f"{command} --json DIR {' '.join(words)}")
        client = ControlClient(sockets + "/control")
        file = os.open(at / "vf1", os.O_RDWR | os.O_CREAT)
        for request in ({"do": "save", "function": "vf1", "part": 0}, {"do": "set", "function": "vf9"}, {"do": "set", "function": "vf1", "x": 1},
                        {"do": "dance"}):
            valid(json.dumps(client.ask(request, file)), f"{request}, with functions")
        os.close(file)
        client.socket.close()
        served.end()
    valid((at / "trace").read_text(), "serve --trace-json")


parts = [files, logs, listings, programs, error_states, draws, kernels, hosts_programs, server, dropped_events, functions]
wanted = sys.argv[4:]
for part in parts:
    if not wanted or part.__name__ in wanted:
        try:
            part()
        except Exception as e:
            result(False, part.__name__, repr(e))
if not wanted:
    for key in json_schemas.files():
        result(json_schemas.met[key], f"{key[0]}, version {key[1]}: {json_schemas.met[key]} objects")
    kinds = json_schemas.files()[("softgt.event", 1)]["properties"]["event"]["enum"]
    result(set(events) == set(kinds), "each kind of event happens", f"{set(kinds) ^ set(events)}")
print(f"1..{number}")
sys.exit(failed != 0)
