#!/usr/bin/env python3
"""Reproduces the tables and figures of the publications: docs/evaluation.md.

usage: evaluate.py --build DIR [-o DIR] [--quick] [--json FILE] [--tables FILE] [--page FILE] [ITEM...]
       evaluate.py --list | --check FILE

An item is a table or a figure of a publication, as 000/fig-3-9; without one, all are made. Each has a
folder in -o with CSV, SVG and claims.json: a number of the paper, ours, and why they differ.
"""
import argparse
import csv
import difflib
import json
import pathlib
import sys
import time

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parents[1])]
from built import built
from catalog import INCONSISTENCIES, ITEMS
from item import Claim, Context, Outcome, Skipped
from platforms import CALIBRATED, Wrong, load
from simulate import Failed, Simulator

TARGETS = ["acis-sim", "acis-simrun", "acis-simgrid", "acis-sim-end", "acis-sim-ranks", "acis-simcosts", "acis-model",
           "acis-steps", "acisc", "acisd", "acis-client", "acis-cccf-smpi", "kernels-overlap-smpi"]
RESULTS = "## Results\n"


def chosen(names):
    """Items by name; ends the program at an unknown one."""
    known = {item.name: item for item in ITEMS}
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, 3, 0.4)
            sys.exit(f"error: there is no item '{name}'" + (f"; did you mean {', '.join(near)}?" if near else "") +
                     "; scripts/evaluate --list has all")
        if not known[name].make:
            sys.exit(f"error: {name} is not made here ({known[name].state}): {known[name].note}")
    return [known[name] for name in names] or [item for item in ITEMS if item.make]


def listing():
    for item in ITEMS:
        print(f"{item.name:18} {item.state:10} {item.title}" + (f" ({item.note})" if item.note else ""))
    count = {state: sum(item.state == state for item in ITEMS) for state in dict.fromkeys(i.state for i in ITEMS)}
    print(", ".join(f"{number} {state}" for state, number in count.items()) + f", of {len(ITEMS)}")


