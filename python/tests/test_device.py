"""Devices: registers, memory, runs, engines, state."""

import errno

import numpy
import pytest

import softgt
from conftest import DATA, GGTT, RING, Machine


def test_devices_are_listed():
    names = [d.name for d in softgt.devices()]
    assert {"skl", "tgl", "dg2"} <= set(names)
    skl = softgt.device_info("skl")
    assert skl.generation == "gen9" and softgt.device_info(skl.pci_device_id).generation == "gen9"
    with pytest.raises(KeyError):
        softgt.device_info("voodoo")


def test_store(machine):
    machine.store(42)
    assert machine.device.runnable
    assert machine.device.run() is False
    assert machine.stored == 42
    assert machine.device.dwords == 4


def test_budget(machine):
    for _ in range(8):
        machine.store(1)
    assert machine.device.run(4) is True
    assert machine.device.run(0) is True
    assert machine.device.run(1000) is False
    assert machine.device.run(0) is False


def test_engines(machine):
    machine.store(42)
    machine.device.run()
    engines = machine.device.engines
    assert len(engines) == machine.device.info.engine_count
    rcs = engines["rcs0"]
    assert engines[0].name == "rcs0" and [e.name for e in engines][:1] == ["rcs0"]
    assert rcs.state == softgt.EngineState.IDLE
    assert (rcs.status.commands, rcs.status.dwords, rcs.status.engine_class) == (1, 4, softgt.EngineClass.RENDER)
    assert rcs.commands() == {"MI_STORE_DATA_IMM": softgt.CommandCount(1, softgt.CommandModel.EXECUTED)}
    with pytest.raises(KeyError):
        engines["rcs9"]
    with pytest.raises(IndexError):
        engines[99]


def test_unknown_command(machine):
    machine.submit([0x7FFF0000, 0])
    machine.device.run()
    rcs = machine.device.engines["rcs0"]
    assert rcs.state == softgt.EngineState.STOPPED and rcs.status.why
    assert rcs.unknown() == [softgt.UnknownHeader(0x7FFF0000, 1, RING)]
    rcs.reset()
    assert rcs.state == softgt.EngineState.IDLE


def test_state_commands(machine):
    machine.submit([0x78140000, 5, 0])  # 3DSTATE_CONSTANT... any state command is kept by its header
    machine.device.run()
    found = machine.device.engines["rcs0"].state_commands()
    assert all(isinstance(name, str) and isinstance(dwords, tuple) for name, dwords in found)


def test_registers_check_offsets_and_values(machine):
    bar = machine.device.bar0
    assert len(bar) == 16 << 20 and machine.device.mmio is bar
    bar.write64(GGTT + 8, 0x5001)
    assert bar.read64(GGTT + 8) == 0x5001 and bar.read32(GGTT + 8) == 0x5001 and bar.read16(GGTT + 8) == 0x5001
    for offset in (-4, len(bar), len(bar) - 2):
        with pytest.raises(IndexError):
            bar[offset]
    with pytest.raises(OverflowError):
        bar[0x2038] = 1 << 32
    with pytest.raises(OverflowError):
        bar[0x2038] = -1
    with pytest.raises(ValueError):
        bar.read(0, 3)
    with pytest.raises(TypeError):
        bar["tail"]
    with pytest.raises(TypeError):
        bar[0x2038] = "1"
    with pytest.raises(KeyError):
        machine.device.bar(1)


def test_configuration_space(machine):
    config = machine.device.config
    assert config.read16(0) == 0x8086 and config.read16(2) == machine.device.info.pci_device_id
    with pytest.raises(ValueError):
        config.read64(0)
    with pytest.raises(IndexError):
        config.read32(len(config))


def test_ggtt(machine):
    machine.device.ggtt.write(DATA, b"abcdefgh")
    assert machine.device.ggtt.read(DATA + 2, 4) == b"cdef"
    assert bytes(machine.memory.array(DATA, 8, numpy.uint8)) == b"abcdefgh"
    with pytest.raises(softgt.Error) as e:
        machine.device.ggtt.read(0xFFFF0000, 4)
    assert e.value.errno == errno.EFAULT and "GGTT address 0xffff0000" in str(e.value)
    with pytest.raises(TypeError):
        machine.device.engines[0].ppgtt.write(0, b"x")


