#!/usr/bin/env python3
"""The source as a whole: every place that says the version says the same, and make dist gives the same bytes with git and without it.

Each installed file is in a Debian package, too.

source.py ROOT BUILD"""
import fnmatch
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tap

root, build = map(pathlib.Path, sys.argv[1:])
result = tap.Results()


def first(path, pattern):
    found = re.search(pattern, (root / path).read_text(), re.M)
    return found and found[1]


# ---- Versions ----

version = first("meson.build", r"^  version: '([^']+)'")
header = (root / "include/softgt/softgt.h").read_text()
result(version == ".".join(re.findall(r"^#define SOFTGT_VERSION_(?:MAJOR|MINOR|PATCH) +(\d+)", header, re.M)), "softgt.h has the version of meson.build")
result(version == first("CHANGELOG.md", r"^## (\d[^ ]*)"), "the newest release in CHANGELOG.md is it")
debian = first("debian/changelog", r"^softgt \(([^)]+)\)")
result(re.fullmatch(re.escape(version) + r"(~rc\d+)?-\d+", debian), "debian/changelog is of it", f"{debian}, not {version}-1")
pages = {page.name: first(page, r'^\.TH \S+ \d \S+ "softgt ([^"]*)"') for page in sorted(root.glob("man/*.[1-9]"))}
result(pages and set(pages.values()) == {version}, "all manual pages name it", {p: v for p, v in pages.items() if v != version})
for path, pattern in (("python/pyproject.toml", r'^version = "([^"]+)"'), ("python/meson.build", r"^  version: '([^']+)'")):
    if (root / path).exists() and (said := first(path, pattern)):
        result(said == version, f"{path} has it", said)

# ---- Debian packages ----

options = {o["name"]: o["value"] for o in json.loads(subprocess.check_output(["meson", "introspect", build, "--buildoptions"]))}
installed = {str(pathlib.Path("usr") / pathlib.Path(path).relative_to(options["prefix"]))
             for path in json.loads(subprocess.check_output(["meson", "introspect", build, "--installed"])).values()}
installed = {re.sub("^usr/" + re.escape(options["libdir"]), "usr/lib/TRIPLET", path) for path in installed}
patterns = {line.split()[0]: file.name for file in root.glob("debian/*.install") for line in file.read_text().splitlines()
            if not line.startswith("obj-")}  # the site, which meson does not install


def packaged(path, pattern):
    return any(fnmatch.fnmatchcase(part, pattern) for part in [path, *map(str, pathlib.PurePath(path).parents)])


lost = sorted(path for path in installed if not path.startswith("usr/share/doc/") and not any(packaged(path, p) for p in patterns))
result(not lost, "each installed file is in a Debian package", f"in no debian/*.install: {lost}")
# meson does not list links of libraries, and which packages were found decides on some files.
unused = sorted(f"{file}: {p}" for p, file in patterns.items() if not any(packaged(path, p) for path in installed) and ".so" not in p)
result(not unused, "debian/*.install name only what is installed", unused)
packages = set(re.findall(r"^Package: (.*)$", (root / "debian/control").read_text(), re.M))
strangers = sorted(file.name for file in (root / "debian").glob("*.*") if file.suffix in (".install", ".symbols", ".doc-base", ".docs", ".examples") and file.stem not in packages)
result(not strangers, "debian/control has a package for each of its files", strangers)
missing = sorted(package for package in packages if f"`{package}`" not in (root / "docs/packages.md").read_text())
result(not missing, "docs/packages.md has all packages", missing)

# ---- make dist ----


def without_git(folder):
    """A PATH with all that is on ours but git."""
    for place in os.environ["PATH"].split(":"):
        for program in pathlib.Path(place).iterdir() if pathlib.Path(place).is_dir() else []:
            if not program.name.startswith("git") and not os.path.lexists(folder / program.name):
                (folder / program.name).symlink_to(program)
    return str(folder)


def dist(source, out, **environment):
    said = subprocess.run([source / "scripts/dist", out], capture_output=True, text=True, env=os.environ | environment, check=False)
    return pathlib.Path(said.stdout.strip() or "/none"), said.stdout + said.stderr


with tempfile.TemporaryDirectory() as scratch:
    scratch = pathlib.Path(scratch)
    made, said = dist(root, scratch / "one", XZ_OPT="-0")
    result(made.is_file() and made.name == f"softgt-{version}.tar.xz", "make dist writes a tarball named by the version", said)
    if made.is_file():
        (scratch / "path").mkdir()
        old = os.umask(0o077)
        subprocess.run(["tar", "-xf", made, "-C", scratch], check=True)
        unpacked = scratch / f"softgt-{version}"
        again, said = dist(unpacked, scratch / "two", PATH=without_git(scratch / "path"), XZ_OPT="-0", TZ="Pacific/Kiritimati", LC_ALL="C")
        os.umask(old)
        sums = [hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else said for file in (made, again)]
        result(sums[0] == sums[1], "unpacked, it writes the same bytes without git, with another umask and time zone", sums)
        (unpacked / "build-gcc").mkdir()
        (unpacked / "build-gcc/made.c").write_text("")
        listed = [subprocess.check_output([source / "scripts/files", *patterns], text=True) for patterns in ([], ["*.c", "man"], ["src/*.h"])
                  for source in (root, unpacked)]
        result(all(a and a == b for a, b in zip(listed[::2], listed[1::2])), "scripts/files lists the same there")
        missing = [name for name in ("LICENSE", "meson.build", "debian/rules", "examples/hello.gts") if not (unpacked / name).is_file()]
        result(not missing and not (unpacked / ".git").exists(), "what a build needs is in it", missing)
result.end()
