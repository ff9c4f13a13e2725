"""Names, fields, decoding and building of commands, structures and registers; kernels as text; traces.

    for command in softgt.trace("x.aub.xz"):
        print(command.engine, hex(command.address), command.name, dict(command.fields))
"""

from __future__ import annotations

import atexit
import difflib
import errno
import functools
import operator
import os
import queue
import struct
import threading
import weakref
from collections import deque
from dataclasses import dataclass
from typing import Any, Callable, Deque, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import numpy
from numpy.typing import NDArray

from ._errors import Error, check, encoded, unsigned
from ._handle import Handle
from ._host import host
from ._native import ffi, lib
from ._ports import Ports
from ._struct import _dwords as _dwords_of, _text
from ._types_softgt import CommandModel, EngineClass, Event, EventKind, Report, Trace, _make_CommandModel, _make_EngineClass, _make_Event, _make_EventKind
from ._types_tools import (DecodedField, DecodeFlags, FieldInfo, FieldKind, Instruction, MessageKind, PlayMessage, PlayResult, RowInfo,
                           RowKind, _make_DecodedField, _make_FieldInfo, _make_Instruction, _make_PlayMessage, _make_RowInfo)
from .device import Device

__all__ = ["Batch", "Command", "DecodeFlags", "DecodedField", "EngineClass", "FieldInfo", "FieldKind", "Fields", "Instruction", "MessageKind",
           "MissingFileError", "PlayError", "PlayMessage", "PlayResult", "Played", "Row", "RowInfo", "RowKind", "Rows", "Spec", "TracePlay", "assemble", "commands", "decode",
           "decode_text", "disassemble", "instructions", "play", "registers", "spec", "structures", "trace"]

Value = Union[int, float, str, bool]
NO_GROUP = 0xFFFFFFFF
QUEUED, CHUNK = 16, 256  # lists of events that wait for the iterator of a trace, and their length
INT64 = 1 << 64


class _Text:
    """A text port that collects."""

    def __init__(self) -> None:
        self.pieces: List[bytes] = []
        self.user = ffi.new_handle(self.pieces)
        self.port = ffi.new("struct softgt_text_port *", {"user": self.user, "write": lib.python_softgt_text_port_write})

    def __str__(self) -> str:
        return b"".join(self.pieces).decode("utf-8", "replace")


@ffi.def_extern()
def python_softgt_text_port_write(user: Any, text: Any, size: int) -> None:
    ffi.from_handle(user).append(bytes(ffi.buffer(text, size)))


def _dwords(data: Any) -> NDArray[numpy.uint32]:
    """Dwords of bytes, of an array of dwords, or of a sequence of integers."""
    if isinstance(data, (bytes, bytearray, memoryview)):
        data = numpy.frombuffer(data, numpy.uint8)
    elif isinstance(data, Batch):
        return data.dwords
    elif not isinstance(data, numpy.ndarray):
        return numpy.array([unsigned(d, 32, "dword") for d in data], numpy.uint32)
    if data.dtype.kind not in "ui" or data.dtype.itemsize not in (1, 4):
        raise TypeError(f"dtype {data.dtype} is not dwords")
    if data.nbytes % 4:
        raise ValueError(f"{data.nbytes} bytes; expected a multiple of 4")
    if data.dtype.itemsize == 4:
        data = data.astype(data.dtype.newbyteorder("<"), copy=False)
    words: NDArray[numpy.uint32] = numpy.frombuffer(data.tobytes(), numpy.uint32)
    return words


# ---- Specs ----


class Fields(Mapping[str, Value]):
    """Decoded fields by name: fields["Register Address"]. Only letters and digits of a name count, in either case.

    A value is an integer, a bool or a float; `text` gives the name that a value has. Fields of a repeated group are in
    `groups`; by name one gets that of the first group.
    """

    def __init__(self, found: Sequence[DecodedField]) -> None:
        self.all = tuple(found)
        self._by_name: Dict[str, DecodedField] = {}
        for field in found:
            self._by_name.setdefault(self._key(field.name or ""), field)

    @staticmethod
    @functools.lru_cache(8192)
    def _key(name: str) -> str:
        return "".join(c for c in name.lower() if c.isascii() and c.isalnum())

    def field(self, name: str) -> DecodedField:
        """All that is known of the field."""
        try:
            return self._by_name[self._key(name)]
        except KeyError:
            raise KeyError(name) from None

    @staticmethod
    def value(field: DecodedField) -> Value:
        """The value in Python's type for the field's kind."""
        if field.kind == FieldKind.BOOL:
            return bool(field.value)
        if field.kind == FieldKind.FLOAT:
            return float(struct.unpack("<f", struct.pack("<I", field.value))[0])
        return field.value - INT64 if field.kind == FieldKind.INT and field.value >> 63 else field.value

    def __getitem__(self, name: str) -> Value:
        return self.value(self.field(name))

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._key(name) in self._by_name

    def text(self, name: str) -> Optional[str]:
        """The name of the field's value; None: it has none."""
        return self.field(name).value_name

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(field.name or "" for field in self.all))

    def __len__(self) -> int:
        return len(self._by_name)

    @property
    def groups(self) -> List[Fields]:
        """The groups that the row repeats, in order."""
        found: Dict[int, List[DecodedField]] = {}
        for field in self.all:
            if field.group != NO_GROUP:
                found.setdefault(field.group, []).append(field)
        return [Fields(fields) for _, fields in sorted(found.items())]

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{f.name!r}: {f.value_name or self.value(f)!r}" for f in self.all) + "}"


