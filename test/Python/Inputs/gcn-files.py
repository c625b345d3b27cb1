"""usage: gcn-files.py FOLDER

Graphs, features and weights of files: every format gives the same, and what is wrong is said with its place."""
import os
import sys

import numpy
import scipy.io
import scipy.sparse

sys.path.insert(0, os.path.dirname(__file__))
import acis
from acis import gcn
from raises import raises

os.chdir(sys.argv[1])
generator = numpy.random.default_rng(3)


def write(name, text):
    with open(name, "w") as file:
        file.write(text)
    return name


def lines(*rows):
    return "".join(f"{row}\n" for row in rows)


# One graph in all formats; and with a line for each entry behind comments and empty lines.
matrix = scipy.sparse.random(60, 60, 0.05, "coo", random_state=generator, data_rvs=numpy.ones)
pairs = list(zip(matrix.row.tolist(), matrix.col.tolist()))
entries = [f"{row} {col} 1" for row, col in pairs]
write("counted.txt", lines("60 60", len(pairs), *entries))
write("plain.txt", lines("# a graph", "", "60\t60", *(f"{row} {col} 1.0" for row, col in pairs), ""))
write("edges.txt", lines("# source target", *(f"{col}\t{row}" for row, col in pairs)))
write("crlf.txt", "".join(f"{line}\r\n" for line in ("60 60", len(pairs), *entries)))
scipy.io.mmwrite("real.mtx", matrix)
scipy.io.mmwrite("integer.mtx", matrix.astype("i4"))
write("pattern.mtx", lines("%%MatrixMarket matrix coordinate pattern general", "% comment", f"60 60 {len(pairs)}",
                           *(f"{row + 1} {col + 1}" for row, col in pairs)))
for kind in ("csr", "csc", "coo"):
    scipy.sparse.save_npz(f"{kind}.npz", matrix.asformat(kind))
numpy.save("index.npy", numpy.array([matrix.col, matrix.row]))
expected = matrix.tocsr()
expected.sort_indices()
for name in ("counted.txt", "plain.txt", "edges.txt", "crlf.txt", "real.mtx", "integer.mtx", "pattern.mtx", "csr.npz", "csc.npz",
             "coo.npz", "index.npy"):
    graph = gcn.read_graph(name, nodes=60)
    assert (graph.rows, graph.cols, graph.nonzeros) == (60, 60, len(pairs)), name
    assert graph.indptr.tolist() == expected.indptr.tolist() and graph.indices.tolist() == expected.indices.tolist(), name
assert gcn.read_graph("edges.txt").rows == max(map(max, pairs)) + 1

# Symmetric files have each pair once.
symmetric = scipy.sparse.coo_matrix(numpy.array([[1, 1, 0], [1, 0, 1], [0, 1, 0]]))
scipy.io.mmwrite("symmetric.mtx", symmetric, symmetry="symmetric")
graph = gcn.read_graph("symmetric.mtx")
assert graph.indptr.tolist() == [0, 2, 4, 5] and graph.indices.tolist() == [0, 1, 0, 2, 1]

# Features and weights.
dense = generator.standard_normal((7, 5)).astype("f4")
dense[2] = 0
numpy.save("dense.npy", dense)
numpy.save("double.npy", numpy.asfortranarray(dense.astype("f8")))
scipy.io.mmwrite("dense.mtx", dense)
scipy.io.mmwrite("sparse.mtx", scipy.sparse.coo_matrix(dense))
scipy.sparse.save_npz("dense.npz", scipy.sparse.csr_matrix(dense))
write("dense.txt", lines("7 5", *(f"{row} {col} {float(dense[row, col])!r}" for row in range(7) for col in range(5) if dense[row, col])))
for name in ("dense.npy", "double.npy", "dense.mtx", "sparse.mtx", "dense.npz", "dense.txt"):
    read = gcn.read_matrix(name)
    assert read.dtype == "f4" and read.flags.c_contiguous and numpy.allclose(read, dense, 1e-6, 0), name

# What is wrong, with file and line.


def wrong(text, line, content, name="wrong.txt", read=gcn.read_graph):
    if content is not None:
        write(name, content)
    error = raises(acis.BadArgument, text, read, name)
    assert (error.file, error.line) == (name, line), (error.file, error.line, str(error))


def damaged(text, change, name="damaged.npz"):
    parts = dict(numpy.load("csr.npz"))
    change(parts)
    numpy.savez(name, **parts)
    wrong(text, 0, None, name)


