"""A graph as packets of the handler gcn_rows (examples/gcn/rows.c), which sums a part of one row in a beat: for rows with
few non-zeros. Where each dense row lies is chosen so that those of a row are on different VPEs.

The order of sums. Of a row, beat k has for each VPE the k-th of its dense rows there, in the order of columns, or 0. In a beat
VPE 0 and 1 are added, 2 and 3, and so on; then these sums from the first on. Beats of a row are added at the host.
"""
from __future__ import annotations

import numpy

from acis._arrays import Array
from acis._errors import BadArgument
from acis._gcn_graph import Graph
from acis._gcn_pack import FEATURES, HEAD_WORDS, Packet, Sizes


class RowsPlacement:
    """Where dense rows lie: columns with most non-zeros first, each where its rows have the fewest others that would take
    another beat. Of one dense tile."""

    def __init__(self, graph: Graph, sizes: Sizes):
        vpes = self.vpes = sizes.vpes
        self.sizes = sizes
        by_column = numpy.lexsort((graph.row_of, graph.indices))
        rows = graph.row_of[by_column]
        degrees = numpy.bincount(graph.indices, minlength=graph.cols)
        starts = numpy.concatenate([[0], degrees.cumsum()])
        self.columns = numpy.flatnonzero(degrees)
        #: Beats that a row takes at least.
        least = -(-numpy.diff(graph.indptr) // vpes)
        most = max(1, -(-len(self.columns) // vpes) + 8)
        if most >= sizes.dense_rows:
            raise BadArgument(f"{len(self.columns)} columns have non-zeros; kernel rows has room for "
                              f"{(sizes.dense_rows - 9) * vpes}: take kernel split")
        count = numpy.zeros((graph.rows, vpes), "i4")
        load = numpy.zeros(vpes, "i8")
        self.vpe, self.index = numpy.full(graph.cols, -1), numpy.full(graph.cols, -1)
        for column in numpy.argsort(-degrees, kind="stable")[:len(self.columns)]:
            mine = rows[starts[column]:starts[column + 1]]
            longest = numpy.maximum(count[mine].max(axis=1), least[mine])
            longer = (count[mine] >= longest[:, None]).sum(axis=0)
            vpe = int(numpy.lexsort((load, longer, load >= most))[0])
            self.vpe[column], self.index[column] = vpe, load[vpe]
            load[vpe] += 1
            count[mine, vpe] += 1
        self.dense_rows = int(load.max())

    @property
    def floats(self) -> int:
        """Of the memory of a pass."""
        return self.dense_rows * self.vpes * FEATURES

    @property
    def places(self) -> Array:
        """Where in the memory of a pass, in rows of 16 floats, the dense rows `columns` are."""
        places: Array = self.vpe[self.columns] * self.dense_rows + self.index[self.columns]
        return places

    def image(self, dense: Array) -> Array:
        """The memory of a pass, of up to 16 columns."""
        image = numpy.zeros((self.vpes, self.dense_rows, FEATURES), "f4")
        image[self.vpe[self.columns], self.index[self.columns], :dense.shape[1]] = dense[self.columns]
        return image.reshape(-1)


def rows_packets(graph: Graph, placement: RowsPlacement) -> list[Packet]:
    """Packets of as many beats as one and its answer hold; a row may begin in one and end in the next."""
    sizes = placement.sizes
    key = graph.row_of * sizes.vpes + placement.vpe[graph.indices]
    order = numpy.argsort(key, kind="stable")
    key = key[order]
    turn = numpy.arange(len(key)) - numpy.searchsorted(key, key)  # of a row's on a VPE
    row, vpe = numpy.divmod(key, sizes.vpes)
    beats = numpy.zeros(graph.rows, "i8")
    numpy.maximum.at(beats, row, turn + 1)
    starts = numpy.concatenate([[0], beats.cumsum()])
    words = numpy.full((starts[-1], sizes.vpes), sizes.dense_rows - 1, "u4")
    words[starts[row] + turn, vpe] = placement.index[graph.indices[order]]
    answers = numpy.repeat(numpy.arange(graph.rows), beats)
    most = min(sizes.packet_bytes // (4 * FEATURES) - 1, (sizes.packet_bytes // 4 - HEAD_WORDS) // sizes.vpes)
    if most < 1:
        raise BadArgument(f"packets of {sizes.packet_bytes} bytes do not hold a beat; {4 * (HEAD_WORDS + sizes.vpes)} are the least")
    result = []
    for first in range(0, len(words), most):
        part = words[first:first + most]
        head = numpy.zeros(HEAD_WORDS, "u4")
        head[0], head[4], head[5] = 1, placement.dense_rows, len(part)
        result.append(Packet(answers[first:first + most], numpy.concatenate([head, part.reshape(-1)]), numpy.array([3]),
                             int((part == sizes.dense_rows - 1).sum())))
    return result
