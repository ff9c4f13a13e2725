"""The reference: a page for each command, register, structure and context image, with all devices on it; tables of instructions and messages."""
import collections
import functools
import re

from listings import clusters, table
from page import escape, relative, side_list, slug

MODEL = {"executed": "its work is done", "kept": "its state is kept and saved with the context", "counted": "it is known and counted; its work is not modelled"}
KINDS = {kind: number for number, kind in enumerate(["command", "register", "structure", "instruction", "message", "page", "manual", "context image",
                                                      "device", "term", "item", "option", "field", "value"])}
SECTIONS = [("Commands", "reference/commands/index.html"), ("Registers", "reference/registers/index.html"), ("Structures", "reference/structures/index.html"),
            ("Context images", "reference/contexts/index.html"), ("Instructions", "reference/instructions.html"), ("Messages", "reference/messages.html"),
            ("Devices", "reference/devices.html"), ("Address maps", "reference/maps.html"), ("All names", "reference/names.html")]
CLASSES = {"rcs": "render", "bcs": "copy", "vcs": "video", "vecs": "enhance", "ccs": "compute"}
CHAPTERS = [("MI", "Commands of all command streamers"), ("Blitter", "Commands of the copy engine"), ("3D", "The 3D pipeline"), ("Common", "State of several pipelines"),
            ("Media and compute", "Walkers, media objects and their state"), ("Video", "Decoding and encoding")]


@functools.cache
def base_name(name):
    """NAME of NAME[3] and NAME[3]_UDW."""
    return re.sub(r"(?:\[\d+\])?(?:_UDW)?$", "", name)


@functools.cache
def unit_class(unit):
    return re.sub(r"\d+$", "", unit)


def pairs(devices):
    return {(device, "") for device in devices}


def file_name(name):
    return re.sub(r"[^\w.-]", "_", name)


