#!/usr/bin/env python3
"""How much of their communication distributed kernels hide, on this machine and in clusters.

usage: kernels-bench.py [--bin build/dev/bin] [--mpi mpich|openmpi] [--ranks N] [--nodes 4,16,64]
                        [--speed GFLOPS] [--sparse-speed GFLOPS] [--repeats N]

Prints one line for each run of mpi/kernels-overlap: computing alone, messages alone, one after the
other with blocking calls, the kernel; R = computing / messages, what part of the messages is hidden,
and how much faster the kernel is than the blocking calls. For GEMM also the R of equations 4.2 and
4.3 for the panel (acis-model gemm), with a node as an array of one element. First on this machine (as
many ranks as it has cores, if it is not said), then by acis-simrun on that many nodes of a spine-leaf
network, over MPI's messages (plain) and with the switches, where a node computes at the speeds given
here for dense and sparse products. docs/kernels-distributed.md explains the figures.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

GRIDS = {1: (1, 1), 2: (2, 1), 4: (2, 2), 8: (4, 2), 16: (4, 4), 32: (8, 4), 64: (8, 8)}
SIZE, PANELS = 1024, (16, 64, 256)


def fail(what):
    sys.exit(f"kernels-bench: error: {what}")


def run(command, **more):
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, **more)
    if done.returncode:
        fail(f"'{' '.join(map(str, command))}' failed with {done.returncode}: {done.stderr[-500:]}")
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    return json.loads(lines[0]) if lines else fail(f"'{command[0]}' printed no result")


def predicted(args, nodes, panel, gflops):
    """R of a panel's part that one node gives and another computes with."""
    part = SIZE // nodes
    rows = json.loads(subprocess.run(
        [args.bin / "acis-model", "gemm", "--array-rows", "1", "--array-columns", "1",
         "--clock-period-ns", str(2 / gflops), "--tm", str(part), "--tn", str(part), "--tk",
         str(panel), "--json"], check=True, stdout=subprocess.PIPE, text=True).stdout)
    return rows[0]["ratio"]


def line(where, what, result, model=None):
    print(f"{where:<16}{what:<14}{result['computing_us']:>11.1f}{result['messages_us']:>11.1f}"
          f"{result['blocking_us']:>11.1f}{result['kernel_us']:>11.1f}{result['ratio']:>9.2f}"
          f"{result['hidden'] * 100:>8.0f}%{result['faster']:>8.2f}"
          f"{'' if model is None else f'{model:>9.2f}'}", flush=True)


def measure(args, where, nodes, command, speed=None, sparse=None):
    pm, pn = GRIDS[nodes]
    for panel in PANELS:
        result = run(command(speed) + ["gemm", SIZE, SIZE, SIZE, pm, pn, panel, args.repeats])
        line(where, f"gemm Tk={panel}", result,
             predicted(args, nodes, panel, speed) if speed else None)
    for name, side in (("fem2", 725), ("fem3", 35)):
        line(where, f"spmv {name}", run(command(sparse) + ["spmv", name, side, args.repeats]))


def simulated(args, nodes, plain, work):
    def command(speed):
        platform = work / "platform.json"
        platform.write_text(json.dumps({
            "topology": {"kind": "spine-leaf", "hosts": nodes, "radix": 16, "overSubscription": 3},
            "host": {"speedGflops": speed}}))
        # A look at messages that have not come takes no time of its own.
        return [args.bin / "acis-simrun", "-n", nodes, "--platform", platform,
                "--smpi-arg=--cfg=smpi/test:1e-7", *(["--plain"] if plain else []),
                args.bin.parent / "mpi/kernels-overlap-smpi"]
    return command


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", default="build/dev/bin", type=pathlib.Path)
    parser.add_argument("--mpi", default="mpich", choices=["mpich", "openmpi"])
    parser.add_argument("--ranks", type=int, help="on this machine; 0: not there")
    parser.add_argument("--nodes", default="4,16,64", help="of simulated clusters; '': none")
    parser.add_argument("--speed", type=float, default=1000, help="Gflop/s of a node, dense")
    parser.add_argument("--sparse-speed", type=float, default=30, help="Gflop/s of a node, sparse")
    parser.add_argument("--repeats", type=int, default=10)
    args = parser.parse_args()
    cores = os.cpu_count()
    ranks = args.ranks if args.ranks is not None else max(n for n in GRIDS if n <= cores)
    nodes = [int(n) for n in args.nodes.split(",") if n]
    if unknown := [n for n in nodes + ([ranks] if ranks else []) if n not in GRIDS]:
        fail(f"found {unknown[0]} nodes, allowed are {list(GRIDS)}")
    print(f"{cores} cores, load {os.getloadavg()[0]:.1f}; C = A B of {SIZE} x {SIZE} floats; times "
          "in us")
    print(f"{'where':<16}{'kernel':<14}{'computing':>11}{'messages':>11}{'blocking':>11}"
          f"{'kernel':>11}{'R':>9}{'hidden':>9}{'faster':>8}{'R model':>9}")
    if ranks:
        program = args.bin.parent / f"mpi/kernels-overlap-{args.mpi}"
        start = [f"mpiexec.{args.mpi}", "-n", ranks]
        if args.mpi == "openmpi":
            start += ["--allow-run-as-root", "--oversubscribe"]
        measure(args, f"{ranks} processes", ranks, lambda speed: start + [program])
    args.repeats = 1  # each is the same
    with tempfile.TemporaryDirectory() as work:
        for count in nodes:
            for plain in (True, False):
                measure(args, f"{count} {'plain' if plain else 'switches'}", count,
                        simulated(args, count, plain, pathlib.Path(work)), args.speed,
                        args.sparse_speed)


if __name__ == "__main__":
    main()
