#!/usr/bin/python3
"""Trains a small network by several MPI ranks, with its last layer in a switch, and once more without.

usage: train.py [--ranks N] [--features FILE [--graph FILE] [--targets FILE]] [options]

Each rank has a part of every batch. With the switch, the last layer's weights are there: it is sent what goes into the layer
and the error terms of what comes out. The layers before it are summed by MPI_Allreduce, and without the switch all of them.
Prints the loss of each step in both ways and in double precision, and the bytes of a rank in a step. docs/training.md says more.
"""
import argparse
import contextlib
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import zipfile

import numpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import acis
import network
import rank
from acis import client, training

HERE = pathlib.Path(__file__).resolve().parent
NAMES = {"switch": "with switch", "plain": "plain"}
MOST_DIFFERENCE = 1e-4  # of losses, in parts of the first one: far above what float32 rounds in some hundred steps


def options_of(arguments):
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n")[0], description=__doc__.splitlines()[0])
    parser.add_argument("--features", metavar="FILE", help="a row for each sample, in a format of infer.py; by default a generated set")
    parser.add_argument("--graph", metavar="FILE", help="add neighbours' features: the samples are nodes of a graph convolution")
    parser.add_argument("--targets", metavar="FILE", help="each sample's class, .npy; by default those of a fixed random network")
    parser.add_argument("--classes", type=int, default=7, help="(7)")
    parser.add_argument("--hidden", type=int, action="append", help="width of a layer before the last one; may be repeated (32)")
    parser.add_argument("--batch", type=int, default=128, help="samples of a step, of all ranks (128)")
    parser.add_argument("--steps", type=int, default=20, help="(20)")
    parser.add_argument("--rate", type=float, default=0.3, help="learning rate (0.3)")
    parser.add_argument("--ranks", type=int, default=4, help="MPI ranks (4)")
    parser.add_argument("--only", choices=("switch", "plain"), help="one of the two ways")
    parser.add_argument("--engine", default="fast", choices=("fast", "model"), help="of the switch (fast)")
    parser.add_argument("--switch", metavar="PATH", help="control socket of an acisd; by default one is started")
    parser.add_argument("--deadline", type=float, default=2.0, help="seconds for an answer of the switch, of 20 (2)")
    parser.add_argument("--keep", metavar="FILE", help="where all weights are written, .npz, each --every steps and at the end; those of the switch where both ways are taken")
    parser.add_argument("--every", type=int, default=0, metavar="N", help="(at the end)")
    parser.add_argument("--resume", metavar="FILE", help="go on from what --keep has written")
    parser.add_argument("--mpicc", default="mpicc.mpich", help="compiler for MPI")
    parser.add_argument("--mpiexec", default="mpiexec.mpich", help="start of ranks, such as 'acis-mpirun --mpi=mpich --placement apart'")
    parser.add_argument("--as-rank", nargs=2, metavar=("FOLDER", "WAY"), help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    options.hidden = options.hidden or [32]
    for name in ("classes", "batch", "steps", "ranks"):
        if getattr(options, name) < 1:
            raise acis.BadArgument(f"--{name} is {getattr(options, name)}; a number from 1 on is needed")
    if min(options.hidden) < 1:
        raise acis.BadArgument(f"--hidden is {min(options.hidden)}; a number from 1 on is needed")
    if options.batch < options.ranks:
        raise acis.BadArgument(f"a batch of {options.batch} samples for {options.ranks} ranks; each has at least one")
    return options


class Run:
    """What all processes make anew from the options: data, batches, and the weights and step to begin with."""

    def __init__(self, options):
        self.x, self.targets = network.data(options)
        self.sizes = [self.x.shape[1], *options.hidden, options.classes]
        self.weights, self.first = network.weights_of(self.sizes), 0
        if options.resume:
            self.weights, self.first = resumed(options.resume, self.weights)
        if self.first >= options.steps:
            raise acis.BadArgument(f"{options.resume} is after step {self.first}, and --steps is {options.steps}; take more steps")
        self.order = network.batches(len(self.x), options.batch, options.steps)[self.first:]
        self.shape = training.shape(self.sizes[-2], options.classes, options.batch, options.ranks)


def resumed(path, expected):
    """Weights and steps that keep() has written."""
    try:
        with open(path, "rb") as file:
            kept = numpy.load(file, allow_pickle=False)
            weights, first = [kept[f"w{i}"] for i in range(len(expected))], int(kept["steps"])
    except (KeyError, IndexError, ValueError, EOFError, zipfile.BadZipFile) as problem:
        raise acis.BadArgument(f"it is not what --keep has written for {len(expected)} layers: {problem}", path) from None
    for i, (one, other) in enumerate(zip(weights, expected)):
        if one.shape != other.shape or one.dtype != other.dtype:
            raise acis.BadArgument(f"layer {i + 1} is {one.shape}, here {other.shape}; give the same --hidden and --classes", path)
    return weights, first


def work(options):
    """A rank."""
    folder, way = options.as_rank
    options.keep = options.keep if way == "switch" or options.only else None
    ranks = rank.Ranks(folder)
    with contextlib.ExitStack() as stack, numpy.errstate(all="ignore"):
        try:
            run = Run(options)
            if ranks.count != options.ranks:
                raise acis.Error(f"there are {ranks.count} ranks, and --ranks is {options.ranks}; give the same number")
            last = rank.InTheSwitch(run, options, ranks, stack) if way == "switch" else rank.InHosts(run.weights[-1])
            rank.take_steps(run, options, ranks, last)
            if ranks.rank == 0:
                print(json.dumps({"steps": len(run.order), "allreduce": ranks.bytes, "sent": last.sent, "received": last.received}), flush=True)
            ranks.share("end")  # nobody unloads the handler before
        except (acis.Error, OSError) as problem:
            rank.give_up(ranks, options, problem)
    ranks.end()


def train(arguments, options, folder, way, switch):
    """The losses and bytes of one way."""
    command = [*shlex.split(options.mpiexec), "-n", options.ranks, sys.executable, __file__, *arguments, "--as-rank", folder, way]
    command += ["--switch", switch] if way == "switch" else []
    ranks = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, text=True,
                             env=dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1"))
    lines = []
    with ranks:
        for line in ranks.stdout:
            lines.append(line.rstrip())
            if sys.stderr.isatty() and line.startswith('{"step":'):
                print(f"\r{NAMES[way]}: {line.rstrip()}", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    found = [json.loads(line) for line in lines if line.startswith("{")]
    if ranks.returncode or len(found) < 2:
        raise acis.Error(rank.reason(folder) or f"{command[0]} ended with exit code {ranks.returncode}")
    return [one["loss"] for one in found[:-1]], found[-1]


def show(run, options, results, exact):
    ways = list(results)
    print("step " + "".join(f"{NAMES[way]:>14}" for way in ways) + "        double  difference")
    worst = {way: 0.0 for way in [*ways, "ways"]}
    for number, precise in enumerate(exact):
        losses = [results[way][0][number] for way in ways]
        for way, loss in zip(ways, losses):
            worst[way] = max(worst[way], abs(loss - precise) / abs(exact[0]))
        apart = abs(losses[0] - losses[-1]) / abs(exact[0])
        worst["ways"] = max(worst["ways"], apart)
        print(f"{number + run.first:4} " + "".join(f"{loss:14.7f}" for loss in losses) + f"{precise:14.7f}  {apart:10.1e}")
    for way in ways:
        print(f"{NAMES[way]}: within {worst[way]:.1e} of double precision (in parts of the first loss)")
    if len(ways) == 2:
        print(f"with switch and plain: within {worst['ways']:.1e} of each other")
    for way in ways:
        show_bytes(way, results[way][1])
    return max(worst.values())


def show_bytes(way, used):
    per = {key: used[key] // used["steps"] for key in ("allreduce", "sent", "received")}
    if way == "plain":
        print(f"plain: a rank gives {per['allreduce']} bytes to the Allreduce in a step, and gets as many")
    else:
        print(f"with switch: a rank gives {per['allreduce']} bytes to the Allreduce in a step and gets as many, sends {per['sent']} to the "
              f"last layer and receives {per['received']}")


def main(arguments):
    options = options_of(arguments)
    if options.as_rank:
        return work(options)
    run = Run(options)
    print(f"{len(run.x)} samples of {run.sizes[0]} features, layers of {' x '.join(map(str, run.sizes))}, {options.ranks} ranks, batches of "
          f"{options.batch}")
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        build = [options.mpicc, "-O2", "-shared", "-fPIC", str(HERE / "ranks.c"), "-o", f"{folder}/ranks.so"]
        subprocess.run(build, check=True)
        results = {}
        for way in ("switch", "plain") if not options.only else (options.only,):
            switch = options.switch
            if way == "switch" and not switch:
                switch = f"{folder}/control"
                stack.enter_context(client.local_switch("u280.json", control=switch))
            results[way] = train(arguments, options, folder, way, switch)
    exact, _ = network.descend(run.x.astype("f8"), run.targets, [one.astype("f8") for one in run.weights], run.order, options.rate)
    if not show(run, options, results, exact) <= MOST_DIFFERENCE:
        raise acis.Error(f"losses are more than {MOST_DIFFERENCE:.0e} apart; this is an error of the switch, or the rate is so large that "
                         "rounding grows")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (acis.Error, OSError, subprocess.CalledProcessError) as problem:
        sys.exit(f"train.py: error: {problem}")
