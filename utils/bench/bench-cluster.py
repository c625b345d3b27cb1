#!/usr/bin/env python3
"""Collectives and whole programs as users run them, plain and under acis-mpirun with nothing set.

usage: bench-cluster.py [--places 1x2,1x4,1x8,2x2,4x2] [--mpi mpich,openmpi] [--only KIND,...]
                        [--largest BYTES] [--seconds S] [--rounds N] [--rate 1gbit] [--limit MINUTES]
                        [--osu FOLDER] [--program NAME=COMMAND ...]
                        --keep FILE.json [--write FILE.md] [--plot FILE.svg]
       bench-cluster.py --keep FILE.json [--write FILE.md] [--plot FILE.svg] --no-run

A place is hosts x ranks of each. One host is this machine; several are network namespaces, each with a
link of --rate to a bridge, where the switch is, too (root only). Ways, in turns:

  default  the MPI library as it chooses: shared memory within a host, TCP between hosts
  tcp      the same with TCP alone
  acis     the same as default, under acis-mpirun: who does a collective is measured at the start

Collectives: mpi-latency, which measures as the OSU micro-benchmarks do; with --osu those themselves, built for each
library in FOLDER/osu-MPI (docs/benchmarks-mpi.md says how), or as FOLDER/osu_KIND-MPI; rows of their own in the tables. Programs: COMMAND with {mpi} in it for the library, {ranks} for the number of ranks; the whole time
of acis-mpirun or mpiexec is taken.

--keep holds each figure, and what has been measured is not measured again: after --limit minutes no run
begins any more, and the same command goes on where it was. --write puts tables between "<!-- begin NAME -->"
and "<!-- end NAME -->" of a document (NAME: collectives, programs), --plot draws Allreduce.
"""
import argparse
import json
import math
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

HERE = pathlib.Path(__file__).resolve()
ROOT = HERE.parents[2]
sys.path[:0] = [str(ROOT / "utils"), str(ROOT / "utils/evaluate"), str(ROOT / "utils/pages")]
import datapage
import plot

WAYS = ("default", "tcp", "acis")
KINDS = ("Allreduce", "Bcast", "Allgather", "Reduce", "Gather", "Scatter", "Alltoall", "Reduce_scatter_block", "Scan",
         "Exscan", "Barrier")
SIZES = (4, 64, 1024, 4096, 16384, 262144, 4194304)  # of mpi-latency; of the powers of two that OSU has, these are kept
WITHOUT_OSU = ("Scan", "Exscan")
COMMAND = ("utils/bench/bench-cluster.py --keep docs/data/collectives.json --plot docs/data/collectives.svg "
           "--write docs/benchmarks-mpi.md")
PORT = 9000
PATIENCE = 3


class Place:
    def __init__(self, text):
        if not re.fullmatch(r"[1-9]\d?x[1-9]\d?", text):
            sys.exit(f"bench-cluster: error: --places: found '{text}', allowed are hosts x ranks of each, as 2x4")
        self.name = text
        self.hosts, self.each = map(int, text.split("x"))
        self.ranks = self.hosts * self.each
        self.oversubscribed = self.ranks + (self.hosts > 1) > os.cpu_count()


class Keeper:
    """Figures by key, in a file after each."""

    def __init__(self, name):
        self.path = pathlib.Path(name)
        self.all = json.loads(self.path.read_text(encoding="utf-8")) if self.path.exists() else {}
        self.all.setdefault("command", COMMAND)
        self.all.setdefault("machine", {"cores": os.cpu_count()})
        self.all.setdefault("collectives", {})
        self.all.setdefault("programs", {})

    def add(self, table, key, value):
        self.all[table][key] = value
        new = self.path.with_suffix(".new")
        new.write_text(json.dumps(self.all, indent=0, sort_keys=True) + "\n", encoding="utf-8")
        new.replace(self.path)


def load():
    return float(pathlib.Path("/proc/loadavg").read_text(encoding="utf-8").split()[0])


