"""softgt: a software Intel GPU.

    import softgt
    memory = softgt.Memory(64 << 20)
    with softgt.Device("skl", memory=memory) as device:
        device.mmio[0x2038] = 0x1000
        device.run()

The package binds libsoftgt and libsoftgt-tools, and has no logic of its own. docs/python.md is a tour.
"""

from __future__ import annotations

from . import eu, formats
from ._errors import BusyError, ClosedError, Error
from ._native import lib as _lib
from ._types_softgt import (BarInfo, Blit, CommandModel, Complaint, DeviceInfo, Draw, EngineClass, EngineState, EngineStatus, EngineWait, ErrorSeverity, Event,
                            EventKind, Fragment, FragmentStep, Mistake, Primitive, PrimitiveFate, Report, Sampling, Tiling, Trace, Vertex)
from .device import (CommandCount, Device, Engine, Engines, Function, FunctionPort, Ggtt, GraphicsMemory, GraphicsSpace, Registers, UnknownHeader, Vga, device_info,
                     devices)
from .memory import Memory, MemoryPort
from .tools import (Batch, Command, DecodedField, DecodeFlags, FieldInfo, FieldKind, Fields, Instruction, MessageKind, MissingFileError, Played,
                    PlayError, PlayMessage, PlayResult, Row, RowInfo, RowKind, Rows, Spec, TracePlay, assemble, commands, decode, decode_text, disassemble,
                    instructions, play, registers, spec, structures, trace)

__all__ = [
    "BarInfo", "Batch", "Blit", "BusyError", "ClosedError", "Command", "CommandCount", "CommandModel", "Complaint", "DecodeFlags", "DecodedField",
    "Device", "DeviceInfo", "Draw", "Engine", "EngineClass", "EngineState", "EngineStatus", "EngineWait", "Engines", "Error", "ErrorSeverity",
    "Event", "EventKind", "FieldInfo", "FieldKind", "Fields", "Fragment", "FragmentStep", "Function", "FunctionPort", "Ggtt", "GraphicsMemory", "GraphicsSpace",
    "Instruction", "Memory", "MemoryPort", "MessageKind", "MissingFileError", "Mistake", "PlayError", "PlayMessage", "PlayResult", "Played", "Primitive", "PrimitiveFate",
    "Registers", "Report", "Row", "RowInfo", "RowKind", "Rows", "Sampling", "Spec", "Tiling", "Trace", "TracePlay", "UnknownHeader", "Vertex", "Vga",
    "assemble", "commands", "decode", "decode_text", "device_info", "devices", "disassemble", "eu", "formats", "instructions", "library_version",
    "play", "registers", "spec", "structures", "trace",
]


def library_version() -> str:
    """The version of the library that is loaded."""
    number = _lib.softgt_version()
    return f"{number >> 16}.{number >> 8 & 255}.{number & 255}"


__version__ = f"{_lib.SOFTGT_VERSION_MAJOR}.{_lib.SOFTGT_VERSION_MINOR}.{_lib.SOFTGT_VERSION_PATCH}"
