#!/usr/bin/env python3
"""A graph with given numbers of nodes and edges and a given skew of degrees, for one that is not at hand.

usage: generate.py --nodes N --edges N (--most N | --skew S) [--seed N] --out FILE.npz

Degrees follow a law of ranks: the node at place r, counted from 1, has edges in proportion to r to the power of -S. S is
given, or found for the most edges of a node. A node has as many edges that lead to it as it has itself (but
for those that would be double); which nodes are many others' neighbours, and which they meet, is random by the seed.
"""
import argparse
import pathlib
import sys

import numpy

STEEPEST = 8.0  # of S: nearly all edges at one node


class Impossible(Exception):
    """No graph is like this; the text says why, and what would do."""


def weights(nodes, skew):
    return numpy.arange(1, nodes + 1, dtype="f8") ** -skew


def skew_of(nodes, edges, most):
    """S of the law by which the first of `nodes` has `most` of the `edges`."""
    if most > nodes:
        raise Impossible(f"--most: a node of {most:,} edges among {nodes:,} nodes; a row has at most one for each node")
    if most > edges:
        raise Impossible(f"--most: a node of {most:,} edges where there are {edges:,} in all; take at most these")
    if most * nodes < edges:
        raise Impossible(f"--most: {nodes:,} nodes of at most {most:,} edges have fewer than {edges:,}; take at least {-(-edges // nodes):,}")
    low, high = 0.0, STEEPEST
    for _ in range(60):
        skew = (low + high) / 2
        low, high = (low, skew) if edges / weights(nodes, skew).sum() > most else (skew, high)
    return low


def degrees(nodes, edges, skew):
    """Edges of each place, which fall, and are `edges` together."""
    if nodes < 1 or edges < 0:
        raise Impossible(f"--nodes, --edges: {nodes:,} nodes with {edges:,} edges; at least one node and no edge are needed")
    if edges > nodes * nodes:
        raise Impossible(f"--edges: {edges:,} of {nodes:,} nodes; a matrix of this size has {nodes * nodes:,} places")
    if not 0 <= skew <= STEEPEST:
        raise Impossible(f"--skew: {skew}; 0 (all alike) to {STEEPEST:g} are possible")
    law = weights(nodes, skew)
    exact = law * (edges / law.sum())
    if exact[0] > nodes * (1 + 1e-9):
        raise Impossible(f"--skew: by {skew:g} one of {nodes:,} nodes has {exact[0]:,.0f} edges; a row has at most one for each node: take less")
    return numpy.diff(numpy.floor(numpy.concatenate([[0], exact.cumsum()]) + 0.5).astype("i8"))


def _missing(keys, nodes, rows, stubs, generator):
    """As many places as `rows` name, in these rows and not in `keys` (sorted), in columns as stubs have them."""
    for _ in range(50):
        if not len(rows):
            return keys
        wanted = rows * nodes + stubs[generator.integers(0, len(stubs), len(rows))]
        fresh, first = numpy.unique(wanted, return_index=True)
        at = numpy.searchsorted(keys, fresh)
        new = keys[numpy.minimum(at, len(keys) - 1)] != fresh
        left = numpy.ones(len(rows), bool)
        left[first[new]] = False
        rows = rows[left]
        keys = numpy.sort(numpy.concatenate([keys, fresh[new]]), kind="stable")
    extra = []
    for row, count in zip(*numpy.unique(rows, return_counts=True)):  # rows that are nearly full
        has = keys[numpy.searchsorted(keys, row * nodes):numpy.searchsorted(keys, (row + 1) * nodes)] - row * nodes
        extra.append(row * nodes + generator.choice(numpy.setdiff1d(numpy.arange(nodes), has), count, replace=False))
    return numpy.sort(numpy.concatenate([keys, *extra]))


def generated(nodes, edges, skew, seed):
    """(where each row begins, its columns, which rise): as SciPy's csr has them. The same on each run."""
    of = degrees(nodes, edges, skew)
    generator = numpy.random.default_rng(seed)
    degree = numpy.empty_like(of)
    degree[generator.permutation(nodes)] = of
    starts = numpy.concatenate([[0], degree.cumsum()])
    stubs = numpy.repeat(numpy.arange(nodes, dtype="i4"), degree)
    rows = stubs
    stubs = generator.permutation(stubs)
    keys = numpy.sort(rows.astype("i8") * nodes + stubs)
    double = numpy.zeros(edges, bool)
    if edges:
        double[1:] = keys[1:] == keys[:-1]
        keys = _missing(keys[~double], nodes, keys[double] // nodes, stubs, generator)
    return starts, (keys % nodes).astype("i4")


def skewness(degree):
    """(most edges of a node, part of all edges that a hundredth of the nodes has, of a tenth): of a graph's degrees."""
    falling, all_of = numpy.sort(degree)[::-1], max(1, degree.sum())
    return int(falling[0]), *(float(falling[:-(-len(falling) // part)].sum() / all_of) for part in (100, 10))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=int, required=True)
    parser.add_argument("--edges", type=int, required=True)
    law = parser.add_mutually_exclusive_group(required=True)
    law.add_argument("--most", type=int, help="edges of the node that has most")
    law.add_argument("--skew", type=float, help="S of the law, 0: all alike")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", required=True, type=pathlib.Path, help="as scipy.sparse.save_npz writes it")
    options = parser.parse_args()
    if options.out.suffix != ".npz":
        sys.exit(f"generate.py: error: --out: {options.out} is not named as NumPy's archives are; add .npz")
    try:
        skew = options.skew if options.most is None else skew_of(options.nodes, options.edges, options.most)
        starts, columns = generated(options.nodes, options.edges, skew, options.seed)
        numpy.savez(options.out, format=b"csr", shape=(options.nodes, options.nodes), indptr=starts, indices=columns,
                    data=numpy.ones(len(columns), "f4"))
    except (Impossible, OSError) as error:
        sys.exit(f"generate.py: error: {error}")
    most, percent, tenth = skewness(numpy.diff(starts))
    print(f"generated: {options.nodes} nodes, {len(columns)} edges, at most {most} of a node, {percent:.1%} at a hundredth of the nodes, "
          f"{tenth:.1%} at a tenth; S = {skew:.3f}, seed {options.seed}")


if __name__ == "__main__":
    main()
