#!/usr/bin/env python3
"""How many chains of MPI programs are found, rewritten, compiled for a switch and served by it.

usage: mpi-switch-score.py --bin DIR --switch overlay.json [--ranks 2,3,4] [--mpi mpich]
                           [--switch-arg ARG]... [--no-run] [--list] program.c...

One row for each program and a last one with sums: `found` chains that can be fused, `rewritten`
with --force, of these `switch` with a program for the switch, `served` by it in a run (places of
the program at which the switch did a call), and whether the rewritten program printed the same as
the plain one. --list prints why a chain has no program for the switch. Exit code 1 if any differs.
"""
import argparse
import importlib.util
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
spec = importlib.util.spec_from_file_location("compare", HERE / "mpi-compare.py")
compare = importlib.util.module_from_spec(spec)
spec.loader.exec_module(compare)


def rewrite(args, source, new):
    """The candidates of the report; None if it does not compile."""
    done = subprocess.run([f"{args.bin}/acisc", "--mpi", "--force", "--no-remarks",
                           f"--config={args.switch}", "--mpi-report=-", "-o", str(new),
                           str(source)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        print(done.stderr, end="")
        return None
    return json.loads(done.stdout)["candidates"]


def places(args, work, mpi, ranks):
    """The places at which the switch did a call in a run, and what the run gave."""
    why = work / "why"
    why.unlink(missing_ok=True)
    found = compare.execute_with_switch(args, mpi, work / "rewritten", ranks)
    lines = why.read_text().splitlines() if why.exists() else []
    return found, {match.group(1) for line in lines
                   if (match := re.search(r"ACIS_I\w+\s+offloaded\S*\s+(\S+)", line))}


def run(args, source, new, work):
    """Places served in any run; what differs."""
    served = set()
    for mpi in args.mpi:
        for name, text in (("plain", source), ("rewritten", new)):
            if errors := compare.build(args, mpi, text, work / name, source.parent):
                return served, errors
        for ranks in args.ranks:
            plain = compare.execute(args, mpi, work / "plain", ranks)
            rewritten, where = places(args, work, mpi, ranks)
            served |= {(mpi, place) for place in where}
            if plain != rewritten:
                return served, f"{mpi}, {ranks} ranks: {plain} became {rewritten}"
    return served, ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    parser.add_argument("--switch", required=True, type=pathlib.Path, help="overlay of the switch")
    parser.add_argument("--ranks", default="2,3,4", type=lambda s: [int(n) for n in s.split(",")])
    parser.add_argument("--mpi", default="mpich", type=lambda s: s.split(","))
    parser.add_argument("--seconds", default=600, type=float, help="after which a run hangs")
    parser.add_argument("--switch-env", action="append", default=[])
    parser.add_argument("--switch-arg", action="append", default=[])
    parser.add_argument("--no-run", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("programs", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    args.bin, args.switch, args.served = args.bin.resolve(), args.switch.resolve(), 0
    total, bad = [0, 0, 0, 0], 0
    print(f"{'found':>5} {'rewritten':>9} {'switch':>6} {'served':>6}")
    for source in args.programs:
        work = pathlib.Path(tempfile.mkdtemp(prefix="acis-mpi-"))
        try:
            new = work / ("new" + source.suffix)
            candidates = rewrite(args, source.resolve(), new)
            chains = [c for c in candidates or [] if c["fusable"] == "yes"]
            rewritten = [c for c in chains if c["decision"] == "rewritten"]
            mapped = [c for c in rewritten if c["switch_binary_bytes"]]
            served, wrong = set(), ""
            if rewritten and not args.no_run:
                served, wrong = run(args, source.resolve(), new, work)
        finally:
            shutil.rmtree(work)
        row = [len(chains), len(rewritten), len(mapped), len({place for _, place in served})]
        total = [a + b for a, b in zip(total, row)]
        bad += bool(wrong)
        print("%5d %9d %6d %6d" % tuple(row), source.name, ("DIFFERS " + wrong) if wrong else "")
        for c in rewritten if args.list else []:
            if not c["switch_binary_bytes"]:
                print(f"      line {c['line_first']}: {c.get('not_mapped', '')}")
        sys.stdout.flush()
    print("%5d %9d %6d %6d" % tuple(total), f"all; {bad} of {len(args.programs)} differ")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
