"""Names, decoding, building, kernels as text, traces."""

import copy
import errno
import gc
import os
import pathlib
import pickle
import subprocess
import sys
import threading
import time

import numpy
import pytest

import softgt
from conftest import SQUARES, Machine

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
HELLO = """device skl
data result { fill 0 size 8 }
context hello rcs0 {
    MI_LOAD_REGISTER_IMM { rcs0.CS_GPR[0], 20 }, { rcs0.CS_GPR[1], 22 }
    MI_MATH { LOAD, SRCA, R0 }, { LOAD, SRCB, R1 }, { ADD }, { STORE, R2, ACCU }
    MI_STORE_REGISTER_MEM use_global_gtt, register_address = rcs0.CS_GPR[2], memory_address = &result
}
submit hello
run
expect mem &result = 42
"""

LONG = HELLO.replace("hello rcs0 {", "hello rcs0 size 64K {").replace("    MI_MATH", "    repeat 5000 { MI_NOOP }\n    MI_MATH")


def test_rows():
    skl = softgt.spec("skl")
    assert skl is softgt.spec("skl")
    assert len(skl.commands) > 100 and "MI_STORE_DATA_IMM" in list(skl.commands) and "no such" not in skl.commands
    row = softgt.commands("skl")["mi store data imm"]
    assert row.name == "MI_STORE_DATA_IMM" and row.summary and row.info.kind == softgt.RowKind.COMMAND
    assert row.value == 0x10000000 and skl.command(0x10400002).name == row.name
    assert {f.name for f in row.fields} >= {"Address"}
    assert softgt.structures("skl")["RENDER_SURFACE_STATE"].values("Surface Type")["SURFTYPE_2D"] == 1
    tail = softgt.registers("skl")["rcs0.RING_BUFFER_TAIL"]
    assert (tail.offset, tail.unit) == (0x2030, "rcs0") and skl.register(0x2030).name == tail.name
    assert skl.register(0x2031) is None or skl.register(0x2031).offset <= 0x2031
    assert skl.command(0x7FFF0000) is None and skl.engine_class("bcs0") == softgt.EngineClass.COPY
    with pytest.raises(KeyError):
        softgt.commands("skl")["MI_NOTHING"]
    with pytest.raises(softgt.Error, match="voodoo"):
        softgt.spec("voodoo")
    with pytest.raises(softgt.Error, match="rcs9"):
        skl.engine_class("rcs9")


def test_decode():
    data = numpy.array([0x10400002, 0x2000, 0, 42, 0x05000000, 0x7FFF0000], numpy.uint32)
    first, end = softgt.decode(data, "skl", address=0x1000)
    assert (first.name, first.address, first.dwords, first.engine) == ("MI_STORE_DATA_IMM", 0x1000, (0x10400002, 0x2000, 0, 42), "render")
    assert first.fields["Address"] == 0x2000 and first.fields["address"] == 0x2000 and first.fields["use_global_gtt"] == 1
    assert (end.name, end.address) == ("MI_BATCH_BUFFER_END", 0x1010)
    assert "MI_STORE_DATA_IMM" in first.text and "MI_STORE_DATA_IMM" in repr(first)
    assert [c.name for c in softgt.decode(data.tobytes(), "skl", all=True)][2] is None
    assert softgt.decode_text(data, "skl").count("\n") > 2
    assert softgt.decode_text(data, "skl", flags=softgt.DecodeFlags.JSON).startswith("{")
    with pytest.raises(ValueError):
        softgt.decode(b"abc")
    with pytest.raises(TypeError):
        softgt.decode(numpy.array([1.5]))
    with pytest.raises(KeyError):
        first.fields["nothing"]
    cut = list(softgt.decode(data[:2], "skl"))
    assert cut[0].kind == softgt.EventKind.SHORT and len(cut[0].dwords) == 2
    assert list(softgt.decode(b"")) == []


