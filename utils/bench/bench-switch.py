#!/usr/bin/env python3
"""Packets per second of acisd with a handler, against a plain C server: in turn, in slices, each
server on one core and the load on another; then acisd --workers against the plain server with as
many threads, on as many cores, and the load on those that are left. Writes tables and JSON.

With --write the figures go to docs/data/wire-handlers.json, and its tables and picture from there to
the page (utils/pages/data-pages.py)."""
import argparse
import contextlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from built import built

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "docs/data/wire-handlers.json"
SIZES = (64, 256, 1024)
SCALED_SIZES = (64, 1024)
FLOWS = 48  # senders in all: the system spreads them over the threads by a hash


def pinned(cores, *command):
    return ["taskset", "-c", ",".join(map(str, cores)), *map(str, command)]


@contextlib.contextmanager
def server(cores, *command):
    """The process, with the host and the port that its first line ends with."""
    process = subprocess.Popen(pinned(cores, *command), stdout=subprocess.PIPE, text=True)
    try:
        yield process, process.stdout.readline().split()[-1].rsplit(":", 1)
    finally:
        process.terminate()
        process.wait()


def cpu_seconds(process):
    """Of all its threads."""
    return sum(int(path.read_text().split()[0])
               for path in pathlib.Path(f"/proc/{process.pid}/task").glob("*/schedstat")) * 1e-9


def load(tools, core, address, size, seconds, *more):
    return subprocess.Popen(
        pinned([core], tools / "udp-load", *address, size, seconds, *more),
        stdout=subprocess.PIPE, text=True)


def result_of(process):
    """Packets per second, and the part that was lost."""
    out, _ = process.communicate()
    if process.returncode != 0:
        raise SystemExit("udp-load failed")
    return map(float, out.split())


def one_core(tools, acisd, options):
    """Medians over pairs: a slice of each server after the other."""
    rows = []
    with contextlib.ExitStack() as stack:
        servers = {
            "plain": stack.enter_context(server([0], tools / "reply-server", 0)),
            "acisd": stack.enter_context(server([0], *acisd)),
            "segments": stack.enter_context(server([0], *acisd, "--segments")),
        }
        for size in SIZES:
            rates, costs, lost = ({name: [] for name in servers} for _ in range(3))
            for _ in range(options.runs):
                for name, (process, address) in servers.items():
                    before = cpu_seconds(process)
                    rate, loss = result_of(load(tools, 1, address, size, options.seconds))
                    rates[name].append(rate)
                    costs[name].append((cpu_seconds(process) - before) / (rate * options.seconds))
                    lost[name].append(loss)
            rows.append({"bytes": size, **{name: {
                "rate": statistics.median(rates[name]),
                "ratio": statistics.median(a / p for a, p in zip(rates[name], rates["plain"])),
                "cpu_us": statistics.median(costs[name]) * 1e6,
                "cpu_ratio": statistics.median(p / a for a, p in zip(costs[name], costs["plain"])),
                "lost": max(lost[name])} for name in servers}})
    return rows


def loaded(tools, cores, process, address, size, seconds):
    """Packets per second of all loads, one on each of `cores`; the worst loss; the server's cores
    that were in use."""
    before = cpu_seconds(process)
    loads = [load(tools, core, address, size, seconds, 256 * len(cores), FLOWS // len(cores),
                  "segments") for core in cores]
    results = [tuple(result_of(one)) for one in loads]
    used = (cpu_seconds(process) - before) / seconds
    return sum(rate for rate, _ in results), max(loss for _, loss in results), used


def scaling(tools, acisd, options):
    """Rows of both servers with 1, 2, ... threads, each on a core; the load has the other cores.
    All are there all the time, and each slice is one pair: noise of minutes is in all rows."""
    cores = os.cpu_count()
    counts = [n for n in (1, 2, 3, 4) if n < cores]
    commands = {"plain": lambda n: (tools / "reply-server", 0, n),
                "acisd": lambda n: (*acisd, "--workers", n)}
    slices = {}
    with contextlib.ExitStack() as stack:
        servers = {(name, n): stack.enter_context(server(range(n), *command(n)))
                   for name, command in commands.items() for n in counts}
        for size in SCALED_SIZES:
            for _ in range(options.runs):
                for n in counts:
                    for name in commands:
                        slices.setdefault((size, n, name), []).append(loaded(
                            tools, range(n, cores), *servers[name, n], size, options.seconds))
    rows = []
    for size in SCALED_SIZES:
        for n in counts:
            row = {"bytes": size, "cores": n, "load_cores": cores - n}
            for name in commands:
                got, one = slices[size, n, name], slices[size, 1, name]
                per_use = [rate / used for rate, _, used in got]
                row[name] = {
                    "rate": statistics.median(rate for rate, _, _ in got),
                    "scale": statistics.median(g[0] / o[0] for g, o in zip(got, one)),
                    "used": statistics.median(used for _, _, used in got),
                    "cpu_us": 1e6 / statistics.median(per_use),
                    "lost": max(loss for _, loss, _ in got)}
            pairs = list(zip(slices[size, n, "acisd"], slices[size, n, "plain"]))
            row["ratio"] = statistics.median(a[0] / p[0] for a, p in pairs)
            row["cpu_ratio"] = statistics.median((a[0] / a[2]) / (p[0] / p[2]) for a, p in pairs)
            rows.append(row)
    return rows


def rounded(value):
    """As many digits as a table has, and some."""
    if isinstance(value, dict):
        return {name: rounded(one) for name, one in value.items()}
    if isinstance(value, list):
        return [rounded(one) for one in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


def measure(options):
    tools = built(ROOT / options.build, "acisc", "acisd", "udp-load", "reply-server")
    with tempfile.TemporaryDirectory() as folder:
        binary = pathlib.Path(folder) / "sum.acis"
        subprocess.run([tools / "acisc", ROOT / "examples/payload-sum/handler.c", "--config=u280-full.json",
                        "-o", binary], check=True)
        acisd = [tools / "acisd", "--config", "u280-full.json", "--handler", binary]
        at = os.getloadavg()[0]
        return rounded({"command": "scripts/bench-switch --write", "load": at, "cores": os.cpu_count(),
                        "one_core": one_core(tools, acisd, options), "scaling": scaling(tools, acisd, options)})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--json", default=str(ROOT / "build/bench-switch.json"))
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=0.4)
    parser.add_argument("--write", action="store_true", help="renew docs/data/wire-handlers.json and the page")
    options = parser.parse_args()
    result = measure(options)
    pathlib.Path(options.json).write_text(json.dumps(result, indent=2) + "\n")
    for part in ("one_core", "scaling"):
        print(json.dumps(result[part], indent=1))
    if options.write:
        DATA.write_text(json.dumps(result, indent=1) + "\n")
        subprocess.run([sys.executable, ROOT / "utils/pages/data-pages.py", "wire-handlers"], check=True)


if __name__ == "__main__":
    main()
