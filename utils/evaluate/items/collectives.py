"""Dissertation chapter 3: collectives of plain MPI on Stampede2 beside those of FPGA switches."""
import plot
from item import Claim, Outcome, geomean
from platforms import COLLECTIVES, SHORT, fpga, leaves, stampede2, torus

SIZES = [8, 128, 1024, 4096, 32768, 262144, 1048576]
QUICK = [64, 4096, 65536]
OVERHEAD = 14.8  # of table 5.2, at the begin and at the end of a call
# Bytes of results that a simulated network of switches carries at most: what is longer is left out,
# as a run takes 3 us of processor time for each datagram. Times there grow with the size alone.
MOST = {"allgather": lambda nodes: 2**29 // nodes**2, "gather": lambda nodes: 2**23 // nodes,
        "scatter": lambda nodes: 2**23 // nodes}


def sizes(context):
    return QUICK if context.quick else SIZES


def longest(collective, nodes):
    return MOST[collective](nodes) if collective in MOST else 2**40


def ofSwitches(context, topology, collective, nodes, size):
    """A future. OSU counts all blocks of a Reduce_scatter, acis-sim one."""
    if collective == "reduce_scatter":
        block = max(8, size // nodes // 8 * 8)
        return context.simulator.switched(fpga(topology), "reduce_scatter_block", nodes, block)
    return context.simulator.switched(fpga(topology), collective, nodes, size)


def sweep(context):
    """Rows of figures 3-7 and 3-8: {collective, nodes, bytes, plainUs, switchUs}."""
    found, plain, switched = [], {}, {}
    for nodes in context.nodes:
        wanted = [(name, size, algorithmOf(context, name, size)) for name in COLLECTIVES for size in sizes(context)]
        for key, future in context.simulator.plain(stampede2(nodes, context.calibration["parameters"]), nodes,
                                                   wanted).items():
            plain[nodes, key[0], key[1]] = future
        for name, size, _ in wanted:
            if size <= longest(name, nodes):
                switched[nodes, name, size] = ofSwitches(context, torus(nodes), name, nodes, size)
    for (nodes, name, size), future in plain.items():
        times = future.result()
        ours = switched[nodes, name, size].result()["mostUs"] if (nodes, name, size) in switched else None
        found.append({"collective": name, "nodes": nodes, "bytes": size,
                      "plainUs": times[context.calibration["statistic"] == "slowest"], "switchUs": ours})
        context.say(f"{name} of {size} bytes on {nodes} nodes")
    return found


def algorithmOf(context, collective, size):
    return context.calibration["algorithms"][collective][size > SHORT]


def latency(context, names):
    rows = [row for row in sweep(context) if row["collective"] in names]
    panels = []
    for name in names:
        curves = {}
        for nodes in context.nodes:
            here = [row for row in rows if row["collective"] == name and row["nodes"] == nodes]
            curves[f"MPI, {nodes} nodes"] = [(row["bytes"], row["plainUs"]) for row in here]
            curves[f"switches, {nodes} nodes"] = [(row["bytes"], row["switchUs"]) for row in here if row["switchUs"]]
        panels.append((name, curves))
    dashed = [f"MPI, {nodes} nodes" for nodes in context.nodes]
    faster = [row for row in rows if row["switchUs"]]
    wins = sum(row["switchUs"] < row["plainUs"] for row in faster)
    claim = Claim("switches are faster than MPI", "at each size and node count",
                  f"at {wins} of {len(faster)}",
                  "" if wins == len(faster) else "a port folds 64 Gb/s (a phit of 256 bits at 250 MHz), less than a "
                  "link's 95.9: long messages that every host gets whole are bound by it; section 3.4 says two "
                  "phits a cycle for the DMA only")
    return Outcome([claim], {"latency": rows},
                   {"latency": plot.lines(panels, "bytes", "us", columns=2, dashed=dashed)})


def figure37(context):
    return latency(context, ["allgather", "allreduce", "bcast", "gather"])


def figure38(context):
    return latency(context, ["reduce", "reduce_scatter", "scatter"])


def speedups(context):
    rows = []
    for name in COLLECTIVES:
        for nodes in context.nodes:
            for isLong in (False, True):
                here = [row for row in sweep(context) if row["collective"] == name and row["nodes"] == nodes
                        and (row["bytes"] > SHORT) == isLong and row["switchUs"]]
                if here:
                    rows.append({"collective": name, "nodes": nodes, "messages": "long" if isLong else "short",
                                 "sizes": len(here),
                                 "speedup": round(geomean(r["plainUs"] / r["switchUs"] for r in here), 2),
                                 "withOverhead": round(geomean(r["plainUs"] / (r["switchUs"] + 2 * OVERHEAD)
                                                               for r in here), 2)})
    return rows


def figure39(context):
    rows = speedups(context)
    panels = [(f"{kind} messages", [(name, {f"{row['nodes']} nodes": row["speedup"] for row in rows
                                            if row["collective"] == name and row["messages"] == kind})
                                    for name in COLLECTIVES]) for kind in ("short", "long")]
    panels = [(title, [group for group in groups if group[1]]) for title, groups in panels]
    least, most = min(row["speedup"] for row in rows), max(row["speedup"] for row in rows)
    best = max(rows, key=lambda row: row["speedup"])
    short = {r["collective"]: r["speedup"] for r in rows if r["messages"] == "short" and r["nodes"] == context.nodes[-1]}
    long = {r["collective"]: r["speedup"] for r in rows if r["messages"] == "long" and r["nodes"] == context.nodes[-1]}
    larger = [name for name in COLLECTIVES if name in long and long[name] > short[name]]
    claims = [Claim("geometric means of speed-ups, least to largest", "2.0 to 32.6", f"{least} to {most}",
                    "MPI's side is within the ranges of table 3.4 but where its item says otherwise; below 1 are long "
                    "messages of which one host gets or gives all, where MPI has 97 Gb/s already and a port of a "
                    "switch takes in 64. The paper does not print its bars, and its simulator is not published"),
              Claim("the same with MPI's overhead of table 5.2 (14.8 us at both ends) on the side of switches",
                    "not printed", f'{min(r["withOverhead"] for r in rows)} to {max(r["withOverhead"] for r in rows)}',
                    "chapter 3 counts PCIe alone; with what chapter 5 counts, short messages gain little"),
              Claim("largest for", "Allreduce", best["collective"], "" if best["collective"] == "allreduce" else
                    "the reductions whose MPI algorithm table 3.4 implies move the whole message up the tree"),
              Claim("long messages gain more than short ones, but for", "Allgather",
                    ", ".join(name for name in COLLECTIVES if name in long and name not in larger) or "none",
                    "what goes to or from one host is bound by that host's link on both sides")]
    return Outcome(claims, {"speedups": rows}, {"speedups": plot.bars(panels, "times faster", log=True, line=1)})


def table34(context):
    rows = context.calibration["rows"]
    held = context.calibration["heldOut"]
    missed = [f'{r["collective"]} {r["bytes"]} B on {r["nodes"]}' for r in rows if not r["met"]]
    claims = [Claim("ranges of MPI's latency that plain MPI, simulated, meets", "42",
                    f'{context.calibration["met"]} of {context.calibration["of"]}',
                    "missed: " + ", ".join(missed) if missed else ""),
              Claim("ranges on 128 nodes that a calibration on 32 and 64 predicts", "14",
                    f'{held["predictedMet"]} of {held["predictedOf"]}',
                    "missed: " + ", ".join(f'{r["collective"]} {r["bytes"]} B' for r in held["rows"]
                                           if not r["used"] and not r["met"]))]
    return Outcome(claims, {"ranges": rows})


NETWORKS = {"direct": torus, "indirect-8": lambda n: leaves(n, 8), "indirect-16": lambda n: leaves(n, 16),
            "indirect-28": lambda n: leaves(n, 28)}


def indirect(context):
    asked = {}
    for nodes in context.nodes:
        for name in ("allgather", "allreduce"):
            for size in [s for s in sizes(context) if s <= SHORT]:
                for network, topology in NETWORKS.items():
                    asked[nodes, name, size, network] = ofSwitches(context, topology(nodes), name, nodes, size)
    return [{"collective": name, "nodes": nodes, "bytes": size, "network": network, "us": future.result()["mostUs"]}
            for (nodes, name, size, network), future in asked.items()]


def figure310(context):
    rows = indirect(context)
    panels = [(f"{name}, {nodes} nodes",
               {network: [(r["bytes"], r["us"]) for r in rows
                          if (r["collective"], r["nodes"], r["network"]) == (name, nodes, network)]
                for network in NETWORKS})
              for name in ("allgather", "allreduce") for nodes in context.nodes]
    return Outcome([], {"latency": rows}, {"latency": plot.lines(panels, "bytes", "us", columns=3)})


def figure311(context):
    rows, found = indirect(context), []
    time = {(r["nodes"], r["collective"], r["bytes"], r["network"]): r["us"] for r in rows}
    for nodes in context.nodes:
        for name in ("allgather", "allreduce"):
            for network in list(NETWORKS)[1:]:
                found.append({"collective": name, "nodes": nodes, "network": network, "speedup": round(geomean(
                    time[nodes, name, r["bytes"], "direct"] / r["us"] for r in rows
                    if (r["nodes"], r["collective"], r["network"]) == (nodes, name, network)), 2)})
    panels = [(name, [(f"{nodes} nodes", {r["network"]: r["speedup"] for r in found
                                          if (r["collective"], r["nodes"]) == (name, nodes)})
                      for nodes in context.nodes]) for name in ("allgather", "allreduce")]
    claim = Claim("indirect over direct networks, short messages, geometric means", "1.2 to 1.9",
                  f'{min(r["speedup"] for r in found)} to {max(r["speedup"] for r in found)}',
                  "a torus has a switch at each host here, and a message climbs a tree of the three dimensions; "
                  "links and hosts are the same in all networks")
    return Outcome([claim], {"speedups": found}, {"speedups": plot.bars(panels, "times faster than direct", line=1)})
