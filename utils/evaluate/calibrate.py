#!/usr/bin/env python3
"""Finds the numbers of a host and of the network with which plain MPI, simulated, takes as long as on
Stampede2: within the ranges of dissertation table 3.4 (7 collectives, 2 sizes, 3 node counts).

usage: calibrate.py --build build/dev [--write FILE]
       calibrate.py --build build/dev --verify FILE [--nodes 32]

One set of parameters for all rows, within the bounds below, and for each collective one algorithm of
MPICH, Open MPI or MVAPICH2 for short and one for long messages (Intel MPI, which the table was
measured with, does not say which it takes). From the middle of the bounds (or the best of
--samples points) from model to model, each linear around the last point: at first with the rows of 32
and 64 nodes, which then predict those of 128 (the held-out check), and from there with all. Random
choices are by --seed. Ends with exit code 1 if fewer than --at-least rows are met.
"""
import argparse
import csv
import json
import math
import pathlib
import random
import sys
import time

try:
    import numpy
except ImportError:  # --verify does without
    numpy = None

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from built import built
from platforms import SHORT, STAMPEDE2, Wrong, load, stampede2
from simulate import HERE, Failed, Simulator

# name, least, most, the messages of the table whose times it moves, why
BOUNDS = [
    ("bandwidthGbps", 90, 100, "both", "Omni-Path has 100 Gb/s; headers and flow control take some of it"),
    ("busGbps", 90, 200, "both", "both directions of a host at once: from that of one to twice the link"),
    ("copyGBps", 5, 20, "both", "a core of a Xeon 8160 copies 5 to 13 GB/s in memory, more in cache"),
    ("reduceGBps", 2, 10, "long", "8 bytes of a sum move 24 in memory: STREAM of a core has about 12 GB/s"),
    ("messageUs", 0.3, 2, "short", "at each end; a message on Omni-Path takes 1 to 2 us in all, and MPI's share "
                                   "of a collective comes to it"),
    ("bufferGBps", 5, 40, "short", "an eager message goes through a buffer of each end, in cache"),
    ("hostLatencyUs", 0.1, 0.6, "short", "PCIe and adapter, each way"),
]

BINOMIAL = "reduce:ompi_binomial,bcast:binomial_tree"
# Short, long. Names as Simulator.plain() has them.
ALGORITHMS = {
    "allgather": (["bruck", "rdb", "ring"], ["ring", "rdb"]),
    "allreduce": (["rdb", "rab", f"own reduce+bcast,{BINOMIAL}"],
                  ["rab", "smp_rdb", f"own reduce+bcast,{BINOMIAL}"]),
    "bcast": (["binomial_tree", "scatter_rdb_allgather"], ["binomial_tree", "scatter_LR_allgather"]),
    "gather": (["ompi_binomial", "ompi_basic_linear"], ["ompi_binomial", "ompi_linear_sync"]),
    "reduce": (["binomial", "own knomial4"],
               ["scatter_gather", "ompi_in_order_binary", "ompi_binomial", "own knomial8"]),
    "reduce_scatter": (["ompi_basic_recursivehalving", "mpich_rdb", "ompi_butterfly"],
                       ["mpich_pair", "own reduce+scatterv"]),
    "scatter": (["own binomial", "ompi_linear_nb"], ["own binomial", "ompi_linear_nb"]),
}


# Node counts of the table; the first part alone has to predict the other.
SEEN, HELD = [32, 64], [128]
# Of each linear model, as a logarithm; and when all rows are used.
REACHES, LAST = [0.7, 0.35], [0.6, 0.3]


def readTable(path=HERE / "paper/table-3.4.csv"):
    """Rows (collective, nodes, bytes, least us, most us)."""
    with open(path, encoding="utf-8", newline="") as file:
        return [(r["collective"], int(r["nodes"]), int(r["bytes"]), float(r["least"]), float(r["most"]))
                for r in csv.DictReader(file)]


def distance(time, least, most):
    """How far from the range, as a logarithm; 0 within."""
    return max(0.0, math.log(least / time), math.log(time / most))