def test_batch():
    batch = softgt.Batch("skl", address=0x3000)
    batch.MI_STORE_DATA_IMM(use_global_gtt=True, address=0x2000, length_dw=4)
    batch.MI_LOAD_REGISTER_IMM({"register_offset": 0x2600, "data_dword": 1}, {"register_offset": 0x2608, "data_dword": 2})
    batch.add("MI_BATCH_BUFFER_END")
    assert [c.name for c in batch] == ["MI_STORE_DATA_IMM", "MI_LOAD_REGISTER_IMM", "MI_BATCH_BUFFER_END"]
    groups = list(batch)[1].fields.groups
    assert len(groups) == 2 and groups[1]["Register Offset"] == 0x2608
    assert len(batch) == 4 + 5 + 1 and len(bytes(batch)) == 40 and batch.dwords[0] == 0x10400002
    assert (numpy.asarray(batch) == batch.dwords).all() and "MI_LOAD_REGISTER_IMM" in str(batch) and "10 dwords" in repr(batch)
    assert "MI_NOOP" in dir(batch) and "_3DSTATE_VS" in dir(batch) and "immediate_data: bits" in batch.MI_STORE_DATA_IMM.__doc__
    batch._3DSTATE_VS()
    assert list(batch)[-1].name == "3DSTATE_VS"


def test_batch_runs():
    m = Machine()
    m.memory.write(0x3000, softgt.Batch("skl").MI_STORE_DATA_IMM(use_global_gtt=True, address=0x2000, immediate_data=42).MI_BATCH_BUFFER_END())
    m.submit(softgt.Batch("skl").MI_BATCH_BUFFER_START(address_space_indicator=0, batch_buffer_start_address=0x3000).dwords)
    m.device.run()
    assert m.stored == 42


def test_batch_text():
    batch = softgt.Batch("skl").text("MI_LOAD_REGISTER_IMM { rcs0.CS_GPR[0], 20 }\nMI_BATCH_BUFFER_END\n")
    assert batch.dwords[1:3].tolist() == [0x2600, 20]
    with pytest.raises(softgt.Error, match=r"batch:2:\d+: "):
        softgt.Batch("skl").text("MI_NOOP\nMI_NOTHING\n")


@pytest.mark.parametrize("build, text", [
    (lambda b: b.MI_STORE_DATA_IMM(adress=1), "Address"), (lambda b: b.add("MI_STORE_DATE_IMM"), "MI_STORE_DATA_IMM"),
    (lambda b: b.MI_STORE_DATA_IMM(address=3), "address"), (lambda b: b.MI_STORE_DATA_IMM(use_global_gtt=2), "does not fit"),
    (lambda b: b.MI_STORE_DATA_IMM(address=1 << 60), "does not fit")])
def test_batch_errors(build, text):
    with pytest.raises(softgt.Error, match=text):
        build(softgt.Batch("skl"))


def test_batch_misuse():
    batch = softgt.Batch("skl")
    with pytest.raises(AttributeError, match="MI_NOTHING"):
        batch.MI_NOTHING
    with pytest.raises(OverflowError):
        batch.MI_STORE_DATA_IMM(address=1 << 64)
    with pytest.raises(TypeError):
        batch.MI_STORE_DATA_IMM(address=1.5)
    with pytest.raises(OverflowError):
        batch.append([1 << 32])
    assert len(batch) == 0


def test_structures_and_registers():
    state = softgt.structures("skl")["RENDER_SURFACE_STATE"]
    dwords = state.build(surface_type="SURFTYPE_2D", width=63, height=31)
    fields = state.decode(dwords)
    assert fields["Width"] == 63 and fields.text("Surface Type") == "SURFTYPE_2D" and "SURFTYPE_2D" in repr(fields)
    with pytest.raises(softgt.Error, match="SURFTYPE_2D"):
        state.build(surface_type="SURFTYPE_5D")
    tail = softgt.registers("skl")["rcs0.RING_BUFFER_TAIL"]
    assert len(tail.decode(0x1000)) >= 1


