#!/usr/bin/env python3
"""What pages show, runs: examples of man pages, of README.md and of the documents. examples.py SOFTGT SOURCE_DIR KERNEL_EXAMPLE LIBRARY SANITIZERS

A command runs in a folder that has the files that the pages speak of, and must end with status 0. One that cannot run here is in NOT_RUN, with
the reason; one that is in neither is a failure, as is a reason that no page needs any more."""
import lzma
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

number = failed = 0

# By how a command begins: why it does not run here.
NOT_RUN = {
    "make ": "it builds, tests or boots for minutes: each of these is a test of its own",
    "sudo apt install": "it installs",
    "apt install ./build/debs/": "it installs packages: packaging/check does so in a clean system",
    "tar xf softgt-": "it builds and installs: packaging/debs does so from the same tarball",
    "podman ": "it wants an image: packaging/check does the same in a chroot",
    "softgt desktop ": "it wants weston: tests/exec/desktop.py has it",
    "build/tools/softgt desktop ": "the same",
    "WAYLAND_DISPLAY=desk ": "the same",
    "python/": "it builds for Python: make check does it where cffi and numpy are",
    "PYTHONPATH=": "the same: a prompt",
    "softgt exec ": "it wants a driver's package: tests/exec runs such programs",
    "ANV_QUEUE_OVERRIDE=": "the same",
    "build/tools/softgt exec ": "the same",
    "build/tools/softgt serve ": "it waits for a guest: tests/guest has one",
    "qemu-system-x86_64 ": "a guest",
    "gdb ": "the same",
    "LOAD=/tmp/skl ": "the same",
    "DEVICE=skl ROUNDS=": "the same, and syzkaller",
    "DEVICE=dg2 DRIVER=xe KERNEL=forky tests/guest/draws": "the same: scripts/check draws in guests",
    "JOBS=4 CORPUS=": "it fuzzes for hours: make check plays the targets' seeds and finds",
    "build-fuzz/": "the same",
    "clang -DFUZZING ": "it wants an installed library and libFuzzer: the same program is compiled and run without",
    "tests/exec/forky ": "it wants packages of another suite: tests/exec/opencl.py runs it",
    "meson test -C build-gcc": "it is what runs this",
    "softgt tbx ": "it waits for a client: tests/bad/tbx.py is one",
    "NEOReadDebugKeys=": "it wants Intel's runtime: tests/exec/tbx.py has it",
    "softgt serve ": "the same: tests/bad/clients.py has some",
    "softgt functions ": "it needs a server: tests/bad/cli.py has one",
    "softgt control ": "the same: tests/bad/control.py has one",
    "softgt debug --connect ": "the same: tests/bad/debugger.py has one",
    "softgt draws frame.aub --pixel ": "it wants draws with render targets: tests/golden/draws.py has some",
    "scripts/slurm/": "it wants a cluster: make check-slurm has one",
    "softgt run --trace commands x.aub": "the trace of a program that wants a driver's package",
}
unused = set(NOT_RUN)


def result(good, name, why=""):
    global number, failed
    number += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {number} - {name}" + ("\n# " + "\n# ".join(why.splitlines()[-8:]) if why and not good else ""), flush=True)


def man_examples(page):
    """Blocks between .EX and .EE, and .nf and .fi, as a reader sees them."""
    for block in re.findall(r"^\.(?:EX|nf)\n(.*?)^\.(?:EE|fi)", page.read_text(), re.S | re.M):
        yield re.sub(r"\\(.)", lambda m: "\\" if m[1] == "e" else m[1], block)


def markdown_examples(page):
    """Indented blocks, and those between fences."""
    text = page.read_text()
    yield from re.findall(r"^```\w*\n(.*?)^```", text, re.S | re.M)
    for block in re.findall(r"(?:^    .*\n|^\n(?=    ))+", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M), re.M):
        yield re.sub(r"^    ", "", block, flags=re.M)


COMMAND = re.compile(r"^(?:[A-Z_]\w*=\S+ )*(?:(?:softgt|printf|echo|PROGRAM|make|sudo|qemu-system|cc|clang|meson|ninja|jq|gdb|python3?|pip|apt|tar|docker|podman)\b|(?:build[\w-]*|scripts|tests|bench)/).*")


def shell_lines(block):
    """The lines of a block, those that a backslash or a quote continues joined."""
    lines = []
    for line in re.sub(r"\\\n\s*", "", block).splitlines():
        if lines and lines[-1].count("'") % 2:
            lines[-1] += " " + line.strip()
        else:
            lines.append(line)
    return lines


def commands(block):
    """The command lines of a block, as a shell takes them."""
    found = []
    for line in shell_lines(block):
        if COMMAND.match(line) and not re.match(r"(?:softgt|make|cc|meson|python3?): ", line):
            found.append(re.sub(r"\s+#.*$", "", line).removesuffix(" | less"))
        elif line.startswith("(softgt) ") and found:  # what is typed at the prompt of the command above
            found[-1] = found[-1].removesuffix("END") + ("" if found[-1].endswith("END") else " <<'END'\n") + line.removeprefix("(softgt) ") + "\nEND"
    return found


