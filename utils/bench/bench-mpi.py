#!/usr/bin/env python3
"""Collectives through a switch against MPICH over TCP, side by side.

usage: bench-mpi.py [--build FOLDER] [--ranks 4,8] [--largest BYTES] [--rounds N] [--seconds S]
                    [--only KIND,...] [--keep FILE [--pause-after S]] [--write FILE]
       bench-mpi.py --work [--build FOLDER] [--ranks 4,8] [--largest BYTES] [--keep FILE]
                    [--write FILE]

Runs both in turn, `rounds` times, each collective as a program of its own, and prints for each
collective and size the medians of the rounds in microseconds, their ratio (below 1: the switch
is faster) and the processor time of a rank. Both use the loopback device of this machine; shared memory is off for MPICH, which
is proven by what UCX says of its endpoints.

With --work it prints instead what a call costs: packets and bytes on the network and
processor time of a rank. That runs in a network namespace of its own, so that nobody else's
packets are counted.

--keep FILE keeps what has been measured, so that a run that was ended goes on where it was. With
--pause-after it ends by itself after so many seconds, between two programs, with code 75.

--write puts the tables into a document, in place of what stands there between the lines
"<!-- begin latency -->" (with --work "begin work") and "<!-- end latency -->", when all has been measured:

  bench-mpi.py --rounds 1 --seconds 0.03 --write FILE.md
  bench-mpi.py --work --write docs/benchmarks-mpi.md
"""
import argparse
import json
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / folder) for folder in (".", "pages")]
import datapage
from built import built

TCP = {"UCX_TLS": "tcp,self", "UCX_NET_DEVICES": "lo", "MPIR_CVAR_NOLOCAL": "1",
       "ACIS_PLACEMENT": "apart", "ACIS_MOVE_BYTES": str(2**64 - 1)}  # nothing is left to MPICH
