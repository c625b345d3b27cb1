"""003: collectives in engines beside the hosts of small Ethernet clusters."""
import plot
from item import Claim, Outcome

ALGORITHMS = {"Allreduce": "rdb"}
# Eight hosts with 1 Gb/s Ethernet (ZedBoard, 667 MHz Arm) and with 10 Gb/s (NetFPGA and Xeon): what a message costs
# a host through the kernel's UDP is not printed; these are typical of both.
CLUSTERS = {"ZedBoard": {"gbps": 1, "messageUs": 35, "bytes": (8, 128), "bus": 32, "clock": 100},
            "NetFPGA": {"gbps": 10, "messageUs": 9, "bytes": (32, 256), "bus": 256, "clock": 200}}


def platform(cluster, hosts, overhead):
    at = CLUSTERS[cluster]
    return {"name": cluster, "topology": {"kind": "star", "hosts": hosts},
            "links": {"latencyNs": 500, "bandwidthGbps": at["gbps"]},
            "host": {"overheadUs": overhead, "pcieLatencyUs": 0},
            "switch": {"clockMHz": at["clock"], "phitBits": at["bus"], "portToPortNs": 125},
            "message": {"sendUs": at["messageUs"], "receiveUs": at["messageUs"]}}


def allreduce(context, cluster):
    rows = []
    for ranks in (2, 4, 8):
        for size in CLUSTERS[cluster]["bytes"]:
            here = platform(cluster, ranks, CLUSTERS[cluster]["messageUs"])
            hosts = context.simulator.plain(here, ranks, [("allreduce", size, "rdb")])["allreduce", size, "rdb"].result()
            offload = context.simulator.switched(here, "allreduce", ranks, size).result()
            rows.append({"cluster": cluster, "ranks": ranks, "bytes": size, "softwareUs": hosts[1],
                         "offloadUs": offload["mostUs"]})
    panels = [(f"{cluster}, {size} bytes", {"software": [(r["ranks"], r["softwareUs"]) for r in rows if r["bytes"] == size],
                                            "offload": [(r["ranks"], r["offloadUs"]) for r in rows if r["bytes"] == size]})
              for size in CLUSTERS[cluster]["bytes"]]
    size = CLUSTERS[cluster]["bytes"][0]
    grows = lambda field: (next(r for r in rows if (r["ranks"], r["bytes"]) == (8, size))[field] /
                           next(r for r in rows if (r["ranks"], r["bytes"]) == (2, size))[field])
    claim = Claim("from 2 to 8 ranks software grows, offload stays", "a line that rises, and a flat one",
                  f'{grows("softwareUs"):.1f} and {grows("offloadUs"):.2f} times',
                  "simulated, a star in place of direct links; what a message costs a host is not printed and assumed")
    return Outcome([claim], {"allreduce": rows}, {"allreduce": plot.lines(panels, "ranks", "us", columns=2, logx=False,
                                                                          logy=False)})


def figure2(context):
    return allreduce(context, "ZedBoard")


def figure3(context):
    return allreduce(context, "NetFPGA")


def figure4(context):
    """MILC's solver: conjugate gradient with one Allreduce of a double after another."""
    rows = []
    for cluster in CLUSTERS:
        found = allreduce(context, cluster).tables["allreduce"]
        for part in (0.1, 0.3, 0.5, 0.7):  # of the software run in Allreduce
            for ranks in (2, 4, 8):
                row = next(r for r in found if r["ranks"] == ranks)
                shorter = part * (1 - row["offloadUs"] / row["softwareUs"])
                rows.append({"cluster": cluster, "ranks": ranks, "partInAllreduce": part,
                             "shorterPercent": round(shorter * 100, 1)})
    most = max(r["shorterPercent"] for r in rows)
    panels = [(cluster, {f"{ranks} ranks": [(r["partInAllreduce"], r["shorterPercent"]) for r in rows
                                            if (r["cluster"], r["ranks"]) == (cluster, ranks)] for ranks in (2, 4, 8)})
              for cluster in CLUSTERS]
    return Outcome([Claim("MILC shorter by at most", "45 %", f"{most} % if 70 % of its time is in Allreduce",
                          "MILC's sources are not here, so the part of its time in Allreduce is a parameter")],
                   {"milc": rows}, {"milc": plot.lines(panels, "part of the time in Allreduce", "% shorter", columns=2,
                                                       logx=False, logy=False)})
