"""Dissertation section 5.7.2: programs with collectives by MPI, by switches, and fused in switches."""
import json
import pathlib
import re

import plot
from item import Claim, Outcome
from items.models import OVERHEAD, TYPE3
from platforms import fpga, stampede2, torus
from simulate import Failed

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "programs"
ROOT = FOLDER.parents[2]
NAMES = {"is": "IS", "mg": "MG", "cg": "miniFE, HPCCG", "kmeans": "k-means", "pagerank": "PageRank"}
EACH = {"ACIS_FUSED_BYTES": str(1 << 40)}  # each op in the switches, at any cost
# MPI's algorithms for short messages, table 3.1; its Allreduce as the calibration has found it.
ALGORITHMS = {"allreduce": "redbcast", "reduce": "ompi_binomial", "bcast": "binomial_tree", "allgather": "bruck",
              "alltoall": "bruck", "barrier": "ompi_bruck"}


class Programs:
    """The programs, plain and rewritten, compiled for the simulation."""

    def __init__(self, context):
        self.context, self.work = context, context.simulator.folder
        self.opUs = {}

    def compile(self, name, more=(), source=None):
        out = self.work / f"{name}-{'fused' if source else 'plain'}"
        from simulate import run
        run(["smpicc", "-O1", "-w", "-ffp-contract=off", "-I", self.context.programs.parent / "include",
             source or FOLDER / f"{name}.c", *more, "-lm", "-o", out])
        return out

    def rewrite(self, name):
        """The rewritten program; keeps the us of each chain's op by the line of its first call."""
        source, report = self.work / f"{name}.c", self.work / f"{name}.json"
        self.context.run("acisc", "--mpi", "--force", "--no-remarks", "--config=u280-full.json", f"--mpi-report={report}", "-o",
                         source, FOLDER / f"{name}.c")
        found = json.loads(report.read_text())["candidates"]
        self.opUs[name] = {chain["line_first"]: chain.get("op_on_grid", {}).get("us", 0) for chain in found
                           if chain["decision"] == "rewritten"}
        return self.compile(name, [self.context.programs.parent / "lib/libacis-cccf-smpi.a"], source)

    def run(self, program, nodes, platform, environment, *options):
        """Its time in us, what it says of its result, and how many datagrams and bytes."""
        folder = self.work / f"{pathlib.Path(program).name}-{nodes}-{len(options)}-{len(environment)}"
        said = self.context.run("acis-simrun", "-n", nodes, "--platform", self.context.simulator.platform(platform),
                                "--json", f"{folder}.json", *options, program, environment=environment)
        found = re.search(r"([\d.]+) us, check (.*)", said)
        if not found:
            raise Failed(f"{program} has printed no time: {said}")
        counts = json.loads(pathlib.Path(f"{folder}.json").read_text())
        return float(found[1]), found[2], counts["datagrams"], counts["datagramBytes"]


def opTime(programs, name, why, nodes):
    """us that the ops of the fused calls of a rank take, by the rewriter's report."""
    total = 0
    for calls, line in re.findall(r"^acis: +(\d+) .*ACIS_I\w+ +offloaded;.*\.c:(\d+)$", why.read_text(), re.M):
        total += int(calls) / nodes * programs.opUs[name].get(int(line), 0)
    return round(total, 1)


