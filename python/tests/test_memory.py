"""Bus memory and its arrays."""

import gc
import mmap
import weakref

import numpy
import pytest

import softgt
from conftest import DATA, Machine


def test_views_share_memory():
    memory = softgt.Memory(1 << 16, address=1 << 20)
    words = memory.array((1 << 20) + 64, (4, 4), numpy.uint16)
    words[:] = numpy.arange(16).reshape(4, 4)
    assert memory.read((1 << 20) + 66, 2) == b"\1\0"
    assert memory.array().shape == (1 << 14,) and memory.array().base is not None
    assert numpy.shares_memory(words, memory.array())
    memory.write((1 << 20) + 64, numpy.array([[9, 8]], numpy.uint16))
    assert list(words[0, :2]) == [9, 8]
    memory.write(1 << 20, numpy.arange(8, dtype=numpy.uint32)[::2])
    assert list(memory.array(count=4)) == [0, 2, 4, 6]


@pytest.mark.parametrize("arguments, error", [
    ((0x10000, 1), IndexError), ((-4, 1), IndexError), ((0, 1 << 20), IndexError), ((0xFFFE, 1), IndexError), ((0, -1), ValueError),
    ((0, 1, object), TypeError), ((0, 1, "V0"), TypeError), ((1 << 70, 1), IndexError), ((0, (1 << 40, 1 << 40)), IndexError)])
def test_views_outside_are_refused(arguments, error):
    with pytest.raises(error):
        softgt.Memory(1 << 16).array(*arguments)


@pytest.mark.parametrize("source, error", [
    (0, ValueError), (-4096, ValueError), (1000, ValueError), (bytes(4096), ValueError), (bytearray(100), ValueError),
    (numpy.zeros((64, 128), numpy.uint8)[:, ::2], ValueError), ("x", TypeError), (1.5, TypeError), (None, TypeError)])
def test_sources_that_are_no_memory(source, error):
    with pytest.raises(error):
        softgt.Memory(source)


def test_address_is_checked():
    for address in (-4096, 100, 1 << 64, (1 << 64) - 4096 + 4096):
        with pytest.raises((ValueError, OverflowError)):
            softgt.Memory(4096, address=address)
    softgt.Memory(4096, address=(1 << 64) - 4096)


def test_shared_buffers():
    array = numpy.zeros(1 << 18, numpy.uint32)
    m = Machine(memory=softgt.Memory(array))
    m.memory = softgt.Memory(array)
    m.store(42)
    m.device.run()
    assert array[DATA // 4] == 42
    softgt.Memory(bytearray(4096))
    softgt.Memory(mmap.mmap(-1, 4096))


def test_several_memories():
    low, high = softgt.Memory(1 << 16), softgt.Memory(1 << 16, address=1 << 16)
    m = Machine(memory=[high, low])
    m.memory = low
    m.store(42, 0x10004)
    m.device.run()
    assert high.array()[1] == 42
    with pytest.raises(ValueError, match="overlaps"):
        softgt.Device("skl", memory=[low, softgt.Memory(4096, address=0xF000)])


def test_view_outlives_all():
    m = Machine()
    m.store(42)
    m.device.run()
    view = m.memory.array(DATA, 1)
    gone = weakref.ref(m.memory)
    m.device.close()
    del m
    gc.collect()
    assert gone() is None and view[0] == 42
    view[0] = 43
    assert view[0] == 43


def test_close_while_in_use():
    m = Machine()
    with pytest.raises(BufferError):
        m.memory.close()
    view = m.memory.array()
    m.device.close()
    with pytest.raises(BufferError):
        m.memory.close()
    del view
    m.memory.close()
    m.memory.close()
    with pytest.raises(softgt.ClosedError):
        m.memory.array()
    with pytest.raises(softgt.ClosedError):
        softgt.Device("skl", memory=m.memory)
    assert "closed" in repr(m.memory)


def test_device_keeps_memory():
    m = Machine()
    device, m.memory = m.device, None
    gc.collect()
    device.mmio[0x2030] = 8
    device.run()
    assert device.engines[0].status.dwords == 2


class Slow:
    """Memory of a dictionary, as a bus of Python's."""

    def __init__(self, data):
        self.data = data

    def read(self, address, size):
        return bytes(self.data[address:address + size]) if address + size <= len(self.data) else None

    def write(self, address, data):
        if address + len(data) > len(self.data):
            return False
        self.data[address:address + len(data)] = data
        return True


def test_memory_in_python():
    data = bytearray(1 << 20)
    m = Machine(memory=Slow(data))
    m.memory = softgt.Memory(data)
    m.store(42)
    m.device.run()
    assert m.stored == 42


def test_memory_in_python_that_fails():
    class Short(Slow):
        def read(self, address, size):
            return b""

    m = Machine(memory=Short(bytearray(1 << 20)))
    m.store(42)
    with pytest.raises(ValueError, match="returned 0 bytes"):
        m.device.run()
    with pytest.raises(ValueError, match="threads cannot reach"):
        softgt.Device("skl", memory=Short(bytearray(4096)), threads=2)
    with pytest.raises(TypeError, match="no memory"):
        softgt.Device("skl", memory=42)


def test_objects_are_no_bytes():
    with pytest.raises(TypeError):
        softgt.Memory(4096).write(0, numpy.array([object()]))
