#!/usr/bin/env python3
"""Measures device buffers in MPI within this machine (docs/device.md): half a round trip with buffers
given to MPI, against programs that stage by themselves.

usage: device-bench.py --build DIR [--mpi NAME] [--largest BYTES] [--seconds S] [--rounds N]
                       [--rates MB/S,...] [--plots FILE.svg]

Each size of each way is measured in every round, and the least median of the rounds counts: the ways
share the machine and its load, which is printed. Devices: what the machine has ("as it comes"), and the
same below the layer of the tests with separate memory, at each rate (0: as fast as it can).
"""
import argparse
import os
import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "utils/evaluate"))
import plot  # noqa: E402

WAYS = ["naive", "pipelined", "mapped", "aware"]


def command(options, way, device):
    variables = []
    if device != "as it comes":
        variables = [f"OPENCL_LAYERS={options.build}/lib/libacis-separate-memory.so", f"ACIS_TEST_DEVICE_RATE={device}"]
    if way == "aware":
        variables.append(f"LD_PRELOAD={options.build}/lib/libacis-device-{options.mpi}.so")
    launcher = [f"mpiexec.{options.mpi}"]
    if options.mpi == "openmpi":
        launcher += ["--oversubscribe"] + (["--allow-run-as-root"] if os.geteuid() == 0 else [])
    program = f"{options.build}/mpi/device-latency-{options.mpi}"
    return launcher + ["-n", "2", "env"] + variables + [program, way, "1", str(options.largest), str(options.seconds)]


def measure(options, way, device):
    """{bytes: [median, and for naive those of its parts]}"""
    done = subprocess.run(command(options, way, device), capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"device-bench: error: {way}: {done.stderr.strip() or done.stdout.strip()}")
    lines = (line.split() for line in done.stdout.splitlines())
    return {int(words[0]): [float(word) for word in words[2:]] for words in lines}


def least(rounds):
    return {size: min((one[size] for one in rounds), key=lambda values: values[0]) for size in rounds[0]}


def table(device, results):
    print(f"\n## Device: {device}\n")
    print("| bytes | " + " | ".join(f"{way}, us" for way in WAYS) + " | aware / naive | naive: read, message, write |")
    print("|---" * (len(WAYS) + 3) + "|")
    for size in results["naive"]:
        times = [results[way][size][0] for way in WAYS]
        parts = ", ".join(f"{value:.1f}" for value in results["naive"][size][1:])
        print(f"| {plot.number(size)} | " + " | ".join(f"{value:.1f}" for value in times) + f" | {times[-1] / times[0]:.2f} | {parts} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True, type=lambda path: os.path.abspath(path))
    parser.add_argument("--mpi", choices=["mpich", "openmpi"], default="mpich")
    parser.add_argument("--largest", type=int, default=64 << 20)
    parser.add_argument("--seconds", type=float, default=0.2, help="of each size, way and round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rates", default="0,4000")
    parser.add_argument("--plots")
    options = parser.parse_args()
    print("load of the machine: " + " ".join(f"{value:.2f}" for value in os.getloadavg()) + f", {os.cpu_count()} cores, {options.mpi}")
    panels = []
    for device in ["as it comes"] + [rate for rate in options.rates.split(",") if rate]:
        rounds = [{way: measure(options, way, device) for way in WAYS} for _ in range(options.rounds)]
        results = {way: least([one[way] for one in rounds]) for way in WAYS}
        title = device if device == "as it comes" else "separate memory" + (f", {device} MB/s" if device != "0" else "")
        table(title, results)
        panels.append((title, {way: [(size, values[0]) for size, values in results[way].items()] for way in WAYS}))
    if options.plots:
        pathlib.Path(options.plots).write_text(plot.lines(panels, "bytes", "us, half a round trip"))


if __name__ == "__main__":
    main()
