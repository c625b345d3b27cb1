"""Measures memory nodes: launches and sums beside fetching (near-bench), and inference in the network
of examples/near-data/nips5.json by cycles of engine `model` at 250 MHz.

usage: bench-near.py --build DIR [--repeats N] [--rows N] [--nodes N]

Wall-clock times are those of processes that share this machine and its load, which is printed.
"""
import argparse
import array
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
OVERLAY = SOURCE / "backend/overlay/descriptions/u280-250mhz.json"
MEGAHERTZ = 250
PUBLISHED = 173.94  #: rows per microsecond, Table I


def run(*command, **options):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **options)
    if done.returncode:
        sys.exit("bench-near: error: %s: %s" % (command[0], done.stderr.strip()))
    return done


def sums(folder, count, repeats):
    run("acisc", SOURCE / "examples/near-data/sum.c", "-I", SOURCE, "--config", OVERLAY, "-o", folder / "sum.acis")
    nodes = [subprocess.Popen(["acisd", "--region", "64M", "--config", OVERLAY], stdout=subprocess.PIPE, text=True)
             for _ in range(count)]
    try:
        addresses = [node.stdout.readline() and node.stdout.readline().split()[-1] for node in nodes]
        print(run("near-bench", ",".join(addresses), folder / "sum.acis", repeats).stdout)
    finally:
        for node in nodes:
            node.terminate()
            node.wait()


def cycles(folder, binary, packet, memory):
    (folder / "in.bin").write_bytes(packet)
    (folder / "mem.bin").write_bytes(memory)
    stats = run("acis-run", binary, "--config", OVERLAY, "--in", folder / "in.bin", "--mem", folder / "mem.bin",
                "--out", folder / "out.bin", "--engine", "model", "--stats=json")
    return json.loads(stats.stdout)["cycles"], (folder / "out.bin").read_bytes()


def mapped(report):
    line = next(line for line in report.splitlines() if "loop mapped" in line)
    lanes = line.split(" lanes of")[0].split()[-1]
    return line.split("loop mapped: ")[1].split(",")[0], int(lanes)


def inference(folder, rows):
    random.seed(1)
    values = array.array("d", [random.random() for _ in range(5 * rows)])
    columns = [values[k::5].tobytes() for k in range(5)]
    made = run("acis-spn", SOURCE / "examples/near-data/nips5.json", "--config", OVERLAY, "-o", folder / "spn.acis")
    naive = run("acisc", SOURCE / "examples/near-data/nips5-naive.c", "--config", OVERLAY, "--report", "-o",
                folder / "naive.acis")
    print("%-28s %6s %5s %10s %10s %14s" % ("%d rows" % rows, "II", "lanes", "cycles", "rows/us", "published: %.2f" % PUBLISHED))
    results = []
    for name, binary, report, packet, memory in (
            ("rows one after the other", "naive.acis", naive, values.tobytes(), bytes(64)),
            ("acis-spn, rows in columns", "spn.acis", made, columns[0], b"".join(columns[1:]))):
        took, out = cycles(folder, folder / binary, packet, memory)
        results.append(out)
        rate = rows * MEGAHERTZ / took
        print("%-28s %6s %5d %10d %10.1f %13.1fx" % (name, *mapped(report.stderr + report.stdout), took, rate, rate / PUBLISHED))
    if results[0] != results[1] or len(results[0]) != 8 * rows:
        sys.exit("bench-near: error: the results differ")


parser = argparse.ArgumentParser()
parser.add_argument("--build", type=pathlib.Path, required=True)
parser.add_argument("--repeats", type=int, default=10_000)
parser.add_argument("--rows", type=int, default=10_000)
parser.add_argument("--nodes", type=int, default=2)
options = parser.parse_args()
os.environ["PATH"] = "%s:%s" % (options.build.resolve() / "bin", os.environ["PATH"])
with tempfile.TemporaryDirectory() as name:
    print("load of this machine: %.1f on %d cores" % (os.getloadavg()[0], os.cpu_count()))
    sums(pathlib.Path(name), options.nodes, options.repeats)
    inference(pathlib.Path(name), options.rows)
