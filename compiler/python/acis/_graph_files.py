"""Matrices of files as people have them. What is wrong with one is said with its line, or, in files
that have no lines, with the number of the entry, from 0."""
from __future__ import annotations

import os
import typing

import numpy

from acis._arrays import Array
from acis._errors import BadArgument

Path = typing.Union[str, "os.PathLike[str]"]


class Entries(typing.NamedTuple):
    """A sparse matrix as the file has it: entry i is at (row[i], col[i]), from 0, and has value[i]."""
    rows: int
    cols: int
    row: Array
    col: Array
    value: Array | None  #: None: all are 1
    place: typing.Callable[[int], tuple[str, int]]  #: file and line (0: none) of entry i
    base: int = 0  #: what the file calls the first row and column


def read_entries(path: Path, nodes: int | None = None) -> Entries:
    """MatrixMarket, SciPy's .npz, an edge_index of shape (2, edges) as .npy, coordinate text or an edge
    list, told apart by content. `nodes` is for those that do not say how many there are."""
    name = os.fspath(path)
    with open(name, "rb") as file:
        start = file.read(64)
    if start.startswith(b"PK"):
        return _npz(name)
    if start.startswith(b"\x93NUMPY"):
        index = _npy(name)
        if index.ndim != 2 or index.shape[0] != 2 or index.dtype.kind not in "iu":
            raise BadArgument(f"it is an array of {index.dtype}, {_shape(index)}; a graph is an edge_index of integers, "
                              "2 x edges", name)
        return edges(index[0], index[1], nodes, name)
    if start.startswith(b"%%MatrixMarket"):
        return _matrix_market(_Text(name))
    return _text(_Text(name), nodes)


def read_dense(path: Path) -> Array:
    """A dense float32 matrix: .npy, or any format of a sparse one; what has no entry is 0."""
    name = os.fspath(path)
    with open(name, "rb") as file:
        start = file.read(64)
    if start.startswith(b"\x93NUMPY"):
        return as_dense(_npy(name), "the matrix", name)
    if start.startswith(b"%%MatrixMarket") and b"array" in start.split(b"\n")[0].lower():
        return _market_array(_Text(name))
    entries = read_entries(path)
    value = numpy.ones(len(entries.row)) if entries.value is None else entries.value
    check_numbers(value, entries.place)
    check_single(entries)
    dense = numpy.zeros((entries.rows, entries.cols), "f4")
    dense[entries.row, entries.col] = value
    return dense


def as_dense(array: typing.Any, name: str, file: str = "") -> Array:
    """`array` as a matrix of float32 without NaN and infinity; `name` is what messages call it."""
    array = numpy.asarray(array)
    if array.ndim != 2 or array.dtype.kind not in "biuf":
        raise BadArgument(f"{name} is an array of {array.dtype}, {_shape(array)}; a matrix of numbers is needed", file)
    with numpy.errstate(over="ignore"):
        dense = numpy.ascontiguousarray(array, "f4")
    bad = numpy.argwhere(~numpy.isfinite(dense))
    if len(bad):
        row, col = bad[0]
        raise BadArgument(f"{name}[{row}, {col}] is {array[row, col]}, which is no finite float32", file)
    return dense


def edges(source: Array, target: Array, nodes: int | None, name: str, text: _Text | None = None) -> Entries:
    """Edge i, from source[i] to target[i], is the entry (target[i], source[i]): a node sums those that
    lead to it."""
    def place(i: int) -> tuple[str, int]:
        return (name, text.line(i)) if text else (name, 0)
    for i, word in ((source, "source"), (target, "target")):
        if len(i) and (least := int(i.argmin())) >= 0 and i[least] < 0:
            raise BadArgument(f"edge {least} has the {word} {i[least]}; nodes count from 0", *place(least))
    most = int(max(source.max(), target.max())) + 1 if len(source) else 0
    count = most if nodes is None else nodes
    if count < 1:
        raise BadArgument("there is no edge and no number of nodes; give one", name)
    return Entries(count, count, target.astype("i8"), source.astype("i8"), None, place)


def check_numbers(value: Array, place: typing.Callable[[int], tuple[str, int]]) -> None:
    with numpy.errstate(over="ignore"):
        bad = numpy.flatnonzero(~numpy.isfinite(value.astype("f4")))
    if len(bad):
        raise BadArgument(f"{_entry(place, bad[0])}the value {value[bad[0]]} is no finite float32", *place(int(bad[0])))


