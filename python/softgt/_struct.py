"""What the modules that are written from the headers are made of."""

from __future__ import annotations

from dataclasses import fields
from enum import IntEnum
from typing import Any, Optional, Tuple

from ._native import ffi


class Enumeration(IntEnum):
    """An enumeration of C. Values that a newer library adds are members without a name of their own."""

    @classmethod
    def _missing_(cls, value: object) -> Optional[Enumeration]:
        if not isinstance(value, int) or not 0 <= value < 1 << 32:
            return None
        member = int.__new__(cls, value)
        member._name_ = f"VALUE_{value}"
        member._value_ = value
        return member


class Struct:
    """A struct of C, copied. Its repr leaves out what is zero or absent."""

    def __repr__(self) -> str:
        members = ((f.name, getattr(self, f.name)) for f in fields(self))
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in members if value)})"


def _text(pointer: Any) -> Optional[str]:
    return ffi.string(pointer).decode("utf-8", "replace") if pointer else None


def _dwords(pointer: Any, count: int) -> Tuple[int, ...]:
    return tuple(ffi.unpack(pointer, count)) if pointer and count else ()


def _bytes(pointer: Any, count: int) -> bytes:
    return bytes(ffi.buffer(pointer, count)) if pointer else b""