def measure(context, programs, name, nodes):
    plainProgram, fusedProgram = programs.compile(name), programs.rewrite(name)
    skx = stampede2(nodes, context.calibration["parameters"])
    # Messages between ranks cost hosts the same on both clusters.
    here, free = (fpga(torus(nodes), host={"overheadUs": o}, switch=TYPE3, message=skx["message"]) for o in (OVERHEAD, 0))
    chosen = [f"--smpi-arg=--cfg=smpi/{c}:{a}" for c, a in ALGORITHMS.items()]
    why = programs.work / f"{name}-{nodes}.why"
    byGrid = ("--config", "u280-full.json")
    ways = {"plain": (plainProgram, skx, {}, "--plain", *chosen), "switch": (plainProgram, here, {}, *byGrid),
            "fused": (fusedProgram, here, EACH, *byGrid, f"--why={why}"), "cheap": (fusedProgram, here, {}, *byGrid),
            "fusedNoOverhead": (fusedProgram, free, EACH, *byGrid, "--limit", "100")}
    jobs = {way: context.simulator.pool.submit(programs.run, program, nodes, *more)
            for way, (program, *more) in ways.items()}
    found = {way: job.result() for way, job in jobs.items()}
    # The order of a floating-point sum is MPI's or the tree's.
    if len({tuple(word[:5] for word in check.split()) for _, check, _, _ in found.values()}) != 1:
        raise Failed(f"{name} on {nodes} nodes: " + ", ".join(f"{way} {check}" for way, (_, check, _, _) in found.items()))
    fusedCalls = len(re.findall(r"ACIS_I\w+ +offloaded", why.read_text()))
    return {"program": NAMES[name], "nodes": nodes, "chains": fusedCalls, **{f"{way}Us": found[way][0] for way in ways},
            "opsUs": opTime(programs, name, why, nodes),
            **{f"{way}DatagramsOfHost": round(found[way][2] / nodes, 1) for way in ("switch", "fused", "cheap")},
            **{f"{way}BytesOfHost": round(found[way][3] / nodes) for way in ("switch", "fused", "cheap")}}


def figure511(context):
    programs, rows = Programs(context), []
    for nodes in [32] if context.quick else [64, 128]:
        for name in ["kmeans"] if context.quick else NAMES:
            rows.append(measure(context, programs, name, nodes))
            context.say(f"{name} on {nodes} nodes")
    panels = [(f"{nodes} nodes", [(r["program"], {"MPI": r["plainUs"], "switches": r["switchUs"], "fused": r["fusedUs"],
                                                  "fused, o = 0": r["fusedNoOverheadUs"]})
                                  for r in rows if r["nodes"] == nodes])
              for nodes in dict.fromkeys(r["nodes"] for r in rows)]
    most = rows[-1]["nodes"]
    claims = [Claim(f'{r["program"]} on {most} nodes: MPI / switches / fused / fused by default / fused without overhead of calls',
                    "improvements without numbers",
                    " / ".join(f"{r[way + 'Us']:,.0f}" for way in ("plain", "switch", "fused", "cheap", "fusedNoOverhead")) + " us",
                    f'{r["chains"]} {"chain" if r["chains"] == 1 else "chains"} fused' +
                    (f', whose ops take {r["opsUs"]:,.0f} us of it on a grid' if r["opsUs"] else "") +
                    f'; bytes on links for a host {r["switchBytesOfHost"]:,} by switches, {r["fusedBytesOfHost"]:,} fused, '
                    f'{r["cheapBytesOfHost"]:,} by default, where an op that moves more than its call saves is the host\'s')
              for r in rows if r["nodes"] == most]
    claims.append(Claim("fused faster than MPI", "all", ", ".join(
        f"{nodes} nodes: {sum(r['fusedUs'] < r['plainUs'] for r in rows if r['nodes'] == nodes)} of "
        f"{sum(r['nodes'] == nodes for r in rows)}; with no overhead of calls "
        f"{sum(r['fusedNoOverheadUs'] < r['plainUs'] for r in rows if r['nodes'] == nodes)}"
        for nodes in dict.fromkeys(r["nodes"] for r in rows)),
        "communication alone: what passes between calls of MPI takes no time on either side; 29.6 us of overhead are in "
        "each call by switches"))
    return Outcome(claims, {"programs": rows}, {"programs": plot.bars(panels, "us of communication", columns=2, log=True)})


# Nodes: grid of ranks.
GRIDS = {4: (2, 2), 16: (4, 4), 64: (8, 8), 128: (16, 8)}
DENSE, SPARSE = 1000, 30  # Gflop/s of a node


