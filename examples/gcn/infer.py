#!/usr/bin/python3
"""A graph convolutional network's inference on files.

usage: infer.py --graph FILE --features FILE --weights FILE [--weights FILE]... [options]

The sums over neighbours are done by the handler split.c or rows.c, on an engine of this process or, with --switch,
in a switch or several. Prints what each layer took and the largest difference from double precision; ends with exit
code 1 if that is more than rounding can give. docs/gcn.md has the formats of the files.
"""
import argparse
import contextlib
import os
import sys

import numpy

import acis
from acis import gcn

#: In parts of the sum of magnitudes: far above what float32 rounds, far below what an error would make.
MOST_ERROR = 1e-5


def options_of(arguments):
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n")[0], description=__doc__.splitlines()[0])
    parser.add_argument("--graph", required=True, help="coordinate text, MatrixMarket, SciPy's .npz, edge list or edge_index (.npy)")
    parser.add_argument("--features", required=True, help=".npy, or a format of graphs with any values")
    parser.add_argument("--weights", required=True, action="append", help="features x columns, in a format of --features; one for each layer")
    parser.add_argument("--self-loops", action="store_true", help="every node leads to itself")
    parser.add_argument("--normalise", action="store_true", help="an edge weighs 1 / sqrt(product of its ends' degrees)")
    parser.add_argument("--engine", default="fast", choices=("fast", "model"), help="model counts cycles (fast)")
    parser.add_argument("--kernel", default="split", choices=("split", "rows"),
                        help="rows: fewer cycles where nodes have few neighbours, for up to some 50,000 nodes (split)")
    parser.add_argument("--overlay", default="u280", help="name or path of a description (u280)")
    parser.add_argument("--switch", metavar="PATH", action="append",
                        help="control socket of an acisd, or 'local' for one that is started here; may be repeated, for several leaves")
    parser.add_argument("--out", metavar="FILE", help="where the result is written, as .npy")
    return parser.parse_args(arguments)


def place_of(options, stack):
    """Where the handler runs, until the stack ends."""
    if not options.switch:
        return stack.enter_context(gcn.InProcess(options.engine, options.overlay, kernel=options.kernel))
    from acis import client
    config = options.overlay + ("" if options.overlay.endswith(".json") else ".json")
    switches = [stack.enter_context(client.local_switch(config) if path == "local" else client.Switch(path)) for path in options.switch]
    if len(switches) == 1:
        return stack.enter_context(gcn.InSwitch(switches[0], options.engine, options.overlay, kernel=options.kernel))
    return stack.enter_context(gcn.InSwitches(switches, options.engine, options.overlay, kernel=options.kernel))


def save(path, array):
    """Under another name first, so that no half file is ever seen."""
    part = f"{path}.{os.getpid()}.part"
    try:
        with open(part, "xb") as file:
            numpy.save(file, array)
        os.replace(part, path)
    except OSError:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(part)
        raise


def main(arguments):
    options = options_of(arguments)
    features = gcn.read_matrix(options.features)
    graph = gcn.read_graph(options.graph, nodes=len(features))
    weights = [gcn.read_matrix(path) for path in options.weights]
    how = dict(self_loops=options.self_loops, normalise=options.normalise)
    with contextlib.ExitStack() as stack:
        result = gcn.infer(graph, features, weights, place_of(options, stack), **how)
    error = gcn.error(result.output, gcn.reference(graph, features, weights, **how))
    print(f"{graph.rows} nodes, {graph.nonzeros} edges, {result.output.shape[1]} classes")
    print(result)
    print(f"within {error:.1e} of double precision (in parts of the sum of magnitudes)")
    if not error <= MOST_ERROR:
        raise acis.Error(f"the result is {error:.1e} from double precision, more than {MOST_ERROR:.0e}; this is an error of "
                         "the engine or the network")
    if options.out:
        save(options.out, result.output)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (acis.Error, OSError) as problem:
        sys.exit(f"infer.py: error: {problem}")
