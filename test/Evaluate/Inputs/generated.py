"""Generated graphs have the nodes, edges, and skew that they are asked for, and no edge twice."""
import pathlib
import sys

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "utils/evaluate"))
from gcnfigures import generate, sets

for nodes, edges, most in ((1, 1, 1), (3000, 9000, 90), (1767, 34085, 287), (200, 20000, 150), (12, 140, 12), (5000, 5000, 1), (100, 100, 100)):
    starts, columns = generate.generated(nodes, edges, generate.skew_of(nodes, edges, most), seed=5)
    degree, meets = numpy.diff(starts), numpy.bincount(columns, minlength=nodes)
    rows = numpy.repeat(numpy.arange(nodes), degree)
    assert len(degree) == nodes and len(columns) == edges and len(numpy.unique(rows * nodes + columns)) == edges, (nodes, edges)
    assert columns.min() >= 0 and columns.max() < nodes and degree.min() >= 0
    assert all((numpy.diff(columns[a:b]) > 0).all() for a, b in zip(starts, starts[1:])), "columns of a row rise"
    assert abs(degree.max() - most) <= max(1, most / 50), (degree.max(), most)
    if most < nodes / 20:  # a node is as often a column as it has columns itself, but for doubles
        assert abs(degree - meets).max() <= max(8, most / 5), abs(degree - meets).max()

# The law: a node at place r has most / r^S edges, so 100 times as many nodes are as many times smaller.
degree = generate.degrees(100000, 700000, 0.5)
assert degree.sum() == 700000 and abs(degree[0] / degree[99] - 10) < 0.5, (degree[0], degree[99])
most, percent, tenth = generate.skewness(degree)
assert abs(percent - 0.1) < 0.01 and abs(tenth - 0.3162) < 0.01, (percent, tenth)

# Those of the publications, without their edges.
for one in sets.ALL.values():
    degree = generate.degrees(one.nodes, one.edges, one.skew())
    assert len(degree) == one.nodes and degree.sum() == one.edges
    assert one.most is None or abs(degree.max() - one.most) <= 1, (one.name, degree.max())

# SciPy reads the file.
if len(sys.argv) > 1:
    import scipy.sparse
    matrix = scipy.sparse.load_npz(sys.argv[1])
    assert matrix.shape == (3000, 3000) and matrix.nnz == 9000 and matrix.sum() == 9000, matrix
