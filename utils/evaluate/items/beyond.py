"""What the publications leave open: more hosts, worse conditions, other machines."""
import itertools
import math
import random

import plot
from item import Claim, Outcome
from items.collectives import algorithmOf, ofSwitches
from platforms import fpga, leaves, stampede2, torus


def mpi(context, nodes, size):
    """Plain MPI's Allreduce on Stampede2's hosts, as far as SMPI goes in reasonable time."""
    algorithm = algorithmOf(context, "allreduce", size)
    found = context.simulator.plain(stampede2(nodes, context.calibration["parameters"]), nodes,
                                    [("allreduce", size, algorithm)])
    return found["allreduce", size, algorithm]


def sharp(nodes, size, radix=36):
    """A model of a fixed-function switch with host channel adapters: messages of at most 256 bytes, some
    hundred at a time, a tree of `radix`-port switches; from R. Graham and others, "Scalable Hierarchical
    Aggregation Protocol" (2016), which has 2.8 us for 8 bytes and 128 hosts."""
    levels = max(1, math.ceil(math.log(nodes, radix)))
    latency = 0.9 * 2 + levels * 2 * 0.25
    parts = math.ceil(size / 256)
    return latency + (parts - 1) * 256 * 8 / 100e3 * 2.5


def hosts(nodes, size, parameters):
    """LogGP of recursive doubling or halving and doubling, whichever is faster: beyond what is simulated."""
    a, b = 2 * parameters["messageUs"] + 2 * parameters["hostLatencyUs"] + 0.7, 8e-3 / parameters["bandwidthGbps"]
    steps = math.ceil(math.log2(nodes))
    return min(steps * (a + size * b), 2 * steps * a + 2 * size * b)


def scale(context):
    rows = []
    counts = [256] if context.quick else [256, 1024, 4096]
    for nodes, size in itertools.product(counts, (8, 16384)):
        tree = context.simulator.switched(fpga({"kind": "spine-leaf", "hosts": nodes, "radix": 128, "overSubscription": 1}),
                                          "allreduce", nodes, size)
        row = {"nodes": nodes, "bytes": size, "treeUs": tree.result()["mostUs"], "torusUs": "",
               "sharpUs": round(sharp(nodes, size), 2),
               "hostsUs": round(hosts(nodes, size, context.calibration["parameters"]), 2)}
        if nodes <= 1024:  # a torus of more takes minutes to lay out
            row["torusUs"] = ofSwitches(context, torus(nodes), "allreduce", nodes, size).result()["mostUs"]
        if nodes <= 256:
            row["mpiUs"] = mpi(context, nodes, size).result()[1]
        rows.append({"mpiUs": "", **row})
        context.say(f"{nodes} hosts, {size} bytes")
    panels = [(f"Allreduce of {size} bytes", {name: [(r["nodes"], r[field]) for r in rows if r["bytes"] == size and r[field]]
                                              for name, field in (("ACiS, spine and leaf", "treeUs"),
                                                                  ("ACiS, torus", "torusUs"),
                                                                  ("SHARP-like (model)", "sharpUs"),
                                                                  ("hosts (LogGP)", "hostsUs"))}) for size in (8, 16384)]
    last = [r for r in rows if r["nodes"] == counts[-1]]
    claims = [Claim(f"Allreduce of {r['bytes']} bytes on {r['nodes']} hosts: spine and leaf, torus, hosts (LogGP)", "-",
                    f'{r["treeUs"]}, {r["torusUs"] or "not simulated"}, {r["hostsUs"]} us') for r in last]
    return Outcome(claims, {"scale": rows}, {"scale": plot.lines(panels, "hosts", "us", columns=2)})


def limits(context):
    nodes, rows = context.nodes[-1], []
    base = leaves(nodes, 16)
    sizes = (64, 16384) if context.quick else (64, 4096, 65536)

    def add(what, value, size, topology, *more, **changes):
        rows.append((what, value, size, context.simulator.switched(fpga(topology, **changes), "allreduce", nodes, size,
                                                                   *more)))

    for size in sizes:
        for clock in (50, 100, 250, 1000):
            add("clock, MHz", clock, size, base, switch={"clockMHz": clock})
        for held in (1, 100, 1000, 3000):
            add("a packet holds the switch, ns", held, size, base, switch={"packetNs": held})
        for loss in (1e-5, 1e-4, 1e-3, 1e-2):
            add("loss", loss, size, base, "--faults", f"loss={loss}", "--limit", "1000")
        for over in (1, 3, 7, 15):
            add("over-subscription", over, size, leaves(nodes, 16, over))
    table, parameters = [], context.calibration["parameters"]
    for what, value, size, future in rows:
        ours, theirs = future.result()["mostUs"], mpi(context, nodes, size).result()[1]
        table.append({"condition": what, "value": value, "bytes": size, "us": ours, "mpiUs": theirs,
                      "speedup": round(theirs / ours, 2)})
    panels = [(what, {f"{size} bytes": [(r["value"], r["speedup"]) for r in table
                                        if (r["condition"], r["bytes"]) == (what, size)] for size in sizes})
              for what in dict.fromkeys(r["condition"] for r in table)]
    claims = [Claim(f"{r['condition']} {r['value']}: speed-up of Allreduce, {r['bytes']} bytes, {nodes} hosts", "-",
                    str(r["speedup"])) for r in table if r["bytes"] == sizes[0] and
              r["value"] in (50, 3000, 1e-2, 15)]
    return Outcome(claims, {"limits": table}, {"limits": plot.lines(panels, "", "times faster than MPI", columns=2,
                                                                    logy=False)})


