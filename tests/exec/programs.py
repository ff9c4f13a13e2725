#!/usr/bin/env python3
"""Programs as Debian packages them, on softgt exec: programs.py SOFTGT [DRIVER/DEVICE...]     (neo/skl rusticl/skl rusticl/icl gl/skl gl/tgl gl/dg2)

hashcat finds a word by its hash, which Python's library computed, in each of the modes below; its own self-test comes first. With rusticl also
piglit's OpenCL kernel files (cl-program-tester), but for those that are known to fail, each with its cause. PARTS="hashcat piglit clpeak" says which (without it
all but clpeak, whose work is counted in units of execution: 35 TFLOP on skl, hours), MODES="0 100" and FILES=REGEX narrow them. With gl, piglit's OpenGL
tests by iris or crocus: one of EVERY (40) from OFFSET (0) on whose names match FILES; what fails is run by llvmpipe, too. With chromium the pages of chromium.py, by OpenGL
and Vulkan, of which PAGES=REGEX chooses. What each program printed lies in build/programs/. Skipped where the packages
cannot be had (tests/exec/packaged)."""
import binascii
import concurrent.futures
import hashlib
import hmac
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

import piglit_gl

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import crypt

softgt, targets = sys.argv[1], sys.argv[2:] or ["neo/skl", "rusticl/skl", "rusticl/icl", "gl/skl", "gl/tgl", "gl/dg2"]
packaged = pathlib.Path(__file__).parent / "packaged"
out = pathlib.Path(__file__).parents[2] / "build" / "programs"
parts = os.environ.get("PARTS", "hashcat piglit").split()
word = b"software"
salt = "343141"
essid, ap, station = b"softgt", bytes(range(6)), bytes(range(6, 12))


def plain(name):
    return hashlib.new(name, word).hexdigest()


def pmkid():
    key = hashlib.pbkdf2_hmac("sha1", word, essid, 4096, 32)
    of = hmac.new(key, b"PMK Name" + ap + station, "sha1").hexdigest()[:32]
    return f"WPA*01*{of}*{ap.hex()}*{station.hex()}*{essid.hex()}***"


modes = {
    "0": ("MD5", plain("md5")),
    "10": ("MD5 with salt", f"{hashlib.md5(word + salt.encode()).hexdigest()}:{salt}"),
    "100": ("SHA1", plain("sha1")),
    "300": ("SHA1 of SHA1", hashlib.sha1(hashlib.sha1(word).digest()).hexdigest()),
    "500": ("md5crypt", crypt.crypt(word.decode(), "$1$38652870")),
    "1000": ("NTLM", "092b9cce88f0d34987b5e7dcecd031dc"),
    "1300": ("SHA-224", plain("sha224")),
    "1400": ("SHA-256", plain("sha256")),
    "1700": ("SHA-512", plain("sha512")),
    "1800": ("sha512crypt", crypt.crypt(word.decode(), "$6$rounds=1000$72820166")),
    "2600": ("MD5 of MD5", hashlib.md5(hashlib.md5(word).hexdigest().encode()).hexdigest()),
    "10800": ("SHA-384", plain("sha384")),
    "11500": ("CRC-32", f"{binascii.crc32(word):08x}:00000000"),
    "17600": ("SHA3-512", plain("sha3_512")),
    "22000": ("WPA", pmkid()),
}

known = {
    "builtin-long-sub_sat-1.0.generated.cl": "Mesa halves -2^63 by a logical shift",
    "builtin-float-nextafter-1.0.generated.cl": "Mesa flushes what is denormal, on every driver",
    "vector-data-types.cl": "asks for double without looking whether it is there",
    "vector-conversion.cl": "Mesa's library lacks a conversion, on every driver",
}
number = failed = 0


def result(good, name, why=""):
    global number, failed
    number += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {number} - {name}", flush=True)
    if not good:
        print("#", "\n# ".join(why.splitlines()[-12:]), flush=True)


