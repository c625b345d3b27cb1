"""The parts of the data: lists of rows, one for a graph, or for a graph and a number of hosts."""
import json
import os
import pathlib
import statistics
import tempfile

import simulate

from . import count, hosts as of_hosts, runs, sets

ROOT = pathlib.Path(__file__).resolve().parents[3]
NAMES = ("graphs", "laws", "instructions", "compile", "elements", "idle", "loads", "publication", "runs")


def compiled(programs):
    """000 table 4.4: of the publication's dataflow."""
    source, overlay = ROOT / "examples/gcn/os.c", ROOT / "backend/overlay/descriptions/u280.json"
    times = []
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        for _ in range(20):
            before = os.times()
            simulate.run([programs / "acisc", source, f"--config={overlay}", f"--report={report}", "-o", f"{folder}/out"])
            after = os.times()
            times.append(1e3 * (after.children_user + after.children_system - before.children_user - before.children_system))
        loops = json.loads(report.read_text())["loops"]
    lines = sum(1 for line in source.read_text().splitlines() if line.strip() and not line.strip().startswith(("//", "*", "/*")))
    sizes = {f"{when}{what.title()}": sum(loop[when][what] for loop in loops if when in loop)
             for when in ("initial", "optimised") for what in ("nodes", "edges")}
    return {"meanMs": round(statistics.mean(times), 1), "stdMs": round(statistics.stdev(times), 1), "lines": lines, **sizes}


def published(name, hosts):
    """The authors' side: of their public data, where that is at hand."""
    return {"set": name, "hosts": hosts, "faster": sets.ALL[name].faster, "times": of_hosts.measured(name, hosts),
            "model": of_hosts.authors(name, hosts)}


def of_sets(part, names, kept):
    """A row, or rows, of each graph."""
    makers = {"graphs": count.graphs, "instructions": count.instructions, "idle": count.idles, "loads": count.loads}
    rows = []
    for name in names:
        rows += kept.once({"part": part, **runs.source(name)}, lambda: makers[part]([name]))
    return rows


def simulated(names, ways, hosts, kept, calibration):
    rows, runner = [], runs.Simulated()
    try:
        for name in names:
            for number in hosts:
                for way in (way for way in ways if runs.possible(name, way)):
                    asked = runs.wanted(name, way, number, calibration)
                    rows.append({**asked, **kept.once(asked, lambda: runner.run(asked))})
    finally:
        runner.close()
    return rows


def make(part, names, ways, hosts, kept, programs, calibration):
    """Rows of a part of NAMES, or a dictionary."""
    if part == "laws":
        return count.laws(names)
    if part == "compile":
        return kept.once({"part": part}, lambda: compiled(programs))
    if part == "elements":
        return [kept.once({"part": part, "hosts": number, **runs.source(name)}, lambda: count.elements(name, number))
                for name in names for number in hosts]
    if part == "publication":
        return [published(name, number) for name in names for number in hosts]
    if part == "runs":
        return simulated(names, ways, hosts, kept, calibration)
    return of_sets(part, names, kept)


def _of(rows, **keys):
    return next((row for row in rows if all(row[key] == value for key, value in keys.items())), None)


def beside(plain, switched):
    return {"plainMs": round(plain, 4), "switchedMs": round(switched, 4), "faster": round(plain / switched, 3)}


def throughput(run):
    """Gb/s into a leaf switch, without loads: of kernel split, whose beats are full."""
    return round(run["sent"] * 8 / run["leaves"] / (run["ms"] - run["loadMs"]) / 1e6, 3)


def whole(data):
    """000 figures 4.1a and 4.12: of each graph and number of hosts that has all runs; milliseconds, at the scale of the run."""
    rows = []
    for name, hosts in dict.fromkeys((run["set"], run["hosts"]) for run in data.get("runs", [])):
        keys = {"set": name, "hosts": hosts}
        moved, said = _of(data.get("elements", []), **keys), _of(data.get("publication", []), **keys)
        others = {way: _of(data["runs"], way=way, **keys) for way in ("allgather", "stampede2", "integrated")}
        if not moved or not said or not all(others.values()):
            continue
        kernels = [others["integrated"], _of(data["runs"], way="rows", **keys)]
        run = min((one for one in kernels if one), key=lambda one: one["ms"] - one["loadMs"])
        own = 1 - moved["outside"] / moved["edges"]
        scaled = lambda times: {key: value / run["scale"] for key, value in times.items()}
        kinds = {"cores": scaled(of_hosts.rated(sets.ALL[run["set"]], moved["nodes"], moved["edges"], run["hosts"]))}
        if said["times"]:
            kinds["authors"] = scaled(said["times"])
        row = {**keys, "generated": moved["generated"], "scale": run["scale"], "own": round(own, 4),
               "kernel": "rows" if run["way"] == "rows" else "split",
               "switchMs": round(run["ms"] - run["loadMs"], 4), "loadMs": run["loadMs"],
               "throughput": throughput(others["integrated"])}
        for kind, times in kinds.items():
            for baseline in ("allgather", "stampede2"):
                plain, switched = of_hosts.whole(others[baseline]["ms"], row["switchMs"], times, own)
                row[f"{kind}-{baseline}"] = beside(plain, switched)
            row[f"{kind}-overlap"] = round(min(1, times["sums"] * own / row["switchMs"]), 4)
        if said["times"]:  # the authors' own communication, too
            plain, switched = of_hosts.whole(kinds["authors"]["communication"], row["switchMs"], kinds["authors"], own)
            row["authors-measured"] = beside(plain, switched)
        rows.append(row)
    return rows
