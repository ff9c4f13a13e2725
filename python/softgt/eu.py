"""Kernels: execution units without a device, and the threads of a device.

    with softgt.eu.Runner("skl") as runner:
        runner.kernel(code)
        runner.surface(0, array)
        runner.launch(groups=(3, 1, 1), threads=4, channels=16)
        outcome = runner.run()
"""

from __future__ import annotations

import contextlib
import errno
import operator
from types import TracebackType
from typing import Any, Callable, Dict, Iterator, List, MutableSet, Optional, Sequence, Set, Type, Union

import numpy
from numpy.typing import NDArray

from ._errors import ClosedError, Error, check, encoded, unsigned
from ._handle import Handle
from ._host import Host, host
from ._native import ffi, lib
from ._ports import Ports, create
from ._struct import _text
from ._types_eu import Change, File, Outcome, Payload, Result, ThreadInfo, ThreadState, _make_Change, _make_Outcome, _make_ThreadInfo
from ._types_softgt import Report
from .memory import Memory, MemoryPort, fill_memory_port

__all__ = ["Breakpoints", "Change", "File", "Hooks", "KernelError", "Outcome", "Payload", "Result", "Runner", "Thread", "ThreadInfo", "ThreadState"]

SLICE = 1 << 20  # instructions that softgt_eu_run gets at once
FIRST_ADDRESS = 1 << 32  # of arrays that are mapped without an address
STEP = 1 << 21


class KernelError(Error):
    """A launch ended with an exception, a page fault or a deadlock. `outcome` says where."""

    def __init__(self, outcome: Outcome) -> None:
        where = f"{outcome.why or outcome.result.name} at ip {outcome.ip:#x} in thread {outcome.thread} of group {outcome.group}"
        if outcome.result == Result.FAULT:
            where += f": {'write' if outcome.is_write else 'read'} of {outcome.address:#x}"
        super().__init__(errno.EFAULT if outcome.result == Result.FAULT else errno.EIO, where)
        self.outcome = outcome


