"""softgt: a software Intel GPU.

    import softgt
    memory = softgt.Memory(64 << 20)
    with softgt.Device("skl", memory=memory) as device:
        device.mmio[0x2038] = 0x1000
        device.run()

The package binds libsoftgt and has no logic of its own. docs/python.md is a tour.
"""

from __future__ import annotations

from . import eu, formats
from ._errors import BusyError, ClosedError, Error
from ._native import lib as _lib
from ._types_softgt import (BarInfo, Blit, CommandModel, Complaint, DeviceInfo, Draw, EngineState, EngineStatus, EngineWait, ErrorSeverity, Event,
                            EventKind, Fragment, FragmentStep, Mistake, Primitive, PrimitiveFate, Report, Sampling, Tiling, Trace, Vertex)
from .device import (CommandCount, Device, Engine, Engines, Function, FunctionPort, GraphicsMemory, Registers, UnknownHeader, Vga, device_info,
                     devices)
from .memory import Memory, MemoryPort

__all__ = [
    "BarInfo", "Blit", "BusyError", "ClosedError", "CommandCount", "CommandModel", "Complaint", "Device", "DeviceInfo", "Draw", "Engine",
    "EngineState", "EngineStatus", "EngineWait", "Engines", "Error", "ErrorSeverity", "Event", "EventKind", "Fragment", "FragmentStep", "Function",
    "FunctionPort", "GraphicsMemory", "Memory", "MemoryPort", "Mistake", "Primitive", "PrimitiveFate", "Registers", "Report", "Sampling", "Tiling",
    "Trace", "UnknownHeader", "Vertex", "Vga", "device_info", "devices", "eu", "formats", "library_version",
]


def library_version() -> str:
    """The version of the library that is loaded."""
    number = _lib.softgt_version()
    return f"{number >> 16}.{number >> 8 & 255}.{number & 255}"


__version__ = f"{_lib.SOFTGT_VERSION_MAJOR}.{_lib.SOFTGT_VERSION_MINOR}.{_lib.SOFTGT_VERSION_PATCH}"
