#!/usr/bin/env python3
"""Synthesises a PE, the core or the whole shell of a description as one netlist, and says what it takes of a device.

usage: rtl-netlist.py u280-full.json [--device xcu280] [--of pe|core|shell]

A row is a block by itself, without the blocks in it, in all of its places; the rows add up to the whole. A
PE (--of pe) is flat, one row, with the links that the topology gives it. Nothing is placed.

Needs a build (acis-overlay and the generated packages) and, once, the network: Yosys comes from the Python
package index into build/yosys, because a distribution's cannot read this SystemVerilog.
"""
import argparse
import collections
import json
import pathlib
import resource
import sys

import synthesis
from synthesis import COLUMNS, ROOT, fail


def devices():
    return json.loads((ROOT / "backend/overlay/devices.json").read_text())


def netlist(args, family):
    """(modules, top) of what is asked for."""
    top = {"pe": "acis_core"}.get(args.of, f"acis_{args.of}")
    path = synthesis.description(args.description)
    work = ROOT / "build" / "rtl-netlist" / path.stem
    if args.read:
        name = inner_name(work / f"{top}.il", args.pe) if args.of == "pe" else top
        file = work / f"{synthesis.file_name(name, family, args.of == 'pe' or args.flat)}.json"
        if not file.exists():
            fail(f"{file}: no netlist of an earlier run; leave --read out")
        return json.loads(file.read_text())["modules"], name
    shared = synthesis.elaborate(args.build, path, work, top, args.limit)
    inner = inner_name(shared, args.pe) if args.of == "pe" else None
    modules = synthesis.synthesise(shared, family, work, top, inner=inner, flat=args.of == "pe" or args.flat,
                                   mapper=args.mapper, limit=args.limit, only=args.only)
    return modules, inner or top


def inner_name(shared, pe):
    """The module of a PE; PEs that are the same are one module."""
    names = synthesis.pes(shared.read_text())
    if pe >= len(names):
        fail(f"--pe: found {pe}, allowed are 0 to {len(names) - 1}")
    return names[pe]


def measure(args, family):
    """What a run gives, as --json writes it."""
    modules, top = netlist(args, family)
    rows = [{"block": path, "module": name, "places": places, **{c.lower(): counts[c] for c in COLUMNS}}
            for path, name, places, counts in synthesis.blocks(family, modules, top)]
    total = {c.lower(): sum(row["places"] * row[c.lower()] for row in rows) for c in COLUMNS}
    return {"description": synthesis.description(args.description).name, "of": args.of, "family": family,
              "mapper": args.mapper, "total": total, "blocks": rows}


def text(result, device):
    lines = [f"| block | places | {' | '.join(COLUMNS)} |", "|---" * (2 + len(COLUMNS)) + "|"]
    merged = collections.OrderedDict()
    for row in result["blocks"]:
        at = merged.setdefault(row["block"], collections.Counter())
        at["places"] += row["places"]
        for column in COLUMNS:
            at[column] += row["places"] * row[column.lower()]
    for block, counts in merged.items():
        if any(counts[c] for c in COLUMNS):
            lines.append(f"| {block} | {counts['places']} | " + " | ".join(f"{counts[c]:g}" for c in COLUMNS) + " |")
    total = result["total"]
    lines.append("| **all** | | " + " | ".join(f"{total[c.lower()]:g}" for c in COLUMNS) + " |")
    if device:
        lines.append(f"| of {device['name']} | | " + " | ".join(
            f"{100 * total[c.lower()] / device[c.lower()]:.0f} %" if device[c.lower()] else "-" for c in COLUMNS) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("description", help="a file, or a shipped description by its name")
    parser.add_argument("--device", help=f"one of {', '.join(devices())}")
    parser.add_argument("--family", choices=synthesis.FAMILIES, help="without a device (default xcup)")
    parser.add_argument("--of", choices=("pe", "core", "shell"), default="core")
    parser.add_argument("--pe", type=int, default=0, metavar="N", help="which PE, of --of pe (default 0)")
    parser.add_argument("--flat", action="store_true", help="without blocks: one row for all")
    parser.add_argument("--only", nargs="+", default=[], metavar="BLOCK", help="count these alone, as they are in it")
    parser.add_argument("--mapper", choices=("fast", "timed"), default="fast",
                        help="timed: for short paths, which takes several times as long (default fast)")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the result there, too")
    parser.add_argument("--read", action="store_true", help="take the netlist of an earlier run")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/dev",
                        help="build folder with acis-overlay and the generated packages")
    parser.add_argument("--limit", type=int, default=3600, metavar="SECONDS", help="give up after (default 3600)")
    args = parser.parse_args()
    device = None
    if args.device:
        if args.device not in devices():
            fail(f"--device: found '{args.device}', allowed are {', '.join(devices())}")
        device = {"name": args.device, **devices()[args.device]}
        if args.family and args.family != device["family"]:
            fail(f"--family: found '{args.family}', but {args.device} is of family {device['family']}")
    args.build = args.build.resolve()
    if args.only and (args.of == "pe" or args.flat):
        fail("--only: a flat netlist has no blocks; leave --of pe and --flat out")
    known = {block.removeprefix("acis_") for block in synthesis.BLOCKS}
    for block in args.only:
        if block not in known:
            fail(f"--only: found '{block}', allowed are {', '.join(sorted(known))}")
    result = measure(args, device["family"] if device else args.family or "xcup")
    result["seconds"] = round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime)
    if device:
        result["device"] = device
        result["fits"] = all(result["total"][c.lower()] <= device[c.lower()] for c in COLUMNS)
    print(text(result, device))
    if args.json:
        args.json.write_text(json.dumps(result, indent=1) + "\n")
    if device and not result["fits"]:
        over = [f"{c} {result['total'][c.lower()]:g} of {device[c.lower()]}" for c in COLUMNS
                if result["total"][c.lower()] > device[c.lower()]]
        fail(f"{result['description']} does not fit {args.device}: {', '.join(over)}")


if __name__ == "__main__":
    sys.exit(main())