class Row:
    """A command, structure, register or message of a device."""

    def __init__(self, spec: Spec, pointer: Any) -> None:
        self._spec, self._c = spec, pointer
        info = ffi.new("struct softgt_row_info *")
        lib.softgt_row_get_info(pointer, info)
        self.info: RowInfo = _make_RowInfo(info)
        self.__doc__ = self.info.summary
        self._description = ""
        self._kinds_by_name: Dict[str, FieldKind] = {}

    @property
    def name(self) -> str:
        """The manual's name."""
        return self.info.name or ""

    @property
    def unit(self) -> Optional[str]:
        """Of a register: "rcs0"."""
        return self.info.unit

    @property
    def summary(self) -> str:
        """What it is, in a sentence."""
        return self.info.summary or ""

    @property
    def value(self) -> int:
        """The header of a command, the MMIO offset of a register, the action of a message."""
        return self.info.value

    offset = value

    def __repr__(self) -> str:
        unit = f"{self.unit}." if self.unit else ""
        return f"<{self.info.kind.name.lower()} {unit}{self.name} of {self._spec.device}>"

    @property
    def description(self) -> str:
        """The summary, and a line for each field, as Python's keywords are."""
        if not self._description:
            fields = "".join(f"\n{(f.name or '').lower().replace(' ', '_')}: bits {f.last_bit}:{f.first_bit}" for f in self.fields)
            self._description = f"{self.summary}\n{fields}"
        return self._description

    @property
    def fields(self) -> List[FieldInfo]:
        """Its fields; those of the group follow the others."""
        found: List[FieldInfo] = []
        info = ffi.new("struct softgt_field_info *")
        while lib.softgt_row_get_field(self._c, len(found), info):
            found.append(_make_FieldInfo(info))
        return found

    def values(self, field: str) -> Dict[str, int]:
        """The names of a field's values."""
        for index, info in enumerate(self.fields):
            if Fields._key(info.name or "") == Fields._key(field):
                break
        else:
            raise KeyError(field)
        found: Dict[str, int] = {}
        value = ffi.new("uint64_t *")
        while True:
            name = lib.softgt_row_value_name(self._c, index, len(found), value)
            if not name:
                return found
            found[_text(name) or ""] = value[0]

    def decode(self, dwords: Any) -> Fields:
        """The fields of dwords; of a register, of its value, too."""
        if isinstance(dwords, (int, numpy.integer)):
            number = unsigned(int(dwords), 64 if self.info.is_64_bit else 32, "value")
            dwords = [number & 0xFFFFFFFF, number >> 32] if self.info.is_64_bit else [number]
        words = _dwords(dwords)
        c = ffi.from_buffer("uint32_t[]", words)
        found: List[DecodedField] = []
        field = ffi.new("struct softgt_decoded_field *")
        while lib.softgt_decode_field(self._c, c, len(words), len(found), field):
            found.append(_make_DecodedField(field))
        return Fields(found)

    def build(self, *groups: Mapping[str, Any], length_dw: int = 0, **fields: Any) -> NDArray[numpy.uint32]:
        """The dwords of the row with values in fields; others are zero.

        A value is a number, a bool, the name of a value, or a list for an array. A number of a FLOAT field is its value, not
        its bits. Each positional mapping has the fields of one more group. A mapping as `fields=` gives names that are not
        Python's.
        """
        settings: List[Tuple[str, int, Any]] = []
        more = fields.pop("fields", None)
        if more is not None and not isinstance(more, Mapping):
            settings.append(("fields", 0, more))
            more = None
        for group, values in [(0, fields), (0, more or {}), *enumerate(groups)]:
            for name, value in values.items():
                if isinstance(value, (list, tuple, numpy.ndarray)):
                    settings += [(f"{name}[{i}]", group, item) for i, item in enumerate(value)]
                else:
                    settings.append((name, group, value))
        return self._build(settings, length_dw)

    def _is_float(self, name: str) -> bool:
        if not self._kinds_by_name:
            self._kinds_by_name = {Fields._key(f.name or ""): f.kind for f in self.fields}
        return self._kinds_by_name.get(Fields._key(name)) == FieldKind.FLOAT

    def _build(self, settings: Sequence[Tuple[str, int, Any]], length_dw: int) -> NDArray[numpy.uint32]:
        array = ffi.new("struct softgt_field_setting[]", max(len(settings), 1))
        alive: List[Any] = []
        for c, (name, group, value) in zip(array, settings):
            alive.append(ffi.new("char[]", encoded(name, "field")))
            c.name, c.group = alive[-1], group
            if isinstance(value, str):
                alive.append(ffi.new("char[]", encoded(value, name)))
                c.text = alive[-1]
            elif self._is_float(name):
                c.value = struct.unpack("<I", struct.pack("<f", float(value)))[0]
            elif isinstance(value, (float, numpy.floating)):
                raise TypeError(f"{self.name}: {name} is not a float")
            else:
                number = operator.index(value)
                if not -(1 << 63) <= number < INT64:
                    raise OverflowError(f"{self.name}: {name}: {number:#x} does not fit 64 bits")
                c.value = number & (INT64 - 1)
        most = 4096
        out, length, bad = numpy.zeros(most, numpy.uint32), ffi.new("size_t *", length_dw), ffi.new("size_t *")
        result = lib.softgt_build(self._c, array, len(settings), ffi.from_buffer("uint32_t[]", out, require_writable=True), most, length, bad)
        if result < 0:
            raise self._wrong(-result, settings, bad[0])
        return out[:length[0]].copy()

    def _wrong(self, number: int, settings: Sequence[Tuple[str, int, Any]], bad: int) -> Error:
        if bad >= len(settings):
            return Error(number, f"{self.name}: {os.strerror(number)}")
        name, _, value = settings[bad]
        if number == errno.ERANGE:
            return Error(number, f"{self.name}: {name} = {value!r} does not fit")
        if number != errno.ENOENT:
            return Error(number, f"{self.name}: {name} = {value!r}: {os.strerror(number)}")
        known = {Fields._key(f.name or ""): f.name or "" for f in self.fields}
        if isinstance(value, str) and Fields._key(name) in known:
            return Error(number, f"{self.name}: {name} has no value {value!r}; its values: {', '.join(self.values(name)) or 'numbers'}")
        close = difflib.get_close_matches(Fields._key(name), known, 3)
        return Error(number, f"{self.name} has no field {name!r}; {'close' if close else 'its fields'}: {', '.join(known[k] for k in close or known)}")


