"""Compares two traces of acis-run: what both engines with a clock record, in the same cycles.

usage: traces.py MODEL RTL"""
import collections
import json
import sys


def events(path):
    """Loops and vector loads and stores are left out: engine rtl does not see their ends."""
    found = collections.Counter()
    for event in json.load(open(path))["traceEvents"]:
        if event.get("ph") in ("X", "i") and "cycle" in event.get("args", {}):
            args = event["args"]
            found[event["name"], args["cycle"], args.get("endCycle"), args.get("pc")] += 1
    return found


model, rtl = events(sys.argv[1]), events(sys.argv[2])
for event in sorted((model - rtl).keys() | (rtl - model).keys(), key=str)[:10]:
    print("different:", event, "model", model[event], "rtl", rtl[event])
if model == rtl:
    print(f"equal: {sum(model.values())} events")