def check_single(entries: Entries) -> None:
    """Refuses entries outside of the matrix, and a second one at the same place."""
    base = entries.base
    for index, most, word in ((entries.row, entries.rows, "row"), (entries.col, entries.cols, "column")):
        bad = numpy.flatnonzero((index < 0) | (index >= most))
        if len(bad):
            i = int(bad[0])
            raise BadArgument(f"{_entry(entries.place, i)}{word} {index[i] + base} is outside of {entries.rows} x {entries.cols}; "
                              f"{word}s count from {base} to {most - 1 + base}", *entries.place(i))
    key = entries.row * entries.cols + entries.col
    order = numpy.argsort(key, kind="stable")
    same = numpy.flatnonzero(key[order][1:] == key[order][:-1])
    if len(same):
        second = order[same + 1]
        i = int(second.min())
        first = int(order[same[second.argmin()]])
        file, line = entries.place(first)
        raise BadArgument(f"{_entry(entries.place, i)}row {entries.row[i] + base}, column {entries.col[i] + base} is there already, in "
                          f"{f'line {line}' if line else f'entry {first}'}; leave one of them out", *entries.place(i))


def _entry(place: typing.Callable[[int], tuple[str, int]], i: int) -> str:
    """What a message begins with where there is no line to name."""
    return "" if place(int(i))[1] else f"entry {i}: "


def _shape(array: Array) -> str:
    return " x ".join(map(str, array.shape)) or "a single number"


def _npy(name: str) -> Array:
    try:
        loaded: Array = numpy.load(name, allow_pickle=False)
        return loaded
    except (ValueError, EOFError) as problem:
        raise BadArgument(f"no array can be read from it: {problem}", name) from None


def _npz(name: str) -> Entries:
    """What scipy.sparse.save_npz writes, of formats csr, csc and coo."""
    try:
        with numpy.load(name, allow_pickle=False) as file:
            parts = {key: file[key] for key in file.files}
    except Exception as problem:  # zipfile, zlib and numpy have many
        raise BadArgument(f"no arrays can be read from it: {problem}", name) from None
    kind = parts["format"].item() if "format" in parts else None
    kind = kind.decode() if isinstance(kind, bytes) else kind
    needed = {"coo": ("row", "col"), "csr": ("indptr", "indices"), "csc": ("indptr", "indices")}
    if kind not in needed or any(key not in parts for key in (*needed[kind], "data", "shape")) or parts["shape"].shape != (2,):
        raise BadArgument(f"it has the arrays {', '.join(parts) or 'none'}{f', format {kind}' if kind else ''}; a matrix of "
                          "scipy.sparse.save_npz in the format csr, csc or coo is needed", name)
    rows, cols = (int(size) for size in parts["shape"])
    first, second = (parts[key] for key in needed[kind])
    if kind == "coo":
        row, col = first, second
    else:
        lines = rows if kind == "csr" else cols
        if first.shape != (lines + 1,) or first[0] != 0 or (numpy.diff(first) < 0).any() or first[-1] > len(second):
            raise BadArgument(f"indptr is damaged: {len(first)} numbers for {lines} {'rows' if kind == 'csr' else 'columns'}, "
                              f"to {first[-1] if len(first) else 'none'} of {len(second)}; they begin with 0 and do not "
                              "fall", name)
        outer = numpy.repeat(numpy.arange(lines), numpy.diff(first))
        row, col = (outer, second[:len(outer)]) if kind == "csr" else (second[:len(outer)], outer)
    data = parts["data"]
    if row.dtype.kind not in "iu" or col.dtype.kind not in "iu" or data.dtype.kind not in "biuf" or \
            len({len(row), len(col), len(data[:len(row)])}) != 1 or row.ndim != 1:
        raise BadArgument("its indices are no integers, its data no numbers, or their numbers differ; write it with "
                          "scipy.sparse.save_npz", name)
    return Entries(rows, cols, row.astype("i8"), col.astype("i8"), data[:len(row)].astype("f8"), lambda i: (name, 0))


class _Text:
    """A text file: lines that are not empty and no comments."""

    def __init__(self, name: str, head: int = 0):
        self.name, self.head = name, head  #: lines before the entries

    def lines(self) -> typing.Iterator[tuple[int, list[str]]]:
        """Number and words of each."""
        with open(self.name, encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file, 1):
                words = line.split()
                if words and words[0][0] not in "#%":
                    yield number, words

    def line(self, entry: int) -> int:
        """Number of the line with an entry."""
        return next((number for i, (number, _) in enumerate(self.lines()) if i == entry + self.head), 0)

    def fail(self, what: str, line: int) -> BadArgument:
        return BadArgument(what, self.name, line)

    def table(self, head: int, kinds: str) -> Array:
        """What follows the first `head` lines, a row of float64 for each line. `kinds` has a letter
        for each number of a line: i for integers, f for others."""
        self.head = head
        skipped = 0
        for i, (number, _) in enumerate(self.lines()):
            if i == head:
                skipped = number - 1
                break
        else:
            return numpy.zeros((0, len(kinds)))
        try:
            table = numpy.loadtxt(self.name, comments=["#", "%"], skiprows=skipped, ndmin=2, encoding="utf-8")
        except (ValueError, UnicodeDecodeError):
            table = numpy.zeros((0, 0))
        whole = [i for i, kind in enumerate(kinds) if kind == "i"]
        with numpy.errstate(invalid="ignore"):
            if table.shape[1] == len(kinds) and (abs(table[:, whole]) < 2**53).all() and \
                    (table[:, whole] == table[:, whole].astype("i8")).all():
                return table
        raise self._wrong(kinds)

    def _wrong(self, kinds: str) -> BadArgument:
        """The first line that is not as it should be."""
        for i, (number, words) in enumerate(self.lines()):
            if i >= self.head:
                good = len(words) == len(kinds)
                for word, kind in zip(words, kinds):
                    try:
                        int(word) if kind == "i" else float(word)
                    except ValueError:
                        good = False
                if not good:
                    names = " ".join({"ii": ("row", "column"), "iif": ("row", "column", "value")}.get(kinds, ("value",)))
                    return self.fail(f"'{' '.join(words)[:60]}' is no entry; expected '{names}'", number)
        return self.fail("it is no text with numbers", 0)


