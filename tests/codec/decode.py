"""Streams that the encoder made are decoded by ffmpeg, which knows nothing of us, to what the encoder reconstructed.
decode.py ENCODE FIRST LAST"""
import os, shutil, subprocess, sys, tempfile


def main():
    encode, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    if not shutil.which("ffmpeg"):
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        stream, picture = os.path.join(folder, "stream.264"), os.path.join(folder, "reconstructed.yuv")
        for seed in range(first, last):
            what = subprocess.run([encode, str(seed), folder], check=True, capture_output=True, text=True).stdout.strip()
            decoded = subprocess.run(["ffmpeg", "-v", "error", "-xerror", "-err_detect", "explode", "-i", stream, "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"],
                                     capture_output=True, timeout=60)
            with open(picture, "rb") as f:
                expected = f.read()
            if decoded.stdout != expected or decoded.stderr:
                failed += 1
                where = next((i for i, (a, b) in enumerate(zip(decoded.stdout, expected)) if a != b), len(decoded.stdout))
                print(f"seed {seed}: {what}: {len(decoded.stdout)} of {len(expected)} bytes, differs at {where}: {decoded.stderr.decode()[:300]}")
    return 1 if failed else 0


sys.exit(main())
