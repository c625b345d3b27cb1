#!/usr/bin/env python3
"""Messages between device buffers (docs/device.md): half a round trip with buffers given to MPI, against
programs that stage by themselves; within a host and between two; and the sizes of chunks.

usage: device-bench.py --build DIR [--mpi NAME] [--largest BYTES] [--seconds S] [--rounds N]
                       [--rates MB/S,...] [--link RATE] [--chunks BYTES,...] [--plots FILE.svg]

Each size of each way is measured in every round, and the least median of the rounds counts: the ways
share the machine and its load, which is printed. Devices: what the machine has ("as it comes"), and the
same below the layer of the tests with separate memory, at each rate (0: as fast as it can). With --link,
between two network namespaces with links of that rate, as tc has it, and within one of them.
"""
import argparse
import math
import os
import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "utils/evaluate"))
import plot  # noqa: E402

WAYS = ["naive", "pipelined", "mapped", "aware"]
PLAIN = "as it comes"
# What publication 002 reports, of the naive way's time.
PAPER = {("one host", "small"): 0.75, ("one host", "large"): 0.67, ("two hosts", "large"): 0.67}


def launcher(options, place):
    words = [f"mpiexec.{options.mpi}"]
    if options.mpi == "openmpi":
        # Ranks that wait let others run: there may be more of them, and of OpenCL's threads, than cores.
        words += ["--oversubscribe", "--mca", "mpi_yield_when_idle", "1"]
        words += ["--allow-run-as-root"] if os.geteuid() == 0 else []
    if "CLUSTER_HOSTS" in os.environ:
        shell, network = os.environ["CLUSTER_SHELL"], os.environ["CLUSTER_NETWORK"]
        if options.mpi == "openmpi":
            words += ["-H", "h0:2" if place == "one host" else "h0:1,h1:1", "--mca", "plm_rsh_agent", shell]
            for name in ("oob_tcp_if_include", "btl_tcp_if_include"):
                words += ["--mca", name, network]
        else:
            words += ["-launcher", "ssh", "-launcher-exec", shell, "-hosts", "h0" if place == "one host" else "h0,h1"]
    return words + ["-n", "2"]


def command(options, place, way, device, size, more):
    variables = list(more)
    if device != PLAIN:
        variables += [f"OPENCL_LAYERS={options.build}/lib/libacis-separate-memory.so", f"ACIS_TEST_DEVICE_RATE={device}"]
    if way == "peer":
        variables += ["ACIS_DEVICE_P2P=1", "ACIS_TEST_DEVICE_EXPORTS=1"]
    if way in ("aware", "peer"):
        variables.append(f"LD_PRELOAD={options.build}/lib/libacis-device-{options.mpi}.so")
    program = f"{options.build}/mpi/device-latency-{options.mpi}"
    return launcher(options, place) + ["env"] + variables + [
        program, "aware" if way == "peer" else way, str(size), str(options.largest), str(options.seconds)]


def measure(options, place, way, device, size=1, more=()):
    """{bytes: [median, and for naive those of its parts]}"""
    done = subprocess.run(command(options, place, way, device, size, more), capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"device-bench: error: {way}: {done.stderr.strip() or done.stdout.strip()}")
    lines = (line.split() for line in done.stdout.splitlines())
    return {int(words[0]): [float(word) for word in words[2:]] for words in lines}


def least(rounds):
    return {size: min((one[size] for one in rounds), key=lambda values: values[0]) for size in rounds[0]}


def ratio(results, way, sizes):
    """Of the naive way's time, the geometric mean over sizes."""
    logs = [math.log(results[way][size][0] / results["naive"][size][0]) for size in sizes]
    return math.exp(sum(logs) / len(logs)) if logs else None


