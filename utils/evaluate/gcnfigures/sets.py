"""The publications' graphs: from files where they are at hand (ACIS_DATA), else generated."""
import functools
import os
import pathlib
import typing

import numpy

from . import generate
from .kept import Broken

SEED = 1


class Set(typing.NamedTuple):
    """Of 000 table 4.2, and how its like is generated."""
    name: str
    nodes: int
    edges: int
    features: int
    classes: int
    most: int | None     #: edges of the node that has most (docs/gcn-figures.md says from where); None: S is assumed to be 1/2
    processes: int       #: of MPI, on a node of the publication's cluster
    scale: int           #: what is simulated has a part of nodes and edges: one in so many
    load: float | None   #: ms in which the right-hand matrix comes into a switch (section 4.6.2)
    faster: float | None  #: with switches, of the whole, on 24 nodes (figure 4.12)
    idle: int | None      #: percent of tiles that are skipped

    def skew(self):
        return 0.5 if self.most is None else generate.skew_of(self.nodes, self.edges, self.most)


ALL = {one.name: one for one in (
    Set("PPI", 2372, 34113, 50, 121, 287, 1, 1, 0.2, 2.2, None),
    Set("Citeseer", 3327, 9464, 3703, 6, 99, 1, 1, 0.1, 2.0, None),
    Set("Pubmed", 19717, 88676, 500, 3, 171, 1, 1, 0.1, 1.1, None),
    Set("ogbn-mag", 736389, 5416271, 128, 349, None, 24, 64, 48.3, 1.4, 77),
    Set("ogbn-products", 2449029, 61859140, 100, 47, 17481, 24, 128, 32.2, 10.1, 27))}


class Graph(typing.NamedTuple):
    """Rows of column numbers: those of row r are columns[starts[r]:starts[r + 1]]."""
    starts: numpy.ndarray
    columns: numpy.ndarray
    generated: bool
    scale: int

    @property
    def nodes(self):
        return len(self.starts) - 1

    @property
    def edges(self):
        return len(self.columns)


def at_hand(name):
    """The file of a graph, or None."""
    folder = os.environ.get("ACIS_DATA")
    path = pathlib.Path(folder) / f"graphs/{name}_A.txt" if folder else None
    return path if path and path.exists() else None


def publication(name):
    """The file of numbers of the authors' public data, or None."""
    folder = os.environ.get("ACIS_DATA")
    path = pathlib.Path(folder) / f"paper/{name}.csv" if folder else None
    return path if path and path.exists() else None


def read(name):
    """A graph that is at hand."""
    import acis
    from acis import gcn
    try:
        graph = gcn.read_graph(at_hand(name))
    except acis.BadArgument as problem:
        raise Broken(f"{problem}; mend the file, or leave it out, and the graph is generated") from None
    return Graph(graph.indptr, graph.indices.astype("i4"), False, 1)


@functools.lru_cache(maxsize=2)
def graph(name, scale=1):
    """At full size, or one in `scale` of its nodes and edges, whose law of degrees is the same."""
    one = ALL[name]
    if at_hand(name) and scale == 1:
        return read(name)
    return Graph(*generate.generated(one.nodes // scale, one.edges // scale, one.skew(), SEED), True, scale)