def kernel(context, nodes, speed, overhead, *arguments):
    here = {"name": "kernels", "topology": {"kind": "spine-leaf", "hosts": nodes, "radix": 16, "overSubscription": 3},
            "host": {"speedGflops": speed, **({"overheadUs": overhead} if overhead is not None else {})}}
    # To set up a matrix on 128 ranks takes SMPI's own Allgather minutes of this machine.
    said = context.run("acis-simrun", "-n", nodes, "--platform", context.simulator.platform(here),
                       "--smpi-arg=--cfg=smpi/test:1e-7",
                       *(["--smpi-arg=--cfg=smpi/allgather:ring"] if arguments[0] == "spmv" else []),
                       *([] if overhead is not None else ["--plain"]),
                       context.programs.parent / "mpi/kernels-overlap-smpi", *arguments)
    return json.loads(next(line for line in said.splitlines() if line.startswith("{")))


def figure510(context):
    """The distributed kernels by messages, and by switches with and without the overhead of calls."""
    rows = []
    kinds = {"gemm": lambda n: ("gemm", 1024, 1024, 1024, *GRIDS[n], 64, 1), "fem2": lambda n: ("spmv", "fem2", 725, 1),
             "fem3": lambda n: ("spmv", "fem3", 35, 1)}
    jobs = {}
    for nodes in [4] if context.quick else GRIDS:
        for name, arguments in kinds.items():
            for how, overhead in (("messages", None), ("switches", OVERHEAD), ("switches, o = 0", 0)):
                if context.quick and name != "gemm":
                    continue
                jobs[name, nodes, how] = context.simulator.pool.submit(
                    kernel, context, nodes, DENSE if name == "gemm" else SPARSE, overhead, *arguments(nodes))
    for (name, nodes, how), job in jobs.items():
        found = job.result()
        rows.append({"kernel": name, "nodes": nodes, "by": how, "computingUs": found["computing_us"],
                     "messagesUs": found["messages_us"], "blockingUs": found["blocking_us"], "kernelUs": found["kernel_us"],
                     "ratio": found["ratio"], "hidden": found["hidden"], "faster": found["faster"]})
        context.say(f"{name} on {nodes} nodes, {how}")
    names = list(dict.fromkeys(r["kernel"] for r in rows))
    panels = [(name, {how: [(r["nodes"], r["kernelUs"]) for r in rows if (r["kernel"], r["by"]) == (name, how)]
                      for how in ("messages", "switches", "switches, o = 0")}) for name in names]
    overlap = lambda name, nodes: next(r for r in rows if (r["kernel"], r["nodes"], r["by"]) == (name, nodes, "messages"))
    counts = list(dict.fromkeys(r["nodes"] for r in rows))
    paper = {"gemm": "PGEMM 3.2 (square), 1.5 (tall) times over COSMA", "fem2": "SpMV: no numbers", "fem3": "the same"}
    claims = [Claim(f"{name}: kernel over blocking calls, part of messages that is hidden, R, on "
                    f"{', '.join(map(str, counts))} nodes",
                    paper[name], "; ".join(f'{overlap(name, n)["faster"]:.2f}, {overlap(name, n)["hidden"] * 100:.0f} %, '
                                           f'{overlap(name, n)["ratio"]:.2f}' for n in counts),
                    "both sides compute on the same processors, so overlap is all there is to gain: at most twice; the "
                    "paper compares arrays in the network with processors") for name in names]
    last = {r["by"]: r for r in rows if r["kernel"] == "gemm" and r["nodes"] == counts[-1]}
    ways = ", ".join(f'{last[how]["messagesUs"]:,.0f}' for how in ("messages", "switches", "switches, o = 0")) + " us"
    claims.append(Claim(f"gemm on {counts[-1]} nodes: messages alone by MPI, by switches, by switches without overhead", "-",
                        ways, "32 panels of 16 ranks or fewer: each Allgather by a switch waits for all of its ranks, goes "
                        "up whole and comes down whole, a rank's own block too, through a port of 64 Gb/s; MPI's "
                        "goes from neighbour to neighbour and costs hosts nothing here; and 29.6 us of overhead are in each call"))
    return Outcome(claims, {"kernels": rows}, {"kernels": plot.lines(panels, "nodes", "us")})
