#!/usr/bin/env python3
"""What the listings say, against tables transcribed from the manuals. listings.py SOFTGT

OVR-01 function IDs, OVR-02 register ranges, OVR-04 memory objects and base addresses, OVR-07 to OVR-09 images, CSP-01 units."""
import json
import pathlib
import subprocess
import sys
import tempfile

softgt = sys.argv[1]
number = failed = 0


def to_number(text):
    """64-bit values are hexadecimal text."""
    return text if text is None else int(text, 16)


def check(good, name, why=""):
    global number, failed
    number += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {number} - {name}" + (f"\n# {why}" if why and not good else ""), flush=True)


def said(*arguments):
    done = subprocess.run([softgt, *map(str, arguments)], capture_output=True, timeout=60, text=True)
    if done.returncode:
        raise SystemExit(f"{arguments}: exit {done.returncode}: {done.stderr}")
    return done.stdout


def same(name, got, wanted):
    check(got == wanted, name, f"got {[x for x in got if x not in wanted]}, wanted {[x for x in wanted if x not in got]}")


skl = json.loads(said("map", "skl", "--json"))

# OVR-01: ID, shared function, fixed function.
FUNCTIONS = """
0|SFID_NULL|Null|FFID_NULL|Null
1||||
2|SFID_SAMPLER|Sampler||
3|SFID_GATEWAY|Message Gateway||
4|SFID_DP_DC2|Data Cache Data Port2|FFID_HS|Hull Shader
5|SFID_DP_RC|Render Cache Data Port|FFID_DS|Domain Shader
6|SFID_URB|URB||
7|SFID_SPAWNER|Thread Spawner|FFID_SPAWNER|Thread Spawner
8|SFID_VME|Video Motion Estimation|FFID_VFE|Video Front End
9|SFID_DP_DCRO|Data Cache Read Only Data Port|FFID_VS|Vertex Shader
a|SFID_DP_DC0|Data Cache Data Port0|FFID_CS|Command Stream
b|SFID_PI|Pixel Interpolator|FFID_VF|Vertex Fetch
c|SFID_DP_DC1|Data Cache Data Port1|FFID_GS|Geometry Shader
d|SFID_CRE|Check & Refinement Engine|FFID_VFE|Video Front End
e|||FFID_SF|Strip/Fan Unit
f|||FFID_WM|Windower/Masker Unit
"""
same("OVR-01: shared and fixed function IDs", [[x or "" for x in row.values()] for row in skl["functions"]],
     [line.split("|") for line in FUNCTIONS.split("\n") if line])

# OVR-02: ranges and their owners, and the reserved one.
RANGES = """
002000|002fff|Render/Generic Media Engine
004000|004fff|Render/Generic Media Graphics Memory Arbiter
008800|0088ff|reserved for the GT
012000|0123ff|MFX Control Engine (Video Command Streamer)
012400|012fff|Media Units (VIN Unit)
014000|014fff|MFX Memory Arbiter
022000|022fff|Blitter Engine
024000|024fff|Blitter Memory Arbiter
100000|107fff|Fence Registers
140000|17ffff|MCHBAR (SA)
"""
same("OVR-02: register ranges", [list(row.values()) for row in skl["ranges"]],
     [line.split("|") for line in RANGES.split("\n") if line])
by_offset = {r["offset"]: r for r in json.loads(said("registers", "skl", "--json"))["registers"]}
for offset, owner in ((0x2030, "Render/Generic Media Engine"), (0x12030, "MFX Control Engine (Video Command Streamer)"),
                      (0x22030, "Blitter Engine"), (0x4094, "Render/Generic Media Graphics Memory Arbiter"),
                      (0x100008, "Fence Registers"), (0x8800, "reserved for the GT"), (0x88fc, "reserved for the GT"),
                      (0x1a030, "")):
    check(by_offset[offset]["range"] == owner, f"OVR-02: register {offset:x} is of '{owner}'", str(by_offset.get(offset)))

