"""What all pages of the site share: the head, the bar with the search, the columns, the foot. Writes them, and notes what they link to."""
import html
import pathlib
import re

escape = html.escape


def slug(text):
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", re.sub(r"<[^>]*>", "", html.unescape(text)).strip().lower()).replace(" ", "-")


def plain(markup):
    """Text without tags."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", markup)).split())


def relative(target, source):
    """A link from the page source to target, both paths in the site."""
    path, _, anchor = target.partition("#")
    if path == source and anchor:
        return "#" + anchor
    up = source.count("/")
    same = 0
    while same < up and path.split("/")[:same + 1] == source.split("/")[:same + 1] and path.count("/") > same:
        same += 1
    return "../" * (up - same) + "/".join(path.split("/")[same:]) + ("#" + anchor if anchor else "")


TEMPLATE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="{description}">
<title>{title}</title>
<link rel="icon" type="image/svg+xml" href="{root}icon.svg">
<link rel="stylesheet" href="{root}style.css">
<script defer src="{root}site.js"></script>
</head>
<body data-root="{root}"{body}>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="{root}index.html"><img src="{root}icon.svg" alt="">softgt <small>{version}</small></a>
<nav aria-label="Site">{bar}</nav>
<form role="search" action="{root}search.html"><label class="hidden" for="search">Search commands, registers, fields and pages</label>
<input id="search" name="q" type="search" autocomplete="off" placeholder="Search: RING_MODE, 0x229c, semaphore"></form>
</header>
<div class="columns">
<main id="content">
{crumbs}{content}
</main>
{side}{toc}</div>
<footer><p>softgt {version}, an Intel GPU in software. MIT licence.</p></footer>
</body>
</html>
"""
BAR = [("Book", "book/index.html"), ("Reference", "reference/index.html"), ("Manual", "man/index.html")]


class Site:
    def __init__(self, out, version):
        self.out, self.version = pathlib.Path(out), version
        self.pages = {}   # path: title
        self.index = []   # what search finds: [name, kind, link, sentence, other words]

    def write(self, path, title, content, side="", contents=(), crumbs=(), description="", layout=""):
        """A page. contents: [(level, anchor, text)] of its headings; crumbs: [(text, path)] to it."""
        link = lambda target: escape(relative(target, path))
        bar = "".join(f'<a href="{link(to)}"{" aria-current=page" if path.split("/")[0] == to.split("/")[0] else ""}>{text}</a>' for text, to in BAR)
        bar += '<a class="menu" href="#menu">Menu</a>' if side else ""
        way = "".join(f'<a href="{link(to)}">{escape(text)}</a> / ' for text, to in crumbs)
        toc = ""
        if len(contents) > 2 and not layout:
            items = "".join(f'<li><a class="h{level}" href="#{escape(anchor)}">{text}</a></li>' for level, anchor, text in contents)
            toc = f'<nav class="toc" aria-label="On this page"><h2>On this page</h2><ul>{items}</ul></nav>\n'
        else:
            layout = layout or "wide"
        file = self.out / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(TEMPLATE.format(
            description=escape(description or title), title=escape(title if title.startswith("softgt") else f"{title} - softgt"),
            root="../" * path.count("/"), version=escape(self.version), bar=bar, content=content, body=f' class="{layout}"' if layout else "",
            crumbs=f'<div class="crumbs">{way[:-3]}</div>\n' if way else "",
            side=f'<nav class="side" id="menu" aria-label="Pages">\n{side(path) if callable(side) else side}</nav>\n' if side else "", toc=toc))
        self.pages[path] = title

    def find(self, name, kind, link, say="", words=""):
        """An entry of the search."""
        self.index.append([name, kind, link, say, words])


def side_list(parts):
    """A function that gives the column of chapters for a page: parts is [(title, [(text, path)])]."""
    def column(path):
        result = ""
        for title, entries in parts:
            items = "".join(f'<li><a href="{escape(relative(to, path))}"{" aria-current=page" if to == path else ""}>{escape(text)}</a></li>'
                            for text, to in entries)
            result += f"<h2>{escape(title)}</h2>\n<ul>{items}</ul>\n"
        return result
    return column