class Rows(Mapping[str, Row]):
    """The rows of one kind by name. Case, blanks and underscores do not matter. Registers: "rcs0.RING_TAIL"."""

    def __init__(self, spec: Spec, kind: RowKind) -> None:
        self._spec, self._kind = spec, kind
        self._found: Dict[str, Row] = {}

    def __len__(self) -> int:
        return int(lib.softgt_spec_rows(self._spec._c, self._kind))

    def __getitem__(self, name: str) -> Row:
        row = self._found.get(name)
        if row is None:
            pointer = lib.softgt_spec_find(self._spec._c, self._kind, encoded(name, "name"))
            if not pointer:
                raise KeyError(name)
            row = self._found[name] = Row(self._spec, pointer)
        return row

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and "\0" not in name and self.get(name) is not None

    def rows(self) -> Iterator[Row]:
        """All, also those of one name, in the order of the reference pages."""
        for index in range(len(self)):
            yield Row(self._spec, lib.softgt_spec_row(self._spec._c, self._kind, index))

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(f"{row.unit}.{row.name}" if row.unit else row.name for row in self.rows()))

    def __repr__(self) -> str:
        return f"<{len(self)} {self._kind.name.lower()} rows of {self._spec.device}>"


class Spec:
    """What the manual says of a device's commands, structures, registers and messages of the GuC."""

    def __init__(self, device: str) -> None:
        pointer = ffi.new("struct softgt_spec **")
        check(lib.softgt_spec_create(encoded(device, "device"), pointer), f"no device has the name {device!r}")
        self._c = ffi.gc(pointer[0], lib.softgt_spec_destroy)
        self.device = device
        self.commands = Rows(self, RowKind.COMMAND)
        self.structures = Rows(self, RowKind.STRUCTURE)
        self.registers = Rows(self, RowKind.REGISTER)
        self.messages = Rows(self, RowKind.MESSAGE)
        self._headers: Dict[Tuple[int, int], Optional[Row]] = {}

    def __repr__(self) -> str:
        return f"<softgt.Spec of {self.device}>"

    def __reduce__(self) -> Any:
        return spec, (self.device,)

    def engine_class(self, engine: Union[str, EngineClass]) -> EngineClass:
        """The class of an engine ("rcs0") or of a class's name ("render")."""
        if isinstance(engine, EngineClass):
            return engine
        found = ffi.new("enum softgt_engine_class *")
        check(lib.softgt_spec_engine_class(self._c, encoded(engine, "engine"), found), f"{self.device} has no engine {engine!r}")
        return EngineClass(found[0])

    def command(self, header: int, engine: Union[str, EngineClass] = EngineClass.RENDER) -> Optional[Row]:
        """The command of a header; None: there is none."""
        key = (self.engine_class(engine).value, unsigned(header, 32, "header"))
        if key not in self._headers:
            pointer = lib.softgt_spec_command(self._c, *key)
            self._headers[key] = Row(self, pointer) if pointer else None
        return self._headers[key]

    def register(self, offset: int) -> Optional[Row]:
        """The register at an MMIO offset; None: there is none."""
        pointer = lib.softgt_spec_register(self._c, unsigned(offset, 32, "offset"))
        return Row(self, pointer) if pointer else None