# OVR-04: memory objects, and what goes through which base address.
OBJECTS = """Graphics Translation Table (GTT)|Hardware Status Page|Logical Context Buffer|Ring Buffers|Batch Buffers|State Descriptors
Vertex Buffers|VGA Buffer|Display Surface|Overlay Surface|Overlay Register, Filter Coefficients|Cursor Surface|2D Render Source
2D Render R-M-W Destination|2D Render Write-Only Destination|2D Monochrome Source|2D Color Pattern|DIB|3D Color Buffer
3D Depth Buffer|3D Texture Map|"Non-3D" Texture|Motion Comp Surfaces|Motion Comp Correction Data Buffer"""
same("OVR-04: memory object types", [row["type"] for row in skl["memory_objects"]], OBJECTS.replace("\n", "|").split("|"))
check([row["type"] for row in skl["memory_objects"] if row["type"].startswith("2D") and "not accessed" in str(row)] == [],
      "OVR-04: the blitter accesses what 2D operations do")
by_type = {row["type"]: " ".join(row.values()) for row in skl["memory_objects"]}
check([kind for kind in ("State Descriptors", "Vertex Buffers", "3D Color Buffer", "3D Depth Buffer", "3D Texture Map",
                         '"Non-3D" Texture') if "not " in by_type[kind]] == [], "OVR-04: draws access what they do", str(by_type))
same("OVR-04: base addresses", [row["base"] for row in skl["base_addresses"]],
     ["none", "General State Base Address", "Dynamic State Base Address", "Instruction Base Address", "Surface State Base Address",
      "Indirect Object Base Address"])

PROGRAM = """device {device}
context c rcs0 {{
    STATE_BASE_ADDRESS general_state_base_address_modify_enable, general_state_base_address = 0x10000,
        surface_state_base_address_modify_enable, surface_state_base_address = 0x20000,
        dynamic_state_base_address_modify_enable, dynamic_state_base_address = 0x30000,
        indirect_object_base_address_modify_enable, indirect_object_base_address = 0x40000,
        instruction_base_address_modify_enable, instruction_base_address = 0x50000
    # Without Modify Enable a base stays.
    STATE_BASE_ADDRESS surface_state_base_address_modify_enable, surface_state_base_address = 0x60000,
        dynamic_state_base_address = 0x70000
    3DSTATE_BINDING_TABLE_POINTERS_PS pointer_to_ps_binding_table = 0x40
    3DSTATE_SAMPLER_STATE_POINTERS_VS pointer_to_vs_sampler_state = 0x80
    3DSTATE_VIEWPORT_STATE_POINTERS_CC cc_viewport_pointer = 0xc0
    3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP sf_clip_viewport_pointer = 0x100
    3DSTATE_SCISSOR_STATE_POINTERS scissor_rect_pointer = 0x140
    3DSTATE_CC_STATE_POINTERS color_calc_state_pointer_valid, color_calc_state_pointer = 0x180
    3DSTATE_BLEND_STATE_POINTERS blend_state_pointer_valid, blend_state_pointer = 0x1c0
    MEDIA_INTERFACE_DESCRIPTOR_LOAD interface_descriptor_data_start_address = 0x200
    MEDIA_CURBE_LOAD curbe_data_start_address = 0x240
    3DSTATE_PS kernel_start_pointer_0 = 0x280, scratch_space_base_pointer = 0x400
    3DSTATE_VS kernel_start_pointer = 0x2c0
    STATE_SIP system_instruction_pointer = 0x300
    3DSTATE_CONSTANT_PS "Buffer[0]" = 0x320, "Buffer[1]" = 0x340
    3DSTATE_INDEX_BUFFER buffer_starting_address = 0x3000
    MI_SET_PREDICATE predicate_enable = noop_always
    MEDIA_OBJECT indirect_data_start_address = 0x340
    MI_SET_PREDICATE predicate_enable = noop_never
    {more}
}}
submit c
run
"""
CONSTANTS_PROGRAM = """device {device}
context c rcs0 {{
    STATE_BASE_ADDRESS dynamic_state_base_address_modify_enable, dynamic_state_base_address = 0x30000
    3DSTATE_CONSTANT_PS "Buffer[0]" = 0x320
    MI_LOAD_REGISTER_IMM {{ {register} }}
    3DSTATE_CONSTANT_PS "Buffer[0]" = 0x320
    3DSTATE_BLEND_STATE_POINTERS blend_state_pointer_valid, blend_state_pointer = 0x1c0
    MI_NOOP
}}
submit c
run
"""
ADDRESSES = {
    ("3DSTATE_BINDING_TABLE_POINTERS_PS", "Pointer to PS Binding Table"): 0x60040,
    ("3DSTATE_SAMPLER_STATE_POINTERS_VS", "Pointer to VS Sampler State"): 0x30080,
    ("3DSTATE_VIEWPORT_STATE_POINTERS_CC", "CC Viewport Pointer"): 0x300c0,
    ("3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP", "SF Clip Viewport Pointer"): 0x30100,
    ("3DSTATE_SCISSOR_STATE_POINTERS", "Scissor Rect Pointer"): 0x30140,
    ("3DSTATE_CC_STATE_POINTERS", "Color Calc State Pointer"): 0x30180,
    ("3DSTATE_BLEND_STATE_POINTERS", "Blend State Pointer"): 0x301c0,
    ("MEDIA_INTERFACE_DESCRIPTOR_LOAD", "Interface Descriptor Data Start Address"): 0x30200,
    ("MEDIA_CURBE_LOAD", "CURBE Data Start Address"): 0x30240,
    ("3DSTATE_PS", "Kernel Start Pointer 0"): 0x50280,
    ("3DSTATE_PS", "Scratch Space Base Pointer"): 0x10400,
    ("3DSTATE_VS", "Kernel Start Pointer"): 0x502c0,
    ("STATE_SIP", "System Instruction Pointer"): 0x50300,
    ("3DSTATE_CONSTANT_PS", "Buffer[0]"): 0x30320,
    ("3DSTATE_CONSTANT_PS", "Buffer[1]"): None,
    ("3DSTATE_INDEX_BUFFER", "Buffer Starting Address"): None,
}
INDIRECT = ("MEDIA_OBJECT", "Indirect Data Start Address")


