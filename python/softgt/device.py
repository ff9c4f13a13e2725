"""Devices."""

from __future__ import annotations

import errno
import operator
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Type, Union, overload

import numpy
from numpy.typing import NDArray

from . import eu
from ._errors import ClosedError, Error, check, encoded, unsigned
from ._handle import Handle, Reading
from ._host import Host, host
from ._native import ffi, lib
from ._ports import Ports, create
from ._types_softgt import (BarInfo, CommandModel, DeviceInfo, EngineState, EngineStatus, ErrorSeverity, Event, Report, Tiling, Trace, _make_BarInfo,
                            _make_CommandModel, _make_DeviceInfo, _make_EngineState, _make_EngineStatus)
from .memory import Memory, MemoryPort, fill_memory_port

SLICE_DW = 65536  # what softgt_run gets at once: exceptions of callbacks and Ctrl-C are raised after less than a millisecond of commands
ANY = (1 << 64) - 1


def devices() -> List[DeviceInfo]:
    """The devices that the library models."""
    found: List[DeviceInfo] = []
    while True:
        info = lib.softgt_device_at(len(found))
        if not info:
            return found
        found.append(_make_DeviceInfo(info))


def device_info(name: Union[str, int]) -> DeviceInfo:
    """A device by its name, or by a PCI device ID. KeyError: there is none."""
    info = lib.softgt_device_by_pci_id(unsigned(name, 16, "PCI device ID")) if not isinstance(name, str) else lib.softgt_device_find(encoded(name, "name"))
    if not info:
        raise KeyError(name)
    return _make_DeviceInfo(info)


class FunctionPort(NamedTuple):
    """What a virtual function has of its own: bus memory and an interrupt."""

    memory: Union[Memory, Sequence[Memory], MemoryPort]
    interrupt: Optional[Callable[[int], object]] = None


class Registers:
    """An address space of a function: a BAR, or configuration space.

    space[offset] is a dword. `read` and `write` access 1, 2, 4 or (BARs) 8 bytes.
    """

    def __init__(self, device: Device, function: int, bar: Optional[int], size: int) -> None:
        self._device, self._function, self._bar, self._size = device, function, bar, size

    def __repr__(self) -> str:
        return f"<{'configuration space' if self._bar is None else f'BAR {self._bar}'} of {self._size} bytes>"

    def __len__(self) -> int:
        return self._size

    def _check(self, offset: int, size: int) -> int:
        if size not in ((1, 2, 4) if self._bar is None else (1, 2, 4, 8)):
            raise ValueError(f"an access of {size} bytes")
        start = operator.index(offset)
        if start < 0 or start + size > self._size:
            raise IndexError(f"offset {start:#x} of {size} bytes is outside {self!r}")
        return start

    def read(self, offset: int, size: int = 4) -> int:
        """Reads `size` bytes."""
        start = self._check(offset, size)
        if self._bar is None:
            with Reading(self._device._handle) as c:
                return int(lib.softgt_function_pci_config_read(c, self._function, start, size))
        with self._device._handle as c:
            return int(lib.softgt_function_bar_read(c, self._function, self._bar, start, size))

    def write(self, offset: int, value: int, size: int = 4) -> None:
        """Writes `size` bytes. It runs no commands: Device.run does."""
        start = self._check(offset, size)
        number = unsigned(value, 8 * size, "value")
        with self._device._handle as c:
            if self._bar is None:
                lib.softgt_function_pci_config_write(c, self._function, start, number, size)
            else:
                lib.softgt_function_bar_write(c, self._function, self._bar, start, number, size)

    def __getitem__(self, offset: int) -> int:
        return self.read(offset)

    def __setitem__(self, offset: int, value: int) -> None:
        self.write(offset, value)

    __iter__ = None  # offsets are bytes, elements dwords: Python's own iteration would read each offset
    __contains__ = None

    def read8(self, offset: int) -> int:
        return self.read(offset, 1)

    def read16(self, offset: int) -> int:
        return self.read(offset, 2)

    def read32(self, offset: int) -> int:
        return self.read(offset, 4)

    def read64(self, offset: int) -> int:
        return self.read(offset, 8)

    def write8(self, offset: int, value: int) -> None:
        self.write(offset, value, 1)

    def write16(self, offset: int, value: int) -> None:
        self.write(offset, value, 2)

    def write32(self, offset: int, value: int) -> None:
        self.write(offset, value, 4)

    def write64(self, offset: int, value: int) -> None:
        self.write(offset, value, 8)