def test_kernels():
    text = softgt.disassemble(SQUARES, "skl")
    assert "mad (16" in text and text.count("send") == 3
    found = list(softgt.instructions(SQUARES.tobytes(), "skl"))
    assert [offset for offset, _ in found] == [16 * i for i in range(8)] and found[5][1].operation == "mad"
    assert found[7][1].ends_thread and not found[0][1].illegal
    with pytest.raises(softgt.Error):
        list(softgt.instructions(SQUARES.tobytes()[:-8], "skl"))


def test_assemble_and_play():
    aub = softgt.assemble(HELLO)
    assert softgt.play(aub, threads=2, translate=True)
    played = softgt.play(aub, name="hello.aub")
    assert played and played.result == softgt.PlayResult.CLEAN
    with pytest.raises(softgt.Error, match="hello:2"):
        softgt.assemble("device skl\nnonsense\n", name="hello")


def test_trace():
    with softgt.trace(HELLO.encode()) as trace:
        commands = list(trace)
    names = [c.name for c in commands]
    assert names.index("MI_LOAD_REGISTER_IMM") < names.index("MI_MATH") < names.index("MI_STORE_REGISTER_MEM")
    store = commands[names.index("MI_STORE_REGISTER_MEM")]
    assert store.engine == "rcs0" and store.device == "skl" and store.fields["Register Address"] == 0x2610
    assert trace.played.result == softgt.PlayResult.CLEAN


def test_trace_of_a_file():
    path = EXAMPLES / "i915-skl.aub.xz"
    if not path.exists():
        pytest.skip(f"{path} is not there")
    before = threading.active_count()
    trace = softgt.trace(path)
    first = [next(trace) for _ in range(200)]
    assert all(isinstance(c, softgt.Command) and c.device == "skl" for c in first) and len({c.engine for c in first}) > 1
    assert all(len(c.fields) for c in first if c.name == "MI_LOAD_REGISTER_IMM")
    trace.close()
    assert list(trace) == [] and threading.active_count() == before
    other = softgt.trace(path)
    next(other)
    del other
    gc.collect()
    deadline = time.monotonic() + 30
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() == before