_specs: Dict[str, Spec] = {}


def spec(device: str) -> Spec:
    """The spec of a device. Each is created once."""
    if device not in _specs:
        _specs[device] = Spec(device)
    return _specs[device]


def commands(device: str) -> Rows:
    """The commands of a device by name."""
    return spec(device).commands


def structures(device: str) -> Rows:
    """The structures of a device by name: "RENDER_SURFACE_STATE"."""
    return spec(device).structures


def registers(device: str) -> Rows:
    """The registers of a device by name: "rcs0.RING_BUFFER_TAIL", or the name alone if one unit has it."""
    return spec(device).registers


# ---- Commands ----


@dataclass(repr=False)
class Command:
    """A command of a batch or a trace. Its fields are decoded when one asks for them."""

    #: the manual's name; None: no command has this header
    name: Optional[str]
    #: graphics address
    address: int
    #: "rcs0" of a trace; the engine or class that a batch is decoded for
    engine: str
    dwords: Tuple[int, ...]
    device: str
    #: of a trace: what became of the command
    kind: EventKind = EventKind.COMMAND
    model: CommandModel = CommandModel.EXECUTED
    #: of a trace: whether the address is a GGTT address
    is_ggtt: bool = False
    #: of a trace: virtual time
    now_ns: int = 0
    engine_class: EngineClass = EngineClass.RENDER

    @property
    def row(self) -> Optional[Row]:
        """The row of the command; None: there is none."""
        return spec(self.device).command(self.dwords[0], self.engine_class) if self.dwords else None

    @property
    def fields(self) -> Fields:
        """Its fields; none of an unknown command."""
        row = self.row
        return row.decode(self.dwords) if row else Fields(())

    @property
    def text(self) -> str:
        """The command with its fields, as softgt decode prints it."""
        return decode_text(self.dwords, device=self.device, engine=self.engine_class, address=self.address, flags=DecodeFlags.ALL)

    def __repr__(self) -> str:
        kind = "" if self.kind == EventKind.COMMAND else f" {self.kind.name.lower()}"
        return f"<{self.engine} {self.address:#x}: {self.name or f'unknown {self.dwords[0]:#x}'}{kind}>"


def decode(data: Any, device: str = "skl", *, engine: Union[str, EngineClass] = "render", address: int = 0, all: bool = False) -> Iterator[Command]:
    """The commands of a batch: of bytes, or an array of dwords. With `all` also those behind MI_BATCH_BUFFER_END.

    A header that no command has gives a command without a name, of one dword.
    """
    words = _dwords(data)
    s = spec(device)
    kind = s.engine_class(engine)
    unsigned(address, 64, "address")
    return _decoded(words, s, kind, str(engine) if not isinstance(engine, EngineClass) else kind.name.lower(), address, all)


def _decoded(words: NDArray[numpy.uint32], s: Spec, kind: EngineClass, engine: str, address: int, all: bool) -> Iterator[Command]:
    at = 0
    while at < len(words):
        header = int(words[at])
        row = s.command(header, kind)
        length = lib.softgt_command_length(s._c, kind, header) if row else 1
        dwords = tuple(words[at:at + max(length, 1)].tolist())
        yield Command(row.name if row else None, address + at * 4, engine, dwords, s.device,
                      kind=(EventKind.COMMAND if len(dwords) >= length else EventKind.SHORT) if row else EventKind.UNKNOWN,
                      model=row.info.model if row else CommandModel.EXECUTED, engine_class=kind)
        at += len(dwords)
        if row and row.info.ends_batch and not all:
            return


