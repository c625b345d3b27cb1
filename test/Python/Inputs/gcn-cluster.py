"""The split of a graph over hosts, neighbours and leaves: each non-zero is somebody's, and once; the rule takes the least;
what it refuses."""
import os
import sys

import numpy

sys.path.insert(0, os.path.dirname(__file__))
import acis
from acis import gcn, gcn_cluster
from raises import raises

generator = numpy.random.default_rng(11)
nodes = 240
graph = gcn.graph(numpy.unique(generator.integers(0, nodes, (2, 3000)), axis=1), nodes)
every = set(zip(graph.row_of.tolist(), graph.indices.tolist()))


def entries(part, which):
    matrix = getattr(part, which)
    assert (matrix.rows, matrix.cols) == (part.end - part.first, nodes)
    return set(zip((matrix.row_of + part.first).tolist(), matrix.indices.tolist()))


for ranks, leaves, offsets in ((6, 2, gcn_cluster.block_rows(nodes, 6)), (6, 3, numpy.array([0, 0, 10, 100, 101, 240, 240])),
                               (1, 1, numpy.array([0, nodes])), (4, 1, gcn_cluster.block_rows(nodes, 4))):
    chosen, looked = gcn_cluster.split(graph, offsets, leaves, [16, 7])
    assert chosen.seconds == min(seconds for _, seconds in looked) and (chosen.group, chosen.seconds) in looked
    for size, seconds in looked:
        forced, _ = gcn_cluster.split(graph, offsets, leaves, [16, 7], group=size)
        assert (forced.group, forced.seconds) == (size, seconds)
        owner = numpy.repeat(numpy.arange(ranks), numpy.diff(offsets))
        seen = [(which, one) for part in forced.parts for which in ("diagonal", "gathered", "remote") for one in entries(part, which)]
        assert len(seen) == len(every) and {one for _, one in seen} == every
        for which, (row, col) in seen:
            near, own = owner[row] // size == owner[col] // size, owner[row] == owner[col]
            assert which == ("diagonal" if own else "gathered" if near else "remote")
        assert (forced.nonzeros[2] == 0) >= (size == ranks)
    assert sorted(size for size, _ in looked) == sorted({*(n for n in range(1, ranks // leaves + 1) if ranks // leaves % n == 0), ranks})

# The rule follows its constants.
offsets = gcn_cluster.block_rows(nodes, 6)
slow_switch = gcn_cluster.Costs(beat_seconds=1)
assert gcn_cluster.split(graph, offsets, 2, [16], slow_switch)[0].group == 6
slow_messages = gcn_cluster.Costs(message_seconds=1, load_seconds=0)
assert gcn_cluster.split(graph, offsets, 2, [16], slow_messages)[0].group == 1
slow_load = gcn_cluster.Costs(load_seconds=1)
assert gcn_cluster.split(graph, offsets, 2, [16], slow_load)[0].group == 6

# An engine of kernel rows takes a beat for each 16 non-zeros of a row, and its sum leaves meanwhile.
def seconds_of_leaf(edges, kernel):
    few = gcn.graph(numpy.array(edges).T, 40)
    free = gcn_cluster.Costs(add_seconds=0, message_seconds=0, load_seconds=0, link_bytes=1e30, load_bytes=1e30, beat_seconds=1)
    return gcn_cluster.split(few, gcn_cluster.block_rows(40, 2), 1, [16], free, 1, kernel)[0].seconds


assert seconds_of_leaf([(source, 0) for source in range(20, 37)], "split") == 3 and seconds_of_leaf([(source, 0) for source in range(20, 37)], "rows") == 2
assert seconds_of_leaf([(20, row) for row in range(8)], "split") == 9 and seconds_of_leaf([(20, row) for row in range(8)], "rows") == 8

# METIS: the same graph under other names, and where it is there fewer edges between ranks.
order = generator.permutation(nodes)
other = gcn_cluster.reordered(graph, order)
assert {(order[row], order[col]) for row, col in zip(other.row_of, other.indices)} == every
try:
    import pymetis
except ImportError:
    raises(acis.Error, "install pymetis", gcn_cluster.order_by_metis, graph, 4)
else:
    ring = numpy.arange(nodes)
    ring = gcn.graph(numpy.concatenate([[order, order[(ring + 1) % nodes]], [order[(ring + 1) % nodes], order]], axis=1), nodes)
    found, starts = gcn_cluster.order_by_metis(ring, 4)
    assert sorted(found) == list(range(nodes)) and starts[0] == 0 and starts[-1] == nodes and len(starts) == 5
    cut = gcn_cluster.split(gcn_cluster.reordered(ring, found), starts, 1, [16], group=1)[0].nonzeros[2]
    assert cut <= 16 < gcn_cluster.split(ring, gcn_cluster.block_rows(nodes, 4), 1, [16], group=1)[0].nonzeros[2]

raises(acis.BadArgument, "6 ranks on 4 leaves; each leaf has as many", gcn_cluster.split, graph, offsets, 4, [16])
raises(acis.BadArgument, "groups of 2 ranks; 1, 3, 6 are possible", gcn_cluster.split, graph, offsets, 2, [16], group=2)
raises(acis.BadArgument, "10 ranks for 9 nodes", gcn_cluster.split, gcn.graph(numpy.zeros((2, 1), "i8"), 9), numpy.zeros(11, "i8"), 1, [16])
raises(acis.BadArgument, "there is no kernel 'row'; take split or rows", gcn_cluster.write_plans, "", chosen, offsets, 2, None, [], None, "row")
raises(acis.BadArgument, "is 120 x 240; an inference needs", gcn_cluster.split, graph.part(0, 120), offsets, 2, [16])
