"""Pixels and numbers in memory, by the manual's formats.

    softgt.formats.decode("B8G8R8A8_UNORM", pixels)  # an array of floats, four to a pixel
"""

from __future__ import annotations

from typing import Any, Dict, List, Tuple, Union

import numpy
from numpy.typing import NDArray

from ._errors import encoded, unsigned
from ._native import ffi, lib
from ._types_formats import BlockFormat, Component, Format, FormatPart, _make_BlockFormat, _make_Format

__all__ = ["BlockFormat", "Component", "Format", "FormatPart", "block_format", "block_formats", "component_decode", "component_encode", "decode",
           "decode_blocks", "encode", "format", "formats"]


def formats() -> List[Format]:
    """The surface formats."""
    return _all(lib.softgt_format_at, _make_Format)


def block_formats() -> List[BlockFormat]:
    """The formats with texels in blocks: BC1 to BC7, ETC1, ETC2, EAC, ASTC, FXT1."""
    return _all(lib.softgt_block_format_at, _make_BlockFormat)


def _all(at: Any, make: Any) -> List[Any]:
    found: List[Any] = []
    while at(len(found)):
        found.append(make(at(len(found))))
    return found


_known: Dict[Tuple[bool, str], Any] = {}


def _find(name: str, blocks: bool = False) -> Any:
    if (blocks, name) not in _known:
        pointer = (lib.softgt_block_format_find if blocks else lib.softgt_format_find)(encoded(name, "format"))
        if not pointer:
            raise KeyError(name)
        _known[blocks, name] = pointer
    return _known[blocks, name]


def format(name: str) -> Format:
    """A surface format by its name: "B8G8R8A8_UNORM". KeyError: there is none."""
    return _make_Format(_find(name))


def block_format(name: str) -> BlockFormat:
    """A block format by its name: "BC1_UNORM". KeyError: there is none."""
    return _make_BlockFormat(_find(name, True))


def _color_type(c: Any) -> numpy.dtype[Any]:
    """The member of softgt_color that the format uses."""
    parts = [part for part in c.part if part.bits]
    if any(part.bits == 64 for part in parts):
        return numpy.dtype(numpy.float64)
    kinds = {part.kind for part in parts}
    if Component.UINT in kinds:
        return numpy.dtype(numpy.uint32)
    return numpy.dtype(numpy.int32) if Component.SINT in kinds else numpy.dtype(numpy.float32)


def decode(name: str, pixels: Any) -> NDArray[Any]:
    """Decodes pixels to red, green, blue and alpha as the 3D pipe holds them: the last axis has four components.

    An array whose last axis has the bytes or the words of pixels keeps its other axes. Floats are float32; UINT and SINT
    formats give integers; R64_FLOAT gives two float64, of which the first is red.
    """
    c = _find(name)
    source = numpy.ascontiguousarray(numpy.frombuffer(pixels, numpy.uint8) if isinstance(pixels, (bytes, bytearray, memoryview)) else pixels)
    if source.dtype.hasobject:
        raise TypeError(f"dtype {source.dtype} is not plain data")
    shape = source.shape
    raw = source.reshape(-1).view(numpy.uint8)
    if raw.size % c.bytes:
        raise ValueError(f"{raw.size} bytes; expected a multiple of {c.bytes}, a pixel of {name}")
    kind = _color_type(c)
    count = raw.size // c.bytes
    out = numpy.empty((count, 16 // kind.itemsize), kind)
    lib.python_pixels_decode(c, ffi.from_buffer("char[]", raw), count, ffi.from_buffer("char[]", out, require_writable=True))
    if len(shape) > 1:
        row = shape[-1] * source.dtype.itemsize
        if row % c.bytes:
            raise ValueError(f"rows of {row} bytes; expected a multiple of {c.bytes}, a pixel of {name}")
        per_row = row // c.bytes
        return out.reshape(*shape[:-1], *((per_row,) if per_row != 1 else ()), out.shape[-1])
    return out


def encode(name: str, colors: Any) -> NDArray[numpy.uint8]:
    """The inverse of `decode`: the last axis has red, green, blue and alpha, and then the bytes of a pixel."""
    c = _find(name)
    kind = _color_type(c)
    source = numpy.ascontiguousarray(colors, kind)
    if source.ndim == 0 or source.shape[-1] != 16 // kind.itemsize:
        raise ValueError(f"colors of shape {source.shape}; expected {16 // kind.itemsize} components of {kind} on the last axis")
    count = source.size // source.shape[-1]
    out = numpy.empty((count, c.bytes), numpy.uint8)
    lib.python_pixels_encode(c, ffi.from_buffer("char[]", source), count, ffi.from_buffer("char[]", out, require_writable=True))
    return out.reshape(*source.shape[:-1], c.bytes)


def decode_blocks(name: str, blocks: Any, width: int, height: int) -> NDArray[numpy.float32]:
    """Decodes a picture of width by height texels, whose blocks follow each other, to floats (height, width, 4)."""
    c = _find(name, True)
    if width < 0 or height < 0:
        raise ValueError(f"a picture of {width} by {height}")
    expected = -(-width // c.width) * -(-height // c.height) * c.bytes
    raw = ffi.from_buffer("char[]", blocks)
    if len(raw) != expected:
        raise ValueError(f"{len(raw)} bytes; expected {expected} for {width} by {height} texels of {name}")
    out = numpy.empty((height, width, 4), numpy.float32)
    if out.size:
        lib.python_blocks_decode(c, raw, width, height, ffi.from_buffer("char[]", out, require_writable=True))
    return out


def _bits(kind: Component, bits: int) -> int:
    allowed: Union[range, Tuple[int, ...]] = (10, 11, 16, 32, 64) if kind == Component.FLOAT else range(1, 33)
    if bits not in allowed:
        raise ValueError(f"{kind.name} of {bits} bits")
    return bits


def component_decode(kind: Component, bits: int, raw: int) -> float:
    """The number that the low `bits` bits of `raw` are."""
    return float(lib.softgt_component_decode(Component(kind), _bits(Component(kind), bits), unsigned(raw, 64, "value")))


def component_encode(kind: Component, bits: int, value: float) -> int:
    """The inverse of component_decode."""
    return int(lib.softgt_component_encode(Component(kind), _bits(Component(kind), bits), value))
