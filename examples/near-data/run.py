#!/usr/bin/env python3
"""Doubles and sums numbers where they are, on memory nodes; 4 bytes of each come back.

  run.py                                          on two nodes of its own, with sum.c compiled
  run.py sum.acis 10.0.0.1:9000,10.0.0.2:9000     on nodes that run"""
import argparse
import array
import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
sys.path.append(str(SOURCE / "compiler/python"))
from nodes import OVERLAY, own_nodes, tool


def compiled(folder):
    binary = pathlib.Path(folder) / "sum.acis"
    if subprocess.run([tool("acisc"), HERE / "sum.c", "-I", SOURCE, "--config", OVERLAY, "-o", binary]).returncode:
        sys.exit(1)
    return binary


def run(near_data, binary, addresses, each):
    with near_data.Near(addresses) as near:
        numbers = array.array("i", range(near.nodes * each))
        block = near.alloc(4 * each)
        near.scatter(numbers, block)
        function = near.compose(near.load(binary, "twice_local"), near.load(binary, "mpi_sum_local"))
        sums = near.reduce_local(function, block, each)
        print("on the nodes:", near.reduce(sums, "i4", "sum"))
        print("here:        ", (2 * sum(numbers) + 2**31) % 2**32 - 2**31)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", nargs="?", help="with twice_local and mpi_sum_local (default: sum.c, compiled)")
    parser.add_argument("nodes", nargs="?", help="HOST:PORT with commas (default: two of its own)")
    parser.add_argument("--each", type=int, default=100_000, help="numbers on each node (default: 100,000)")
    options = parser.parse_args()
    if not 1 <= options.each <= 500_000:
        parser.error(f"--each: found {options.each}, allowed are 1 to 500,000")
    with contextlib.ExitStack() as ends:
        acisd = pathlib.Path(tool("acisd"))  # whose folder lib has the library
        binary = options.binary or compiled(ends.enter_context(tempfile.TemporaryDirectory()))
        addresses = options.nodes or ends.enter_context(own_nodes(2))
        os.environ.setdefault("ACIS_LIB", str(acisd.parent.parent / "lib/libacis-client.so"))
        from acis import near as near_data
        try:
            run(near_data, binary, addresses, options.each)
        except near_data.Error as problem:
            sys.exit(f"error: {problem}")


if __name__ == "__main__":
    main()