wrong("row 3 is outside of 3 x 4; rows count from 0 to 2", 3, lines("3 4", "0 0 1", "3 1 1", "1 1 1"))
wrong("column -1 is outside of 3 x 4", 3, lines("3 4", "", "0 -1 1"))
wrong("row 1, column 2 is there already, in line 3; leave one of them out", 5, lines("3 4", 4, "1 2 1", "2 1 1", "1 2 1", "0 0 1"))
wrong("the value is 0.5; a graph's entries are 1", 4, lines("3 4", "0 0 1", "", "1 1 0.5"))
wrong("the value nan is no finite float32", 2, lines("3 4", "0 0 nan", "1 1 0.5"))
wrong("it says 3 entries, and 2 follow", 2, lines("3 4", 3, "0 0 1", "1 1 1"))
wrong("'1 1' is no entry; expected 'row column value'", 4, lines("3 4", 2, "0 0 1", "1 1"))
wrong("'1 x 1' is no entry", 3, lines("3 4", "0 0 1", "1 x 1"))
wrong("'1.5 1 1' is no entry", 4, lines("3 4", "0 0 1", "# 1.5", "1.5 1 1"))
wrong("'0 0 1 1' is no entry", 2, lines("3 4", "0 0 1 1"))
wrong("'3 0' are no numbers of rows and columns", 1, lines("3 0", "0 0 1"))
wrong("'a graph' are no numbers of rows and columns", 2, lines("", "a graph", "0 0 1"))
wrong("it has no entries", 0, "# nothing\n")
wrong("edge 1 has the source -4; nodes count from 0", 3, lines("0 1", "", "-4 2"))
wrong("'7 b' is no entry; expected 'row column'", 2, lines("0 1", "7 b"))
wrong("row 0, column 1 is there already, in line 1", 4, lines("1 0", "0 0", "0 1", "1 0"))
market = "%%MatrixMarket matrix coordinate pattern general"
wrong("row 4 is outside of 3 x 3; rows count from 1 to 3", 4, lines(market, "3 3 2", "1 1", "4 1"), "wrong.mtx")
wrong("row 0 is outside of 3 x 3", 3, lines(market, "3 3 2", "0 1", "3 1"), "wrong.mtx")
wrong("it says 3 entries, and 2 follow", 3, lines(market, "% three", "3 3 3", "1 1", "3 1"), "wrong.mtx")
wrong("'3 3' are no sizes", 2, lines(market, "3 3", "1 1"), "wrong.mtx")
wrong("is not supported; matrix coordinate or array", 1, lines(market.replace("pattern", "complex"), "3 3 1", "1 1 1 0"), "wrong.mtx")
wrong("a dense matrix is no graph", 1, lines(market.replace("coordinate pattern", "array real"), "1 1", "1"), "wrong.mtx")
wrong("row 1, column 2 is there already, in line 3", 4, lines(market.replace("general", "symmetric"), "3 3 2", "2 1", "1 2"), "wrong.mtx")
damaged("entry 3: column 60 is outside of 60 x 60", lambda parts: parts["indices"].__setitem__(3, 60))
damaged("entry 1: the value is 2.0", lambda parts: parts["data"].__setitem__(1, 2))
damaged("indptr is damaged", lambda parts: parts["indptr"].__setitem__(5, 10**6))
damaged("indptr is damaged", lambda parts: parts.update(indptr=parts["indptr"][:-1]))
damaged("its indices are no integers", lambda parts: parts.update(indices=parts["indices"].astype("f8")))
damaged("a matrix of scipy.sparse.save_npz in the format csr, csc or coo", lambda parts: parts.pop("indices"))
damaged("format bsr", lambda parts: parts.update(format=numpy.array(b"bsr")))
with open("csr.npz", "rb") as whole, open("cut.npz", "wb") as cut:
    cut.write(whole.read()[:-30])
wrong("no arrays can be read from it", 0, None, "cut.npz")
with open("dense.npy", "rb") as whole, open("cut.npy", "wb") as cut:
    cut.write(whole.read()[:-30])
wrong("no array can be read from it", 0, None, "cut.npy", gcn.read_matrix)
numpy.save("pickled.npy", numpy.array([{}], dtype=object), allow_pickle=True)
wrong("no array can be read from it", 0, None, "pickled.npy", gcn.read_matrix)
wrong("a graph is an edge_index of integers, 2 x edges", 0, None, "dense.npy")
numpy.save("vector.npy", numpy.ones(3))
wrong("an array of float64, 3; a matrix of numbers is needed", 0, None, "vector.npy", gcn.read_matrix)
dense[4, 2] = numpy.nan
numpy.save("nan.npy", dense)
wrong("the matrix[4, 2] is nan, which is no finite float32", 0, None, "nan.npy", gcn.read_matrix)
wrong("the value inf is no finite float32", 3, lines("2 2", "0 0 1", "1 1 inf"), read=gcn.read_matrix)
wrong("the value 1e+39 is no finite float32", 2, lines("2 2", "0 0 1e39"), read=gcn.read_matrix)
wrong("the value nan is no finite float32", 4, lines(market.replace("coordinate pattern", "array real"), "2 1", "1", "nan"), "wrong.mtx",
      gcn.read_matrix)
wrong("it says 2 entries, and 3 follow", 2, lines(market.replace("coordinate pattern", "array real"), "2 1", "1", "1", "2"), "wrong.mtx",
      gcn.read_matrix)
wrong("row 1, column 1 is there already, in line 2", 3, lines("2 2", "1 1 1", "1 1 2"), read=gcn.read_matrix)
raises(FileNotFoundError, "none.txt", gcn.read_graph, "none.txt")
