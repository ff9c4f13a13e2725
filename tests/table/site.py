#!/usr/bin/env python3
"""site.py SOFTGT SOURCE: make site makes a whole site: valid pages, links that lead somewhere, a search that finds, all rows of all devices.

It looks with eyes of its own: an HTML parser for links and structure, tidy for validity, and the site's search in a JavaScript engine.
"""
import collections
import concurrent.futures
import html.parser
import json
import os
import pathlib
import posixpath
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tap

softgt, root = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
result = tap.Results()

# What a reader types, and the first result.
SEARCHES = {
    "MI_SEMAPHORE_WAIT": "reference/commands/MI_SEMAPHORE_WAIT.html",
    "semaphore wait": "reference/commands/MI_SEMAPHORE_WAIT.html",
    "RING_MODE": "reference/registers/GFX_MODE.html",
    "gfx mode": "reference/registers/GFX_MODE.html",
    "0x229c": "reference/registers/GFX_MODE.html",
    "229Ch": "reference/registers/GFX_MODE.html",
    "0x0e000000": "reference/commands/MI_SEMAPHORE_WAIT.html",
    "DC Flush Enable": "reference/commands/PIPE_CONTROL.html#dc-flush-enable",
    "dc_flush_enable": "reference/commands/PIPE_CONTROL.html#dc-flush-enable",
    "render surface state": "reference/structures/RENDER_SURFACE_STATE.html",
    "mad": "reference/instructions.html#mad",
    "SCHED_CONTEXT": "reference/messages.html#sched_context",
    "untyped surface read": "reference/messages.html#dc0-untyped-surface-read",
    "load_block2d": "reference/messages.html#lsc-load_block2d",
    "9a49": "reference/devices.html#tgl",
    "CSP-14": "book/coverage.html#CSP-14",
    "--fail-on": "man/softgt-debug.1.html#fail",
    "first hour": "book/first-hour.html",
    "the library": "book/library.html",
    "softgt exec": "man/softgt-exec.1.html",
    "softgt run": "man/softgt-run.1.html",
    "softgt_run": "man/softgt_run.3.html",
    "softgt_bar_write": "man/softgt_bar_read.3.html",
    "zzzz": None,
}