def table(title, place, ways, results):
    print(f"\n## {title}\n")
    ours = [way for way in ways if way in ("aware", "peer")]
    print("| bytes | " + " | ".join(f"{way}, us" for way in ways) + " | " + " | ".join(f"{way} / naive" for way in ours)
          + " | naive: read, message, write |")
    print("|---" * (len(ways) + len(ours) + 2) + "|")
    for size in results["naive"]:
        times = [f"{results[way][size][0]:.1f}" for way in ways]
        ratios = [f"{results[way][size][0] / results['naive'][size][0]:.2f}" for way in ours]
        parts = ", ".join(f"{value:.1f}" for value in results["naive"][size][1:])
        print(f"| {plot.number(size)} | " + " | ".join(times + ratios) + f" | {parts} |")
    print()
    for name, sizes in (("small", [size for size in results["naive"] if size < 16384]),
                        ("large", [size for size in results["naive"] if size >= 2 << 20])):
        for way in ours:
            if sizes:
                paper = PAPER.get((place, name))
                print(f"{name} messages, {way} / naive: {ratio(results, way, sizes):.2f}" + (f" (002: {paper})" if paper else ""))
    sys.stdout.flush()


def sweep(options, place, device):
    """Times of all sizes of chunks, and whole: {chunk: {bytes: microseconds}}"""
    smallest = min(options.largest, 1 << 20)
    settings = {"whole": ["ACIS_DEVICE_WAY=whole"]}
    for chunk in options.chunks:
        settings[plot.number(chunk)] = ["ACIS_DEVICE_WAY=chunks", f"ACIS_DEVICE_CHUNK={chunk}"]
    found = {name: measure(options, place, "aware", device, smallest, more) for name, more in settings.items()}
    print(f"\n## Chunks: {place}, {device} MB/s\n")
    print("| bytes | " + " | ".join(f"{name}, us" for name in found) + " |")
    print("|---" * (len(found) + 1) + "|")
    for size in found["whole"]:
        print(f"| {plot.number(size)} | " + " | ".join(f"{found[name][size][0]:.0f}" for name in found) + " |")
    sys.stdout.flush()
    return {name: [(size, values[0]) for size, values in times.items()] for name, times in found.items()}


def measure_all(options):
    panels = []
    places = ["one host"] + (["two hosts"] if "CLUSTER_HOSTS" in os.environ else [])
    devices = [PLAIN] + [rate for rate in options.rates.split(",") if rate]
    for place in places:
        ways = WAYS + (["peer"] if place == "one host" else [])
        for device in devices:
            rounds = [{way: measure(options, place, way, device) for way in ways} for _ in range(options.rounds)]
            results = {way: least([one[way] for one in rounds]) for way in ways}
            title = f"{place}, device " + (device if device == PLAIN else f"with separate memory, {device} MB/s")
            table(title, place, ways, results)
            panels.append((title, {way: [(size, values[0]) for size, values in results[way].items()] for way in ways}))
        if options.chunks and len(devices) > 1:
            panels.append((f"{place}, chunks, {devices[-1]} MB/s", sweep(options, place, devices[-1])))
    if options.plots:
        pathlib.Path(options.plots).write_text(plot.lines(panels, "bytes", "us, half a round trip"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True, type=os.path.abspath)
    parser.add_argument("--mpi", choices=["mpich", "openmpi"], default="openmpi")
    parser.add_argument("--largest", type=int, default=64 << 20)
    parser.add_argument("--seconds", type=float, default=0.2, help="of each size, way and round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rates", default="0,1000")
    parser.add_argument("--link", default="", help="of the two hosts, as tc has it (default: one host only)")
    parser.add_argument("--chunks", type=lambda text: [int(word) for word in text.split(",") if word],
                        default=[32 << 10 << n for n in range(7)])
    parser.add_argument("--plots")
    options = parser.parse_args()
    if options.link and "CLUSTER_HOSTS" not in os.environ:
        alone = subprocess.run([sys.executable, str(SOURCE / "utils/mpi/namespaces.py"), "--hosts", "2", "--rate", options.link,
                                "--", sys.executable, *sys.argv], check=False)
        if alone.returncode != 77:
            sys.exit(alone.returncode)
        print("between two hosts nothing is measured: see above")
    print("load of the machine: " + " ".join(f"{value:.2f}" for value in os.getloadavg()) + f", {os.cpu_count()} cores, {options.mpi}"
          + (f", links of {options.link}" if "CLUSTER_HOSTS" in os.environ else ""))
    sys.stdout.flush()
    measure_all(options)


if __name__ == "__main__":
    main()
