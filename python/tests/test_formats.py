"""Pixels and numbers."""

import numpy
import pytest

from softgt import formats


def test_lists():
    names = {f.name for f in formats.formats()}
    assert {"B8G8R8A8_UNORM", "R32G32B32A32_FLOAT"} <= names and formats.format("R8_UNORM").bytes == 1
    assert {f.name for f in formats.block_formats()} >= {"BC1_UNORM", "BC7_UNORM"}
    assert formats.format("B5G6R5_UNORM").part[0].bits == 5
    for find in (formats.format, formats.block_format, lambda n: formats.decode(n, b"")):
        with pytest.raises(KeyError):
            find("NO_SUCH_FORMAT")


def test_decode():
    assert formats.decode("B8G8R8A8_UNORM", bytes([0, 255, 51, 102])).tolist() == [[numpy.float32(0.2), 1.0, 0.0, numpy.float32(0.4)]]
    picture = numpy.arange(2 * 3 * 4, dtype=numpy.uint8).reshape(2, 3, 4)
    assert formats.decode("R8G8B8A8_UINT", picture).dtype == numpy.uint32
    assert (formats.decode("R8G8B8A8_UINT", picture) == picture).all()
    assert formats.decode("R8G8B8A8_UNORM", picture.view(numpy.uint32)).shape == (2, 3, 4)
    assert formats.decode("R8G8B8A8_UNORM", picture.view(numpy.uint32)[:, :, 0]).shape == (2, 3, 4)
    assert formats.decode("R16_SINT", numpy.array([-5], numpy.int16))[0, 0] == -5
    assert formats.decode("R64_FLOAT", numpy.array([0.1]))[0, 0] == 0.1
    assert formats.decode("R8_UNORM", b"").shape == (0, 4)
    assert formats.decode("R8G8B8A8_UNORM", picture[:, ::2]).shape == (2, 2, 4)


@pytest.mark.parametrize("name", [f.name for f in formats.formats()])
def test_every_format_goes_both_ways(name):
    f = formats.format(name)
    colors = formats.decode(name, bytes(8 * f.bytes))
    assert formats.encode(name, colors).shape == (8, f.bytes)
    assert len(colors) == 8


def test_encode_is_the_inverse():
    picture = numpy.random.default_rng(1).integers(0, 256, (5, 7, 4), numpy.uint8)
    assert (formats.encode("B8G8R8A8_UNORM", formats.decode("B8G8R8A8_UNORM", picture)) == picture).all()


def test_wrong_sizes():
    with pytest.raises(ValueError, match="multiple of 4"):
        formats.decode("B8G8R8A8_UNORM", b"abc")
    with pytest.raises(ValueError, match="rows of 2 bytes"):
        formats.decode("B8G8R8A8_UNORM", numpy.zeros((2, 2), numpy.uint8))
    with pytest.raises(ValueError, match="4 components"):
        formats.encode("B8G8R8A8_UNORM", numpy.zeros((2, 3)))
    with pytest.raises(ValueError, match="expected 16"):
        formats.decode_blocks("BC1_UNORM", bytes(8), 5, 4)
    with pytest.raises(ValueError):
        formats.decode_blocks("BC1_UNORM", b"", -1, 4)
    with pytest.raises(TypeError):
        formats.decode("R8_UNORM", numpy.array([object()]))


def test_blocks():
    red = bytes([0x00, 0xF8, 0x00, 0xF8, 0, 0, 0, 0])  # BC1: both colors are 565 red
    picture = formats.decode_blocks("BC1_UNORM", red * 2, 8, 3)
    assert picture.shape == (3, 8, 4) and (picture == [1, 0, 0, 1]).all()
    assert formats.decode_blocks("BC1_UNORM", b"", 0, 4).shape == (4, 0, 4)


def test_components():
    assert formats.component_decode(formats.Component.UNORM, 8, 255) == 1.0
    assert formats.component_encode(formats.Component.FLOAT, 16, 1.0) == 0x3C00
    for kind, bits in ((formats.Component.FLOAT, 17), (formats.Component.UNORM, 0), (formats.Component.UNORM, 33)):
        with pytest.raises(ValueError):
            formats.component_decode(kind, bits, 0)
    with pytest.raises(OverflowError):
        formats.component_decode(formats.Component.UNORM, 8, -1)
