"""What a process holds, sampled from /proc for hours: a table with a verdict.

A long-lived server is looked at in phases. Idle, while nobody is connected, and between, as soon as a client has left, it must hold what
it held after the first one. Busy, what it mostly held in the second half of the time (the median) must not be above that of the first half:
what grows without end shows, and what comes and goes with the work does not.
"""
import os
import statistics
import time

# What is sampled, and how much more of it is no growth: idle or between, and busy (beside a tenth).
SLACK = {"anonymous_kb": (512, 1024), "address_space_kb": (8192, 65536), "descriptors": (0, 8), "maps": (4, 16), "threads": (0, 1)}
IDLE_CPU = 0.05  # of a processor, while nobody is connected


def sample(pid):
    """None: it is gone."""
    try:
        with open(f"/proc/{pid}/status") as file:
            status = dict(line.split(":", 1) for line in file)
        with open(f"/proc/{pid}/maps") as file:
            maps = sum(1 for _ in file)
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        if fields[0] == "Z":
            return None
        return {"anonymous_kb": int(status["RssAnon"].split()[0]), "address_space_kb": int(status["VmSize"].split()[0]),
                "descriptors": len(os.listdir(f"/proc/{pid}/fd")), "maps": maps, "threads": int(status["Threads"]),
                "cpu_s": (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")}
    except (OSError, KeyError, IndexError):
        return None


def verdict(phase, name, values):
    """'' is good."""
    idle, busy = SLACK[name]
    if phase != "busy":
        return f"grew by {values[-1] - values[0]}" if values[-1] > values[0] + idle else ""
    half = (len(values) + 1) // 2
    early, late = (statistics.median(part or [0]) for part in (values[:half], values[half:]))
    return f"grows, from {early:.0f} in the first half to {late:.0f} in the second" if late > early * 1.1 + busy else ""


class Watched:
    def __init__(self, name, pid, log):
        self.name, self.pid, self.log = name, pid, log
        self.samples = {}  # by phase
        self.idle_cpu = 0.0
        self.last = None

    def look(self, phase):
        """False: it is gone."""
        now, s = time.time(), sample(self.pid)
        if s is None:
            return False
        if self.last and self.last[1] == phase == "idle" and now - self.last[0] >= 1:
            self.idle_cpu = max(self.idle_cpu, (s["cpu_s"] - self.last[2]) / (now - self.last[0]))
        self.last = now, phase, s["cpu_s"]
        self.samples.setdefault(phase, []).append(s)
        self.log.write("\t".join([f"{now:.1f}", self.name, phase, *(str(s[name]) for name in SLACK), f"{s['cpu_s']:.2f}"]) + "\n")
        self.log.flush()
        return True

    def rows(self):
        """Of each phase: (cells of the table, what is wrong)."""
        for phase, samples in sorted(self.samples.items()):
            cells, bad = [self.name, phase, str(len(samples))], []
            for what in SLACK:
                values = [s[what] for s in samples]
                cells.append(f"{values[0]} {values[-1]} {max(values)}")
                why = verdict(phase, what, values)
                bad += [f"{what} {why}"] if why else []
            if phase == "idle" and self.idle_cpu > IDLE_CPU:
                bad.append(f"takes {self.idle_cpu:.0%} of a processor for nobody")
            yield [*cells, f"{self.idle_cpu:.1%}" if phase == "idle" else "", "; ".join(bad) or "flat"], bad


HEADER = "time\twho\tphase\t" + "\t".join(SLACK) + "\tcpu_s\n"
TABLE = ("| who | phase | samples | " + " | ".join(f"{what}: first, last, most" for what in SLACK) + " | processor | verdict |\n"
         "| --- | --- | ---: | " + "--- | " * len(SLACK) + "---: | --- |")
