"""Reads softgt's public headers: what cffi compiles, and the Python modules of enumerations and structs.

The headers are the only list. A function, an enumerator or a member that they gain is in the package after the next
build. Used by native.py and setup.py; not installed.
"""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import tempfile
from typing import Dict, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple

HEADERS = ("softgt", "formats", "eu", "tools")  # without tools where it is not installed
IDENTIFIER = r"[A-Za-z_]\w*"
RENAMED = {"softgt_trace_what": "Trace"}
NAMED = {"SOFTGT_DECODE_": "DecodeFlags", "SOFTGT_PLAY_": "PlayResult"}  # enumerations without a tag, by their prefix


class BuildError(Exception):
    """The library or its headers are not usable."""


def pkg_config(*arguments: str) -> str:
    environment = dict(os.environ)
    if environment.get("SOFTGT_BUILD"):
        folder = pathlib.Path(environment["SOFTGT_BUILD"]).resolve() / "meson-uninstalled"
        if not folder.is_dir():
            raise BuildError(f"SOFTGT_BUILD={environment['SOFTGT_BUILD']}: {folder} does not exist; expected a build folder of meson")
        environment["PKG_CONFIG_PATH"] = str(folder)
    command = [environment.get("PKG_CONFIG", "pkg-config"), *arguments]
    try:
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    except OSError as e:
        raise BuildError(f"{command[0]}: {e.strerror}") from None
    if done.returncode:
        raise BuildError(f"{done.stderr.strip() or ' '.join(command)}\nInstall softgt, or set SOFTGT_BUILD to its build folder")
    return done.stdout.strip()


def library_packages() -> List[str]:
    """The pkg-config names of the libraries that are there; softgt and softgt-formats must be."""
    packages = ["softgt", "softgt-formats"]
    try:
        pkg_config("--exists", "softgt-tools")
        packages.append("softgt-tools")
    except BuildError:
        pass
    return packages


def include_folder() -> pathlib.Path:
    """The folder that has softgt/softgt.h."""
    folders = [word[2:] for word in pkg_config("--cflags", "softgt").split() if word.startswith("-I")]
    folders += [pkg_config("--variable=includedir", "softgt"), "/usr/include"]
    for folder in folders:
        if folder and (pathlib.Path(folder) / "softgt" / "softgt.h").is_file():
            return pathlib.Path(folder)
    raise BuildError("softgt/softgt.h: pkg-config names no folder that has it")


class Header(NamedTuple):
    name: str  # "eu"
    text: str  # the file
    declarations: str  # as cffi takes them: no comments, macros or bodies


def compiler() -> List[str]:
    return os.environ.get("CC", "cc").split()


def preprocessed(folder: pathlib.Path, name: str) -> str:
    """The header after the preprocessor, without the system's headers and SOFTGT_API (no __GNUC__)."""
    with tempfile.TemporaryDirectory() as empty:
        for standard in ("stdbool.h", "stddef.h", "stdint.h", "stdio.h", "stdarg.h", "inttypes.h"):
            (pathlib.Path(empty) / standard).touch()
        command = [*compiler(), "-E", "-nostdinc", "-U__GNUC__", "-I", empty, "-I", str(folder), f"{folder}/softgt/{name}.h"]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise BuildError(f"{folder}/softgt/{name}.h: {done.stderr.strip()}")
    lines, own = [], False
    for line in done.stdout.splitlines():
        place = re.match(r'# \d+ "([^"]*)"', line)
        if place:
            own = place[1].endswith(f"/softgt/{name}.h")
        elif own:
            lines.append(line)
    return "\n".join(lines)


def without_bodies(text: str) -> str:
    """Static inline functions become prototypes: the C compiler compiles their bodies (cffi's API mode)."""
    out, position = [], 0
    for match in re.finditer(r"\bstatic\s+inline\s+", text):
        brace = text.index("{", match.end())
        depth, end = 1, brace + 1
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        out += [text[position:match.start()], text[match.end():brace].rstrip() + ";"]
        position = end
    return "".join(out) + text[position:]


def constants(text: str) -> str:
    """Macros without parameters that have a value of their own."""
    names = re.findall(rf"^#define (SOFTGT_{IDENTIFIER})[ \t]+[^\s/]", text, re.M)
    return "".join(f"#define {name} ...\n" for name in names if name != "SOFTGT_API")


def read_headers() -> List[Header]:
    folder = include_folder()
    headers = []
    for name in HEADERS:
        path = folder / "softgt" / f"{name}.h"
        if name == "tools" and ("softgt-tools" not in library_packages() or not path.is_file()):
            continue
        text = path.read_text()
        headers.append(Header(name, text, without_bodies(preprocessed(folder, name)) + "\n" + constants(text)))
    return headers


# ---- Callbacks ----


def camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def function_callbacks(declarations: str) -> Iterator[Tuple[str, str]]:
    """(name, declaration) of each callback in the parameters of a function."""
    flat = re.sub(r"\s+", " ", declarations)
    for function, parameters in re.findall(rf"[;}}] ?(?:const )?\w[\w ]*[ *](softgt_\w+) ?\(((?:[^()]|\([^()]*\)(?: ?\([^()]*\))?)*)\) ?(?=;)", flat):
        for result, name, arguments in re.findall(rf"([\w ]+[ *]*)\( ?\* ?({IDENTIFIER}) ?\) ?\(([^()]*)\)", parameters):
            yield f"python_{function}_{name}", f"{result.strip()} python_{function}_{name}({arguments});"


def member_callbacks(declarations: str) -> Iterator[Tuple[str, str]]:
    """(name, declaration) of each callback in a struct. Those that take callbacks themselves are for C only."""
    flat = re.sub(r"\s+", " ", declarations)
    for struct, body in re.findall(r"struct (softgt_\w+) \{([^{}]*)\}", flat):
        for statement in body.split(";"):
            match = re.match(rf"^ ?([\w ]+[ *]*)\( ?\* ?({IDENTIFIER}) ?\) ?\(([^()]*)\)$", statement)
            if match:
                yield f"python_{struct}_{match[2]}", f"{match[1].strip()} python_{struct}_{match[2]}({match[3]});"


# ---- Python modules ----


class Comments:
    """What a header says of each enumerator and member."""

    def __init__(self, text: str) -> None:
        self.of: Dict[Tuple[str, str], str] = {}
        for kind, tag, body in re.findall(r"^(struct|enum|union) (softgt_\w+) \{\n(.*?)^\}", text, re.S | re.M):
            self.read(tag, body)
        for tag, comment in ((m[2], m[1]) for m in re.finditer(r"/\*((?:(?!\*/).)*)\*/\n(?:struct|enum|union) (softgt_\w+) \{", text, re.S)):
            self.of[tag, ""] = self.plain(comment)
        for tag, comment in ((m[1], m[2]) for m in re.finditer(r"^enum (softgt_\w+) \{[^\n]*\};(?: */\*(.*?)\*/)?", text, re.M)):
            self.of.setdefault((tag, ""), self.plain(comment or ""))

    @staticmethod
    def plain(comment: str) -> str:
        return re.sub(r"\s*\n\s*\*?\s*", " ", comment).strip().strip("*").strip()

    def read(self, tag: str, body: str) -> None:
        """Comments follow what they are of on its line, or are lines of their own before it."""
        before, previous = "", []  # type: Tuple[str, List[str]]
        for part in re.split(r"(/\*.*?\*/)", body, flags=re.S):
            if part.startswith("/*"):
                if previous:
                    for name in previous:
                        self.of.setdefault((tag, name), self.plain(part[2:-2]))
                    previous = []
                else:
                    before = self.plain(part[2:-2])
                continue
            names = re.findall(rf"(?:\(\*)?\b({IDENTIFIER})\b(?:\[[^\]]*\])*\)?(?:\([^()]*\))?(?:\s*=[^,;]*)?\s*(?=[,;]|$)", part)
            lines = part.split("\n")
            last = re.findall(rf"\b({IDENTIFIER})\b(?:\[[^\]]*\])*(?:\s*=[^,;]*)?\s*(?=[,;]|$)", lines[-1])
            if before and names:
                self.of.setdefault((tag, names[0]), before)
                before = ""
            previous = last if lines[-1].strip() else []


def member_prefix(names: Sequence[str]) -> str:
    """What the names of all enumerators begin with, up to an underscore; what is left are names of Python."""
    words = [name.split("_") for name in names]
    count = 0
    while all(len(w) > count + 1 and w[count] == words[0][count] for w in words):
        count += 1
    while count and any(not "_".join(w[count:]).isidentifier() for w in words):
        count -= 1
    return "_".join(words[0][:count]) + "_" if count else ""


