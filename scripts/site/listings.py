"""What softgt's listings say of all devices, merged by name: who has what, and where devices differ.

An owner is a pair (device, which): the engine class of a command, the unit of a register, "" elsewhere. Sets of owners become words by
Devices.words: "Gen8 and later", "Gen9: render".
"""
import collections
import concurrent.futures
import json
import os
import subprocess


class Devices:
    """The devices by generation, and words for sets of them."""

    def __init__(self, rows):
        self.rows = {row["name"]: row for row in rows}
        self.generation = {row["name"]: self.title(row["generation"]) for row in rows}
        self.generations = list(dict.fromkeys(self.generation.values()))
        self.first = {g: next(d for d in self.rows if self.generation[d] == g) for g in self.generations}

    @staticmethod
    def title(name):
        number = name.removeprefix("gen")
        return "Gen" + (number if len(number) < 3 and number not in ("75",) else f"{number[:-1]}.{number[-1]}")

    def of_devices(self, some, among):
        """Words for some of the devices among."""
        parts = []  # [word, index of generation or None]
        for number, generation in enumerate(self.generations):
            whole = [d for d in self.rows if d in among and self.generation[d] == generation]
            part = [d for d in whole if d in some]
            if part and len(part) == len(whole):
                parts.append([generation, number])
            elif part:
                parts.extend([device, None] for device in part)
        words, run = [], []
        def flush():
            if len(run) > 1 and run[-1][1] == len(self.generations) - 1:
                words.append(f"{run[0][0]} and later")
            elif len(run) > 2:
                words.append(f"{run[0][0]} to {run[-1][0]}")
            else:
                words.extend(word for word, _ in run)
            run.clear()
        for part in parts:
            if part[1] is None:
                flush()
                words.append(part[0])
            elif run and all(g not in {self.generation[d] for d in among} for g in self.generations[run[-1][1] + 1:part[1]]):
                run.append(part)
            else:
                flush()
                run.append(part)
        flush()
        return ", ".join(words)

    def marks(self, owners, among):
        """An attribute that names the generations of owners, for the choice of one on the page; empty if they are all of among."""
        some, whole = ({self.generation[device] for device, _ in those} for those in (owners, among))
        return "" if some >= whole else f' data-g="{" ".join(g[3:].replace(".", "") for g in self.generations if g in some)}"'

    def words(self, owners, among):
        """Words for owners of the owners among; empty if they are all of them."""
        owners, among = set(owners), set(among)
        if owners >= among:
            return ""
        whole, some = collections.defaultdict(set), collections.defaultdict(set)
        for device, which in among:
            whole[device].add(which)
        for device, which in owners:
            some[device].add(which)
        by_which = collections.defaultdict(set)  # None: all that the device has
        for device in (d for d in self.rows if d in some):
            which = some[device]
            by_which[None if which == whole[device] else tuple(sorted(which))].add(device)
        parts = []
        for which, devices in by_which.items():
            text = "" if devices == set(whole) else self.of_devices(devices, set(whole))
            parts.append(": ".join(part for part in (text, ", ".join(w for w in which or ()) ) if part))
        return "; ".join(parts)


def load(softgt):
    """(Devices, {what: {device: JSON}}) of all listings."""
    def ask(*words):
        done = subprocess.run([softgt, *words, "--json"], capture_output=True, text=True)
        return json.loads(done.stdout) if done.returncode == 0 else None
    devices = Devices(ask("devices")["devices"])
    whats = ["commands", "registers", "structures", "contexts", "instructions", "map"]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {(what, device): pool.submit(ask, what, device) for what in whats for device in devices.rows}
        return devices, {what: {device: job.result() for (w, device), job in jobs.items() if w == what and job.result()} for what in whats}


def bits(field):
    return field["first_bit"], field["last_bit"]


def clusters(forms):
    """Groups of forms, each [(fields, owners)], whose fields fit into one table.

    A form is a list of fields with its owners. Forms that mean different things by the same bits, or put the same name elsewhere, want
    tables of their own, unless there are only a few such fields.
    """
    merged = {}
    for fields, owners in forms:
        key = json.dumps(fields, sort_keys=True)
        merged.setdefault(key, (fields, set()))[1].update(owners)
    result = []
    for fields, owners in merged.values():
        best = None
        for group in result:
            theirs = {(f["name"], *bits(f)) for other, _ in group for f in other}
            ours = {(f["name"], *bits(f)) for f in fields}
            mine, only = ours - theirs, theirs - ours
            clash = sum(any(a[0] == b[0] or (a[1] <= b[2] and b[1] <= a[2]) for b in only) for a in mine)
            if clash <= max(1, len(ours) // 6) and (best is None or clash < best[0]):
                best = clash, group
        if best:
            best[1].append((fields, owners))
        else:
            result.append([(fields, owners)])
    return result


def table(group):
    """Rows of a group's table: (first bit, last bit, name, base, owners, [(value, name, owners)]), by bit."""
    rows = {}
    for fields, owners in group:
        for field in fields:
            row = rows.setdefault((*bits(field), field["name"], field.get("base", "")), [set(), {}])
            row[0].update(owners)
            for name, value in (field.get("values") or {}).items():
                row[1].setdefault((value, name), set()).update(owners)
    return [(*key, owners, [(value, name, who) for (value, name), who in sorted(values.items())])
            for key, (owners, values) in sorted(rows.items(), key=lambda item: (item[0][0] // 32, -item[0][1], item[0][2]))]
