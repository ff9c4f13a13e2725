"""What setup.py builds: softgt._native, the extension module, with cffi in API mode, and the modules from the headers."""

from __future__ import annotations

import os
import pathlib
import sys
from typing import List

import cffi

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import headers  # noqa: E402

FOLDER = pathlib.Path(__file__).resolve().parent


def callback_declarations(found: List[headers.Header]) -> str:
    """Python's side of each callback: python_STRUCT_MEMBER and python_FUNCTION_PARAMETER."""
    lines = []
    for header in found:
        for pairs in (headers.member_callbacks(header.declarations), headers.function_callbacks(header.declarations)):
            lines += [declaration for _, declaration in pairs]
    return 'extern "Python" {\n' + "\n".join(lines) + "\n}\n"


def found_headers() -> List[headers.Header]:
    try:
        return headers.read_headers()
    except headers.BuildError as e:
        sys.exit(f"softgt: {e}")


def builder() -> cffi.FFI:
    """What setup.py compiles. SOFTGT_RUNPATH is where the module looks for the libraries; a Debian package has none ("")."""
    found = found_headers()
    packages = headers.library_packages()
    ffi = cffi.FFI()
    for header in found:
        ffi.cdef(header.declarations)
    glue = (FOLDER / "native.c").read_text()
    ffi.cdef(glue[glue.index("/* cdef */"):glue.index("/* end of cdef */")])
    ffi.cdef(callback_declarations(found))
    words = headers.pkg_config("--cflags", "--libs", *packages).split()
    folders = [word[2:] for word in words if word.startswith("-L")]
    runpath = os.environ.get("SOFTGT_RUNPATH", ":".join(folders) if os.environ.get("SOFTGT_BUILD") else "")
    include = "".join(f"#include <softgt/{header.name}.h>\n" for header in found)
    ffi.set_source(
        "softgt._native", include + glue,
        include_dirs=[word[2:] for word in words if word.startswith("-I")],
        library_dirs=folders,
        libraries=[word[2:] for word in words if word.startswith("-l")],
        extra_compile_args=["-std=gnu17"],
        extra_link_args=[f"-Wl,-rpath,{runpath}"] if runpath else [],
        py_limited_api=True)
    return ffi


def write_modules(folder: pathlib.Path) -> None:
    """The Python modules that come from the headers."""
    found = found_headers()
    ffi = cffi.FFI()
    for header in found:
        ffi.cdef("".join(line for line in header.declarations.splitlines(True) if not line.startswith("#")))
    for name, text in headers.python_modules(found, ffi).items():
        path = folder / name
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
