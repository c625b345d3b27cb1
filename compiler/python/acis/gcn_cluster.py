"""A graph's rows over the ranks of an MPI program and its columns over what does them: the rank itself, its
neighbours by Allgather, the leaf switch (000 4.2.1). Writes the plans that examples/gcn/mpi reads;
docs/gcn.md has the rule."""
from __future__ import annotations

import math
import pathlib
import typing

import numpy

from acis._arrays import Array
from acis import _gcn_pack
from acis._errors import BadArgument, Error
from acis._gcn_graph import Graph, sorted_graph
from acis._gcn_pack import FEATURES, Packer, Placement, Sizes
from acis._gcn_rows import RowsPlacement, rows_packets

MAGIC = 0x314E4347  # "GCN1"


class Costs(typing.NamedTuple):
    """What the rule of the split counts with. The defaults are those of the publication's cluster: its links,
    MPI's overhead, and an engine that takes 16 non-zeros, or gives a row, in a cycle of 4 ns. That of a load is what
    the simulated cluster takes of 24 hosts: rows to the leaf's first rank, two packets through its switch, and word of it."""
    add_seconds: float = 0.1e-9      #: of a rank, to add a float of a dense row
    message_seconds: float = 14.8e-6  #: of a step of an Allgather
    link_bytes: float = 95.9e9 / 8   #: a second, of a host's link
    beat_seconds: float = 4e-9       #: of an engine, for 64 bytes that come or go
    load_bytes: float = 95.9e9 / 8   #: a second, into a switch's memory
    load_seconds: float = 190e-6     #: of any load


class Part(typing.NamedTuple):
    """Of a rank: rows first to end - 1, and its non-zeros by what does them, with the columns of the whole graph."""
    first: int
    end: int
    diagonal: Graph
    gathered: Graph
    remote: Graph


class Split(typing.NamedTuple):
    """Who gathers from whom: rank r is of the group r // group."""
    group: int
    parts: list[Part]
    seconds: float  #: of an inference without X W, by the costs

    @property
    def nonzeros(self) -> tuple[int, int, int]:
        return (sum(part.diagonal.nonzeros for part in self.parts), sum(part.gathered.nonzeros for part in self.parts),
                sum(part.remote.nonzeros for part in self.parts))


def order_by_metis(graph: Graph, ranks: int) -> tuple[Array, Array]:
    """Nodes in an order in which each rank's follow each other, and where they begin; by METIS, which keeps
    edges between ranks few."""
    try:
        import pymetis  # type: ignore[import]
    except ImportError:
        raise Error("METIS is not there; install pymetis (pip), or take block rows") from None
    row = graph.row_of
    both = numpy.concatenate([row * graph.cols + graph.indices, graph.indices * graph.cols + row])
    source, target = numpy.divmod(numpy.unique(both), graph.cols)
    kept = source != target
    starts = numpy.concatenate([[0], numpy.bincount(source[kept], minlength=graph.rows).cumsum()])
    of = numpy.zeros(graph.rows, "i8") if ranks == 1 else numpy.array(
        pymetis.part_graph(ranks, xadj=starts.tolist(), adjncy=target[kept].tolist())[1])
    return numpy.argsort(of, kind="stable"), numpy.concatenate([[0], numpy.bincount(of, minlength=ranks).cumsum()])


def reordered(graph: Graph, order: Array) -> Graph:
    """The graph with node order[i] as its node i."""
    new = numpy.empty(graph.rows, "i8")
    new[order] = numpy.arange(graph.rows)
    return sorted_graph(graph.rows, graph.cols, new[graph.row_of], new[graph.indices], graph.name)


def block_rows(nodes: int, ranks: int) -> Array:
    return numpy.arange(ranks + 1) * nodes // ranks


def _chosen(graph: Graph, kept: Array) -> Graph:
    counts = numpy.bincount(graph.row_of[kept], minlength=graph.rows)
    return Graph(graph.rows, graph.cols, numpy.concatenate([[0], counts.cumsum()]), graph.indices[kept], graph.name)


