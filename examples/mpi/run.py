#!/usr/bin/env python3
"""Builds one MPI example plain and rewritten, runs both, compares, prints the report.

usage: run.py EXAMPLE [--bin DIR] [--mpi mpich|openmpi] [--ranks N] [--config overlay.json]
              [--switch]

EXAMPLE is a folder beside this script. With --switch a switch is started, and the rewritten
program has its fused collectives done there; what it says of them is printed. Exit code 1 if
the two print something different.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent


def run(command, **kwargs):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, **kwargs)
    if done.returncode:
        sys.exit(f"error: '{' '.join(map(str, command))}' failed with {done.returncode}")
    return done.stdout


def main():
    names = sorted(p.parent.name for p in HERE.glob("*/app.c"))
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("example", choices=names)
    parser.add_argument("--bin", default=HERE.parent.parent / "build/dev/bin", type=pathlib.Path)
    parser.add_argument("--mpi", default="mpich", choices=["mpich", "openmpi"])
    parser.add_argument("--ranks", default=4, type=int)
    parser.add_argument("--switch", action="store_true", help="do fused collectives in a switch")
    parser.add_argument("--config",
                        default=HERE.parent.parent / "backend/overlay/descriptions/u280.json")
    args = parser.parse_args()
    source = HERE / args.example / "app.c"
    launch = [f"mpiexec.{args.mpi}", "-n", str(args.ranks)]
    if args.mpi == "openmpi":
        launch += ["--allow-run-as-root", "--oversubscribe"]
    with tempfile.TemporaryDirectory() as work:
        plain, fused = f"{work}/plain", f"{work}/fused"
        run([f"mpicc.{args.mpi}", "-O1", "-ffp-contract=off", source, "-lm", "-o", plain])
        environment = dict(os.environ, ACIS_MPICC=f"mpicc.{args.mpi}")
        run([args.bin / "acis-mpicc", f"--acis-config={args.config}", "-O1", "-ffp-contract=off",
             source, "-lm", "-o", fused], env=environment)
        print(run([args.bin / "acisc", "--mpi", "--dry-run", "--mpi-report", "--config",
                   args.config, source]), end="")
        outputs = []
        served = [args.bin / "acis-mpirun", "-n", str(args.ranks), "--mpi", args.mpi,
                  f"--config={args.config}", "--switch-arg=--message-bytes",
                  "--switch-arg=262144", f"--why={work}/why"] if args.switch else launch
        for name, program, start_with in (("plain", plain, launch), ("rewritten", fused, served)):
            start = time.monotonic()
            outputs.append(sorted(run([*start_with, program]).splitlines()))
            print(f"{name}: {time.monotonic() - start:.2f} s on {args.ranks} ranks")
        if args.switch:
            print(*(line for line in open(f"{work}/why").read().splitlines() if "ACIS_" in line),
                  sep="\n")
    if outputs[0] != outputs[1]:
        print("plain:", *outputs[0], "rewritten:", *outputs[1], sep="\n")
        return 1
    print(*outputs[0], "plain and rewritten print the same", sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
