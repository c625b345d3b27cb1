#!/usr/bin/env python3
"""Builds one MPI example plain and rewritten, runs both, compares, prints the report.

usage: run.py EXAMPLE [--bin DIR] [--mpi mpich|openmpi] [--ranks N] [--config overlay.json]

EXAMPLE is a folder beside this script. Exit code 1 if the two print something different.
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
        for name, program in (("plain", plain), ("rewritten", fused)):
            start = time.monotonic()
            outputs.append(sorted(run([*launch, program]).splitlines()))
            print(f"{name}: {time.monotonic() - start:.2f} s on {args.ranks} ranks")
    if outputs[0] != outputs[1]:
        print("plain:", *outputs[0], "rewritten:", *outputs[1], sep="\n")
        return 1
    print(*outputs[0], "plain and rewritten print the same", sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