def map(context):
    """Speed-up of Allreduce over MPI on hosts, by message and overhead, and by message and the switch's
    speed: above 1 the switch pays."""
    nodes = context.nodes[-1]
    sizes = [8, 1024, 16384] if context.quick else [8, 64, 1024, 8192, 65536, 524288]
    overheads, held = [0, 1, 3, 7.4, 14.8], [0, 50, 200, 1000, 4000]
    base = leaves(nodes, 16)
    theirs = {size: mpi(context, nodes, size) for size in sizes}
    byHost = {(size, o): context.simulator.switched(fpga(base, host={"overheadUs": o}), "allreduce", nodes, size)
              for size in sizes for o in overheads}
    bySwitch = {(size, h): context.simulator.switched(fpga(base, switch={"packetNs": h}), "allreduce", nodes, size)
                for size in sizes for h in held}
    names = [plot.number(size) for size in sizes]
    value = lambda found, size: theirs[size].result()[1] / found.result()["mostUs"]
    first = {(plot.number(s), str(o)): value(f, s) for (s, o), f in byHost.items()}
    second = {(plot.number(s), str(h)): value(f, s) for (s, h), f in bySwitch.items()}
    rows = [{"bytes": s, "overheadUs": o, "packetNs": 0, "speedup": round(value(f, s), 2)} for (s, o), f in byHost.items()]
    rows += [{"bytes": s, "overheadUs": 0, "packetNs": h, "speedup": round(value(f, s), 2)} for (s, h), f in bySwitch.items()]
    picture = plot.heat([("overhead of a call on a host, us", names, [str(o) for o in overheads], first),
                         ("ns for which a packet holds the switch", names, [str(h) for h in held], second)],
                        "bytes of an Allreduce", "")
    pays = sum(row["speedup"] > 1 for row in rows)
    return Outcome([Claim(f"in-switch Allreduce on {nodes} hosts is faster than MPI", "-",
                          f"at {pays} of {len(rows)} points of the map")], {"map": rows}, {"map": picture})


def skew(context):
    """Ranks that come late by an exponential distribution: what is left of the gain."""
    nodes, rows = context.nodes[-1], []
    chance = random.Random(7)
    for mean in (0, 1, 10, 100):
        path = context.simulator.folder / f"late-{nodes}-{mean}.txt"
        path.write_text("\n".join(" ".join(f"{chance.expovariate(1 / mean) if mean else 0:.3f}" for _ in range(nodes))
                                  for _ in range(4)) + "\n")
        row = context.simulator.switched(fpga(torus(nodes)), "allreduce", nodes, 1024, "--lateness", str(path),
                                         calls=4).result()
        plain = mpi(context, nodes, 1024).result()[1]
        rows.append({"meanLatenessUs": mean, "callUs": row["mostUs"], "meanOfRanksUs": row["meanUs"],
                     "afterLastUs": row["afterLastUs"], "mpiWithoutSkewUs": plain,
                     "gain": round((plain + row["mostUs"] - row["afterLastUs"]) / row["mostUs"], 2)})
    panel = [(f"Allreduce of 1 KB, {nodes} hosts", {
        "slowest rank": [(max(r["meanLatenessUs"], 0.1), r["callUs"]) for r in rows],
        "after the last has come": [(max(r["meanLatenessUs"], 0.1), r["afterLastUs"]) for r in rows]})]
    claims = [Claim(f"ranks late by {r['meanLatenessUs']} us in the mean: call, of which after the last has come", "-",
                    f"{r['callUs']} us, {r['afterLastUs']} us") for r in rows]
    return Outcome(claims, {"skew": rows}, {"skew": plot.lines(panel, "mean lateness, us", "us", columns=1)})
