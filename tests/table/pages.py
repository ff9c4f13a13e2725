#!/usr/bin/env python3
"""pages.py ROOT SOFTGT: the generated pages of docs are what the rows say now; so rows that only listings read do not change unseen.
The glossary is in alphabetical order."""
import pathlib
import subprocess
import sys
import tempfile

root, softgt = map(pathlib.Path, sys.argv[1:])
failed = 0
with tempfile.TemporaryDirectory() as scratch:
    subprocess.run([root / "scripts/docs", softgt.parents[1], scratch], check=True)
    for number, fresh in enumerate(sorted(pathlib.Path(scratch).iterdir()), 1):
        page = root / "docs" / fresh.name
        good = page.is_file() and page.read_text() == fresh.read_text()
        failed += not good
        print(f"{'ok' if good else 'not ok'} {number} - docs/{fresh.name}" + ("" if good else "\n# run scripts/docs build docs"))
terms = [row.split("|")[1].strip().lower() for row in (root / "docs/glossary.md").read_text().splitlines() if row.startswith("| ")][1:]
terms.remove("---")
unsorted = [term for term, following in zip(terms, terms[1:]) if term > following]
failed += bool(unsorted)
print(f"{'not ok' if unsorted else 'ok'} {number + 1} - docs/glossary.md is sorted" + "".join(f"\n# not before what follows it: {term}" for term in unsorted))
sys.exit(failed != 0)
