"""Tables of docs/kernels-distributed.md: what of their messages kernels hide on simulated clusters."""
import plot
from datapage import table

COMMAND = "scripts/evaluate 000/fig-5-10 --tables docs/data/kernels-distributed.json"
WAYS = {"messages": "MPI", "switches, o = 0": "switches, no overhead of calls", "switches": "switches"}
KERNELS = ("gemm", "fem2", "fem3")


def rows_of(data):
    return {(r["kernel"], int(r["nodes"]), r["by"]): r for r in data["kernels"]}


def nodes_of(data):
    return list(dict.fromkeys(int(r["nodes"]) for r in data["kernels"]))


def overlap(data):
    """By messages of MPI."""
    found = rows_of(data)
    rows = [(kernel, nodes, found[kernel, nodes, "messages"]) for kernel in KERNELS for nodes in nodes_of(data)]
    return table(["kernel", "nodes", "R", "hidden", "against blocking calls"],
                 [[kernel, nodes, f"{r['ratio']:.2f}", f"{100 * r['hidden']:.0f} %", f"{r['faster']:.2f}"] for kernel, nodes, r in rows],
                 range(1, 5))


def ways(data):
    found = rows_of(data)
    return table(["nodes", *(f"messages alone: {name}" for name in WAYS.values()), *(f"kernel: {name}" for name in WAYS.values())],
                 [[nodes, *(f"{found['gemm', nodes, way][what]:,.0f}" for what in ("messagesUs", "kernelUs") for way in WAYS)]
                  for nodes in nodes_of(data)], range(7))


def tables(data):
    return {"overlap": overlap(data), "ways": ways(data)}


def picture(data):
    found = rows_of(data)
    curves = {name: [(nodes, found["gemm", nodes, way]["kernelUs"]) for nodes in nodes_of(data)] for way, name in WAYS.items()}
    return plot.lines([("gemm, 1,024 x 1,024 floats", curves)], "nodes", "us of the kernel")
