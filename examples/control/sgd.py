#!/usr/bin/env python3
"""Stochastic gradient descent by workers of which one is slow: bulk-synchronous, stale synchronous,
with a bound that the switch chooses, with the fastest of them, and by sums of the fastest.

usage: sgd.py [--workers N] [--svg FILE] [--transient]

Workers fit one linear model, each on its part of the data. The parameters are in memory that they
share; a step reads them, computes the gradient of a few rows, waits as long as its worker is made to
take, and adds it. A switch of its own (acisd in PATH) says when a step may begin. By default worker 0
takes twice as long as the others in every step; --transient: another worker in every eighth step.
"""
import argparse
import ctypes
import multiprocessing
import random
import sys
import time

import steered  # finds the package acis
from acis import control

FEATURES, ROWS, BATCH, RATE, STEP = 8, 400, 4, 0.008, 0.008
TARGET = 0.05  # loss at which a run has arrived, of the first


def data(worker):
    random.seed(worker)
    truth = [(-1) ** k * (1 + k / 4) for k in range(FEATURES)]
    rows = [[random.gauss(0, 1) for _ in range(FEATURES)] for _ in range(ROWS)]
    return [(x, sum(a * b for a, b in zip(x, truth)) + random.gauss(0, 0.05)) for x in rows]


def error(parameters, row):
    x, y = row
    return sum(a * b for a, b in zip(parameters, x)) - y


def loss(parameters, rows):
    return sum(error(parameters, row) ** 2 for row in rows) / len(rows)


def is_slow(worker, step, workers, transient):
    return step // 8 % workers == worker if transient else worker == 0


def gradient(parameters, batch):
    wrong = [error(parameters, row) for row in batch]
    return [sum(e * row[0][k] for e, row in zip(wrong, batch)) / BATCH for k in range(FEATURES)]


def work_by_sums(worker, options, address, policy, parameters, steps, start, furthest):
    """Each has parameters of its own, all the same: those of the sums so far. Who is late takes the sums
    that were made without it first."""
    rows, own, chosen = data(worker), [0.0] * FEATURES, random.Random(100 + worker)

    def apply(total):
        own[:] = [p - RATE * g for p, g in zip(own, total)]
        if worker == options.workers - 1:
            parameters[:] = own

    with control.Group(address, job=1, rank=worker, size=options.workers, policy=policy) as group:
        start.wait()
        for step in range(steps):
            while missed := group.sum(None, FEATURES):
                apply(missed[0])
            batch = [chosen.choice(rows) for _ in range(BATCH)]
            time.sleep(STEP * (2 if is_slow(worker, step, options.workers, options.transient) else 1))
            total, made = group.sum(gradient(own, batch))
            if len(made.who) < policy.quorum:
                sys.exit(f"sum {made.number} is of {len(made.who)} workers; at least {policy.quorum} were asked for")
            apply(total)


def work(worker, options, address, policy, parameters, steps, start, furthest):
    rows = data(worker)
    chosen = random.Random(100 + worker)
    with control.Group(address, job=1, rank=worker, size=options.workers, policy=policy) as group:
        start.wait()
        for step in range(steps):
            group.begin(step)
            seen = list(parameters)
            batch = [chosen.choice(rows) for _ in range(BATCH)]
            time.sleep(STEP * (2 if is_slow(worker, step, options.workers, options.transient) else 1))
            with parameters.get_lock():
                for k, g in enumerate(gradient(seen, batch)):
                    parameters[k] -= RATE * g
            group.end(step)
            with furthest.get_lock():
                furthest.value = max(furthest.value, step - group.look().floor)


def run(options, policy, body):
    """The loss over time, [(seconds, loss)], and how far one was ahead."""
    with steered.switch() as address:
        parameters = multiprocessing.Array(ctypes.c_double, FEATURES)
        furthest = multiprocessing.Value(ctypes.c_int64, 0)
        start = multiprocessing.Barrier(options.workers + 1, timeout=60)
        workers = [multiprocessing.Process(target=body, args=(w, options, address, policy, parameters, 400, start,
                                                              furthest)) for w in range(options.workers)]
        for worker in workers:
            worker.start()
        held = [row for w in range(options.workers) for row in data(w)[:25]]
        first = loss([0] * FEATURES, held)
        start.wait()
        begun, curve = time.monotonic(), [(0, 1.0)]
        while curve[-1][1] > TARGET and curve[-1][0] < 60:
            time.sleep(0.01)
            curve.append((time.monotonic() - begun, loss(list(parameters), held) / first))
        for worker in workers:
            worker.terminate()
            worker.join()
        return curve, furthest.get_obj().value  # who was ended may have held the lock


def draw(runs, path):
    most = max(curve[-1][0] for _, curve, _ in runs)
    plot = steered.Plot("seconds", "loss, of the first", most, 1)
    for i in range(5):
        plot.up(i / 4, f"{i / 4:.2f}")
        plot.across(most * i / 4, f"{most * i / 4:.2f}")
    for at, ((name, curve, _), colour) in enumerate(zip(runs, steered.COLOURS)):
        plot.line(curve, colour)
        plot.key(at, name, colour)
    plot.write(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--svg")
    parser.add_argument("--transient", action="store_true")
    options = parser.parse_args()
    if options.workers < 2:
        parser.error("--workers: at least 2")
    fastest = options.workers - 1
    ways = [("bulk-synchronous", control.Policy(timeout=30), work),
            ("staleness 8", control.Policy(staleness=8, timeout=30), work),
            ("staleness 2 to 8", control.Policy(staleness=2, most_staleness=8, timeout=30), work),
            (f"fastest {fastest}", control.Policy(quorum=fastest, timeout=30), work),
            (f"sums of fastest {fastest}", control.Policy(quorum=fastest, timeout=30), work_by_sums)]
    runs = [(name, *run(options, policy, body)) for name, policy, body in ways]
    reference = runs[0][1][-1][0]
    print(f"{'':20} {'seconds to loss ' + str(TARGET):>22} {'ratio':>6} {'most ahead':>11}")
    for name, curve, ahead in runs:
        print(f"{name:20} {curve[-1][0]:22.2f} {curve[-1][0] / reference:6.2f} {ahead:11}")
    if options.svg:
        draw(runs, options.svg)
    if any(curve[-1][1] > TARGET for _, curve, _ in runs):
        sys.exit("a run did not arrive")
    if runs[0][2] > 0 or runs[1][2] > 8 or runs[2][2] > 8:
        sys.exit("somebody was further ahead than the bound")


main()