def state_addresses(text):
    """{(command, field): the address behind its value, or None} of `run --state`"""
    found, command = {}, None
    for line in text.split("\n"):
        if line.startswith("0x"):
            command = line.split(":  ")[1]
        elif command and line.startswith("    ") and ": " in line:
            field, value = line.strip().split(": ", 1)
            found[(command, field)] = int(value.split(" at ")[1], 16) if " at " in value else None
    return found


with tempfile.TemporaryDirectory() as scratch:
    at = pathlib.Path(scratch)
    for device in ("skl", "icl"):
        (at / "state.gts").write_text(PROGRAM.format(device=device, more="MI_NOOP"))
        found = state_addresses(said("run", "--state", at / "state.gts"))
        for key, wanted in ADDRESSES.items():
            check(key in found and found[key] == wanted, f"OVR-04: {device}: run --state: {key[0]}, {key[1]}",
                  f"{found.get(key, 'not there')} instead of {wanted}")
        said("asm", "--quiet", at / "state.gts", "-o", at / "state.aub")
        listed, bases_at = {}, 0
        for line in said("decode", "--json", "--resolve", at / "state.aub").split("\n"):
            if line:
                command = json.loads(line)
                for field in command.get("fields", {}):
                    listed[(command["name"], field)] = to_number(command.get("addresses", {}).get(field))
        for key, wanted in {**ADDRESSES, INDIRECT: 0x40340}.items():
            check(key in listed and listed[key] == wanted, f"OVR-04: {device}: decode --resolve: {key[0]}, {key[1]}",
                  f"{listed.get(key, 'not there')} instead of {wanted}")
    check("addresses" not in said("decode", "--json", at / "state.aub"), "OVR-04: without --resolve fields stand alone")
    text = said("decode", "--resolve", at / "state.aub")
    check("Pointer to PS Binding Table: 0x00000040 at 0x00060040" in text, "OVR-04: the address stands behind the offset")

    # Push constants are absolute: by INSTPM up to Gen9, by CS_DEBUG_MODE2 from Gen9 on (Mesa).
    INSTPM, CS_DEBUG_MODE2 = "0x20c0, 0x00400040", "0x20d8, 0x00100010"
    CONSTANTS = ("3DSTATE_CONSTANT_PS", "Buffer[0]")
    for device, register, absolute in (("bdw", INSTPM, True), ("bdw", CS_DEBUG_MODE2, False), ("skl", INSTPM, True),
                                       ("skl", CS_DEBUG_MODE2, True), ("icl", INSTPM, False), ("icl", CS_DEBUG_MODE2, True),
                                       ("tgl", CS_DEBUG_MODE2, True), ("dg2", CS_DEBUG_MODE2, True)):
        how = f"{device}, register {register}"
        (at / "state.gts").write_text(CONSTANTS_PROGRAM.format(device=device, register=register))
        wanted = None if absolute else 0x30320
        found = state_addresses(said("run", "--state", at / "state.gts"))
        check(found[CONSTANTS] == wanted, f"OVR-04: run --state: push constants, {how}", str(found[CONSTANTS]))
        check(found[("3DSTATE_BLEND_STATE_POINTERS", "Blend State Pointer")] == 0x301c0, "OVR-04: other state keeps its base")
        said("asm", "--quiet", at / "state.gts", "-o", at / "state.aub")
        last = [json.loads(line) for line in said("decode", "--json", "--resolve", at / "state.aub").split("\n") if "CONSTANT_PS" in line]
        check([to_number(c.get("addresses", {}).get("Buffer[0]")) for c in last] == [0x30320, wanted],
              f"OVR-04: decode --resolve: push constants, {how}", str(last))

    # What no STATE_BASE_ADDRESS set: the base is named.
    (at / "blend.bin").write_bytes(bytes.fromhex("00002478 81000000 00000005".replace(" ", "")))
    text = said("decode", "--batch", "--resolve", at / "blend.bin")
    check("Blend State Pointer: 0x00000080 from Dynamic State Base Address" in text, "OVR-04: a base that is not known", text)

