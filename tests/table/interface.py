#!/usr/bin/env python3
"""interface.py ROOT BUILD: what programs see of the libraries: symbols, types and constants (scripts/abi), headers in C and C++.

What would break a program is seen to fail on a small library that changes; what softgt.h allows is not."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tap
from abi_script import abi

root, build = (pathlib.Path(p).resolve() for p in sys.argv[1:])
result = tap.Results()


# ---- The libraries ----

for name in abi.LIBRARIES:
    try:
        abi.symbols(build, name)
        result(True, f"lib{name}: headers, version script and library have the same functions")
    except abi.Failed as why:
        result(False, f"lib{name}: headers, version script and library have the same functions", str(why))
done = subprocess.run([root / "scripts/abi", "check", build], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
if done.returncode == 77:
    result.skip("programs of the last release run", done.stdout.removeprefix("skipped: ").strip())
else:
    result(done.returncode == 0, "programs of the last release run", done.stdout)

# ---- A library that changes ----

HEADER = """
#include <stdbool.h>
#include <stddef.h>
#define SOFTGT_API __attribute__((visibility("default")))
enum softgt_tiling { SOFTGT_TILE_LINEAR, SOFTGT_TILE_X, SOFTGT_TILE_Y };
struct softgt_config { const char *device; unsigned functions; bool timing; };
struct softgt_memory_port { void *user; bool (*read)(void *user, unsigned long at); };
struct softgt;
SOFTGT_API int softgt_create_sized(const struct softgt_config *config, size_t config_bytes, struct softgt **device);
SOFTGT_API void softgt_destroy(struct softgt *device);
SOFTGT_API bool softgt_port(struct softgt *device, const struct softgt_memory_port *port, enum softgt_tiling tiling);
"""
SOURCE = """
struct softgt { int private_member; };
int softgt_create_sized(const struct softgt_config *config, size_t config_bytes, struct softgt **device) { return 0; }
void softgt_destroy(struct softgt *device) {}
bool softgt_port(struct softgt *device, const struct softgt_memory_port *port, enum softgt_tiling tiling) { return false; }
"""
CHANGES = [  # (what, breaks programs, from, to): in header and source
    ("nothing", False, "", ""),
    ("a new function", False, "bool softgt_port(", "void softgt_new(void); PUT bool softgt_port("),
    ("a private member", False, "int private_member", "long private_member"),
    ("a new enumerator at the end", False, "SOFTGT_TILE_Y", "SOFTGT_TILE_Y, SOFTGT_TILE_4"),
    ("a new member at the end of a struct with a size", False, "bool timing;", "bool timing; long more;"),
    ("two new members at the end of a struct with a size", False, "bool timing;", "bool timing; long more; struct softgt *another;"),
    ("a new member in the padding of a struct with a size", True, "bool timing;", "bool timing, more;"),
    ("a function is gone", True, "void softgt_destroy(struct softgt *device)", "static inline void softgt_gone(struct softgt *device)"),
    ("a parameter's type", True, "size_t config_bytes", "unsigned config_bytes"),
    ("a new parameter", True, "destroy(struct softgt *device", "destroy(struct softgt *device, int how"),
    ("a result's type", True, "void softgt_destroy", "long softgt_destroy"),
    ("members in another order", True, "const char *device; unsigned functions;", "unsigned functions; const char *device;"),
    ("a member is gone", True, "unsigned functions; bool timing;", "bool timing;"),
    ("a member of another type", True, "unsigned functions;", "unsigned long functions;"),
    ("a member of another type, and a new one at the end", True, "unsigned functions; bool timing;", "unsigned long functions; bool timing; long more;"),
    ("a new member at the start of a struct with a size", True, "{ const char *device;", "{ long more; const char *device;"),
    ("a new member of a struct without a size", True, "unsigned long at);", "unsigned long at); void *more;"),
    ("a callback's parameter", True, "unsigned long at", "unsigned at"),
    ("a new enumerator in the middle", True, "SOFTGT_TILE_X,", "SOFTGT_TILE_W, SOFTGT_TILE_X,"),
    ("an enumerator is gone", True, "SOFTGT_TILE_X, ", ""),
]


def changed(folder, before, after):
    """The interface of the small library after a change."""
    code = [text.replace(before, after) if before else text for text in (HEADER, SOURCE)]
    (folder / "small.h").write_text(code[0].replace("PUT ", "SOFTGT_API "))
    (folder / "small.c").write_text('#include "small.h"\n' + code[1].replace("; PUT ", " {} "))
    abi.run("cc", "-shared", "-fPIC", "-g", "-O0", "-w", "-fvisibility=hidden", folder / "small.c", "-o", folder / "libsmall.so")
    abi.dump(folder / "libsmall.so", folder / "new.abi", folder)
    return folder / "new.abi"


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    if not shutil.which("abidiff"):
        result.skip("changes that break programs are found", "abidiff is not installed (abigail-tools)")
    else:
        shutil.move(changed(folder, "", ""), folder / "old.abi")
        for what, breaks, before, after in CHANGES:
            if before:
                assert before in HEADER + SOURCE, before
            said = abi.compare(folder / "old.abi", changed(folder, before, after))
            result(bool(said) == breaks, f"{what}: {'breaks' if breaks else 'does not break'} programs", said or "nothing is found")

# ---- Constants ----

if shutil.which("cc"):
    values = abi.constants()
    stored = abi.constants_text(values)
    name = next(n for n in values if n not in abi.GROWING)
    result(not abi.changed_constants(stored, {**values, "SOFTGT_NEW": 7}), "a new constant does not break programs")
    result(name in abi.changed_constants(stored, {**values, name: values[name] + 1}), "a constant with another value breaks programs")
    result("gone" in abi.changed_constants(stored, {n: v for n, v in values.items() if n != name}), "a constant that is gone breaks programs")

# ---- Headers ----

headers = [header for all_of in abi.LIBRARIES.values() for header in all_of]
both = [headers, headers[::-1]] + [[header] for header in headers]
strict = ["-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wundef", "-Werror", "-fsyntax-only", f"-I{root / 'include'}", "-"]
for compiler, language, more in [("gcc", "c", ["-std=c11", "-Wc++-compat", "-Wstrict-prototypes"]), ("gcc", "c", ["-std=gnu17"]), ("g++", "c++", ["-std=c++17"]),
                                 ("clang", "c", ["-std=c11", "-Wdocumentation"]), ("clang++", "c++", ["-std=c++17"])]:
    name = f"headers compile as {more[0][5:]} with {compiler}"
    if not shutil.which(compiler):
        result.skip(name, f"{compiler} is not installed")
        continue
    said = ""
    for order in both:
        text = "".join(f"#include <{header}>\n" for header in order)
        done = subprocess.run([compiler, "-x", language, *more, *strict], input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said += done.stdout if done.returncode else ""
    result(not said, name, said)


def macros(text):
    out = subprocess.run(["cc", "-dM", "-E", "-x", "c", f"-I{root / 'include'}", "-"], input=text, stdout=subprocess.PIPE, text=True).stdout
    return {line.split()[1].split("(")[0] for line in out.splitlines()}


system = "".join(f"#include <{h}>\n" for h in ("stdbool.h", "stddef.h", "stdint.h"))
others = {m for m in macros("".join(f"#include <{h}>\n" for h in headers)) - macros(system) if not m.startswith("SOFTGT_")}
result(not others, "macros of the headers begin with SOFTGT_", " ".join(others))
code = "\n".join(abi.code_of((root / "include" / h).read_text()) for h in headers)
types = set(re.findall(r"\b(?:struct|enum|union) (softgt\w*)", code))
result(abi.GROWING_STRUCTS <= types, "structs that grow are in the headers", " ".join(abi.GROWING_STRUCTS - types))
same = types & set(re.findall(r"\b(softgt_\w+)\(", code))
result(not same, "no function has the name of a type: in C++ it would hide it", " ".join(same))
result.end()
