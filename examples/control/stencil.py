#!/usr/bin/env python3
"""A stencil whose ranks analyse their field in situ while they wait for others: what they do with the
time, without extra work, until a deadline of the switch, and until the last one has arrived.

usage: stencil.py PROGRAM [--ranks N] [--steps N] [--svg FILE]

PROGRAM is stencil.c beside this file, built by mpicc. It runs under acis-mpirun (in PATH) in each of
its modes; the heat that is left has to be the same in all.
"""
import argparse
import re

import steered

MODES = [("none", "no extra work"), ("deadline", "until a deadline"), ("last", "until the last arrives")]


def run(options, mode):
    """The heat as it is printed, shares of the time of work and of extra work, and the time in seconds."""
    process = steered.start(["acis-mpirun", "-n", str(options.ranks), options.program, str(options.steps), mode])
    text = process.communicate()[0]
    if process.returncode:
        steered.fail(f"{options.program} {options.steps} {mode} ended with {process.returncode}")
    heat, work = re.search(r"^heat (\S+)", text, re.M), re.search(r"^work ([\d.]+) %", text, re.M)
    extra, took = re.search(r"extra work ([\d.]+) %", text), re.search(r" in ([\d.]+) s$", text, re.M)
    if not (heat and work and took) or (mode != "none" and not extra):
        steered.fail(f"{options.program} {options.steps} {mode} printed\n{text}; is it built from stencil.c, and "
                     "is there a switch?")
    return heat[1], float(work[1]), float(extra[1]) if extra else 0.0, float(took[1])


def draw(results, path):
    plot = steered.Plot("", "of the time of all ranks, %", 3, 100)
    for i in range(5):
        plot.up(25 * i, f"{25 * i}")
    colours = dict(zip(("idle", "work", "extra work"), ("#dddddd", *steered.COLOURS[1:3])))
    for at, ((_, name), (_, work, extra, took)) in enumerate(zip(MODES, results)):
        plot.bar(at + 0.2, 0.6, 0, work, colours["work"])
        plot.bar(at + 0.2, 0.6, work, work + extra, colours["extra work"])
        plot.bar(at + 0.2, 0.6, work + extra, 100, colours["idle"])
        plot.across(at + 0.5, f"{name}: {took:.2f} s")
        plot.text(plot.x(at + 0.5), plot.y(work / 2), f"work {work:.0f}", "middle")
        if extra > 5:
            plot.text(plot.x(at + 0.5), plot.y(work + extra / 2), f"extra {extra:.0f}", "middle")
        if work + extra < 95:
            plot.text(plot.x(at + 0.5), plot.y((100 + work + extra) / 2), f"idle {100 - work - extra:.0f}", "middle")
    plot.write(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--ranks", type=int, default=3)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--svg")
    options = parser.parse_args()
    if options.ranks < 1 or options.steps < 1:
        parser.error("--ranks and --steps: at least 1")
    results = [run(options, mode) for mode, _ in MODES]
    print(f"{'':24} {'seconds':>8} {'work':>7} {'extra':>7} {'idle':>7}")
    for (_, name), (_, work, extra, took) in zip(MODES, results):
        print(f"{name:24} {took:8.2f} {work:5.1f} % {extra:5.1f} % {100 - work - extra:5.1f} %")
    if len({heat for heat, *_ in results}) != 1:
        steered.fail(f"the heat differs: {', '.join(heat for heat, *_ in results)}")
    print(f"heat {results[0][0]} in all")
    if options.svg:
        draw(results, options.svg)


main()