# OVR-07 to OVR-09: the images are listed with every engine that has them.
images = json.loads(said("contexts", "skl", "--json"))
for key in ("schema", "version", "device"):
    del images[key]
same("OVR-07 to OVR-09: images", sorted(images),
     ["bcs0", "bcs0_power", "rcs0", "vcs0", "vcs0_power", "vecs0", "vecs0_power"])
rows = {row["dword"]: row for row in images["vcs0_power"]}
check(rows[0x8a]["what"] == "EXECLIST_STATUS_UDW" and rows[0x94]["value"] == 0x120a0 and rows[0x9d]["value"] == 0x05000000,
      "OVR-07: dwords of the VCS power context")

# CSP-01: units and bases.
lkf = {(row["unit"], row["what"]): row["base"] for row in json.loads(said("map", "lkf", "--json"))["units"]}
wanted = {("rcs0", "command streamer"): "002000", ("rcs0", "position shading"): "018000", ("bcs0", "command streamer"): "022000",
          ("vecs0", "command streamer"): "1c8000", ("vecs1", "command streamer"): "1d8000",
          ("vecs2", "command streamer"): "1e8000", ("vecs3", "command streamer"): "1f8000",
          ("vcs0", "compression"): "015000", ("vcs1", "compression"): "01a000", ("vecs0", "compression"): "01b000"}
for n, base in enumerate((0x1c0000, 0x1c4000, 0x1d0000, 0x1d4000, 0x1e0000, 0x1e4000, 0x1f0000, 0x1f4000)):
    wanted[(f"vcs{n}", "command streamer")] = f"{base:06x}"
    wanted[(f"vcs{n}", "codec")] = f"{base + 0x800:06x}"
for n, (huc, hevc) in enumerate(((0x1c2000, 0x1c2800), (0x1c6000, 0x1c6800), (0x1d2000, 0x1d2800), (0x1d6000, 0x1d6800),
                                 (0x1e2000, 0x1e2800), (0x1e6000, 0x1e6800), (0x1f2000, 0x1f2800), (0x1f6000, 0x1f6800))):
    wanted[(f"vcs{n}", "HuC")] = f"{huc:06x}"
    wanted[(f"vcs{n}", "HEVC")] = f"{hevc:06x}"
