"""Dissertation section 3.6.3: what faster collectives are worth to applications."""
import plot
from item import Claim, Outcome
from items.collectives import algorithmOf, ofSwitches
from platforms import stampede2, torus

# Program: its collectives (kind, bytes of the message, calls in a run), from the sources of NPB 3.4 (CG class
# A, IS and MG class C, SP class A), and from section 3.6.3 for miniFE and HPCCG.
PROGRAMS = {
    "CG": [("reduce", 8, 1), ("reduce", 8, 1)],
    "IS": [("allreduce", 1029 * 4 // 8 * 8, 11)],
    "MG": [("allreduce", 8, 21), ("allreduce", 8, 21), ("allreduce", 8, 10), ("allreduce", 8, 10),
           ("allreduce", 24, 20), ("allreduce", 8, 1)],
    "SP": [("allreduce", 40, 2), ("allreduce", 40, 2)],
    "miniFE": [("allreduce", 8, 400)],
    "HPCCG": [("allreduce", 8, 298)],
}
# Table 3.5: ms on Stampede2 and improvement in %, on 64 and 128 nodes.
TABLE35 = {"CG": ((40.3, 1.45), (69.9, 2.06)), "IS": ((151.7, 0.89), (88.3, 2.96)),
           "MG": ((536.7, 0.80), (303.3, 2.92)), "SP": ((708.3, 0.08), (626.7, 0.18)),
           "miniFE": ((32886.9, 0.06), (71052.9, 0.02)), "HPCCG": ((24890.9, 0.13), (58268.6, 0.04))}

# us that whole calls of 1 KB take at most on 64 and 128 nodes: table 3.4.
WHOLE = {"reduce": (57, 72), "allreduce": (74.1, 86.1)}


def savings(name, rows):
    """What the paper's improvement says of a call, beside ours."""
    count = sum(calls for _, _, calls in PROGRAMS[name])
    paper, ours = ([r[field] / count * 1e3 for r in rows] for field in ("paperSavedMs", "savedMs"))
    each = lambda values: " and ".join(f"{us:.0f}" for us in values)
    kind = PROGRAMS[name][0][0]
    text = f"the sources have {count} calls: the paper saves {each(paper)} us with each, here {each(ours)}"
    if any(us > most for us, most in zip(paper, WHOLE[kind])):
        text += (f"; a whole {kind.capitalize()} of 1 KB takes at most {each(WHOLE[kind])} us in table 3.4, so what is saved "
                 "is mostly the wait for the last rank, which the measured time has")
    return text


def instances(context):
    rows = []
    for nodes in [32] if context.quick else [64, 128]:
        asked = {(kind, size) for calls in PROGRAMS.values() for kind, size, _ in calls}
        wanted = [(kind, size, algorithmOf(context, kind, size)) for kind, size in sorted(asked)]
        plain = context.simulator.plain(stampede2(nodes, context.calibration["parameters"]), nodes, wanted)
        ours = {(kind, size): ofSwitches(context, torus(nodes), kind, nodes, size) for kind, size, _ in wanted}
        isSlowest = context.calibration["statistic"] == "slowest"
        times = {(kind, size): (plain[kind, size, a].result()[isSlowest], ours[kind, size].result()["mostUs"])
                 for kind, size, a in wanted}
        for name, calls in PROGRAMS.items():
            for number, (kind, size, count) in enumerate(calls):
                mpi, switch = times[kind, size]
                rows.append({"program": name, "nodes": nodes, "instance": number + 1, "collective": kind,
                             "bytes": size, "calls": count, "mpiUs": mpi, "switchUs": switch,
                             "speedup": round(mpi / switch, 2)})
    return rows


def figure312(context):
    rows = instances(context)
    panels = [(f"{nodes} nodes", [(f"{name}", {f"instance {r['instance']}": r["speedup"] for r in rows
                                               if (r["program"], r["nodes"]) == (name, nodes)})
                                  for name in PROGRAMS]) for nodes in dict.fromkeys(r["nodes"] for r in rows)]
    return Outcome([Claim("speed-up of an instance, least to largest", "bars without numbers",
                          f'{min(r["speedup"] for r in rows)} to {max(r["speedup"] for r in rows)}',
                          "without the skew of ranks, which is in the measured times")],
                   {"instances": rows}, {"instances": plot.bars(panels, "times faster", line=1)})


def table35(context):
    rows, found = instances(context), []
    for name, both in TABLE35.items():
        for nodes, (ms, improvement) in zip((64, 128), both):
            saved = sum(r["calls"] * (r["mpiUs"] - r["switchUs"]) for r in rows
                        if (r["program"], r["nodes"]) == (name, nodes)) / 1e3
            if not context.quick:
                found.append({"program": name, "nodes": nodes, "paperMs": ms, "paperPercent": improvement,
                              "paperSavedMs": round(ms * improvement / 100, 2), "savedMs": round(saved, 2),
                              "percent": round(saved / ms * 100, 2)})
    of = lambda name: [r for r in found if r["program"] == name]
    claims = [Claim(f'{name}: improvement on 64, 128 nodes', f"{both[0][1]}, {both[1][1]} %",
                    ", ".join(str(r["percent"]) for r in of(name)) + " %", savings(name, of(name)))
              for name, both in TABLE35.items()] if found else [Claim("improvement", "0.02 to 2.96 %", "not in --quick")]
    return Outcome(claims, {"applications": found or rows})
