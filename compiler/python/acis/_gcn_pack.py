"""A graph as packets of the handler gcn_split (examples/gcn/split.c): where each dense row lies in the
switch's memory, and the non-zeros in the order in which they are added.

The order of sums. Dense rows have a place: a round, from 0 on, and a VPE. A row of the result is, for
each VPE, 0 plus its dense rows of that VPE in the order of their rounds; then the sums of VPE 0, 1, 2 ..
are added, from the first on. Only a row that does not fit in one packet is cut, at rounds; its parts are
added at the host in their order.
"""
from __future__ import annotations

import typing

import numpy

from acis._arrays import Array
from acis._errors import BadArgument
from acis._gcn_graph import Graph

FEATURES = 16     #: columns of a pass
HEAD_WORDS = 16   #: of a packet, and of each of its tiles
DUMMY_ROWS = 16   #: the last rows of the accumulator, which padding is added to


class Sizes(typing.NamedTuple):
    """What the handler is compiled for, and how long its packets may be."""
    vpes: int
    dense_rows: int      #: that a VPE holds of a tile (SPLIT_X)
    result_rows: int     #: that a packet has (SPLIT_ROWS without those of padding)
    packet_bytes: int    #: of a packet, and of its answer

    @property
    def defines(self) -> dict[str, int]:
        return {"SPLIT_X": self.dense_rows, "SPLIT_ROWS": self.result_rows + DUMMY_ROWS}


