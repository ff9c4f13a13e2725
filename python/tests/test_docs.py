"""The programs of docs/python.md run, and print what their comments say."""

import contextlib
import io
import os
import pathlib
import re

import pytest

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "python.md"


def test_programs(monkeypatch):
    if not PAGE.exists():
        pytest.skip(f"{PAGE} is not there")
    monkeypatch.chdir(PAGE.parents[1])
    names = {}
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.S | re.M)
    assert len(blocks) > 5
    for block in blocks:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(block, str(PAGE), "exec"), names)
        expected = " ".join(re.findall(r"print\(.*\) +# (.*)", block))
        assert out.getvalue().split() == expected.split(), os.path.basename(PAGE)
