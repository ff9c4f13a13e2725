#!/usr/bin/env python3
"""What tests/guest/run refuses before it downloads or boots anything. guest.py SOURCE"""
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

guest = pathlib.Path(sys.argv[1]) / "tests/guest"
failed = 0


def refused(name, words, program="run", arguments=(), **settings):
    global failed
    env = {"PATH": os.environ["PATH"], "SOFTGT_CACHE": str(folder / "cache"), "SOFTGT_MIRROR": "http://127.0.0.1:9/none", **{key: str(value) for key, value in settings.items()}}
    done = subprocess.run([guest / program, *arguments], capture_output=True, text=True, timeout=60, check=False, env=env)
    good = done.returncode == 2 and words in done.stderr and done.stderr.count("\n") == 1 and not done.stdout and not (folder / "cache").exists()
    failed += not good
    print(f"{'ok' if good else 'FAILED'}  {name}" + ("" if good else f": {done.returncode}, {done.stdout}{done.stderr}"))


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    kernel, tree, text, elf, nameless = folder / "bzImage", folder / "tree", folder / "text", folder / "vmlinux", folder / "nameless"
    image = bytearray(4096)
    image[514:518] = b"HdrS"
    nameless.write_bytes(image)
    struct.pack_into("<H", image, 526, 1024)
    image[1536:1570] = b"6.1.2-own (us@here) #1 SMP".ljust(34, b"\0")
    kernel.write_bytes(image)
    nothing = folder / "nothing"
    nothing.touch()
    text.write_text("a text\n" * 100)
    elf.write_bytes(b"\x7fELF" + bytes(4096))
    (tree / "lib/modules/6.1.3").mkdir(parents=True)
    empty = folder / "empty"
    empty.mkdir()

    refused("a kernel that is not there", "neither a file nor bullseye", KERNEL=folder / "none")
    refused("a folder", "is not a file", KERNEL=folder)
    refused("a text", "is not a bzImage", KERNEL=text)
    refused("an empty file", "is not a bzImage", KERNEL=nothing)
    refused("a vmlinux", "QEMU boots the bzImage", KERNEL=elf)
    refused("a kernel without version", "does not say its version", KERNEL=nameless)
    refused("no folder of modules", "is not a folder", KERNEL=kernel, MODULES=folder / "none")
    refused("modules of another version", "has modules of 6.1.3, but", KERNEL=kernel, MODULES=tree)
    refused("a folder without modules", "no folder lib/modules/6.1.2-own", KERNEL=kernel, MODULES=empty)
    (tree / "lib/modules/6.1.2-own").mkdir()
    refused("modules without an index", "has no modules.dep", KERNEL=kernel, MODULES=tree)
    (tree / "lib/modules/6.1.2-own/modules.dep").write_text("kernel/drivers/gpu/drm/i915/i915.ko:\n")
    refused("a driver that is not there", "has no module xe", KERNEL=kernel, MODULES=tree, DRIVER="xe", DEVICE="dg2")
    refused("modules for Debian's kernel", "for a kernel of your own", MODULES=tree)
    refused("no initrd", "INITRD=", KERNEL=kernel, INITRD=folder / "none")
    refused("no disk", "DISK=", DISK=folder / "none")
    refused("the kernel of no disk", "needs DISK", KERNEL="disk")
    refused("an initrd for a disk's kernel", "not for KERNEL=disk", KERNEL="disk", DISK=text, INITRD=text)
    refused("no share", "is not a folder", SHARE=folder / "none")
    refused("nothing to wait for", "needs GDB", GDB_WAIT="1")
    refused("no snapshot", "holds no snapshot", LOAD=empty)
    refused("a snapshot of a userland", "without USERLAND", SAVE=folder / "s", USERLAND="mesa")
    refused("of a disk", "without DISK", SAVE=folder / "s", DISK=text)
    refused("of functions", "without FUNCTIONS", SAVE=folder / "s", FUNCTIONS="2")
    refused("of an own initrd", "without INITRD", SAVE=folder / "s", INITRD=text)
    refused("with a shell", "not with RUN=shell", SAVE=folder / "s", RUN="gem_exec_basic shell")
    refused("with too many tests", "a line of up to 3500", SAVE=folder / "s", RUN="gem_exec_basic " * 400)
    refused("no syzkaller", "syz-execprog is not there", program="syzkaller", arguments=[empty])
sys.exit(failed != 0)
