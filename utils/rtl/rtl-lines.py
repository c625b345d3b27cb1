#!/usr/bin/env python3
"""Counts the lines of runtime/hardware/rtl, of every block, in a table of its folders.

usage: rtl-lines.py [--write]

Code is what is neither empty nor a comment; tests are test benches and their C++ beside the blocks.
Generated packages and the top level that package/generate.py writes are not counted. --write puts the
table into docs/rtl-cost.md.
"""
import argparse
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "utils/pages"))
import datapage

RTL, PAGE = ROOT / "runtime/hardware/rtl", ROOT / "docs/rtl-cost.md"
FOLDERS = {
    "int": "integer unit, multiplier", "fp": "floating point", "vector": "unit of all lanes, register file in memory blocks",
    "pe": "processing element", "fabric": "grid and links", "control": "sequencer, vector instructions, idle tile control",
    "scalar": "RV32IM core, divider", "mem": "read and write masters", "stream": "disassembler, packer, FIFOs",
    "shell": "frames, registers, loader, memory ports", "board": "memory, setup, frames of a MAC",
    "top": "core", "common": "packages, FIFOs, pipeline registers",
}


def count(files):
    """(lines, lines of code)"""
    lines = [line.strip() for file in files for line in file.read_text().splitlines()]
    return len(lines), sum(bool(line) and not line.startswith("//") for line in lines)


def lines_table():
    missing = {f.parent.name for f in RTL.glob("*/*.sv")} - FOLDERS.keys()
    if missing:
        sys.exit(f"error: folders without a name in {__file__}: {', '.join(sorted(missing))}")
    rows, total = [], [0, 0, 0]
    for folder, title in FOLDERS.items():
        blocks = sorted((RTL / folder).glob("*.sv*"))
        row = [*count(blocks),
               count(f for end in ("cpp", "h") for f in (RTL / folder).glob(f"*.{end}"))[0]]
        each = ", ".join(f"{b.stem.removeprefix('acis_')} {count([b])[1]}" for b in blocks)
        total = [a + b for a, b in zip(total, row)]
        rows.append([f"`{folder}`", title, *row, each])
    return datapage.table(["folder", "", "lines", "of code", "of tests", "lines of code of each block (`acis_` left out)"],
                          [*rows, ["**all**", "", *total, ""]], range(2, 5))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help=f"write docs/{PAGE.name}")
    table = lines_table()
    if parser.parse_args().write:
        PAGE.write_text(datapage.filled(PAGE.read_text(), {"lines": table}))
    print(table)


if __name__ == "__main__":
    main()