same("CSP-01: units and their bases", sorted(lkf.items()), sorted(wanted.items()))

# CSP-08: surface formats have one numbering, for surfaces and for elements of vertices.
FORMATS = {"R32G32B32A32_FLOAT": 0x000, "R32G32B32_FLOAT": 0x040, "R16G16B16A16_FLOAT": 0x084, "R32G32_FLOAT": 0x085, "R64_FLOAT": 0x08d,
           "B8G8R8A8_UNORM": 0x0c0, "R10G10B10A2_UNORM": 0x0c2, "R8G8B8A8_UNORM": 0x0c7, "R8G8B8A8_UNORM_SRGB": 0x0c8, "R16G16_FLOAT": 0x0d0,
           "R11G11B10_FLOAT": 0x0d3, "R32_UINT": 0x0d7, "R32_FLOAT": 0x0d8, "R24_UNORM_X8_TYPELESS": 0x0d9, "B8G8R8X8_UNORM": 0x0e9,
           "R9G9B9E5_SHAREDEXP": 0x0ed, "B5G6R5_UNORM": 0x100, "R8G8_UNORM": 0x106, "R16_FLOAT": 0x10e, "R8_UNORM": 0x140, "A8_UNORM": 0x144,
           "YCRCB_NORMAL": 0x182, "BC1_UNORM": 0x186, "BC7_UNORM": 0x1a2, "ETC2_RGB8": 0x1aa, "RAW": 0x1ff}
for device in ("snb", "skl", "icl"):
    fields = {row["name"]: row["fields"] for row in json.loads(said("structures", device, "--json"))["structures"]}
    commands = json.loads(said("commands", device, "--json"))["commands"]
    elements = next(c for c in commands if c["name"] == "3DSTATE_VERTEX_ELEMENTS")["group"]
    lists = [next(f for f in fields["RENDER_SURFACE_STATE"] if f["name"] == "Surface Format").get("values", {}),
             next(f for f in elements if f["name"].endswith("Element Format")).get("values", {})]
    for list_of in lists:
        check(all(list_of.get(name) == value for name, value in FORMATS.items()), f"CSP-08: {device}'s surface formats", str(list_of)[:300])