def test_exit_while_a_trace_plays():
    program = "import softgt, sys; t = softgt.trace(sys.argv[1].encode()); next(t); u = softgt.trace(sys.argv[1].encode())"
    done = subprocess.run([sys.executable, "-X", "dev", "-c", program, LONG], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_fork_while_a_trace_plays():
    trace = softgt.trace(LONG.encode())
    next(trace)
    child = os.fork()
    if not child:
        status = 1
        try:
            for _ in trace:
                pass
        except softgt.Error as e:
            status = 0 if "forked" in str(e) else 2
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert len(list(trace)) > 5000


def test_trace_of_other_events():
    found = list(softgt.trace(HELLO.encode(), mask=softgt.Trace.COMMANDS | softgt.Trace.MEMORY))
    assert {type(item) for item in found} == {softgt.Command, softgt.Event}


@pytest.mark.parametrize("play", [softgt.play, lambda source: list(softgt.trace(source))])
def test_files_that_cannot_be_played(play, tmp_path):
    for path, number, kind in (("/nonexistent/x.aub", errno.ENOENT, FileNotFoundError), (tmp_path, errno.EISDIR, softgt.PlayError)):
        with pytest.raises(kind) as e:
            play(path)
        assert isinstance(e.value, softgt.PlayError) and isinstance(e.value, softgt.Error) and isinstance(e.value, OSError)
        assert (e.value.errno, e.value.filename) == (number, os.fspath(path)) and str(path) in str(e.value)
    bad = tmp_path / "bad.gts"
    bad.write_text("device skl\nnonsense\n")
    with pytest.raises(softgt.PlayError, match="bad.gts:2") as e:
        play(bad)
    assert (e.value.errno, e.value.filename) == (errno.EINVAL, str(bad))
    assert e.value.played.result == softgt.PlayResult.UNUSABLE and e.value.played.messages[0].line == 2
    with pytest.raises(softgt.PlayError) as e:
        play(b"nonsense")
    assert e.value.filename is None


def test_anything_is_asked_for_in_rows():
    rows = softgt.commands("skl")
    fields = rows["MI_NOOP"].decode([0])
    for name in (5, None, b"MI_NOOP", "MI_NOOP\0", "", object()):
        assert name not in rows and name not in fields
    assert "mi noop" in rows and "MI_NOOP" in rows and "identification number" in fields


@pytest.mark.parametrize("source, text", [
    ("/nonexistent/x.aub", "/nonexistent/x.aub.*No such file"), (b"not a trace", "memory"), (b"device skl\nnonsense\n", "memory:2")])
def test_unusable_traces(source, text):
    with pytest.raises(softgt.Error, match=text):
        list(softgt.trace(source))


def test_failing_expectations():
    played = softgt.play(HELLO.replace("= 42", "= 43").encode(), name="hello.gts")
    assert not played and played.result == softgt.PlayResult.FAILED
    failure = [m for m in played.messages if m.kind == softgt.MessageKind.FAILURE][0]
    assert failure.file == "hello.gts" and failure.line == 10 and failure.text


def test_play_lends_its_device():
    kept, seen = [], []

    def finished(device):
        kept.append(device)
        seen.append((device.name, device.engines["rcs0"].status.commands >= 3))
        with pytest.raises(softgt.BusyError):
            device.run()
        with pytest.raises(softgt.BusyError):
            device.close()

    assert softgt.play(HELLO.encode(), finished=finished, started=kept.append)
    assert seen == [("skl", True)] and len(kept) == 2
    for device in kept:
        with pytest.raises(softgt.ClosedError):
            device.now_ns


def test_play_raises_exceptions_of_callbacks():
    def boom(*arguments):
        raise ZeroDivisionError

    for name in ("trace", "message", "started", "finished"):
        with pytest.raises(ZeroDivisionError):
            softgt.play(b"nonsense" if name == "message" else HELLO.encode(), **{name: boom})
    with pytest.raises(TypeError):
        softgt.play(42)
    with pytest.raises(TypeError):
        softgt.trace(None)


def test_names_have_letters_and_digits():
    blend = softgt.structures("skl")["BLEND_STATE"]
    fields = blend.decode(blend.build(post_blend_color_clamp_enable=True))
    assert fields["post_blend_color_clamp_enable"] is True and fields["Post-Blend Color Clamp Enable"] is True
    assert "COLORCLAMP_UNORM" in blend.values("Color Clamp Range")


def test_numbers_of_float_fields():
    row = softgt.commands("skl")["3DSTATE_RASTER"]
    for value in (1, 1.0, numpy.int32(1), numpy.float64(1)):
        assert row.decode(row.build(global_depth_offset_scale=value))["Global Depth Offset Scale"] == 1.0
    with pytest.raises(TypeError):
        row.build(global_depth_offset_scale=None)
    with pytest.raises(TypeError, match="not a float"):
        row.build(cull_mode=1.0)


def test_dwords_of_the_other_byte_order():
    assert [c.name for c in softgt.decode(numpy.array([0x05000000], ">u4"))] == ["MI_BATCH_BUFFER_END"]


def test_batches_are_copied():
    batch = softgt.Batch("skl")
    batch.MI_NOOP()
    other = copy.deepcopy(batch)
    other.MI_NOOP()
    assert (len(batch), len(other), len(pickle.loads(pickle.dumps(other)))) == (1, 2, 2)


def test_the_device_of_a_play_keeps_its_trace_mask():
    def started(device):
        device.trace_mask = 0

    with pytest.raises(softgt.BusyError):
        softgt.play(b"device skl\n", name="p.gts", started=started)


def test_threads_share_the_iterator_of_a_trace():
    trace = softgt.trace(b"device skl\nring rcs0 {\n    repeat 900 { MI_ARB_CHECK }\n}\nsubmit rcs0\nrun\n", name="p.gts")
    found, errors = [], []

    def take():
        try:
            for command in trace:
                found.append(command)
        except BaseException as e:
            errors.append(e)

    threads = [threading.Thread(target=take) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors and len(found) >= 900
