"""Dissertation chapter 5: fused collectives of table 5.1 on 128 nodes."""
import plot
from item import Claim, Outcome
from items.models import OVERHEAD, TYPE3, ask, error
from platforms import fpga, stampede2, torus

# Name, collectives of the hosts with bytes of a rank's part, the one whose traffic the fused call has,
# elements that the op passes in the switch, its initiation interval, inbound bytes, on hosts the op's
# floating point operations.
BENCHMARKS = [
    ("Allgather_op", [("allgather", 128 * 8)], ("allgather", 128 * 8), 128 * 128, 1, 128 * 8, 2 * 128 * 128),
    ("Allreduce_op", [("allreduce", 512 * 8)], ("allreduce", 512 * 8), 512, 1, 0, 512),
    ("Allreduce_op_allreduce", [("allreduce", 8), ("allreduce", 8)], ("allreduce", 8), 16384, 1, 16384 * 8,
     4 * 16384),
    ("Scatter_op_reduce", [("scatter", 512 * 8), ("reduce", 8)], ("scatter", 512 * 8), 512, 1, 0, 512),
]
LANES = 8  # doubles of a 512-bit beat, section 4.3
FLOPS = 2.0e9  # of a core of a Xeon 8160 on such short loops: one operation a cycle
PCIE = 15750  # bytes per us, PCIe 3.0 x16


def rows(context):
    out = []
    nodes = context.nodes[-1]
    parameters = context.calibration["parameters"]
    isSlowest = context.calibration["statistic"] == "slowest"
    for name, hosts, traffic, elements, interval, inbound, work in BENCHMARKS:
        wanted = [(c, size, context.calibration["algorithms"][c][size > 4096]) for c, size in dict.fromkeys(hosts)]
        found = context.simulator.plain(stampede2(nodes, parameters), nodes, wanted)
        plain = sum(found[next(w for w in wanted if w[:2] == one)].result()[isSlowest] for one in hosts)
        plain += work / FLOPS * 1e6
        platform = fpga(torus(nodes), host={"overheadUs": OVERHEAD}, switch=TYPE3)
        compute = elements / LANES * interval * 4e-3 + inbound / PCIE
        fused = context.simulator.switched(platform, traffic[0], nodes, traffic[1]).result()
        gather = traffic[0] in ("allgather", "scatter")
        model = ask(context, "logcn", "--ranks", nodes, "--bytes", traffic[1] * (nodes if gather else 1),
                    "--interval", interval, "--inbound-bytes", inbound, *(["--gather"] if gather else []))[0]
        out.append({"benchmark": name, "nodes": nodes, "hostsUs": round(plain, 1),
                    "fusedUs": round(fused["mostUs"] + compute, 1),
                    "withoutOverheadUs": round(fused["mostUs"] - 2 * OVERHEAD + compute, 1),
                    "logcnUs": round(model["fused_us"], 1),
                    "logcnErrorPercent": error(model["fused_us"], fused["mostUs"] + compute),
                    "fusedDatagrams": fused["datagrams"], "fusedBytes": fused["linkBytes"]})
    return out


def table51(context):
    found = rows(context)
    panel = [("128 nodes" if not context.quick else "32 nodes",
              [(r["benchmark"], {"hosts": r["hostsUs"], "fused, o = 14.8 us": r["fusedUs"], "LoGcN": r["logcnUs"],
                                 "fused, o = 0": r["withoutOverheadUs"]}) for r in found])]
    wins = [r["benchmark"] for r in found if r["fusedUs"] < r["hostsUs"]]
    without = [r["benchmark"] for r in found if r["withoutOverheadUs"] < r["hostsUs"]]
    claims = [Claim("fused faster than hosts, four benchmarks", "4 of 4",
                    f"{len(wins)} of 4; without MPI's overhead on the hosts {len(without)} of 4",
                    "29.6 us of MPI overhead are in each fused call; table 3.4 has a whole Allreduce of 1 KB in 33 "
                    "to 86 us"),
              Claim("LoGcN off the simulation", "\"effective\" (figure 5-4)",
                    f'{min(r["logcnErrorPercent"] for r in found)} to {max(r["logcnErrorPercent"] for r in found)} %',
                    "the model takes N switches of a tree along the axes and streams through them")]
    return Outcome(claims, {"benchmarks": found}, {"latency": plot.bars(panel, "us", columns=1)})


def figure53(context):
    """Benefits of two fused calls: messages and bytes that hosts give and get, times that they are woken."""
    import math
    nodes, steps = 128, math.ceil(math.log2(128))
    buckets = 1029 * 4
    out = [
        {"call": "IS: Allreduce_op_alltoall", "quantity": "messages of a host", "hosts": 2 * steps + nodes - 1,
         "fused": 2},
        {"call": "IS: Allreduce_op_alltoall", "quantity": "bytes given by a host",
         "hosts": steps * buckets + (nodes - 1) * 4, "fused": buckets},
        {"call": "IS: Allreduce_op_alltoall", "quantity": "hosts' steps one after the other",
         "hosts": steps + nodes - 1, "fused": 1},
        {"call": "SpMV", "quantity": "messages of a host", "hosts": 2 * 6, "fused": 2},
        {"call": "SpMV", "quantity": "hosts' steps one after the other", "hosts": 2, "fused": 1}]
    panels = [(r["quantity"] + ", " + r["call"].split(":")[0], [("", {"hosts": r["hosts"], "fused": r["fused"]})])
              for r in out]
    return Outcome([Claim("messages of a host for IS's fused call on 128 nodes", "a bar without a number",
                          f'{out[0]["hosts"]} become {out[0]["fused"]}',
                          "counted from the algorithms (recursive doubling, pairwise exchange; six neighbours of a "
                          "row partition)")],
                   {"benefits": out}, {"benefits": plot.bars(panels, "count", columns=3, log=True)})
