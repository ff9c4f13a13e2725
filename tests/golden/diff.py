#!/usr/bin/env python3
"""softgt diff: traces and programs that are equal, that have their memory elsewhere, and that differ. diff.py SOFTGT SOURCE_DIR"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import json_schemas
import two_groups

softgt, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
hello, blits = ((source / f"examples/{name}.gts").read_text() for name in ("hello", "blits"))
number = failed = 0


def result(good, name, why=""):
    global number, failed
    number += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {number} - {name}{'' if good else ' # ' + ' '.join(str(why).split())[:400]}", flush=True)


def diff(folder, a, b, *options):
    for name, text in (("a", a), ("b", b)):
        if isinstance(text, str):
            (folder / f"{name}.gts").write_text(text)
    paths = [folder / f"{n}.gts" if isinstance(t, str) else t for n, t in (("a", a), ("b", b))]
    done = subprocess.run([softgt, "diff", *options, *paths], cwd=folder, capture_output=True, text=True, timeout=120)
    wrong = json_schemas.of_output(options, done.stdout)
    if wrong:
        result(False, "JSON is as its schema says", wrong[:3])
    return done


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    # Every address of the address space moves; offsets within buffers stay.
    moved = re.sub(r"0x1([0-9a-f]{3}_)", r"0x2\1", blits)
    result(moved != blits, "the program has addresses")
    for name, a, b in (("a program and itself", blits, blits), ("memory elsewhere", blits, moved), ("memory elsewhere, the other way", moved, blits)):
        run = diff(folder, a, b)
        result(run.returncode == 0 and re.search(r"commands: [\d,]+ are equal\nregisters: 0 differ\nmemory: 0 pieces", run.stdout)
               and re.search(r"surfaces: 0 of [1-9]", run.stdout), name, run.stdout + run.stderr)
    subprocess.run([softgt, "asm", "-q", folder / "a.gts", "-o", "a.aub"], cwd=folder, check=True)
    run = diff(folder, folder / "a.aub", moved)
    result(run.returncode == 1 or run.returncode == 0, "a trace and a program", run.stdout + run.stderr)
    trace = source / "examples/i915-skl.aub.xz"
    run = diff(folder, trace, trace, "--json")
    report = json.loads(run.stdout)
    result(run.returncode == 0 and report["equal"] and report["first"] is None and report["commands_equal"] > 10, "a recording and itself", run.stdout)

    padded = hello.replace("    repeat 20 as i {", "    MI_NOOP\n    MI_NOOP\n    repeat 20 as i {")
    run = diff(folder, hello, padded)
    result("commands: " in run.stdout and "differs" not in run.stdout.splitlines()[0], "MI_NOOPs", run.stdout)
    other = hello.replace("{ r1, 1 }", "{ r1, 2 }")
    run = diff(folder, hello, other, "--json")
    report = json.loads(run.stdout)
    result(run.returncode == 1 and not report["equal"] and report["first"]["a"]["name"] == "MI_LOAD_REGISTER_IMM"
           and [(f["a"], f["b"]) for f in report["first"]["fields"]] == [("0x1", "0x2")], "a value", run.stdout)
    result([(m["space"], m["a"], m["b"], m["dwords"]) for m in report["memory"]] == [("ggtt", 1, 2, 19)], "what a value leads to", run.stdout)
    run = diff(folder, hello, hello.replace("}\n\nsubmit hello", "    MI_LOAD_REGISTER_IMM { rcs0.CS_GPR[5], 7 }\n}\n\nsubmit hello"))
    result(run.returncode == 1 and "rcs0.CS_GPR[5]: A 0, B 0x7" in run.stdout, "a register at the end", run.stdout)
    run = diff(folder, hello, hello.replace("repeat 20", "repeat 19").replace("expect", "# expect").replace("    run", "run"))
    result(run.returncode == 1 and "differs:" in run.stdout and "A: " in run.stdout and "B: " in run.stdout, "another command", run.stdout)
    # One buffer of A is two of B: the pages cannot be partners twice.
    twice = "device skl\ndata one { fill 0 size 4K }\ndata two { fill 0 size 4K }\ncontext c rcs0 {\n" \
            "    MI_STORE_DATA_IMM use_global_gtt, address = &%s, immediate_data = 1\n" \
            "    MI_STORE_DATA_IMM use_global_gtt, address = &%s, immediate_data = 2\n}\nsubmit c\nrun\n"
    run = diff(folder, twice % ("one", "two"), twice % ("two", "one"))
    result("are equal\n" in run.stdout.splitlines(True)[0], "two buffers in another order", run.stdout)
    run = diff(folder, twice % ("one", "one"), twice % ("one", "two"))
    result(run.returncode == 1 and "command 1 differs" in run.stdout and "Address: A " in run.stdout, "a page and two", run.stdout)
    short = twice.replace("    MI_STORE_DATA_IMM use_global_gtt, address = &%s, immediate_data = 2\n", "")
    run = diff(folder, twice % ("one", "two"), short % "one")
    result(run.returncode == 1 and "  B: no command\n" in run.stdout, "a command more", run.stdout)
    run = diff(folder, short % "one", twice % ("one", "two"), "--json")
    result(run.returncode == 1 and json.loads(run.stdout)["first"]["a"] is None, "a command more, as JSON", run.stdout)
    colour = re.sub(r"0x101820|0xff203040", "0xff203041", blits, count=1)
    run = diff(folder, blits, colour)
    result(run.returncode == 1 and re.search(r"surfaces: [1-9]", run.stdout), "a colour", run.stdout)

    # No command names `far`; what a packet wrote comes before what engines made of it.
    state = "device tgl\nppgtt vm\ndata dst in vm { 0, 0 }\ndata src in vm { %s }\ndata far at 0x5000_0000 in vm { fill 0 size 64, %s }\n" \
            "batch b rcs0 in vm {\n    MI_COPY_MEM_MEM destination_memory_address = &dst, source_memory_address = &src\n    MI_BATCH_BUFFER_END\n}\n" \
            "context c rcs0 ppgtt vm {\n    MI_BATCH_BUFFER_START address_space_indicator = ppgtt, batch_buffer_start_address = &b\n}\nsubmit c\nrun\n"
    same = diff(folder, state % (1, 2), state % (1, 2))
    result(same.returncode == 0, "state and itself", same.stdout + same.stderr)
    run = diff(folder, state % (1, 2), state % (1, 3))
    result(run.returncode == 1 and re.search(r"are equal\nmemory that packets wrote differs, before its consequences:\n"
                                             r"  rcs0: 1 dwords, first A 0x50000040 0x2, B 0x50000040 0x3; written by the packet at file offset A 0x[0-9a-f]+, B 0x[0-9a-f]+\n"
                                             r"registers: 0 differ\nmemory: 1 pieces", run.stdout), "state that no command names", run.stdout)
    run = diff(folder, state % (1, 2), state % (4, 2), "--json")
    memory = json.loads(run.stdout)["memory"]
    result([(m["a"], m["b"], m["written"], "file_offset_a" in m) for m in memory] == [(1, 4, True, True), (1, 4, False, False)],
           "what a packet wrote, then what it leads to", run.stdout)
    run = diff(folder, state % (1, 2), re.sub("data far.*\n", "", state % (1, 2)))
    result(run.returncode == 1 and re.search(r"rcs0: 1 dwords, first A 0x50000040 0x2, B 0x50000040 0, only A has the page; written by the packet at file offset A 0x[0-9a-f]+, B none\n", run.stdout),
           "a page that one has", run.stdout)
    run = diff(folder, re.sub("data far.*\n", "", state % (1, 2)), state % (1, 2))
    result(run.returncode == 1 and "B 0x50000040 0x2, only B has the page" in run.stdout, "a page that the other has", run.stdout)

    # A pair of dwords is an address of 48 bits with what else is above it; and an address has a page.
    above = "device tgl\nppgtt vm\nmap vm:0x1_0000_0000\ndata state in vm { 0, 0x%x }\nbatch b rcs0 in vm {\n" \
            "    MI_STORE_DATA_IMM address = 0x1_0000_0000, immediate_data = 1\n    MI_BATCH_BUFFER_END\n}\n" \
            "context c rcs0 ppgtt vm {\n    MI_BATCH_BUFFER_START address_space_indicator = ppgtt, batch_buffer_start_address = &b\n}\nsubmit c\nrun\n"
    run = diff(folder, above % 0x10001, above % 0x200001)
    result(run.returncode == 1 and re.search(r"rcs0: 1 dwords, first A 0x[0-9a-f]+ 0x10001, B 0x[0-9a-f]+ 0x200001; written", run.stdout), "bits above an address", run.stdout + run.stderr)
    where = "device tgl\nppgtt vm\nmap vm:0x%x\nbatch b at 0x5000_0000 rcs0 in vm {\n    MI_LOAD_REGISTER_IMM { rcs0.CS_GPR[1], 1 }\n" \
            "    MI_STORE_REGISTER_MEM register_address = rcs0.CS_GPR[1], memory_address = 0x%x\n    MI_BATCH_BUFFER_END\n}\n" \
            "context c rcs0 ppgtt vm {\n    MI_BATCH_BUFFER_START address_space_indicator = ppgtt, batch_buffer_start_address = &b\n}\nsubmit c\nrun\n"
    run = diff(folder, where % (0x100000, 0x100000), where % (0x300000, 0x300000))
    result(run.returncode == 0, "an address that moves with its page", run.stdout + run.stderr)
    run = diff(folder, where % (0x100000, 0x200000), where % (0x100000, 0x300000))
    result(run.returncode == 1 and "Memory Address: A 0x200000, B 0x300000" in run.stdout, "an address without a page", run.stdout + run.stderr)

    # What packets wrote is named where the state of a draw or a dispatch leads there; draw 2 is the first with that state.
    result(re.search(r"^memory: 1 pieces of [\d,]+ pages differ, 1 of them above\n(?!  )", diff(folder, state % (1, 2), state % (1, 3)).stdout, re.M), "counts and lists agree", "")
    blend = "device skl\nppgtt vm\ndata blend at vm:0x100000 { fill 0 size 64, 0, 0x%x, 0, fill 0 size 52 }\ncontext a rcs0 ppgtt vm {\n" \
            "    STATE_BASE_ADDRESS dynamic_state_base_address_modify_enable, dynamic_state_base_address = 0x100000\n" \
            "    3DPRIMITIVE vertex_count_per_instance = 3, instance_count = 1\n    3DSTATE_BLEND_STATE_POINTERS blend_state_pointer = 0x40, blend_state_pointer_valid\n" \
            "    3DPRIMITIVE vertex_count_per_instance = 3, instance_count = 1\n}\nsubmit a\nrun\n"
    run = diff(folder, blend % (0x80000000 | 0x13 << 21), blend % (0x80000000 | 0x12 << 21))
    result("    BLEND_STATE [0] Destination Blend Factor: A INV_SRC_ALPHA, B INV_SRC_COLOR\n    first used by draw 2\n" in run.stdout, "a field of a structure", run.stdout + run.stderr)
    run = diff(folder, blend % (0x80000000 | 0x13 << 21 | 1 << 26), blend % (0x80000000 | 0x12 << 21 | 2 << 26), "--json")
    use = [m["use"] for m in json.loads(run.stdout)["memory"]]
    result(use == [{"what": "BLEND_STATE [0] Destination Blend Factor, Source Blend Factor", "a": "INV_SRC_ALPHA, ONE", "b": "INV_SRC_COLOR, SRC_COLOR", "draw": 2}], "two fields, as JSON", run.stdout)
    run = diff(folder, re.sub("3DSTATE_BLEND.*", "MI_NOOP", blend % 1), re.sub("3DSTATE_BLEND.*", "MI_NOOP", blend % 2), "--json")
    result([m["use"] for m in json.loads(run.stdout)["memory"]] == [None], "what nothing points to", run.stdout)
    # A blend state has room for eight targets, where another structure may begin.
    both = blend.replace("0, 0x%x, 0, fill 0 size 52", "fill 0 size 64, 0x%x, fill 0 size 60") \
        .replace("    3DPRIMITIVE vertex_count_per_instance = 3, instance_count = 1\n}",
                 "    3DPRIMITIVE vertex_count_per_instance = 3, instance_count = 1\n    3DSTATE_CC_STATE_POINTERS color_calc_state_pointer = 0x80, color_calc_state_pointer_valid\n"
                 "    3DPRIMITIVE vertex_count_per_instance = 3, instance_count = 1\n}")
    run = diff(folder, both % 0, both % (1 << 15))
    result("    COLOR_CALC_STATE Round Disable Function Disable: A 0x0, B 0x1\n    first used by draw 3\n" in run.stdout, "a structure that begins within another", run.stdout + run.stderr)
    run = diff(folder, both % 1, both % (1 << 17 | 1))
    result("    COLOR_CALC_STATE dword 0: A 0x00000001, B 0x00020001\n    first used by draw 3\n" in run.stdout, "a bit that no field has", run.stdout + run.stderr)
    kernel = two_groups.program(folder / "kernel.gts").read_text()
    run = diff(folder, kernel, kernel.replace("0x6000380, 0x4,", "0x6000380, 0x5,"))
    result(re.search(r"    instruction at \+0x8 of the kernel at 0x102000 \(INTERFACE_DESCRIPTOR_DATA, Kernel Start Pointer\):\n      A .*shl .* 0x4:.*\n      B .*shl .* 0x5:.*\n    first used by dispatch 1\n", run.stdout),
           "an instruction of a kernel", run.stdout + run.stderr)
    run = diff(folder, kernel, kernel.replace("0x600009, 0x20c00a2c,", "0x600009, 0x20c00a2d,"))
    result(re.search(r"      A (.* shl .*) // 0x00600009 0x20c00a2c 0x06000380 0x00000004\n      B \1 // 0x00600009 0x20c00a2d 0x06000380 0x00000004\n", run.stdout),
           "instructions of one text", run.stdout + run.stderr)

    run = diff(folder, short % "one", (short % "one").replace("device skl", "device tgl"))
    result(run.returncode == 2 and "both must be of one generation" in run.stderr, "two generations", run.stdout + run.stderr)
    for name, a, b in (("no such file", folder / "none.aub", hello), ("not a trace", folder / "junk", hello), ("a program with an error", hello, "device skl\nnonsense\n")):
        (folder / "junk").write_bytes(bytes(range(256)))
        run = diff(folder, a, b)
        result(run.returncode == 2 and run.stderr and not run.stdout, name, run.stdout + run.stderr)
    run = subprocess.run([softgt, "diff", "a.gts"], cwd=folder, capture_output=True, text=True)
    result(run.returncode not in (0, 1) and "two files" in run.stderr, "one file", run.stderr)
print(f"1..{number}")
sys.exit(failed != 0)
