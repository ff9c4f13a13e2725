"""Who uses a C object: one thread at a time, and no callback that must not.

A use from another thread waits. A use from a callback raises BusyError, unless the callback may read. An exception in a
callback is raised by the call that ran it.
"""

from __future__ import annotations

import os
import threading
import weakref
from types import TracebackType
from typing import Any, Callable, Optional, Type

from ._errors import BusyError, ClosedError

_handles: weakref.WeakSet[Handle] = weakref.WeakSet()


class Handle:
    """A pointer to a C object, and its lock. A context manager that gives the pointer."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.pointer: Any = None
        self.closed_because = "closed"
        self.lock = threading.RLock()
        self.in_use = False
        self.may_read = False  # the callback that runs now may read
        self.is_lent = False  # it is a play's
        self.lost_at_fork = False  # it has threads of the host
        self.pending: Optional[BaseException] = None
        _handles.add(self)

    def __enter__(self) -> Any:
        self.lock.acquire()
        if self.in_use or self.pointer is None:
            try:
                self.refuse()
            finally:
                self.lock.release()
        self.in_use = True
        return self.pointer

    def refuse(self) -> None:
        if self.pointer is None:
            raise ClosedError(f"{self.what} is {self.closed_because}")
        raise BusyError(f"{self.what} runs: a callback must not call this")

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.in_use = False
        pending, self.pending = self.pending, None
        self.lock.release()
        if pending is not None and value is None:
            raise pending

    def close(self, destroy: Callable[[Any], None]) -> None:
        """Destroys the object, once."""
        with self.lock:
            if self.pointer is None:
                return
            if self.in_use:
                self.refuse()
            pointer, self.pointer = self.pointer, None
            destroy(pointer)

    def call(self, function: Callable[..., Any], *arguments: Any, may_read: bool = False, failed: Any = None, always: bool = False) -> Any:
        """Runs a callback. After an exception none runs until it is raised, but those of memory (`always`); `failed` is their result."""
        if self.pending is not None and not always:
            return failed
        before, self.may_read = self.may_read, may_read
        try:
            return function(*arguments)
        except BaseException as e:
            if self.pending is None:
                self.pending = e
            return failed
        finally:
            self.may_read = before


class Reading:
    """A use that only reads, which callbacks of the report and trace ports may do.

    Outside of callbacks it is a use as any other: the callbacks that it runs must not change the object or close it.
    """

    def __init__(self, handle: Handle) -> None:
        self.handle = handle
        self.within = False  # a callback reads

    def __enter__(self) -> Any:
        handle = self.handle
        handle.lock.acquire()
        if handle.pointer is None or handle.in_use and not handle.may_read:
            try:
                handle.refuse()
            finally:
                handle.lock.release()
        self.within = handle.in_use
        handle.in_use = True
        return handle.pointer

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        if self.within:
            self.handle.lock.release()
        else:
            self.handle.__exit__(kind, value, trace)


def _after_fork() -> None:
    """The child has one thread: what another thread used at the fork is lost, everything else is the child's own."""
    for handle in list(_handles):
        if handle.in_use and not handle.lock._is_owned():  # type: ignore[attr-defined]
            handle.pointer = None  # not destroyed: its state is that in the middle of a call
            handle.closed_because = "lost: another thread ran it when the process forked"
        elif handle.lost_at_fork:
            handle.pointer = None
            handle.closed_because = "lost: its threads are not in a child of a fork"
        if not handle.lock._is_owned():  # type: ignore[attr-defined]
            handle.lock = threading.RLock()


os.register_at_fork(after_in_child=_after_fork)