def decode_text(data: Any, device: str = "skl", *, engine: Union[str, EngineClass] = "render", address: int = 0, flags: int = 0) -> str:
    """The commands of a batch as text, or as JSON with DecodeFlags.JSON."""
    s, words, out = spec(device), _dwords(data), _Text()
    check(lib.softgt_decode(s._c, s.engine_class(engine), ffi.from_buffer("uint32_t[]", words), len(words), unsigned(address, 64, "address"),
                            unsigned(flags, 32, "flags"), out.port), "cannot decode")
    return str(out)


class Batch:
    """Builds a batch by the names of commands and fields.

        batch = softgt.Batch("skl")
        batch.MI_STORE_DATA_IMM(use_global_gtt=True, address=0x2000, immediate_data=42)
        batch.MI_BATCH_BUFFER_END()
        memory.write(0x1000, batch)

    A command that begins with a digit has an underscore in front: batch._3DSTATE_VS(). Each method takes what Row.build takes.
    """

    def __init__(self, device: str = "skl", engine: Union[str, EngineClass] = "render", address: int = 0) -> None:
        self._spec = spec(device)
        self._class = self._spec.engine_class(engine)
        self.address = unsigned(address, 64, "address")
        self._parts: List[NDArray[numpy.uint32]] = []

    def add(self, name: str, *groups: Mapping[str, Any], length_dw: int = 0, **fields: Any) -> Batch:
        """Appends a command."""
        rows = self._spec.commands
        try:
            row = rows[name]
        except KeyError:
            close = difflib.get_close_matches(name.upper().lstrip("_"), list(rows), 3)
            raise Error(errno.ENOENT, f"{self._spec.device} has no command {name!r}{'; close: ' + ', '.join(close) if close else ''}") from None
        if not row.info.engine_classes >> self._class & 1:
            for other in rows.rows():  # of one name that engines encode differently
                if other.name == row.name and other.info.engine_classes >> self._class & 1:
                    row = other
                    break
        self._parts.append(row.build(*groups, length_dw=length_dw, **fields))
        return self

    def __getattr__(self, name: str) -> Callable[..., Batch]:
        row = self.__dict__["_spec"].commands.get(name) if name.lower() != name and "_spec" in self.__dict__ else None
        if row is None:
            raise AttributeError(f"no command has the name {name!r}")

        def command(*groups: Mapping[str, Any], length_dw: int = 0, **fields: Any) -> Batch:
            return self.add(name, *groups, length_dw=length_dw, **fields)

        command.__name__ = command.__qualname__ = name
        command.__doc__ = row.description
        return command

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *(name if name.isidentifier() else "_" + name for name in self._spec.commands)]

    def append(self, dwords: Any) -> Batch:
        """Appends dwords as they are."""
        self._parts.append(_dwords(dwords).copy())
        return self

    def text(self, lines: str, name: str = "batch") -> Batch:
        """Appends lines of a batch block of gts(5): registers have names, labels are allowed."""
        source, errors = encoded(lines, "lines"), _Text()
        address = self.address + 4 * len(self)
        size = 4096
        while True:
            out, length = numpy.zeros(size, numpy.uint32), ffi.new("size_t *")
            result = lib.softgt_build_text(self._spec._c, self._class, encoded(name, "name"), source, len(source), address,
                                           ffi.from_buffer("uint32_t[]", out, require_writable=True), size, length, errors.port)
            if result != -errno.ENOSPC or length[0] <= size:
                break
            size = length[0]
        if result < 0:
            raise Error(-result, str(errors).strip() or os.strerror(-result))
        self._parts.append(out[:length[0]].copy())
        return self

    @property
    def dwords(self) -> NDArray[numpy.uint32]:
        """All dwords, a copy."""
        return numpy.concatenate(self._parts) if self._parts else numpy.zeros(0, numpy.uint32)

    def __bytes__(self) -> bytes:
        return self.dwords.astype("<u4").tobytes()

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> NDArray[Any]:
        return self.dwords if dtype is None else self.dwords.astype(dtype)

    def __len__(self) -> int:
        return sum(len(part) for part in self._parts)

    def __iter__(self) -> Iterator[Command]:
        return decode(self.dwords, self._spec.device, engine=self._class, address=self.address, all=True)

    def __str__(self) -> str:
        return decode_text(self.dwords, self._spec.device, engine=self._class, address=self.address, flags=DecodeFlags.ALL)

    def __repr__(self) -> str:
        return f"<softgt.Batch of {len(self)} dwords for {self._spec.device}>"


# ---- Kernels ----


