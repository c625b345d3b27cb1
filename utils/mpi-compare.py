#!/usr/bin/env python3
"""Runs MPI programs as they are and rewritten, and compares what they print.

usage: mpi-compare.py --bin DIR [--ranks 2,3] [--mpi mpich,openmpi] [--expect rewritten|any]
                      [--work DIR] [--keep] program.c...

Each program is rewritten by `acisc --mpi --force`, both forms are built with the MPI's own
compiler wrapper and run on each number of ranks. Lines of different ranks may come in any
order, so lines are compared sorted. A rewritten program must not be changed by a second
rewriting. Exit code 1 if any differs, or if a program was not rewritten and --expect=rewritten.
"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile


def run(command, **kwargs):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=120, **kwargs)


def wrapper(mpi, source):
    cxx = source.suffix in (".cpp", ".cc", ".cxx")
    return f"{'mpicxx' if cxx else 'mpicc'}.{mpi}"


def build(args, mpi, source, output, include):
    command = [wrapper(mpi, source), "-w", "-O1", "-ffp-contract=off", "-DOMPI_SKIP_MPICXX",
               "-DMPICH_SKIP_MPICXX", f"-I{include}", f"-I{args.bin}/../include", str(source),
               f"{args.bin}/../lib/libacis-cccf-{mpi}.a", "-lm", "-o", str(output)]
    done = run(command)
    return done.stderr if done.returncode else ""


def execute(mpi, program, ranks):
    command = [f"mpiexec.{mpi}", "-n", str(ranks)]
    if mpi == "openmpi":
        command += ["--allow-run-as-root", "--oversubscribe", "--mca", "btl", "self,vader"]
    done = run(command + [str(program)])
    return done.returncode, sorted(done.stdout.splitlines())


def check(args, source, work):
    """What is wrong with one program; "" if nothing."""
    new = work / ("new" + source.suffix)
    done = run([f"{args.bin}/acisc", "--mpi", "--force", "-o", str(new), str(source)])
    if done.returncode:
        return done.stderr
    if ": rewritten" not in done.stderr:
        return "" if args.expect == "any" else "not rewritten:\n" + done.stderr
    again = work / ("again" + source.suffix)
    done = run([f"{args.bin}/acisc", "--mpi", "--force", "-o", str(again), str(new), "--",
                f"-I{args.bin}/../include", f"-I{source.parent}"])
    if done.returncode or again.read_text() != new.read_text():
        return "a second rewriting changes it or fails\n" + done.stderr
    for mpi in args.mpi:
        for name, text in (("plain", source), ("rewritten", new)):
            if errors := build(args, mpi, text, work / name, source.parent):
                return f"{mpi}, {name}: {errors}"
        for ranks in args.ranks:
            plain, rewritten = (execute(mpi, work / name, ranks) for name in ("plain", "rewritten"))
            if plain != rewritten:
                return f"{mpi}, {ranks} ranks: {plain} became {rewritten}"
            if plain[0]:
                return f"{mpi}, {ranks} ranks: exit code {plain[0]}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", required=True, help="folder of acisc")
    parser.add_argument("--ranks", default="2,3", type=lambda s: [int(n) for n in s.split(",")])
    parser.add_argument("--mpi", default="mpich", type=lambda s: s.split(","))
    parser.add_argument("--expect", default="rewritten", choices=["rewritten", "any"])
    parser.add_argument("programs", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    args.bin = pathlib.Path(args.bin).resolve()
    bad = 0
    for source in args.programs:
        work = pathlib.Path(tempfile.mkdtemp(prefix="acis-mpi-"))
        try:
            wrong = check(args, source.resolve(), work)
        finally:
            shutil.rmtree(work)
        bad += bool(wrong)
        print(f"{'BAD ' if wrong else 'good'} {source.name}" + (f": {wrong}" if wrong else ""))
    print(f"{len(args.programs) - bad} of {len(args.programs)} programs agree")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
