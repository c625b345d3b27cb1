#!/usr/bin/env python3
"""Measures the mapper: the loops of its suite, random graphs, and how the time grows with graph and grid.

usage: map-bench.py [--bench build/release/bin/acis-map-bench] [--exact SECONDS] [--quick] [--write]

Prints what acis-map-bench says of each group (with --exact, also what the SAT solver proves). --write renews
docs/data/mapper.json, and the tables and the picture of docs/mapper.md from it; --quick takes three random
graphs of each size and no graph of more than 100 nodes.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "utils"))
from built import built

SUITE = ["mesh4x4-onecycle", "mesh4x4-onecycle-left", "mesh8x8-onecycle", "mesh4x4", "u280-full"]
LOOPS = SUITE[0]  # whose loops are kept one by one
RANDOM, RANDOM_SIZES = SUITE[:2], [20, 40, 60, 80, 100]
GRIDS, GRID_SIZES = ["2x2", "4x4", "8x8", "16x16"], [20, 50, 100, 200, 500, 1000]
LINE = re.compile(r"^(\S+) +(\S+) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) +([\d.]+) ?(.*)$")
SUMMARY = re.compile(r"^# (\d+) graphs, (\d+) mapped, (\d+) at the bound, (\d+) one above, (\d+) proven optimal; "
                     r"ms: [\d.]+ on average, ([\d.]+) median, ([\d.]+) at most$")


def group(bench, overlay, *words):
    """(loops one by one, the summary) of a run of acis-map-bench, which is printed."""
    done = subprocess.run([bench, f"--overlay={overlay}", *words], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"map-bench.py: error: '{bench} --overlay={overlay} {' '.join(words)}' has failed with {done.returncode}")
    print(done.stdout, end="", flush=True)
    loops, found = [], None
    for line in done.stdout.splitlines():
        if match := LINE.match(line):
            names = ("nodes", "edges", "resMii", "recMii", "placeMii", "ii")
            loops.append({"loop": match[2]} | dict(zip(names, map(int, match.groups()[2:8]))) | {"ms": float(match[9])})
        elif match := SUMMARY.match(line):
            names = ("graphs", "mapped", "atBound", "oneAbove", "proven")
            found = dict(zip(names, map(int, match.groups()[:5]))) | {"medianMs": float(match[6]), "mostMs": float(match[7])}
    return (loops, found) if found else sys.exit(f"map-bench.py: error: {bench}: no line '# .. graphs, .. mapped'; is it of another version?")


def measure(bench, exact, quick):
    more = [f"--exact={exact}"] if exact else []
    count, repeat = ("3", "1") if quick else ("60", "3")
    suite, random, scaling, loops = [], [], [], []
    for overlay in SUITE:
        each, found = group(bench, overlay, "--loops", f"--repeat={repeat}", *more)
        suite.append({"overlay": overlay} | found)
        loops = loops or each
    for overlay in RANDOM:
        for nodes in RANDOM_SIZES:
            found = group(bench, overlay, f"--random={nodes}", f"--count={count}", f"--repeat={repeat}", "--quiet", *more)[1]
            random.append({"overlay": overlay, "nodes": nodes} | found)
    for grid in GRIDS:
        for nodes in GRID_SIZES[:3] if quick else GRID_SIZES:
            found = group(bench, f"mesh{grid}-onecycle", f"--random={nodes}", "--count=5", f"--repeat={repeat}", "--quiet")[1]
            scaling.append({"grid": grid, "nodes": nodes} | {k: found[k] for k in ("graphs", "mapped", "medianMs")})
    return {"suite": suite, "loops": loops, "random": random, "scaling": scaling}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", default="build/release/bin/acis-map-bench")
    parser.add_argument("--exact", type=float, default=0)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if options.quick and options.write:
        parser.error("--quick measures too little for the page; leave it or --write out")
    built(pathlib.Path(options.bench).parents[1], "acis-map-bench")
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} cores, load {load:.1f}")
    figures = {"command": "utils/bench/map-bench.py --write", "cores": os.cpu_count(), "load": round(load, 1)}
    figures |= measure(options.bench, options.exact, options.quick)
    if options.write:
        (ROOT / "docs/data/mapper.json").write_text(json.dumps(figures, indent=1) + "\n")
        subprocess.run([sys.executable, ROOT / "utils/pages/data-pages.py", "mapper"], check=True)


if __name__ == "__main__":
    main()
