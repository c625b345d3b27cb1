"""Graph convolutions whose sums over neighbours are done by a handler, in this process or in a switch.

    import numpy
    from acis import gcn

    with gcn.InProcess(engine="model") as place:
        result = gcn.infer(edge_index, x, [w1, w2], place)
    print(result.output, result)

A layer is A (X W), and ReLU but for the last one. A is 0/1: row i sums what leads to node i. X W is
computed here. docs/gcn.md says what columns and packets there are, and in which order sums are added.
"""
from __future__ import annotations

import math
import time
import typing

import numpy

from acis._arrays import Array
from acis._errors import BadArgument, Error
from acis._gcn_graph import Graph, graph, product, read_graph, read_matrix
from acis._gcn_pack import FEATURES, Packet
from acis._gcn_places import InProcess, InSwitch, InSwitches
from acis._graph_files import as_dense

__all__ = ["Aggregation", "Graph", "InProcess", "InSwitch", "InSwitches", "Layer", "Result", "aggregate", "error", "graph", "infer",
           "read_graph", "read_matrix", "reference"]


#: Where the sums are done.
Place = typing.Union[InProcess, InSwitch, InSwitches]


class Aggregation(typing.NamedTuple):
    """What an aggregation took."""
    passes: int           #: over the graph, each with up to 16 columns
    loads: int            #: of the memory, with as many passes as it holds
    memory_bytes: int     #: of all loads
    packets: int
    bytes_sent: int
    bytes_received: int
    nonzeros: int         #: of a pass
    padding: int          #: words of a pass that add nothing
    cycles: int | None    #: of engine "model"
    seconds: float


class Layer(typing.NamedTuple):
    """What a layer took."""
    features: int
    width: int
    combine_seconds: float
    aggregation: Aggregation

    def __str__(self) -> str:
        a = self.aggregation
        rule = f"{self.features} features to {self.width} columns: {passes_rule(self.width)}"
        cost = (f"{a.packets} packets, {a.bytes_sent} bytes sent, {a.bytes_received} received, {a.memory_bytes} of memory "
                f"in {a.loads} {'load' if a.loads == 1 else 'loads'}; {a.padding} words of padding beside {a.nonzeros} "
                "non-zeros in a pass")
        took = f"combination {self.combine_seconds * 1e3:.1f} ms, aggregation {a.seconds * 1e3:.1f} ms"
        return f"{rule}\n  {cost}\n  {took}" + (f", {a.cycles} cycles" if a.cycles is not None else "")


class Result(typing.NamedTuple):
    """Of infer(): float32, a row for each node; and what each layer took."""
    output: Array
    layers: list[Layer]

    def __str__(self) -> str:
        return "\n".join(f"layer {number}: {layer}" for number, layer in enumerate(self.layers, 1))


