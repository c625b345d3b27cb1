#!/usr/bin/env python3
"""Measures the mapper: the tables and the plot of docs/mapper.md.

usage: map-bench.py [--bench build/release/bin/acis-map-bench] [--exact SECONDS]
                    [--plot docs/mapper-scaling.svg] [--from LOG]

Prints the loops of the suite on several overlays (with --exact, also what the SAT solver
proves) and how the search time grows with nodes and grid. --from draws the plot from the
lines that an earlier run printed.
"""
import argparse
import math
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from built import built

OVERLAYS = ["mesh4x4-onecycle", "mesh4x4-onecycle-left", "mesh8x8-onecycle", "mesh4x4", "u280-full"]
GRIDS = ["2x2", "4x4", "8x8", "16x16"]
SIZES = [20, 50, 100, 200, 500, 1000]
COLORS = ["#1b6ca8", "#c8553d", "#3f7d20", "#7a4ea3"]
LINE = re.compile(r"^mesh(\d+x\d+) (\d+) # (\d+) graphs, (\d+) mapped, (\d+) at the bound.* ([\d.]+) median")


def scaling(bench):
    """One line for each grid and size, as --from reads them."""
    for grid in GRIDS:
        for nodes in SIZES:
            text = subprocess.run([bench, f"--overlay=mesh{grid}-onecycle", f"--random={nodes}", "--count=5", "--quiet"],
                                  capture_output=True, text=True, check=True).stdout
            yield f"mesh{grid} {nodes} {text.strip()}"


def svg(points):
    """Median search time over nodes, both logarithmic; points: {grid: [(nodes, ms)]}."""
    left, top, width, height = 60, 20, 460, 280
    x = lambda nodes: left + width * (math.log10(nodes) - math.log10(20)) / math.log10(50)
    y = lambda ms: top + height * (4 - math.log10(max(ms, 0.1))) / 5
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="640" height="350" font-family="sans-serif" font-size="12">',
           '<rect width="640" height="350" fill="white"/>']
    for nodes in SIZES:
        out.append(f'<line x1="{x(nodes):.1f}" y1="{top}" x2="{x(nodes):.1f}" y2="{top + height}" stroke="#ddd"/>')
        out.append(f'<text x="{x(nodes):.1f}" y="{top + height + 16}" text-anchor="middle">{nodes}</text>')
    for power in range(-1, 5):
        at = y(10 ** power)
        out.append(f'<line x1="{left}" y1="{at:.1f}" x2="{left + width}" y2="{at:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{left - 6}" y="{at + 4:.1f}" text-anchor="end">{10 ** power:g}</text>')
    out.append(f'<text x="{left + width / 2}" y="{top + height + 36}" text-anchor="middle">nodes</text>')
    out.append(f'<text x="14" y="{top + height / 2}" transform="rotate(-90 14 {top + height / 2})" '
               'text-anchor="middle">search time in ms, median</text>')
    for color, (grid, line) in zip(COLORS, points.items()):
        way = " ".join(f"{x(n):.1f},{y(ms):.1f}" for n, ms in line)
        out.append(f'<polyline points="{way}" fill="none" stroke="{color}" stroke-width="2"/>')
        out += [f'<circle cx="{x(n):.1f}" cy="{y(ms):.1f}" r="3" fill="{color}"/>' for n, ms in line]
        out.append(f'<text x="{x(line[-1][0]) + 8:.1f}" y="{y(line[-1][1]) + 4:.1f}" fill="{color}">{grid}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bench", default="build/release/bin/acis-map-bench")
    parser.add_argument("--exact", type=float, default=0)
    parser.add_argument("--plot")
    parser.add_argument("--from", dest="log")
    arguments = parser.parse_args()
    if arguments.log:
        try:
            lines = open(arguments.log).read().splitlines()
        except OSError as error:
            sys.exit(f"map-bench.py: error: {arguments.log}: {error.strerror}; give what an earlier run has printed")
    else:
        built(pathlib.Path(arguments.bench).parents[1], "acis-map-bench")
        exact = [f"--exact={arguments.exact}"] if arguments.exact else []
        subprocess.run([arguments.bench, "--loops", "--overlay=" + ",".join(OVERLAYS), *exact], check=True)
        lines = scaling(arguments.bench)
    points = {}
    for line in lines:
        if not arguments.log:
            print(line, flush=True)
        if (found := LINE.match(line)) and int(found[4]) == int(found[3]):
            points.setdefault(found[1], []).append((int(found[2]), float(found[6])))
    if arguments.plot and not points:
        sys.exit(f"map-bench.py: error: {arguments.log or arguments.bench}: no line 'mesh4x4 20 # ..' with all graphs mapped; nothing to draw")
    if arguments.plot:
        with open(arguments.plot, "w") as file:
            file.write(svg(points))


if __name__ == "__main__":
    main()
