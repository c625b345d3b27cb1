"""The models of sections 3.5 and 5.6 beside the simulation: how far they are off, row by row."""
import json

import plot
from item import Claim, Outcome
from platforms import fpga, leaves, stampede2, torus

# Of table 5.2: overhead, PCIe, link, port to port.
OVERHEAD, PCIE, LINK, PORT = 14.8, 0.9, 0.44, 0.052
TYPE3 = {"phitBits": 512}  # of chapter 5: more than a link has


def ask(context, model, *options):
    return json.loads(context.run("acis-model", model, *options, "--json"))


def error(model, simulated):
    return round((model / simulated - 1) * 100, 1)


def loggp(context):
    """Equations 3.2 to 3.5: a Bcast by a binomial tree of hosts, and by switches, on one switch: LogGP
    has one latency for all pairs."""
    rows = []
    host = {"overheadUs": OVERHEAD / 2, "pcieLatencyUs": PCIE}
    for nodes in context.nodes:
        star = fpga({"kind": "star", "hosts": nodes}, host=host,
                    links={"framingBytes": 0}, switch=TYPE3, message={"sendUs": OVERHEAD / 2, "receiveUs": OVERHEAD / 2})
        for size in (8, 1024, 32768):
            row = ask(context, "loggp", "--ranks", nodes, "--bytes", size,
                      "--latency-us", 2 * PCIE + 2 * LINK + PORT)[0]
            hosts = context.simulator.plain(star, nodes, [("bcast", size, "binomial_tree")])
            slowest = hosts["bcast", size, "binomial_tree"].result()[1]
            switch = context.simulator.switched(star, "bcast", nodes, size).result()["mostUs"]
            rows.append({"ranks": nodes, "bytes": size, "hostsModel": round(row["hosts_last_us"], 2),
                         "hostsSimulated": slowest, "hostsErrorPercent": error(row["hosts_last_us"], slowest),
                         "switchModel": round(row["switch_last_us"], 2), "switchSimulated": switch,
                         "switchErrorPercent": error(row["switch_last_us"], switch)})
    return rows


def logcn(context):
    """Equations 5.1 to 5.3 of one collective in switches, II 1, nothing computed."""
    rows = []
    for nodes in context.nodes:
        for network, topology in (("torus3d", torus(nodes)), ("tree", leaves(nodes, 28))):
            platform = fpga(topology, host={"overheadUs": OVERHEAD}, links={"framingBytes": 0}, switch=TYPE3)
            for collective, more in (("allreduce", []), ("allgather", ["--gather"])):
                for size in (8, 1024, 16384):
                    # What leaves the switches counts for a gather: a rank gets the blocks of all.
                    whole = size * nodes if more else size
                    row = ask(context, "logcn", "--ranks", nodes, "--bytes", whole, "--network", network,
                              "--unit-latency-us", 0, *more)[0]
                    simulated = context.simulator.switched(platform, collective, nodes, size).result()["mostUs"]
                    rows.append({"ranks": nodes, "network": network, "collective": collective, "bytes": size,
                                 "model": round(row["fused_us"], 2), "simulated": simulated,
                                 "errorPercent": error(row["fused_us"], simulated)})
    return rows


def buffers(context):
    """Equation 3.1: what a switch has to hold while a link on the way is silent. Simulated: the bytes that
    a port takes in (a phit a cycle) during the way up through so many switches."""
    rows = []
    shapes = {1: {"kind": "star", "hosts": 8}, 2: leaves(32, 16), 3: {"kind": "fat-tree", "radix": 4}}
    for depth, topology in shapes.items():
        hosts = 16 if depth == 3 else topology["hosts"]
        platform = fpga(topology, host={"pcieLatencyUs": 0}, switch={"portToPortNs": 0})
        model = ask(context, "buffers", "--depth", depth)[0]["bytes"]
        up = context.simulator.switched(platform, "reduce", hosts, 8).result()["mostUs"]
        # Of `depth` + 1 links, the last leads down to the root; q = 2 more, and the margin of 16 phits.
        per = up / (depth + depth) if depth > 1 else up / 2
        simulated = (16 + (depth + 2) * per / 4e-3) * 32
        rows.append({"depth": depth, "model": model, "simulated": round(simulated), "errorPercent": error(model, simulated)})
    return rows


def worst(rows, field):
    return max(abs(row[field]) for row in rows)


def validate(context):
    a, b, c = loggp(context), logcn(context), buffers(context)
    short = [row for row in b if row["bytes"] <= 1024]
    claims = [
        Claim("LogGP, Bcast among hosts: largest error", "not given", f"{worst(a, 'hostsErrorPercent')} %",
              "SMPI is LogGP with contention, which one switch has little of"),
        Claim("LogGP, Bcast by a switch: largest error", "not given", f"{worst(a, 'switchErrorPercent')} %",
              "the simulated switch takes a datagram in before it passes it on; the model streams it"),
        Claim("LoGcN, Allreduce and Allgather up to 1 KB: largest error", "10 to 20 % (figures 5-4, 5-11)",
              f"{worst(short, 'errorPercent')} %", "the same, at each switch on the way; and the blocks of an "
              "Allgather cross a host's link one after the other"),
        Claim("buffers: largest error", "not given", f"{worst(c, 'errorPercent')} %",
              "the simulated way has a datagram's time on the wire, too")]
    return Outcome(claims, {"loggp": a, "logcn": b, "buffers": c})
