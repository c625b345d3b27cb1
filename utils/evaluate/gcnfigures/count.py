"""What follows from a graph and its parts alone: elements between hosts, links that they cross, tiles without an entry,
instructions, bytes of the right-hand matrix."""
import math

import numpy

from items import tables

from . import generate, sets

HIDDEN = 16
PIPELINES = 31   # columns of a pass, in the publication: one for each vector PE
COLUMNS = 16     # of a pass here
LANES = 16
TILE = 2048      # dense rows of a tile, output stationary
LEAF = 6         # hosts of a leaf at most: of 8 ports two lead up


def widths(one):
    return (HIDDEN, one.classes)


def graphs(names):
    """000 table 4.2: published, and what is used here."""
    rows = []
    for name in names:
        one, graph = sets.ALL[name], sets.graph(name)
        most, percent, tenth = generate.skewness(numpy.diff(graph.starts))
        rows.append({"set": name, "nodesPaper": one.nodes, "edgesPaper": one.edges, "features": one.features, "classes": one.classes,
                     "nodes": graph.nodes, "edges": graph.edges, "most": most, "percent": round(100 * percent, 1),
                     "tenth": round(100 * tenth, 1), "generated": graph.generated, "skew": round(one.skew(), 3)})
    return rows


def laws(names):
    """The law of degrees beside graphs that are at hand: a generated one with their nodes, edges and largest node."""
    rows = []
    for name in [name for name in (*names, "Cora") if sets.at_hand(name)]:
        graph = sets.read(name)
        degree = numpy.diff(graph.starts)
        skew = generate.skew_of(graph.nodes, graph.edges, int(degree.max()))
        like = sets.Graph(*generate.generated(graph.nodes, graph.edges, skew, sets.SEED), True, 1)
        for each in (graph, like):
            most, percent, tenth = generate.skewness(numpy.diff(each.starts))
            rows.append({"set": name, "generated": each.generated, "nodes": each.nodes, "edges": each.edges, "most": most,
                         "percent": round(100 * percent, 1), "tenth": round(100 * tenth, 1),
                         "outside": round(100 * outside(each, 24)[0] / each.edges, 1),
                         "idle": round(100 * idle(each, LANES), 1)})
    return rows


def outside(graph, hosts):
    """(entries whose column is another host's, rows that have such): by equal blocks of rows."""
    bounds = numpy.arange(hosts + 1) * graph.nodes // hosts
    entries = rows = 0
    for first, end in zip(bounds, bounds[1:]):
        columns = graph.columns[graph.starts[first]:graph.starts[end]]
        other = numpy.flatnonzero((columns < first) | (columns >= end))
        entries += len(other)
        rows += len(numpy.unique(numpy.searchsorted(graph.starts[first:end + 1] - graph.starts[first], other, "right")))
    return entries, rows


def leaves(hosts):
    """The fewest with as many hosts on each, at most LEAF."""
    return next(number for number in range(1, hosts + 1) if hosts % number == 0 and hosts // number <= LEAF)


def ring_links(hosts):
    """Links that blocks of one element cross on their ways round all hosts; to a host of another leaf there are four."""
    leaf = hosts // leaves(hosts)
    step = sum(2 if host // leaf == (host + 1) % hosts // leaf else 4 for host in range(hosts))
    return step * (hosts - 1)


def elements(name, hosts):
    """000 fig 4.2 a and b: of both layers, all hosts together. An element is a float or a column number of 4 bytes."""
    one, graph = sets.ALL[name], sets.graph(name)
    entries, answered = outside(graph, hosts)
    width = sum(widths(one))
    up = entries * sum(-(-each // PIPELINES) for each in widths(one))
    down = answered * width
    return {"set": name, "generated": graph.generated, "hosts": hosts, "nodes": graph.nodes, "edges": graph.edges, "outside": entries,
            "gathered": (hosts - 1) * graph.nodes * width, "up": up, "switched": up + down,
            "gatheredLinks": round(ring_links(hosts) * graph.nodes / hosts * width), "switchedLinks": up + down,
            "loaded": leaves(hosts) * graph.nodes * width}


def idle(graph, height, width=TILE):
    """Part of the tiles of `height` rows and `width` columns without an entry."""
    across, down = -(-graph.nodes // width), -(-graph.nodes // height)
    used = numpy.zeros(across * down, bool)
    step = 1 << 23
    for begin in range(0, graph.edges, step):
        end = min(begin + step, graph.edges)
        rows = numpy.searchsorted(graph.starts, numpy.arange(begin, end), "right") - 1
        used[rows // height * across + graph.columns[begin:end] // width] = True
    return 1 - numpy.count_nonzero(used) / len(used)


def idles(names):
    """Tiles that are skipped: of a lane group, and of an unrolled tile, output stationary; weight stationary on 24 nodes."""
    rows = []
    for name in names:
        one, graph = sets.ALL[name], sets.graph(name)
        _, _, vlen, unroll = tables.tiling(TABLES[name], "WS", 24)
        tall = tables.tiling(TABLES[name], "OS", 24)[3]
        found = {"lanes": idle(graph, LANES), "unrolled": idle(graph, LANES * tall), "weight": idle(graph, LANES * vlen, unroll)}
        rows.append({"set": name, "generated": graph.generated, "paper": one.idle, "unroll": tall, "vlen": vlen,
                     **{key: round(100 * value, 1) for key, value in found.items()}})
    return rows


# Names in utils/evaluate/items/tables.py.
TABLES = {"PPI": "PPI", "Citeseer": "Citeseer", "Pubmed": "Pubmed", "ogbn-mag": "Ogbn-mag", "ogbn-products": "Ogbn-products"}


def instructions(names):
    """000 table 4.3, from the tiles that are printed for 24 nodes, and from those that 24 nodes need (001 table 3's are of 32)."""
    rows = []
    for name in names:
        for mode in ("OS", "WS"):
            key = (TABLES[name], mode)
            tk, tm, vlen, unroll = tables.tiling(*key, 24)
            rows_of = math.ceil(tables.TILED[TABLES[name]] / (24 * tables.PROCESSES[TABLES[name]]))
            place = tables.COLUMNS.index(24)
            printed = {"tk": tables.TABLE3[key][0], **{what: tables.TABLE3[key][1 + at][place] for at, what in enumerate(("tm", "vlen", "unroll"))}}
            covered = LANES * printed["tm"] * (printed["unroll"] if mode == "OS" else printed["vlen"])
            loads, sums, sends = tables.TABLE43[key]
            rows.append({"set": name, "mode": mode, "rows": rows_of, "covered": covered, "printed": printed,
                         "needed": {"tk": tk, "tm": tm, "vlen": vlen, "unroll": unroll}, "loadsPaper": loads, "accumulatesPaper": sums,
                         "streamoutsPaper": sends, "loads": tm * (tk + 1), "accumulates": tm * tk * unroll, "streamouts": tm})
    return rows


def loads(names):
    """001 section 5.8: bytes of both layers' right-hand matrices, and what they need by PCIe and by the link of a host."""
    rows = []
    for name in names:
        one = sets.ALL[name]
        layers = [one.nodes * width * 4 for width in widths(one)]
        here = sum(one.nodes * COLUMNS * 4 * -(-width // COLUMNS) for width in widths(one))
        rows.append({"set": name, "paperMs": one.load, "megabytes": [round(size / 1e6, 2) for size in layers],
                     "paperGBps": round(max(layers) / one.load / 1e6, 1), "linkMs": round(here * 8 / 95.9e6, 3)})
    return rows
