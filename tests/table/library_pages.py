#!/usr/bin/env python3
"""library_pages.py ROOT PAGES: softgt(3) and its like: each public function and struct has a page, each page is sound."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tap
from abi_script import abi

root, pages = (pathlib.Path(p).resolve() for p in sys.argv[1:])
result = tap.Results()


def shown(name):
    """The page of a name, through its link."""
    path = pages / f"{name}.3"
    text = path.read_text() if path.exists() else ""
    link = re.fullmatch(r"\.so man3/(.*)\n", text)
    return (pages / link[1]).read_text() if link and (pages / link[1]).exists() else text


texts = {p.name: p.read_text() for p in sorted(pages.glob("*.3"))}
headers = [h for all_of in abi.LIBRARIES.values() for h in all_of]
functions = abi.header_functions(headers) | {n.removesuffix("_sized") for n in abi.header_functions(headers)}
missing = {n for n in functions if f"{n}(" not in shown(n)}
result(not missing, f"{len(functions)} functions have a page with their prototype", " ".join(sorted(missing)))
code = "\n".join(abi.code_of((root / "include" / h).read_text()) for h in headers)
types = set(re.findall(r"\b(?:struct|enum|union) (softgt_\w+) \{", code))
missing = {n for n in types if n not in shown(n)}
result(not missing, f"{len(types)} types have a page", " ".join(sorted(missing)))
missing = [f"{page}: {constant}" for page, constant in (
    ("softgt_decode", "SOFTGT_DECODE_GTS"), ("softgt_decoder_create", "SOFTGT_DECODER_FOLLOW"), ("softgt_decoder_command", "SOFTGT_DECODED_CUT"),
    ("softgt_row_get_info", "SOFTGT_MESSAGE_FROM_VF"), ("softgt_ggtt_map", "SOFTGT_GGTT_LOCAL"), ("softgt_timeline_create", "SOFTGT_TIMELINE_COMMANDS"),
    ("softgt_play", "SOFTGT_PLAY_FAILED"), ("softgt_spec_operation", "SOFTGT_OPERATION_NOT")) if f"\n\\fB{constant}" not in shown(page)]
result(not missing, "pages of functions have the constants that they take and return", " ".join(missing))
overviews = ["softgt" if pathlib.Path(h).stem == "softgt" else f"softgt_{pathlib.Path(h).stem}" for h in headers]
missing = {n for n in functions if not n.endswith("_sized") and not any(f".BR {n} (3)" in shown(o) for o in overviews)}
result(not missing, "the overviews list all functions", " ".join(sorted(missing)))
for section in ("SYNOPSIS", "DESCRIPTION", "RETURN VALUE", "SEE ALSO"):
    bad = [n for n in functions if f"\n.SH {section}\n" not in shown(n)]
    result(not bad, f"pages of functions have {section}", " ".join(bad))
bad = [o for o in overviews if "\n.SH EXAMPLES\n" not in shown(o)]
result(not bad, "overviews have an example", " ".join(bad))
broken = [f"{n}: {r}" for n, t in texts.items() for r in re.findall(r"(softgt_\w+)(?:\\fP\(3\)| \(3\))|^\.so man3/(.*)\.3$", t, re.M)
          for r in r if r and f"{r}.3" not in texts]
result(not broken, "what pages refer to exists", "\n".join(broken))
for tool, command in (("mandoc", ["mandoc", "-T", "lint", "-W", "style"]), ("man", ["man", "--warnings", "-l"])):
    if not shutil.which(tool):
        result(True, f"{tool} finds nothing # SKIP it is not installed")
        continue
    said = ""
    real = [pages / n for n, t in texts.items() if not t.startswith(".so")]
    for path in real if tool == "man" else [None]:
        done = subprocess.run([*command, *([path] if path else real)], stdout=subprocess.PIPE if tool == "mandoc" else subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True)
        said += (done.stdout or "") + done.stderr
    result(not said.strip(), f"{tool} finds nothing in {len(real)} pages", said)

# ---- The generator ----

HEADER = """/*\n * softgt: a model. More.\n */\n/* ---- Parts ---- */\n\n/* Counts parts. Returns their number. */\nSOFTGT_API unsigned softgt_count(void);\n"""
with tempfile.TemporaryDirectory() as scratch:
    header = pathlib.Path(scratch) / "softgt.h"
    for what, text, message in [
        ("a header", HEADER, ""),
        ("a function without a comment", HEADER.replace("/* Counts parts. Returns their number. */", ""), ":7: softgt_count: a comment is missing"),
        ("a result that no comment names", HEADER.replace(" Returns their number.", ""), "softgt_count: the comment does not say what it returns"),
        ("a comment without a verb", HEADER.replace("Counts parts.", "The parts."), "the comment begins with 'The', expected a verb"),
    ]:
        header.write_text(text)
        done = subprocess.run([root / "scripts/man3", pathlib.Path(scratch) / "man3", "1.0", header], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        result((done.returncode == 1 and message in done.stdout and str(header) in done.stdout) if message else done.returncode == 0,
               f"the generator: {what}", f"status {done.returncode}\n{done.stdout}")
result.end()