class Types:
    """The types of a header as Python text."""

    def __init__(self, header: Header, ffi: object, taken: Dict[str, Tuple[str, str]], inputs: Set[str]) -> None:
        self.header, self.ffi, self.taken, self.inputs = header, ffi, taken, inputs
        self.comments = Comments(header.text)
        self.drop = f"softgt_{header.name}_" if header.name == "eu" else "softgt_"
        self.enums = list(dict.fromkeys(re.findall(r"enum (softgt_\w+)\s*\{", header.declarations)))
        self.structs = list(dict.fromkeys(re.findall(r"struct (softgt_\w+)\s*\{", header.declarations)))
        self.imports: List[str] = []
        self.find_inputs()

    def kind(self, name: str):  # type: ignore[no-untyped-def]
        return self.ffi.typeof(name)  # type: ignore[attr-defined]

    def find_inputs(self) -> None:
        """Structs that the caller fills: they have functions or the caller's pointers, or are in one that has."""
        for _ in range(4):
            for struct in self.structs:
                fields = dict(self.kind("struct " + struct).fields or ())
                for name, field in fields.items():
                    t = field.type
                    if (t.kind == "pointer" and t.item.kind == "function" or name == "user"
                            or t.cname == "void *" and "size_bytes" not in fields
                            or t.kind == "struct" and t.cname[7:] in self.inputs):
                        self.inputs.add(struct)
                if struct in self.inputs:
                    self.inputs |= {f.type.cname[7:] for f in fields.values() if f.type.kind == "struct"}

    def python_name(self, tag: str) -> str:
        if tag in self.taken:
            module, name = self.taken[tag]
            if module != self.header.name:
                self.imports.append(f"from ._types_{module} import {name}, {self.maker(name)}")
            return name
        if tag in RENAMED:
            return RENAMED[tag]
        return camel(tag[len(self.drop):] if tag.startswith(self.drop) else tag[len("softgt_"):])

    @staticmethod
    def maker(name: str) -> str:
        return "_make_" + name

    def docstring(self, tag: str) -> str:
        return self.comments.of.get((tag, ""), "") or f"{'enum' if tag in self.enums else 'struct'} {tag}"

    def enum_text(self, tag: str) -> str:
        kind = self.kind("enum " + tag)
        body = re.search(rf"enum {tag}\s*\{{(.*?)\}}", self.header.declarations, re.S)[1]  # type: ignore[index]
        names = list(dict.fromkeys(n for n in re.findall(rf"\b(SOFTGT_{IDENTIFIER})", body) if n in kind.relements))
        return self.class_text(self.python_name(tag), self.docstring(tag), tag, {n: kind.relements[n] for n in names}, "<<" in body)

    def untagged(self) -> Iterator[Tuple[str, str]]:
        """(name, text) of the enumerations without a tag that NAMED has."""
        constants = self.ffi.dlopen(None)  # type: ignore[attr-defined]
        for comment, body in re.findall(r"(?:/\*((?:(?!\*/).)*)\*/\n)?enum \{\n(.*?)^\}", self.header.text, re.S | re.M):
            names = re.findall(rf"^ *(SOFTGT_{IDENTIFIER})", body, re.M)
            if member_prefix(names) in NAMED:
                name = NAMED[member_prefix(names)]
                Comments.read(self.comments, name, body)
                yield name, self.class_text(name, Comments.plain(comment), name, {n: getattr(constants, n) for n in names}, "<<" in body)

    def class_text(self, name: str, doc: str, tag: str, values: Dict[str, int], flags: bool) -> str:
        prefix = member_prefix(list(values))
        lines = [f"class {name}({'IntFlag' if flags else 'Enumeration'}):", f'    """{doc}"""', ""]
        if flags:  # masks of several
            values.update((n, int(v, 0)) for n, v in re.findall(rf"^#define ({prefix}\w+) (0x[0-9a-f]+|\d+)u?$", self.header.text, re.M))
        for member, value in values.items():
            comment = self.comments.of.get((tag, member))
            if comment:
                lines.append(f"    #: {comment}")
            lines.append(f"    {member[len(prefix):]} = {value}")
        lines += ["", "", f"_{name}_of: Dict[int, {name}] = {{m.value: m for m in {name}.__members__.values()}}", "", "",
                  f"def {self.maker(name)}(value: int) -> {name}:",
                  f"    return _{name}_of[value] if value in _{name}_of else {name}(value)"]
        return "\n".join(lines)

    def typed(self, tag: str, name: str, kind, fields):  # type: ignore[no-untyped-def]
        self.comment = self.comments.of.get((tag, name), "")
        return self.field(name, kind, fields)

    def field(self, name: str, kind: object, fields: Dict[str, object]) -> Optional[Tuple[str, str, str]]:
        """(annotation, default, expression) of a member."""
        k, value = kind, f"c.{name}"
        if k.kind == "primitive":  # type: ignore[attr-defined]
            if k.cname == "_Bool":  # type: ignore[attr-defined]
                return "bool", "False", value
            return ("float", "0.0", value) if k.cname in ("float", "double") else ("int", "0", value)  # type: ignore[attr-defined]
        if k.kind == "enum":  # type: ignore[attr-defined]
            enum = self.python_name(k.cname[5:])  # type: ignore[attr-defined]
            return enum, f"{enum}(0)", f"{self.maker(enum)}({value})"
        if k.kind == "struct":  # type: ignore[attr-defined]
            struct = self.python_name(k.cname[7:])  # type: ignore[attr-defined]
            return f"Optional[{struct}]", "None", f"{self.maker(struct)}({value})"
        if k.kind == "array":  # type: ignore[attr-defined]
            return self.array(name, k, fields)
        return self.pointer(name, k, fields)

    def array(self, name: str, k, fields: Dict[str, object]) -> Optional[Tuple[str, str, str]]:  # type: ignore[no-untyped-def]
        item, value = k.item, f"c.{name}"
        if item.cname == "char":
            return "str", '""', f"_text({value}) or ''"
        if item.kind == "primitive":
            python = "float" if item.cname in ("float", "double") else "int"
            return f"Tuple[{python}, ...]", "()", f"tuple({value})"
        if item.kind == "array" and item.item.kind == "primitive":
            python = "float" if item.item.cname in ("float", "double") else "int"
            return f"Tuple[Tuple[{python}, ...], ...]", "()", f"tuple(tuple(row) for row in {value})"
        if item.cname == "uint32_t *" and "length_dw" in fields:
            return "Tuple[Tuple[int, ...], ...]", "()", f"tuple(_dwords({value}[i], c.length_dw[i]) for i in range({k.length}))"
        if item.kind in ("struct", "enum"):
            inner = self.python_name(item.cname.split(" ")[1])
            return f"Tuple[{inner}, ...]", "()", f"tuple({self.maker(inner)}(item) for item in {value})"
        return None

    def pointer(self, name: str, k, fields: Dict[str, object]) -> Optional[Tuple[str, str, str]]:  # type: ignore[no-untyped-def]
        value = f"c.{name}"
        if k.kind != "pointer":
            return None
        if k.item.cname == "char":
            if self.comment.startswith('"') and "NULL" not in self.comment:
                return "str", '""', f"_text({value}) or ''"
            return "Optional[str]", "None", f"_text({value})"
        if k.item.cname == "uint32_t" and "length_dw" in fields:
            return "Tuple[int, ...]", "()", f"_dwords({value}, c.length_dw)"
        if k.item.cname == "void" and "size_bytes" in fields:
            return "bytes", 'b""', f"_bytes({value}, c.size_bytes)"
        if k.item.kind == "struct" and k.item.fields and k.item.cname[7:] not in self.inputs:
            struct = self.python_name(k.item.cname[7:])
            return f"Optional[{struct}]", "None", f"{self.maker(struct)}({value}) if {value} else None"
        return None

    def struct_text(self, tag: str) -> str:
        fields = {name: f.type for name, f in self.kind("struct " + tag).fields}
        name = self.python_name(tag)
        lines = ["@dataclass(repr=False)", f"class {name}(Struct):", f'    """{self.docstring(tag)}"""', ""]
        make = [f"def {self.maker(name)}(c: Any) -> {name}:", f"    return {name}("]
        texts = {member: self.typed(tag, member, kind, fields) for member, kind in fields.items()}
        used = {"length_dw" for t in texts.values() if t and "_dwords(" in t[2]} | {"size_bytes" for t in texts.values() if t and "_bytes(" in t[2]}
        for member, known in texts.items():
            if not known or member in used:
                continue
            comment = self.comments.of.get((tag, member))
            if comment:
                lines.append(f"    #: {comment}")
            lines.append(f"    {member}: {known[0]} = {known[1]}")
            make.append(f"        {member}={known[2]},")
        return "\n".join([*lines, "", "", *make, "    )"])

    def module(self) -> str:
        untagged = dict(self.untagged())
        parts = [self.enum_text(tag) for tag in self.enums] + list(untagged.values())
        wanted = [s for s in self.structs if s not in self.inputs]
        parts += [self.struct_text(tag) for tag in wanted]
        for tag in self.enums + wanted:
            self.taken.setdefault(tag, (self.header.name, self.python_name(tag)))
        head = [f'"""The enumerations and structs of softgt/{self.header.name}.h. Written by the build."""', "",
                "from __future__ import annotations", "", "from dataclasses import dataclass", "from enum import IntFlag",
                "from typing import Any, Dict, Optional, Tuple", "", "from ._struct import Enumeration, Struct, _bytes, _dwords, _text",
                *sorted(set(self.imports)), ""]
        exported = [self.python_name(tag) for tag in self.enums + wanted] + list(untagged)
        return "\n".join([*head, f"__all__ = {exported!r}", "", "", "\n\n\n".join(parts), ""]).replace("__all__ = []", "__all__: list = []")


def python_modules(headers: Sequence[Header], ffi: object) -> Dict[str, str]:
    """The text of softgt/_types_NAME.py for each header."""
    taken: Dict[str, Tuple[str, str]] = {}
    inputs: Set[str] = set()
    return {f"_types_{header.name}.py": Types(header, ffi, taken, inputs).module() for header in headers}
