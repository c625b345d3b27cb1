#!/usr/bin/env python3
"""Random MPI programs whose ranks take different ways, plain and rewritten.

usage: mpi-fuzz-ranks.py --bin DIR [--seed N] [--count N] [--ranks 2,3,4] [--mpi mpich,openmpi]
                         [--seconds N]

A program is a script of steps: a chain of two collectives (or one, or a dot product) on a
communicator, a collective by itself, an exchange of messages, output. Each step has two to four
ways: the chain as a program writes it, and the same collectives with the same arguments one by
one, in one function or several, with other work, output or a jump between, in loops. Each rank
takes one of them, by a condition on the rank: a branch, an early return, a flag, a field, a table
that rank 0 has sent, functions in a table, a switch, goto, a number of rounds. So every rank makes
the same sequence of collectives on each communicator, and no program can hang.

Each program is built and run as it is and rewritten, on each number of ranks. A run that takes
longer than --seconds hangs. Exit code 1 if a rewritten program hangs or differs, or does not compile;
the program is kept in the current folder as mpi-fuzz-ranks-<seed>.c.
"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from divergent import program
from progress import progress
from timed import HANGS, timed

AGAIN = [sys.executable, str(pathlib.Path(__file__).resolve().parent / "openmpi-again.py")]


def launch(mpi, ranks):
    if mpi == "mpich":
        return ["mpiexec.mpich", "-n", str(ranks)]
    return [*AGAIN, "mpiexec.openmpi", "-n", str(ranks), "--allow-run-as-root", "--oversubscribe",
            "--mca", "btl", "self,vader"]


def build(args, mpi, source, output):
    """What is wrong; "" if nothing."""
    done = subprocess.run([f"mpicc.{mpi}", "-w", "-O1", "-ffp-contract=off",
                           f"-I{args.bin}/../include", str(source),
                           f"{args.bin}/../lib/libacis-cccf-{mpi}.a", "-lm", "-o", str(output)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return done.stderr if done.returncode else ""


def check(args, text, work):
    """(what is wrong or "", chains that were rewritten)"""
    old, new = work / "old.c", work / "new.c"
    old.write_text(text)
    done = subprocess.run([f"{args.bin}/acisc", "--mpi", "--force", "-o", str(new), str(old)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        return f"acisc ends with {done.returncode}: {done.stderr}", 0
    rewritten = done.stderr.count(": rewritten")
    for mpi in args.mpi if rewritten else []:
        for source in (old, new):
            if wrong := build(args, mpi, source, source.with_suffix("")):
                return f"{mpi}, {source.name}: {wrong}", rewritten
        for ranks in args.ranks:
            if wrong := compare(args, mpi, ranks, work):
                return f"{mpi}, {ranks} ranks: {wrong}", rewritten
    return "", rewritten


def compare(args, mpi, ranks, work):
    results = []
    for name in ("old", "new"):
        code, out, _ = timed([*launch(mpi, ranks), str(work / name)], args.seconds)
        if code == HANGS: # or the machine is very busy
            code, out, _ = timed([*launch(mpi, ranks), str(work / name)], 3 * args.seconds)
        results.append((code, sorted(out.splitlines())))
        args.runs += 1
    if results[0][0] != 0:
        return f"the program itself: {results[0]}"
    if results[0] == results[1]:
        return ""
    code, lines = results[1]
    changed = sorted(set(results[0][1]) ^ set(lines))
    return "the rewritten program hangs" if code == HANGS else f"code {code}, {changed[:6]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", required=True, help="folder of acisc")
    parser.add_argument("--seed", default=1, type=int)
    parser.add_argument("--count", default=20, type=int)
    parser.add_argument("--ranks", default="4", type=lambda s: [int(n) for n in s.split(",")])
    parser.add_argument("--mpi", default="mpich", type=lambda s: s.split(","))
    parser.add_argument("--seconds", default=60, type=float, help="after which a run hangs")
    parser.add_argument("--print", action="store_true", help="the program of --seed, and end")
    args = parser.parse_args()
    if args.print:
        sys.stdout.write(program(random.Random(args.seed)))
        return 0
    args.bin = str(pathlib.Path(args.bin).resolve())
    args.runs = chains = programs = bad = 0
    for seed in progress(range(args.seed, args.seed + args.count), args.count, "programs"):
        text = program(random.Random(seed))
        with tempfile.TemporaryDirectory() as work:
            wrong, rewritten = check(args, text, pathlib.Path(work))
        programs += rewritten > 0
        chains += rewritten
        if wrong:
            bad += 1
            pathlib.Path(f"mpi-fuzz-ranks-{seed}.c").write_text(text)
            print(f"seed {seed}: {wrong}", flush=True)
    print(f"{args.count} programs, {programs} rewritten with {chains} chains, {args.runs} runs, "
          f"{bad} bad")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
