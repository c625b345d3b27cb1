#!/usr/bin/env python3
"""The long run of the units of runtime/hardware/rtl: random operands for every operation, type and container.

usage: rtl-units.py --bin build/dev/test-unit [--pairs N] [--only Float] [--write]

Runs AcisRtl{Integer,Convert,Float,Divide}Test at the latencies of u280, one after the other, with N
random operands (10 million) for each combination whose elements fill their containers and a tenth
for the others. Prints a table of what ran; --write puts it into docs/rtl-verification.md, where
rows of classes that did not run stay. Ends with an error after a mismatch. About half an hour of
one core.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs/rtl-verification.md"
CLASSES = ("Integer", "Convert", "Float", "Divide")
HEAD = "| operation | types (of the operand too, for conversions) / container: millions of operands |\n|---|---|\n"


def run(binary, pairs):
    """[(operation, types, operands)] and the mismatches of one class, as the test prints them."""
    done = subprocess.run([binary, "--gtest_filter=*RandomOperands*u280"], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env={**os.environ, "ACIS_FU_PAIRS": str(pairs)})
    ran = re.findall(r"^(\w+)\.(\S+) +(\d+) pairs$", done.stdout, re.M)
    wrong = re.findall(r"^\w+\.\S+: a .*", done.stdout, re.M)
    if done.returncode and not wrong:
        wrong = [f"{binary.name}: {(done.stdout.strip().splitlines() or ['no output'])[-1]}"]
    return [(op, types, int(count)) for op, types, count in ran], wrong


def rows(ran):
    table = {}
    for op, types, count in ran:
        table.setdefault(op, []).append(f"{types}: {count / 1e6:g}")
    return {op: f"| `{op}` | {', '.join(cells)} |" for op, cells in table.items()}


def write(table):
    text = DOCUMENT.read_text()
    begin = text.index(HEAD) + len(HEAD)
    end = text.index("\n\n", begin)
    old = {re.match(r"\| `(\w+)`", r)[1]: r for r in text[begin:end].splitlines() if r.startswith("| `")}
    DOCUMENT.write_text(text[:begin] + "\n".join({**old, **table}.values()) + text[end:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, type=pathlib.Path, help="folder of the unit tests")
    parser.add_argument("--pairs", type=int, default=10_000_000, metavar="N")
    parser.add_argument("--only", choices=CLASSES, help="one class")
    parser.add_argument("--write", action="store_true", help=f"write docs/{DOCUMENT.name}")
    options = parser.parse_args()
    ran, wrong = [], []
    for name in [options.only] if options.only else CLASSES:
        more, mismatches = run(options.bin.resolve() / f"AcisRtl{name}Test", options.pairs)
        ran += more
        wrong += mismatches
        print("\n".join(rows(more).values()), flush=True)
    for line in wrong:
        print(f"error: {line}", file=sys.stderr)
    print(f"{len(ran)} combinations, {sum(count for *_, count in ran) / 1e6:g} million operands, "
          f"{len(wrong) or 'no'} mismatches")
    if options.write and not wrong:
        write(rows(ran))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