class Page(html.parser.HTMLParser):
    """What is on a page: ids, links, headings, pictures, landmarks."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.headings, self.wrong, self.marks = [], [], [], [], collections.Counter()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if "id" in attributes:
            self.ids.append(attributes["id"])
        for name in "href", "src", "action":
            if name in attributes:
                self.links.append((tag, attributes[name]))
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag == "img" and "alt" not in attributes:
            self.wrong.append(f"{attributes.get('src')} has no alt")
        if "style" in attributes or any(name.startswith("on") for name in attributes):
            self.wrong.append(f"<{tag}> has a style or a script of its own")
        if tag == "html" and attributes.get("lang") != "en":
            self.wrong.append("no language")
        self.marks[tag] += 1


def site(out, seed):
    return subprocess.run([root / "scripts/site/make", softgt, out, "0"], capture_output=True, text=True, env=os.environ | {"PYTHONHASHSEED": seed})


def structure(pages):
    wrong = []
    for path, page in pages.items():
        wrong += [f"{path}: {what}" for what in page.wrong]
        wrong += [f"{path}: id {name} twice" for name, times in collections.Counter(page.ids).items() if times > 1]
        if page.headings.count(1) != 1:
            wrong.append(f"{path}: {page.headings.count(1)} first headings")
        main = page.headings[page.headings.index(1):] if 1 in page.headings else []
        wrong += [f"{path}: heading {b} after {a}" for a, b in zip(main, main[1:]) if b > a + 1]
        wrong += [f"{path}: no {mark}" for mark in ("title", "main", "header", "footer", "nav", "label") if not page.marks[mark]]
    result(not wrong, "pages have a language, one first heading, headings in order, landmarks, unique ids and texts for pictures", "\n".join(wrong))


def links(out, pages):
    wrong, network, reached = [], [], {"index.html", "404.html", "search.html"}
    for path, page in pages.items():
        for tag, link in page.links:
            if re.match(r"\w+:|//", link):
                if tag != "a":
                    network.append(f"{path}: {link}")
                continue
            to, _, anchor = link.partition("#")
            to = posixpath.normpath(posixpath.join(posixpath.dirname(path), to)) if to else path
            reached.add(to)
            if not (out / to).is_file():
                wrong.append(f"{path}: {link}")
            elif anchor and to in pages and anchor not in pages[to].ids:
                wrong.append(f"{path}: no anchor {link}")
    result(not wrong, "links and anchors lead somewhere", "\n".join(wrong))
    result(not network, "nothing is loaded from a network", "\n".join(network))
    lost = [path for path in pages if path not in reached]
    result(not lost, "every page has a link to it", "\n".join(lost))


def rows(pages):
    """Each row of each device has its place."""
    whats = ["commands", "registers", "structures", "instructions", "contexts"]
    devices = [d["name"] for d in json.loads(subprocess.check_output([softgt, "devices", "--json"]))["devices"]]
    ask = lambda what, device: subprocess.run([softgt, what, device, "--json"], capture_output=True, text=True).stdout
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        listings = {(what, device): pool.submit(ask, what, device) for what in whats for device in devices}
    names = {what: set() for what in (*whats, "messages")}
    for (what, _), listing in listings.items():
        listing = json.loads(listing.result() or "{}")
        names[what] |= {row["name"] for row in listing.get({"instructions": "operations"}.get(what, what), [])}
        names["messages"] |= {re.sub(r"[^\w -]", "", f"{row.get('function', '')} {row['name']}").strip().replace(" ", "-").lower() for row in listing.get("messages", [])}
    base = lambda name: re.sub(r"(\[\d+\])?(_UDW)?$", "", name)
    for what in "commands", "registers", "structures":
        lost = [name for name in names[what] if f"reference/{what}/{base(name)}.html" not in pages]
        result(names[what] and not lost, f"{what} of all devices have a page", "\n".join(lost))
    for what, page in ("instructions", "reference/instructions.html"), ("messages", "reference/messages.html"):
        lost = [name for name in names[what] if name not in pages[page].ids and name.lower() not in pages[page].ids]
        result(names[what] and not lost, f"{what} of all devices have an anchor", "\n".join(lost))


def generations(out):
    """The choice of a generation on a page: what others have is marked, and the style sheet hides what is marked."""
    text = (out / "reference/commands/MI_SEMAPHORE_WAIT.html").read_text()
    result(re.search(r'id="workload-partition-id-offset-enable" data-g="125 200"', text) and re.search(r'id="wait-mode">', text),
           "fields that only some generations have are marked")
    result('<section data-g="75 8 9 11 12 125 200">' not in text and re.search(r'<section data-g="6">\s*<h2', (out / "reference/structures/RENDER_SURFACE_STATE.html").read_text()),
           "a layout of one generation is marked as a whole")
    marks = {mark for page in (out / "reference").rglob("*.html") for marks in re.findall(r' data-g="([^"]*)"', page.read_text()) for mark in marks.split()}
    style = (out / "style.css").read_text()
    lost = [mark for mark in sorted(marks) if f'article:has(#only-{mark}:checked) [data-g]:not([data-g~="{mark}"])' not in style]
    result(marks and not lost, "the style sheet knows every generation", " ".join(lost))


def search(out):
    engine = shutil.which("node") or shutil.which("duk")
    if not engine:
        result(True, "the search # SKIP neither node nor duk is installed")
        return
    tell = "console.log" if engine.endswith("node") else "print"
    queries = json.dumps(list(SEARCHES))
    program = out / "test.js"
    program.write_text((out / "site.js").read_text() + (out / "search-index.js").read_text() +
                       f"{queries}.forEach(function (q) {{ {tell}(JSON.stringify([q, softgt_search(softgt_index, q, 5)])); }});\n")
    done = subprocess.run([engine, program], capture_output=True, text=True, timeout=120)
    program.unlink()
    found = dict(json.loads(line) for line in done.stdout.splitlines()) if done.returncode == 0 else {}
    for query, link in SEARCHES.items():
        first = found[query][0]["link"] if found.get(query) else None
        result(query in found and first == link, f"a search for {query}", f"finds {first}, not {link}\n{done.stderr}")


def contrast():
    """Text against what is behind it, light and dark: WCAG 2 asks for 4.5."""
    style = (root / "scripts/site/style.css").read_text()
    def luminance(color):
        parts = [int(color[i:i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= .03928 else ((p + .055) / 1.055) ** 2.4 for p in parts]
        return .2126 * linear[0] + .7152 * linear[1] + .0722 * linear[2]
    for mode, block in zip(("light", "dark"), re.findall(r":root \{(.*?)\}", style, re.S)):
        colors = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))
        poor = []
        for text in "text", "soft", "link", "good", "warn", "token-word", "token-name", "token-number", "token-comment":
            for behind in "page", "panel", "code":
                a, b = sorted((luminance(colors[text]), luminance(colors[behind])))
                if (b + .05) / (a + .05) < 4.5:
                    poor.append(f"{text} on {behind}: {(b + .05) / (a + .05):.2f}")
        result(not poor, f"contrast in {mode} colours", "\n".join(poor))


def main():
    for tool in "cmark-gfm", "mandoc":
        if not shutil.which(tool):
            print(f"1..1\nok 1 - the site # SKIP {tool} is not installed")
            return
    with tempfile.TemporaryDirectory() as scratch:
        out, again = pathlib.Path(scratch) / "site", pathlib.Path(scratch) / "again"
        done, repeated = site(out, "1"), site(again, "2")
        result(done.returncode == 0, "the site is made", done.stdout + done.stderr)
        if done.returncode:
            return
        bytes_of = lambda where: {p.relative_to(where).as_posix(): p.read_bytes() for p in where.rglob("*") if p.is_file()}
        first, second = bytes_of(out), bytes_of(again)
        result(repeated.returncode == 0 and first == second, "two runs make the same bytes", "\n".join(sorted(p for p in first if first[p] != second.get(p))))
        total = sum(map(len, first.values()))
        result(total < 30e6, "it is under 30 MB", f"{total / 1e6:.1f} MB")
        strange = pathlib.Path(scratch) / "strange"
        strange.mkdir()
        (strange / "mine").touch()
        for program, where, say in (softgt, strange, "is no site"), (root, out, "is no program"):
            done = subprocess.run([root / "scripts/site/make", program, where], capture_output=True, text=True)
            result(done.returncode == 2 and say in done.stderr and (strange / "mine").exists(), f"status 2: it {say}", done.stderr)
        pages = {path: Page(text.decode()) for path, text in first.items() if path.endswith(".html")}
        structure(pages)
        links(out, pages)
        rows(pages)
        if shutil.which("tidy"):
            done = subprocess.run(["tidy", "-quiet", "-errors", "--gnu-emacs", "yes", *pages], cwd=out, capture_output=True, text=True)
            found = [line for line in done.stderr.splitlines() if line and "aria-current" not in line]  # which tidy 5.6 does not know
            result(done.returncode < 2 and not found, "tidy finds nothing", "\n".join(found))
        else:
            result(True, "tidy # SKIP tidy is not installed")
        generations(out)
        search(out)
        contrast()
        wanted = [p.name for p in (root / "man").glob("*.[1-8]") if f"man/{p.name}.html" not in pages]
        result(not wanted, "each manual page is there", "\n".join(wanted))


main()
if result.number:
    result.end()
