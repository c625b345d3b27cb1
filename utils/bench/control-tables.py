#!/usr/bin/env python3
"""Prints what docs/control.md reports of control groups, beside the dissertation's Tables 6.2 and 6.3.

usage: control-tables.py [--build DIR] [--ranks N] [--steps N] [--json FILE]

Idle time and worth of five shapes of programs, measured on this machine (ACIS_STEPS, acis-steps); the
same for as many processes as the paper had, from random steps that are idle as much; how long a signal
takes; what recording costs; stale synchronous descent; PageRank with blocks that are moved. Cores and
load are printed first: figures of a loaded machine are its.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "utils/evaluate"))
from items.control import programs


def run(command, **environment):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True,
                          env={**os.environ, **environment})
    if done.returncode:
        sys.exit(f"error: '{' '.join(map(str, command))}' failed with {done.returncode}")
    return done.stdout


def analyse(options, *arguments):
    report = json.loads(run([options.build / "bin/acis-steps", "--json", *arguments]))
    worth = [report["baseline"]] + [d["rate"] for d in report["deadlines"] if round(d["utility"], 1) in (0.5, 0.9)]
    if min(worth) < worth[0]:
        sys.exit("error: a deadline is worth less than none")
    return report["idleRatio"], report["idleTime"], [100 * w for w in worth]


def measure(options, shape):
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "steps.csv"
        run([options.build / "bin/acis-mpirun", "--placement=apart", "-n", options.ranks,
             options.build / "mpi/mpi-shapes-mpich", shape, options.steps],
            ACIS_STEPS=str(trace), ACIS_STEPS_AT="allreduce")
        return analyse(options, trace)


def example(options, name, *arguments):
    return run([sys.executable, ROOT / "examples/control" / name, *arguments],
               PATH=f"{options.build}/bin:{os.environ['PATH']}", ACIS_LIB=str(options.build / "lib/libacis-client.so"))


def recording_cost(options, calls=5000):
    """Nanoseconds of processor time that recording adds to a blocking collective."""
    with tempfile.TemporaryDirectory() as folder:
        command = [options.build / "bin/acis-mpirun", "-n", 1, options.build / "mpi/mpi-steps-cost-mpich", calls]
        return float(run(command, ACIS_STEPS=f"{folder}/steps.csv")) - float(run(command))


def line(name, ranks, ratio, seconds, worth):
    print(f"{name:10} {ranks:6} {100 * ratio:8.1f} % {seconds:12.6f} s " + "".join(f"{w:9.2f} %" for w in worth))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/dev")
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=1000, help="of signals")
    parser.add_argument("--json", help="file for the figures")
    options = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    figures = {"load": os.getloadavg()[0]}
    print(f"{'':10} {'ranks':>6} {'idle':>10} {'idle time':>14} {'worth':>11} {'U = 0.5':>10} {'U = 0.9':>10}")
    for row in programs():
        name, shape, processes = row["program"], row["shape"], int(row["processes"])
        ratio, seconds = row["idle_ratio"], row["idle_seconds"]
        line(name, processes, ratio, seconds, (row["worth"], row["worth_05"], row["worth_09"]))
        here = figures[shape] = measure(options, shape)
        line("  " + shape, options.ranks, *here)
        model = figures[name] = analyse(options, "--model", ratio, seconds, "--ranks", processes, "--steps", 100)
        line("  model", processes, *model)
    figures["recording"] = cost = recording_cost(options)
    print(f"\nrecording a superstep: {cost:.0f} ns of processor time, {cost / 1e4:.4f} % of an iteration of 1 ms")
    print("\nfrom the last arrival, or the root's call, to the last rank that hears it; us: p50, p99")
    for ranks, pause in ((options.ranks, 0), (options.ranks, 50), (2, 0)):
        print(f"{ranks} ranks, which look at the socket", f"every {pause} us" if pause else "all the time")
        print(run([options.build / "bin/acis-mpirun", "-n", ranks, options.build / "mpi/mpi-signal-mpich",
                   options.rounds, pause]))
    for transient in ([], ["--transient"]):
        print("another worker is slow in every eighth step" if transient else "one of four workers is slow")
        print(example(options, "sgd.py", *transient))
    print("a graph that grows at one rank")
    print(example(options, "pagerank.py"))
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(figures, indent=2) + "\n")


main()