def instructions(code: Any, device: str = "skl") -> Iterator[Tuple[int, Instruction]]:
    """The instructions of a kernel, each with its offset."""
    s = spec(device)
    c = ffi.from_buffer("char[]", code)
    return _instructions(s, c, code)


def _instructions(s: Spec, c: Any, code: Any) -> Iterator[Tuple[int, Instruction]]:
    offset, instruction = 0, ffi.new("struct softgt_instruction *")
    while offset < len(c):
        result = lib.softgt_decode_instruction(s._c, c, len(c), offset, instruction)
        check(result, f"the kernel of {len(c)} bytes ends in the instruction at {offset:#x}")
        yield offset, _make_Instruction(instruction)
        offset += instruction.size_bytes


def disassemble(code: Any, device: str = "skl") -> str:
    """A kernel in the syntax of Intel's assembler, with labels."""
    s, out = spec(device), _Text()
    c = ffi.from_buffer("char[]", code)
    check(lib.softgt_disassemble(s._c, c, len(c), out.port), "cannot disassemble")
    return str(out)


def assemble(text: str, device: Optional[str] = None, name: str = "program") -> bytes:
    """An AUB trace of a program in gts(5), for its first device or for `device`. Error: the text of its errors."""
    source, errors = encoded(text, "text"), _Text()
    data, size = ffi.new("void **"), ffi.new("size_t *")
    result = lib.softgt_assemble(encoded(device, "device") if device is not None else ffi.NULL, encoded(name, "name"), source, len(source), data, size, errors.port)
    if result < 0:
        raise Error(-result, str(errors).strip() or os.strerror(-result))
    try:
        return bytes(ffi.buffer(data[0], size[0]))
    finally:
        lib.free(data[0])


# ---- Traces ----


@dataclass(repr=False)
class Played:
    """What a play came to."""

    result: PlayResult
    messages: List[PlayMessage]

    def __bool__(self) -> bool:
        return bool(self.result == PlayResult.CLEAN)

    def __repr__(self) -> str:
        return f"<softgt.Played {self.result.name}, {len(self.messages)} messages>"


class PlayError(Error):
    """A trace or program cannot be read, or has errors. `played` has the messages, `filename` the path, if it is one."""

    def __init__(self, number: int, text: str, filename: Optional[str], played: Played) -> None:
        super().__init__(number, text, filename)
        self.played = played


class MissingFileError(PlayError, FileNotFoundError):
    """There is no such trace or program."""


def _unusable(played: Played, name: str, is_path: bool) -> PlayError:
    number = errno.EINVAL
    if is_path:
        try:
            with open(name, "rb") as file:
                file.read(1)
        except OSError as e:
            number = e.errno or number
    lines = [m for m in played.messages if m.kind == MessageKind.ERROR] or played.messages
    kind = MissingFileError if number == errno.ENOENT else PlayError
    return kind(number, "; ".join(_place(m) for m in lines) or f"{name}: unusable", name if is_path else None, played)


class _Play:
    """What the callbacks of a play refer to."""

    def __init__(self) -> None:
        self.handle = Handle("the play")
        self.ports = Ports(self.handle)
        self.user = ffi.new_handle(self)
        self.ports_user = ffi.new_handle(self.ports)
        self.stop = False  # a play asks for it between packets
        self.messages: List[PlayMessage] = []
        self.message: Optional[Callable[[PlayMessage], object]] = None
        self.started: Optional[Callable[[Device], object]] = None
        self.finished: Optional[Callable[[Device], object]] = None
        self.device = ""

    def call(self, function: Callable[..., object], *arguments: object) -> None:
        self.handle.call(function, *arguments)
        if self.handle.pending is not None:
            self.stop = True

    def lend(self, function: Callable[[Device], object], pointer: Any) -> None:
        device = Device._lend(pointer)
        try:
            self.call(function, device)
        finally:
            device._handle.pointer, device._handle.closed_because = None, "that of a play, which went on"


@ffi.def_extern()
def python_softgt_play_config_message(user: Any, message: Any) -> None:
    play: _Play = ffi.from_handle(user)
    made = _make_PlayMessage(message)
    play.messages.append(made)
    if play.message:
        play.call(play.message, made)


@ffi.def_extern()
def python_softgt_play_config_stop(user: Any) -> bool:
    play: _Play = ffi.from_handle(user)
    return play.stop


@ffi.def_extern()
def python_softgt_play_config_started(user: Any, device: Any) -> None:
    play: _Play = ffi.from_handle(user)
    play.device = _text(lib.softgt_info(device).name) or ""
    if play.started:
        play.lend(play.started, device)


@ffi.def_extern()
def python_softgt_play_config_finished(user: Any, device: Any) -> None:
    play: _Play = ffi.from_handle(user)
    if play.finished:
        play.lend(play.finished, device)