def write(folder, outcome):
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in outcome.tables.items():
        if rows:
            with open(folder / f"{name}.csv", "w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)
    for name, svg in outcome.figures.items():
        (folder / f"{name}.svg").write_text(svg, encoding="utf-8")
    claims = [vars(claim) for claim in outcome.claims]
    (folder / "claims.json").write_text(json.dumps(claims, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def fixed():
    """The part of docs/evaluation.md that no run changes."""
    lines = ["# The publications' numbers, reproduced", "",
             "`scripts/evaluate` writes this page, and for each item CSV, SVG and the row below. Times are simulated",
             "([simulation.md](simulation.md)) where nothing else is said; plain MPI is calibrated to the measured",
             "ranges of 000 table 3.4 by `utils/evaluate/calibrate.py` (`utils/evaluate/stampede2.json`).", "",
             "```console", "$ scripts/evaluate --list", "$ scripts/evaluate 000/fig-3-9 -o build/evaluate",
             "$ scripts/evaluate --page docs/evaluation.md", "```", "",
             "000 is the dissertation, 001 FLASH, 002 device-aware MPI, 003 collectives beside hosts, 004 near-data",
             "processing.", "", "## Items", "", "| item | what | state | |", "|---|---|---|---|"]
    lines += [f"| `{i.name}` | {i.title} | {i.state} | {i.note} |" for i in ITEMS]
    lines += ["", "## What the publications contradict themselves in", "", "| where it matters | |", "|---|---|"]
    lines += [f"| `{name}` | {text} |" for name, text in INCONSISTENCIES]
    return "\n".join(lines) + "\n\n"


def section(item, claims):
    cell = lambda text: str(text).replace("|", "\\|")
    lines = [f"### {item.name}: {item.title}", "", "| | paper | ours | why they differ |", "|---|---|---|---|"]
    return "\n".join(lines + [f"| {cell(c['what'])} | {cell(c['paper'])} | {cell(c['ours'])} | {cell(c['why'])} |" for c in claims])


def sections(path):
    """Those that a page has, by the items' names."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    found = text.partition(RESULTS)[2].split("### ")[1:]
    return {one.partition(":")[0]: "### " + one.rstrip() for one in found}


def page(folder, path):
    """Of the claims in the folder, of this run and of earlier ones; of items that it has not, as the page has them."""
    old, text = sections(path), [RESULTS]
    for item in ITEMS:
        file = folder / item.file() / "claims.json"
        if not item.make:
            continue
        try:
            claims = json.loads(file.read_text(encoding="utf-8"))
            text += [section(item, claims)] if claims else []
        except OSError:
            text += [old[item.name]] if item.name in old else []
        except ValueError as error:
            sys.exit(f"error: {file}: {error}; make {item.name} again")
    return fixed() + "\n\n".join(one.rstrip() for one in text) + "\n"


def check(path):
    """Whether the page's fixed part is what this program writes, and has results of every item."""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    if not text.startswith(fixed() + RESULTS):
        ours, theirs = fixed().splitlines(), text.splitlines()
        at = next((n for n, (a, b) in enumerate(zip(ours, theirs)) if a != b), len(ours))
        sys.exit(f"error: {path}:{at + 1}: is not what scripts/evaluate writes; make it anew with "
                 "scripts/evaluate --page " + str(path))
    # Items without a claim have no section.
    known = {item.name for item in ITEMS if item.make}
    for line in text.splitlines():
        if line.startswith("### ") and line[4:].split(":")[0] not in known:
            sys.exit(f"error: {path}: has results of '{line[4:].split(':')[0]}', which is no item")


def make(items, context, folder):
    """The items with what they gave, and how many failed."""
    outcomes, failed = [], 0
    for number, item in enumerate(items):
        context.say(f"{number + 1} of {len(items)}: {item.name}, {item.title}")
        try:
            outcome = item.make(context)
        except Skipped as reason:
            outcome = Outcome([Claim("not made on this machine", "-", "-", str(reason))])
        except Failed as error:
            failed += 1
            print(f"error: {item.name}: {error}", file=sys.stderr)
            continue
        write(folder / item.file(), outcome)
        outcomes.append((item, outcome))
        for claim in outcome.claims:
            print(f"{item.name}: {claim.what}: paper {claim.paper}; ours {claim.ours}" +
                  (f" ({claim.why})" if claim.why else ""), flush=True)
    return outcomes, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0], prog="scripts/evaluate",
                                     epilog="Exit code: 0, or 1 after an error or if an item failed.")
    parser.add_argument("items", nargs="*", metavar="ITEM", help="as 000/fig-3-9 (default: all)")
    parser.add_argument("--list", action="store_true", help="say which items there are, and which can be made")
    parser.add_argument("--quick", action="store_true", help="32 nodes and a few sizes only")
    parser.add_argument("-o", dest="output", default="build/evaluate", metavar="DIR", help="default: build/evaluate")
    parser.add_argument("--json", metavar="FILE", help="also write all rows of paper and ours to this file")
    parser.add_argument("--tables", metavar="FILE", help="of one item: also write the rows of its CSV files to this file, as JSON")
    parser.add_argument("--page", metavar="FILE", help="also renew the page, docs/evaluation.md, by all that is in -o")
    parser.add_argument("--check", metavar="FILE", help="say whether a page is what this program writes")
    parser.add_argument("--build", default="build/dev", metavar="DIR", help="build folder (default: build/dev)")
    parser.add_argument("--calibration", default=CALIBRATED, metavar="FILE", help="of plain MPI's platform")
    parser.add_argument("--jobs", type=int, default=2, help="simulations at a time (default: 2)")
    options = parser.parse_args()
    if options.list:
        return listing()
    if options.check:
        return check(options.check)
    items = chosen(options.items)
    if options.page and options.quick:
        sys.exit("error: --page is of items in their full form: leave --quick out")
    if options.tables and len(items) != 1:
        sys.exit(f"error: --tables is of one item, found {len(items)}: name one")
    start = time.monotonic()
    say = lambda text: print(f"[{time.monotonic() - start:.0f}s] {text}", file=sys.stderr, flush=True)
    try:
        calibration = load(options.calibration)
    except Wrong as error:
        sys.exit(f"error: {error}")
    programs = built(options.build, *TARGETS)
    with Simulator(programs, options.jobs) as simulator:
        outcomes, failed = make(items, Context(simulator, programs, options.quick, say, calibration),
                                pathlib.Path(options.output))
    if options.json:
        rows = [{"item": item.name, **vars(claim)} for item, outcome in outcomes for claim in outcome.claims]
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    if options.tables and not failed:
        tables = {"command": f"scripts/evaluate {items[0].name} --tables {options.tables}", **outcomes[0][1].tables}
        pathlib.Path(options.tables).write_text(json.dumps(tables, indent=1) + "\n", encoding="utf-8")
    if options.page and not failed:
        target = pathlib.Path(options.page)
        target.write_text(page(pathlib.Path(options.output), target), encoding="utf-8")
    if failed:
        sys.exit(f"error: {failed} of {len(items)} items failed")


if __name__ == "__main__":
    main()
