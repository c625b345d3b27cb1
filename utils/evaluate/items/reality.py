"""The simulator beside this machine: four ranks and a switch in network namespaces, over links that are
slow enough for the machine not to matter, and the same links simulated."""
import json
import pathlib
import statistics
import sys

import plot
from item import Claim, Outcome, Skipped

MEASURE = pathlib.Path(__file__).resolve().parents[1] / "reality/measure.py"
sys.path.append(str(MEASURE.parent))
RANKS, RATE, DELAY = 4, 100e6, 1_000_000  # bits per second, ns
HEADERS = 42 + 64  # bytes of a datagram without elements: Ethernet, IPv4, UDP, and the switch's
DRAIN = 2e6  # us between simulated calls, for what a call has left on the links
SHORT = 16384  # one message
# Bytes of a rank's block.
SIZES = {"barrier": [0], "allreduce": [64, 1024, 16384, 131072, 1048576], "bcast": [64, 1024, 16384, 131072, 1048576],
         "reduce": [64, 1024, 16384, 131072, 1048576], "gather": [64, 1024, 16384, 131072],
         "allgather": [64, 1024, 16384, 131072], "scatter": [64, 1024, 16384, 131072, 262144]}
QUICK = {"barrier": [0], "allreduce": [64, 16384], "bcast": [1024]}


def measured(context):
    import measure
    if reason := measure.why_not():
        raise Skipped(reason)
    wanted = [f"{name}:{size}" for name, sizes in (QUICK if context.quick else SIZES).items() for size in sizes]
    return json.loads(context.run(context.python, MEASURE, "--programs", context.programs, "--ranks", RANKS,
                                  "--rate", RATE, "--delay", DELAY, "--calls", 3 if context.quick else 5, *wanted))


def overhead(found):
    """us of a call at each of its ends: what a rank alone takes beyond its links."""
    links = 2 * (found["delayNs"] / 1e3 + HEADERS * 8e6 / found["rate"])
    return round(max(0, (found["aloneUs"] - links) / 2), 1)


def platform(found):
    return {"name": "namespaces", "topology": {"kind": "star", "hosts": found["ranks"]},
            "links": {"latencyNs": found["delayNs"], "bandwidthGbps": found["rate"] / 1e9, "framingBytes": 42},
            "host": {"overheadUs": overhead(found), "pcieLatencyUs": 0},
            "switch": {"clockMHz": 1000, "phitBits": 512, "portToPortNs": 0}}


def simulated(context, found, run):
    """A future of the same calls, with the same ranks as late, on links that are silent before each."""
    name, size = run["call"].split(":")
    late = context.simulator.folder / f"late-{name}-{size}.txt"
    late.write_text("".join(" ".join(str(DRAIN + us) for us in call) + "\n" for call in run["lateUs"]))
    return context.simulator.switched(platform(found), name, found["ranks"], int(size), "--lateness", late,
                                      "--limit", "1000", calls=len(run["us"]))


def beside(context):
    found = measured(context)
    rows = []
    for run in found["runs"]:
        if not run["us"]:
            continue  # the machine was too busy
        name, size = run["call"].split(":")
        ours = simulated(context, found, run).result()["afterLastUs"]
        middle = statistics.median(run["us"])
        rows.append({"collective": name, "bytes": int(size), "calls": len(run["us"]), "leastUs": min(run["us"]),
                     "medianUs": middle, "mostUs": max(run["us"]), "simulatedUs": ours,
                     "errorPercent": round((ours / middle - 1) * 100, 1)})
        context.say(f"{name} of {size} bytes")
    return found, rows


def make(context):
    found, rows = beside(context)
    near = [r for r in rows if abs(r["errorPercent"]) <= 20]
    short = [r for r in rows if r["bytes"] <= SHORT]
    far = ", ".join(f'{r["collective"]} {r["bytes"]} B {r["errorPercent"]:+} %' for r in rows if r not in near)
    links = [{"what": f"round trip of a datagram of {size} bytes, us", "measured": time,
              "set": round(2 * (DELAY / 1e3 + (int(size) + 42) * 8e6 / RATE), 1)} for size, time in found["pingUs"].items()]
    links += [{"what": "a call of one rank alone, us", "measured": found["aloneUs"], "set": ""},
              {"what": "overhead of a call at each end, us", "measured": overhead(found), "set": ""}]
    claims = [Claim(f"simulated within 20 % of measured: {RANKS} ranks, a switch, links of {RATE / 1e6:g} Mb/s and "
                    f"{DELAY / 1e6:g} ms", "-", f"{len(near)} of {len(rows)}" + (f"; else: {far}" if far else "")),
              Claim("largest error up to 16 KB", "-", f'{max(abs(r["errorPercent"]) for r in short)} %')]
    names = list(dict.fromkeys(r["collective"] for r in rows if r["bytes"]))
    panels = [(name, {what: [(r["bytes"], r[field]) for r in rows if r["collective"] == name]
                      for what, field in (("measured", "medianUs"), ("simulated", "simulatedUs"))}) for name in names]
    return Outcome(claims, {"times": rows, "links": links}, {"times": plot.lines(panels, "bytes", "us")})