class Function:
    """A function of the device: 0 is the physical one, others are virtual (SR-IOV)."""

    def __init__(self, device: Device, number: int) -> None:
        self._device, self.number = device, number

    def __repr__(self) -> str:
        return f"<function {self.number} of {self._device!r}>"

    @property
    def enabled(self) -> bool:
        with Reading(self._device._handle) as c:
            return bool(lib.softgt_function_enabled(c, self.number))

    def bar_info(self, bar: int) -> Optional[BarInfo]:
        """The BAR; None: the function has no such BAR."""
        info = ffi.new("struct softgt_bar_info *")
        with Reading(self._device._handle) as c:
            found = lib.softgt_function_bar_get_info(c, self.number, unsigned(bar, 32, "BAR"), info)
        return _make_BarInfo(info) if found else None

    def bar(self, number: int) -> Registers:
        """BAR 0, 2 or 4. KeyError: the function has no such BAR."""
        info = self.bar_info(number)
        if info is None:
            raise KeyError(f"BAR {number}")
        return Registers(self._device, self.number, number, info.size_bytes)

    @property
    def config(self) -> Registers:
        """PCI configuration space."""
        with Reading(self._device._handle) as c:
            return Registers(self._device, self.number, None, lib.softgt_pci_config_bytes(c))


class Vga:
    """The VGA registers by I/O port, a byte each."""

    def __init__(self, device: Device) -> None:
        self._device = device

    def __getitem__(self, port: int) -> int:
        with self._device._handle as c:
            return int(lib.softgt_vga_read(c, unsigned(port, 16, "port")))

    def __setitem__(self, port: int, value: int) -> None:
        with self._device._handle as c:
            lib.softgt_vga_write(c, unsigned(port, 16, "port"), unsigned(value, 8, "value"))


class GraphicsMemory:
    """Memory by graphics address. Error: a page is not mapped."""

    def __init__(self, device: Device, what: str, read: Callable[..., Any], write: Optional[Callable[..., Any]], engine: Optional[int] = None) -> None:
        self._device, self._what, self._read, self._write, self._engine = device, what, read, write, engine

    def read(self, address: int, size: int) -> bytes:
        """A copy of bytes."""
        unsigned(address, 64, "address")
        data = bytearray(size)
        with Reading(self._device._handle) as c:
            found = self._read(c, address, ffi.from_buffer(data), size)
        if not found:
            raise Error(errno.EFAULT, f"{size} bytes at {self._what} address {address:#x} are not all mapped")
        return bytes(data)

    def write(self, address: int, data: Any) -> None:
        """Copies bytes, or a contiguous array."""
        unsigned(address, 64, "address")
        if not self._write:
            raise TypeError(f"memory at {self._what} addresses is only read")
        with ffi.from_buffer(data) as source, self._device._handle as c:
            size = ffi.sizeof(source)
            found = self._write(c, address, source, size)
        if not found:
            raise Error(errno.EFAULT, f"{size} bytes at {self._what} address {address:#x} are not all mapped")