def run(driver, device, log, *command, timeout=1200):
    """Its status and what it printed, which is kept; None: it took too long."""
    log = out / f"{driver}-{device}" / log
    log.parent.mkdir(parents=True, exist_ok=True)
    try:
        with open(log, "w") as to:
            status = subprocess.run([packaged, driver, softgt, "exec", "--device", device, *command], stdin=subprocess.DEVNULL, stdout=to,
                                    stderr=subprocess.STDOUT, timeout=timeout).returncode
    except subprocess.TimeoutExpired:
        status = None
    return status, log.read_text(errors="replace")


def crack(driver, device, home, mode):
    name, of = modes[mode]
    status, told = run(driver, device, f"hashcat-{mode}.txt", "env", f"HOME={home}", f"XDG_DATA_HOME={home}", f"XDG_CACHE_HOME={home}", "hashcat", "-m", mode, "-a", "3",
                       "--force", "-n", "1", "-u", "1", "-T", "64", "-w", "1", "--potfile-disable", "--restore-disable", of, word.decode()[:-1] + "?l")
    result(status == 0 and re.search(f":{word.decode()}$", told, re.M) and "1/1 (100.00%)" in told and ", 0 hung" in told, f"hashcat {mode} ({name}) by {driver} on {device}", told)


def piglit(driver, device):
    root = pathlib.Path(subprocess.run([packaged, driver, "sh", "-c", "cd /usr/lib/*/piglit && pwd"], capture_output=True, text=True).stdout.strip())
    listed = subprocess.run([packaged, driver, "find", root / "tests/cl/program", root / "generated_tests/cl", "-name", "*.cl"], capture_output=True, text=True).stdout
    files = sorted(file for file in listed.split() if re.search(os.environ.get("FILES", ""), file))

    def one(file):
        return run(driver, device, pathlib.Path(file).name + ".txt", root / "bin/cl-program-tester", file, timeout=600)

    counts = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for file, (status, told) in zip(files, pool.map(one, files)):
            name = pathlib.Path(file).name
            said = (re.findall(r'^PIGLIT: \{"result": "(\w+)"', told, re.M) or ["crash"])[-1] if status is not None else "timeout"
            counts[said] = counts.get(said, 0) + 1
            if said not in ("pass", "skip") and name not in known:
                result(False, f"piglit {name} by {driver} on {device}: {said}", told)
    result(bool(files) and counts.get("pass", 0) > counts.get("skip", 0), f"piglit's {len(files)} kernel files by {driver} on {device}: {counts}", str(counts))


for target in targets:
    driver, device = target.split("/")
    if driver == "chromium":
        done = subprocess.run([pathlib.Path(__file__).parent / "chromium.py", softgt, f"gl/{device}", f"vulkan/{device}"], capture_output=True, text=True)
        if done.returncode == 77:
            number += 1
            print(f"ok {number} - {target} # SKIP Chromium is not installed")
        for good, name in re.findall(r"^(ok|not ok) \d+ - (.*)$", done.stdout, re.M):
            result(good == "ok", name, done.stdout)
        continue
    if subprocess.run([packaged, driver, "true"]).returncode == 77:
        number += 1
        print(f"ok {number} - {target} # SKIP the packages are not there")
        continue
    if "hashcat" in parts and driver != "gl":
        with tempfile.TemporaryDirectory() as home:  # what modes share is compiled once
            for mode in os.environ.get("MODES", " ".join(modes)).split():
                crack(driver, device, home, mode)
    if "piglit" in parts and driver == "rusticl":
        piglit(driver, device)
    if "piglit" in parts and driver == "gl":
        piglit_gl.run(packaged, softgt, device, out / f"gl-{device}", result, int(os.environ.get("EVERY", "40")), int(os.environ.get("OFFSET", "0")),
                      os.environ.get("FILES", ""))
    if "clpeak" in parts and driver != "gl":
        status, told = run(driver, device, "clpeak.txt", "clpeak", timeout=None)
        result(status == 0 and "skipped\n" not in told and ", 0 hung" in told, f"clpeak by {driver} on {device}", told)
print(f"1..{number}")
sys.exit(failed != 0)
