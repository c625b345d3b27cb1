"""What hosts take beside communication: as the authors have measured it on their cluster, and by two rates of a core. And
what the authors' public model and times say of their speed-ups."""
import csv

from . import sets

# ns of a core for a multiplication and an addition, of a loop that a compiler vectorises.
CORE_NS = 0.1
# Non-zeros of the features of a node, where they are few; else all are counted.
SPARSE = {"Citeseer": 105165 / 3327}


def _table(file, name):
    """Rows of this graph in a file of the authors' public data."""
    path = sets.publication(file)
    if not path:
        return []
    with open(path, encoding="utf-8", newline="") as lines:
        return [row for row in csv.DictReader(lines) if row["dataset"] == name.replace("-", "")]


def measured(name, hosts):
    """ms of the authors' hosts: {"combine", "sums", "communication"} of both layers, or None if they have published none."""
    rows = [row for row in _table("acis-notebook-results", name) if row["nodes"] == str(hosts)]
    if not rows:
        return None
    pick = lambda phase, key: sum(float(row[key]) for row in rows if row["phase"] == phase)
    return {"combine": pick("XW", "cpu_total_ms_mean"), "sums": pick("AXW", "cpu_comp_ms_mean"), "communication": pick("AXW", "cpu_comm_ms_mean")}


def rated(one, nodes, edges, hosts):
    """ms of a host by the rate of a core: {"combine", "sums"} of both layers."""
    cores = hosts * one.processes
    features = SPARSE.get(one.name, one.features)
    return {"combine": nodes * (features * 16 + 16 * one.classes) * CORE_NS / cores / 1e6,
            "sums": edges * (16 + one.classes) * CORE_NS / cores / 1e6}


def whole(gather_ms, switch_ms, times, own):
    """(ms by Allgather, ms by switches) of an inference: sums of own columns are beside the switch."""
    return (times["combine"] + gather_ms + times["sums"], times["combine"] + max(switch_ms, times["sums"] * own))


def authors(name, hosts=24):
    """The authors' model, run again: {"whole", "aggregation", "bound", "corrected"}, or None. `bound`: of the whole, if aggregation took
    no time. `corrected`: with the accelerator's time of tiles that 24 nodes need: theirs are of 32."""
    rows = {int(row["nodes"]): row for row in _table("acis-model-speedups", name)}
    if hosts not in rows:
        return None
    row = rows[hosts]
    combine, cpu, flash = (float(row[key]) for key in ("combination_XW_ms", "cpu_aggregation_AXW_ms", "flash_AXW_ms_OS_FiS"))
    more = _more(name)
    ratios = {"whole": (combine + cpu) / (combine + flash), "aggregation": cpu / flash, "bound": (combine + cpu) / combine,
              "corrected": (combine + cpu) / (combine + flash + more), "correctedAggregation": cpu / (flash + more)}
    return {name: round(ratio, 2) for name, ratio in ratios.items()}


PORTS, LAYERS = 8, 2


def _more(name):
    """ms that the accelerator takes longer on 24 nodes than in the column of that name, which is of 32: in proportion to the
    rows of a node where it has the tiles of 16 nodes halved, for each layer and port of the authors' queue."""
    times = {int(row["nodes"]): float(row["total_ns"]) / 1e6 for row in _table("acis-accelerator-time", name) if row["dataflow"] == "OS"}
    if 16 not in times or 24 not in times or name == "Pubmed":  # Pubmed's tiles cover 24 nodes
        return 0.0
    # Between 1/16 and 1/32 of the rows, 1/24 is a third of the way.
    return LAYERS * PORTS * (times[16] - times[24]) / 3