@pytest.mark.parametrize("name", [d.name for d in softgt.devices()])
def test_ggtt_map(name):
    memory = softgt.Memory(1 << 20)
    with softgt.Device(name, memory=memory) as device:
        device.ggtt.map(0x10000, 0x4000, 0x3000)
        device.ggtt.write(0x11FFE, b"abcd")
        assert memory.read(0x5FFE, 4) == b"abcd"
        for arguments in ((0x10004, 0, 4096), (0x10000, 8, 4096), (0x10000, 0, 100), (1 << 40, 0, 4096)):
            with pytest.raises(softgt.Error) as e:
                device.ggtt.map(*arguments)
            assert e.value.errno == errno.EINVAL
        if device.info.local_bytes:
            device.ggtt.map(0x30000, 0x7000, 0x1000, local=True)
            device.ggtt.write(0x30004, b"here")
            assert device.local.read(0x7004, 4) == b"here"


def test_ggtt_table():
    table = numpy.zeros(1 << 20, numpy.uint64)
    m = Machine(ggtt_table=table)
    assert table[1] & ~numpy.uint64(0xFFF) == 0x1000 and numpy.count_nonzero(table) == 255
    for wrong, error in ((numpy.zeros(4), ValueError), (numpy.ones(1 << 20, numpy.uint64), ValueError), (bytes(8 << 20), (ValueError, BufferError))):
        with pytest.raises(error):
            softgt.Device("skl", memory=m.memory, ggtt_table=wrong)


def test_surfaces(machine):
    x, y = numpy.meshgrid(numpy.arange(128), numpy.arange(16))
    picture = (x | y << 8 | 0xFF << 24).astype(numpy.uint32)  # a row of an X tile is 512 bytes; a tile has 8 rows
    machine.memory.array(0x10000, picture.shape)[:] = picture
    found = machine.device.ggtt.surface(0x10000, 128, 16)
    assert found.shape == (16, 128, 4) and (found.view(numpy.uint32)[..., 0] == picture).all()
    assert machine.device.ggtt.surface(0x10000, 128, 8, tiling=softgt.Tiling.TILE_X).view(numpy.uint32)[7, 127, 0] == picture[7, 127]
    y_tile = machine.device.ggtt.surface(0x10000, 32, 32, "R8G8B8A8_UNORM", softgt.Tiling.TILE_Y)
    assert y_tile.view(numpy.uint32)[1, 0, 0] == picture.reshape(-1)[4] and y_tile.view(numpy.uint32)[0, 4, 0] == picture.reshape(-1)[128]
    assert machine.device.ggtt.surface(0x10000, 2, 1, rgba=True).tolist() == [[[0, 0, 0, 255], [0, 0, 1, 255]]]
    assert softgt.formats.decode("B8G8R8A8_UNORM", found).shape == (16, 128, 4)
    with pytest.raises(softgt.Error, match="not mapped") as e:
        machine.device.ggtt.surface(0xFF000, 32, 1024)
    assert e.value.errno == errno.EFAULT
    assert not machine.device.ggtt.surface(0xFF000, 32, 1024, partial=True)[-1].any()
    with pytest.raises(KeyError):
        machine.device.ggtt.surface(0, 1, 1, "NO_FORMAT")
    for arguments in ((0, 0, 1), (0, 1, 1 << 20), (0, -1, 1)):
        with pytest.raises(ValueError):
            machine.device.ggtt.surface(*arguments)
    with pytest.raises(softgt.Error):
        machine.device.ggtt.surface(0, 100, 100, pitch=4)
    assert machine.device.engines[0].ppgtt.surface(0, 4, 4, partial=True).shape == (4, 4, 4)


def test_threads_of_the_host():
    m = Machine(threads=2, translate=True)
    m.store(42)
    m.device.run()
    assert m.stored == 42
    m.device.close()
    for threads in (0, 65, -1):
        with pytest.raises(ValueError):
            Machine(threads=threads)


def test_time(machine):
    assert machine.device.now_ns == 0
    machine.device.advance(1000)
    assert machine.device.now_ns == 1000
    with pytest.raises(OverflowError):
        machine.device.advance(-1)
    machine.device.reset()
    assert machine.device.now_ns == 0
    assert machine.device.next_event_ns is None or machine.device.next_event_ns >= 0


