#!/usr/bin/env python3
"""Prints what the demo did: the compiler's report and the model's counters.

usage: demo-summary.py REPORT.json STATS.json
"""
import json
import sys


def load(path):
    with open(path) as file:
        return json.load(file)


def main():
    report, stats = load(sys.argv[1]), load(sys.argv[2])
    print("  loop                line  initial DFG  optimised  mapped as")
    for loop in report["loops"]:
        initial, optimised = (f"{loop[k]['nodes']}/{loop[k]['edges']}" for k in ("initial", "optimised"))
        how = f"II {loop['ii']} on the grid" if "ii" in loop else loop["kind"].replace("-", " ")
        print(f"  {loop['handler']}.{loop['nest']:<10} {loop['line']:>4}  {initial:>11}  {optimised:>9}  {how}")
    microseconds = stats["cycles"] / stats["clockMhz"]
    print(f"  binary: {report['binaryBytes']} bytes, compiled in "
          f"{sum(p['milliseconds'] for p in report['phases']):.1f} ms (a development build; see scripts/bench)")
    print(f"  switch: {stats['beatsIn']} beats in, {stats['beatsOut']} beats out in {stats['cycles']} cycles, "
          f"{microseconds:.1f} us at {stats['clockMhz']:.0f} MHz; output at {stats['gbpsOut']:.1f} Gb/s")
    print("  stalls: " + ", ".join(f"{k} {v}" for k, v in stats["stalls"].items() if v))


if __name__ == "__main__":
    main()
