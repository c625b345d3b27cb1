"""Measures memory nodes: launches and sums beside fetching (near-bench), and inference in the network
of examples/near-data/nips5.json by cycles of engine `model` at 250 MHz.

usage: bench-near.py --build DIR [--repeats N] [--rows N] [--nodes N] [--reducers N] [--link RATE] [--only PART]
                     [--write [--data FILE]]

PART is sums or inference. Sums are divided over --nodes nodes (2), reductions are over --reducers (3, or --nodes). With --link the nodes are in network namespaces, each behind a link of that rate each way (1gbit;
needs root). Wall-clock times are those of processes that share this machine and its load, which is printed. --write renews
the part of docs/data/near-data.json that was measured, and the tables and the picture of docs/near-data.md from it; with
--data that file and nothing else.
"""
import argparse
import array
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
OVERLAY = SOURCE / "backend/overlay/descriptions/u280-250mhz.json"
MEGAHERTZ = 250
#: What is launched: nothing, and the example's sum.
FUNCTIONS = """#include "examples/near-data/sum.c"
static int empty(int array[], int length) { return 0; }
ACIS_LOCAL_REDUCE(empty, int, int)
"""
#: The same network on this machine's processor: rows from standard input, results to standard output, and the
#: best of several times in seconds to standard error.
PLAIN = """#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec; }
__attribute__((noinline)) static void spn(const double *restrict in, double *restrict out, size_t rows) {
  for (size_t i = 0; i < rows; ++i) {
    const double a = in[5 * i], b = in[5 * i + 1], c = in[5 * i + 2], d = in[5 * i + 3], e = in[5 * i + 4];
    out[i] = 0.3 * ((a * b) * (c * d) * e) + 0.7 * ((e * d) * (c * b) * a);
  }
}
int main(int argc, char **argv) {
  const size_t rows = (size_t)atol(argv[1]);
  double *in = malloc(40 * rows), *out = malloc(8 * rows), best = 1e9;
  if (argc != 2 || fread(in, 40, rows, stdin) != rows) return 1;
  for (int i = 0; i < 200; ++i) {
    const double start = now();
    spn(in, out, rows);
    const double took = now() - start;
    best = took < best ? took : best;
  }
  fwrite(out, 8, rows, stdout);
  fprintf(stderr, "%.9f", best);
}
"""
COMMAND = "scripts/bench-near --write, and the same with --link 1gbit --only sums"
PUBLISHED = 173.94  #: rows per microsecond, Table I


def run(*command, **options):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **options)
    if done.returncode:
        sys.exit("bench-near: error: %s: %s" % (command[0], done.stderr.strip()))
    return done


def sums(folder, summers, count, repeats):
    """With `count` nodes on this machine, or on the hosts of the cluster that this runs in, of which `summers` sum."""
    (folder / "sum.c").write_text(FUNCTIONS)
    run("acisc", folder / "sum.c", "-I", SOURCE, "--config", OVERLAY, "-o", folder / "sum.acis")
    hosts = list(filter(None, os.environ.get("CLUSTER_HOSTS", "").split(",")))
    here = os.environ.get("CLUSTER_ADDRESS", "127.0.0.1")
    switch = subprocess.Popen(["acisd", "--listen", here + ":0"], stdout=subprocess.PIPE, text=True)
    nodes = []
    try:
        above = switch.stdout.readline().split()[-1]
        for number in range(count):
            command = "exec acis-memd --listen %s:0 --region 64M --config %s --fold-at %s" % (
                hosts[number] if hosts else here, OVERLAY, above)
            nodes.append(subprocess.Popen([*(["ssh", hosts[number]] if hosts else ["sh", "-c"]), command],
                                          stdout=subprocess.PIPE, text=True))
        addresses = [node.stdout.readline() and node.stdout.readline().split()[-1] for node in nodes]
        said = run("near-bench", ",".join(addresses), folder / "sum.acis", repeats, summers).stdout
        print(said)
        return parts_of(said)
    finally:
        for node in [*nodes, switch]:
            node.terminate()
            node.wait()


def numbers(text, columns):
    """Lines of so many numbers: the first of them whole."""
    rows = [line.split() for line in text.splitlines()]
    return [[int(row[0]), *(None if one == "-" else float(one) for one in row[1:])] for row in rows
            if len(row) == columns and row[0].isdigit()]