def prepare(folder, softgt, source, kernel):
    """The files that pages speak of. Without a kernel's runner `kernel` there is none."""
    (folder / "build/tools").mkdir(parents=True)
    (folder / "build/examples").mkdir()
    (folder / "bin").mkdir()
    (folder / "examples").symlink_to((source / "examples").resolve())
    for at, to in (("build/tools/softgt", softgt), ("bin/softgt", softgt), ("build/examples/kernel", kernel)):
        if to:
            (folder / at).symlink_to(to)
    shutil.copy(source / "examples/hello.gts", folder)
    subprocess.run([softgt, "asm", "-q", "examples/hello.gts", "-o", "hello.aub"], cwd=folder, check=True)
    subprocess.run([softgt, "asm", "-q", "examples/blits.gts", "-o", "blits.aub"], cwd=folder, check=True)
    for name, trace in (("trace", "blits"), ("gears", "hello")):
        subprocess.run(f"xz -c {trace}.aub >{name}.aub.xz", shell=True, cwd=folder, check=True)
    subprocess.run([softgt, "asm", "-q", source.resolve() / "tests/rule/draw.gts", "-o", "frame.aub"], cwd=folder, check=True)
    (folder / "traces").mkdir()
    shutil.copy(folder / "trace.aub.xz", folder / "traces")
    (folder / "find.txt").write_text("step\nwhere\n")
    (folder / "error.txt").write_bytes(lzma.open(source / "tests/error_states/skl-i915-6.12.txt.xz").read())
    (folder / "batch.bin").write_bytes(bytes(16) + (0x05000000).to_bytes(4, "little"))
    (folder / "in.bin").write_bytes(bytes(1024))
    shutil.copy(source / "examples/kernel.bin", folder)


def shell(folder, command):
    return subprocess.run(["bash", "-c", "set -o pipefail; " + command], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
                          env=os.environ | {"PATH": f"{folder}/bin:{os.environ['PATH']}"})


def play(folder, name, block):
    """A block of a page: commands, a program in the text form, or one in C."""
    block = block.lstrip("\n")
    if block.startswith("#include") and sanitized:
        result(True, f"{name}: the program in C # SKIP the library needs its sanitizers")
        return
    if block.startswith("#include"):
        (folder / "example.c").write_text(block)
        done = subprocess.run(["sh", "-c", f"cc -std=c11 -Wall -Werror -I{(source / 'include').resolve()} example.c -o example {library} -Wl,-rpath,{library.parent} && ./example"],
                              cwd=folder, capture_output=True, text=True, timeout=60)
        result(done.returncode == 0 and done.stdout == ("42\n" if "/* 42 */" in block else ""), f"{name}: the program in C", done.stdout + done.stderr)
        return
    if re.match(r"device \w+\n", block):
        (folder / "example.gts").write_text(block)
        done = subprocess.run([softgt, "run", "example.gts"], cwd=folder, capture_output=True, text=True, timeout=60)
        result(done.returncode == 0, f"{name}: the program", done.stdout + done.stderr)
        return
    strange = COMMAND.match(block) and [line for line in shell_lines(block) if line and not COMMAND.match(line) and not line.startswith(("(softgt) ", "#"))]
    if strange:
        result(False, f"{name}: a command line that no test runs: {strange[0]}")
    for command in commands(block):
        reason = max((r for r in NOT_RUN if command.startswith(r)), key=len, default=None)
        if reason:
            unused.discard(reason)
            continue
        if "jq" in command and not shutil.which("jq"):
            result(True, f"{name}: {command} # SKIP jq is not installed")
            continue
        done = shell(folder, command)
        result(done.returncode == 0 and (done.stdout or re.search(r" -o | -q|>\w|select\(", command)), f"{name}: {'; '.join(command.splitlines())}", done.stdout + done.stderr)


if __name__ == "__main__":
    softgt, source, kernel, library = map(pathlib.Path, sys.argv[1:5])
    sanitized = sys.argv[5] != "none"
    softgt, kernel, library = softgt.resolve(), kernel.resolve(), library.resolve()
    sys.path.insert(0, str(source / "scripts/site"))
    import chapters
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        prepare(folder, softgt, source, kernel)
        for page in sorted((source / "man").glob("*.[15]")):
            for block in man_examples(page):
                play(folder, page.name, block)
        for page in (source / path for path in chapters.pages(source)):
            for block in markdown_examples(page):
                play(folder, page.name, block)
    result(not unused, "each reason not to run something is needed", ", ".join(unused))
    print(f"1..{number}")
    sys.exit(failed != 0)