def environment(place, mpi, way):
    out = {"ACIS_DATA": os.environ.get("ACIS_DATA", "")}
    if mpi == "mpich":
        if way == "tcp":
            out["MPIR_CVAR_NOLOCAL"] = "1"
        if way == "tcp" or place.hosts > 1:  # between namespaces UCX would find memory that they share
            out.update(UCX_TLS="tcp,self", UCX_NET_DEVICES="lo" if place.hosts == 1 else "eth0")
    return out


def launched(options, place, mpi, way, command):
    words = [f"{options.build}/bin/acis-mpirun", "-n", str(place.ranks), "--mpi", mpi]
    if place.hosts > 1:
        words += ["--host", ",".join(f"h{h}:{place.each}" for h in range(place.hosts)), "--rsh", os.environ["CLUSTER_SHELL"]]
    if way != "acis":
        words.append("--plain")
    elif place.hosts > 1:
        words += ["--switch", f"{os.environ['CLUSTER_ADDRESS']}:{PORT}", "--job", str(options.job())]
    if mpi == "openmpi":
        more = ["--oversubscribe"] if place.hosts == 1 else ["--mca", "oob_tcp_if_include", os.environ["CLUSTER_NETWORK"],
                                                             "--mca", "btl_tcp_if_include", os.environ["CLUSTER_NETWORK"]]
        if way == "tcp":
            more += ["--mca", "btl", "tcp,self"]
        words += [f"--launcher-arg={word}" for word in more]
    return [*words, *command]


