#!/usr/bin/env python3
"""Time of `acisc --mpi` against `clang-22 -fsyntax-only` on the same files, as a ratio.

usage: mpi-bench.py --bin DIR [--runs 20] program.c...

Runs of the two alternate; each file's figure is the best of its runs. The goal is 3.
"""
import argparse
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from built import built


def once(command):
    start = time.monotonic()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", required=True)
    parser.add_argument("--runs", default=20, type=int)
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("programs", nargs="+")
    args = parser.parse_args()
    built(pathlib.Path(args.bin).parent, "acisc")
    shown = subprocess.run(["mpicc", "-show"], stdout=subprocess.PIPE, text=True).stdout
    includes = [word for word in shown.split() if word.startswith("-I")]
    ours = theirs = 0.0
    for program in args.programs:
        best = [1e9, 1e9]
        for _ in range(args.runs):
            best[0] = min(best[0], once([args.clang, "-fsyntax-only", *includes, program]))
            best[1] = min(best[1], once([f"{args.bin}/acisc", "--mpi", "--dry-run", program, "--",
                                         *includes]))
        print(f"{program}: clang {best[0] * 1e3:.1f} ms, acisc --mpi {best[1] * 1e3:.1f} ms, "
              f"ratio {best[1] / best[0]:.2f}")
        theirs += best[0]
        ours += best[1]
    print(f"all: ratio {ours / theirs:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
