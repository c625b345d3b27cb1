#!/usr/bin/env python3
"""Packets per second of acisd with a handler, against a plain C server: pairs in turn, the
server on one core and the load on another. Writes a table and JSON."""
import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SERVER_CORE, LOAD_CORE = 0, 1


def pinned(core, *command):
    return ["taskset", "-c", str(core), *map(str, command)]


def address_of(process):
    """Of the line "acisd: handler at HOST:PORT"."""
    return process.stdout.readline().split()[-1].rsplit(":", 1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--json", default=str(ROOT / "build/bench-switch.json"))
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=1)
    options = parser.parse_args()
    tools = ROOT / options.build / "bin"
    with tempfile.TemporaryDirectory() as folder:
        binary = pathlib.Path(folder) / "sum.acis"
        subprocess.run([tools / "acisc", ROOT / "examples/payload-sum/handler.c", "--config=u280.json",
                        "-o", binary], check=True)
        switch = subprocess.Popen(pinned(SERVER_CORE, tools / "acisd", "--config", "u280.json",
                                         "--handler", binary), stdout=subprocess.PIPE, text=True)
        plain = subprocess.Popen(pinned(SERVER_CORE, tools / "reply-server", 0),
                                 stdout=subprocess.PIPE, text=True)
        try:
            servers = {"acisd": address_of(switch), "plain": address_of(plain)}
            result = measure(tools / "udp-load", servers, options)
        finally:
            switch.terminate()
            plain.terminate()
    pathlib.Path(options.json).write_text(json.dumps(result, indent=2) + "\n")


def measure(load, servers, options):
    result = []
    print(f"{'bytes':>6} {'plain C, packets/s':>20} {'acisd, packets/s':>18} {'ratio':>6} {'lost':>7}")
    for size in (64, 256, 1024):
        rates, lost = {"acisd": [], "plain": []}, []
        for _ in range(options.runs):
            for name, (host, port) in servers.items():
                out = subprocess.run(pinned(LOAD_CORE, load, host, port, size, options.seconds),
                                     check=True, capture_output=True, text=True).stdout.split()
                rates[name].append(float(out[0]))
                if name == "acisd":
                    lost.append(float(out[1]))
        ratios = [a / p for a, p in zip(rates["acisd"], rates["plain"])]
        row = {"bytes": size, "plain": statistics.median(rates["plain"]),
               "acisd": statistics.median(rates["acisd"]), "ratio": statistics.median(ratios),
               "lost": max(lost)}
        result.append(row)
        print(f"{size:>6} {row['plain']:>20,.0f} {row['acisd']:>18,.0f} {row['ratio']:>6.2f} "
              f"{row['lost']:>7.2%}")
    return result


if __name__ == "__main__":
    main()