# CSP-08: what Gen20 has, as Mesa's genxml (gen200) and Linux' xe say: headers, least dwords, where fields are. "-": it is gone.
GEN200 = """
COMPUTE_WALKER 72080000 40|Walker ID 576|Interface Descriptor Kernel Start Pointer 614|Post Sync Operation 864|Inline Data[0] 1024|Partition Dispatch Parameter 82
EXECUTE_INDIRECT_DISPATCH 7c010000 45|Predicate Enable 8|MOCS 12|Max Count 32|Argument Buffer Start Address 130|Walker ID 736|Interface Descriptor Kernel Start Pointer 774|Inline Data[0] 1184|Partition Dispatch Parameter 242|Workload Partition Enable -
EXECUTE_INDIRECT_DRAW 7c000000 6|Predicate Enable 8|TBIMR Enabled 9|Argument Format 10|MOCS 12|Max Count 32|Count Buffer Address 66|Argument Buffer Start Address 130
MI_MATH 0d000000 2|MOCS 8|Predication Enable 15
MI_SEMAPHORE_WAIT 0e000000 4|Wait Token Number 130|Indirect Semaphore Data Dword 17
RESOURCE_BARRIER ac000000 5|Wait Stage 32|Signal Stage 44|Barrier Type 62|Barrier ID Address 99
STATE_SYSTEM_MEM_FENCE_ADDRESS 61090000 3|System Memory Fence Address 44
STATE_CONTEXT_DATA_BASE_ADDRESS 610b0000 3|Context Data Base Address 44
STATE_BYTE_STRIDE 60050000 2|Byte Stride Enable 8|Byte Stride 34
STATE_PREFETCH 60030000 4|Prefetch Size 32|Address 70
STATE_COMPUTE_MODE 61050000 3|Z Async Throttle settings 35|Async Compute Thread Limit 39|UAV Coherency Mode 70|Mask2 80|Force Non-Coherent -
3DSTATE_DRAWING_RECTANGLE_FAST 78000000 4|Drawing Rectangle Origin X 96
3DSTATE_TE 781c0000 5|Number Of Regions Per Patch 42|Patch Header Layout 54|Tessellation Scale Factor 128
3DSTATE_HS 781b0000 8|Patch Count Threshold 32|Dispatch Mode -
3DSTATE_DEPTH_BUFFER 78050000 8|Render Compression Format 192|Control Surface Enable -|Compression Mode -
3DSTATE_STENCIL_BUFFER 78060000 5|Compression Format 192|Stencil Compression Enable -
3DSTATE_WM_HZ_OP 78520000 6|Depth Buffer Partial Resolve Enable 41|Depth Clear Value 160
3DSTATE_PS 78200000 12|Kernel 0 Enable 32|Kernel 1 Enable 256|8 Pixel Dispatch Enable -|Kernel Start Pointer 2 -
3DSTATE_PS_EXTRA 784f0000 2|Pixel Shader Pulls Bary -|Pixel Shader Requires Centroid Offsets 48
3DSTATE_VS 78100000 9|SIMD8 Dispatch Enable -
CFE_STATE 72000000 6|Stack ID Control 96|Number of Walkers -
PIPELINE_SELECT 69040000 1|Systolic Mode Enable -
PIPE_CONTROL 7a000000 5|Tile Cache Flush Enable -|L3 Fabric Flush -|Generic Media State Clear -
XY_BLOCK_COPY_BLT 50400000 22|Destination MOCS index 56|Source MOCS index 280|Source Compression Enable -
XY_FAST_COLOR_BLT 51000000 16|Destination MOCS index 56|AUX_SPECIAL_OPERATIONS_MODE 413|Destination Clear Address -
XY_CTRL_SURF_COPY_BLT 52000000 5|Size of Control Surface Copy 9|Source MOCS index 92|Destination MOCS index 156
MEM_COPY 56800000 10|Source MOCS index 316|Destination MOCS index 291
MEM_SET 56c00000 7|Fill Type 17|Destination Start Address 128|Fill Data 216
3DSTATE_CLEAR_PARAMS -
"""
there = {row["name"]: row for row in json.loads(said("commands", "bmg", "--json"))["commands"]}
for line in GEN200.strip().split("\n"):
    (name, *head), *places = line.split("|")[0].split(), *(place.rsplit(" ", 1) for place in line.split("|")[1:])
    if head == ["-"]:
        check(name not in there, f"Gen20 has no {name}")
        continue
    row = there.get(name, {"match": 0, "min_dwords": 0, "fields": []})
    bits = {field["name"]: str(field["first_bit"]) for field in row["fields"]}
    got = [f"{row['match']:08x}", str(row["min_dwords"])] + [bits.get(field, "-") for field, _ in places]
    same(f"Gen20: {name}", got, head + [bit for _, bit in places])
check(said("commands", "lnl", "--json").replace('"lnl"', '"bmg"') == said("commands", "bmg", "--json"), "Lunar Lake has Battlemage's commands")

# The same of Gen12.5 (gen125), where the body of COMPUTE_WALKER is a dword shorter; MI_MATH has no field before it.
both = [{row["name"]: row for row in json.loads(said("commands", device, "--json"))["commands"]} for device in ("tgl", "dg2")]
bits = {field["name"]: field["first_bit"] for field in both[1]["EXECUTE_INDIRECT_DISPATCH"]["fields"]}
same("Gen12.5: EXECUTE_INDIRECT_DISPATCH", [bits.get(name) for name in ("Count Buffer Address", "Execution Mask", "Inline Data[7]", "Walker ID")],
     [66, 320, 1376, None])
check(both[1]["EXECUTE_INDIRECT_DISPATCH"]["min_dwords"] == 44, "Gen12.5: its dwords")
same("MI_MATH has fields from Gen12.5 on", [[field["name"] for field in c["MI_MATH"].get("fields", [])] for c in both],
     [[], ["MOCS", "Predication Enable"]])

print(f"1..{number}")
sys.exit(failed != 0)
