"""The book and the manual pages as HTML: Markdown by cmark-gfm, man pages by mandoc. Links between pages are set here."""
import html
import posixpath
import re
import subprocess

from page import escape, plain, relative, slug

MANUAL = re.compile(r"(?<![\w-])(?:<b>)?(softgt(?:[-_]\w+)*|gts|libsoftgt(?:[-_]\w+)*)(?:</b>)? ?\(([1-8])\)")


# Names of commands, registers and structures, and items of the checklist, as they stand in sentences.
NAME = re.compile(r"\b(?:[A-Z0-9]+_[A-Z0-9_]+|[A-Z]{3}-\d\d)\b")


class Texts:
    """What links lead to: pages of the book by their path in the tree, manual pages, names of the reference, and files of the tree."""

    def __init__(self, site, root, pages, manuals, names, items):
        self.site, self.root = site, root
        self.pages = pages        # path in the tree: path in the site
        self.manuals = manuals    # (name, section): path in the site
        self.names = names        # a name of the reference: path in the site
        self.items = items        # of the checklist
        self.files = {}           # a path in the tree: its page in the site, for files that pages link to
        self.outputs = None       # what commands print, by examples.py's commands

    def target(self, link, source, where):
        """What a link of the page source of the tree leads to, as a link of the page where of the site."""
        if re.match(r"https?:|mailto:", link):
            return link
        path, _, anchor = link.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), path)) if path else source
        if path in self.pages:
            to = self.pages[path]
        elif re.fullmatch(r"man/[\w-]+\.[1-8]", path):
            to = path + ".html"
        elif re.fullmatch(r"docs/pictures/[\w.-]+", path):
            to = path.removeprefix("docs/")
        elif (self.root / path).exists():
            to = self.files.setdefault(path, f"files/{path}{'/index' if (self.root / path).is_dir() else ''}.html")
        else:
            raise SystemExit(f"site: {source} links to {link}, which is not there")
        return relative(to + ("#" + anchor if anchor else ""), where)

    def link_text(self, path, source):
        """What a link says whose text is a file's name: the page's title."""
        page = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        if re.fullmatch(r"man/.*", page):
            return re.sub(r"man/(.*)\.(\d)", r"\1(\2)", page)
        title = re.search(r"^# (.*)", (self.root / page).read_text(), re.M) if page in self.pages else None
        return escape(title[1].replace("`", "")) if title else escape(path)

    def manual_links(self, text, where):
        def link(match):
            to = self.manuals.get((match[1], match[2]))
            return f'<a href="{relative(to, where)}">{match[1]}({match[2]})</a>' if to and to != where else match[0]
        def name(match):
            to = self.names.get(match[0]) if "_" in match[0] else f"book/coverage.html#{match[0]}" if match[0] in self.items else None
            return f'<a href="{escape(relative(to, where))}">{match[0]}</a>' if to else match[0]
        # Not inside of code, headings, links and other tags.
        parts = re.split(r'(<a\b.*?</a>|<pre\b.*?</pre>|<code\b.*?</code>|<h[1-6]\b.*?</h[1-6]>|<td id="[A-Z]{3}-\d\d">.*?</td>)', text, flags=re.S)
        for n in range(0, len(parts), 2):
            parts[n] = MANUAL.sub(link, parts[n])
            pieces = re.split(r"(<a\b.*?</a>|<[^>]*>)", parts[n], flags=re.S)
            pieces[::2] = [NAME.sub(name, piece) for piece in pieces[::2]]
            parts[n] = "".join(pieces)
        return "".join(parts)

    def markdown(self, source, where):
        """(title, HTML without the title, headings) of a page of the tree."""
        text = (self.root / source).read_text()
        text = re.sub(r"^<!-- output(?:: (\d+))? -->$", r"SHOW-OUTPUT-\1", text, flags=re.M)
        text = re.sub(r"^<!-- picture: (\S+): (.*) -->$", r"SHOW-PICTURE \1: \2", text, flags=re.M)
        made = subprocess.run(["cmark-gfm", "--extension", "table"], input=text, capture_output=True, text=True, check=True).stdout
        made = made.replace("<!-- raw HTML omitted -->\n", "")
        made = re.sub(r'(<(?:a href|img src)=")([^"]*)"', lambda m: f'{m[1]}{escape(self.target(html.unescape(m[2]), source, where))}"', made)
        made = re.sub(r'(<a href="[^"]*">)((?:docs/|man/)?[\w./-]+\.(?:md|[1-8]))</a>', lambda m: f"{m[1]}{self.link_text(m[2], source)}</a>", made)
        made = re.sub(r"<p>(<img [^>]*?) ?/>\s*</p>\n<p><em>(.*?)</em></p>", r"<figure>\1><figcaption>\2</figcaption></figure>", made, flags=re.S)
        made = re.sub(r'<(t[dh]) align="(\w+)"', r'<\1 class="\2"', made.replace(" />", ">"))
        made = re.sub(r"(<table>.*?</table>)", r'<div class="table">\1</div>', made, flags=re.S)
        title = plain(re.search(r"<h1>(.*?)</h1>", made, re.S)[1])
        made = re.sub(r"<h1>.*?</h1>\n?", "", made, count=1, flags=re.S)
        made, contents = headings(made)
        made = re.sub(r"(?<!<pre>)<code>([^<\n]{1,32})</code>", r'<code class="s">\1</code>', made)
        made = re.sub(r'<code class="s">([^<]*)</code>', lambda m: self.name_link(m, where), made)
        made = re.sub(r"<pre><code(?: class=\"language-(\w+)\")?>(.*?)</code></pre>(?:\s*<p>SHOW-OUTPUT-(\d*)</p>)?", lambda m: self.block(m, where, source), made, flags=re.S)
        made = re.sub(r"<p>SHOW-PICTURE (\S+): (.*?)</p>", lambda m: self.picture(source, where, m[1], m[2]), made, flags=re.S)
        made = re.sub(r"<td>([A-Z]{3}-\d\d)</td>", r'<td id="\1">\1</td>', made) if source == "docs/coverage.md" else made
        return title, self.manual_links(made, where), contents

    def name_link(self, match, where):
        to = self.names.get(html.unescape(match[1])) or self.manuals.get((match[1].removesuffix("()"), "3")) or (self.files_page(match[1]) if re.fullmatch(r"examples/\w+\.(?:gts|c)", match[1]) else None)
        return f'<a href="{escape(relative(to, where))}">{match[0]}</a>' if to and to != where else match[0]

    def files_page(self, path):
        return self.files.setdefault(path, f"files/{path}.html") if (self.root / path).is_file() else None

    def block(self, match, where, source):
        text = html.unescape(match[2])
        made = f"<pre><code>{self.colours(text, where)}</code></pre>"
        if match[3] is None:
            return made
        lines = self.outputs.of(source, text)
        most = int(match[3] or 20)
        more = f"\n... {len(lines) - most:,} more lines" if len(lines) > most else ""
        made = made.replace("<pre>", '<pre class="has-output">')
        return made + f'\n<pre class="output"><samp>{escape(chr(10).join(lines[:most]) + more)}</samp></pre>'

    def picture(self, source, where, pattern, text):
        """A picture that the commands of this page made."""
        text, blocks = " ".join(text.split()), re.findall(r"(?:^    .*\n)+", (self.root / source).read_text(), re.M)
        to = self.outputs.picture(source, [re.sub(r"^    ", "", block, flags=re.M) for block in blocks], pattern, self.site.out)
        return f'<figure><img src="{escape(relative(to, where))}" alt="{text}"><figcaption>{text}</figcaption></figure>'

    def colours(self, text, where=None):
        """Colours of a program in gts(5), in C, or of command lines; names of the reference become links."""
        if text.startswith("#include") or re.search(r"^\s*(?:static |int |const |struct )", text, re.M):
            token = re.compile(r"(?P<c>/\*.*?\*/|//.*?$)|(?P<d>\"(?:\\.|[^\"])*\"|\b\d\w*)|(?P<w>\b(?:static|const|int|void|return|for|while|if|else|struct|unsigned|char|bool|uint\d+_t|sizeof|NULL|true|false|#\w+)\b|^#\w+)", re.S | re.M)
        elif re.search(r"^\s*(?:device \w|context \w+ \w+\d|submit \w|batch \w)", text, re.M):
            token = re.compile(r"(?P<c>(?:^|(?<=\s))#.*?$)|(?P<n>\b[A-Z0-9]+_\w+)|(?P<d>\b(?:0x[0-9a-fA-F_]+|0b[01_]+|\d[\d_]*(?:\.\d+)?[KMG]?)\b)|"
                               r"(?P<w>\b(?:device|let|ppgtt|map|data|batch|context|ring|append|submit|write|read|run|advance|wait|reset|mark|expect|fill|size|mem|at|in|to)\b)", re.M)
        else:
            token = re.compile(r"(?P<c>(?:^|(?<=\s))#.*?$)|(?P<w>^(?:\(softgt\)|(?:sudo )?(?:softgt|make|build/tools/softgt|apt)\b(?: [a-z]\S*)?))|(?P<n>(?<=\s)--?[a-z][\w-]*)", re.M)
        result, last = "", 0
        for match in token.finditer(text):
            word = f'<span class="{match.lastgroup}">{escape(match[0])}</span>'
            if match.lastgroup == "n" and where and match[0] in self.names:
                word = f'<a href="{escape(relative(self.names[match[0]], where))}">{word}</a>'
            result += escape(text[last:match.start()]) + word
            last = match.end()
        return result + escape(text[last:])

    def manual(self, source, where):
        """(title, HTML, headings) of a manual page."""
        done = subprocess.run(["mandoc", "-T", "html", "-O", "fragment", source], capture_output=True, text=True)
        made = re.search(r'<div class="manual-text">.*</div>', done.stdout, re.S)[0]
        for level in (2, 1):
            made = re.sub(rf"<(/?)h{level}\b", rf"<\1h{level + 1}", made)
        contents = []
        def heading(match):
            text = plain(match[3])
            contents.append((int(match[1]), match[2], escape(text)))
            return f'<h{match[1]} id="{match[2]}">{escape(text)} <a class="anchor" href="#{match[2]}" aria-hidden="true" tabindex="-1">#</a></h{match[1]}>'
        made = re.sub(r'<h([23]) class="\w+" id="([^"]*)">(.*?)</h\1>', heading, made, flags=re.S)
        # Paragraphs of an item that continue it (.IP without a tag): more <dd> of it.
        made = re.sub(r'</dd>\s*(?:</dl>\s*<dl class="Bl-tag">\s*)?<dt></dt>\s*<dd>', "</dd>\n  <dd>", made)
        made = re.sub(r'<dl class="Bl-tag">\s*<dt></dt>\s*<dd>(.*?)</dd>', r'<div class="Bd-indent">\1</div>\n<dl class="Bl-tag">', made, flags=re.S)
        made = re.sub(r'<dl class="Bl-tag">\s*</dl>\n?', "", made).replace("<b></b>", "")
        made = re.sub(r"<b>\s*</b>", " ", made)
        made = re.sub(r"<table\b", '<div class="table"><table', made).replace("</table>", "</table></div>")
        about = re.search(r'id="NAME".*?<p class="Pp">(.*?)</p>', made, re.S)
        return plain(about[1]) if about else source.stem, self.manual_links(made, where), contents


def headings(made):
    """Gives headings anchors; (HTML, [(level, anchor, text)])."""
    contents, used = [], set()
    def heading(match):
        level, text = int(match[1]), match[2]
        anchor = base = slug(text)
        number = 1
        while anchor in used:
            anchor, number = f"{base}-{number}", number + 1
        used.add(anchor)
        contents.append((level, anchor, re.sub(r"</?a\b[^>]*>", "", text)))
        return f'<h{level} id="{anchor}">{text} <a class="anchor" href="#{anchor}" aria-hidden="true" tabindex="-1">#</a></h{level}>'
    return re.sub(r"<h([2-4])>(.*?)</h\1>", heading, made, flags=re.S), contents