NAMESPACE = ["unshare", "-rn", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
COLLECTIVES = ("Allreduce", "Bcast", "Allgather", "Reduce", "Gather", "Scatter", "Alltoall",
               "Reduce_scatter_block", "Scan", "Exscan", "Barrier")
unfinished = 0


def run(command, environment=TCP, merge=False, limit=600, patience=2):
    """What a program prints up to its line "end".

    MPICH 4.0.2 over UCX's TCP does not always come back from MPI_Finalize where there are
    more processes than free cores: ranks that are through wait for the others without
    serving their connections. What was measured stands; the processes are ended here.
    """
    global unfinished
    process = subprocess.Popen(command, env={**os.environ, **environment}, text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT if merge else subprocess.DEVNULL,
                               start_new_session=True)
    timer = threading.Timer(limit, process.terminate)
    timer.start()
    lines = []
    for line in process.stdout:
        if line == "end\n":
            break
        lines.append(line)
    else:
        timer.cancel()
        sys.exit(f"error: {' '.join(command)} ended with {process.wait()} before it was done")
    timer.cancel()
    try:
        process.communicate(timeout=patience)
    except subprocess.TimeoutExpired:
        unfinished += 1
        process.terminate()
        try:
            process.communicate(timeout=2)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    return lines


def prove_tcp(program):
    """Fails unless every endpoint between ranks is TCP over loopback."""
    log = run(["mpiexec.mpich", "-n", "2", program, "4", "0.001", "Barrier"],
              {**TCP, "UCX_LOG_LEVEL": "info"}, merge=True)
    endpoints = [line.split("ep_cfg")[1] for line in log if "ep_cfg" in line]
    if not endpoints or any("sysv" in e or "posix" in e or "cma" in e for e in endpoints):
        sys.exit("error: MPICH does not use TCP here; its endpoints are " + str(endpoints))
    return sorted({e.split("]:")[1].strip() for e in endpoints})


def latencies(lines):
    """(collective, bytes) -> (mean, median, processor time), all in microseconds"""
    rows = (line.split() for line in lines if line[0].isupper())
    return {(r[0], int(r[1])): tuple(map(float, r[2:5])) for r in rows if len(r) == 6}


def middle(rounds, key, column):
    return statistics.median(r[key][column] for r in rounds)


class Kept:
    """Results by name, in a file if one is given."""

    def __init__(self, name, seconds):
        self.name = name
        self.end = time.monotonic() + seconds
        self.all = {}
        if name and os.path.exists(name):
            with open(name, encoding="utf-8") as file:
                self.all = json.load(file)

    def get(self, key, measure):
        """What is kept under the key, or what `measure` gives now."""
        if key not in self.all:
            if time.monotonic() > self.end:
                sys.exit(75)
            self.all[key] = measure()
            if self.name:
                with open(self.name + ".new", "w", encoding="utf-8") as file:
                    json.dump(self.all, file)
                os.replace(self.name + ".new", self.name)
        return self.all[key]


def compare(options, program, ranks):
    arguments = [program, str(options.largest), options.seconds]
    commands = {"switch": [f"{options.build}/bin/acis-mpirun", "-n", ranks, *arguments],
                "mpich": ["mpiexec.mpich", "-n", ranks, *arguments]}
    rounds = {name: [{} for _ in range(options.rounds)] for name in commands}
    for collective in options.only.split(",") if options.only else COLLECTIVES:
        for number in range(options.rounds):
            # Both at once, so that a pair of figures is of one time.
            both = options.kept.get(f"{collective} {ranks} {number}", lambda: {
                name: run([*command, collective])
                for name, command in commands.items()})
            for name, lines in both.items():
                rounds[name][number].update(latencies(lines))
    print(f"{ranks} ranks\n\n| collective | bytes | switch | MPICH | ratio | median: switch "
          "| MPICH | ratio | CPU: switch | MPICH |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for key in rounds["mpich"][0]:
        row = f"| {key[0]} | {key[1]} "
        for column in range(3):
            ours, theirs = (middle(rounds[n], key, column) for n in ("switch", "mpich"))
            row += f"| {ours:.1f} | {theirs:.1f} "
            if column < 2:
                row += f"| {ours / theirs:.2f} "
        print(row + "|", flush=True)
    print()
    return compact(rounds, ranks)


def short(size):
    for unit, name in ((1 << 20, " M"), (1 << 10, " K")):
        if size >= unit and size % unit == 0:
            return f"{size // unit}{name}"
    return str(size)


def compact(rounds, ranks):
    """A row for each collective: medians of the switch, and ratios of the means in brackets."""
    keys = list(rounds["mpich"][0])
    sizes = sorted({size for name, size in keys if name != "Barrier"})

    def cell(key):
        if key not in keys:
            return ""
        mean = [middle(rounds[name], key, 0) for name in ("switch", "mpich")]
        return f"{middle(rounds['switch'], key, 1):.0f} ({mean[0] / mean[1]:.2f})"

    rows = ["| bytes | " + " | ".join(map(short, sizes)) + " |", "|---" + "|--:" * len(sizes) + "|"]
    rows += [f"| {name} | " + " | ".join(cell((name, size)) for size in sizes) + " |"
             for name in dict.fromkeys(name for name, _ in keys) if name != "Barrier"]
    barrier = [cell(key) for key in keys if key[0] == "Barrier"]
    return (f"**{ranks} ranks.** Median time through the switch in microseconds, and in brackets "
            "the\nratio of the means to MPICH's (below 1: the switch is faster).\n\n"
            + "\n".join(rows) + "\n"
            + (f"\nBarrier on {ranks} ranks: {barrier[0]}.\n" if barrier else ""))


def filled(name, mark, text):
    """The page with the text at its mark; ends the program where it has no such place."""
    try:
        return datapage.filled(pathlib.Path(name).read_text(encoding="utf-8"), {mark: text})
    except (OSError, ValueError) as problem:
        sys.exit(f"bench-mpi.py: error: {name}: {problem}")


def calls_of(command, collective, size, calls):
    """What a run of so many calls, or as many as half a second has room for, prints."""
    return run(NAMESPACE + command + [str(size), "0.5", collective, str(calls)])[-1].split()


def ranks_sent(options, program, ranks, collective, size, calls):
    """The packets and bytes that all ranks sent to the switch; what the run printed."""
    with tempfile.NamedTemporaryFile("r", suffix=".why") as why:
        line = calls_of([f"{options.build}/bin/acis-mpirun", "-n", ranks, f"--why={why.name}",
                         program], collective, size, calls)
        found = re.search(r"the ranks sent (\d+) packets, (\d+) bytes", why.read())
    return [int(n) for n in found.groups()], line


def work_of(options, program, ranks, collective, size, idle):
    """Of one call: [packets of a rank, bytes of a rank, processor time] for both. `idle`: what
    the ranks send when they make none."""
    calls = 400 if size <= 65536 else 20
    sent, line = ranks_sent(options, program, ranks, collective, size, calls)
    ours = [(sent[i] - idle[i]) / int(line[6]) / int(ranks) for i in (0, 1)]
    ours.append(float(line[4]) / int(line[5]))
    line = calls_of(["mpiexec.mpich", "-n", ranks, program], collective, size, calls)
    made = int(line[5])
    return ours, [int(line[2]) / made / int(ranks), int(line[3]) / made / int(ranks),
                  float(line[4]) / made]


def work(options, program, ranks):
    lines = [f"| {ranks} ranks | bytes | packets: switch | MPICH | bytes sent: switch | MPICH "
             "| CPU us: switch | MPICH |", "|---|--:|--:|--:|--:|--:|--:|--:|"]
    print("\n".join(lines))
    idle = options.kept.get(f"idle {ranks}",
                            lambda: ranks_sent(options, program, ranks, "Barrier", 0, 0)[0])
    for collective in ("Allreduce", "Bcast", "Allgather", "Reduce", "Alltoall", "Barrier"):
        for size in (0,) if collective == "Barrier" else (64, 4096, 262144):
            if size > options.largest:
                continue
            ours, theirs = options.kept.get(
                f"work {collective} {ranks} {size}",
                lambda: work_of(options, program, ranks,
                                collective, size, idle))
            lines.append(f"| {collective} | {size} | {ours[0]:.1f} | {theirs[0]:.1f} "
                         f"| {ours[1]:.0f} | {theirs[1]:.0f} | {ours[2]:.1f} | {theirs[2]:.1f} |")
            print(lines[-1], flush=True)
    print()
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build/dev")
    parser.add_argument("--ranks", default="4,8")
    parser.add_argument("--largest", type=int, default=4 << 20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", default="0.05")
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", metavar="FILE")
    parser.add_argument("--pause-after", type=float, default=float("inf"), metavar="S")
    parser.add_argument("--work", action="store_true")
    parser.add_argument("--write", metavar="FILE")
    options = parser.parse_args()
    options.kept = Kept(options.keep, options.pause_after)
    mark = "work" if options.work else "latency"
    if options.write:  # before anything is measured
        filled(options.write, mark, "")
    built(options.build, "acisd", "acis-mpirun", "acis-mpi-mpich", "mpi-latency-mpich")
    program = f"{options.build}/mpi/mpi-latency-mpich"
    print("MPICH's endpoints: " + "; ".join(prove_tcp(program)))
    average = options.kept.get("work load" if options.work else "load",
                               lambda: os.getloadavg()[0])
    load = f"Load of the machine at the start: {average:.1f} on {os.cpu_count()} cores.\n"
    print(load)
    tables = [(work if options.work else compare)(options, program, ranks)
              for ranks in options.ranks.split(",")]
    if unfinished:
        print(f"{unfinished} runs did not come back from MPI_Finalize and were ended.")
    if options.write:
        page = filled(options.write, mark, "\n".join([load, *tables]))
        pathlib.Path(options.write).write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
