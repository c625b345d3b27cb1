"""004: memory nodes, simulated: launches, and sums where the numbers are."""
import json
import pathlib

import plot
from item import Claim, Outcome

ROOT = pathlib.Path(__file__).resolve().parents[3]
# A link of EXTOLL reads 8 GB/s, its NIC takes 600 to 800 ns; the accelerators run at 180 MHz. How long a
# host needs to its NIC is not printed: this makes a GET of 8 bytes take the 2.5 us that are.
HOST_US = 0.263
PLATFORM = {"name": "EXTOLL", "topology": {"kind": "star", "hosts": 3},
            "links": {"latencyNs": 350, "bandwidthGbps": 64},
            "host": {"overheadUs": 0, "pcieLatencyUs": HOST_US}, "switch": {"portToPortNs": 0},
            "memory": {"nodes": 2, "megabytes": 32}}
CLOCK = 180
# Of a host that adds what it has fetched: what a core of that processor reads from memory. Assumed.
HOST_BYTES_PER_US = 10_000
PATHS = ("baseline", "1 node", "2 nodes", "2 nodes, fetched in turn")


def sums(context):
    """(us of a GET, us of a launch, rows)"""
    folder = context.simulator.folder
    overlay = folder / "near-overlay.json"
    described = json.loads((ROOT / "backend/overlay/descriptions/u280-full.json").read_text())
    overlay.write_text(json.dumps({**described, "clockMhz": CLOCK}))
    binary = folder / "near-sum.acis"
    context.run("acisc", ROOT / "examples/near-data/sum.c", "-I", ROOT, "--config", overlay, "-o", binary)
    program = context.simulator.program(ROOT / "utils/evaluate/programs/near.c", "-w", "-I", ROOT)
    counts = [8 << step for step in range(0, 19, 6 if context.quick else 1)]
    said = context.run("acis-simrun", "-n", 1, "--platform", context.simulator.platform(PLATFORM), "--config", overlay,
                       program, "memory0,memory1", binary, *counts).splitlines()
    get, launch = map(float, said[0].split())
    rows = []
    for line in said[1:]:
        count, fetched, *there = map(float, line.split())
        times = [fetched + 4 * count / HOST_BYTES_PER_US, *there]
        rows.append({"integers": int(count), **{path: round(time, 3) for path, time in zip(PATHS, times)}})
    return get, launch, rows


def launch(context):
    get, us, _ = sums(context)
    return Outcome([Claim("us of a GET of 8 bytes; of a launch", "2.5; 3.7", f"{get:.2f}; {us:.2f}",
                          "the GET is what the links were fitted to. The publication launches by a PUT and asks by "
                          "a GET for the end; here the node says when it is done, so a launch is a round trip and "
                          "its cycles")],
                   {"launch": [{"getUs": get, "launchUs": us}]})


def figure7(context):
    _, _, rows = sums(context)
    faster = [r["integers"] for r in rows if r["1 node"] < r["baseline"]]
    last = rows[-1]
    times = {path: last["baseline"] / last[path] for path in PATHS}
    small = rows[0]
    claims = [Claim("one node is faster than fetching", "above 256 integers",
                    f"from {min(faster)} of those tried" if faster else "never",
                    "to launch and to fetch the sum are a round trip each; the publication's host asks for both "
                    "at once"),
              Claim(f"{last['integers']} integers: one node, two nodes, of the baseline's time", "over 2, over 3.5 times",
                    f"{times['1 node']:.2f}, {times['2 nodes']:.2f} times",
                    f"the host adds {HOST_BYTES_PER_US / 1000:.0f} GB/s, assumed; an accelerator of 16 integers a cycle "
                    f"at {CLOCK} MHz passes 11.5 GB/s, the link 8"),
              Claim("two nodes, partial sums fetched in turn, of 8 integers", "slower than one node",
                    f'{small["2 nodes, fetched in turn"]:.2f} us, at the same time {small["2 nodes"]:.2f}, one node '
                    f'{small["1 node"]:.2f}', "at the same time is what the publication asks for")]
    series = {path: [(r["integers"], r[path]) for r in rows] for path in PATHS}
    return Outcome(claims, {"sums": rows}, {"sums": plot.lines([("sum of integers", series)], "integers", "us", columns=1)})