class GraphicsSpace(GraphicsMemory):
    """The GGTT, or the PPGTT that an engine has loaded."""

    def surface(self, address: int, width: int, height: int, format: str = "B8G8R8A8_UNORM", tiling: Tiling = Tiling.TILE_LINEAR, pitch: int = 0, *,
                rgba: bool = False, partial: bool = False) -> NDArray[numpy.uint8]:
        """A copy of a surface without its tiling: an array of height, width, and the bytes of a pixel (softgt.formats.decode takes it).

        pitch: bytes; 0: the smallest. rgba: red, green, blue and alpha of 8 bits, for a picture. Error: pixels are not mapped;
        with `partial` they are zero.
        """
        c_format = lib.softgt_format_find(encoded(format, "format"))
        if not c_format:
            raise KeyError(format)
        if not (0 < width <= 65536 and 0 < height <= 65536 and -(1 << 31) <= pitch < 1 << 31):
            raise ValueError(f"a surface of {width} by {height} pixels with a pitch of {pitch}")
        surface = ffi.new("struct softgt_surface *", {
            "engine": lib.SOFTGT_SURFACE_GGTT if self._engine is None else self._engine, "address": unsigned(address, 64, "address"), "width": width,
            "height": height, "pitch_bytes": pitch, "tiling": int(Tiling(tiling)), "format": c_format})
        out = numpy.zeros((height, width, 4 if rgba else c_format.bytes), numpy.uint8)
        missing = ffi.new("uint64_t *")
        function = lib.softgt_surface_read_rgba if rgba else lib.softgt_surface_read
        kind = "uint8_t[]" if rgba else "char[]"
        with Reading(self._device._handle) as c:
            result = function(c, surface, ffi.from_buffer(kind, out, require_writable=True), out.nbytes, missing)
        check(result, f"cannot read a surface of {width} by {height} pixels with a pitch of {pitch} at {self._what} address {address:#x}")
        if missing[0] and not partial:
            raise Error(errno.EFAULT, f"{missing[0]} of {width * height} pixels at {self._what} address {address:#x} are not mapped")
        return out


class Ggtt(GraphicsSpace):
    """Memory by GGTT address, and the entries of the table."""

    def map(self, address: int, physical: int, size: int, local: bool = False) -> None:
        """Writes entries as a driver does: `size` bytes of bus memory, or of local memory, get graphics addresses. All three are multiples of 4096."""
        with self._device._handle as c:
            check(lib.softgt_ggtt_map(c, unsigned(address, 64, "address"), unsigned(physical, 64, "physical"), unsigned(size, 64, "size"),
                                      lib.SOFTGT_GGTT_LOCAL if local else 0),
                  f"cannot map {size} bytes at {'offset' if local else 'bus address'} {physical:#x} to GGTT address {address:#x}")


@dataclass(frozen=True)
class UnknownHeader:
    """A header that is no command of the engine."""

    header: int
    count: int
    address: int


@dataclass(frozen=True)
class CommandCount:
    """How often the engine parsed a command, and how it is modelled."""

    count: int
    model: CommandModel


class Engine:
    """An engine of the device. `status` is a copy of all that is known of it."""

    def __init__(self, device: Device, index: int, name: str) -> None:
        self._device, self.index, self.name = device, index, name

    def __repr__(self) -> str:
        return f"<engine {self.name} of {self._device!r}>"

    @property
    def status(self) -> EngineStatus:
        status = ffi.new("struct softgt_engine_status *")
        with Reading(self._device._handle) as c:
            lib.softgt_engine_get_status(c, self.index, status)
        return _make_EngineStatus(status)

    @property
    def state(self) -> EngineState:
        with Reading(self._device._handle) as c:
            return _make_EngineState(lib.softgt_engine_get_state(c, self.index))

    @property
    def ppgtt(self) -> GraphicsSpace:
        """Memory in the address space that the engine has loaded; it is only read."""
        return GraphicsSpace(self._device, "PPGTT", lambda c, *rest: lib.softgt_ppgtt_read(c, self.index, *rest), None, self.index)

    def reset(self) -> None:
        """As its bit in GDRST does: a driver must set it up again."""
        with self._device._handle as c:
            lib.softgt_engine_reset(c, self.index)

    def end_batch(self) -> bool:
        """An engine that stopped in a batch continues as if the batch ended there. False: it is not in a batch."""
        with self._device._handle as c:
            return bool(lib.softgt_engine_end_batch(c, self.index))

    def _each(self, function: Callable[..., Any], callback: Any, collect: Callable[..., None]) -> bool:
        user = ffi.new_handle(collect)
        with Reading(self._device._handle) as c:
            return bool(function(c, self.index, user, callback))

    def unknown(self) -> List[UnknownHeader]:
        """Headers that are no command of the engine, at most 64."""
        found: List[UnknownHeader] = []
        self._each(lib.softgt_engine_unknown, lib.python_softgt_engine_unknown_each, lambda *row: found.append(UnknownHeader(*row)))
        return found

    def commands(self) -> Dict[str, CommandCount]:
        """How many commands of each name the engine parsed."""
        found: Dict[str, CommandCount] = {}

        def each(name: str, count: int, model: int) -> None:
            found[name] = CommandCount(count, _make_CommandModel(model))

        self._each(lib.softgt_engine_commands, lib.python_softgt_engine_commands_each, each)
        return found

    def state_commands(self) -> List[Tuple[str, Tuple[int, ...]]]:
        """The commands that would set the pipeline state of the context that ran last: names and dwords."""
        found: List[Tuple[str, Tuple[int, ...]]] = []
        if not self._each(lib.softgt_engine_state_commands, lib.python_softgt_engine_state_commands_each, lambda name, dwords: found.append((name, dwords))):
            raise MemoryError
        return found


