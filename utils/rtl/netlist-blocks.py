#!/usr/bin/env python3
"""Runs the unit tests of blocks on the netlists that synthesis makes of them for an ECP5.

usage: netlist-blocks.py [--errors 3] [BLOCK ...]

The netlist, in cells of the device, is simulated in place of the RTL in the test of the block. With --errors as
many look-up tables are wrong, one at a time: three have to fail a test, as what a table is never asked does not
matter. Between them the blocks have all kinds of cells: carries, registers and distributed memory (stream_out),
multipliers (integer), block RAM (vrf). Needs a build of the tests.
"""
import argparse
import collections
import pathlib
import re
import shutil
import subprocess
import sys

import netlist
import resimulate
import synthesis
from synthesis import ROOT, fail

# The test of a block, the simulation in it, which of its tests, and parameters that the device asks for.
Block = collections.namedtuple("Block", "test simulation filter parameters")
BLOCKS = {
    "stream_out": Block("test-unit/AcisRtlStreamOutTest", "StreamOut_tiny", "*", ""),
    "integer": Block("test-unit/AcisRtlIntegerTest", "Fu_integer_tiny", "*tiny", ""),
    "vrf": Block("test-unit/AcisRtlVrfTest", "Vrf_copies", "VrfCopies*", '-G Ram="block"'),
}


def synthesised(make, block, work, limit):
    """RTLIL text of the block in cells of the device, with the sizes of the build's command; its top module."""
    top = re.search(r"--top-module (\w+)", make)[1]
    packages = [pathlib.Path(shutil.copy(path, work)) for path in re.findall(r"\S+_pkg\.sv", make)]   # the tool sees no others
    parameters = " ".join(f"-G {p}" for p in re.findall(r" -G(\w+=\S+)", make)) + f" {block.parameters}"
    source = next(synthesis.RTL.glob(f"*/{top}.sv")).relative_to(ROOT)
    folders = [f.relative_to(ROOT) for f in sorted(synthesis.RTL.iterdir()) if f.is_dir()]
    read = f"read_slang --threads 1 -D SYNTHESIS --top {top} {parameters} " + " ".join(
        [f"-I {f} -y {f}" for f in folders] + [str(p.relative_to(ROOT)) for p in packages] + [str(source)])
    whole = work / f"{top}.il"
    synthesis.yosys(work, f"{top}.read", f"{read}\nwrite_rtlil {whole.relative_to(ROOT)}\n", limit)
    synthesis.synthesise(whole, "ecp5", work, top, flat=True, limit=limit)
    return (work / f"{synthesis.file_name(top, 'ecp5', True)}.il").read_text(), top


def failing(work, block, limit, error=-1):
    """Names of the tests that fail."""
    try:
        done = resimulate.shell(f"ACIS_MUTANT={error} ./test --gtest_filter='{block.filter}'", work, limit)
    except subprocess.TimeoutExpired:
        return ["time-out"]
    names = dict.fromkeys(re.findall(r"^\[  FAILED  \] ([^\s,]*[./][^\s,]*)", done.stdout, re.M))
    ran = re.search(r"\[==========\] (\d+) tests? ", done.stdout)
    if done.returncode == 0 and not int(ran[1]):
        return [f"no test matches {block.filter}"]
    return list(names) or (["stopped"] if done.returncode else [])


def check(args, name):
    """Prints what was found; how much of it is wrong."""
    block, work = BLOCKS[name], args.build / "netlist" / name
    folder = ROOT / "build" / "rtl-netlist" / f"block-{name}"
    for made in (work, folder):
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir(parents=True)
    make = resimulate.commands(args.build, block.test, block.simulation, None)[0]
    text, top = synthesised(make, block, folder, args.limit)
    source = work / "acis_netlist.sv"
    where = netlist.write(text, folder, top, args.errors, args.limit, source)
    wrong = resimulate.remake(args.build, work, block.test, block.simulation, None, netlist.instead(source), args.limit)
    if wrong:
        fail(wrong[0])
    failed = failing(work, block, args.limit)
    cells = len(re.findall(r"(?m)^  cell ", text))
    print(f"{name}: {cells} cells, " + (f"fails {', '.join(failed)}" if failed else "passes its tests"), flush=True)
    bad, found = bool(failed), 0
    for number, place in sorted(where.items()):
        failed = failing(work, block, args.limit, number)
        print(f"{name}: planted in {place}: " + (f"fails {failed[0]}" if failed else "not found"), flush=True)
        found += bool(failed)
    return bad or found < min(args.errors, 3)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("blocks", nargs="*", metavar="BLOCK", help=f"of {', '.join(BLOCKS)}; default all")
    parser.add_argument("--errors", type=int, default=0, metavar="N", help="plant so many in each, one at a time")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/dev", help="folder of the build")
    parser.add_argument("--limit", type=int, default=600, metavar="SECONDS", help="of each step (default 600)")
    args = parser.parse_args()
    args.build = args.build.resolve()
    for name in args.blocks:
        if name not in BLOCKS:
            fail(f"BLOCK: found '{name}', allowed are {', '.join(BLOCKS)}")
    return 1 if sum(check(args, name) for name in args.blocks or BLOCKS) else 0


if __name__ == "__main__":
    sys.exit(main())
