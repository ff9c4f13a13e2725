"""Python's side of the ports and callbacks of C. The names come from the headers (native.py)."""

from __future__ import annotations

import errno
from collections import deque
from typing import Any, Callable, Deque, List, Optional

from ._errors import check
from ._handle import Handle
from ._native import ffi, lib
from ._struct import _text
from ._types_softgt import Event, Report, _make_Event, _make_Report


class Ports:
    """What a C object calls. It does not refer to the Python object that owns the C object."""

    def __init__(self, handle: Handle) -> None:
        self.handle = handle
        self.memory: Any = None
        self.report: Optional[Callable[[Report], object]] = None
        self.interrupt: Optional[Callable[[int], object]] = None
        self.intx: Optional[Callable[[bool], object]] = None
        self.event: Optional[Callable[[Event], object]] = None
        self.events: Deque[Event] = deque()
        self.raw: Optional[Callable[[Any], object]] = None  # takes events of C instead of `event`


def create(function: Callable[[Any, Any], int], config: Any, pointer: Any, what: str) -> None:
    """Creates what a config describes. Error: with the reason, which the report port of a second attempt gets."""
    result = function(config, pointer)
    if result >= 0:
        return
    ports, why = Ports(Handle(what)), []  # type: Ports, List[str]
    ports.report = lambda report: why.append(report.text or "")
    user = ffi.new_handle(ports)
    config.report = {"user": user, "report": lib.python_softgt_report_port_report}
    if result == -errno.EINVAL:
        function(config, pointer)
    check(result, f"{what}: {'; '.join(why)}" if why else what)


def _ports(user: Any) -> Ports:
    ports: Ports = ffi.from_handle(user)
    return ports


@ffi.def_extern()
def python_softgt_report_port_report(user: Any, report: Any) -> None:
    ports = _ports(user)
    if ports.report:
        ports.handle.call(lambda: ports.report(_make_Report(report)), may_read=True)  # type: ignore[misc]


@ffi.def_extern()
def python_softgt_trace_port_event(user: Any, event: Any) -> None:
    ports = _ports(user)
    if ports.raw:
        ports.handle.call(ports.raw, event)
    elif ports.event:
        ports.handle.call(lambda: ports.event(_make_Event(event)), may_read=True)  # type: ignore[misc]
    else:
        ports.handle.call(lambda: ports.events.append(_make_Event(event)))


@ffi.def_extern()
def python_softgt_interrupt_port_msi(user: Any, vector: int) -> None:
    ports = _ports(user)
    if ports.interrupt:
        ports.handle.call(ports.interrupt, vector)


@ffi.def_extern()
def python_softgt_interrupt_port_intx(user: Any, asserted: bool) -> None:
    ports = _ports(user)
    if ports.intx:
        ports.handle.call(ports.intx, asserted)


def _read(ports: Ports, address: int, data: Any, size: int) -> bool:
    found = ports.memory.read(address, size)
    if found is None:
        return False
    with memoryview(found) as view:
        if view.nbytes != size:
            raise ValueError(f"memory.read({address:#x}, {size}) returned {view.nbytes} bytes")
        ffi.memmove(data, view, size)
    return True


@ffi.def_extern()
def python_softgt_memory_port_read(user: Any, address: int, data: Any, size: int) -> bool:
    ports = _ports(user)
    return bool(ports.handle.call(_read, ports, address, data, size, failed=False, always=True))


def _write(ports: Ports, address: int, data: bytes) -> bool:
    return ports.memory.write(address, data) is not False


@ffi.def_extern()
def python_softgt_memory_port_write(user: Any, address: int, data: Any, size: int) -> bool:
    ports = _ports(user)
    return bool(ports.handle.call(_write, ports, address, bytes(ffi.buffer(data, size)), failed=False, always=True))


# ---- Callbacks of one call: `user` is the handle of a function ----


@ffi.def_extern()
def python_softgt_engine_unknown_each(user: Any, header: int, count: int, address: int) -> None:
    ffi.from_handle(user)(header, count, address)


@ffi.def_extern()
def python_softgt_engine_commands_each(user: Any, name: Any, count: int, model: int) -> None:
    ffi.from_handle(user)(_text(name), count, model)


@ffi.def_extern()
def python_softgt_engine_state_commands_each(user: Any, name: Any, dwords: Any, length_dw: int) -> None:
    ffi.from_handle(user)(_text(name), tuple(ffi.unpack(dwords, length_dw)))


@ffi.def_extern()
def python_softgt_eu_thread_changes_each(user: Any, change: Any) -> None:
    ffi.from_handle(user)(change)