def _count(text: _Text, table: Array, promised: int, line: int) -> None:
    if len(table) != promised:
        raise text.fail(f"it says {promised} entries, and {len(table)} follow", line)


def _text(text: _Text, nodes: int | None) -> Entries:
    """Coordinate text ("rows columns", perhaps the number of entries, "row column value" lines), or an
    edge list ("source target" lines)."""
    first: list[tuple[int, list[str]]] = []
    for line in text.lines():
        first.append(line)
        if len(first) == 3:
            break
    if not first:
        raise text.fail("it has no entries", 0)
    widths = [len(words) for _, words in first]
    if widths[0] == 2 and all(width == 2 for width in widths):
        table = text.table(0, "ii").astype("i8")
        return edges(table[:, 0], table[:, 1], nodes, text.name, text)
    number, words = first[0]
    if widths[0] != 2 or not all(word.isdecimal() for word in words) or "0" in words:
        raise text.fail(f"'{' '.join(words)[:60]}' are no numbers of rows and columns, from 1 on; nor is it an edge list", number)
    counted = widths[1] == 1 and first[1][1][0].isdecimal()
    table = text.table(2 if counted else 1, "iif")
    if counted:
        _count(text, table, int(first[1][1][0]), first[1][0])
    return Entries(int(words[0]), int(words[1]), table[:, 0].astype("i8"), table[:, 1].astype("i8"), table[:, 2],
                   lambda i: (text.name, text.line(i)))


def _market_head(text: _Text) -> tuple[list[str], int, list[str]]:
    """Words of the banner; number and words of the line with the sizes."""
    with open(text.name, encoding="utf-8", errors="replace") as file:
        banner = file.readline().lower().split()
    nothing: tuple[int, list[str]] = (1, [])
    line, sizes = next(text.lines(), nothing)
    if len(banner) != 5 or banner[1] != "matrix" or banner[2] not in ("coordinate", "array") or \
            banner[3] not in ("real", "double", "integer", "pattern") or banner[4] not in ("general", "symmetric"):
        raise text.fail("'" + " ".join(banner) + "' is not supported; matrix coordinate or array, real, integer or "
                        "pattern, general or symmetric are", 1)
    if len(sizes) != (3 if banner[2] == "coordinate" else 2) or not all(size.isdecimal() for size in sizes) or \
            "0" in sizes[:2]:
        raise text.fail(f"'{' '.join(sizes)}' are no sizes of a matrix", line)
    return banner, line, sizes


def _matrix_market(text: _Text) -> Entries:
    banner, line, sizes = _market_head(text)
    if banner[2] == "array":
        raise text.fail("a dense matrix is no graph; write it in coordinates", 1)
    pattern = banner[3] == "pattern"
    table = text.table(1, "ii" if pattern else "iif")
    _count(text, table, int(sizes[2]), line)
    row, col = table[:, 0].astype("i8") - 1, table[:, 1].astype("i8") - 1
    value = None if pattern else table[:, 2]
    origin = numpy.arange(len(row))
    if banner[4] == "symmetric":
        origin = numpy.repeat(origin, numpy.where(row == col, 1, 2))
        mirrored = numpy.concatenate([[False], origin[1:] == origin[:-1]])
        row, col = numpy.where(mirrored, col[origin], row[origin]), numpy.where(mirrored, row[origin], col[origin])
        value = None if value is None else value[origin]
    return Entries(int(sizes[0]), int(sizes[1]), row, col, value,
                   lambda i: (text.name, text.line(int(origin[i]))), base=1)


def _market_array(text: _Text) -> Array:
    banner, line, sizes = _market_head(text)
    if banner[4] != "general":
        raise text.fail("a dense matrix that is symmetric is not supported; write it as general", 1)
    table = text.table(1, "f")
    rows, cols = int(sizes[0]), int(sizes[1])
    _count(text, table, rows * cols, line)
    check_numbers(table[:, 0], lambda i: (text.name, text.line(i)))
    return numpy.ascontiguousarray(table[:, 0].reshape(cols, rows).T, "f4")
