"""Bus memory, and arrays that share it."""

from __future__ import annotations

import builtins
import mmap
import operator
from types import TracebackType
from typing import Any, Iterable, List, Optional, Protocol, Sequence, Tuple, Type, Union, runtime_checkable

import numpy
from numpy.typing import DTypeLike, NDArray

from ._errors import ClosedError, unsigned
from ._native import ffi, lib

PAGE = 4096


@runtime_checkable
class MemoryPort(Protocol):
    """Memory that Python reads and writes for the device. It is slow: each access is a call."""

    def read(self, address: int, size: int) -> Optional[bytes]:
        """The bytes at a bus address; None: there is no memory."""

    def write(self, address: int, data: bytes) -> bool:
        """Stores the bytes; False: there is no memory."""


class Memory:
    """Memory at a bus address that a device reaches directly.

    Memory(64 << 20) is 64 MB of zeros. Memory(buffer) shares a writable buffer: an array, an mmap, a bytearray. The size is a
    multiple of 4096. `array` gives a view without a copy. Views keep the memory alive, whatever becomes of the Memory and
    the devices. The memory of a size is private to a process: after a fork each side has its own.
    """

    def __init__(self, source: Union[int, Any], *, address: int = 0) -> None:
        self._address = unsigned(address, 64, "address")
        self._mapping: Optional[mmap.mmap] = None
        if isinstance(source, (int, numpy.integer)):
            source = int(source)
            if source <= 0 or source % PAGE:
                raise ValueError(f"a size of {source} bytes; expected a multiple of {PAGE}")
            self._mapping = mmap.mmap(-1, source, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0))
            source = self._mapping
        # An array, not a memoryview, is what others export: garbage collection breaks memoryviews that have exports.
        array = numpy.frombuffer(source, numpy.uint8) if not isinstance(source, numpy.ndarray) else source
        if not array.flags.writeable or not array.flags.c_contiguous or array.dtype.hasobject:
            raise ValueError("the buffer is not writable and contiguous")
        self._size = array.nbytes
        if not self._size or self._size % PAGE or address % PAGE:
            raise ValueError(f"{self._size} bytes at {address:#x}; expected multiples of {PAGE}")
        if address + self._size > 1 << 64:
            raise ValueError(f"{self._size} bytes at {address:#x} end beyond 64 bits")
        self._bytes: Optional[NDArray[numpy.uint8]] = array.reshape(-1).view(numpy.uint8)

    @property
    def address(self) -> int:
        """The first bus address."""
        return self._address

    @property
    def size(self) -> int:
        """Bytes."""
        return self._size

    def __len__(self) -> int:
        return self._size

    def __repr__(self) -> str:
        return f"<softgt.Memory of {self._size} bytes at {self._address:#x}{'' if self._bytes is not None else ', closed'}>"

    @property
    def bytes(self) -> NDArray[numpy.uint8]:
        """All of it, as bytes."""
        if self._bytes is None:
            raise ClosedError("the memory is closed")
        return self._bytes

    def _offset(self, address: int, size: int) -> int:
        offset = address - self._address
        if size < 0 or offset < 0 or offset + size > self._size:
            raise IndexError(f"{size} bytes at {address:#x} are not in memory of {self._size} bytes at {self._address:#x}")
        return offset

    def array(self, address: Optional[int] = None, count: Union[None, int, Tuple[int, ...]] = None,
              dtype: DTypeLike = numpy.uint32) -> NDArray[Any]:
        """A view, without a copy, of `count` elements from a bus address on; count may be a shape.

        Without a count the view goes to the end of the memory.
        """
        kind = numpy.dtype(dtype)
        if kind.hasobject or not kind.itemsize:
            raise TypeError(f"dtype {kind} is not plain data")
        start = self._address if address is None else operator.index(address)
        view = self.bytes
        if count is None:
            count = (self._size - self._offset(start, 0)) // kind.itemsize
        shape = (count,) if isinstance(count, int) else tuple(count)
        if any(n < 0 for n in shape):
            raise ValueError(f"a count of {count}")
        size = kind.itemsize
        for n in shape:
            size *= n
        offset = self._offset(start, size)
        return view[offset:offset + size].view(kind).reshape(shape)

    def read(self, address: int, size: int) -> builtins.bytes:
        """A copy of bytes."""
        offset = self._offset(address, size)
        return self.bytes[offset:offset + size].tobytes()

    def write(self, address: int, data: Any) -> None:
        """Copies bytes, an array or a Batch into the memory."""
        array = numpy.asarray(data) if hasattr(data, "__array__") else None
        if array is not None and array.dtype.hasobject:
            raise TypeError(f"dtype {array.dtype} is not plain data")
        source = array.tobytes() if array is not None else memoryview(data).tobytes()
        raw = numpy.frombuffer(source, numpy.uint8)
        offset = self._offset(address, raw.size)
        self.bytes[offset:offset + raw.size] = raw

    def close(self) -> None:
        """Ends the memory of a size. BufferError: a device or an array uses it."""
        kept, self._bytes = self._bytes, None
        if kept is None or self._mapping is None:
            return
        del kept
        try:
            self._mapping.close()
        except BufferError:
            self._bytes = numpy.frombuffer(self._mapping, numpy.uint8)
            raise BufferError("a device or an array uses the memory") from None

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.close()


class Ranges:
    """What the C side needs of memories: as long as it lives, they do."""

    def __init__(self, memories: Iterable[Memory]) -> None:
        found = sorted(memories, key=lambda m: m.address)
        for low, high in zip(found, found[1:]):
            if low.address + low.size > high.address:
                raise ValueError(f"memory at {high.address:#x} overlaps memory at {low.address:#x}")
        self.exports: List[Any] = [ffi.from_buffer(m.bytes, require_writable=True) for m in found]
        self.ranges = ffi.new("struct python_range[]", max(len(found), 1))
        for i, m in enumerate(found):
            self.ranges[i] = (m.address, m.size, self.exports[i])
        self.memory = ffi.new("struct python_memory *", (len(found), self.ranges))


def fill_memory_port(port: Any, memory: Union[Memory, Sequence[Memory], MemoryPort], user: Any) -> Any:
    """Fills a softgt_memory_port; what is returned must live as long as the port."""
    if isinstance(memory, Memory):
        memory = [memory]
    if isinstance(memory, (list, tuple)) and all(isinstance(m, Memory) for m in memory):
        ranges = Ranges(memory)
        port.user = ranges.memory
        port.map = ffi.addressof(lib, "python_memory_map")
        return ranges
    if not (callable(getattr(memory, "read", None)) and callable(getattr(memory, "write", None))):
        raise TypeError(f"{type(memory).__name__} is no memory; expected softgt.Memory, several, or an object with read and write")
    port.user = user
    port.map = ffi.NULL
    port.read = lib.python_softgt_memory_port_read
    port.write = lib.python_softgt_memory_port_write
    return memory
