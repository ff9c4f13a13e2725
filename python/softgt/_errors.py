"""Errors."""

from __future__ import annotations

import errno
import operator
import os
from typing import Optional


class Error(OSError):
    """A function of softgt failed. `errno` is its number, `strerror` says what failed, `filename` names a file or is None."""

    def __init__(self, number: int, text: str, filename: Optional[str] = None) -> None:
        super().__init__(number, text, *([filename] if filename is not None else []))

    def __str__(self) -> str:
        return f"{self.strerror} ({errno.errorcode.get(self.errno or 0, self.errno)})"


class ClosedError(Error, ValueError):
    """The object is closed, or no longer valid."""

    def __init__(self, text: str) -> None:
        super().__init__(errno.EBADF, text)


class BusyError(Error):
    """A callback called a function that callbacks must not call."""

    def __init__(self, text: str) -> None:
        super().__init__(errno.EBUSY, text)


def check(result: int, text: str) -> None:
    """Raises Error if `result` is a negative errno."""
    if result < 0:
        raise Error(-result, f"{text}: {os.strerror(-result)}")


def unsigned(value: int, bits: int, what: str) -> int:
    """`value`, which must be an integer of `bits` bits without a sign."""
    number = operator.index(value)
    if not 0 <= number < 1 << bits:
        raise OverflowError(f"{what} {number:#x} does not fit {bits} bits")
    return number


def encoded(text: str, what: str) -> bytes:
    """A string for C."""
    if not isinstance(text, str):
        raise TypeError(f"{what} is {type(text).__name__}; expected str")
    if "\0" in text:
        raise ValueError(f"{what} {text!r} has a zero character")
    return text.encode()
