#!/usr/bin/env python3
"""What each link of a simulated cluster has carried: CSV of all, and a plot of the busiest.

usage: links.py FILE.json [-o PREFIX] [--most N]

FILE.json is what acis-simrun --links --json or acis-sim --links --format json have written.
"""
import argparse
import csv
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import plot


def read(path):
    """Rows {name, bytes, share}, the busiest first; ends the program if there are none."""
    try:
        found = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        runs = found.get("runs", [found])
        links = [link for run in runs for link in run.get("links") or []]
        rows = [{"name": link["name"], "bytes": float(link["bytes"]), "share": float(link["share"])} for link in links]
    except (OSError, ValueError, AttributeError, KeyError, TypeError) as error:
        sys.exit(f"links.py: error: {path}: {error}; give what acis-simrun --links --json has written")
    if not rows:
        sys.exit(f"links.py: error: {path} has no links; run acis-simrun or acis-sim with --links")
    return sorted(rows, key=lambda row: (-row["bytes"], row["name"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("file", help="JSON of acis-simrun --links --json, or of acis-sim --links --format json")
    parser.add_argument("-o", dest="prefix", default="links", help="writes PREFIX.csv and PREFIX.svg (default: links)")
    parser.add_argument("--most", type=int, default=8, help="links in the plot (default: 8)")
    options = parser.parse_args()
    rows = read(options.file)
    with open(f"{options.prefix}.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    busiest = rows[:max(1, options.most)]
    panels = [("bytes of the busiest links", [(row["name"], {"bytes": row["bytes"]}) for row in busiest]),
              ("share of what they could carry", [(row["name"], {"share": row["share"]}) for row in busiest])]
    pathlib.Path(f"{options.prefix}.svg").write_text(plot.bars(panels, ""), encoding="utf-8")
    print(f"{len(rows)} links; the busiest, {rows[0]['name']}, has carried {rows[0]['bytes']:.0f} bytes, "
          f"{rows[0]['share'] * 100:.2f} % of what it could")


if __name__ == "__main__":
    main()
