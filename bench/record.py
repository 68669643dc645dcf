"""Records what a group of benchmarks measured, together with what the machine could do before and after.

A record is a file of JSON lines, bench/results/GROUP.jsonl: first the group, its machine and its versions, then a row for
each thing measured, with the samples of both sides round by round. Seconds, bytes and whatever else is measured are better
when there are fewer. The command bench/page writes docs/benchmarks.md from the records.
"""

import datetime
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

# What a quiet machine keeps to: the share of its processors that others take, and how far its limits move.
OTHERS, STOLEN, MOVED = 0.05, 0.02, 0.10


def used():
    """Processor seconds of the whole machine, those that its host took away, and those of this process and its children."""
    ticks = [int(n) for n in pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    tick = os.sysconf("SC_CLK_TCK")
    user, nice, system, _, _, irq, softirq, steal = ticks
    own = sum(r.ru_utime + r.ru_stime for r in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))
    return (user + nice + system + irq + softirq) / tick, steal / tick, own


def versions(python, requirements):
    """The versions of the packages that a file of requirements names, as the interpreter finds them."""
    names = [line.split("=")[0].split("<")[0] for line in requirements.read_text().split()]
    ask = "import sys, json, importlib.metadata as m; print(json.dumps({n: m.version(n) for n in sys.argv[1:]}))"
    found = json.loads(subprocess.run([python, "-c", ask, *names], check=True, capture_output=True, text=True).stdout)
    python = subprocess.run([python, "-V"], check=True, capture_output=True, text=True).stdout.split()[1]
    return {"Python": python, **found}


def shown(value, unit):
    if unit == "s":
        for scale, name in ((1, "s"), (1e3, "ms"), (1e6, "us")):
            if value * scale >= 1 or name == "us":
                return f"{value * scale:.3g} {name}"
    if unit == "B":
        return f"{value / 2**20:.3g} MiB"
    return f"{value:.3g} {unit}".strip()


class Record:
    """What one group measured. Make it when everything is built and installed, and close it when the sides have ended."""

    def __init__(self, folder, about, versions):
        self.group, self.about, self.versions = folder.name, about, versions
        self.rows = []
        self.scratch = tempfile.TemporaryDirectory(prefix="gaucho-bench-")
        self.limit = pathlib.Path(self.scratch.name) / "limit"
        subprocess.run(["go", "build", "-o", self.limit, "./bench/limit"], cwd=ROOT, check=True)
        self.before = self.limits()
        self.begun, self.used = time.monotonic(), used()
        print(f"{'':46}{'gaucho':>12}{'peer':>12}{'':>16}{'ratio':>8}{'(rounds)':>16}{'goal':>8}")

    def limits(self):
        return json.loads(subprocess.run([self.limit], check=True, capture_output=True, text=True).stdout)

    def row(self, title, own, peer="", other=(), *, unit="s", goal=None, most=None, threads=None, note=""):
        """A thing measured: samples of Gaucho and, round by round, of a peer; fewer are better.

        goal is how many times less Gaucho should take than the peer, most what it should take at most.
        """
        row = dict(title=title, own=list(own), peer=peer, other=list(other), unit=unit, goal=goal, most=most, threads=threads, note=note)
        self.rows.append(row)
        middle = statistics.median(own)
        cells = [shown(middle, unit), "", peer, "", "", ""]
        met = most is None or middle <= most
        if other:
            ratios = [b / a for a, b in zip(own, other)]
            ratio = statistics.median(ratios)
            met = met and (goal is None or ratio >= goal)
            cells[1] = shown(statistics.median(other), unit)
            cells[3:5] = f"{ratio:.2f}", f"({min(ratios):.2f} to {max(ratios):.2f})"
        cells[5] = shown(most, unit) if most is not None else f"{goal:.3g}" if goal is not None else ""
        print(f"{title:46}{cells[0]:>12}{cells[1]:>12}{cells[2]:>16}{cells[3]:>8}{cells[4]:>16}{cells[5]:>8}{'' if met else '  missed'}", flush=True)

    def differ(self, title, wrong):
        """The sides' answers do not agree, so there is nothing to compare."""
        print(f"{title:46}  answers differ: {wrong}", file=sys.stderr)
        raise SystemExit(1)

    def disturbances(self, after):
        """What says that the machine was not quiet."""
        wall = (time.monotonic() - self.begun) * os.cpu_count()
        busy, stolen, own = (b - a for a, b in zip(self.used, used()))
        found = []
        if (others := (busy - own) / wall) > OTHERS:
            found.append(f"other programs used {others:.0%} of the processors")
        if stolen / wall > STOLEN:
            found.append(f"the host took {stolen / wall:.0%} of the processors away")
        for key, name in (("products", "products in cache"), ("written", "memory writes")):
            bursts = [self.before[key], after[key]]
            best = max(map(max, bursts))
            if any(statistics.median(b) < (1 - MOVED) * best for b in bursts):
                moved = " and ".join(f"{statistics.median(b) / best:.0%}" for b in bursts)
                found.append(f"{name} ran at {moved} of their best before and after")
        return found

    def close(self, keep):
        """Says whether the run was disturbed, and writes the record if it is to be kept."""
        after = self.limits()
        found = self.disturbances(after)
        self.scratch.cleanup()
        print("disturbed: " + "; ".join(found) if found else "undisturbed", flush=True)
        if not keep:
            return
        revision = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
        head = dict(group=self.group, about=self.about, date=datetime.date.today().isoformat(), revision=revision, versions=self.versions,
                    machine=after["machine"], go=after["go"], disturbed=found,
                    limits={key: [round(statistics.median(side[key]), 1) for side in (self.before, after)] for key in ("products", "written")})
        lines = [json.dumps(head)] + [json.dumps({k: v for k, v in row.items() if v not in (None, "", [])}) for row in self.rows]
        (ROOT / "bench" / "results" / f"{self.group}.jsonl").write_text("\n".join(lines) + "\n")
