#!/usr/bin/env python3
"""Runs MPI programs as they are and rewritten, and compares what they print.

usage: mpi-compare.py --bin DIR [--ranks 2,3] [--mpi mpich,openmpi] [--expect rewritten|any]
                      [--seconds N] [--switch overlay.json [--switch-env NAME=VALUE]...]
                      program.c...

Each program is rewritten by `acisc --mpi --force`, both forms are built with the MPI's own
compiler wrapper and run on each number of ranks. Lines of different ranks may come in any
order, so lines are compared sorted. A rewritten program must not be changed by a second
rewriting. With --switch ops are compiled for that overlay, and the rewritten program runs with
a switch (acis-mpirun); the last line then counts the fused collectives that the switch did.
A run that takes longer than --seconds hangs: it is ended, and compared as "hangs".
Exit code 1 if any differs, or if a program was not rewritten and --expect=rewritten.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from timed import timed


def run(command, **kwargs):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=600, **kwargs)  # for a machine with much other work


# Does not take a run for failed because Open MPI's mpiexec had no core.
AGAIN = [sys.executable, str(pathlib.Path(__file__).resolve().parent / "openmpi-again.py")]


def wrapper(mpi, source):
    cxx = source.suffix in (".cpp", ".cc", ".cxx")
    return f"{'mpicxx' if cxx else 'mpicc'}.{mpi}"


def build(args, mpi, source, output, include):
    command = [wrapper(mpi, source), "-w", "-O1", "-ffp-contract=off", "-DOMPI_SKIP_MPICXX",
               "-DMPICH_SKIP_MPICXX", f"-I{include}", f"-I{args.bin}/../include", str(source),
               f"{args.bin}/../lib/libacis-cccf-{mpi}.a", "-lm", "-o", str(output)]
    done = run(command)
    return done.stderr if done.returncode else ""


def execute(args, mpi, program, ranks):
    command = [f"mpiexec.{mpi}", "-n", str(ranks)]
    if mpi == "openmpi":
        command = [*AGAIN, *command, "--allow-run-as-root", "--oversubscribe",
                   "--mca", "btl", "self,vader"]
    code, out, _ = timed(command + [str(program)], args.seconds)
    return code, sorted(out.splitlines())


def execute_with_switch(args, mpi, program, ranks):
    """The same with a switch; counts what it did."""
    why = program.parent / "why"
    why.unlink(missing_ok=True)
    settings = dict(word.split("=", 1) for word in args.switch_env)
    arguments = [f"--switch-arg={word}" for word in args.switch_arg]
    code, out, _ = timed([*AGAIN, f"{args.bin}/acis-mpirun", "-n", str(ranks), "--mpi", mpi,
                          f"--config={args.switch}", f"--why={why}", *arguments, str(program)],
                         args.seconds,
                         env={**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1",
                              "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", **settings})
    if why.exists():
        for line in why.read_text().splitlines():
            if found := re.match(r"acis:\s+(\d+)\s.*ACIS_I\w+\s+offloaded", line):
                args.served += int(found.group(1))
    return code, sorted(out.splitlines())


def check(args, source, work):
    """What is wrong with one program; "" if nothing."""
    new = work / ("new" + source.suffix)
    mapped = [f"--config={args.switch}"] if args.switch else []
    done = run([f"{args.bin}/acisc", "--mpi", "--force", *mapped, "-o", str(new), str(source)])
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
            plain = execute(args, mpi, work / "plain", ranks)
            rewritten = (execute_with_switch(args, mpi, work / "rewritten", ranks)
                         if args.switch else execute(args, mpi, work / "rewritten", ranks))
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
    parser.add_argument("--seconds", default=600, type=float, help="after which a run hangs")
    parser.add_argument("--switch", type=pathlib.Path, help="overlay of the switch")
    parser.add_argument("--switch-env", action="append", default=[],
                        help="NAME=VALUE for ranks, such as ACIS_FAULTS=loss=0.01")
    parser.add_argument("--switch-arg", action="append", default=[], help="argument for acisd")
    parser.add_argument("programs", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    os.environ.setdefault("ACIS_FUSED_BYTES", str(1 << 40))  # each op in the switch, at any cost
    args.bin = pathlib.Path(args.bin).resolve()
    args.switch = args.switch and args.switch.resolve()
    args.served = 0
    bad = 0
    for source in args.programs:
        work = pathlib.Path(tempfile.mkdtemp(prefix="acis-mpi-"))
        try:
            wrong = check(args, source.resolve(), work)
        finally:
            shutil.rmtree(work)
        bad += bool(wrong)
        print(f"{'BAD ' if wrong else 'good'} {source.name}" + (f": {wrong}" if wrong else ""))
    print(f"{len(args.programs) - bad} of {len(args.programs)} programs agree" +
          (f"; {args.served} fused collectives in the switch" if args.switch else ""))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