def _played(state: _Play, source: Any, name: str, device: Optional[str], trace_mask: int, options: Mapping[str, Any]) -> Played:
    values = dict(options)
    threads, translate = values.pop("threads"), values.pop("translate")
    config = ffi.new("struct softgt_play_config *", values)
    helper = host(config, threads, translate) if threads != 1 or translate else None
    device_name = ffi.new("char[]", encoded(device, "device")) if device is not None else ffi.NULL
    config.device, config.user = device_name, state.user
    config.stop = lib.python_softgt_play_config_stop
    config.message = lib.python_softgt_play_config_message
    config.started = lib.python_softgt_play_config_started
    config.finished = lib.python_softgt_play_config_finished
    if trace_mask:
        config.trace = {"user": state.ports_user, "mask": trace_mask, "event": lib.python_softgt_trace_port_event}
    if state.ports.report:
        config.report = {"user": state.ports_user, "report": lib.python_softgt_report_port_report}
    try:
        if isinstance(source, (str, os.PathLike)):
            result = lib.softgt_play(os.fsencode(source), config)
        else:
            data = ffi.from_buffer("char[]", source)
            result = lib.softgt_play_memory(encoded(name, "name"), data, len(data), config)
    finally:
        if helper:
            helper.close()
    pending, state.handle.pending = state.handle.pending, None
    if pending is not None:
        raise pending
    check(result, f"cannot play {name}")
    played = Played(PlayResult(result), state.messages)
    if played.result == PlayResult.UNUSABLE and not state.stop:
        raise _unusable(played, name, isinstance(source, (str, os.PathLike)))
    return played


def _options(timing: bool, draws: bool, force: bool, memory_limit_bytes: int, budget_dw: int, tolerate: Sequence[int], threads: int,
             translate: bool) -> Dict[str, Any]:
    mask = 0
    for mistake in tolerate:
        mask |= 1 << mistake
    return {"timing": timing, "no_draws": not draws, "force": force, "memory_limit_bytes": unsigned(memory_limit_bytes, 64, "memory_limit_bytes"),
            "budget_dw": unsigned(budget_dw, 64, "budget_dw"), "tolerate": mask,
            "threads": threads, "translate": translate}


def play(source: Any, *, name: str = "memory", device: Optional[str] = None, trace: Optional[Callable[[Event], object]] = None,
         trace_mask: int = Trace.COMMANDS, report: Optional[Callable[[Report], object]] = None,
         message: Optional[Callable[[PlayMessage], object]] = None, started: Optional[Callable[[Device], object]] = None,
         finished: Optional[Callable[[Device], object]] = None, timing: bool = False, draws: bool = True, force: bool = False,
         memory_limit_bytes: int = 0, budget_dw: int = 0, tolerate: Sequence[int] = (), threads: int = 1,
         translate: bool = False) -> Played:
    """Plays a trace (AUB, compressed or not) or a program (gts(5)) from a path, or from bytes under a name.

    started and finished get a Device that is the play's: they may read it, until they return. An exception of a callback
    ends the play and is raised. PlayError: the file cannot be read, or has errors; its text has file, place and reason.
    """
    state = _Play()
    for what, callback in (("trace", trace), ("report", report), ("message", message), ("started", started), ("finished", finished)):
        if callback is not None and not callable(callback):
            raise TypeError(f"{what} is not callable")
    state.ports.event, state.ports.report, state.message, state.started, state.finished = trace, report, message, started, finished
    return _played(state, source, os.fspath(source) if isinstance(source, (str, os.PathLike)) else name, device, trace_mask if trace else 0,
                   _options(timing, draws, force, memory_limit_bytes, budget_dw, tolerate, threads, translate))


class _Stream:
    """A play in a thread of its own, whose events the iterator takes. It does not refer to the iterator."""

    def __init__(self, state: _Play) -> None:
        self.state = state
        self.queue: queue.Queue[Any] = queue.Queue(QUEUED)
        self.chunk: List[Any] = []
        self.texts: Dict[Any, Optional[str]] = {}
        self.played: Optional[Played] = None
        self.failed: Optional[BaseException] = None

    def put(self, item: object) -> None:
        while not self.state.stop:
            try:
                return self.queue.put(item, timeout=0.2)
            except queue.Full:
                continue

    def event(self, c: Any) -> None:
        """Takes an event of C. Commands are most of them: they become no Event in between."""
        if c.what != Trace.COMMANDS:
            self.chunk.append(_make_Event(c))
        else:
            self.chunk.append((c.is_late, Command(
                self.text(c.name), c.address, self.text(c.unit) or "", _dwords_of(c.dwords, c.length_dw), self.state.device, _make_EventKind(c.kind),
                _make_CommandModel(c.model), c.is_ggtt, c.now_ns, _make_EngineClass(c.engine_class))))
        if len(self.chunk) >= CHUNK:
            self.flush()

    def flush(self) -> None:
        chunk, self.chunk = self.chunk, []
        self.put(chunk)

    def text(self, pointer: Any) -> Optional[str]:
        """A static string of the library."""
        if pointer not in self.texts:
            self.texts[pointer] = _text(pointer)
        return self.texts[pointer]

    def run(self, *arguments: Any) -> None:
        try:
            self.played = _played(self.state, *arguments)
        except PlayError as e:
            self.played, self.failed = e.played, e
        except BaseException as e:
            self.failed = e
        self.chunk.append(None)
        while True:
            try:
                return self.queue.put(self.chunk, timeout=0.2)
            except queue.Full:
                if self.state.stop:
                    return