def test_save_and_load(machine):
    machine.store(42)
    state = machine.device.save()
    machine.device.run()
    assert machine.stored == 42
    machine.memory.array()[DATA // 4] = 0
    with softgt.Device("skl", memory=machine.memory) as other:
        other.load(state)
        other.run()
        assert machine.stored == 42
        assert other.save() == machine.device.save()


def test_load_refuses_what_is_no_state(machine):
    device = softgt.Device("skl", memory=machine.memory)
    before = device.save()
    for bad in (b"", b"x" * 100, before[:-1]):
        with pytest.raises(softgt.Error) as e:
            device.load(bad)
        assert e.value.errno == errno.EINVAL
    assert device.save() == before
    with softgt.Device("icl", memory=machine.memory) as icl, pytest.raises(softgt.Error) as e:
        icl.load(before)
    assert e.value.errno == errno.ENODEV


def test_why_a_device_is_not_created(machine):
    for options, text in (({"local_memory": 3}, "local_bytes is 3; expected a power of two from 64 to 2048 MB"),
                          ({"functions": 1000}, "functions is 1000; dg2 has up to")):
        reports = []
        with pytest.raises(softgt.Error, match=text) as e:
            softgt.Device("dg2", memory=machine.memory, report=reports.append, **options)
        assert e.value.errno == errno.EINVAL and text in reports[0].text
    with pytest.raises(softgt.Error, match="threads of 'snb'"):
        softgt.eu.Runner("snb")
    with pytest.raises(softgt.Error, match="no device has the name 'voodoo'"):
        softgt.eu.Runner("voodoo")


def test_engines_by_name_or_object(machine):
    engines = machine.device.engines
    assert "rcs0" in engines and engines[0] in engines and "rcs9" not in engines and 5 not in engines


def test_unknown_device(machine):
    with pytest.raises(softgt.Error, match="voodoo.*skl") as e:
        softgt.Device("voodoo", memory=machine.memory)
    assert e.value.errno == errno.EINVAL and isinstance(e.value, OSError)


@pytest.mark.parametrize("use", [
    lambda name: softgt.Device(name, memory=softgt.Memory(4096)), softgt.eu.Runner, softgt.spec, softgt.formats.format, softgt.formats.block_format,
    softgt.Batch, lambda name: softgt.commands("skl")[name], lambda name: softgt.spec("skl").engine_class(name), softgt.assemble,
    lambda name: softgt.Batch("skl").text(name), lambda name: softgt.Batch("skl").MI_NOOP(fields={"x": 1, name: 1}),
    lambda name: softgt.play(b"device skl", device=name), lambda name: softgt.play(b"device skl", name=name)])
def test_names_are_strings(use):
    for name in (5, b"skl", ["skl"]):
        with pytest.raises(TypeError):
            use(name)
    with pytest.raises(ValueError, match="zero character"):
        use("skl\0")


def test_local_memory():
    with softgt.Device("dg2", memory=softgt.Memory(1 << 20), local_memory=64 << 20) as device:
        device.local.write(4096, numpy.arange(4, dtype=numpy.uint32))
        assert device.local.read(4100, 4) == b"\1\0\0\0"
        assert len(device.bar2) >= 64 << 20 and device.local_direct_bytes > 0


def test_local_memory_of_the_caller():
    local = softgt.Memory(64 << 20)
    with softgt.Device("dg2", memory=softgt.Memory(1 << 20), local_memory=local) as device:
        device.local.write(4096, b"abcd")
        assert local.read(4096, 4) == b"abcd"
        with pytest.raises(BufferError):
            local.close()


def test_functions():
    own = softgt.Memory(1 << 20)
    with softgt.Device("atsm", memory=softgt.Memory(1 << 20), functions=[softgt.FunctionPort(own)]) as device:
        assert len(device.functions) == 2 and not device.functions[1].enabled
        assert device.functions[1].config.read32(0) == 0xFFFFFFFF
        assert device.functions[0].bar(0).read32(0) == device.bar0.read32(0)
    with pytest.raises(softgt.Error, match="functions is 100; skl has up to 0"):
        softgt.Device("skl", memory=own, functions=100)


def test_vga_and_errors(machine):
    machine.device.vga[0x3C4] = 1
    assert machine.device.vga[0x3C4] == 1
    with pytest.raises(OverflowError):
        machine.device.vga[0x3C4] = 256
    assert machine.device.error(softgt.ErrorSeverity.FATAL, 1) is False


def test_same_calls_same_state():
    states = []
    for _ in range(2):
        m = Machine()
        m.store(7)
        m.device.run(3)
        m.device.advance(12345)
        states.append(m.device.save())
    assert states[0] == states[1]


def test_offsets_are_integers(machine):
    for wrong in ("x", 1.0, slice(0, 4), None):
        with pytest.raises(TypeError):
            machine.device.mmio[wrong]
    with pytest.raises(TypeError):
        iter(machine.device.mmio)
    with pytest.raises(TypeError):
        0 in machine.device.mmio
