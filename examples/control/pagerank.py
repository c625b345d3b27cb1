#!/usr/bin/env python3
"""PageRank over a graph that grows, on ranks of which one gets most of what is new: every rank runs its own
blocks, or the switch balances them.

usage: pagerank.py [--ranks N] [--epochs N] [--svg FILE]

A task is a block of vertices with the edges that lead to them; any rank can run it with the ranks of the
last iteration, which are in memory that all share. To run one takes a time that is made, so much for each
edge, since ranks of this example share cores. A switch of its own (acisd in PATH) decides. The result is
compared with one that was computed alone, bit for bit, and each block has to be run once.
"""
import argparse
import array
import ctypes
import multiprocessing
import random
import struct
import time

import steered  # finds the package acis
from acis import control

BLOCK_EDGES, BLOCKS, EDGES, DAMPING = 400, 8, 8, 0.85  # BLOCKS: of each rank at first, and new ones of all
TURNS = 3  # iterations of each epoch
EDGE_TIME = 8e-6


class Graph:
    """Vertices that point to older ones; `owner` of a block is the rank that it came to."""

    def __init__(self, ranks):
        self.random, self.ranks = random.Random(1), ranks
        self.sources, self.outs = [], []  # of each vertex: who points to it; how many it points to
        for _ in range(ranks * BLOCKS * BLOCK_EDGES // EDGES):
            self.add()

    def add(self):
        new = len(self.sources)
        self.sources.append([])
        targets = [self.random.randrange(max(1, new)) for _ in range(EDGES)]
        self.outs.append(len(targets))
        for target in targets:
            self.sources[target].append(new)

    def grow(self):
        for _ in range(BLOCKS * BLOCK_EDGES // EDGES):
            self.add()

    def blocks(self):
        """(first vertex, [sources of each]) with about as many edges each."""
        first, rows, edges = 0, [], 0
        for vertex, sources in enumerate(self.sources):
            rows.append(sources)
            edges += len(sources)
            if edges >= BLOCK_EDGES or vertex + 1 == len(self.sources):
                yield first, rows
                first, rows, edges = vertex + 1, [], 0

    def owner(self, number):
        """What was there at first is even; of what is new, rank 0 gets three of four."""
        if number < self.ranks * BLOCKS:
            return number // BLOCKS
        return number // 4 % self.ranks if number % 4 == 0 else 0


def pack(number, first, rows):
    sources = array.array("I", [source for row in rows for source in row])
    ends = array.array("I", [len(row) for row in rows])
    return struct.pack("<III", number, first, len(rows)) + ends.tobytes() + sources.tobytes()


def run(task, shares, new):
    """Writes the ranks of a block's vertices; returns its number and edges."""
    number, first, count = struct.unpack_from("<III", task)
    words = memoryview(task)[12:].cast("I")
    at = count
    for row in range(count):
        end = at + words[row]
        new[first + row] = sum(shares[source] for source in words[at:end])
        at = end
    return number, len(words) - count


def settle(graph, new, shares, vertices):
    """What each of these vertices gives to each that it points to."""
    for v in vertices:
        shares[v] = ((1 - DAMPING) / len(graph.sources) + DAMPING * new[v]) / graph.outs[v]


def alone(options):
    graph = Graph(options.ranks)
    shares = []
    for _ in range(options.epochs):
        graph.grow()
        shares = [1 / len(graph.sources)] * len(graph.sources)
        new = [0.0] * len(shares)
        for _ in range(TURNS):
            for number, (first, rows) in enumerate(graph.blocks()):
                run(pack(number, first, rows), shares, new)
            settle(graph, new, shares, range(len(shares)))
    return shares


def work(rank, options, address, imbalance, shares, new, runs, ends):
    graph, times = Graph(options.ranks), []
    policy = control.Policy(imbalance=imbalance, timeout=60)
    with control.Group(address, job=1, rank=rank, size=options.ranks, policy=policy) as group:
        for epoch in range(options.epochs):
            graph.grow()
            blocks = list(enumerate(graph.blocks()))
            own = [(number, block) for number, block in blocks if graph.owner(number) == rank]
            vertices = [v for _, (first, rows) in own for v in range(first, first + len(rows))]
            for turn in range(epoch * TURNS, (epoch + 1) * TURNS):
                group.begin(2 * turn)  # all have settled
                if turn == epoch * TURNS:
                    for v in vertices:
                        shares[v] = 1 / len(graph.sources)
                group.end(2 * turn)
                group.begin(2 * turn + 1)  # all have their shares
                begun, busy = time.monotonic(), 0
                for number, (first, rows) in own:
                    group.put(pack(number, first, rows))
                last = begun
                for task in group.tasks():
                    start = time.monotonic()
                    number, edges = run(task, shares, new)
                    time.sleep(max(0, edges * EDGE_TIME - (time.monotonic() - start)))
                    with runs.get_lock():
                        runs[turn * options.most + number] += 1
                    last = time.monotonic()
                    busy += last - start
                times.append((begun, last, busy))
                settle(graph, new, shares, vertices)
                group.end(2 * turn + 1)
    ends.put((rank, times))


def measure(options, imbalance):
    """Of each iteration: (makespan, the ideal one); and the shares at the end."""
    with steered.switch() as address:
        turns = options.epochs * TURNS
        shares = multiprocessing.RawArray(ctypes.c_double, options.vertices)
        new = multiprocessing.RawArray(ctypes.c_double, options.vertices)
        runs = multiprocessing.Array(ctypes.c_int, turns * options.most)
        ends = multiprocessing.Queue()
        members = [multiprocessing.Process(target=work, args=(rank, options, address, imbalance, shares, new, runs,
                                                              ends)) for rank in range(options.ranks)]
        for member in members:
            member.start()
        times = [times for _, times in sorted(ends.get(timeout=120) for _ in members)]
        for member in members:
            member.join()
    spans = []
    for turn in zip(*times):
        begun = min(begin for begin, _, _ in turn)
        spans.append((max(last for _, last, _ in turn) - begun, sum(busy for _, _, busy in turn) / options.ranks))
    return spans, list(shares), list(runs)


def check(options, shares, runs):
    graph = Graph(options.ranks)
    for epoch in range(options.epochs):
        graph.grow()
        count = len(list(graph.blocks()))
        for turn in range(epoch * TURNS, (epoch + 1) * TURNS):
            of_turn = runs[turn * options.most:(turn + 1) * options.most]
            if of_turn != [1] * count + [0] * (options.most - count):
                steered.fail(f"iteration {turn}: a block was not run once: {of_turn}")
    if shares != options.expected:
        steered.fail("ranks are not those that were computed alone")


def draw(stays, moves, path):
    most = max(span for span, _ in stays)
    plot = steered.Plot("iteration", "time of the iteration, ms", len(stays) - 1, most)
    for i in range(5):
        plot.up(most * i / 4, f"{1000 * most * i / 4:.0f}")
    for turn in range(0, len(stays), TURNS):
        plot.across(turn, turn)
    lines = [("blocks stay", steered.COLOURS[0], [s for s, _ in stays]),
             ("blocks are moved", steered.COLOURS[1], [s for s, _ in moves]), ("even", "#888888", [i for _, i in moves])]
    for at, (name, colour, values) in enumerate(lines):
        plot.line(enumerate(values), colour, 2)
        plot.key(at, name, colour, x=80)
    plot.write(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--svg")
    options = parser.parse_args()
    if options.ranks < 1 or options.epochs < 1:
        parser.error("--ranks and --epochs: at least 1")
    options.vertices = (options.ranks + options.epochs) * BLOCKS * BLOCK_EDGES // EDGES
    options.most = 2 * (options.ranks + options.epochs) * BLOCKS
    options.expected = alone(options)
    print(f"{'blocks':12} {'time':>8} {'even':>8} {'ratio':>6}   of all iterations")
    results = []
    for name, imbalance in (("stay", 0), ("are moved", 0.05)):
        spans, shares, runs = measure(options, imbalance)
        check(options, shares, runs)
        whole, even = sum(s for s, _ in spans), sum(i for _, i in spans)
        print(f"{name:12} {whole:6.2f} s {even:6.2f} s {whole / even:6.2f}", flush=True)
        results.append(spans)
    print("ranks as computed alone, each block once in each iteration")
    if options.svg:
        draw(*results, options.svg)


main()
