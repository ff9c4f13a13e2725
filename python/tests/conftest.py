"""What tests share: a device with a ring."""

from __future__ import annotations

from typing import Any, Sequence

import numpy
import pytest

import softgt

STORE = 0x10400002  # MI_STORE_DATA_IMM to a GGTT address, one dword
RING, DATA = 0x1000, 0x2000
GGTT = 8 << 20  # where BAR 0 of skl has the table


class Machine:
    """A skl with a ring of the render engine; GGTT pages 1 to 255 are the bus pages of the same numbers."""

    def __init__(self, **options: Any) -> None:
        self.memory = softgt.Memory(1 << 20)
        options.setdefault("memory", self.memory)
        self.device = softgt.Device("skl", **options)
        self.device.ggtt.map(0x1000, 0x1000, 255 << 12)
        self.tail = 0
        self.device.mmio[0x2038] = RING
        self.device.mmio[0x203C] = 1

    def submit(self, dwords: Sequence[int]) -> None:
        ring = self.memory.array(RING, 1024)
        for dword in [*dwords, *([0] * (len(dwords) & 1))]:
            ring[self.tail // 4 % 1024] = dword
            self.tail = (self.tail + 4) % 4096
        self.device.mmio[0x2030] = self.tail

    def store(self, value: int, address: int = DATA) -> None:
        self.submit([STORE, address, 0, value])

    @property
    def stored(self) -> int:
        return int(self.memory.array(DATA, 1)[0])


@pytest.fixture
def machine() -> Machine:
    return Machine()


# out[i] = 0.5 + in[i] * in[i] (examples/kernel.c). The channels' places in their group are in r1, 0.5 is in r4.
SQUARES = numpy.array([
    0x00800001, 0x21001208, 0x00b10020, 0x00000000,  # mov (16)  r8:ud   r1:uw
    0x00800009, 0x21400208, 0x06000004, 0x00000006,  # shl (16)  r10:ud  r0.1<0;1,0>:ud  6 -- the group
    0x00800040, 0x21400208, 0x028d0140, 0x008d0100,  # add (16)  r10:ud  r10:ud  r8:ud
    0x00800009, 0x21400208, 0x068d0140, 0x00000002,  # shl (16)  r10:ud  r10:ud  2
    0x0c800031, 0x21800208, 0x04000140, 0x04205e00,  # send (16) r12  r10  -- untyped read of surface 0
    0x0080015b, 0x0c1e0000, 0x39004001, 0x03072018,  # mad (16)  r12:f  r4.0<0>:f  r12:f  r12:f
    0x0c800031, 0x20000200, 0x04000140, 0x08025e01,  # send (16) null  r10  -- untyped write of surface 1
    0x07600031, 0x20000204, 0x04000fe0, 0x82000000,  # send (8)  null  r127  -- end of thread
], numpy.uint32)
MAD = 5 * 16
COUNT = 16 * 4 * 3


class Squares:
    """A runner with the kernel, launched."""

    def __init__(self, **options: Any) -> None:
        self.input = numpy.arange(COUNT, dtype=numpy.float32) / 4
        self.output = numpy.zeros(COUNT, numpy.float32)
        self.runner = softgt.eu.Runner("skl", **options)
        self.runner.kernel(SQUARES)
        self.runner.surface(0, self.input, writable=False)
        self.output_address = self.runner.surface(1, self.output)
        self.launch()

    def launch(self) -> None:
        self.runner.launch(groups=(3,), threads=4, channels=16, payload=softgt.eu.Payload.LOCAL_IDS, local_size=(64,),
                           data=numpy.array([0.5] + [0] * 7, numpy.float32))


@pytest.fixture
def squares() -> Squares:
    return Squares()
