#!/usr/bin/env python3
"""003's microbenchmark on engines of this machine: Allreduce of doubles, 8 to 256 bytes, on 2 to 8
engines, each call right after the other. Prints a table: mean, least and spread (mean over least),
beside the 3 to 15 % of the paper, with the cores and the load of the machine. Rows with more
processes than cores say so: they measure the system's scheduler as much as the engines.

usage: bench-engines.py [--build FOLDER] [--calls N] [--sizes 8,32,128,256] [--networks ring:2,ring:4,...] [--ways W,...]
"""
import argparse
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from built import built

NETWORKS = "ring:2,ring:4,hypercube:4,torus:2x2,tree:4x2,ring:8,hypercube:8,torus:4x2,torus:2x2x2,tree:8x2"


def engines_of(network):
    form, sizes = network.split(":")
    sizes = [int(size) for size in sizes.split("x")]
    count = sizes[0] if form == "tree" else 1
    if form != "tree":
        for size in sizes:
            count *= size
    return {"form": form, "sizes": sizes}, count


def addresses(count):
    host = "127.%d.%d.%d" % tuple(1 + byte % 250 for byte in os.urandom(3))
    sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(count)]
    for one in sockets:
        one.bind((host, 0))
    return ["%s:%d" % one.getsockname() for one in sockets]


def measure(tools, network, way, options):
    shape, count = engines_of(network)
    at = addresses(count)
    with tempfile.TemporaryDirectory() as folder:
        topology = pathlib.Path(folder) / "net.json"
        topology.write_text(json.dumps({"network": shape, "switches": [
            {"name": f"e{i}", "address": address} for i, address in enumerate(at)]}))
        running = []
        try:
            for i in range(count):
                running.append(subprocess.Popen([tools / "acisd", "--topology", topology, "--name", f"e{i}"],
                                                stdout=subprocess.PIPE, text=True))
                assert "listening" in running[-1].stdout.readline()
            out = subprocess.run([tools / "acis-back-to-back", ",".join(at), str(options.calls), options.sizes,
                                  way], stdout=subprocess.PIPE, text=True, check=True).stdout
        finally:
            for engine in running:
                engine.terminate()
                engine.wait()
    return count, [line.split() for line in out.splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", default="build/dev", help="configured build folder")
    parser.add_argument("--calls", type=int, default=100_000)
    parser.add_argument("--sizes", default="8,32,128,256")
    parser.add_argument("--networks", default=NETWORKS)
    parser.add_argument("--ways", default="automatic")
    options = parser.parse_args()
    tools = built(options.build, "acisd", "acis-back-to-back")
    cores = len(os.sched_getaffinity(0))
    print(f"{cores} cores, load {os.getloadavg()[0]:.1f} at the start; {options.calls} calls back to back\n")
    print("| network | way | bytes | mean us | least us | median us | 99 % us | mean over least | |")
    print("|---|---|--:|--:|--:|--:|--:|--:|---|")
    for network in options.networks.split(","):
        for way in options.ways.split(","):
            count, rows = measure(tools, network, way, options)
            note = "" if 2 * count <= cores else f"{2 * count} processes"
            for size, _, mean, least, median, late in rows:
                spread = 100 * (float(mean) / float(least) - 1)
                print(f"| {network} | {way} | {size} | {mean} | {least} | {median} | {late} | {spread:.0f} % | {note} |",
                      flush=True)
    print(f"\nload {os.getloadavg()[0]:.1f} at the end; 003 has a spread of 3 to 15 %")


if __name__ == "__main__":
    main()
