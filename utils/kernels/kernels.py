#!/usr/bin/env python3
"""Compiles the kernels of test/Kernels, runs them on both engines and compares with native
code bit for bit; checks that loops take the cycles that II and depth predict.

usage: kernels.py --bin FOLDER [--overlay NAME]... [--execute NAME]... [--update] [--json FILE]
                  [--figures FILE] [--exact SECONDS] [--latency RUNS] [KERNEL...]

Each kernel says in its first comment whether it maps or is refused, and with which words;
anything else than that is a failure. --update writes the expectations of the overlays that were
run anew. With --execute only pairs with these overlays are run, all others compiled. --json writes
what was found, --figures what docs/data/kernels.json has of it (utils/pages/data-pages.py makes the
page of that; what the file has of overlays and kernels that were not run stays), --latency measures the compiler against clang-22 -O2 -S -emit-llvm.
"""
import argparse
import concurrent.futures
import json
import pathlib
import statistics
import sys
import tempfile

import kerneltable
from kernelrun import ROOT, Kernel, Overlay, Problem, Runner, shipped


def one(runner, kernel, overlay, exact, execute):
    """What came out, as a row of the table; raises Problem."""
    row = {"kernel": kernel.name, "overlay": overlay.name}
    if not execute:
        refused, report = runner.compile(kernel, overlay)
        if refused:
            return row | {"refused": refused}
        if exact:
            runner.prove(kernel, overlay, report["loops"], exact)
        return row | {"loops": report["loops"]}
    runner.files(kernel)
    library = runner.native(kernel, overlay)
    row["reference"] = runner.reference(kernel, library)
    refused, report = runner.compile(kernel, overlay)
    if refused:
        return row | {"refused": refused} | on_scalar_unit(runner, kernel, overlay, library)
    runner.compare(kernel, overlay, library)
    row["cycles"], row["launches"] = runner.cycles(kernel, overlay)
    if exact:
        runner.prove(kernel, overlay, report["loops"], exact)
    return row | {"loops": report["loops"]}


def on_scalar_unit(runner, kernel, overlay, library):
    """Cycles of what is refused if the scalar unit may run its loops; none if that is refused, too."""
    refused, _ = runner.compile(kernel, overlay, "--scalar-loops")
    if refused:
        return {}
    runner.compare(kernel, overlay, library)
    return {"scalarCycles": runner.cycles(kernel, overlay)[0]}


def check(kernel, overlay, row):
    """Raises Problem if this is not what the kernel's comment says."""
    expected, found = kernel.expected(overlay.name), row.get("refused")
    if expected is None and found:
        raise Problem(f"refused: {found}")
    if expected is not None and not found:
        raise Problem("maps, but 'refused' is expected; change its line 'expect:' (--update)")
    if expected is not None and expected not in found:
        raise Problem(f"refused: {found}\n  but expected is: {expected}")


def say(row):
    if row.get("refused"):
        scalar = f" (on the scalar unit: equal, {row['scalarCycles']} cycles)" if "scalarCycles" in row else ""
        return f"refused: {row['refused']}{scalar}"
    loops = [f"{l['ii']}/{kerneltable.bound(l)}" for l in row["loops"] if l["kind"] == "context"]
    if "cycles" not in row:
        return f"maps, II/bound {' '.join(loops)}"
    return f"equal, II/bound {' '.join(loops)}, {row['cycles']} cycles"


def all_overlays(options, folder, kernel, overlays):
    """A kernel on each overlay, in a folder of its own: rows, lines to print, failures."""
    work = pathlib.Path(folder) / kernel.name
    work.mkdir()
    runner, rows, lines, failures = Runner(options.bin, options.cc, work), [], [], 0
    for overlay in overlays:
        try:
            row = one(runner, kernel, overlay, options.exact, overlay.name in (options.execute or [overlay.name]))
            rows.append(row)
            if not options.update:
                check(kernel, overlay, row)
            lines.append(f"{kernel.name:12} {overlay.name:10} {say(row)}")
        except Problem as problem:
            failures += 1
            lines.append(f"{kernel.name:12} {overlay.name:10} FAILED: {problem}")
    if options.update and rows:
        kernel.record({row["overlay"]: row.get("refused") for row in rows})
    return rows, lines, failures


def run(options, folder, kernels, overlays):
    """All pairs: the rows of those that came to an end, and how many did not do as said."""
    rows, failures = [], 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for own, lines, failed in pool.map(lambda k: all_overlays(options, folder, k, overlays), kernels):
            print("\n".join(lines), flush=True)
            rows += own
            failures += failed
    return rows, failures


LATENCY_LIMIT = 1.5  # times clang, of the median


def write(file, kernels, result):
    """What docs/data has: a pair that maps is a row of numbers, one that is refused an object. A run
    without --latency keeps the latency that is there."""
    old = json.loads(file.read_text()) if file.exists() else {}
    rows = kerneltable.merged(kerneltable.rows_of(old) if old else [], kerneltable.figures(result["rows"]), shipped())
    worse = len(result["summary"]["largerOnLarger"])
    data = {"command": "scripts/bench-kernels --docs", "titles": old.get("titles", {}) | {k.name: k.title for k in kernels},
            "overlays": [name for name in shipped() if any(row["overlay"] == name for row in rows)],
            "summary": kerneltable.summary_of(rows) | {"largerOnLarger": max(worse, old.get("summary", {}).get("largerOnLarger", 0))
                                                       if len(result["rows"]) < len(rows) else worse},
            "latency": kerneltable.latency_figures(result["latency"]["byKernel"], LATENCY_LIMIT) if "latency" in result else old.get("latency"),
            "columns": kerneltable.COLUMNS, "refused": [row for row in rows if "refused" in row]}
    mapped = ",\n  ".join(json.dumps([row.get(name) for name in kerneltable.COLUMNS]) for row in rows if "refused" not in row)
    file.write_text(json.dumps(data, indent=1)[:-2] + f',\n "mapped": [\n  {mapped}\n ]\n}}\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="folder of acisc and the other tools")
    parser.add_argument("--cc", default="clang-22", help="the host's C compiler")
    parser.add_argument("--overlay", action="append", help="all that are shipped by default")
    parser.add_argument("--execute", action="append", metavar="OVERLAY", help="run pairs with these only; all by default")
    parser.add_argument("--update", action="store_true", help="write the expectations")
    parser.add_argument("--jobs", type=int, default=1, help="kernels at a time")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--figures", type=pathlib.Path)
    parser.add_argument("--exact", type=int, default=0, metavar="SECONDS", help="ask the exact mapper about loops above their bound")
    parser.add_argument("--latency", type=int, default=0, metavar="RUNS")
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", help="files; all of test/Kernels by default")
    options = parser.parse_args()
    names = options.overlay or shipped()
    overlays = [Overlay(name) for name in names]
    files = options.kernels or sorted((ROOT / "test/Kernels").glob("*.c"))
    kernels = [Kernel(file) for file in files]
    with tempfile.TemporaryDirectory() as folder:
        rows, failures = run(options, folder, kernels, overlays)
        result = {"summary": kerneltable.summary(overlays, rows), "rows": rows}
        if options.latency:
            ratios = kerneltable.latency(pathlib.Path(options.bin), pathlib.Path(folder), kernels, Overlay("u280-full"), options.latency)
            result["latency"] = {"median": statistics.median(ratios.values()), "byKernel": ratios}
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n")
    if options.figures:
        write(options.figures, kernels, result)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