class Placement:
    """Where dense rows lie: those with most non-zeros first, VPEs with about the same number of
    non-zeros each. The same for all hosts that use the same degrees."""

    def __init__(self, degrees: Array, sizes: Sizes):
        vpes = sizes.vpes
        used = numpy.flatnonzero(degrees)
        used = used[numpy.lexsort((used, -degrees[used]))]
        self.sizes = sizes
        self.rounds = -(-len(used) // vpes)
        self.round = numpy.full(len(degrees), -1)
        self.vpe = numpy.full(len(degrees), -1)
        self.round[used] = numpy.arange(len(used)) // vpes
        load = numpy.zeros(vpes, "i8")
        for first in range(0, len(used), vpes):  # the heaviest one of a round to the VPE with the least
            columns = used[first:first + vpes]
            to = numpy.argsort(load, kind="stable")[:len(columns)]
            self.vpe[columns] = to
            load[to] += degrees[columns]
        self.columns = used  #: those with a non-zero

    @property
    def tiles(self) -> int:
        return -(-self.rounds // self.sizes.dense_rows)

    def rounds_of(self, tile: int) -> int:
        return min(self.sizes.dense_rows, self.rounds - tile * self.sizes.dense_rows)

    def base(self, tile: int) -> int:
        """First float of a tile in the memory of a pass."""
        return tile * self.sizes.dense_rows * self.sizes.vpes * FEATURES

    @property
    def floats(self) -> int:
        """Of the memory of a pass."""
        return self.rounds * self.sizes.vpes * FEATURES

    @property
    def places(self) -> Array:
        """Where in the memory of a pass, in rows of 16 floats, the dense rows `columns` are."""
        tile, index = numpy.divmod(self.round[self.columns], self.sizes.dense_rows)
        in_tile = numpy.minimum(self.sizes.dense_rows, self.rounds - tile * self.sizes.dense_rows)
        places: Array = tile * self.sizes.dense_rows * self.sizes.vpes + self.vpe[self.columns] * in_tile + index
        return places

    def image(self, dense: Array) -> Array:
        """The memory of a pass, of up to 16 columns."""
        image = numpy.zeros((self.rounds * self.sizes.vpes, FEATURES), "f4")
        image[self.places, :dense.shape[1]] = dense[self.columns]
        return image.reshape(-1)


class Packet(typing.NamedTuple):
    """An invocation of a handler."""
    rows: Array    #: the row of the result that each row of the answer is added to
    words: Array
    bases: Array   #: which words are a tile's base
    padding: int           #: words that add nothing

    def of_pass(self, number: int, placement: typing.Any) -> Array:
        """The words for a pass, whose memory lies behind that of those before it."""
        words = self.words.copy()
        words[self.bases] += numpy.uint32(number * placement.floats)
        return words

    @property
    def answer_bytes(self) -> int:
        return len(self.rows) * FEATURES * 4


class Packer:
    """Cuts a graph into packets."""

    def __init__(self, graph: Graph, placement: Placement):
        self.placement, self.sizes, self.rows = placement, placement.sizes, graph.rows
        row = graph.row_of
        order = numpy.lexsort((placement.vpe[graph.indices], placement.round[graph.indices], row))
        self.indices = graph.indices[order]  #: the columns of each row in the order of their rounds
        self.row, self.indptr = row, graph.indptr
        round_of = placement.round[self.indices]
        if len(round_of) and round_of.min() < 0:
            raise BadArgument(f"column {self.indices[round_of.argmin()]} of {graph.name} is not in the switch's memory; "
                              "place the dense rows by the degrees of the whole graph")
        self.round = round_of
        self.group = round_of // self.sizes.dense_rows * self.sizes.vpes + placement.vpe[self.indices]

    def _bytes(self, low: int, high: int) -> int:
        """Of the packet with these non-zeros."""
        beats = self._beats(self.group[low:high])[1]
        tiles = max(1, numpy.count_nonzero(beats))
        return 4 * (HEAD_WORDS * (1 + tiles) + self.sizes.vpes * int(beats.sum()))

    def _beats(self, group: Array) -> tuple[Array, Array]:
        """Non-zeros by tile and VPE, and beats by tile."""
        if not len(group):
            return numpy.zeros((0, self.sizes.vpes), "i8"), numpy.zeros(0, "i8")
        tiles = int(group.max()) // self.sizes.vpes + 1
        counts = numpy.bincount(group, minlength=tiles * self.sizes.vpes).reshape(tiles, -1)
        return counts, counts.max(axis=1)

    def _most(self, least: int, most: int, fits: typing.Callable[[int], bool]) -> int:
        """The largest number that fits; `least` is taken to, and fits() falls once."""
        if fits(most):
            return most
        while most - least > 1:
            middle = (least + most) // 2
            least, most = (middle, most) if fits(middle) else (least, middle)
        return least

    def packets(self) -> list[Packet]:
        limit = self.sizes.packet_bytes
        most_rows = min(self.sizes.result_rows, limit // (FEATURES * 4) - 1)  # and a beat for the answer's tag
        result, first = [], 0
        while first < self.rows:
            start = int(self.indptr[first])
            end = self._most(first, min(first + most_rows, self.rows),
                             lambda to: self._bytes(start, int(self.indptr[to])) <= limit)
            if end > first:
                result.append(self._packet(first, end, start, int(self.indptr[end])))
                first = end
                continue
            stop = int(self.indptr[first + 1])  # a row that is cut
            while start < stop:
                part = self._most(start, stop, lambda to: self._bytes(start, to) <= limit)
                if part == start:
                    raise BadArgument(f"packets of {limit} bytes do not hold one non-zero; {4 * (2 * HEAD_WORDS + self.sizes.vpes)} "
                                      "are the least")
                result.append(self._packet(first, first + 1, start, part))
                start = part
            first += 1
        return result

    def _packet(self, first: int, end: int, low: int, high: int) -> Packet:
        vpes, group = self.sizes.vpes, self.group[low:high]
        row = self.row[low:high] - first
        counts, beats = self._beats(group)
        tiles = numpy.flatnonzero(beats)
        if not len(tiles):
            tiles, beats = numpy.zeros(1, "i8"), numpy.zeros(1, "i8")
        starts = HEAD_WORDS + numpy.concatenate([[0], (HEAD_WORDS + beats[tiles] * vpes).cumsum()])
        words = numpy.zeros(starts[-1], "u4")
        words[0] = len(tiles)
        for tile, start in zip(tiles.tolist(), starts.tolist()):
            count = int(beats[tile])
            is_last = tile == tiles[-1]
            rounds = self.placement.rounds_of(tile) if count else 0
            words[start:start + 4] = (self.placement.base(tile), rounds, count, end - first if is_last else 0)
            dummy = (self.sizes.result_rows + numpy.arange(count) % DUMMY_ROWS) << 16
            words[start + HEAD_WORDS:start + HEAD_WORDS + count * vpes] = numpy.repeat(dummy, vpes)
        if high > low:
            order, beat = _in_turn(group, row)
            tile_start = numpy.zeros(len(beats), "i8")
            tile_start[tiles] = starts[:-1] + HEAD_WORDS
            tile, vpe = numpy.divmod(group[order], vpes)
            index = self.round[low:high][order] - tile * self.sizes.dense_rows
            words[tile_start[tile] + beat * vpes + vpe] = row[order] << 16 | index
        padding = int(beats.sum()) * vpes - (high - low)
        return Packet(numpy.arange(first, end), words, starts[:-1], padding)


def _in_turn(group: Array, row: Array) -> tuple[Array, Array]:
    """An order of non-zeros that come by row, and the number of each within its group. Those of a row and
    group stay in order, and are spread over the group's as evenly as can be: an addition takes cycles that
    the next one to the same sum would wait for."""
    order = numpy.lexsort((row, group))  # stable
    key = group[order] * (int(row.max()) + 1) + row[order]
    begins = numpy.flatnonzero(numpy.concatenate([[True], key[1:] != key[:-1]]))
    length = numpy.diff(numpy.concatenate([begins, [len(key)]]))
    number = numpy.arange(len(key)) - numpy.repeat(begins, length)
    # Rows begin at different places, so that those with as many non-zeros do not meet (golden ratio).
    phase = (row[order] * 0.6180339887498949) % 1.0
    when = (number + phase) / numpy.repeat(length, length)
    turn = numpy.lexsort((when, group[order]))
    order = order[turn]
    sorted_group = group[order]
    begin = numpy.searchsorted(sorted_group, sorted_group, side="left")
    return order, numpy.arange(len(order)) - begin
