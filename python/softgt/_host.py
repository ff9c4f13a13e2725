"""Threads and memory for code of the host."""

from __future__ import annotations

import os
from typing import Any

from ._errors import check
from ._native import ffi, lib
from .memory import Memory


def host(config: Any, threads: int, translate: bool, memory: Any = ()) -> Host:
    """Fills the ports of a config for threads and memory for code of the host. The owner of the device closes what is returned after the device."""
    if not 1 <= threads <= 64:
        raise ValueError(f"{threads} threads; expected 1 to 64")
    if threads > 1 and not isinstance(memory, (Memory, list, tuple)) and memory is not None:
        raise ValueError("threads cannot reach memory that Python reads and writes: use softgt.Memory")
    pointer = ffi.new("struct softgt_host **")
    check(lib.softgt_host_create(threads, pointer), f"cannot start {threads} threads")
    if threads > 1:
        config.parallel = lib.softgt_host_parallel(pointer[0])
        if ffi.typeof(config).item is ffi.typeof("struct softgt_config"):
            config.background = lib.softgt_host_background(pointer[0])
    if translate:
        config.code = lib.softgt_host_code(pointer[0])
    return Host(pointer[0])


class Host:
    """Threads and memory for code, until `close`. It has no __del__: the garbage collector would not end the device first."""

    def __init__(self, pointer: Any) -> None:
        self._pointer, self._process = pointer, os.getpid()

    def close(self) -> None:
        """Ends the threads, once; in a child of a fork they are not there."""
        pointer, self._pointer = self._pointer, None
        if pointer is not None and self._process == os.getpid():
            lib.softgt_host_destroy(pointer)
