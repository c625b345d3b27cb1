#!/usr/bin/env python3
"""Measures what docs/control.md reports of control groups, beside the dissertation's Tables 6.2 and 6.3.

usage: control-tables.py [--build DIR] [--ranks N] [--steps N] [--rounds N] [--json FILE] [--write]

Idle time and worth of five shapes of programs, measured on this machine (ACIS_STEPS, acis-steps); the
same for as many processes as the paper had, from random steps that are idle as much; how long a signal
takes; what recording costs; stale synchronous descent; PageRank with blocks that are moved; the stencil with
and without extra work. Cores and load are printed first: figures of a loaded machine are its. --write renews
docs/data/control.json, and the tables and the picture of docs/control.md from it.
"""
import argparse
import json
import os
import pathlib
import re
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
        sys.exit(f"control-tables.py: error: '{' '.join(map(str, command))}' failed with {done.returncode}")
    return done.stdout


def row_of(ratio, seconds, worth):
    return {"idle": round(ratio, 4), "idleSeconds": round(seconds, 6)} | dict(
        zip(("worth", "worth05", "worth09"), (round(w, 2) for w in worth)))


def analyse(options, *arguments):
    report = json.loads(run([options.build / "bin/acis-steps", "--json", *arguments]))
    worth = [report["baseline"]] + [d["rate"] for d in report["deadlines"] if round(d["utility"], 1) in (0.5, 0.9)]
    if min(worth) < worth[0]:
        sys.exit("control-tables.py: error: a deadline is worth less than none")
    return row_of(report["idleRatio"], report["idleTime"], [100 * w for w in worth])


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


def found(pattern, text, what):
    """All matches, as numbers where they are such."""
    if not (rows := re.findall(pattern, text, re.M)):
        sys.exit(f"control-tables.py: error: {what} has printed nothing of '{pattern}'; is it of another version?")
    return rows


def signals(options, ranks, pause):
    text = run([options.build / "bin/acis-mpirun", "-n", ranks, options.build / "mpi/mpi-signal-mpich", options.rounds, pause])
    rows = {name: [float(p50), float(p99)] for name, p50, p99 in found(r"^(signal|bcast) ([\d.]+) ([\d.]+)$", text, "mpi-signal-mpich")}
    return {"ranks": ranks, "pauseUs": pause} | rows


def descent(options, *more):
    """Time to the same loss against bulk-synchronous."""
    text = example(options, "sgd.py", *more)
    return {name.strip(): float(ratio) for name, _, ratio in found(r"^(\S.*?) +([\d.]+) +([\d.]+) +\d+$", text, "sgd.py")}


def pagerank(options):
    text = example(options, "pagerank.py")
    return {name.strip(): float(ratio) for name, ratio in found(r"^(stay|are moved) .* ([\d.]+)$", text, "pagerank.py")}


def stencil(options):
    """Of two ranks: seconds, and percent of the time of all ranks."""
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "stencil"
        run(["mpicc.mpich", "-O2", "-I", ROOT, ROOT / "examples/control/stencil.c", "-lm", "-o", program])
        text = example(options, "stencil.py", program, "--ranks", 2, "--steps", 1000)
    rows = found(r"^(no extra work|until .*?) +([\d.]+) +([\d.]+) % +([\d.]+) % +([\d.]+) %$", text, "stencil.py")
    return [{"mode": mode} | dict(zip(("seconds", "work", "extra", "idle"), map(float, numbers))) for mode, *numbers in rows]


def line(name, ranks, row):
    print(f"{name:10} {ranks:6} {100 * row['idle']:8.1f} % {row.get('idleSeconds', 0):12.6f} s " +
          "".join(f"{row[w]:9.2f} %" for w in ("worth", "worth05", "worth09")), flush=True)


def shapes(options):
    print(f"{'':10} {'ranks':>6} {'idle':>10} {'idle time':>14} {'worth':>11} {'U = 0.5':>10} {'U = 0.9':>10}")
    rows = []
    for row in programs():
        name, shape, processes = row["program"], row["shape"], int(row["processes"])
        ratio, seconds = row["idle_ratio"], row["idle_seconds"]
        each = {"paper": row_of(ratio, seconds, (row["worth"], row["worth_05"], row["worth_09"])), "here": measure(options, shape),
                "model": analyse(options, "--model", ratio, seconds, "--ranks", processes, "--steps", 100)}
        line(name, processes, each["paper"])
        line("  model", processes, each["model"])
        line("  " + shape, options.ranks, each["here"])
        rows.append({"program": name, "shape": shape, "processes": processes, "ranks": options.ranks} | each)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/dev")
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=1000, help="of signals")
    parser.add_argument("--json", help="file for the figures")
    parser.add_argument("--write", action="store_true", help="renew docs/data/control.json and the page")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} cores, load {load:.1f}\n")
    figures = {"command": "utils/bench/control-tables.py --write", "cores": os.cpu_count(), "load": round(load, 1), "programs": shapes(options)}
    figures["recordingNs"] = cost = round(recording_cost(options))
    print(f"\nrecording a superstep: {cost} ns of processor time, {cost / 1e4:.4f} % of an iteration of 1 ms")
    figures["signals"] = [signals(options, ranks, pause) for ranks, pause in ((options.ranks, 0), (options.ranks, 50), (2, 0))]
    print("\nfrom the last arrival, or the root's call, to the last rank that hears it; us: p50, p99")
    for row in figures["signals"]:
        print(f"{row['ranks']} ranks that look every {row['pauseUs']} us: signal {row['signal']}, bcast {row['bcast']}")
    figures["descent"] = {"same": descent(options), "transient": descent(options, "--transient")}
    figures["pagerank"], figures["stencil"] = pagerank(options), stencil(options)
    for name in ("descent", "pagerank", "stencil"):
        print(f"{name}: {figures[name]}")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(figures, indent=1) + "\n")
    if options.write:
        (ROOT / "docs/data/control.json").write_text(json.dumps(figures, indent=1) + "\n")
        subprocess.run([sys.executable, ROOT / "utils/pages/data-pages.py", "control"], check=True)


if __name__ == "__main__":
    main()