class Reference:
    def __init__(self, site, root, devices, listings):
        self.site, self.root, self.devices, self.listings = site, root, devices, listings
        self.names = {}
        self.side = side_list([("Reference", [("Overview", "reference/index.html"), *SECTIONS]), ("Book", [("Chapters", "book/index.html"), ("What is modelled", "book/coverage.html")])])
        self.commands, self.registers, self.structures = self.merged()
        for kind, items in (("commands", self.commands), ("registers", self.registers), ("structures", self.structures)):
            for name in items:
                self.names.setdefault(name, f"reference/{kind}/{file_name(name)}.html")
        self.items, self.notes = self.coverage()
        self.linux = collections.defaultdict(list)
        for line in (root / "scripts/site/linux_names.tsv").read_text().splitlines():
            if not line.startswith("#"):
                name, offset = line.split("\t")
                self.linux[int(offset, 16)].append(name)
        self.images = self.context_images()
        self.saved = collections.defaultdict(lambda: collections.defaultdict(list))  # name: number of an image: its dwords
        for number, (_, _, _, rows) in enumerate(self.images):
            for row in rows:
                self.saved[base_name(row["what"])][number].append(row["dword"])

    # ---- Merging ----

    def merged(self):
        commands, registers, structures = {}, {}, {}
        for device, listing in self.listings["commands"].items():
            for row in listing["commands"]:
                commands.setdefault(row["name"], []).append((device, row))
        for device, listing in self.listings["registers"].items():
            for row in listing["registers"]:
                registers.setdefault(base_name(row["name"]), []).append((device, row))
        for device, listing in self.listings["structures"].items():
            for row in listing["structures"]:
                structures.setdefault(row["name"], []).append((device, row))
        return commands, registers, structures

    def context_images(self):
        """[(name, engine, devices, rows)] of the images that differ."""
        found = {}
        for device, listing in self.listings["contexts"].items():
            for engine, rows in listing.items():
                if isinstance(rows, list):
                    found.setdefault((engine, repr(rows)), (rows, []))[1].append(device)
        return [(f"{devices[0]}-{engine}", engine, devices, rows) for (engine, _), (rows, devices) in found.items()]

    def coverage(self):
        """States of the checklist's items, and the notes that name them, from docs/coverage.md."""
        text = (self.root / "docs/coverage.md").read_text()
        items = dict(re.findall(r"^\| ([A-Z]{3}-\d\d) \| ([a-z ]+) \|", text, re.M))
        notes = collections.defaultdict(list)
        for ids, note in re.findall(r"^- ((?:[A-Z]{3}-\d\d(?:, )?)+): (.*(?:\n  .*)*)", text, re.M):
            for item in ids.split(", "):
                notes[item].append(" ".join(note.split()))
        return items, notes

    # ---- Parts of pages ----

    def some(self, owners, among):
        words = self.devices.words(owners, among)
        return f'<span class="some">{escape(words)}</span>' if words else ""

    def by_value(self, values, among, say=lambda value: escape(str(value))):
        """A fact that may differ: its values, each with its owners. values: [(value, owners)]."""
        merged = {}
        for value, owners in values:
            merged.setdefault(value, set()).update(owners)
        if len(merged) == 1:
            return "".join(f"{say(value)} {self.some(owners, among)}".strip() for value, owners in merged.items())
        return "".join(f'<span class="way"{self.devices.marks(owners, among)}>{say(value)} {self.some(owners, among)}</span>' for value, owners in merged.items())

    def spec(self, text, where):
        parts = []
        for part in text.split(", "):
            if part in self.items:
                parts.append(f'<a href="{relative("book/coverage.html#" + part, where)}">{part}</a> ({self.items[part]})')
            else:
                parts.append(escape(part))
        return ", ".join(parts)

    def spec_notes(self, texts):
        ids = sorted({part for text in texts for part in text.split(", ") if part in self.notes})
        if not ids:
            return ""
        notes = "".join(f"<li>{item}: {escape(note)}</li>" for item in ids for note in self.notes[item])
        return f'<details><summary>Notes on {", ".join(ids)}: choices of the model, and what the manual leaves open</summary>\n<ul class="prose">{notes}</ul></details>\n'

    def field_tables(self, name, forms, among, where, width, find):
        """The tables of fields: one for each layout that the devices have. forms: [(fields, owners)]."""
        result, used, contents = "", set(), []
        groups = [group for group in clusters(forms) if any(fields for fields, _ in group)]
        for group in groups:
            owners = set().union(*(o for _, o in group))
            words = self.devices.words(owners, among)
            if len(groups) > 1 or words:
                title = f"Fields: {words}" if words else "Fields"
                anchor = self.anchor(title, used)
                contents.append((2, anchor, escape(title)))
                result += f'<section{self.devices.marks(owners, among)}>\n<h2 id="{anchor}">{escape(title)}</h2>\n'
            else:
                contents.append((2, "fields", "Fields"))
                result += '<section>\n<h2 id="fields">Fields</h2>\n'
            result += self.field_table(name, table(group), owners, where, width, used, find) + "</section>\n"
        return result, contents

    @staticmethod
    def anchor(text, used):
        anchor = base = slug(text) or "field"
        number = 1
        while anchor in used:
            number += 1
            anchor = f"{base}-{number}"
        used.add(anchor)
        return anchor

    def field_table(self, name, rows, among, where, width, used, find, prefix=""):
        body, dword = "", None
        differ = any(self.devices.words(owners, among) for _, _, _, _, owners, _ in rows)
        columns = 3 if differ else 2
        for first, last, field, base, owners, values in rows:
            fixed = None
            if "=" in field and field.rpartition("=")[2].isdigit():
                field, _, fixed = field.rpartition("=")
                fixed = int(fixed)
            if width > 32 and first // 32 != dword:
                dword = first // 32
                body += f'<tr class="dword"><th colspan="{columns}" scope="rowgroup">DWord {dword}</th></tr>\n'
            low, high = first % 32, last - first // 32 * 32
            bits = str(low) if low == high else f"{high}:{low}"
            anchor = self.anchor(prefix + field, used)
            shown = escape(field)
            if values:
                items = "".join(
                    f"<li{self.devices.marks(who, owners)}><code>{value if value < 10 else hex(value)}</code> <span>{escape(word)} {self.some(who, owners)}</span></li>" for value, word, who in values)
                shown += f'<ul class="values">{items}</ul>' if len(values) < 25 else f'<details><summary>{len(values)} values</summary><ul class="values many">{items}</ul></details>'
            if fixed is not None:
                shown += f' <code>{fixed if fixed < 10 else hex(fixed)}</code>'
            if base:
                shown += f'<br><small>offset from {escape(base)}</small>'
            body += (f'<tr id="{escape(anchor)}"{self.devices.marks(owners, among)}><td class="bits">{bits}</td><td>{shown} <a class="anchor" href="#{escape(anchor)}" aria-hidden="true" tabindex="-1">#</a></td>'
                     + (f"<td>{self.some(owners, among)}</td>" if differ else "") + "</tr>\n")
            if find and fixed is None:
                place = (f"DWord {first // 32} " if width > 32 else "") + ("bit " if low == high else "bits ") + bits
                self.site.find(field, KINDS["field"], f"{where}#{anchor}", f"{name}, {place}", " ".join(word for _, word, _ in values[:400]))
        head = "<th>Bits</th><th>Field</th>" + ("<th>Devices</th>" if differ else "")
        return f'<div class="table full"><table class="fields"><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table></div>\n'

    def item_page(self, kind, name, where, content, contents, summary, have):
        section = dict((title.lower(), to) for title, to in SECTIONS)[kind]
        choice = self.choice(have) if "data-g=" in content else ""
        self.site.write(where, name, f'<article>\n<h1 class="code">{escape(name)}</h1>\n{choice}{content}</article>', side=self.side, contents=contents,
                        crumbs=[("Reference", "reference/index.html"), (kind.capitalize(), section)], description=f"{name}: {summary}")

    def choice(self, have):
        """A choice of one generation: what the others have is hidden, by the style sheet alone."""
        generations = [g for g in self.devices.generations if g in {self.devices.generation[d] for d in have}]
        if len(generations) < 2:
            return ""
        radio = lambda key, text, checked="": f'<label><input type="radio" name="generation" id="only-{key}"{checked}> {text}</label>'
        return ('<fieldset class="choice"><legend>Show what is of</legend>' + radio("all", "all", " checked")
                + "".join(radio(g[3:].replace(".", ""), g) for g in generations) + "</fieldset>\n")

    @staticmethod
    def facts(entries):
        return '<dl class="facts">' + "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in entries if text) + "</dl>\n"

    def summaries(self, rows, owners_of, among):
        return f'<p class="summary">{self.by_value([(row["summary"], owners_of(device, row)) for device, row in rows], among)}</p>\n'

    # ---- Commands ----

    def command(self, name, rows):
        where = self.names[name]
        owners_of = lambda device, row: {(device, engine) for engine in row["engines"]}
        among = set().union(*(owners_of(device, row) for device, row in rows))
        have = {device for device, _ in among}
        each = lambda get: [(get(row), owners_of(device, row)) for device, row in rows]
        def length(row):
            if not row["length_bits"]:
                return f'{row["min_dwords"]} dword{"s" if row["min_dwords"] != 1 else ""}'
            return f'bits {row["length_bits"] - 1}:0 and {row["length_bias"]} dwords; at least {row["min_dwords"]}'
        def privilege(row):
            if row["privileged"]:
                return "only in privileged batches"
            bits = [bit for bit in range(32) if row["privileged_if"] >> bit & 1]
            fields = [next((f["name"] for f in row["fields"] if f["first_bit"] <= bit <= f["last_bit"]), f"bit {bit}") for bit in bits]
            return "in all batches" + (f", but privileged with {' or '.join(fields)}" if fields else "")
        engines = collections.defaultdict(set)
        for device, engine in among:
            engines[engine].add((device, ""))
        devices_only = {(device, "") for device in have}
        content = self.summaries(rows, owners_of, among)
        content += self.facts([
            ("Devices", escape(self.devices.of_devices(have, set(self.devices.rows)))),
            ("Engines", ", ".join(f"{engine} {self.some(engines[engine], devices_only)}".strip() for engine in CLASSES.values() if engine in engines)),
            ("Header", self.by_value(each(lambda row: (row["match"], row["mask"])), among, lambda v: f"<code>{v[0]:08x}</code>, mask <code>{v[1]:08x}</code>")),
            ("Length", self.by_value(each(length), among)),
            ("Model", self.by_value(each(lambda row: row["model"]), among, lambda v: f'<span class="model {v}">{v}</span> {MODEL[v]}')),
            ("Privilege", self.by_value(each(privilege), among)),
            ("Predicated", self.by_value(each(lambda row: "MI_SET_PREDICATE disables it" if row["predicated"] else "no"), among)),
            ("Preemption", self.by_value(each(lambda row: "a context may be preempted at it" if row["preemptable"] else "not at this command"), among)),
            ("Checklist, manual", self.by_value(each(lambda row: row["spec"]), among, lambda v: self.spec(v, where))),
        ])
        tables, contents = self.field_tables(name, each(lambda row: row["fields"] + self.header(row)), among, where, 4096, True)
        content += tables
        groups = [(row["group"], owners_of(device, row)) for device, row in rows if row.get("group")]
        if groups:
            places = self.by_value([(f'from DWord {row["group_dw"]}, {row["group_size_dw"]} dword{"s" if row["group_size_dw"] > 1 else ""} each', owners_of(device, row))
                                    for device, row in rows if row.get("group")], set().union(*(o for _, o in groups)))
            content += f'<h2 id="repeats">What repeats</h2>\n<p>It repeats {places}.</p>\n'
            contents.append((2, "repeats", "What repeats"))
            used = {"repeats", "fields"}
            for group in clusters(groups):
                owners = set().union(*(o for _, o in group))
                words = self.devices.words(owners, among)
                content += f"<section{self.devices.marks(owners, among)}>\n" + (f"<h3>{escape(words)}</h3>\n" if words else "")
                content += self.field_table(name, table(group), owners, where, 33, used, True, "each ") + "</section>\n"
        content += self.spec_notes([row["spec"] for _, row in rows])
        self.item_page("commands", name, where, content, [], rows[0][1]["summary"], have)
        headers = dict.fromkeys(f'0x{row["match"]:x}' for _, row in rows)
        self.site.find(name, KINDS["command"], where, rows[-1][1]["summary"], " ".join([*headers, *(f"{h[2:]}" for h in headers)]))

    @staticmethod
    def header(row):
        """Fields of the header that say which command it is, and its length: NAME=VALUE has a fixed value."""
        match, mask = row["match"], row["mask"]
        parts = {0: [(29, 31, "Command Type"), (23, 28, "MI Command Opcode")], 2: [(29, 31, "Client"), (22, 28, "Instruction Target (Opcode)")]}.get(
            match >> 29, [(29, 31, "Command Type"), (27, 28, "Command SubType"), (24, 26, "Command Opcode"), (16, 23, "Command Sub Opcode")])
        fields = [{"name": f"{name}={match >> first & ((1 << last - first + 1) - 1)}", "first_bit": first, "last_bit": last}
                  for first, last, name in parts if all(mask >> bit & 1 for bit in range(first, last + 1))]
        if row["length_bits"] and not any(f["first_bit"] < row["length_bits"] for f in row["fields"]):
            fields.append({"name": "DWord Length", "first_bit": 0, "last_bit": row["length_bits"] - 1})
        return fields

    @staticmethod
    def chapter(name, match):
        if re.match(r"MF[XDC]_|HCP_|VDENC|HUC_|AVP_|MFX|VEB|VD_|VEBOX|SFC_|CRYPTO", name):
            return "Video"
        kind = match >> 29
        if kind == 0:
            return "MI"
        if kind == 2:
            return "Blitter"
        return {2: "Media and compute", 3: "3D"}.get(match >> 27 & 3, "Common")

    def command_index(self):
        where = "reference/commands/index.html"
        chapters = collections.defaultdict(list)
        for name, rows in self.commands.items():
            chapters[self.chapter(name, rows[0][1]["match"])].append((rows[0][1]["match"], name, rows))
        content, contents = '<article>\n<h1>Commands</h1>\n<p>All commands that the devices\' engines parse. ' + \
            " ".join(f'<span class="model {word}">{word}</span> {text}.' for word, text in MODEL.items()) + "</p>\n", []
        for title, about in CHAPTERS:
            if not chapters[title]:
                continue
            contents.append((2, slug(title), title))
            content += f'<h2 id="{slug(title)}">{title}</h2>\n<p>{about}.</p>\n'
            body = ""
            for match, name, rows in sorted(chapters[title]):
                models = list(dict.fromkeys(row["model"] for _, row in rows))
                have = {device for device, _ in rows}
                body += (f'<tr><td><a href="{relative(self.names[name], where)}"><code>{escape(name)}</code></a></td><td>{escape(rows[-1][1]["summary"])}</td>'
                         f'<td class="bits">{match:08x}</td><td>{" ".join(f"""<span class="model {m}">{m}</span>""" for m in models)}</td>'
                         f'<td class="gen">{escape(self.devices.of_devices(have, set(self.devices.rows)))}</td></tr>\n')
            content += f'<div class="table full index"><table><thead><tr><th>Command</th><th>What it does</th><th>Header</th><th>Model</th><th>Devices</th></tr></thead><tbody>\n{body}</tbody></table></div>\n'
        self.site.write(where, "Commands", content + "</article>", side=self.side, contents=contents, crumbs=[("Reference", "reference/index.html")], layout="wide")

    # ---- Registers ----

    def register(self, name, rows):
        where = self.names[name]
        owners_of = lambda device, row: {(device, unit_class(row["unit"]))}
        among = set().union(*(owners_of(device, row) for device, row in rows))
        have = {device for device, _ in among}
        uppers = [(device, row) for device, row in rows if row["name"].endswith("_UDW")]
        lowers = [(device, row) for device, row in rows if not row["name"].endswith("_UDW")] or rows
        of = lambda some, get: [(get(row), owners_of(device, row)) for device, row in some]
        hexadecimal = lambda value: f"<code>{value:08x}</code>"
        user = lambda row: "yes" if row["user"] else "no"
        other = lambda get, say: (self.by_value(of(lowers, get), among, say)
                                  + (f'<br>upper dword: {self.by_value(of(uppers, get), {o for d, r in uppers for o in owners_of(d, r)}, say)}'
                                     if uppers and uppers is not rows and {get(r) for _, r in uppers} != {get(r) for _, r in lowers} else ""))
        text = lambda value: escape(str(value))
        linux = [alias for offset in {row["offset"] for _, row in rows if row["unit"] == "rcs0" and not row["name"].endswith("_UDW")} for alias in self.linux.get(offset, [])]
        content = self.summaries(lowers, owners_of, among)
        content += self.facts([
            ("Devices", escape(self.devices.of_devices(have, set(self.devices.rows)))),
            ("Linux", escape(", ".join(sorted(linux)))),
            ("Access", other(lambda row: row["access"], lambda v: escape(v) + (" (bits 31:16 select which of 15:0 change)" if v == "masked" else ""))),
            ("Writable bits", other(lambda row: row["writable"], hexadecimal)),
            ("Cleared by 1", other(lambda row: row.get("w1c", 0), hexadecimal) if any(row.get("w1c") for _, row in rows) else ""),
            ("After a reset", other(lambda row: row["reset"], hexadecimal)),
            ("Batches may write", other(user, text)),
            ("Checklist, manual", self.by_value(of(lowers, lambda row: row["spec"]), among, lambda v: self.spec(v, where))),
        ])
        tables, contents = self.field_tables(name, of(lowers, lambda row: row["fields"]), among, where, 32, True)
        content += tables
        lower_fields = [row["fields"] for _, row in lowers]
        upper_fields = [(fields, owners) for fields, owners in of(uppers, lambda row: row["fields"]) if fields and fields not in lower_fields]
        if upper_fields and uppers is not rows and lowers is not rows:
            content += '<h2 id="upper">Fields of the upper dword</h2>\n' + self.field_table(name, table([pair for pair in upper_fields]), {o for _, s in upper_fields for o in s}, where, 32, {"upper"}, True, "upper ")
        content += self.instances(rows, have)
        content += self.saved_in(name, where)
        content += self.spec_notes([row["spec"] for _, row in rows])
        self.item_page("registers", name, where, content, [], lowers[0][1]["summary"], have)
        offsets = dict.fromkeys(f'0x{row["offset"]:x}' for _, row in rows)
        self.site.find(name, KINDS["register"], where, lowers[-1][1]["summary"], " ".join([*linux, *offsets]))
        for alias in linux:
            self.site.find(alias, KINDS["register"], where, f"Linux' name of {name}", "")

    def instances(self, rows, have):
        """Where the register is: a line for each unit and offset; elements of an array are one line."""
        lines = {}
        order = {unit: number for number, unit in enumerate(CLASSES)}
        by_unit = collections.defaultdict(list)
        for device, row in rows:
            by_unit[device, row["unit"]].append((row["offset"], row["name"]))
        for (device, unit), places in by_unit.items():
            places.sort()
            first = places[0][0]
            parts = []
            if len(places) > 2:
                plain = [p for p in places if not p[1].endswith("_UDW")] or places
                strides = {b[0] - a[0] for a, b in zip(plain, plain[1:])}
                if len(plain) > 1 and len(strides) == 1:
                    parts = [f"{first:06x}", f"{len(plain)} elements, every {strides.pop()} bytes"]
            if not parts:
                shown = ", ".join(f"{offset:06x}" for offset, _ in places[:24]) + (f" and {len(places) - 24} more" if len(places) > 24 else "")
                parts = [shown, "the second is the upper dword" if len(places) == 2 and places[1][1].endswith("_UDW") else ""]
            lines.setdefault((unit, *parts), set()).add(device)
        body = "".join(f'<tr{self.devices.marks(pairs(devices), pairs(have))}><td>{escape(unit)}</td><td class="bits">{escape(offset)}</td><td>{escape(say)}</td><td class="gen">{escape(self.devices.of_devices(devices, have))}</td></tr>\n'
                       for (unit, offset, say), devices in sorted(lines.items(), key=lambda line: (order.get(unit_class(line[0][0]), 9), line[0][0])))
        return ('<h2 id="where">Where it is</h2>\n<p>Offsets are bytes in BAR 0, hexadecimal.</p>\n<div class="table"><table><thead><tr><th>Unit</th><th>Offset</th><th></th><th>Devices</th></tr></thead>'
                f"<tbody>\n{body}</tbody></table></div>\n")

    def saved_in(self, name, where):
        body = ""
        for number, dwords in self.saved[name].items() if name in self.saved else ():
            image, engine, devices, _ = self.images[number]
            body += (f'<li{self.devices.marks(pairs(devices), pairs(self.devices.rows))}><a href="{relative(f"reference/contexts/{image}.html#dw-{dwords[0]}", where)}">{escape(engine.replace("_power", " (RC6)"))}, '
                     f'{escape(self.devices.of_devices(devices, set(self.devices.rows)))}</a>: dword{"s" if len(dwords) > 1 else ""} {", ".join(map(str, dwords[:6]))}{" ..." if len(dwords) > 6 else ""}</li>\n')
        return f'<h2 id="saved">Saved in context images</h2>\n<ul>{body}</ul>\n' if body else ""

    def register_index(self):
        where = "reference/registers/index.html"
        units = collections.defaultdict(list)
        for name, rows in self.registers.items():
            found = list(dict.fromkeys(unit_class(row["unit"]) for _, row in rows))
            engines = [unit for unit in found if unit in CLASSES]
            unit = "Several engines" if len(engines) > 1 else f"{CLASSES[engines[0]].capitalize()} engines" if engines else \
                {"gt": "GT", "interrupt": "Interrupts", "guc": "GuC", "display": "Display", "vga": "VGA"}.get(found[0], found[0])
            units[unit].append((min(row["offset"] for _, row in rows), name, rows, found))
        content, contents = "<article>\n<h1>Registers</h1>\n<p>Each name once, with the lowest offset that it has on any device; its page has all.</p>\n", []
        order = ["Several engines", *(f"{c.capitalize()} engines" for c in CLASSES.values()), "GT", "Interrupts", "GuC", "Display", "VGA"]
        content += '<ul class="az">' + "".join(f'<li><a href="#{slug(unit)}">{unit}</a></li>' for unit in [*order, *(u for u in units if u not in order)] if unit in units) + "</ul>\n"
        for unit in [*order, *(u for u in units if u not in order)]:
            if unit not in units:
                continue
            contents.append((2, slug(unit), unit))
            body = "".join(f'<tr><td><a href="{relative(self.names[name], where)}"><code>{escape(name)}</code></a></td><td>{escape(rows[-1][1]["summary"])}</td><td class="bits">{offset:06x}</td>'
                           f'<td class="gen">{escape(self.devices.of_devices({d for d, _ in rows}, set(self.devices.rows)))}</td></tr>\n'
                           for offset, name, rows, found in sorted(units[unit]))
            content += f'<h2 id="{slug(unit)}">{unit}</h2>\n<div class="table full index"><table><thead><tr><th>Register</th><th>What it is</th><th>Offset</th><th>Devices</th></tr></thead><tbody>\n{body}</tbody></table></div>\n'
        self.site.write(where, "Registers", content + "</article>", side=self.side, contents=contents, crumbs=[("Reference", "reference/index.html")], layout="wide")

    # ---- Structures, context images ----

    def structure(self, name, rows):
        where = self.names[name]
        owners_of = lambda device, row: {(device, "")}
        among = {(device, "") for device, _ in rows}
        have = {device for device, _ in rows}
        each = lambda get: [(get(row), owners_of(device, row)) for device, row in rows]
        content = self.summaries(rows, owners_of, among)
        content += self.facts([
            ("Devices", escape(self.devices.of_devices(have, set(self.devices.rows)))),
            ("Length", self.by_value(each(lambda row: row["length_dw"]), among, lambda v: f"{v} dword{'s' if v != 1 else ''}")),
            ("Repeats", self.by_value([(f'from DWord {row["group_dw"]}, {row["group_size_dw"]} dwords each', owners_of(device, row)) for device, row in rows if row.get("group")], among)),
            ("Checklist, manual", self.by_value(each(lambda row: row["spec"]), among, lambda v: self.spec(v, where))),
        ])
        tables, contents = self.field_tables(name, each(lambda row: row["fields"]), among, where, 4096, True)
        content += tables
        groups = [(row["group"], owners_of(device, row)) for device, row in rows if row.get("group")]
        used = {"repeats"}
        for number, group in enumerate(clusters(groups)):
            owners = set().union(*(o for _, o in group))
            words = self.devices.words(owners, among)
            content += f'<section{self.devices.marks(owners, among)}>\n<h2 id="repeats{number or ""}">What repeats{": " + escape(words) if words else ""}</h2>\n'
            content += self.field_table(name, table(group), owners, where, 33, used, False, "each ") + "</section>\n"
        content += self.spec_notes([row["spec"] for _, row in rows])
        self.item_page("structures", name, where, content, contents if len(contents) > 2 else [], rows[-1][1]["summary"], have)
        self.site.find(name, KINDS["structure"], where, rows[-1][1]["summary"])

    def structure_index(self):
        where = "reference/structures/index.html"
        body = "".join(f'<tr><td><a href="{relative(self.names[name], where)}"><code>{escape(name)}</code></a></td><td>{escape(rows[-1][1]["summary"])}</td>'
                       f'<td class="gen">{escape(self.devices.of_devices({d for d, _ in rows}, set(self.devices.rows)))}</td></tr>\n' for name, rows in sorted(self.structures.items()))
        self.site.write(where, "Structures", "<article>\n<h1>Structures</h1>\n<p>What commands and registers point to in memory.</p>\n"
                        f'<div class="table full index"><table><thead><tr><th>Structure</th><th>What it is</th><th>Devices</th></tr></thead><tbody>\n{body}</tbody></table></div>\n</article>',
                        side=self.side, crumbs=[("Reference", "reference/index.html")])

    def context(self, image, engine, devices, rows):
        where = f"reference/contexts/{image}.html"
        power = engine.endswith("_power")
        engine = engine.removesuffix("_power")
        words = self.devices.of_devices(devices, set(self.devices.rows))
        title = f"{'What RC6 saves' if power else 'Context image'} of {engine}: {words}"
        body = ""
        for row in rows:
            what, to = row["what"], self.names.get(base_name(row["what"])) or self.names.get(row["what"].split(" ")[0])
            shown = f'<a href="{relative(to, where)}">{escape(what)}</a>' if to else escape(what)
            register = to and "/registers/" in to
            body += (f'<tr id="dw-{row["dword"]}"><td class="bits">{row["dword"]}</td><td class="bits">{row["dword"] * 4:04x}</td><td class="bits">{row["length_dw"]}</td>'
                     f'<td class="bits">{row["value"]:0{6 if register else 8}x}</td><td>{shown}</td></tr>\n')
        self.site.write(where, title, f"<article>\n<h1>{escape(title)}</h1>\n<p>A save writes this image, a restore executes it as commands. A register has two dwords: its offset, then its value.</p>\n"
                        '<div class="table"><table><thead><tr><th>DWord</th><th>Byte</th><th>DWords</th><th>Header or offset</th><th>Command or register</th></tr></thead>'
                        f"<tbody>\n{body}</tbody></table></div>\n</article>", side=self.side,
                        crumbs=[("Reference", "reference/index.html"), ("Context images", "reference/contexts/index.html")])
        self.site.find(f"{engine} context image", KINDS["context image"], where, title, " ".join(devices))

    def context_index(self):
        where = "reference/contexts/index.html"
        body = "".join(f'<tr><td><a href="{relative(f"reference/contexts/{image}.html", where)}"><code>{escape(engine.removesuffix("_power"))}</code>{", what RC6 saves" if engine.endswith("_power") else ""}</a></td>'
                       f'<td class="gen">{escape(self.devices.of_devices(devices, set(self.devices.rows)))}</td><td class="right">{max(r["dword"] + r["length_dw"] for r in rows):,}</td></tr>\n'
                       for image, engine, devices, rows in self.images)
        self.site.write(where, "Context images", "<article>\n<h1>Context images</h1>\n<p>What the hardware saves of a context, engine by engine. Devices with the same image share a page.</p>\n"
                        f'<div class="table full"><table><thead><tr><th>Engine</th><th>Devices</th><th class="right">DWords</th></tr></thead><tbody>\n{body}</tbody></table></div>\n</article>',
                        side=self.side, crumbs=[("Reference", "reference/index.html")])

    # ---- Instructions, messages, devices, maps ----

    def instructions(self):
        where = "reference/instructions.html"
        listing = self.listings["instructions"]
        have = set(listing)
        among = {(device, "") for device in have}
        operations, fields = {}, {}
        for device, rows in listing.items():
            for row in rows["operations"]:
                operations.setdefault(row["name"], []).append((device, row))
            for row in rows["fields"]:
                fields.setdefault(row["name"], {}).setdefault((row["bits"], row["forms"], row["where"]), set()).add((device, ""))
        body = ""
        for name, rows in sorted(operations.items()):
            each = lambda get: [(get(row), {(device, "")}) for device, row in rows]
            own = {(device, "") for device, _ in rows}
            say = lambda v: escape(v)
            body += (f'<tr id="{escape(name)}"><td><code>{escape(name)}</code> <a class="anchor" href="#{escape(name)}" aria-hidden="true" tabindex="-1">#</a></td>'
                     f'<td>{self.by_value(each(lambda row: row["summary"]), own)}</td><td class="bits">{self.by_value(each(lambda row: row["opcode"]), own, lambda v: f"{v:02x}")}</td>'
                     f'<td>{self.by_value(each(lambda row: row["form"]), own)}</td><td>{self.by_value(each(lambda row: row["may_have"]), own, say)}</td>'
                     f'<td class="gen">{escape(self.devices.of_devices({d for d, _ in own}, have))}</td></tr>\n')
            self.site.find(name, KINDS["instruction"], f"{where}#{name}", rows[-1][1]["summary"])
        content = ("<article>\n<h1>Instructions</h1>\n<p>Operations of the execution units. The opcode is in hexadecimal; the form says which fields an instruction has.</p>\n"
                   '<h2 id="operations">Operations</h2>\n<div class="table full"><table><thead><tr><th>Operation</th><th>What it does</th><th>Opcode</th><th>Form</th><th>May have</th><th>Devices</th></tr></thead>'
                   f'<tbody>\n{body}</tbody></table></div>\n<h2 id="fields">Fields of an instruction</h2>\n<p>Bits of the 128 of a native instruction, by form and device. Where a field is split, its highest bits come first.</p>\n')
        body = ""
        for name, variants in fields.items():
            anchor = "field-" + slug(name)
            for number, ((bits, forms, condition), owners) in enumerate(variants.items()):
                body += (f'<tr{"" if number else f""" id="{anchor}" """.rstrip()}>' + (f'<th scope="rowgroup" rowspan="{len(variants)}">{escape(name)}</th>' if not number else "")
                         + f'<td class="bits">{escape(bits)}</td><td>{escape(forms)}</td><td>{escape(condition)}</td><td class="gen">{escape(self.devices.words(owners, among))}</td></tr>\n')
            self.site.find(name, KINDS["field"], f"{where}#{anchor}", "field of an instruction", "")
        content += f'<div class="table full"><table><thead><tr><th>Field</th><th>Bits</th><th>Forms</th><th>Where</th><th>Devices</th></tr></thead><tbody>\n{body}</tbody></table></div>\n</article>'
        self.site.write(where, "Instructions", content, side=self.side, crumbs=[("Reference", "reference/index.html")], layout="wide")

    def messages(self):
        where = "reference/messages.html"
        messages = {}
        for device, rows in self.listings["structures"].items():
            for row in rows["messages"]:
                messages.setdefault((row["action"], row["name"], row["way"], row["least_dw"], row["most_dw"], row["summary"]), set()).add(device)
        have = set().union(*messages.values())
        body = ""
        for (action, name, way, least, most, summary), devices in sorted(messages.items()):
            anchor = slug(name)
            body += (f'<tr id="{anchor}"><td><code>{escape(name)}</code> <a class="anchor" href="#{anchor}" aria-hidden="true" tabindex="-1">#</a></td><td>{escape(summary)}</td><td class="bits">{action:04x}</td><td>{escape(way)}</td>'
                     f'<td class="bits">{least if least == most else f"{least} to {most}"}</td><td class="gen">{escape(self.devices.of_devices(devices, have)) if devices != have else ""}</td></tr>\n')
            self.site.find(name, KINDS["message"], f"{where}#{anchor}", summary, f"0x{action:x}")
        self.site.write(where, "Messages", "<article>\n<h1>Messages</h1>\n" + self.thread_messages(where) + '<h2 id="guc">Messages of the GuC</h2>\n' + "<p>What the driver and the GuC send each other, by action code. Lengths are dwords after the first one. "
                        f"Devices: {escape(self.devices.of_devices(have, set(self.devices.rows)))}.</p>\n"
                        '<div class="table full"><table><thead><tr><th>Message</th><th>What it says</th><th>Action</th><th>How it travels</th><th>Length</th><th>Devices</th></tr></thead>'
                        f"<tbody>\n{body}</tbody></table></div>\n</article>", side=self.side, crumbs=[("Reference", "reference/index.html")], layout="wide")

    def thread_messages(self, where):
        """What threads send to shared functions."""
        listing = self.listings["instructions"]
        have = set(listing)
        messages = {}
        for device, rows in listing.items():
            for row in rows["messages"]:
                messages.setdefault((min(row["sfids"]), row["function"], row["match"], row["mask"], row["name"]), set()).add(device)
        names = {key: [k for k in messages if k[1] == key] for key in dict.fromkeys(key[1] for key in sorted(messages))}
        used, result = {"guc"}, ('<p>What threads send to shared functions, and what the driver and the <a href="#guc">GuC</a> send each other.</p>\n'
                                 '<h2 id="threads">Messages of threads</h2>\n<p>The bits under the mask of the message descriptor select the message; the other bits are its operands. '
                                 'Names of shared functions are the assembler\'s.</p>\n')
        for function, keys in names.items():
            sfids = sorted({i for rows in listing.values() for row in rows["messages"] if row["function"] == function for i in row["sfids"]})
            body = ""
            for key in keys:
                _, _, match, mask, name = key
                anchor = self.anchor(f"{function} {name}", used)
                body += (f'<tr id="{anchor}"><td>{escape(name)} <a class="anchor" href="#{anchor}" aria-hidden="true" tabindex="-1">#</a></td><td class="bits">{match:08x}</td>'
                         f'<td class="bits">{mask:08x}</td><td class="gen">{escape(self.devices.of_devices(messages[key], have))}</td></tr>\n')
                self.site.find(name, KINDS["message"], f"{where}#{anchor}", f"message to {function}")
            result += (f'<h3 id="{self.anchor("function " + function, used)}"><code>{escape(function)}</code>, shared function{"s" if len(sfids) > 1 else ""} {", ".join(f"{i:x}" for i in sfids)}</h3>\n'
                       f'<div class="table full"><table><thead><tr><th>Message</th><th>Descriptor</th><th>Mask</th><th>Devices</th></tr></thead><tbody>\n{body}</tbody></table></div>\n')
        return result

    def device_page(self):
        where = "reference/devices.html"
        body = ""
        for name, row in self.devices.rows.items():
            ids = [f"{i:04x}" for i in row["pci_device_ids"]]
            shown = " ".join(ids[:8]) + (f" <details><summary>{len(ids) - 8} more</summary>{' '.join(ids[8:])}</details>" if len(ids) > 8 else "")
            body += f'<tr id="{name}"><td><code>{name}</code></td><td class="gen">{self.devices.generation[name]}</td><td>{escape(row["summary"])}</td><td>{row["engines"]}</td><td class="ids">{shown or "none"}</td></tr>\n'
            self.site.find(name, KINDS["device"], f"{where}#{name}", row["summary"], " ".join(["0x" + i for i in ids]))
        self.site.write(where, "Devices", "<article>\n<h1>Devices</h1>\n<p>The products that <code>--device</code> names. Devices of a generation have the same commands and differ in engines, fuses and PCI ids.</p>\n"
                        f'<div class="table full"><table><thead><tr><th>Device</th><th>Generation</th><th>What it is</th><th>Engines</th><th>PCI ids</th></tr></thead><tbody>\n{body}</tbody></table></div>\n</article>',
                        side=self.side, crumbs=[("Reference", "reference/index.html")], layout="wide")

    def maps(self):
        """Units, ranges, functions, base addresses, by what differs."""
        where = "reference/maps.html"
        listing = self.listings["map"]
        have = set(listing)
        content, contents = "<article>\n<h1>Address maps</h1>\n<p>Where units are in BAR 0, who owns a range of registers, and what goes through which base address.</p>\n", []
        for key, title, columns in (("units", "Units", ["base", "unit", "what"]), ("ranges", "Ranges of registers", ["first", "last", "owner"]),
                                    ("functions", "Shared and fixed functions", ["id", "sfid", "shared_function", "ffid", "fixed_function"]),
                                    ("memory_objects", "Memory objects", ["type", "role", "found_by"]), ("base_addresses", "Base addresses", ["base", "accesses"])):
            rows = {}
            for device, map_ in listing.items():
                for row in map_.get(key, []):
                    rows.setdefault(tuple(row[c] or "" for c in columns), set()).add(device)
            if not rows:
                continue
            owners = set().union(*rows.values())
            contents.append((2, slug(title), title))
            ordered = sorted(rows.items()) if key in ("units", "ranges", "functions") else rows.items()
            body = "".join("<tr>" + "".join(f'<td{" class=bits" if column in ("base", "first", "last", "id") and key in ("units", "ranges", "functions") else ""}>{escape(cell)}</td>' for column, cell in zip(columns, row))
                           + f'<td class="gen">{escape(self.devices.of_devices(devices, have)) if devices != have else ""}</td></tr>\n' for row, devices in ordered)
            heads = "".join(f"<th>{c.replace('_', ' ').replace('sfid', 'SFID').replace('ffid', 'FFID').capitalize() if c not in ('sfid', 'ffid') else c.upper()}</th>" for c in columns)
            content += f'<h2 id="{slug(title)}">{title}</h2>\n<div class="table full"><table><thead><tr>{heads}<th>Devices</th></tr></thead><tbody>\n{body}</tbody></table></div>\n'
            for row, _ in ordered if key == "base_addresses" else ():
                self.site.find(row[0], KINDS["term"], f"{where}#{slug(title)}", row[1]) if row[0] != "none" else None
        self.site.write(where, "Address maps", content + "</article>", side=self.side, contents=contents, crumbs=[("Reference", "reference/index.html")], layout="wide")

    def all_names(self):
        where = "reference/names.html"
        letters = collections.defaultdict(list)
        for name in sorted(self.names, key=lambda n: (n.lstrip("_"), n)):
            letters[name[0].upper()].append(name)
        content = '<article>\n<h1>All names</h1>\n<p>Commands, registers and structures by letter. A search finds fields and values, too.</p>\n<ul class="az">'
        content += "".join(f'<li><a href="#letter-{letter}">{letter}</a></li>' for letter in letters) + "</ul>\n"
        for letter, names in letters.items():
            content += f'<h2 id="letter-{letter}">{letter}</h2>\n<ul class="names">' + "".join(
                f'<li><a href="{relative(self.names[name], where)}"><code>{escape(name)}</code></a></li>' for name in names) + "</ul>\n"
        self.site.write(where, "All names", content + "</article>", side=self.side, crumbs=[("Reference", "reference/index.html")], layout="wide")

    def overview(self):
        where = "reference/index.html"
        counts = [(len(self.commands), "commands", 0), (len(self.registers), "registers", 1), (len(self.structures), "structures", 2), (len(self.images), "context images", 3),
                  (len({row["name"] for rows in self.listings["instructions"].values() for row in rows["operations"]}), "instructions", 4),
                  (len({(row["function"], row["name"]) for rows in self.listings["instructions"].values() for row in rows["messages"]}
                       | {row["name"] for rows in self.listings["structures"].values() for row in rows["messages"]}), "messages", 5)]
        about = ["What engines parse: header, length, fields and their values, who may use it, what the model does.", "Offsets on each device, access, reset values, fields, and the context images that have it.",
                 "Surface states, samplers, descriptors, viewports, reports.", "What a save writes and a restore executes, dword by dword.", "Operations of execution units and the fields of an instruction.",
                 "What threads send to shared functions, and the driver and the GuC to each other."]
        cards = "".join(f'<li><h3><a href="{relative(SECTIONS[n][1], where)}">{count:,} {text}</a></h3><p>{about[n]}</p></li>' for count, text, n in counts)
        content = f"""<article>
<h1>Reference</h1>
<p class="summary">What the model knows of {len(self.devices.rows)} devices, from {self.devices.generations[0]} to {self.devices.generations[-1]}. Each thing has one page, with all devices on it;
where they differ, the page says which device has what. Names are the manuals'.</p>
<h2 id="kinds">What there is</h2>
<ul class="cards">{cards}</ul>
<h2 id="read">How to read it</h2>
<ul>
<li>A word such as <span class="some">Gen9 and later</span> beside a field, a value or a fact means that only these devices have it. Without one, all devices of the page have it.</li>
<li>The choice above a page shows one generation alone.</li>
<li>Where bits mean other things on other devices, there is a table for each.</li>
<li>IDs such as CSP-14 number what the manuals describe. <a href="../book/coverage.html">What is modelled</a> lists them with their tests.</li>
<li>The pages are made from the rows that the model itself executes. The same is printed by <a href="../man/softgt-commands.1.html"><code>softgt commands</code></a>,
<a href="../man/softgt-registers.1.html"><code>registers</code></a>, <a href="../man/softgt-structures.1.html"><code>structures</code></a>, <a href="../man/softgt-contexts.1.html"><code>contexts</code></a>,
<a href="../man/softgt-instructions.1.html"><code>instructions</code></a>, and for one name by <a href="../man/softgt-explain.1.html"><code>softgt explain</code></a>.</li>
</ul>
</article>"""
        self.site.write(where, "Reference", content, side=self.side, layout="wide")

    def write(self):
        for name, rows in self.commands.items():
            self.command(name, rows)
        for name, rows in self.registers.items():
            self.register(name, rows)
        for name, rows in self.structures.items():
            self.structure(name, rows)
        for image in self.images:
            self.context(*image)
        for page in (self.command_index, self.register_index, self.structure_index, self.context_index, self.instructions, self.messages, self.device_page, self.maps,
                     self.all_names, self.overview):
            page()