def _stop(stream: _Stream) -> None:
    stream.state.stop = True


_playing: weakref.WeakSet[TracePlay] = weakref.WeakSet()


@atexit.register
def _stop_all() -> None:
    """No thread calls Python when it has ended."""
    for trace in list(_playing):
        trace.close()


class TracePlay(Iterator[Union[Command, Event]]):
    """The commands of a trace while it plays; `events` of other classes, if the mask has them, between them.

    After the last one `played` has the result and the messages. `close` ends the play earlier.
    """

    def __init__(self, source: Any, name: str, device: Optional[str], mask: int, options: Mapping[str, Any]) -> None:
        self._state = _Play()
        self._stream = _Stream(self._state)
        self._state.ports.raw = self._stream.event
        self._name = name
        self._ready: Deque[Any] = deque()
        self._kept: List[Any] = []  # the last command, whose outcome a late event may correct, and what followed it
        self._ended = False
        self._thread = threading.Thread(target=self._stream.run, args=(source, name, device, mask, options), daemon=True, name=f"softgt {name}")
        self._finalizer = weakref.finalize(self, _stop, self._stream)
        _playing.add(self)
        self._thread.start()

    @property
    def played(self) -> Optional[Played]:
        """The result; None: it plays still."""
        return self._stream.played

    @property
    def messages(self) -> List[PlayMessage]:
        """The messages so far."""
        return self._state.messages

    def close(self) -> None:
        """Ends the play."""
        self._finalizer()
        self._ended = True
        self._ready.clear()
        self._kept = []
        self._thread.join()

    def __enter__(self) -> TracePlay:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __iter__(self) -> TracePlay:
        return self

    def __next__(self) -> Union[Command, Event]:
        while not self._ready:
            if self._ended:
                self._finish()
                raise StopIteration
            self._take()
        found: Union[Command, Event] = self._ready.popleft()
        return found

    def _take(self) -> None:
        try:
            chunk = self._stream.queue.get(timeout=1)
        except queue.Empty:
            if self._thread.is_alive():
                return
            if self._ended:  # another thread took the last one
                return
            raise Error(errno.ECHILD, f"{self._name}: the thread that plays is gone: the process forked") from None
        for item in chunk:
            if item is None:
                self._ready.extend(self._kept)
                self._kept, self._ended = [], True
            elif not isinstance(item, tuple):
                (self._kept if self._kept else self._ready).append(item)
            elif item[0] and self._kept and (self._kept[0].engine, self._kept[0].address) == (item[1].engine, item[1].address):
                self._kept[0] = item[1]
            else:
                self._ready.extend(self._kept)
                self._kept = [item[1]]

    def _finish(self) -> None:
        failed, self._stream.failed = self._stream.failed, None
        if failed is not None:
            raise failed


def _place(m: PlayMessage) -> str:
    where = f":{m.line}:{m.column}" if m.line else f": offset {m.offset:#x}" if m.offset != INT64 - 1 else ""
    return f"{m.file}{where}: {m.text}"


def trace(source: Any, *, mask: int = Trace.COMMANDS, name: str = "memory", device: Optional[str] = None, timing: bool = False, draws: bool = True,
          force: bool = False, memory_limit_bytes: int = 0, budget_dw: int = 0, tolerate: Sequence[int] = (), threads: int = 1,
         translate: bool = False) -> TracePlay:
    """Plays a trace or a program, as `play`, and gives its commands one after the other.

    PlayError: the file cannot be read, or has errors, as of `play`.
    """
    if isinstance(source, (str, os.PathLike)):
        name = os.fspath(source)
    else:
        ffi.from_buffer(source)
    return TracePlay(source, name, device, unsigned(mask, 32, "mask"), _options(timing, draws, force, memory_limit_bytes, budget_dw, tolerate, threads, translate))