class Engines(Sequence[Engine]):
    """The engines by index, or by name: device.engines["rcs0"]."""

    def __init__(self, found: Sequence[Engine]) -> None:
        self._found = tuple(found)

    def __len__(self) -> int:
        return len(self._found)

    @overload
    def __getitem__(self, key: Union[int, str]) -> Engine: ...

    @overload
    def __getitem__(self, key: slice) -> Sequence[Engine]: ...

    def __getitem__(self, key: Union[int, str, slice]) -> Union[Engine, Sequence[Engine]]:
        if isinstance(key, str):
            for engine in self._found:
                if engine.name == key:
                    return engine
            raise KeyError(key)
        return self._found[key]

    def __contains__(self, key: object) -> bool:
        return key in self._found or any(engine.name == key for engine in self._found)

    def __repr__(self) -> str:
        return f"<engines {', '.join(e.name for e in self._found)}>"


class Device:
    """A device after power-on reset.

    memory: bus memory. A Memory, several, or an object with read(address, size) and write(address, data).
    report: called with a Report. interrupt: called with the number of an MSI. intx: called with the level of the pin.
    trace: called with an Event for each event of trace_mask; without a callable `events` collects them.
    local_memory: its size, or a Memory that is the local memory.
    functions: the number of virtual functions, or a FunctionPort for each.
    ggtt_table: an array of zeros, info.ggtt_bytes long, that has the GGTT's entries.
    threads: of the host, for draws and thread groups. translate: compiles kernels that run often to code of the host. Both are
    faster with the same results; a child of a fork cannot use such a device.

    The callables run in the thread that calls the device. Those of report and trace may read the device, the others may
    not use it. Their exceptions are raised by the call that ran them. The device is closed by `close`, by the end of a with
    statement, or with its last reference.
    """

    def __init__(self, name: str = "skl", *, memory: Union[Memory, Sequence[Memory], MemoryPort],
                 report: Optional[Callable[[Report], object]] = None,
                 interrupt: Optional[Callable[[int], object]] = None,
                 intx: Optional[Callable[[bool], object]] = None,
                 trace: Optional[Callable[[Event], object]] = None,
                 trace_mask: Optional[int] = None,
                 draws: bool = False,
                 timing: bool = False,
                 local_memory: Union[None, int, Memory] = None,
                 functions: Union[int, Sequence[FunctionPort]] = 0,
                 functions_isolated: bool = False,
                 ggtt_table: Any = None,
                 threads: int = 1,
                 translate: bool = False) -> None:
        self._handle = Handle(f"the device {name}")
        self._alive: List[Any] = []  # what C refers to
        for what, callback in (("report", report), ("interrupt", interrupt), ("intx", intx), ("trace", trace)):
            if callback is not None and not callable(callback):
                raise TypeError(f"{what} is not callable")
        self._ports = Ports(self._handle)
        self._ports.report, self._ports.interrupt, self._ports.intx, self._ports.event = report, interrupt, intx, trace
        if trace_mask is None:
            trace_mask = Trace.COMMANDS if trace else 0
        device_name = ffi.new("char[]", encoded(name, "name"))
        config = ffi.new("struct softgt_config *", {"device": device_name, "draws": draws, "timing": timing, "functions_isolated": functions_isolated})
        self._fill_ports(config, memory, unsigned(trace_mask, 32, "trace_mask"))
        self._fill_memory(config, local_memory, functions)
        self._host: Optional[Host] = None
        if threads != 1 or translate:
            self._host = host(config, threads, translate, memory)
            self._handle.lost_at_fork = True
        pointer = ffi.new("struct softgt **")
        info = lib.softgt_device_find(device_name)
        if not info:
            raise Error(errno.EINVAL, f"no device has the name {name!r}: softgt.devices() has {', '.join(d.name for d in devices())}")
        if ggtt_table is not None:
            config.ggtt_table = self._table(ggtt_table, info.ggtt_bytes)
        create(lib.softgt_create, config, pointer, f"cannot create the device {name}")
        self._handle.pointer = pointer[0]
        with self._handle as c:
            self._info = _make_DeviceInfo(lib.softgt_info(c))
        self._bars: Dict[int, Registers] = {}
        names = (self._engine_name(i) for i in range(self._info.engine_count))
        self._engines = Engines([Engine(self, i, engine) for i, engine in enumerate(names)])

    def _table(self, table: Any, size: int) -> Any:
        host_table = ffi.from_buffer("char[]", table if isinstance(table, numpy.ndarray) else numpy.frombuffer(table, numpy.uint8), require_writable=True)
        if len(host_table) != size or numpy.frombuffer(ffi.buffer(host_table), numpy.uint8).any():
            raise ValueError(f"ggtt_table has {len(host_table)} bytes; expected {size} zeros")
        self._alive.append(host_table)
        return host_table

    def _user(self, ports: Ports) -> Any:
        user = ffi.new_handle(ports)
        self._alive.append(user)
        return user

    def _fill_ports(self, config: Any, memory: Any, trace_mask: int) -> None:
        ports = self._ports
        user = self._user(ports)
        ports.memory = fill_memory_port(config.memory, memory, user)
        if ports.report:
            config.report = {"user": user, "report": lib.python_softgt_report_port_report}
        if ports.interrupt or ports.intx:
            config.interrupt = {"user": user, "msi": lib.python_softgt_interrupt_port_msi,
                                "intx": lib.python_softgt_interrupt_port_intx if ports.intx else ffi.NULL}
        self._trace_mask = trace_mask
        config.trace = {"user": user, "mask": trace_mask, "event": lib.python_softgt_trace_port_event}

    def _fill_memory(self, config: Any, local: Union[None, int, Memory], functions: Union[int, Sequence[FunctionPort]]) -> None:
        if isinstance(local, Memory):
            host = ffi.from_buffer(local.bytes, require_writable=True)
            self._alive.append(host)
            config.local_host = host
            config.local_bytes = local.size
        elif local is not None:
            config.local_bytes = unsigned(local, 64, "local_memory")
        if isinstance(functions, int):
            config.functions = unsigned(functions, 32, "functions")
            return
        config.functions = len(functions)
        array = ffi.new("struct softgt_function_ports[]", max(len(functions), 1))
        for i, port in enumerate(functions):
            ports = Ports(self._handle)
            user = self._user(ports)
            ports.interrupt = port.interrupt
            ports.memory = fill_memory_port(array[i].memory, port.memory, user)
            if port.interrupt:
                array[i].interrupt = {"user": user, "msi": lib.python_softgt_interrupt_port_msi}
        self._alive.append(array)
        config.function_ports = array

    def _engine_name(self, index: int) -> str:
        status = ffi.new("struct softgt_engine_status *")
        with Reading(self._handle) as c:
            lib.softgt_engine_get_status(c, index, status)
        return _make_EngineStatus(status).name

    @classmethod
    def _lend(cls, pointer: Any) -> Device:
        """A device that C owns, in a callback that may read it."""
        device = cls.__new__(cls)
        device._info = _make_DeviceInfo(lib.softgt_info(pointer))
        device._handle = Handle(f"the device {device._info.name}")
        device._handle.pointer, device._handle.in_use, device._handle.may_read, device._handle.is_lent = pointer, True, True, True
        device._ports, device._alive, device._bars, device._host, device._trace_mask = Ports(device._handle), [], {}, None, 0
        names = (device._engine_name(i) for i in range(device._info.engine_count))
        device._engines = Engines([Engine(device, i, engine) for i, engine in enumerate(names)])
        return device

    # ---- Life ----

    def close(self) -> None:
        """Destroys the device. Later calls raise ClosedError."""
        self._handle.close(lib.softgt_destroy)
        self._alive.clear()
        if self._host:
            self._host.close()
        self._ports.memory = None

    @property
    def closed(self) -> bool:
        return self._handle.pointer is None

    def __enter__(self) -> Device:
        if self.closed:
            raise ClosedError(f"the device {self.name} is closed")
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.close()

    def __del__(self) -> None:
        handle = getattr(self, "_handle", None)
        if handle is not None and handle.pointer is not None and not handle.in_use:
            handle.close(lib.softgt_destroy)
        if getattr(self, "_host", None) and self._host and handle and handle.pointer is None:
            self._host.close()

    def __repr__(self) -> str:
        return f"<softgt.Device {self.name}{', closed' if self.closed else ''}>"

    def __reduce__(self) -> Any:
        raise TypeError("a device cannot be pickled; save() gives its state as bytes")

    # ---- What it is ----

    @property
    def info(self) -> DeviceInfo:
        return self._info

    @property
    def name(self) -> str:
        info: Optional[DeviceInfo] = getattr(self, "_info", None)
        return info.name if info else "?"

    @property
    def engines(self) -> Engines:
        return self._engines

    @property
    def functions(self) -> Sequence[Function]:
        """All functions; [0] is the physical one."""
        with Reading(self._handle) as c:
            return [Function(self, i) for i in range(lib.softgt_function_count(c) + 1)]

    # ---- What the CPU sees ----

    def bar(self, number: int) -> Registers:
        """BAR 0 (registers and the GGTT), 2 (aperture or local memory) or 4 (I/O). KeyError: the device has no such BAR."""
        if number not in self._bars:
            self._bars[number] = Function(self, 0).bar(number)
        return self._bars[number]

    @property
    def bar0(self) -> Registers:
        """Registers by their offset; the upper half is the GGTT."""
        return self.bar(0)

    @property
    def bar2(self) -> Registers:
        """The aperture, or local memory on devices that have it."""
        return self.bar(2)

    mmio = bar0

    @property
    def config(self) -> Registers:
        """PCI configuration space."""
        return Function(self, 0).config

    @property
    def vga(self) -> Vga:
        return Vga(self)

    # ---- Run ----

    def run(self, budget: Optional[int] = None) -> bool:
        """Runs the engines until all are idle or wait, or a budget of dwords is used. True: an engine can continue now.

        Without a budget it ends only when no engine can continue: a guest may loop forever. Other threads of Python run
        meanwhile.
        """
        left = ANY if budget is None else unsigned(budget, 64, "budget")
        more = True
        while more and left:
            piece = min(left, SLICE_DW)
            with self._handle as c:
                more = lib.softgt_run(c, piece)
            if budget is not None:
                left -= piece
        return bool(more) if left or budget else self.runnable

    def events(self, budget: Optional[int] = None) -> Iterator[Event]:
        """Runs the device, and gives the events of trace_mask one after the other. The device has no `trace` callable."""
        if self._ports.event:
            raise Error(errno.EINVAL, "the device gives its events to the trace callable")
        left = ANY if budget is None else unsigned(budget, 64, "budget")
        more = True
        while more and left:
            piece = min(left, SLICE_DW)
            while self._ports.events:
                yield self._ports.events.popleft()
            more = self.run(piece)
            if budget is not None:
                left -= piece
        while self._ports.events:
            yield self._ports.events.popleft()

    @property
    def trace_mask(self) -> Trace:
        """The events that `trace` or `events` gets; it may be set, by callables, too."""
        return Trace(self._trace_mask)

    @trace_mask.setter
    def trace_mask(self, mask: int) -> None:
        number = unsigned(mask, 32, "trace_mask")
        with self._handle.lock:
            if self._handle.pointer is None or self._handle.is_lent:
                self._handle.refuse()
            lib.softgt_set_trace_mask(self._handle.pointer, number)
        self._trace_mask = number

    @property
    def runnable(self) -> bool:
        """Whether `run` would do anything now."""
        with Reading(self._handle) as c:
            return bool(lib.softgt_runnable(c))

    def advance(self, ns: int) -> None:
        """Advances virtual time."""
        unsigned(ns, 64, "ns")
        with self._handle as c:
            lib.softgt_advance(c, ns)

    @property
    def now_ns(self) -> int:
        """Virtual time."""
        with Reading(self._handle) as c:
            return int(lib.softgt_now_ns(c))

    def _time(self, function: Callable[[Any], int]) -> Optional[int]:
        with Reading(self._handle) as c:
            ns = function(c)
        return None if ns == ANY else int(ns)

    @property
    def next_event_ns(self) -> Optional[int]:
        """Virtual time of the next event (a timer, a flip); None: there is none."""
        return self._time(lib.softgt_next_event_ns)

    @property
    def next_run_ns(self) -> Optional[int]:
        """With `timing`: virtual time at which the next busy engine continues; None: no engine is busy."""
        return self._time(lib.softgt_next_run_ns)

    @property
    def max_step_ns(self) -> Optional[int]:
        """The most nanoseconds that one `advance` processes as fast as a slice of `run`; None: any."""
        return self._time(lib.softgt_max_step_ns)

    def reset(self) -> None:
        """Power-on reset."""
        with self._handle as c:
            lib.softgt_reset(c)

    def error(self, severity: ErrorSeverity, sources: int) -> bool:
        """Injects a hardware error; `sources` has a bit for each unit. False: the device has no error registers."""
        with self._handle as c:
            return bool(lib.softgt_inject_error(c, ErrorSeverity(severity), unsigned(sources, 32, "sources")))

    def memory_changed(self) -> None:
        """Drops what the device keeps of the memory port: call it when bus memory moves."""
        with self._handle as c:
            lib.softgt_memory_changed(c)

    def save(self) -> bytes:
        """The whole state, without bus memory."""
        with self._handle as c:
            size = lib.softgt_save(c, ffi.NULL, 0)
            data = bytearray(size)
            written = lib.softgt_save(c, ffi.from_buffer(data), size)
        if written != size:
            raise Error(errno.EIO, f"the state has {written} bytes; expected {size}")
        return bytes(data)

    def load(self, state: Any) -> None:
        """Loads what `save` gave. On errors the device is unchanged; the report says what is wrong."""
        with ffi.from_buffer(state) as data, self._handle as c:
            result = lib.softgt_load(c, data, ffi.sizeof(data))
        check(result, f"cannot load a state of {ffi.sizeof(data)} bytes into the device {self.name}")

    # ---- Look inside ----

    @property
    def ggtt(self) -> Ggtt:
        """Memory by GGTT address, for debuggers and tests; `map` writes entries."""
        return Ggtt(self, "GGTT", lib.softgt_ggtt_read, lib.softgt_ggtt_write)

    @property
    def local(self) -> GraphicsMemory:
        """Local memory by offset."""
        return GraphicsMemory(self, "local", lib.softgt_local_read, lib.softgt_local_write)

    @property
    def local_direct_bytes(self) -> int:
        """Bytes of local memory that BAR 2 maps one to one."""
        with Reading(self._handle) as c:
            return int(lib.softgt_local_direct_bytes(c))

    @property
    def dwords(self) -> int:
        """Dwords of commands that all engines parsed since creation."""
        with Reading(self._handle) as c:
            return int(lib.softgt_dword_count(c))

    @property
    def interrupt_count(self) -> int:
        """Messages sent through the interrupt port since creation."""
        with Reading(self._handle) as c:
            return int(lib.softgt_interrupt_count(c))

    def watch_threads(self, hooks: Optional[eu.Hooks]) -> None:
        """Calls hooks for the EU threads of all engines; None: no hooks."""
        with self._handle as c:
            eu.set_hooks(self, hooks, lambda pointer: int(lib.softgt_watch_threads(c, pointer)))
