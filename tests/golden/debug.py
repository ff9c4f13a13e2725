#!/usr/bin/env python3
"""softgt debug: moves, stops and what it shows, on programs and recordings. Usage: debug.py SOFTGT SOURCE. Prints TAP.

What is seen at a place is the same however it was reached: by steps, by goto, back, or after a stop.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

import two_groups

softgt, source = sys.argv[1], pathlib.Path(sys.argv[2])
number = failed = 0


def result(good, name, why=""):
    global number, failed
    number += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {number} - {name}" + ("\n# " + str(why).replace("\n", "\n# ") if why and not good else ""), flush=True)


def debug(file, lines, *options):
    """What it printed for all lines, and its exit status."""
    done = subprocess.run([softgt, "debug", *options, file], input="".join(line + "\n" for line in lines), capture_output=True, text=True,
                          timeout=250, errors="replace")
    return done.stdout + done.stderr, done.returncode


def places(text):
    return [line for line in text.split("\n") if re.match(r"#\d", line)]


scratch = tempfile.TemporaryDirectory()
program = pathlib.Path(scratch.name) / "program.gts"
# Every store is of another value, so that who wrote it can be told; the second batch has a wrong one.
program.write_text("""
device skl
data target { fill 0 size 64 }
data other { 7 }
batch first rcs0 {
    repeat 8 as i { MI_STORE_DATA_IMM use_global_gtt, address = &target + i * 4, immediate_data = 0x100 + i }
    MI_BATCH_BUFFER_END
}
batch second rcs0 {
    MI_STORE_DATA_IMM use_global_gtt, address = &target + 12, immediate_data = 0xbad
    MI_BATCH_BUFFER_END
}
context c rcs0 {
    MI_LOAD_REGISTER_IMM { rcs0.CS_GPR[2], 0x1234 }
    MI_BATCH_BUFFER_START batch_buffer_start_address = &first
    MI_BATCH_BUFFER_START batch_buffer_start_address = &second
    MI_LOAD_REGISTER_IMM { rcs0.CS_GPR[2], 0x5678 }
}
submit c
run
read mem &target size 16 as numbers
""")
text, status = debug(program, ["c"])
result(status == 0 and "the replay has ended" in text, "a program runs to its end", text)
last = int(places(text)[-1].split()[0][1:])

# Every place, forward by steps; then each again by goto in a mixed order, and back step by step.
look = ["where", "registers rcs0.CS_GPR[2]", "engines"]


def seen(text):
    """By place: what was shown there."""
    found = {}
    for part in re.split(r"^(?=#\d+ )", text, flags=re.M):
        found.setdefault(part.split(" ", 1)[0], []).append(part)
    return {place: parts[-1] for place, parts in found.items() if place.startswith("#")}


forward = seen(debug(program, look + [line for _ in range(last - 1) for line in ["step"] + look])[0])
result(len(forward) == last, "steps pass every command", (len(forward), last))
order = [(n * 7) % last for n in range(last)]
by_goto = seen(debug(program, [line for n in order for line in [f"goto {n}"] + look])[0])
result(all(by_goto[f"#{n}"] == forward[f"#{n}"] for n in range(last)), "a place is the same by goto",
       [(by_goto.get(f"#{n}"), forward[f"#{n}"]) for n in range(last) if by_goto.get(f"#{n}") != forward[f"#{n}"]][:1])
backward = seen(debug(program, [f"goto {last - 1}"] + look + [line for _ in range(last - 1) for line in ["back"] + look])[0])
result(all(backward[f"#{n}"] == forward[f"#{n}"] for n in range(last)), "and going back",
       [(backward.get(f"#{n}"), forward[f"#{n}"]) for n in range(last) if backward.get(f"#{n}") != forward[f"#{n}"]][:1])

# Batches.
text = debug(program, ["b MI_STORE_DATA_IMM", "c", "d", "finish", "next", "where"])[0]
result("MI_BATCH_BUFFER_START" in places(text)[2] and "MI_LOAD_REGISTER_IMM" in places(text)[3], "finish and next pass batches", text)
text = debug(program, ["b MI_BATCH_BUFFER_START", "c", "next", "next"])[0]
result("MI_BATCH_BUFFER_START" in places(text)[2] and "MI_LOAD_REGISTER_IMM" in places(text)[3], "next passes the batch that a command starts", text)

# Stops.
address = re.search(r"Address: (0x\w+)", debug(program, ["b MI_STORE_DATA_IMM", "c", "where"])[0])[1]
third = hex(int(address, 16) + 12)
text, status = debug(program, [f"b MI_STORE_DATA_IMM immediate_data=0x104", "c", "where"])
result(status == 0 and "0x00000104" in text or "Immediate Data: 0x104" in text or "0x104" in text.split("where")[-1], "a stop at a field's value", text)
text = debug(program, [f"watch ggtt:{third}", "c", "c", "c", "c", "rc", "rc", "rc", "rc"])[0]
hits = [line for line in text.split("\n") if line.startswith("stop 1: ")][1:]
result([re.search(r"by a packet|0x103|0xbad", hit)[0] for hit in hits] == ["by a packet", "0x103", "0xbad", "0xbad", "0x103", "by a packet"] and "no stop before" in text,
       "a watch stops after each write, forward and back", text)
text = debug(program, ["b register rcs0.CS_GPR[2]", "c", "c", "c", "stops"])[0]
result(text.count("stop 1: rcs0.CS_GPR[2]: ") >= 2 and "0x1234 -> 0x5678" in text, "a stop at a register's writes", text)
text = debug(program, ["tb MI_STORE_DATA_IMM", "c", "c", "stops"])[0]
result("no stops" in text and "the replay has ended" in text, "a stop for once", text)
text = debug(program, ["b MI_STORE_DATA_IMM", "disable 1", "c", "goto 0", "enable 1", "c", "stops"])[0]
result(text.count("stop 1: MI_STORE_DATA_IMM") == 2 and "met 1 time" in text, "stops are disabled and enabled", text)
text = debug(program, ["b context", "c", "b batch rcs0", "c"])[0]
result("stop 1: rcs0" in text and "stop 2: rcs0" in text, "contexts and batches", text)

# Who.
text = debug(program, [f"goto {last - 1}", f"who ggtt:{third}", "who rcs0.CS_GPR[2]", "where", f"who ggtt:{hex(int(address, 16) + 60)}", "who rcs0.CS_GPR[5]"])[0]
result("0xbad" in text and re.search(r"in #\d+ MI_STORE_DATA_IMM at rcs0", text) and "0x1234" in text and "nobody" in text, "who wrote there", text)
before = debug(program, ["b MI_STORE_DATA_IMM immediate_data=0xbad", "c", f"who ggtt:{third}"])[0]
result("stores 0x103" in before, "who wrote there, up to a place", before)

# Who, at every place: the same value as memory has there.
disagree = []
for n in range(1, last + 1):
    text = debug(program, [f"goto {n}", f"x ggtt:{third}", f"who ggtt:{third}"])[0].rstrip().split("\n")
    value = text[-2].split()[-1].lstrip("0")
    if value != (re.search(r"(?:stores|->) 0x(\w+)", text[-1]) or ["", ""])[1].lstrip("0") or "nobody" in text[-1]:
        disagree.append(text[-3:])
result(not disagree, "who agrees with what memory has, at every place", disagree)
remapped = pathlib.Path(scratch.name) / "remapped.gts"
remapped.write_text("""
device skl
ppgtt vm
data gate at ggtt:0x100000 { 0x33 }
data target at vm:0x200000 { 0x11, 0x22 }
batch first in vm {
    MI_STORE_DATA_IMM address = &target, immediate_data = 0xaaaa
    MI_BATCH_BUFFER_END
}
batch second in vm {
    MI_STORE_DATA_IMM address = &target, immediate_data = 0xbbbb
    MI_NOOP
    MI_BATCH_BUFFER_END
}
context a rcs0 ppgtt vm {
    MI_BATCH_BUFFER_START address_space_indicator = ppgtt, batch_buffer_start_address = &first
    MI_NOOP
}
submit a
run
write mem &gate = 0x77
map vm:&target size 4K to 0x900000
append a {
    PIPE_CONTROL tlb_invalidate, command_streamer_stall_enable
    MI_BATCH_BUFFER_START address_space_indicator = ppgtt, batch_buffer_start_address = &second
}
submit a
run
""")
text = debug(remapped, ["b MI_STORE_DATA_IMM", "c", "who rcs0:0x200000", "c", "step", "x rcs0:0x200000", "who rcs0:0x200000", "who bus:0x900000", "d", "goto 0",
                        "watch bus:0x900000", "c"])[0]
result("0x200000: 0x0 -> 0x2200000011, by a packet at file offset 0x" in text or "0x200000: 0x0 -> 0x11, by a packet at file offset 0x" in text, "a packet wrote the page that is mapped", text)
result(re.search(r"0000bbbb\nrcs0 stores 0xbbbb.*\nrcs0 stores 0xbbbb", text) and "stop 2: rcs0 stores 0xbbbb" in text, "who wrote a page that was mapped later, and bus memory", text)
text = debug(remapped, ["watch ggtt:0x100000", "c", "c", "who ggtt:0x100000"])[0]
result(re.search(r"^stop 1: 0x100000: .* -> 0x33, by a packet at file offset 0x\w+\n#1 ", text, re.M) and
       len(re.findall(r"0x33 -> 0x77, by a packet at file offset 0x\w+", text)) == 2, "packets before the first command, and between commands", text)
text, status = debug(program, ["who rcs0.CS_GPR[0]", f"who ggtt:{third}"])
result(status == 1 and text.count("nothing has run") == 3, "who at the start", text)

# The number of the command: goto reaches it.
text = debug(program, [f"goto {last - 1}", f"who ggtt:{third}"])[0]
named = re.search(r"in #(\d+) MI_STORE_DATA_IMM at rcs0:(0x\w+)", text)
result(named and f"#{named[1]} rcs0 0x{int(named[2], 16):08x}:  0x10400002:  MI_STORE_DATA_IMM" in debug(program, [f"goto {named[1]}"])[0], "who says which command, by its number", text)
# Packets: each write is one, of the same value, too; a range says which dword.
packets = pathlib.Path(scratch.name) / "packets.gts"
packets.write_text("""
device skl
data target at ggtt:0x100000 { 0x11, 0x22, 0x33, 0x44 }
context a rcs0 { MI_NOOP }
context b bcs0 { MI_NOOP }
submit a
run
write mem &target = 0x51
write mem &target = 0x52
write mem &target + 8 = 0x34
submit b
run
write mem &target + 4 = 0x22
append a {
    MI_STORE_DATA_IMM use_global_gtt, address = &target + 12, immediate_data = 0x44
    MI_USER_INTERRUPT
}
submit a
run
append b { MI_NOOP }
submit b
run
""")
text = debug(packets, ["goto 1", "watch ggtt:0x100000,16", "c", "x/4wx ggtt:0x100000", "c", "c"])[0]
hits = [line for line in text.split("\n") if line.startswith("stop 1: ")][1:]
result([re.sub(r"0x\w+$", "", hit) for hit in hits[:3]] == [f"stop 1: 0x100000: 0x{'11' if n == 1 else '51'} -> 0x5{n}, by a packet at file offset " for n in (1, 2)] +
       ["stop 1: 0x100008: 0x33 -> 0x34, by a packet at file offset "] and "00000052 00000022 00000034 00000044" in text, "every packet's write, and of a range the dword", text)
result(len(hits) == 5 and hits[3].startswith("stop 1: 0x100004: 0x22 -> 0x22, by a packet at file offset ") and "rcs0 stores 0x44, 4 bytes, at ggtt 0x10000c, in #" in hits[4],
       "writes of the same value are writes", hits)
text = debug(packets, ["c", "who ggtt:0x100004", "who ggtt:0x10000c", "who ggtt:0x100008", "who ggtt:0x100000", "goto 1", "who ggtt:0x100004"])[0]
result(re.search(r"0x100004: 0x22 -> 0x22, by a packet at file offset 0x\w+ \(before #\d+\)\nrcs0 stores 0x44, .* in #\d+ MI_STORE_DATA_IMM at rcs0:\w+\b.*\n"
                 r"0x100008: 0x33 -> 0x34, by.*\n0x100000: 0x51 -> 0x52, by a packet at file offset", text) and "0x100004: not mapped -> 0x22" not in text.split("the end")[0],
       "who wrote the same value", text)
many = pathlib.Path(scratch.name) / "many.gts"
many.write_text("device skl\ndata target at ggtt:0x100000 { 0 }\ncontext a rcs0 { MI_NOOP }\nsubmit a\nrun\n" +
                "".join(f"write mem &target = {n}\n" for n in range(1, 21)) + "append a { MI_NOOP }\nsubmit a\nrun\n")
text = debug(many, ["goto 1", "watch ggtt:0x100000", "c", "x ggtt:0x100000"])[0]
result(text.count("stop 1: 0x100000: ") == 8 and "13 more, the last of them:\nstop 1: 0x100000: 0x13 -> 0x14, by a packet" in text and "0x00100000: 00000014" in text, "many writes, with the last", text)
# Who causes a context's restore: no command of another engine.
text = debug(packets, ["b context bcs0", "b interrupt rcs0", "c", "c", "c", "c", "c"])[0]
restores = [line for line in text.split("\n") if line.startswith("stop 1: bcs0 restore")]
raises = [line for line in text.split("\n") if line.startswith("stop 2: rcs0 raises")]
result(len(restores) == 2 and all(re.fullmatch(r"stop 1: bcs0 restore of context 0x\w+(, id 0x\w+)?, by a submission", line) for line in restores), "a submission restores a context", text)
result(any(re.search(r": .*user, in #\d+ MI_USER_INTERRUPT at rcs0:0x\w+, context 0x", line) for line in raises) and
       all("MI_USER" in line or re.search(r": context switch, in a switch of contexts(, context 0x\w+, id 0x1)?$", line) for line in raises), "a command raises an interrupt", text)

# Two address spaces of an engine with a ring: an engine's name means that of its batch.
spaces = pathlib.Path(scratch.name) / "spaces.gts"
spaces.write_text("""
device snb
ppgtt vm
data low at ggtt:0x200000 { 0x11, 0x12, 0x13 }
data same at vm:0x200000 { 0x21, 0x22, 0x23 }
batch first at ggtt:0x300000 {
    MI_STORE_DATA_IMM use_global_gtt, address = 0x200008, immediate_data = 0x15
    MI_NOOP
    MI_BATCH_BUFFER_END
}
batch second at vm:0x300000 {
    MI_STORE_DATA_IMM address = 0x200008, immediate_data = 0x25
    MI_NOOP
    MI_BATCH_BUFFER_END
}
ring rcs0 ppgtt vm {
    MI_BATCH_BUFFER_START buffer_security_and_address_space_indicator = ggtt, batch_buffer_start_address = 0x300000
    MI_BATCH_BUFFER_START buffer_security_and_address_space_indicator = ppgtt, batch_buffer_start_address = 0x300000
    MI_NOOP
}
submit rcs0
run
""")


def shown(text):
    return [line.split(": ")[1] for line in text.split("\n") if line.startswith("0x00200")]


look = ["x 0x200000", "x rcs0:0x200000", "x ggtt:0x200000", "x ppgtt:0x200000", "x rcs0.ppgtt:0x200000"]
text = debug(spaces, ["step", *look, "until rcs0:0x300000", "where", "list 1", *look, "set rcs0:0x200004 0x16", "x ggtt:0x200004", "x ppgtt:0x200004", "walk 0x200000",
                      "watch 0x200008", "d", "step", "who 0x200008", "x 0x200008"])[0]
result(shown(text) == ["00000011", "00000011", "00000011", "00000021", "00000021"] * 2 + ["00000016", "00000022", "00000015"] and "  in the GGTT, batch 1, depth 1\n" in text and
       "in the GGTT:\n => " in text and "GGTT [512]" in text and "memory 0x200008, in the GGTT\n" in text and re.search(r"stores 0x15, .* at ggtt 0x200008, in #2 MI_STORE", text),
       "addresses in a batch in the GGTT", text)
text = debug(spaces, ["until ppgtt:0x300000", "where", "list 1", *look, "set rcs0:0x200004 0x26", "x ggtt:0x200004", "x ppgtt:0x200004", "walk 0x200000",
                      "watch rcs0:0x200008", "c", "who rcs0:0x200008", "d", "step 2", *look[:2], "walk ppgtt:0x900000"])[0]
result(shown(text) == ["00000021", "00000021", "00000011", "00000021", "00000021", "00000012", "00000026", "00000021", "00000021"] and "  in the PPGTT, batch 2, depth 1\n" in text and
       "in the PPGTT:\n => " in text and "GGTT [512]" not in text and "memory rcs0:0x200008, in the PPGTT of rcs0\n" in text and
       len(re.findall(r"stores 0x25, .* at ppgtt 0x200008, in #6 MI_STORE", text)) == 2 and "no page in the PPGTT of rcs0" in text, "and in the PPGTT", text)
text, status = debug(spaces, ["until ggtt:0x300000", "until ggtt:0x300000", "goto 0", "b ppgtt:0x300000", "c", "x rcs1:0", "x rcs0.gtt:0"])
result(places(text)[1].startswith("#2 ") and " the end" in places(text)[2] and places(text)[4].startswith("#6 ") and text.count("no engine has this name") == 2,
       "commands by their space", text)

# Conditions: of an engine, and of a context by its LRCA or id.
shared = pathlib.Path(scratch.name) / "shared.gts"
shared.write_text("""
device skl
data target at ggtt:0x100000 { 0 }
context a rcs0 { MI_STORE_DATA_IMM use_global_gtt, address = &target, immediate_data = 0x11 }
context b bcs0 { MI_STORE_DATA_IMM use_global_gtt, address = &target, immediate_data = 0x22 }
context c rcs0 id 0x22 { MI_STORE_DATA_IMM use_global_gtt, address = &target, immediate_data = 0x33 }
submit a
run
submit b
run
write mem &target = 0x44
submit c
run
""")
lrca = re.search(r"context (0x\w+), id 0x22", debug(shared, ["b MI_STORE_DATA_IMM", "c", "c", "c", "where"])[0])[1]
for condition, values in {"": ["packet", "0x11", "0x22", "packet", "0x33"], " engine=bcs0": ["0x22"], " engine=rcs0": ["0x11", "0x33"], " context=0x22": ["0x33"], f" context={lrca}": ["0x33"],
                          " engine=bcs0 context=0x22": [], " engine=rc* context=34": ["0x33"]}.items():
    text, status = debug(shared, [f"break memory ggtt:0x100000{condition}", "c", "c", "c", "c", "c", "c"])
    hits = [re.search("packet|stores (0x\\w+)", line) for line in text.split("\n")[3:] if line.startswith("stop 1: ")]
    result([hit[1] or hit[0] for hit in hits] == values, f"a stop with a condition:{condition}", text)
text = debug(shared, ["b MI_STORE_DATA_IMM immediate_data=0x33 context=0x22", "b MI_STORE_DATA_IMM engine=bcs0", "c", "c", "c", "c", "who ggtt:0x100000 engine=bcs0"])[0]
result(len(re.findall(r"^stop [12]: .*\n#\d+ [br]cs0", text, re.M)) == 2 and "bcs0 stores 0x22" in text, "commands with conditions", text)
text, status = debug(shared, ["b batch engine=foo", "b batch context=x", "b batch engine="])
result(text.count("no engine has this name") == 1 and text.count("expected context=LRCA") == 1 and text.count("expected engine=NAME") == 1, "bad conditions", text)

# The same address in two address spaces: a switch of contexts is no change of memory.
switched = pathlib.Path(scratch.name) / "switched.gts"
switched.write_text("""
device skl
ppgtt one
ppgtt two
data first at one:0x200000 { 0x11 }
data second at two:0x200000 { 0x22 }
batch store in one {
    MI_STORE_DATA_IMM address = &first, immediate_data = 0x33
    MI_BATCH_BUFFER_END
}
context a rcs0 ppgtt one { MI_BATCH_BUFFER_START address_space_indicator = ppgtt, batch_buffer_start_address = &store }
context b rcs0 ppgtt two { MI_NOOP }
submit a
run
submit b
run
append a { MI_NOOP }
submit a
run
write mem &first = 0x44
append a { MI_NOOP }
submit a
run
""")
for space in ["", "ppgtt:", "rcs0.ppgtt:"]:
    text = debug(switched, ["goto 1", f"watch {space}0x200000", "goto 0", *["c"] * 4])[0]
    hits = [re.sub(r"0x\w+$", "", line) for line in text.split("\n") if line.startswith("stop 1: ")][1:]
    result(len(hits) == 2 and hits[0].startswith("stop 1: rcs0 stores 0x33") and hits[1] == "stop 1: 0x200000: 0x33 -> 0x44, by a packet at file offset ",
           f"a watch in two address spaces: {space or 'any'}", text)

text = debug(switched, ["goto 2", "x ggtt:0x200000", "x ppgtt:0x900000"])[0] + debug(packets, ["step", "x rcs0:0x100000", "x rcs0.ppgtt:0x900000"])[0]
result("in the GGTT; the PPGTT has it: ppgtt:0x200000\n" in text and "in the PPGTT of rcs0; the GGTT has it: ggtt:0x100000\n" in text and text.count("has it") == 2,
       "memory that another space has", text)

# Memory, walks, structures.
text = debug(program, [f"goto {last - 1}", f"x/4wx ggtt:{address}", f"x/2gd ggtt:{address}", f"walk ggtt:{address}", f"structure RENDER_SURFACE_STATE ggtt:{address}"])[0]
result("00000100 00000101 00000102 00000bad" in text and "GGTT [" in text and "writable" in text and
       re.search(r"RENDER_SURFACE_STATE at 0x\w+\n +Cube Face Enable", text), "memory, its page walk, and as a structure", text)
text = debug(program, [f"goto 1", f"set ggtt:{address} 0x77", f"x/1wx ggtt:{address}", "set rcs0.CS_GPR[3] 5", "registers rcs0.CS_GPR[3]", "goto 0",
                       f"x/1wx ggtt:{address}"])[0]
result("00000077" in text and "00000005" in text and text.rstrip().endswith("no memory is mapped here, in the GGTT"), "changes, and the past without them", text)

# A change stays for every move that ends where it was made, or after: who, back, goto, reverse-continue.
later = debug(program, ["goto 5", f"set ggtt:{hex(int(address, 16) + 4)} 0x999", "set rcs0.CS_GPR[3] 5", f"x ggtt:{hex(int(address, 16) + 4)}"])[0]
result(later.rstrip().endswith("00000999"), "memory is set", later)
show = [f"x ggtt:{hex(int(address, 16) + 4)}", "registers rcs0.CS_GPR[3]"]
for name, lines in {"who of memory": [f"who ggtt:{third}"], "who of the memory": [f"who ggtt:{hex(int(address, 16) + 4)}"], "who of a register": ["who rcs0.CS_GPR[2]"],
                    "step and back": ["step 3", "back 2"], "back to its place": ["step 3", "back 3"], "goto": ["step 3", "goto 6"],
                    "reverse-continue": ["b MI_STORE_DATA_IMM immediate_data=0x104", "step 5", "step 2", "rc"], "the end": ["c", "back"]}.items():
    text = debug(program, ["goto 5", f"set ggtt:{hex(int(address, 16) + 4)} 0x999", "set rcs0.CS_GPR[3] 5", *lines, *show])[0]
    result("00000999" in text and re.search(r"CS_GPR\[3\] +00000005", text) and "undone" not in text, f"a change stays: {name}", text)
text = debug(program, ["goto 5", f"set ggtt:{hex(int(address, 16) + 4)} 0x999", "step 2", "set rcs0.CS_GPR[3] 5", f"who ggtt:{hex(int(address, 16) + 4)}",
                       "who rcs0.CS_GPR[3]", "goto 6", *show, "goto 4", *show, "goto 6", *show])[0]
result(f"'set ggtt:{hex(int(address, 16) + 4)} 0x999' at #5" in text and "'set rcs0.CS_GPR[3] 5' at #7" in text, "who names a change", text)
result(re.search(r"^undone: set rcs0.CS_GPR\[3\] 5, at #7\n#6 .*\n.* 00000999\n.*CS_GPR\[3\] +00000000\n"
                 r"undone: set ggtt:\w+ 0x999, at #5\n#4 (.*\n)*.* 00000000\n(.*\n)*#6 (.*\n)*.* 00000101\n", text, re.M), "going back before a change undoes it, and says so", text)
text = debug(program, [f"set rcs0.CS_GPR[3] 7", "step 2", "goto 0", "registers rcs0.CS_GPR[3]", "back", "step 3", "registers rcs0.CS_GPR[3]"])[0]
result(len(re.findall(r"CS_GPR\[3\] +00000007", text)) == 2, "a change at the start", text)

# A change of what a stop watches, or "who" looked for, right after it.
for name, lines in {"who of a register": ["goto 5", "who rcs0.CS_GPR[3]"], "a stop at a register": ["b register rcs0.CS_GPR[3]", "b MI_STORE_DATA_IMM", "c"],
                    "who of memory": ["goto 5", f"who ggtt:{third}"], "a watch": [f"watch ggtt:{third}", "c"]}.items():
    changes = ["set rcs0.CS_GPR[3] 5", f"set ggtt:{third} 0x999"]
    text, status = debug(program, [*lines, *(changes if "register" in name else changes[::-1]), f"x ggtt:{third}", "registers rcs0.CS_GPR[3]", "step", "where"])
    result(status == 0 and "00000999" in text and re.search(r"CS_GPR\[3\] +00000005", text) and "gone" not in text, f"a change right after {name}", text)

text = debug(program, [f"goto {last - 1}", f"structure RENDER_SURFACE_STATE ggtt:{address}"])[0]
result("RENDER_SURFACE_STATE at 0x" in text and re.search(r"^ +Width: \d+", text, re.M), "memory as a structure", text)

# A kernel: shl, mov, add as a compiler made them, and the end; in two groups.
kernel = two_groups.program(pathlib.Path(scratch.name) / "kernel.gts")
text, status = debug(kernel, ["b kernel 0x102000", "c", "stepi", "regs r28", "stepi", "regs r6", "backi", "regs r6", "backi", "c", "stepi", "regs r28:d", "rc", "where",
                              "dis", "back", "d", "c"])
rows = [line.split()[1:] for line in text.split("\n") if line.startswith(("r6 ", "r28 "))]
at = [(part[0], part[2][:-2]) for part in re.findall(r"^(#\S+) rcs0 (group) (\S+:0) ", text, re.M)]
result(len(rows) == 4 and rows[0] == ["00000000"] * 8 and rows[3] == ["1"] * 8, "registers of threads in two groups", text)
result([a[0] for a in at] == ["#5.1", "#5.2", "#5.3", "#5.2", "#5.1", "#5.5", "#5.6", "#5.5", "#5.5"], "instructions, forward and back", (at, text))
sent = debug(kernel, ["b kernel 0x102000", "c", "message", "stepi 3", "message", "guc", "functions"])[0]
result("the current instruction sends no message" in sent and re.search(r"^ts descriptor 0x\w{8} extended 0x\w{8}  .*\nthe message names no surface", sent, re.M) and
       "the device has no GuC" in sent and "no virtual functions" in sent, "a message without a surface", sent)
gucs = debug(source / "tests/rule/gen200_copies.gts", ["c", "guc doorbells"])[0]
result(re.search(r"^GuC in reset, 0 contexts\ndoorbells\n.*^GuC of the media GT in reset, 0 contexts\ndoorbells\n", gucs, re.M | re.S), "a GuC for each GT", gucs)
counted = debug(kernel, ["b kernel 0x102000", "c", "x rcs0:0x102000", "who rcs0:0x102000", "d", "c", "who rcs0.GPGPU_THREADS_DISPATCHED"])[0]
result(re.search(r"20144d01\n0x102000: 0x0 -> 0x\w*20144d01, by a packet", counted), "who, inside a thread", counted)
result("nobody, up to here: the device itself counts or keeps it; its value is 0x10\n" in counted, "who wrote a counter", counted)
stopped = debug(kernel, ["b draw", "b dispatch", "c", "stops", "c"])[0]
result(stopped.count("stop 2: dispatch") == 2 and "1  draw, met 0 times" in stopped and places(stopped)[1] == places(debug(kernel, ["b GPGPU_WALKER", "c"])[0])[1],
       "a stop before dispatches", stopped)
bound = debug(kernel, ["b GPGPU_WALKER", "c", "bindings", "stepi", "bindings"])[0]
result(bound.count("CS kernel at 0x102000, 48 bytes") == 2, "what is bound", bound)
thread = debug(kernel, ["b kernel 0x102000", "c", "stepi", "set r28.3 0x1234", "set r5.0 0x77", "stepi 2", "backi", "regs r28 r5", "stepi", "who rcs0.CS_GPR[0]", "regs r28",
                      "step", "goto 5", "stepi 3", "regs r28"])[0]
rows = [line.split()[1:] for line in thread.split("\n") if line.startswith(("r5 ", "r28 "))]
result([row[3] for row in rows] == ["00001234", rows[1][3], "00001234", "00000000"] and rows[1][0] == "00000077" and
       "undone: set r28.3 0x1234, at #5.2" in thread, "a change of a thread's register", (rows, thread))
result("kernel at 0x102000\n" in text and re.findall(r"^ *(=> )?\+0x(\w+) ", text, re.M) == [("=> ", "000"), ("", "008"), ("", "018"), ("", "020")], "a listing has offsets and the current instruction", text)
state = debug(kernel, ["goto 5", "state", "goto 1", "state PIPELINE_SELECT"])[0]
first = re.search(r"^#1 rcs0 (0x\w+):", debug(kernel, ["goto 1"])[0], re.M)[1]
result(f"{first}:  0x69040302:  PIPELINE_SELECT, set by #1\n" in state and re.search(r"^0x\w+:  0x6101000e:  STATE_BASE_ADDRESS, set by #2$", state, re.M) and
       "no such state" in state.split("#1 ")[-1], "which command set a piece of state", state)
result("shl (8|M0)" in text and "{EOT}" in text and text.rstrip().endswith("the end"), "a kernel is listed, and left", text)

# State of which commands set parts: elements of arrays by their index, and the constants of stages.
parts = pathlib.Path(scratch.name) / "parts.gts"
parts.write_text("""
device skl
context a rcs0 {
    3DSTATE_VF_INSTANCING vertex_element_index = 0, instance_data_step_rate = 1
    3DSTATE_VF_INSTANCING vertex_element_index = 2, instance_data_step_rate = 2
    3DSTATE_VF_INSTANCING vertex_element_index = 0, instance_data_step_rate = 3
    3DSTATE_VERTEX_BUFFERS { vertex_buffer_state_vertex_buffer_index = 3 } { vertex_buffer_state_vertex_buffer_index = 1 }
    3DSTATE_VERTEX_BUFFERS { vertex_buffer_state_vertex_buffer_index = 1, vertex_buffer_state_buffer_pitch = 24 }
    PIPELINE_SELECT mask_bits = 3
    PIPELINE_SELECT mask_bits = 3
    MI_NOOP
}
submit a
run
""")
text = debug(parts, ["goto 5", "state 3DSTATE_VERTEX_BUFFERS", "goto 8", "state 3DSTATE_V*", "state PIPELINE_SELECT"])[0]
result(re.findall(r"3DSTATE_VF_INSTANCING, (.*)\n(?:    .*\n)*?.*Element Index: (\d)", text) == [("set by #3", "0"), ("set by #2", "2")], "elements by their index", text)
result(re.findall(r"3DSTATE_VERTEX_BUFFERS, (.*)", text) == ["set by #4", "last set by #5: [0] by #5, [1] by #4"], "groups by their index", text)
result(re.findall(r"PIPELINE_SELECT, (.*)", text) == ["last set by #7"], "state of several commands", text)
stages = pathlib.Path(scratch.name) / "stages.gts"
stages.write_text("""
device tgl
context a rcs0 {
    3DSTATE_CONSTANT_PS
    3DSTATE_CONSTANT_ALL vertex_shader_update_enable, pixel_shader_update_enable
    MI_NOOP
}
submit a
run
""")
text = debug(stages, ["goto 3", "state 3DSTATE_CONSTANT_*"])[0]
result(sorted(re.findall(r"3DSTATE_CONSTANT_(\w+), (set by #.*)", text)) == [("PS", "set by #2"), ("VS", "set by #2")], "constants of several stages", text)

# softgt draws names the same commands.
drawn = pathlib.Path(scratch.name) / "drawn.gts"
drawn.write_text(re.sub(r"(?m)^(?=    PIPELINE_SELECT)", "".join(line + "\n" for line in parts.read_text().split("\n") if "    3DSTATE_" in line), kernel.read_text()))
at = int(re.search(r"^#(\d+)", places(debug(drawn, ["b GPGPU_WALKER", "c"])[0])[-1])[1])
text = debug(drawn, [f"goto {at}", "state"])[0]
subprocess.run([softgt, "draws", "--at", "1", "--extract", pathlib.Path(scratch.name) / "drawn", drawn], capture_output=True)
listed = (pathlib.Path(scratch.name) / "drawn" / "state.txt").read_text()
sources = [re.findall(rf"(\w+){before}((?:last )?set by #\d+)(?: at rcs0:0x\w+)?((?:[:,] \[\d\] by #\d+)*)", of) for before, of in [(", ", text), (r"  \(", listed)]]
result(sources[0] == sources[1] and len(sources[0]) > 4 and "last set by" in text, "softgt draws has the same sources of state", (sources, text, listed))

# Places that the debugger prints, and numbers of softgt draws.
text = debug(kernel, ["goto 5.3", "goto #5.2", "goto 5.6", "back", "goto #4", "goto 5.999"])[0]
result([place.split()[0] for place in places(text)[1:]] == ["#5.3", "#5.2", "#5.6", "#5", "#4", "#5.999", "#6"] and "#5.999 is no place" in text, "goto an instruction", text)
walkers = pathlib.Path(scratch.name) / "walkers.gts"
kernel_text = kernel.read_text()
walker = re.search(r"    GPGPU_WALKER(.*\n)*?(?=\})", kernel_text)[0]
walkers.write_text(kernel_text.replace(walker, walker + "    MI_NOOP\n" + walker + walker))
text = debug(walkers, ["goto dispatch 2", "goto draw 3", "goto dispatch 1", "goto dispatch 9", "where", "b dispatch 3", "c", "c"])[0]
listed = subprocess.run([softgt, "draws", walkers], capture_output=True, text=True).stdout
result([place.split()[0] for place in places(text)[1:]] == ["#7", "#8", "#5", "#5", "#8", "#9"] and "there are only 3 draws and dispatches" in text and
       "stop 1: dispatch 3\n#8 rcs0" in text, "goto and break by the numbers of softgt draws", (text, listed))
text, status = debug(walkers, ["b dispatch 9", "b draw 3", "c", "c", "b draw 4", "tb dispatch 9", "stops"])
result(status == 1 and "the replay has ended\nstop 1: dispatch 9: there are only 3 draws and dispatches\n" in text and
       text.count("there are only 3 draws and dispatches") == 3 and text.count(", met ") == 2, "stops at draws that are not there", text)
text, status = debug(kernel, ["goto 5.", "goto 5.x", "goto #", "goto draw", "goto draw x", "b draw 0"])
result(status == 1 and text.count("expected [#]COMMAND") == 4 and "'x' is no count" in text and "a number from 1 on" in text, "bad places", text)

# A compressed recording, and a cut one.
recording = source / "examples" / "i915-skl.aub.xz"
text = debug(recording, ["b error", "c"])[0]
result("the replay has ended" in text, "a compressed recording", text)
half = pathlib.Path(scratch.name) / "half.aub"
trace = pathlib.Path(scratch.name) / "whole.aub"
subprocess.run([softgt, "asm", program, "-o", trace], check=True, capture_output=True)
half.write_bytes(trace.read_bytes()[:-7])
text, status = debug(half, ["c"])
result("error: " in text and "offset" in text, "a cut trace is told with its offset", text)

# Fields of commands, as listings print them.
waits = source / "examples" / "i915-skl.aub.xz"
for field in ["Compare Operation=SAD_EQUAL_SDD", "compare_operation=sad_equal_sdd", "Compare Operation=4", "Compare Operation = 4 (SAD_EQUAL_SDD)", "'Compare Operation'=0x4",
              '"Compare Operation=SAD EQUAL SDD"', "Register Poll Mode=false", "Wait Mode=Polling Mode", "Register Poll Mode=0"]:
    text, status = debug(waits, [f"b MI_SEMAPHORE_WAIT {field}", "c"])
    result(status == 0 and places(text)[-1].startswith("#8 rcs0") and "MI_SEMAPHORE_WAIT" in places(text)[-1], f"a stop at a field: {field}", text)
text = debug(waits, ["b MI_SEMAPHORE_WAIT Semaphore Address=0xffffe0c8", "c"])[0]
result(places(text)[-1].startswith("#8 rcs0"), "a stop at an address in a field", text)
text = debug(waits, ["b MI_SEMAPHORE_WAIT Register Poll Mode=true", "c"])[0]
result("the replay has ended" in text, "a stop at a field that no command has", text)
for field, why in {"Compare Operation": "'Compare Operation' has no '='", "Compare=4": "MI_SEMAPHORE_WAIT has no field 'Compare'; it has", "Compare Operation=": "there is no value",
                   "Compare Operation=NONE": "field 'Compare Operation' has no value 'NONE'; it has 3 bits, SAD_GREATER_THAN_SDD", "=4": "there is no field",
                   "Compare Operation=9": "field 'Compare Operation' has no value 0x9; it has 3 bits"}.items():
    text, status = debug(waits, [f"b MI_SEMAPHORE_WAIT {field}"])
    result(status == 1 and why in text, f"what is wrong with a field: {field}", text)

# Repeated fields, signed numbers, floats, pointers, and conditions anywhere.
fields = pathlib.Path(scratch.name) / "fields.gts"
fields.write_text("""
device skl
context a rcs0 {
    MI_LOAD_REGISTER_IMM { rcs0.CS_GPR[2], 1 } { rcs0.CS_GPR[3], 0x22 }
    3DSTATE_POLY_STIPPLE_OFFSET polygon_stipple_x_offset = 3
    3DSTATE_RASTER global_depth_offset_scale = 0.5
    3DSTATE_BLEND_STATE_POINTERS blend_state_pointer = 0x40
    3DSTATE_VERTEX_ELEMENTS { element_source_element_offset = 4 } { element_source_element_offset = 8 }
    3DPRIMITIVE base_vertex_location = -2
}
submit a
run
""")
text = debug(fields, ["b 3DPRIMITIVE", "c", *["back"] * 5, *["where", "step"] * 6])[0]
shown = re.findall(r"^    (?:\[\d\] )?(.*): (.*)$", text, re.M)
for name, value, command in [("Base Vertex Location", "-2", "3DPRIMITIVE"), ("Global Depth Offset Scale", "0.5", "3DSTATE_RASTER"),
                             ("Blend State Pointer", "0x00000040 from Dynamic State Base Address", "3DSTATE_BLEND_STATE_POINTERS")]:
    found = [listed for field, listed in shown if field == name]
    text, status = debug(fields, [f"b {command} {name}={(found or [value])[0]}", "c"])
    result(found and found[0].split()[0] == value.split()[0] and status == 0 and command in places(text)[-1], f"a stop at {name} as it is printed", (found, text))
for field in ["MI_LOAD_REGISTER_IMM Data DWord=0x22", "MI_LOAD_REGISTER_IMM [1] Data DWord=0x22", "MI_LOAD_REGISTER_IMM Register Offset=0x00002618 (rcs0.CS_GPR[3])",
              "3DSTATE_VERTEX_ELEMENTS Element Source Element Offset=8", "3DPRIMITIVE engine=rcs0 Base Vertex Location=-2", "3DPRIMITIVE Base Vertex Location=0xfffffffe",
              "3DSTATE_BLEND_STATE_POINTERS Blend State Pointer=0x00000040 at 0x000110c0"]:
    text, status = debug(fields, [f"b {field}", "c"])
    result(status == 0 and field.split()[0] in places(text)[-1], f"a stop at a field: {field}", text)
for field in ["MI_LOAD_REGISTER_IMM [0] Data DWord=0x22", "MI_LOAD_REGISTER_IMM Data DWord=0x23", "3DPRIMITIVE Base Vertex Location=-1", "3DSTATE_RASTER Global Depth Offset Scale=0.25",
              "3DPRIMITIVE engine=bcs0 Base Vertex Location=-2"]:
    text, status = debug(fields, [f"b {field}", "c"])
    result(status == 0 and "the end" in places(text)[-1], f"no stop at a field: {field}", text)
for field, why in {"MI_LOAD_REGISTER_IMM foo=1": "it has Byte Write Disables; repeated: Register Offset, Data DWord\n", "3DPRIMITIVE Vertex Count Per Instance=-1": "has no value -1; it has 32 bits"}.items():
    text, status = debug(fields, [f"b {field}"])
    result(status == 1 and why in text, f"what is wrong with a field: {field}", text)

# Help: the forms of each command, with an example that is understood.
names = re.findall(r"^  (\w[\w-]*)[, ].*", debug(program, ["help"])[0], re.M)
helped = {name: debug(program, [f"help {name}"])[0] for name in ["x", "who", "set", "goto", "break", "watch", "until", "regs", "registers", "state", "dis", "bk", "disas"]}
result(all(re.search(r"^    .*\n(.*\n)*  for example: \w", text, re.M) for text in helped.values()) and "x/[N][SIZE][FORMAT] [SPACE:]ADDRESS" in helped["x"] and
       "SPACE: ggtt, ppgtt" in helped["who"] and "set rN[.DWORD] VALUE" in helped["set"] and len(names) > 30, "help of a command has its forms, and an example", helped)
examples = [found[1] for name in names if (found := re.search("for example: (.*)", debug(program, [f"help {name}"])[0]))]
texts = [debug(packets, ["goto 5", example])[0] for example in examples]
result(len(examples) > 20 and not [text for text in texts if re.search("expected|is no command|no such command|has no field", text)], "examples are understood",
       [text for text in texts if re.search("expected|is no command|no such command|has no field", text)])

result(all("for example: " in debug(program, [f"help {name}"])[0] for name in names), "every command has an example", names)
text, status = debug(program, ["set 0x27fff0304 5", "help set"])
result(status == 1 and text.count("no register is at this offset; an address of memory needs a space, such as ggtt:0x1000") == 1 and "or none" not in text, "a change of memory needs a space", text)

# Bad lines and bad input.
for bad in ["nothing", "break", "break register no_such", "break memory here", "x/9z 0", "goto x", "step 0", "stepi x", "delete 9", "walk", "regs",
            "structure NONE 0x1000", "until", "set x", "who", "x/99999999 0", "list 0", "registers no_such.*", "break " + "A" * 400, "break NOSUCH",
            "break NOSUCH_*", "break MI_STORE_DATA_IMM foo=1", "tbreak draw xyz0", "break interrupt foo", "break batch no*", "break context foo:0x1000",
            "watch foo:0x1000", "who foo:0x1000", "who rcs0:0x7000", "watch local:0"]:
    text, status = debug(program, ["step", bad, "where"])
    good = bad == "break" or status == 1
    result(good and places(text)[-1].startswith("#1 "), f"a bad line: {bad[:30]}", (status, text))
for bad in ["/nowhere.aub", source / "meson.build"]:
    text, status = debug(bad, ["c"])
    result(status == 2 and text.strip(), f"unusable input: {bad}", (status, text))
script = pathlib.Path(scratch.name) / "script"
script.write_text("# a comment\nstep 2\nwhere\n")
text, status = debug(program, [], "--batch", "-x", script)
result(status == 0 and "(softgt) step 2" in text and places(text)[-1].startswith("#2 "), "a script", text)
print(f"1..{number}")
sys.exit(failed != 0)