def _parts(graph: Graph, offsets: Array, group: int) -> list[Part]:
    parts, ranks = [], len(offsets) - 1
    for rank in range(ranks):
        first, end = int(offsets[rank]), int(offsets[rank + 1])
        rows = graph.part(first, end)
        low, high = offsets[rank // group * group], offsets[min(rank // group * group + group, ranks)]
        own = (rows.indices >= first) & (rows.indices < end)
        near = (rows.indices >= low) & (rows.indices < high) & ~own
        parts.append(Part(first, end, _chosen(rows, own), _chosen(rows, near), _chosen(rows, ~own & ~near)))
    return parts


def _leaf_beats(remote: Graph, kernel: str) -> tuple[int, int]:
    """Beats of a pass that an engine takes for a rank, at least; and rows of its answers."""
    rows = numpy.diff(remote.indptr)
    if kernel == "rows":  # a beat has non-zeros of one row, and its sum leaves while the next is added
        beats = int((-(-rows // 16)).sum())
        return beats, beats
    answers = int(numpy.count_nonzero(rows))
    return -(-remote.nonzeros // 16) + answers, answers


def _seconds(parts: list[Part], offsets: Array, group: int, per_leaf: int, widths: typing.Sequence[int],
             costs: Costs, kernel: str) -> float:
    """The slowest rank's time in all layers: own sums with the Allgather before them, beside what its leaf does; before
    that the load of the leaf. Of a layer that is linear in its width or passes."""
    width, passes = sum(widths), sum(-(-one // FEATURES) for one in widths)
    own = gather = 0.0
    for rank, part in enumerate(parts):
        low = rank // group * group
        rows = offsets[min(low + group, len(parts))] - offsets[low] - (part.end - part.first)
        own = max(own, (part.diagonal.nonzeros + part.gathered.nonzeros) * width * costs.add_seconds)
        gather = max(gather, float(rows) * width * 4 / costs.link_bytes)
    gather += len(widths) * math.ceil(math.log2(group)) * costs.message_seconds
    if not any(part.remote.nonzeros for part in parts):
        return own + gather
    switch = load = 0.0
    for begin in range(0, len(parts), per_leaf):
        remote = [part.remote for part in parts[begin:begin + per_leaf]]
        columns = len(numpy.unique(numpy.concatenate([one.indices for one in remote])))
        load = max(load, columns * FEATURES * 4 * passes / costs.load_bytes + len(widths) * costs.load_seconds)
        taken = [_leaf_beats(one, kernel) for one in remote]
        most = max(max(beats * 64 if kernel == "rows" else one.nonzeros * 4, rows * 64) for one, (beats, rows) in zip(remote, taken))
        switch = max(switch, passes * max(sum(beats for beats, _ in taken) * costs.beat_seconds, most / costs.link_bytes))
    return load + max(own + gather, switch)


def split(graph: Graph, offsets: Array, leaves: int, widths: typing.Sequence[int], costs: Costs = Costs(),
          group: int | None = None, kernel: str = "split") -> tuple[Split, list[tuple[int, float]]]:
    """The split that takes the least time by the costs: groups of 1 rank (all but the diagonal blocks is the
    switches'), of a part of a leaf's ranks, of the ranks of a leaf, or of all (nothing is the switches', the usual Allgather).
    `group` forces a size; `kernel` is the leaves'. Gives the times of all that were looked at, too."""
    ranks = len(offsets) - 1
    if graph.rows != graph.cols:
        raise BadArgument(f"{graph.name} is {graph.rows} x {graph.cols}; an inference needs as many rows as columns")
    if not 1 <= leaves <= ranks or ranks % leaves:
        raise BadArgument(f"{ranks} ranks on {leaves} leaves; each leaf has as many ranks")
    if ranks > graph.rows:
        raise BadArgument(f"{ranks} ranks for {graph.rows} nodes; take at most a rank for each node")
    per_leaf = ranks // leaves
    sizes = sorted({size for size in range(1, per_leaf + 1) if per_leaf % size == 0} | {ranks})
    if group is not None and group not in sizes:
        raise BadArgument(f"groups of {group} ranks; {', '.join(map(str, sizes))} are possible with {per_leaf} ranks on a leaf")
    looked = []
    best: Split | None = None
    for size in sizes:
        parts = _parts(graph, offsets, size)
        seconds = _seconds(parts, offsets, size, per_leaf, widths, costs, kernel)
        looked.append((size, seconds))
        if size == group or (group is None and (best is None or seconds < best.seconds)):
            best = Split(size, parts, seconds)
    assert best is not None
    return best, looked


def _padded(array: Array) -> bytes:
    content = numpy.ascontiguousarray(array).tobytes()
    return content + bytes(-len(content) % 8)


def _image(placement: Placement | RowsPlacement) -> Array:
    """Which of the leaf's columns, by their numbers, each row of a pass in the switch's memory is; -1: none."""
    image = numpy.full(placement.floats // FEATURES, -1)
    image[placement.places] = numpy.searchsorted(numpy.sort(placement.columns), placement.columns)
    return image


def _placement(remote: list[Graph], sizes: Sizes, kernel: str) -> Placement | RowsPlacement:
    """Of a leaf's dense rows, by the columns that its ranks have."""
    cols = remote[0].cols
    indices = numpy.concatenate([one.indices for one in remote])
    if kernel == "split":
        return Placement(numpy.bincount(indices, minlength=cols), sizes)
    lengths = numpy.concatenate([numpy.diff(one.indptr) for one in remote])
    return RowsPlacement(Graph(len(lengths), cols, numpy.concatenate([[0], lengths.cumsum()]), indices), sizes)


def write_plans(folder: str | pathlib.Path, chosen: Split, offsets: Array, leaves: int, features: Array,
                weights: typing.Sequence[Array], sizes: Sizes, kernel: str = "split") -> list[int]:
    """part.0 and so on in `folder`, one for each rank. `kernel` and `sizes` are those of the place that has compiled the leaves'
    handler. Gives the packets of a pass of each."""
    if kernel not in ("split", "rows"):
        raise BadArgument(f"there is no kernel {kernel!r}; take split or rows")
    ranks = len(chosen.parts)
    per_leaf = ranks // leaves
    offloaded = chosen.nonzeros[2]
    counts = []
    placements = [_placement([part.remote for part in chosen.parts[leaf * per_leaf:(leaf + 1) * per_leaf]], sizes, kernel)
                  for leaf in range(leaves)]
    for rank in range(ranks):
        content, packets = _plan(rank, chosen, offsets, features, weights, placements, offloaded)
        counts.append(packets)
        (pathlib.Path(folder) / f"part.{rank}").write_bytes(content)
    return counts


def _packets(remote: Graph, placement: Placement | RowsPlacement) -> tuple[list[_gcn_pack.Packet], Array]:
    """Packets, and the row of each that they answer with: those that have a non-zero; others are not asked for."""
    rows = numpy.flatnonzero(numpy.diff(remote.indptr))
    if not len(rows):
        return [], rows
    asked = Graph(len(rows), remote.cols, numpy.append(remote.indptr[rows], remote.nonzeros), remote.indices, remote.name)
    packets = rows_packets(asked, placement) if isinstance(placement, RowsPlacement) else Packer(asked, placement).packets()
    return packets, numpy.concatenate([rows[packet.rows] for packet in packets])


def _wanted(part: Part, placements: list[Placement | RowsPlacement]) -> list[Array]:
    """The rank's rows that each leaf has in its memory."""
    return [numpy.sort(one.columns[(one.columns >= part.first) & (one.columns < part.end)]) - part.first for one in placements]


def _plan(rank: int, chosen: Split, offsets: Array, features: Array, weights: typing.Sequence[Array],
          placements: list[Placement | RowsPlacement], offloaded: int) -> tuple[bytes, int]:
    part, ranks, leaves = chosen.parts[rank], len(chosen.parts), len(placements)
    per_leaf = ranks // leaves
    leaf = rank // per_leaf
    placement, wanted = placements[leaf], _wanted(part, placements)
    taken = numpy.diff(numpy.searchsorted(numpy.sort(placement.columns), offsets))
    low = rank // chosen.group * chosen.group
    high = min(low + chosen.group, ranks)
    packets, answer_rows = _packets(part.remote, placement)
    length = max((len(packet.words) for packet in packets), default=0)
    words = numpy.zeros((len(packets), length), "u4")
    for row, packet in zip(words, packets):
        row[:len(packet.words)] = packet.words
    bases = [packet.bases for packet in packets]
    image = _image(placement)
    arrays = [
        offsets.astype("i8"), numpy.array([one.shape[1] for one in weights], "i8"),
        part.diagonal.indptr.astype("i8"), (part.diagonal.indices - part.first).astype("i4"),
        part.gathered.indptr.astype("i8"), (part.gathered.indices - offsets[low]).astype("i4"),
        numpy.cumsum([len(packet.rows) for packet in packets]).astype("i8"), answer_rows.astype("i8"),
        numpy.cumsum([len(one) for one in bases]).astype("i8"), numpy.concatenate(bases or [numpy.zeros(0)]).astype("i8"),
        numpy.cumsum([len(one) for one in wanted]).astype("i8"), numpy.concatenate(wanted).astype("i8"),
        taken.astype("i8"), image.astype("i8"), words, features[part.first:part.end].astype("f4"),
        numpy.concatenate([one.astype("f4").reshape(-1) for one in weights])]
    body = b"".join(_padded(array) for array in arrays)
    head = numpy.array([MAGIC, 0, offsets[-1], ranks, rank, len(weights), features.shape[1], low, high, leaf, leaf * per_leaf,
                        leaves, offloaded, len(packets), length, len(image), part.diagonal.nonzeros,
                        part.gathered.nonzeros, len(answer_rows)], "i8")
    head[1] = head.nbytes + len(body)
    return head.tobytes() + body, len(packets)
