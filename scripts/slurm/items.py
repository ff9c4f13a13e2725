"""What submit, slice and merge share: a folder of items and their results.

OUT/items: a line an item: KIND, NAME and COMMAND, with tabs between. Nothing else decides what is to be done.
OUT/results/NAME.json: an item's result, there whole or not at all; who has one is not run again.
OUT/begun/NAME: a byte for each time that it was begun.
OUT/todo/RUN: the lines that this run has to do, cut into slices of as many as its first line says.
"""
import collections
import json
import os
import pathlib
import re

Item = collections.namedtuple("Item", "kind name command")
GOOD = ("pass", "flaky", "skip")
SAFE = re.compile(r"[^A-Za-z0-9@_.,=+-]")

# What an item's output tells of its parts: (result, seconds, name, rest of the line). A kind that is not here has no parts.
PARTS = {"igt": re.compile(r"^  ([A-Z]+) +([0-9.]+) s  (\S+)(.*)$", re.M)}


def write(path, text):
    """Whole or not at all, whoever else writes."""
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f".{path.name}.{os.uname().nodename}.{os.getpid()}")
    with open(new, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)


def read(out):
    """All items by name."""
    items = {}
    for line in (pathlib.Path(out) / "items").read_text(encoding="utf-8").splitlines():
        item = Item(*line.split("\t", 2))
        items[item.name] = item
    return items


def result(out, name):
    """None: it has none, or one that cannot be read."""
    try:
        return json.loads((pathlib.Path(out) / "results" / f"{name}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