def losses(times, least, most):
    """Of rows: 1 and more for a miss, little within, least in the middle of the range."""
    off = numpy.maximum(0, numpy.maximum(numpy.log(least / times), numpy.log(times / most)))
    middle = numpy.log(times / numpy.sqrt(least * most)) / numpy.log(most / least) * 2
    return 0.02 * numpy.minimum(1, middle * middle) + numpy.where(off > 0, 0.7 + numpy.minimum(2, 3 * off), 0)


def loss(time, least, most):
    return float(losses(numpy.array(time), least, most))


def toLine(point):
    """A point as numbers that times are nearly linear in: seconds, not rates."""
    return numpy.array([point[name] if name.endswith("Us") else 1 / point[name] for name, *_ in BOUNDS])


def fromLine(line):
    return {name: float(x if name.endswith("Us") else 1 / x) for (name, *_), x in zip(BOUNDS, line)}


class Linear:
    """Times of all rows with all algorithms around a point, as lines of its numbers."""

    def __init__(self, search, point):
        self.keys = [(row, a) for row in search.used for a in ALGORITHMS[row[0]][row[2] > SHORT]]
        self.at, self.times = toLine(point), self.ask(search, point, self.keys)
        slopes = []
        for number, (name, low, high, size, _) in enumerate(BOUNDS):
            moved = {**point, name: point[name] * (0.95 if point[name] * 0.95 > low else 1.05)}
            there = numpy.array([size == "both" or (size == "long") == (row[2] > SHORT) for row, _ in self.keys])
            times = self.times.copy()
            times[there] = self.ask(search, moved, [key for key, t in zip(self.keys, there) if t])
            slopes.append((times - self.times) / (toLine(moved)[number] - self.at[number]))
            search.looked += 1
        self.slopes = numpy.array(slopes)
        least = numpy.array([row[3] for row, _ in self.keys])
        most = numpy.array([row[4] for row, _ in self.keys])
        # Lines are not quite what is simulated: not to the edge of a range.
        margin = numpy.minimum(0.08 * (most - least), 0.004 * least)
        self.least, self.most = least + margin, most - margin
        groups = {}
        for place, (row, algorithm) in enumerate(self.keys):
            groups.setdefault((row[0], row[2] > SHORT), {}).setdefault(algorithm, []).append(place)
        self.groups = [[numpy.array(places) for places in known.values()] for known in groups.values()]

    def ask(self, search, point, keys):
        futures = search.ask(point, keys)
        return numpy.array([search.time(futures[key]) for key in keys])

    def loss(self, line):
        """With the algorithms that fit best there."""
        times = numpy.maximum(self.times + (line - self.at) @ self.slopes, 0.01)
        cost = losses(times, self.least, self.most)
        return sum(min(cost[places].sum() for places in known) for known in self.groups)

    def best(self, reach, chance, tries):
        """By random steps that shrink, no farther than e^reach from the point, within the bounds."""
        ends = [sorted(toLine({name: low if not place else high for name, low, high, *_ in BOUNDS})[k]
                       for place in (0, 1)) for k in range(len(BOUNDS))]
        low = numpy.maximum([e[0] for e in ends], self.at * math.exp(-reach))
        high = numpy.minimum([e[1] for e in ends], self.at * math.exp(reach))
        line, cost = self.at.copy(), self.loss(self.at)
        for number in range(tries):
            width = reach * 0.5 * math.exp(-6 * (number % (tries // 4)) / (tries // 4))
            picked = chance.random(len(line)) < 0.4
            moved = numpy.clip(line * numpy.exp(picked * chance.normal(0, width, len(line))), low, high)
            found = self.loss(moved)
            if found < cost:
                line, cost = moved, found
        return fromLine(line), cost


class Search:
    """The times of table rows at points of the space, and the way to the best point."""

    def __init__(self, simulator, table, nodes, statistic, say):
        self.simulator, self.table, self.statistic, self.say = simulator, table, statistic, say
        self.looked = 0
        self.use(nodes)

    def use(self, nodes):
        self.nodes = nodes
        self.used = [row for row in self.table if row[1] in nodes]

    def ask(self, point, rows):
        """{row and algorithm: future of its times} for a list of such."""
        out = {}
        for nodes in {row[1] for row, _ in rows}:
            here = [(row, algorithm) for row, algorithm in rows if row[1] == nodes]
            found = self.simulator.plain(stampede2(nodes, point), nodes,
                                         [(row[0], row[2], algorithm) for row, algorithm in here])
            out.update({(row, algorithm): found[row[0], row[2], algorithm] for row, algorithm in here})
        return out

    def time(self, future):
        return future.result()[self.statistic == "slowest"]

    def times(self, point, algorithms, rows):
        asked = [(row, algorithms[row[0]][row[2] > SHORT]) for row in rows]
        futures = self.ask(point, asked)
        return [self.time(futures[one]) for one in asked]

    def choose(self, point):
        """The algorithms that fit best at a point, and the loss with them."""
        self.looked += 1
        futures = self.ask(point, [(row, algorithm) for row in self.used
                                   for algorithm in ALGORITHMS[row[0]][row[2] > SHORT]])
        best, sum_ = {}, 0
        for name, classes in ALGORITHMS.items():
            best[name] = []
            for size, known in enumerate(classes):
                rows = [row for row in self.used if row[0] == name and (row[2] > SHORT) == size]
                cost = {a: sum(loss(self.time(futures[row, a]), *row[3:]) for row in rows) for a in known}
                best[name].append(min(cost, key=cost.get))
                sum_ += min(cost.values())
        return best, sum_

    def sample(self, count, chance):
        """The best of the middle of the space and of random points."""
        found = []
        for number in range(count):
            at = lambda low, high: chance.uniform(math.log(low), math.log(high)) if number else math.log(low * high) / 2
            point = {name: math.exp(at(low, high)) for name, low, high, *_ in BOUNDS}
            found.append((self.choose(point)[1], number, point))
            self.say(f"point {number + 1} of {count}: loss {found[-1][0]:.2f}")
        return min(found)[2]

    def descend(self, point, reaches, seed):
        """Goes from best point to best point of linear models, each within a reach of the last."""
        algorithms, cost = self.choose(point)
        best = (cost, point, algorithms)
        for turn, reach in enumerate(reaches):
            moved, hoped = Linear(self, best[1]).best(reach, numpy.random.default_rng(seed + turn), 12_000)
            moved = {name: float(f"{value:.4g}") for name, value in moved.items()}
            algorithms, cost = self.choose(moved)
            rows = [(row, t) for row, t in zip(self.used, self.times(moved, algorithms, self.used))
                    if distance(t, *row[3:])]
            self.say(f"turn {turn + 1} of {len(reaches)} on {self.nodes}: loss {cost:.2f}, hoped for {hoped:.2f}; missed " +
                     (", ".join(f"{row[0]} {row[2]} on {row[1]} ({t:.1f})" for row, t in rows) or "none") + "; " + ", ".join(f"{name} {value:g}" for name, value in moved.items()))
            if cost < best[0]:
                best = (cost, moved, algorithms)
        return best


def rowsOf(search, point, algorithms):
    out = []
    for (name, nodes, size, least, most), t in zip(search.table, search.times(point, algorithms, search.table)):
        out.append({"collective": name, "nodes": nodes, "bytes": size, "leastUs": least, "mostUs": most,
                    "oursUs": round(t, 1), "met": least <= t <= most,
                    "used": (name, nodes, size, least, most) in search.used})
    return out


def found(search, best):
    """What a calibration file holds of a point."""
    cost, point, algorithms = best
    point = {name: float(f"{value:.4g}") for name, value in point.items()}
    rows = rowsOf(search, point, algorithms)
    return {"parameters": point, "algorithms": algorithms, "usedNodes": search.nodes, "loss": round(cost, 4),
            "met": sum(row["met"] for row in rows if row["used"]), "of": sum(row["used"] for row in rows),
            "predictedMet": sum(row["met"] for row in rows if not row["used"]),
            "predictedOf": sum(not row["used"] for row in rows), "rows": rows}


def calibrate(simulator, statistic, seed, samples, start, turns, say):
    """What a calibration file holds. `start`: none, or two points that an earlier run has found, for the
    part of the rows and for all; then at most `turns` follow from each."""
    search = Search(simulator, readTable(), SEEN, statistic, say)
    first = start[0] if start else search.sample(samples, random.Random(seed))
    seen = search.descend(first, (LAST if start else REACHES)[:turns], seed)
    held = found(search, seen)
    search.use(SEEN + HELD)
    all_ = search.descend(start[1] if start else seen[1], LAST[:turns], seed)
    return {"platform": STAMPEDE2, "statistic": statistic, "seed": seed, "samples": samples, "start": start,
            **found(search, all_), "points": search.looked,
            "bounds": {name: {"least": low, "most": high, "why": why} for name, low, high, _, why in BOUNDS},
            "heldOut": held}


def verify(simulator, path, nodes):
    """Ends the program unless the file's times come out again, to the last digit, for these node counts."""
    kept = load(path)
    search = Search(simulator, readTable(), nodes, kept["statistic"], None)
    times = search.times(kept["parameters"], kept["algorithms"], search.used)
    for row, time_ in zip(search.used, times):
        there = next(r for r in kept["rows"] if (r["collective"], r["nodes"], r["bytes"]) == row[:3])
        if abs(there["oursUs"] - time_) > 0.051 or there["met"] != (row[3] <= time_ <= row[4]):
            sys.exit(f"error: {path}: {row[0]} of {row[2]} bytes on {row[1]} nodes takes {time_:.1f} us, not "
                     f"{there['oursUs']}: the simulation has changed; calibrate again and write the file anew")
    print(f"{len(times)} rows are as {path} has them, {sum(r[3] <= t <= r[4] for r, t in zip(search.used, times))} met")


def printRows(found):
    for row in found["rows"]:
        print(f'{row["collective"]:15}{row["nodes"]:5}{row["bytes"]:9}  {row["leastUs"]:9.1f} to {row["mostUs"]:8.1f}'
              f'{row["oursUs"]:10.1f}  {"" if row["met"] else "missed"}{"" if row["used"] else " (predicted)"}')
    print(f'met: {found["met"]} of {found["of"]}' +
          (f', predicted {found["predictedMet"]} of {found["predictedOf"]}' if found["predictedOf"] else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0], formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build", default="build/dev", help="build folder with acis-simrun (default: build/dev)")
    parser.add_argument("--statistic", choices=["slowest", "mean"], default="slowest",
                        help="what of the ranks' times a row of the table is (default: slowest)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--samples", type=int, default=1, help="points to begin with: the middle of the bounds, and random ones (default: 1)")
    parser.add_argument("--start", type=json.loads, metavar="JSON",
                        help="go on from two points of an earlier run, [{\"bandwidthGbps\": ...}, {...}]: found with 32 and\n"
                             "64 nodes, and with all")
    parser.add_argument("--turns", type=int, help="at most so many from each point (0: only measure them)")
    parser.add_argument("--jobs", type=int, default=2, help="simulations at a time (default: 2)")
    parser.add_argument("--at-least", type=int, default=38, help="rows to be met (default: 38)")
    parser.add_argument("--write", metavar="FILE", help="where the calibration goes, as JSON")
    parser.add_argument("--verify", metavar="FILE", help="search nothing; check that a calibration's times come out again")
    parser.add_argument("--nodes", type=int, nargs="+", choices=SEEN + HELD, default=SEEN + HELD, help="of --verify")
    options = parser.parse_args()
    if not numpy and not options.verify:
        sys.exit("error: the search needs numpy: apt-get install python3-numpy, and run this with /usr/bin/python3")
    start = time.monotonic()
    say = lambda text: print(f"[{time.monotonic() - start:.0f}s] {text}", file=sys.stderr, flush=True)
    programs = built(options.build, "acis-simrun", "acis-simgrid", "acis-sim-end", "acis-sim-ranks", "acis-simcosts")
    try:
        with Simulator(programs, options.jobs) as simulator:
            if options.verify:
                return verify(simulator, options.verify, options.nodes)
            result = calibrate(simulator, options.statistic, options.seed, options.samples, options.start, options.turns, say)
    except (Failed, Wrong) as error:
        sys.exit(f"error: {error}")
    print("32 and 64 nodes used, 128 predicted:")
    printRows(result["heldOut"])
    print("all used:")
    printRows(result)
    if options.write:
        pathlib.Path(options.write).write_text(json.dumps(result, indent=1) + "\n")
    if result["met"] < options.at_least:
        sys.exit(f"error: {result['met']} of {result['of']} rows met; --at-least asks for {options.at_least}")


if __name__ == "__main__":
    main()