def ended(process):
    """Ends a process and what it has started."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(timeout=3)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue


def run(options, place, mpi, way, command, limit):
    """(seconds, output), or (None, why there is nothing). MPICH over TCP does not always come back from MPI_Finalize where
    ranks share cores; what has said "end" has PATIENCE seconds for it, and stands."""
    begin = time.monotonic()
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(launched(options, place, mpi, way, command), env={**os.environ, **environment(place, mpi, way)},
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True,
                                   errors="replace", start_new_session=True)
        timer = threading.Timer(limit, ended, [process])
        timer.start()
        lines = []
        for line in process.stdout:
            lines.append(line)
            if line == "end\n":
                break
        try:
            code = process.wait(timeout=PATIENCE if lines[-1:] == ["end\n"] else None)
        except subprocess.TimeoutExpired:
            ended(process)
            code = 0
        timer.cancel()
        ended(process)
        process.stdout.close()
        seconds = time.monotonic() - begin
        over = seconds > limit and lines[-1:] != ["end\n"]  # mpiexec may return 0 when it is ended
        if code != 0 or over:
            errors.seek(0)
            tail = (errors.read().strip() or "".join(lines).strip()).splitlines()[-1:] or [""]
            return None, f"{f'not done in {limit} s' if over else f'exit code {code}'}: {tail[0][:160]}"
        return seconds, "".join(lines)


def osu_name(kind):
    return "osu_" + kind.lower()


def figures(options, kind, out):
    """bytes -> microseconds, mean over calls and ranks"""
    if options.osu:
        rows = (line.split() for line in out.splitlines() if line[:1].isdigit() or kind == "Barrier")
        found = [r for r in rows if len(r) >= 1 and re.fullmatch(r"[\d.]+", r[0])]
        if kind == "Barrier":
            return {"0": float(r[0]) for r in found}
        return {r[0]: float(r[1]) for r in found if len(r) > 1 and int(r[0]) in SIZES}
    rows = (line.split() for line in out.splitlines() if line.startswith(kind + " "))
    return {r[1]: float(r[2]) for r in rows if len(r) == 6}


def program_of(options, kind, mpi):
    if not options.osu:
        return [f"{options.build}/mpi/mpi-latency-{mpi}", str(options.largest), str(options.seconds), kind]
    sizes = [] if kind == "Barrier" else ["-m", f"4:{options.largest}", "-M", str(2**31)]
    return [osu_program(options, kind, mpi), *sizes, "-x", "20", "-i", str(options.calls)]


def osu_program(options, kind, mpi):
    """Where `make` leaves it, or `make install`; or all in one folder."""
    folder, name = pathlib.Path(options.osu), osu_name(kind)
    found = [*folder.glob(f"{name}-{mpi}"), *sorted(folder.glob(f"osu-{mpi}/**/collective/**/{name}"))]
    if not found:
        sys.exit(f"bench-cluster: error: --osu: there is neither {folder}/{name}-{mpi} nor a program {name} below {folder}/osu-{mpi}; "
                 "docs/benchmarks-mpi.md says how they are built, and --only leaves kinds out")
    return str(found[0])


def out_of_time(options):
    return time.time() > options.until


def measure(options, keeper, place):
    for kind in options.only:
        if options.osu and kind in WITHOUT_OSU:
            continue
        for number in range(options.rounds):
            for mpi in options.mpi:
                for way in WAYS:
                    key = f"{place.name} {mpi} {way} {kind} {number}" + (" osu" if options.osu else "")
                    if key in keeper.all["collectives"] or out_of_time(options):
                        continue
                    before = load()
                    seconds, out = run(options, place, mpi, way, program_of(options, kind, mpi), options.patience)
                    value = {"load": before, "us": figures(options, kind, out)} if seconds else {"load": before, "why": out}
                    keeper.add("collectives", key, value)
                    print(key, json.dumps(value), flush=True)
    for name, command in options.programs.items():
        for number in range(options.rounds):
            for mpi in options.mpi:
                for way in WAYS:
                    key = f"{place.name} {mpi} {way} {name} {number}"
                    if key in keeper.all["programs"] or out_of_time(options):
                        continue
                    before = load()
                    words = command.replace("{mpi}", mpi).replace("{ranks}", str(place.ranks)).split()
                    seconds, out = run(options, place, mpi, way, words, options.patience)
                    value = {"load": before, "seconds": round(seconds, 3)} if seconds else {"load": before, "why": out}
                    keeper.add("programs", key, value)
                    print(key, json.dumps(value), flush=True)


def within(options, place):
    """Starts this script again between the hosts, for that place alone."""
    command = [sys.executable, str(ROOT / "utils/mpi/namespaces.py"), "--hosts", str(place.hosts)]
    if options.rate:
        command += ["--rate", options.rate]
    done = subprocess.run([*command, "--", sys.executable, str(HERE), *sys.argv[1:]],
                          env={**os.environ, "BENCH_CLUSTER_PLACE": place.name, "BENCH_CLUSTER_UNTIL": str(options.until)},
                          check=False)
    if done.returncode:
        sys.exit(done.returncode)


def beside_a_switch(options, keeper, place):
    switch = subprocess.Popen([f"{options.build}/bin/acisd", "--listen", f"{os.environ['CLUSTER_ADDRESS']}:{PORT}"],
                              stdout=subprocess.PIPE, text=True)
    try:
        while not switch.stdout.readline().startswith("acisd: listening"):
            if switch.poll() is not None:
                sys.exit("bench-cluster: error: acisd did not start")
        measure(options, keeper, place)
    finally:
        switch.terminate()
        switch.wait()


class Table:
    """Medians of the rounds: figures of a table of the file, by place, MPI, way, what, and bytes."""

    def __init__(self, keeper, table):
        self.values = {}
        for key, value in keeper.all[table].items():
            place, mpi, way, what, _ = key.split()[:5]
            osu = " (OSU)" if key.endswith(" osu") else ""
            found = value.get("us", {"0": value["seconds"]} if "seconds" in value else {})
            for size, figure in found.items():
                self.values.setdefault((place, what + osu, int(size)), {}).setdefault((mpi, way), []).append(figure)
        loads = [v["load"] for v in keeper.all[table].values()]
        self.loads = (min(loads), max(loads)) if loads else None

    def at(self, place, what, size, mpi, way):
        found = self.values.get((place, what, size), {}).get((mpi, way))
        return statistics.median(found) if found else None

    def best(self, place, what, size, mpis):
        found = [self.at(place, what, size, m, w) for m in mpis for w in ("default", "tcp")]
        return min((f for f in found if f is not None), default=None)

    def all_of(self, number):
        return list(dict.fromkeys(key[number] for key in self.values))


def short(size):
    for unit, name in ((1 << 20, " M"), (1 << 10, " K")):
        if size >= unit and size % unit == 0:
            return f"{size // unit}{name}"
    return str(size)


def cell(table, place, what, size, mpi):
    ours, best = table.at(place, what, size, mpi, "acis"), table.best(place, what, size, [mpi])
    if ours is None or best is None:
        return "-"
    return f"{ours:.0f} ({ours / best:.2f})" if ours >= 10 else f"{ours:.1f} ({ours / best:.2f})"


def geometric(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def collective_tables(keeper):
    table = Table(keeper, "collectives")
    if not table.loads:
        return ""
    cores = keeper.all["machine"]["cores"]
    out = [f"{cores} cores; load when a row began {table.loads[0]:.1f} to {table.loads[1]:.1f}. Microseconds under acis-mpirun, "
           "and in brackets\ntheir ratio to the better of plain default and plain TCP of the same MPI library.\n"]
    for name in sorted(table.all_of(0), key=lambda p: (Place(p).hosts, Place(p).ranks)):
        place = Place(name)
        for mpi in ("mpich", "openmpi"):
            kinds = [w for w in table.all_of(1) if any(table.at(name, w, s, mpi, "acis") is not None for s in table.all_of(2))]
            if not kinds:
                continue
            sizes = sorted({s for p, w, s in table.values if p == name and s > 0})
            hosts = "one host" if place.hosts == 1 else f"{place.hosts} hosts"
            note = f" (oversubscribed: {place.ranks + (place.hosts > 1)} processes on {cores} cores)" if place.oversubscribed else ""
            ratios = [table.at(name, w, s, mpi, "acis") / b for w in kinds for s in [0, *sizes]
                      if table.at(name, w, s, mpi, "acis") and (b := table.best(name, w, s, [mpi]))]
            out.append(f"**{hosts}, {place.each} ranks each, {mpi}**{note}: geometric mean {geometric(ratios):.2f}, "
                       f"worst {max(ratios):.2f}, {sum(r <= 1.1 for r in ratios)} of {len(ratios)} at most 1.1.\n")
            out.append("| bytes | " + " | ".join(map(short, sizes)) + " |\n|---" + "|--:" * len(sizes) + "|")
            out += [f"| {w} | " + " | ".join(cell(table, name, w, s, mpi) for s in sizes) + " |" for w in kinds if not w.startswith("Barrier")]
            out.append("")
            out += [f"{w}: {cell(table, name, w, 0, mpi)}.\n" for w in kinds if w.startswith("Barrier")]
    return "\n".join(out) + "\n"


def program_tables(keeper):
    table = Table(keeper, "programs")
    if not table.loads:
        return ""
    out = [f"{keeper.all['machine']['cores']} cores; load when a row began {table.loads[0]:.1f} to {table.loads[1]:.1f}. Seconds of "
           "the whole run, start and end included.\n",
           "| program | hosts x ranks | MPI | default | TCP | acis | ratio to the better |", "|---|---|---|--:|--:|--:|--:|"]
    for place, what, _ in table.values:
        for mpi in ("mpich", "openmpi"):
            row = [table.at(place, what, 0, mpi, way) for way in WAYS]
            if row[2] is None:
                continue
            best = table.best(place, what, 0, [mpi])
            mark = " †" if Place(place).oversubscribed else ""
            cells = ["-" if v is None else f"{v:.2f}" for v in (*row, row[2] / best if best else None)]
            out.append(f"| {what} | {place}{mark} | {mpi} | " + " | ".join(cells) + " |")
    return "\n".join([*out, "", "† more processes than cores"]) + "\n"


def picture(keeper):
    table = Table(keeper, "collectives")
    panels = []
    for place in sorted(table.all_of(0), key=lambda p: (Place(p).hosts, Place(p).ranks)):
        curves = {}
        for mpi in ("mpich", "openmpi"):
            for way in WAYS:
                points = [(s, v) for s in sorted(table.all_of(2)) if s and (v := table.at(place, "Allreduce", s, mpi, way))]
                if points:
                    curves[f"{mpi}, {way}"] = points
        note = ", oversubscribed" if Place(place).oversubscribed else ""
        panels.append((f"Allreduce, hosts x ranks {place}{note}", curves))
    return plot.lines(panels, "bytes", "microseconds")


def options_of():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=str(ROOT / "build/dev"))
    parser.add_argument("--places", default="1x2,1x4,1x8,2x2,4x2")
    parser.add_argument("--mpi", default="mpich,openmpi")
    parser.add_argument("--only", default=",".join(KINDS), help="kinds of collectives; none: programs alone")
    parser.add_argument("--largest", type=int, default=4194304)
    parser.add_argument("--seconds", type=float, default=0.05, help="for each figure of mpi-latency")
    parser.add_argument("--calls", type=int, default=200, help="for each figure of --osu")
    parser.add_argument("--limit", type=float, default=24 * 60, help="minutes, after which no run begins")
    parser.add_argument("--patience", type=int, default=60, help="seconds for each run")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--rate", default="1gbit", help="of each host's link, as tc has it")
    parser.add_argument("--osu", default="", help="folder with the OSU programs")
    parser.add_argument("--program", action="append", default=[], metavar="NAME=COMMAND")
    parser.add_argument("--keep", required=True, metavar="FILE.json")
    parser.add_argument("--write", default="", metavar="FILE.md")
    parser.add_argument("--plot", default="", metavar="FILE.svg")
    parser.add_argument("--no-run", action="store_true", help="only write and plot what is kept")
    options = parser.parse_args()
    options.build = str(pathlib.Path(options.build).resolve())
    options.until = float(os.environ.get("BENCH_CLUSTER_UNTIL", time.time() + 60 * options.limit))
    options.osu = options.osu and str(pathlib.Path(options.osu).resolve())
    options.mpi = options.mpi.split(",")
    options.only = [] if options.only == "none" else options.only.split(",")
    if wrong := [kind for kind in options.only if kind not in KINDS]:
        parser.error(f"--only: found '{wrong[0]}', allowed are {', '.join(KINDS)}")
    options.programs = dict(word.split("=", 1) for word in options.program)
    jobs = iter(range(1, 1 << 16))
    options.job = lambda: next(jobs)
    return options


def main():
    options = options_of()
    os.environ.pop("ACIS_PLACEMENT", None)
    keeper = Keeper(options.keep)
    if "BENCH_CLUSTER_PLACE" in os.environ:
        return beside_a_switch(options, keeper, Place(os.environ["BENCH_CLUSTER_PLACE"]))
    for place in map(Place, [] if options.no_run else options.places.split(",")):
        if place.hosts > 1:
            within(options, place)
            keeper = Keeper(options.keep)
        else:
            measure(options, keeper, place)
    tables = {"collectives": collective_tables(keeper), "programs": program_tables(keeper)}
    tables = {mark: text for mark, text in tables.items() if text}
    if options.write:
        page = pathlib.Path(options.write)
        try:
            page.write_text(datapage.filled(page.read_text(encoding="utf-8"), tables), encoding="utf-8")
        except ValueError as problem:
            sys.exit(f"bench-cluster: error: {page}: {problem}")
    else:
        print("\n".join(tables.values()))
    if options.plot:
        pathlib.Path(options.plot).write_text(picture(keeper), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main() or 0)