def parts_of(said):
    """What near-bench prints, as the data has it."""
    latencies = re.search(r"GET of 8 bytes ([\d.]+) us; launch of an empty function ([\d.]+) us", said)
    if not latencies:
        sys.exit("bench-near: error: near-bench: no line 'GET of 8 bytes ..'; is it of another version?")
    fetched, moved, reduced = re.split(r"\nbytes at the host|\nreduction over", said)
    return {"getUs": float(latencies[1]), "launchUs": float(latencies[2]), "sums": numbers(fetched, 5), "bytes": numbers(moved, 6),
            "reductions": numbers(reduced, 7)}


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
    results, found = [], []
    for name, binary, report, packet, memory in (
            ("rows one after the other", "naive.acis", naive, values.tobytes(), bytes(64)),
            ("acis-spn, rows in columns", "spn.acis", made, columns[0], b"".join(columns[1:]))):
        took, out = cycles(folder, folder / binary, packet, memory)
        results.append(out)
        rate = rows * MEGAHERTZ / took
        ii, lanes = mapped(report.stderr + report.stdout)
        found.append({"how": name, "ii": int(ii.split()[-1]), "lanes": lanes, "cycles": took, "rowsPerUs": round(rate, 1)})
        print("%-28s %6s %5d %10d %10.1f %13.1fx" % (name, ii, lanes, took, rate, rate / PUBLISHED))
    (folder / "plain.c").write_text(PLAIN)
    run("cc", "-O3", "-march=native", "-ffp-contract=off", folder / "plain.c", "-o", folder / "plain")
    plain = subprocess.run([folder / "plain", str(rows)], input=values.tobytes(), capture_output=True, check=True)
    results.append(plain.stdout)
    rate = rows / (1e6 * float(plain.stderr))
    print("%-28s %6s %5s %10s %10.1f %13.1fx" % ("plain C, one core here", "-", "-", "-", rate, rate / PUBLISHED))
    if results[1:] != results[:-1] or len(results[0]) != 8 * rows:
        sys.exit("bench-near: error: the results differ")
    return found + [{"how": "plain C on a core of this machine", "rowsPerUs": round(rate, 1)}]


def keep(figures, other):
    """In docs/data/near-data.json, or in another file, beside what other runs have measured."""
    file = other or SOURCE / "docs/data/near-data.json"
    data = json.loads(file.read_text()) if file.exists() else {}
    file.write_text(json.dumps({"command": COMMAND} | data | figures, indent=1) + "\n")
    if not other and all(part in data | figures for part in ("loopback", "link 1gbit", "inference")):
        run(sys.executable, SOURCE / "utils/pages/data-pages.py", "near-data")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--repeats", type=int, default=10_000)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--nodes", type=int, default=2)
    parser.add_argument("--reducers", type=int, default=3)
    parser.add_argument("--link", default="")
    parser.add_argument("--only", choices=("sums", "inference"))
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--data", type=pathlib.Path)
    options = parser.parse_args()
    if options.data and not options.write:
        parser.error("--data: nothing is written; add --write")
    reducers = max(options.nodes, options.reducers)
    if options.link and "CLUSTER_HOSTS" not in os.environ:
        sys.exit(subprocess.run([sys.executable, SOURCE / "utils/mpi/namespaces.py", "--hosts", str(reducers),
                                 "--rate", options.link, "--", sys.executable, *sys.argv]).returncode)
    os.environ["PATH"] = "%s:%s" % (options.build.resolve() / "bin", os.environ["PATH"])
    figures, load = {}, os.getloadavg()[0]
    print("load of this machine: %.1f on %d cores" % (load, os.cpu_count()))
    with tempfile.TemporaryDirectory() as name:
        if options.link:
            print("each node behind a link of", options.link)
        if options.only != "inference":
            figures["link " + options.link if options.link else "loopback"] = {
                "load": round(load, 1), "nodes": options.nodes, "reductionNodes": reducers} | sums(
                    pathlib.Path(name), options.nodes, reducers, options.repeats)
        if options.only != "sums":
            figures["inference"] = {"load": round(load, 1), "rows": options.rows, "ways": inference(pathlib.Path(name), options.rows)}
    if options.write:
        keep(figures, options.data)


main()