def passes_rule(width: int) -> str:
    """How columns are cut into passes, in words."""
    passes = -(-width // FEATURES)
    last = width - (passes - 1) * FEATURES
    if passes == 1:
        return f"1 pass, {FEATURES - last} of its {FEATURES} columns empty" if last < FEATURES else "1 pass"
    return f"{passes} passes of {FEATURES} columns, the last one with {last}"


def aggregate(graph: Graph, dense: Array, place: Place, placement: typing.Any = None) \
        -> tuple[Array, Aggregation]:
    """graph x dense. `dense` has float32 elements. `placement` is where its rows lie, of
    place.placement(), by default that of this graph."""
    begun = time.perf_counter()
    dense = as_dense(dense, "the dense matrix")
    if dense.shape[0] != graph.cols or not dense.shape[1]:
        raise BadArgument(f"the dense matrix is {dense.shape[0]} x {dense.shape[1]}, {graph.name} {graph.rows} x {graph.cols}; "
                          f"it has {graph.cols} rows, and columns")
    placement = placement or place.placement(graph)
    packets = place.packets(graph, placement)
    passes = -(-dense.shape[1] // FEATURES)
    held = _passes_held(placement, place, passes)
    out = numpy.zeros((graph.rows, dense.shape[1]), "f4")
    loads = sent = received = 0
    cycles: int | None = None
    for begin in range(0, passes if graph.nonzeros else 0, held):
        columns = [slice(number * FEATURES, min((number + 1) * FEATURES, dense.shape[1]))
                   for number in range(begin, min(begin + held, passes))]
        image = numpy.concatenate([placement.image(dense[:, one]) for one in columns])
        stream = [packet.of_pass(number, placement) for number in range(len(columns)) for packet in packets]
        answers, used = place.run(image, stream, [packet.answer_bytes for packet in packets] * len(columns))
        for number, one in enumerate(columns):
            _collect(out[:, one], packets, answers[number * len(packets):])
        loads += 1
        sent += sum(words.nbytes for words in stream)
        received += sum(answer.nbytes for answer in answers)
        cycles = used if cycles is None or used is None else cycles + used
    if not numpy.isfinite(out).all():
        raise Error(f"a sum of {graph.name} does not fit in a float32; scale the features or weights down")
    return out, Aggregation(passes, loads, 4 * placement.floats * passes if loads else 0, len(packets) * passes if loads else 0,
                            sent, received, graph.nonzeros, sum(packet.padding for packet in packets), cycles,
                            time.perf_counter() - begun)


def _passes_held(placement: typing.Any, place: Place, passes: int) -> int:
    """Passes whose dense rows are in the memory at the same time."""
    one = 4 * placement.floats
    if one > place.memory_bytes:
        raise BadArgument(f"{FEATURES} columns of {len(placement.columns)} dense rows have {one} bytes, the memory "
                          f"{place.memory_bytes}; take a graph with fewer columns, or a part of its rows, on each switch")
    return passes if not one else max(1, min(passes, int(place.memory_bytes // one)))


def _collect(out: Array, packets: list[Packet], answers: list[Array]) -> None:
    for packet, answer in zip(packets, answers):
        # In order: a row may have several parts, also in one packet.
        numpy.add.at(out, packet.rows, answer.reshape(-1, FEATURES)[:, :out.shape[1]])


def _scales(graph: Graph) -> Array:
    """The normalisation of Kipf and Welling: 1 / sqrt(degree), 0 where no edge leads to a node."""
    degree = numpy.diff(graph.indptr)
    with numpy.errstate(divide="ignore"):
        return numpy.where(degree > 0, 1 / numpy.sqrt(degree), 0)


def _inputs(edge_index: typing.Any, x: typing.Any, weights: typing.Sequence[typing.Any], biases: typing.Any,
            self_loops: bool) -> tuple[Graph, Array, list[Array], list[Array | None]]:
    """What infer() is given, checked."""
    features = as_dense(x, "x")
    whole = graph(edge_index, features.shape[0])
    if whole.rows != whole.cols:
        raise BadArgument(f"{whole.name} is {whole.rows} x {whole.cols}; an inference needs as many rows as columns")
    if features.shape[0] != whole.rows:
        raise BadArgument(f"x has {features.shape[0]} rows, {whole.name} {whole.rows} nodes; give a row for each node")
    matrices = [as_dense(one, f"weights[{i}]") for i, one in enumerate(weights)]
    if not matrices:
        raise BadArgument("there are no weights; give a matrix for each layer")
    width = features.shape[1]
    for i, one in enumerate(matrices):
        if one.shape[0] != width or not one.shape[1]:
            raise BadArgument(f"weights[{i}] is {one.shape[0]} x {one.shape[1]}; layer {i + 1} gets {width} features, so it "
                              f"has {width} rows, and columns")
        width = one.shape[1]
    given: list[Array | None] = [None] * len(matrices) if biases is None else list(biases)
    if len(given) != len(matrices):
        raise BadArgument(f"there are {len(given)} biases for {len(matrices)} layers; give one for each, or None")
    for i, bias in enumerate(given):
        if bias is None:
            continue
        row = given[i] = as_dense(numpy.atleast_2d(numpy.asarray(bias)), f"biases[{i}]")
        if row.shape != (1, matrices[i].shape[1]):
            raise BadArgument(f"biases[{i}] has the shape {numpy.shape(bias)}; layer {i + 1} has {matrices[i].shape[1]} columns")
    return (whole.with_self_loops() if self_loops else whole), features, matrices, given


def infer(edge_index: typing.Any, x: typing.Any, weights: typing.Sequence[typing.Any], place: Place, *,
          biases: typing.Sequence[typing.Any] | None = None, self_loops: bool = False, normalise: bool = False) -> Result:
    """The layers of a graph convolutional network, one for each matrix of `weights` (features x columns).

    `edge_index` is a Graph, or sources and targets as of PyTorch Geometric; `x` has a row of features
    for each node. `biases` are added to a layer's sums. `self_loops` and `normalise` are those of
    GCNConv, which has both: every node leads to itself; and an edge weighs 1 / sqrt(the product of the
    degrees of its ends), which is done to features and results, as the matrix in the switch is 0/1.
    """
    whole, hidden, matrices, offsets = _inputs(edge_index, x, weights, biases, self_loops)
    scale = _scales(whole).astype("f4")[:, None] if normalise else None
    placement = place.placement(whole)
    layers = []
    for number, (matrix, offset) in enumerate(zip(matrices, offsets), 1):
        begun = time.perf_counter()
        with numpy.errstate(over="ignore", invalid="ignore"):
            combined = hidden @ matrix
        combined = combined if scale is None else combined * scale
        if not numpy.isfinite(combined).all():
            raise Error(f"layer {number}: an element of X W does not fit in a float32; scale the features or weights down")
        combine = time.perf_counter() - begun
        sums, took = aggregate(whole, combined, place, placement)
        sums = sums if scale is None else sums * scale
        sums = sums if offset is None else sums + offset
        layers.append(Layer(hidden.shape[1], matrix.shape[1], combine, took))
        hidden = sums if number == len(matrices) else numpy.maximum(sums, 0)
    return Result(hidden, layers)


def reference(edge_index: typing.Any, x: typing.Any, weights: typing.Sequence[typing.Any], *,
              biases: typing.Sequence[typing.Any] | None = None, self_loops: bool = False, normalise: bool = False) \
        -> tuple[Array, Array]:
    """What infer() gives, in double precision; and for each element the same sum of magnitudes, which
    rounding errors are to be compared with."""
    whole, features, matrices, offsets = _inputs(edge_index, x, weights, biases, self_loops)
    scale: Array | float = _scales(whole)[:, None] if normalise else 1.0
    hidden: Array = features.astype("f8")
    magnitude: Array = abs(hidden)
    for number, (matrix, offset) in enumerate(zip(matrices, offsets), 1):
        offset = numpy.zeros((1, matrix.shape[1])) if offset is None else offset.astype("f8")
        hidden = scale * product(whole, scale * (hidden @ matrix.astype("f8"))) + offset
        magnitude = scale * product(whole, scale * (magnitude @ abs(matrix.astype("f8")))) + abs(offset)
        hidden = hidden if number == len(matrices) else numpy.maximum(hidden, 0)
    return hidden, magnitude


def error(output: Array, expected: tuple[Array, Array]) -> float:
    """The largest difference from reference()'s result, in parts of the sum of magnitudes."""
    value, magnitude = expected
    difference = abs(output - value)
    wrong = (magnitude == 0) & (difference != 0)
    if wrong.any():
        return math.inf
    return float((difference / numpy.where(magnitude > 0, magnitude, 1)).max(initial=0.0))
