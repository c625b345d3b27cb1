"""usage: gcn-run.py REFERENCE.so u280.json

Aggregations and inferences of acis.gcn: beside a plain C reference bit for bit, beside SciPy in double
precision; and what does not fit."""
import ctypes
import json
import os
import pathlib
import sys

import numpy
import scipy.sparse

sys.path.insert(0, os.path.dirname(__file__))
import acis
from acis import gcn
from raises import raises

C = ctypes.CDLL(os.path.abspath(sys.argv[1]))
generator = numpy.random.default_rng(7)


def generated(nodes, edges):
    """Skewed degrees, a hub that is a row and one that is a column, rows and columns without edges."""
    source = (generator.random(edges)**3 * nodes).astype("i8") * 7919 % nodes
    target = (generator.random(edges) * (nodes - nodes // 8)).astype("i8")
    target[::16], source[1::16] = nodes // 2, nodes // 3
    return numpy.unique(numpy.stack([source, target]), axis=1)


def in_c(graph, dense, place):
    """The reference's result. The order is written here again from its definition."""
    placement = place.placement(graph)
    out = numpy.zeros((graph.rows, dense.shape[1]), "f4")
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    by = placement.round[graph.indices] if place.kernel == "split" else placement.vpe[graph.indices]
    order = numpy.lexsort((placement.vpe[graph.indices], by, graph.row_of))
    row, col, vpe = (numpy.ascontiguousarray(one[order], "i8") for one in (graph.row_of, graph.indices, placement.vpe[graph.indices]))
    entries = [pointer(one.ctypes.data) for one in (row, col, vpe)]
    end = [pointer(dense.ctypes.data), size(dense.shape[1]), pointer(out.ctypes.data)]
    if place.kernel == "rows":
        C.aggregate_rows(size(graph.nonzeros), *entries, *end)
        return out
    packets = place.packets(graph, placement)
    counts = numpy.cumsum([0, *(len(one.words) - 16 - 16 * len(one.bases) - one.padding for one in packets)])
    pieces = [numpy.ascontiguousarray(one, "i8") for one in (
        [one.rows[0] for one in packets], [one.rows[-1] + 1 for one in packets], counts[:-1], counts[1:])]
    C.aggregate(size(len(packets)), *[pointer(one.ctypes.data) for one in pieces], *entries, size(place.sizes.vpes), *end)
    return out


def check_bits(place, nodes, edges, width):
    graph = gcn.graph(generated(nodes, edges), nodes)
    dense = generator.standard_normal((nodes, width)).astype("f4")
    dense[generator.random(dense.shape) < 0.1] = -0.0
    sums, took = gcn.aggregate(graph, dense, place)
    assert sums.tobytes() == in_c(graph, dense, place).tobytes()
    assert took.passes == -(-width // 16) and took.nonzeros == graph.nonzeros
    matrix = scipy.sparse.csr_matrix((numpy.ones(graph.nonzeros), graph.indices, graph.indptr), (nodes, nodes))
    assert (abs(sums - matrix @ dense.astype("f8")) <= 1e-6 * (matrix @ abs(dense.astype("f8")))).all()
    assert not sums[nodes - nodes // 8:].any()  # rows without an edge
    return took


# Bits, on both engines and on overlays of other sizes; packets so small that rows are cut; a memory that
# holds one pass of several; dense rows in several tiles.
small = {"packet_bytes": 1000}
rows = {"kernel": "rows"}
eight = json.loads(pathlib.Path(sys.argv[2]).read_text())
eight["grid"]["cols"], eight["vrf"]["beats"] = 8, 1024
for overlay, engine, options in (("u280", "fast", {}), ("u280", "model", {}), ("u280", "fast", small),
                                 (eight, "model", {}), ("u280", "model", small), ("u280", "fast", rows),
                                 ("u280", "model", {**rows, **small})):
    with gcn.InProcess(engine, overlay, **options) as place:
        for nodes, edges, width in ((400, 2000, 16), (700, 3000, 1), (90, 500, 35)):
            took = check_bits(place, nodes, edges, width)
            assert (took.cycles is not None) == (engine == "model") and took.loads == 1
            assert took.packets > took.passes or "packet_bytes" not in options
with gcn.InProcess() as place:
    check_bits(place, 60000, 150000, 16)
    place.memory_bytes = 2 * 4 * 16 * 400
    assert check_bits(place, 400, 2000, 65).loads == 3
    place.memory_bytes = 20000
    raises(acis.BadArgument, "16 columns of", check_bits, place, 400, 2000, 16)
with gcn.InProcess(packet_bytes=200) as place:
    check_bits(place, 50, 200, 3)
raises(acis.BadArgument, "packets of 100 bytes", lambda: check_bits(gcn.InProcess(packet_bytes=100), 50, 200, 3))
with gcn.InProcess(packet_bytes=128, kernel="rows") as place:
    check_bits(place, 50, 200, 3)
raises(acis.BadArgument, "packets of 127 bytes do not hold a beat; 128 are the least",
       lambda: check_bits(gcn.InProcess(packet_bytes=127, kernel="rows"), 50, 200, 3))
raises(acis.BadArgument, "and kernel rows is for 16: take kernel split", gcn.InProcess, "fast", eight, kernel="rows")
raises(acis.BadArgument, "kernel is 'row'; allowed are split, rows", gcn.InProcess, kernel="row")
with gcn.InProcess(kernel="rows") as place:
    many = gcn.graph(numpy.stack([numpy.arange(60000), numpy.zeros(60000, "i8")]), 60000)
    raises(acis.BadArgument, "kernel rows has room for 56", gcn.aggregate, many, numpy.ones((60000, 1)), place)

# Cycles: the sums of a row leave while those of the next come. At most 1.2 for each beat of results where rows have few
# non-zeros, loads of dense rows included.
sparse = gcn.graph(numpy.unique(generator.integers(0, 3000, (2, 9000)), axis=1), 3000)
with gcn.InProcess("model", packet_bytes=2**20, kernel="rows") as place:
    took = gcn.aggregate(sparse, numpy.ones((3000, 16)), place)[1]
    assert took.cycles <= 1.2 * 3000, took
with gcn.InProcess("model", packet_bytes=2**20) as place:
    assert gcn.aggregate(sparse, numpy.ones((3000, 16)), place)[1].cycles > took.cycles
raises(acis.BadArgument, "engine is 'exact'", gcn.InProcess, "exact")

# Two layers as of PyTorch Geometric, beside SciPy.
nodes = 500
edge_index = generated(nodes, 3000)
x = generator.standard_normal((nodes, 50)).astype("f4")
weights = [generator.standard_normal(shape).astype("f4") for shape in ((50, 16), (16, 21))]
biases = [generator.standard_normal(16).astype("f4"), None]


def with_scipy(loops, normalise, biases):
    matrix = scipy.sparse.coo_matrix((numpy.ones(edge_index.shape[1]), (edge_index[1], edge_index[0])), (nodes, nodes))
    matrix = matrix.tolil()
    if loops:
        matrix.setdiag(1)
    matrix = matrix.tocsr()
    if normalise:
        degree = numpy.asarray(matrix.sum(axis=1)).ravel()
        scale = scipy.sparse.diags([1 / numpy.sqrt(one) if one else 0 for one in degree])
        matrix = scale @ matrix @ scale
    hidden = x.astype("f8")
    for number, weight in enumerate(weights):
        hidden = matrix @ (hidden @ weight.astype("f8"))
        if biases and biases[number] is not None:
            hidden = hidden + biases[number]
        if number + 1 < len(weights):
            hidden = numpy.maximum(hidden, 0)
    return hidden


with gcn.InProcess() as place, gcn.InProcess("model") as exact:
    for loops in (False, True):
        for normalise in (False, True):
            for offsets in (None, biases):
                options = dict(self_loops=loops, normalise=normalise, biases=offsets)
                result = gcn.infer(edge_index, x, weights, place, **options)
                expected, magnitude = gcn.reference(edge_index, x, weights, **options)
                theirs = with_scipy(loops, normalise, offsets)
                assert (abs(expected - theirs) <= 1e-12 * magnitude).all()
                assert (abs(result.output - theirs) <= 1e-6 * magnitude).all()
                assert gcn.error(result.output, (expected, magnitude)) < 1e-6
                assert gcn.infer(edge_index, x, weights, exact, **options).output.tobytes() == result.output.tobytes()
    assert "50 features to 16 columns: 1 pass" in str(result) and "2 passes of 16 columns, the last one with 5" in str(result)
    wrong = result.output.copy()
    wrong[3, 3] += 1
    assert gcn.error(wrong, (expected, magnitude)) > 1e-4
    # A graph without edges, one node, one layer, x and weights of other types.
    none = gcn.infer(numpy.zeros((2, 0), "i8"), x, weights, place)
    assert not none.output.any() and none.output.shape == (nodes, 21) and none.layers[0].aggregation.packets == 0
    one = gcn.infer(numpy.zeros((2, 1), "i4"), numpy.array([[2]]), [numpy.array([[-3.0]])], place)
    assert one.output.tolist() == [[-6.0]]
    # What does not fit.
    def refused(text, edges=edge_index, features=x, matrices=weights, kind=acis.BadArgument, **options):
        raises(kind, text, gcn.infer, edges, features, matrices, place, **options)
    refused("edge_index has elements of type float64", edges=edge_index.astype("f8"))
    refused("the shape (3000,)", edges=numpy.zeros(3000, "i8"))
    far, below = edge_index.copy(), edge_index.copy()
    far[0, 7], below[1, 9] = nodes, -1
    refused("edge_index: entry 7: column 500 is outside of 500 x 500", edges=far)
    refused("edge 9 has the target -1; nodes count from 0", edges=below)
    refused("is there already, in entry 5", edges=numpy.concatenate([edge_index, edge_index[:, 5:6]], axis=1))
    refused("x[4, 1] is nan, which is no finite float32", features=numpy.where(numpy.arange(nodes * 50).reshape(nodes, 50) == 201, numpy.nan, x))
    refused("weights[1][0, 0] is -inf", matrices=[weights[0], weights[1] * numpy.float32("inf")])
    refused("weights[1] is 16 x 21; layer 2 gets 17 features", matrices=[numpy.ones((50, 17)), weights[1]])
    refused("weights[0] is 16 x 21; layer 1 gets 50 features", matrices=weights[1:])
    refused("there are no weights", matrices=[])
    refused("a matrix of numbers is needed", matrices=["w.npy"])
    refused("biases[0] has the shape (3,)", biases=[numpy.ones(3), None])
    refused("there are 1 biases for 2 layers", biases=[None])
    refused("is outside of 400 x 400", features=x[:400])
    refused("does not fit in a float32", features=x * numpy.float32(3e37), kind=acis.Error)
    refused("x has 400 rows, edge_index 500 nodes", edges=gcn.graph(edge_index, nodes), features=x[:400])
    refused("is 499 x 500; an inference needs", edges=gcn.graph(edge_index, nodes).part(0, 499), features=x[:499])
    raises(acis.BadArgument, "the dense matrix is 3 x 2, edge_index 500 x 500", gcn.aggregate, gcn.graph(edge_index, nodes),
           numpy.ones((3, 2)), place)
