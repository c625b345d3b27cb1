#!/usr/bin/env python3
"""Packets per second of acisd with a handler, against a plain C server: in turn, in slices, each
server on one core and the load on another. Writes a table and JSON."""
import argparse
import contextlib
import json
import pathlib
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SERVER_CORE, LOAD_CORE = 0, 1
SIZES = (64, 256, 1024)


def pinned(core, *command):
    return ["taskset", "-c", str(core), *map(str, command)]


@contextlib.contextmanager
def server(*command):
    """The process, with the host and the port that its first line ends with."""
    process = subprocess.Popen(pinned(SERVER_CORE, *command), stdout=subprocess.PIPE, text=True)
    try:
        yield process, process.stdout.readline().split()[-1].rsplit(":", 1)
    finally:
        process.terminate()
        process.wait()


def cpu_seconds(process):
    """Of all its threads."""
    return sum(int(path.read_text().split()[0])
               for path in pathlib.Path(f"/proc/{process.pid}/task").glob("*/schedstat")) * 1e-9


def load(tools, address, size, seconds):
    return subprocess.Popen(pinned(LOAD_CORE, tools / "udp-load", *address, size, seconds),
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
            "plain": stack.enter_context(server(tools / "reply-server", 0)),
            "acisd": stack.enter_context(server(*acisd)),
            "segments": stack.enter_context(server(*acisd, "--segments")),
        }
        for size in SIZES:
            rates, costs, lost = ({name: [] for name in servers} for _ in range(3))
            for _ in range(options.runs):
                for name, (process, address) in servers.items():
                    before = cpu_seconds(process)
                    rate, loss = result_of(load(tools, address, size, options.seconds))
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


def print_one_core(rows):
    print(f"{'bytes':>6} {'server':>10} {'packets/s':>11} {'of plain C':>11} {'core us':>8} "
          f"{'of plain C':>11} {'lost':>7}")
    for row in rows:
        for name in ("plain", "acisd", "segments"):
            got = row[name]
            print(f"{row['bytes']:>6} {name:>10} {got['rate']:>11,.0f} {got['ratio']:>11.2f} "
                  f"{got['cpu_us']:>8.2f} {got['cpu_ratio']:>11.2f} {got['lost']:>7.2%}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--json", default=str(ROOT / "build/bench-switch.json"))
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=0.4)
    options = parser.parse_args()
    tools = ROOT / options.build / "bin"
    with tempfile.TemporaryDirectory() as folder:
        binary = pathlib.Path(folder) / "sum.acis"
        subprocess.run([tools / "acisc", ROOT / "examples/payload-sum/handler.c", "--config=u280.json",
                        "-o", binary], check=True)
        acisd = [tools / "acisd", "--config", "u280.json", "--handler", binary]
        result = {"one_core": one_core(tools, acisd, options)}
        print_one_core(result["one_core"])
    pathlib.Path(options.json).write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
