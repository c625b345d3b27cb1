"""Graphs as rows of column numbers, and their products in double precision."""
from __future__ import annotations

import typing

import numpy

from acis._arrays import Array
from acis import _graph_files
from acis._errors import BadArgument


class Graph:
    """A sparse matrix of ones. Row r has the columns indices[indptr[r]:indptr[r + 1]], which rise. From
    read_graph() or graph()."""

    def __init__(self, rows: int, cols: int, indptr: Array, indices: Array, name: str = "the graph"):
        self.rows, self.cols, self.indptr, self.indices, self.name = rows, cols, indptr, indices, name

    @property
    def nonzeros(self) -> int:
        return len(self.indices)

    def __repr__(self) -> str:
        return f"<acis.gcn.Graph {self.name}: {self.rows} x {self.cols}, {self.nonzeros} non-zeros>"

    @property
    def row_of(self) -> Array:
        """The row of each non-zero."""
        return numpy.repeat(numpy.arange(self.rows), numpy.diff(self.indptr))

    def part(self, first: int, end: int) -> Graph:
        """Rows `first` to `end` - 1, as rows from 0 on."""
        start, stop = self.indptr[first], self.indptr[end]
        return Graph(end - first, self.cols, self.indptr[first:end + 1] - start, self.indices[start:stop], self.name)

    def with_self_loops(self) -> Graph:
        """The same with every node leading to itself."""
        loops = numpy.arange(min(self.rows, self.cols))
        row = self.row_of
        missing = numpy.setdiff1d(loops, row[row == self.indices])
        return sorted_graph(self.rows, self.cols, numpy.concatenate([row, missing]),
                            numpy.concatenate([self.indices, missing]), self.name)


def sorted_graph(rows: int, cols: int, row: Array, col: Array, name: str) -> Graph:
    """Of entries in any order, which are within the matrix and at different places."""
    order = numpy.lexsort((col, row))
    indptr = numpy.concatenate([[0], numpy.bincount(row, minlength=rows).cumsum()])
    return Graph(rows, cols, indptr, col[order].astype("i8"), name)


def _graph(entries: _graph_files.Entries, name: str) -> Graph:
    _graph_files.check_single(entries)
    if entries.value is not None:
        _graph_files.check_numbers(entries.value, entries.place)
        for i in numpy.flatnonzero(entries.value != 1)[:1]:
            file, line = entries.place(int(i))
            raise BadArgument(f"{'' if line else f'entry {i}: '}the value is {entries.value[i]}; a graph's entries are 1: "
                              "scale features and results instead (normalise)", file, line)
    return sorted_graph(entries.rows, entries.cols, entries.row, entries.col, name)


def read_graph(path: _graph_files.Path, nodes: int | None = None) -> Graph:
    """A graph of a file: coordinate text, MatrixMarket, SciPy's .npz, an edge list, or an edge_index as .npy.
    Raises BadArgument with file and line. `nodes` is for the last two, whose nodes are those that edges
    name if it is not given."""
    return _graph(_graph_files.read_entries(path, nodes), str(path))


def read_matrix(path: _graph_files.Path) -> Array:
    """Features or weights of a file, float32: .npy, or a matrix in a format of graphs with any values."""
    return _graph_files.read_dense(path)


def graph(edge_index: typing.Any, nodes: int | None = None) -> Graph:
    """Of an edge_index as of PyTorch Geometric: 2 x edges, sources and targets. A node sums those that lead to
    it."""
    if isinstance(edge_index, Graph):
        return edge_index
    index = numpy.asarray(edge_index)
    if index.ndim != 2 or index.shape[0] != 2 or index.dtype.kind not in "iu":
        raise BadArgument(f"edge_index has elements of type {index.dtype} and the shape {index.shape}; integers of the "
                          "shape (2, edges) are needed")
    try:
        return _graph(_graph_files.edges(index[0], index[1], nodes, ""), "edge_index")
    except BadArgument as problem:
        raise BadArgument(f"edge_index: {problem.message}") from None


def product(graph: Graph, dense: Array) -> Array:
    """graph x dense in double precision."""
    row = graph.row_of
    out = numpy.empty((graph.rows, dense.shape[1]))
    for column in range(dense.shape[1]):
        out[:, column] = numpy.bincount(row, weights=dense[graph.indices, column], minlength=graph.rows)
    return out
