"""The package has all that the headers have."""

import inspect
import os
import pathlib
import re

import pytest

import softgt
from softgt._native import ffi, lib

INCLUDE = pathlib.Path(os.environ.get("SOFTGT_INCLUDE", pathlib.Path(__file__).resolve().parents[2] / "include")) / "softgt"


def headers():
    if not INCLUDE.is_dir():
        pytest.skip(f"{INCLUDE} is not there")
    return {name: (INCLUDE / f"{name}.h").read_text() for name in ("softgt", "eu", "formats", "tools") if hasattr(lib, f"softgt_{name}") or (INCLUDE / f"{name}.h").is_file()}


def test_every_function_is_bound():
    for name, text in headers().items():
        if name == "tools" and not hasattr(softgt, "tools"):
            continue
        functions = set(re.findall(r"\b(softgt_\w+)\(", re.sub(r"/\*.*?\*/", "", text, flags=re.S)))
        assert functions and not [f for f in functions if not hasattr(lib, f)]


def test_every_enumerator_is_there():
    assert softgt.Trace.LOADS == 1 << 14 and softgt.Trace.ALL == lib.SOFTGT_TRACE_ALL
    assert lib.SOFTGT_LAST_NS == (1 << 63) - 1
    for tag, enum in (("softgt_tiling", softgt.Tiling), ("softgt_event_kind", softgt.EventKind), ("softgt_eu_file", softgt.eu.File)):
        assert sorted(enum) == sorted(ffi.typeof(f"enum {tag}").relements.values())


def test_every_member_of_a_launch_is_a_keyword():
    members = {name for name, _ in ffi.typeof("struct softgt_eu_launch_config").fields} - {"data_bytes"}
    assert members == set(inspect.signature(softgt.eu.Runner.launch).parameters) - {"self"}


def test_every_member_of_a_config_is_an_argument():
    members = {name for name, _ in ffi.typeof("struct softgt_config").fields}
    known = {"device": "name", "function_ports": "functions", "parallel": "threads", "background": "threads", "code": "translate",
             "local_bytes": "local_memory", "local_host": "local_memory"}
    members -= {"local_is_zero", "local_by_port", "local_on_bus"}  # for owners that play captures and record
    assert {known.get(m, m) for m in members} <= set(inspect.signature(softgt.Device).parameters)


def test_values_of_newer_libraries():
    assert softgt.Tiling(77).name == "VALUE_77" and softgt.Tiling(77) == 77
    with pytest.raises(ValueError):
        softgt.Tiling(-1)


def test_documented():
    for name in softgt.__all__:
        value = getattr(softgt, name)
        assert value.__doc__, name
        if inspect.isclass(value) and value.__module__.startswith("softgt.") and not value.__module__.startswith("softgt._types"):
            for member, function in vars(value).items():
                if not member.startswith("_") and (callable(function) or isinstance(function, property)) and not re.match(r"(read|write)\d+$", member):
                    assert function.__doc__ or member in ("info", "name", "engines", "state", "status", "enabled", "closed", "vga", "reset", "close"), f"{name}.{member}"


def test_versions():
    assert softgt.library_version().split(".")[:2] == softgt.__version__.split(".")[:2]


def test_every_name_of_c_exists():
    used = set()
    for path in pathlib.Path(softgt.__file__).parent.glob("*.py"):
        used |= set(re.findall(r"\blib\.(\w+)", path.read_text()))
    assert len(used) > 50 and not [name for name in used if not hasattr(lib, name)]
