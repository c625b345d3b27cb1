#!/usr/bin/env python3
"""Compiles the kernels of test/Kernels, runs them on both engines and compares with native
code bit for bit; checks that loops take the cycles that II and depth predict.

usage: kernels.py --bin FOLDER [--overlay NAME]... [--update] [KERNEL...]

Each kernel says in its first comment whether it maps or is refused, and with which words;
anything else than that is a failure. --update writes the expectation anew.
"""
import argparse
import pathlib
import sys
import tempfile

from kernelrun import OVERLAYS, ROOT, Kernel, Overlay, Problem, Runner


def one(runner, kernel, overlay):
    """What came out, as a row of the table; raises Problem."""
    row = {"kernel": kernel.name, "overlay": overlay.name}
    runner.files(kernel)
    library = runner.native(kernel, overlay)
    row["reference"] = runner.reference(kernel, library)
    refused, report = runner.compile(kernel, overlay)
    if refused:
        return row | {"refused": refused}
    runner.compare(kernel, overlay, library)
    row["cycles"], row["launches"] = runner.cycles(kernel, overlay)
    return row | {"loops": report["loops"]}


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
        return f"refused: {row['refused']}"
    loops = [f"{l['ii']}/{max(l['resMii'], l['recMii'])}" for l in row["loops"] if l["kind"] == "context"]
    return f"equal, II/bound {' '.join(loops)}, {row['cycles']} cycles"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="folder of acisc and the other tools")
    parser.add_argument("--cc", default="clang-22", help="the host's C compiler")
    parser.add_argument("--overlay", action="append", help="all that are shipped by default")
    parser.add_argument("--update", action="store_true", help="write the expectations")
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", help="files; all of test/Kernels by default")
    options = parser.parse_args()
    names = options.overlay or sorted(f.stem for f in OVERLAYS.glob("*.json") if f.name != "overlay.schema.json")
    overlays = [Overlay(name) for name in names]
    files = options.kernels or sorted((ROOT / "test/Kernels").glob("*.c"))
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(options.bin, options.cc, folder)
        for kernel in map(Kernel, files):
            rows = []
            for overlay in overlays:
                try:
                    row = one(runner, kernel, overlay)
                    rows.append(row)
                    if not options.update:
                        check(kernel, overlay, row)
                    print(f"{kernel.name:12} {overlay.name:10} {say(row)}", flush=True)
                except Problem as problem:
                    failures += 1
                    print(f"{kernel.name:12} {overlay.name:10} FAILED: {problem}", flush=True)
            if options.update and rows:
                kernel.record({row["overlay"]: row.get("refused") for row in rows})
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
