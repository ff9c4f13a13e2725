#!/usr/bin/env python3
"""JSON of softgt against schemas/ (docs/json.md): what tests that read JSON share.

Without python3-jsonschema nothing is validated; `missing` says so, and in CI it is an error."""
import collections
import json
import os
import pathlib
import re
import sys

sys.path.append("/usr/lib/python3/dist-packages")  # Debian's package, where python3 is another one
try:
    import jsonschema
except ImportError:
    jsonschema = None
    if os.environ.get("CI"):
        raise

folder = pathlib.Path(__file__).resolve().parents[1] / "schemas"
missing = None if jsonschema else "python3-jsonschema is not installed"
met = collections.Counter()  # (schema, version): objects that were valid
validators = {}


def files():
    """{(schema, version): its contents} of each file."""
    found = {}
    for path in sorted(folder.glob("*.json")):
        contents = json.loads(path.read_text())
        found[tuple(contents["properties"][key]["const"] for key in ("schema", "version"))] = contents
    return found


def problems(value):
    """Why an object, or a line that has one, is not what its schema says."""
    if not isinstance(value, dict):
        try:
            value = json.loads(value)
        except ValueError as e:
            return [f"{e}: {value[:200]}"]
    if missing:
        return []
    if not validators:
        validators.update({key: jsonschema.Draft202012Validator(contents) for key, contents in files().items()})
    key = tuple(value.get(name) for name in ("schema", "version")) if isinstance(value, dict) else None
    if key not in validators:
        return [f"no schema: {str(value)[:200]}"]
    found = [f"{key[0]}: {'/'.join(map(str, e.absolute_path))}: {e.message[:300]}" for e in validators[key].iter_errors(value)]
    met[key] += not found
    return found


def of_output(arguments, output):
    """The problems of what softgt printed, if its arguments ask for JSON."""
    lines = output.splitlines() if {"-j", "--json"} & set(map(str, arguments)) else ()
    return [p for line in lines for p in problems(line)]


def sound(value):
    """The object; one with problems is an error."""
    found = problems(value)
    assert not found, found
    return value


def of_log(path):
    """The problems of a log of json_log.c. Of lines that differ in numbers alone, one is validated."""
    seen, lines, found = set(), 0, []
    with open(path, encoding="utf-8") as log:
        for line in log:
            lines += 1
            shape = re.sub(r"\b(?:0x[0-9a-f]+|[0-9]+(?:\.[0-9]+)?)\b", "0", line)
            if hash(shape) not in seen:
                seen.add(hash(shape))
                found += problems(line)
    return lines, len(seen), found


if __name__ == "__main__":
    if missing:
        sys.exit(missing)
    all_lines, kinds, wrong = of_log(sys.argv[1])
    for text, times in collections.Counter(wrong).most_common(40):
        print(f"{times:6} {text}")
    without = [f"{name}.{version}" for name, version in files() if not met[(name, version)]]
    print(f"{all_lines} objects, {kinds} that differ in more than numbers: {len(wrong)} problems; schemas without an object: {', '.join(without) or 'none'}")
    sys.exit(bool(wrong) or not all_lines)
