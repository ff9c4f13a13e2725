"""The book's parts and chapters, in reading order. Pages of docs that stand in none of them follow under More."""
import re

PARTS = [
    ("Begin", ["docs/first-hour.md", "docs/packages.md", "docs/exec.md", "docs/wrong-draw.md", "docs/gpu-hang.md"]),
    ("Machines", ["docs/guest.md", "docs/guest-lab.md"]),
    ("Build on it", ["docs/library.md", "docs/python.md", "docs/json.md", "docs/ci.md", "docs/fuzzing.md", "docs/packages.md"]),
    ("Contribute", ["CONTRIBUTING.md", "docs/adding-a-device.md", "tests/README.md"]),
    ("Internals", ["ARCHITECTURE.md", "docs/internals/commands.md", "docs/internals/contexts.md", "docs/internals/registers.md",
                   "docs/internals/memory.md", "docs/internals/threads.md", "docs/internals/draws.md", "docs/internals/guc.md",
                   "docs/internals/devices.md", "docs/internals/state.md", "docs/internals/front-ends.md"]),
    ("What to expect", ["docs/status.md", "docs/stability.md", "docs/coverage.md", "docs/limits.md", "SECURITY.md", "docs/endurance.md",
                        "docs/glossary.md", "CHANGELOG.md"]),
]

# Pages that scripts/docs makes. The site's reference is made from the same listings.
GENERATED = re.compile(r"(commands|structures|instructions|registers|contexts|map)-\w+\.md|devices\.md")


def chapters(root):
    """[(part, [path below root])] of the pages that exist."""
    parts = [(part, [path for path in paths if (root / path).is_file()]) for part, paths in PARTS]
    listed = {path for _, paths in PARTS for path in paths}
    found = sorted(page.relative_to(root).as_posix() for page in (root / "docs").rglob("*.md") if not GENERATED.fullmatch(page.name))
    more = [path for path in found if path not in listed]
    return [(part, paths) for part, paths in [*parts, ("More", more)] if paths]


def pages(root):
    """Every page of text, with the README."""
    return ["README.md", *(path for _, paths in chapters(root) for path in paths)]