class Thread:
    """A thread, until its hook returns or the runner runs again. A use from another thread of Python waits, as for a device."""

    def __init__(self, pointer: Any, handle: Handle, valid: Callable[[], bool]) -> None:
        self._pointer, self._handle, self._valid = pointer, handle, valid

    @contextlib.contextmanager
    def _use(self) -> Iterator[Any]:
        with self._handle.lock:
            if not self._valid():
                raise ClosedError("the thread is no longer valid: it ran on")
            yield self._pointer

    @property
    def info(self) -> ThreadInfo:
        info = ffi.new("struct softgt_eu_thread_info *")
        with self._use() as c:
            lib.softgt_eu_thread_get_info(c, info)
            return _make_ThreadInfo(info)

    @property
    def text(self) -> str:
        """The current instruction; "": it is not readable."""
        size = 256
        while True:
            text = ffi.new("char[]", size)
            with self._use() as c:
                length = lib.softgt_eu_thread_disassemble(c, text, size)
            if length == (1 << 64) - 1:
                raise MemoryError
            if length < size:
                return str(ffi.string(text).decode("utf-8", "replace"))
            size = length + 1

    def read(self, file: File, offset: int = 0, size: Optional[int] = None) -> bytes:
        """Bytes of a register file; without a size, to its end."""
        with self._use() as c:
            all_bytes = int(lib.softgt_eu_file_bytes(c, File(file)))
            count = max(all_bytes - offset, 0) if size is None else size
            if offset < 0 or count < 0 or offset + count > all_bytes:
                raise IndexError(f"{count} bytes at {offset} are not in {File(file).name} of {all_bytes} bytes")
            data = bytearray(count)
            lib.softgt_eu_thread_read(c, File(file), offset, ffi.from_buffer(data), count)
        return bytes(data)

    def write(self, file: File, offset: int, data: Any) -> None:
        """Writes bytes, or a contiguous array, to a register file."""
        with ffi.from_buffer(data) as source, self._use() as c:
            count = ffi.sizeof(source)
            if offset < 0 or not lib.softgt_eu_thread_write(c, File(file), offset, source, count):
                raise IndexError(f"{count} bytes at {offset} cannot be written to {File(file).name}")

    def registers(self, file: File = File.GRF, dtype: Any = numpy.uint32) -> NDArray[Any]:
        """A copy of a register file: a row for each register."""
        size = lib.softgt_eu_register_bytes(File(file))
        return numpy.frombuffer(self.read(file), dtype).reshape(-1, size // numpy.dtype(dtype).itemsize)

    def changes(self) -> List[Change]:
        """The registers that the current instruction changed, in an `after` hook."""
        found: List[Change] = []
        user = ffi.new_handle(lambda change: found.append(_make_Change(change)))
        with self._use() as c:
            lib.softgt_eu_thread_changes(c, user, lib.python_softgt_eu_thread_changes_each)
        return found


class Hooks:
    """What is called for threads. Each may be None.

    wanted(thread): whether to watch it. started(thread): it has its payload. before(thread): before an instruction; a runner
    holds there if it returns False. after(thread): after an instruction.
    """

    def __init__(self, *, wanted: Optional[Callable[[Thread], object]] = None, started: Optional[Callable[[Thread], object]] = None,
                 before: Optional[Callable[[Thread], object]] = None, after: Optional[Callable[[Thread], object]] = None) -> None:
        self.wanted, self.started, self.before, self.after = wanted, started, before, after
        for name in ("wanted", "started", "before", "after"):
            hook = getattr(self, name)
            if hook is not None and not callable(hook):
                raise TypeError(f"{name} is not callable")


class _Watch:
    """What the C hooks refer to."""

    def __init__(self, handle: Handle, hooks: Hooks) -> None:
        self.handle, self.hooks = handle, hooks

    def call(self, hook: Callable[[Thread], object], pointer: Any, failed: Any) -> Any:
        valid = [True]
        try:
            return self.handle.call(hook, Thread(pointer, self.handle, lambda: valid[0]), failed=failed)
        finally:
            valid.clear()
            valid.append(False)


def set_hooks(owner: Any, hooks: Optional[Hooks], watch: Callable[[Any], int]) -> None:
    """Sets the hooks of a device or a runner, whose handle is in use."""
    if hooks is None:
        check(watch(ffi.NULL), "cannot remove the hooks")
        owner._watch = None
        return
    user = ffi.new_handle(_Watch(owner._handle, hooks))
    c = ffi.new("struct softgt_eu_hooks *", {"user": user})
    for name in ("wanted", "started", "before", "after"):
        if getattr(hooks, name):
            setattr(c, name, getattr(lib, f"python_softgt_eu_hooks_{name}"))
    check(watch(c), "cannot set the hooks")
    owner._watch = user


def _watch(user: Any) -> _Watch:
    found: _Watch = ffi.from_handle(user)
    return found


@ffi.def_extern()
def python_softgt_eu_hooks_wanted(user: Any, thread: Any) -> bool:
    w = _watch(user)
    return bool(w.call(w.hooks.wanted, thread, False)) if w.hooks.wanted else True


@ffi.def_extern()
def python_softgt_eu_hooks_started(user: Any, thread: Any) -> None:
    w = _watch(user)
    if w.hooks.started:
        w.call(w.hooks.started, thread, None)


@ffi.def_extern()
def python_softgt_eu_hooks_before(user: Any, thread: Any) -> bool:
    w = _watch(user)
    return w.call(w.hooks.before, thread, False) is not False if w.hooks.before else True


@ffi.def_extern()
def python_softgt_eu_hooks_after(user: Any, thread: Any) -> None:
    w = _watch(user)
    if w.hooks.after:
        w.call(w.hooks.after, thread, None)


class Breakpoints(MutableSet[int]):
    """The ips before which threads are held."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._ips: Set[int] = set()

    def add(self, value: int) -> None:
        self._runner._break(value, True)
        self._ips.add(value)

    def discard(self, value: int) -> None:
        if value in self._ips:
            self._runner._break(value, False)
            self._ips.discard(value)

    def __contains__(self, value: object) -> bool:
        return value in self._ips

    def __iter__(self) -> Iterator[int]:
        return iter(sorted(self._ips))

    def __len__(self) -> int:
        return len(self._ips)

    def __repr__(self) -> str:
        return f"<breakpoints {', '.join(hex(ip) for ip in self)}>"


class Runner:
    """An execution unit alone: a kernel, arrays, surfaces and thread groups. The defaults of `launch` are one thread."""

    def __init__(self, device: str = "skl", *, memory: Union[None, Memory, Sequence[Memory], MemoryPort] = None,
                 report: Optional[Callable[[Report], object]] = None, threads: int = 1, translate: bool = False) -> None:
        self._handle = Handle(f"the runner of {device}")
        self._ports = Ports(self._handle)
        self._ports.report = report
        self._user = ffi.new_handle(self._ports)
        self._watch: Any = None
        self._mapped: Dict[int, Any] = {}  # address: the array's buffer
        self._generation = 0
        self._next = FIRST_ADDRESS
        self._device = device
        name = ffi.new("char[]", encoded(device, "device"))
        config = ffi.new("struct softgt_eu_config *", {"device": name})
        if memory is not None:
            self._ports.memory = fill_memory_port(config.memory, memory, self._user)
        if report is not None:
            config.report = {"user": self._user, "report": lib.python_softgt_report_port_report}
        self._host: Optional[Host] = None
        if threads != 1 or translate:
            self._host = host(config, threads, translate, memory)
            self._handle.lost_at_fork = True
        pointer = ffi.new("struct softgt_eu **")
        create(lib.softgt_eu_create, config, pointer, f"cannot create a runner of {device!r}")
        self._handle.pointer = pointer[0]
        self.breakpoints = Breakpoints(self)

    # ---- Life ----

    def close(self) -> None:
        """Destroys the runner. Later calls raise ClosedError."""
        self._handle.close(lib.softgt_eu_destroy)
        self._generation += 1
        self._mapped.clear()
        if self._host:
            self._host.close()

    @property
    def closed(self) -> bool:
        return self._handle.pointer is None

    def __enter__(self) -> Runner:
        if self.closed:
            raise ClosedError("the runner is closed")
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.close()

    def __del__(self) -> None:
        handle = getattr(self, "_handle", None)
        if handle is not None and handle.pointer is not None:
            handle.close(lib.softgt_eu_destroy)
        if getattr(self, "_host", None) and self._host and handle and handle.pointer is None:
            self._host.close()

    def __repr__(self) -> str:
        return f"<softgt.eu.Runner {self._device}{', closed' if self.closed else ''}>"

    # ---- Memory ----

    def map(self, array: Any, address: Optional[int] = None, *, writable: Optional[bool] = None) -> int:
        """Maps a contiguous array, or another buffer, without a copy; returns its graphics address.

        Without an address it is one that nothing uses. Arrays that numpy must not write are mapped read-only. The runner
        keeps the array until it is unmapped.
        """
        view = memoryview(array)
        if not view.c_contiguous:
            raise ValueError("the array is not contiguous")
        if isinstance(array, numpy.ndarray) and array.dtype.hasobject:
            raise TypeError(f"dtype {array.dtype} is not plain data")
        if writable and view.readonly:
            raise ValueError("the array is read-only")
        if not view.nbytes:
            raise ValueError("the array is empty")
        write = not view.readonly if writable is None else writable
        host = ffi.from_buffer(array if isinstance(array, numpy.ndarray) else numpy.frombuffer(array, numpy.uint8))
        place = self._next if address is None else unsigned(address, 64, "address")
        with self._handle as c:
            check(lib.softgt_eu_map(c, place, host, view.nbytes, write), f"cannot map {view.nbytes} bytes at {place:#x}")
            self._mapped[place] = host
            if address is None:
                self._next = (place + view.nbytes + STEP) // STEP * STEP
        return place

    def unmap(self, address: int) -> None:
        """Takes an array away."""
        with self._handle as c:
            check(lib.softgt_eu_unmap(c, unsigned(address, 64, "address")), f"no mapping begins at {address:#x}")
            self._mapped.pop(address, None)

    @property
    def address_end(self) -> int:
        """Mappings end before it."""
        with self._handle as c:
            return int(lib.softgt_eu_address_end(c))

    def memory_changed(self) -> None:
        """Call it when the memory of the port moves."""
        with self._handle as c:
            lib.softgt_eu_memory_changed(c)

    def kernel(self, code: Any) -> None:
        """Copies the kernel: bytes, or a contiguous array of dwords."""
        with ffi.from_buffer(code) as source, self._handle as c:
            check(lib.softgt_eu_set_kernel(c, source, ffi.sizeof(source)), f"cannot load a kernel of {ffi.sizeof(source)} bytes")

    def surface(self, index: int, array: Any, size: Optional[int] = None, *, writable: Optional[bool] = None) -> int:
        """Sets an entry of the binding table to a raw buffer, and returns its graphics address.

        An array is mapped. A number is a graphics address, and `size` the bytes; 0 bytes: a null surface.
        """
        slot = unsigned(index, 32, "index")
        if isinstance(array, (int, numpy.integer)):
            place = operator.index(array)
            bytes_ = 0 if size is None else size
        else:
            bytes_ = memoryview(array).nbytes if size is None else size
            if bytes_ > memoryview(array).nbytes:
                raise ValueError(f"a surface of {bytes_} bytes in an array of {memoryview(array).nbytes}")
            place = self.map(array, writable=writable)
        try:
            with self._handle as c:
                check(lib.softgt_eu_set_surface(c, slot, unsigned(place, 64, "address"), unsigned(bytes_, 64, "size")), f"cannot set surface {slot}")
        except BaseException:
            if not isinstance(array, (int, numpy.integer)):
                self.unmap(place)
            raise
        return place

    def _state(self, function: Callable[..., int], index: int, dwords: Sequence[int], count: int, what: str) -> None:
        if len(dwords) != count:
            raise ValueError(f"a {what} of {len(dwords)} dwords; expected {count}")
        with self._handle as c:
            check(function(c, unsigned(index, 32, "index"), ffi.new("uint32_t[]", [unsigned(d, 32, "dword") for d in dwords])), f"cannot set {what} {index}")

    def surface_state(self, index: int, dwords: Sequence[int]) -> None:
        """Sets an entry of the binding table to any RENDER_SURFACE_STATE, of 16 dwords."""
        self._state(lib.softgt_eu_set_surface_state, index, dwords, 16, "RENDER_SURFACE_STATE")

    def sampler_state(self, index: int, dwords: Sequence[int]) -> None:
        """Sets a SAMPLER_STATE, of 4 dwords."""
        self._state(lib.softgt_eu_set_sampler_state, index, dwords, 4, "SAMPLER_STATE")

    # ---- Run ----

    def launch(self, *, ip: int = 0, groups: Sequence[int] = (), first: Sequence[int] = (), threads: int = 0, channels: int = 0,
               last_channels: int = 0, local_size: Sequence[int] = (), shared_bytes: int = 0, large_registers: bool = False, control: int = 0,
               r0: Sequence[int] = (), general: int = 0, payload: Payload = Payload.SHARED_FIRST, data: Any = b"", own_data: Any = b"",
               own_bytes: int = 0) -> None:
        """Begins a launch and drops the previous one. The arguments are the members of softgt_eu_launch_config (softgt/eu.h).

        data: cross-thread data. own_data: per-thread data, own_bytes of each thread.
        """
        with ffi.from_buffer(data) as shared, ffi.from_buffer(own_data) as own:
            launch = ffi.new("struct softgt_eu_launch_config *", {
                "ip": ip, "groups": list(groups), "first": list(first), "threads": threads, "channels": channels, "last_channels": last_channels,
                "local_size": list(local_size), "shared_bytes": shared_bytes, "large_registers": large_registers, "control": control, "r0": list(r0),
                "general": general, "payload": int(payload), "data": shared if ffi.sizeof(shared) else ffi.NULL, "data_bytes": ffi.sizeof(shared),
                "own_data": own if ffi.sizeof(own) else ffi.NULL, "own_bytes": own_bytes})
            if own_bytes * max(threads, 1) > ffi.sizeof(own):
                raise ValueError(f"own_data has {ffi.sizeof(own)} bytes; expected {own_bytes} for each of {max(threads, 1)} threads")
            with self._handle as c:
                self._generation += 1
                check(lib.softgt_eu_launch(c, launch), "cannot launch")

    def run(self, budget: Optional[int] = None, *, check: bool = False) -> Outcome:
        """Runs the launch, up to `budget` instructions; without a budget until it ends or is held.

        With `check` an exception, a fault or a deadlock of the kernel raises KernelError. Other threads of Python run meanwhile.
        """
        outcome = ffi.new("struct softgt_eu_outcome *")
        left = (1 << 64) - 1 if budget is None else unsigned(budget, 64, "budget")
        while True:
            piece = min(left, SLICE)
            with self._handle as c:
                self._generation += 1
                result = lib.softgt_eu_run(c, piece, outcome)
            if budget is not None:
                left -= piece
            if result != Result.UNFINISHED or not left:
                break
        return self._outcome(outcome, check)

    @staticmethod
    def _outcome(outcome: Any, check: bool) -> Outcome:
        found = _make_Outcome(outcome)
        if check and found.result in (Result.EXCEPTION, Result.FAULT, Result.DEADLOCK):
            raise KernelError(found)
        return found

    def step(self, *, check: bool = False) -> Outcome:
        """Runs one instruction of the current thread, or of the next one."""
        outcome = ffi.new("struct softgt_eu_outcome *")
        with self._handle as c:
            self._generation += 1
            lib.softgt_eu_step(c, outcome)
        return self._outcome(outcome, check)

    def select(self, thread: int) -> None:
        """Selects the current thread of the group."""
        with self._handle as c:
            check(lib.softgt_eu_select(c, unsigned(thread, 32, "thread")), f"thread {thread} does not exist or cannot run")

    def thread(self, number: int = 0) -> Thread:
        """A thread of the current or last group. It is valid until the runner runs again."""
        with self._handle as c:
            pointer = lib.softgt_eu_get_thread(c, unsigned(number, 32, "thread"))
            generation = self._generation
        if not pointer:
            raise IndexError(f"thread {number} does not exist, or several groups are unfinished")
        return Thread(pointer, self._handle, lambda: self._generation == generation)

    def _break(self, ip: int, hold: bool) -> None:
        with self._handle as c:
            check(lib.softgt_eu_set_breakpoint(c, unsigned(ip, 64, "ip"), hold), f"cannot set a breakpoint at {ip:#x}")

    def watch(self, hooks: Optional[Hooks]) -> None:
        """Calls hooks for the threads; None: no hooks."""
        with self._handle as c:
            set_hooks(self, hooks, lambda pointer: int(lib.softgt_eu_watch(c, pointer)))


def file_name(file: File) -> Optional[str]:
    """The name of a register file in text: "r", "acc"; None: it has none."""
    name = lib.softgt_eu_file_name(File(file))
    return _text(name)


