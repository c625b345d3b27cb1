#!/usr/bin/env python3
"""Messages, bytes, CPU time and wall time of MPI programs with a switch, plain and rewritten.

usage: mpi-switch-bench.py --bin DIR [--config overlay.json] [--ranks 4] [--runs 3] program.c...

Each program is built plain and with its chains rewritten, and run by acis-mpirun with a switch
on this machine: `plain` has its collectives in the switch one by one, `fused` its chains as a
whole. Figures are per host, less those of a program that only starts and ends, the best of the
runs. The last columns are what LoGcN predicts for the first fused chain on 64 and 128 hosts, in
us: collectives and computation on the hosts, and fused.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from built import built

EMPTY = ("#include <mpi.h>\nint main(int c, char **v) "
         "{ MPI_Init(&c, &v); MPI_Finalize(); return 0; }\n")
FIELDS = ("messages", "bytes", "cpu", "wall")


def run(command, **kwargs):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=300, **kwargs)
    if done.returncode:
        sys.exit(f"error: {' '.join(map(str, command))}: {done.stderr}")
    return done.stdout


def build(args, source, output, extra=()):
    run(["mpicc.mpich", "-w", "-O1", "-ffp-contract=off", f"-I{args.bin}/../include", source,
         *extra, "-lm", "-o", output])


def measure(args, program, work):
    """One run: figures per host."""
    times, stats = work / "times", work / "stats"
    times.unlink(missing_ok=True)
    script = work / "rank.sh"
    script.write_text(f'TIMEFORMAT="%3U %3S"; {{ time "$1" > /dev/null; }} 2>> {times}\n')
    start = time.monotonic()
    run([args.bin / "acis-mpirun", "-n", args.ranks, "--mpi", "mpich", f"--config={args.config}",
         "--switch-arg=--message-bytes", "--switch-arg=262144", "--switch-arg=--stats",
         f"--switch-arg={stats}", "bash", script, program])
    wall = time.monotonic() - start
    counters = dict(re.findall(r"(\w+) (\d+)", stats.read_text()))
    cpu = sum(float(user) + float(system) for user, system in
              re.findall(r"^([\d.]+) ([\d.]+)$", times.read_text(), re.M))
    number = lambda *names: sum(int(counters.get(name, 0)) for name in names)
    return {"messages": number("packets_received", "packets_sent") / args.ranks,
            "bytes": number("bytes_received", "bytes_sent") / args.ranks,
            "cpu": cpu / args.ranks * 1e3, "wall": wall * 1e3,
            "fused": number("tasks_run") // args.ranks}


def best(args, program, work):
    runs = [measure(args, program, work) for _ in range(args.runs)]
    return {field: min(one[field] for one in runs) for field in runs[0]}


def prediction(args, source, ranks):
    text = run([args.bin / "acisc", "--mpi", "--dry-run", "--force", f"--ranks={ranks}",
                "--mpi-report=-", f"--config={args.config}", source])
    for candidate in json.loads(text)["candidates"]:
        if candidate["decision"] == "rewritten" and candidate["kind"] != "kernel-dot":
            times = candidate["predicted_us"]
            return f'{times["plain"]:.1f}/{times["fused"]:.1f}'
    return "-"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    parser.add_argument("--config", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parents[2] /
                        "backend/overlay/descriptions/u280-full.json")
    parser.add_argument("--ranks", default=4, type=int)
    parser.add_argument("--runs", default=3, type=int)
    parser.add_argument("programs", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    os.environ.setdefault("ACIS_PLACEMENT", "apart")
    os.environ.setdefault("ACIS_FUSED_BYTES", str(1 << 40))  # each op in the switch, at any cost
    args.bin = built(args.bin.parent, "acisc", "acisd", "acis-mpirun", "acis-mpi-mpich", "acis-cccf-mpich")
    print("| program | chains in the switch | messages | bytes | CPU, ms | wall, ms | 64 hosts | "
          "128 hosts |\n|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        (work / "empty.c").write_text(EMPTY)
        build(args, work / "empty.c", work / "empty")
        base = best(args, work / "empty", work)
        for source in args.programs:
            new = work / "new.c"
            run([args.bin / "acisc", "--mpi", "--force", "--no-remarks", f"--config={args.config}",
                 "-o", new, source])
            build(args, source, work / "plain")
            build(args, new, work / "fused", [args.bin / "../lib/libacis-cccf-mpich.a"])
            plain, fused = (best(args, work / name, work) for name in ("plain", "fused"))
            cells = [f"{plain[f] - base[f]:,.0f} / {fused[f] - base[f]:,.0f}" for f in FIELDS]
            name = source.parent.name if source.name == "app.c" else source.stem
            print("|", " | ".join([name, str(fused["fused"]), *cells,
                                   prediction(args, source, 64), prediction(args, source, 128)]),
                  "|", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
