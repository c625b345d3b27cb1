"""Computing where the data is: memory nodes, from Python.

    import numpy
    from acis.near import Near

    with Near("10.0.0.1:9000,10.0.0.2:9000") as near:
        numbers = near.alloc(4 * n)                    # on every node
        near.scatter(data, numbers)                    # n numbers of data to each
        total = near.load("sum.acis", "sum", "i4", "i4")
        sums = near.reduce_local(total, numbers, n)    # on all nodes at the same time
        print(near.reduce(sums, "i4", "sum"))

This is runtime/host/near/acis_near.h, which says more, through ctypes; acis.client finds the
library. Data is a NumPy array or whatever else has the buffer protocol and lies in one piece;
it is sent from and received into where it is, without a copy. Element types are those of NumPy by
name ("i4", "f8").
"""
from __future__ import annotations

import contextlib
import ctypes
import os
import typing

from acis import _errors, client

__all__ = ["Block", "Error", "Function", "Near", "Request"]

_CLASSES = ("ok", "argument", "block", "full", "function", "trapped", "node")
_TYPES = {"i1": 0, "u1": 1, "i2": 2, "u2": 3, "i4": 4, "u4": 5, "i8": 6, "u8": 7, "f4": 8, "f8": 9}
_OPS = {"sum": 1, "prod": 2, "min": 3, "max": 4, "band": 10, "bor": 11, "bxor": 12}


class Error(_errors.Error):
    """What the library or a node says; `kind` is one of "argument", "block", "full", "function",
    "trapped", "node"."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


def _bind() -> dict[str, typing.Any]:
    library = client._lib
    pointer, u64, u32, size = ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint32, ctypes.c_size_t
    text, out = ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p)
    request = ctypes.POINTER(u64)
    of: dict[str, tuple[typing.Any, list[typing.Any]]] = {
        "open": (pointer, [text, u32, text, u32, u32, ctypes.POINTER(text)]),
        "close": (None, [pointer]), "nodes": (ctypes.c_uint, [pointer]),
        "error": (ctypes.c_int, [pointer]), "timeout": (None, [pointer, ctypes.c_double]),
        "alloc": (text, [pointer, u64, out]), "free": (text, [pointer, pointer]),
        "handle": (u64, [pointer, ctypes.c_uint]), "attach": (text, [pointer, request, u64, out]),
        "list": (text, [pointer, ctypes.c_uint, request, request, size, ctypes.POINTER(size)]),
        "put": (text, [pointer, ctypes.c_uint, pointer, u64, pointer, u64, u32, u64]),
        "get": (text, [pointer, ctypes.c_uint, pointer, u64, pointer, u64, u32, u64]),
        "load": (text, [pointer, pointer, size, text, u32, u32, out]),
        "compose": (text, [pointer, pointer, pointer, out]),
        "map": (text, [pointer] * 5 + [u64, request]),
        "local_reduce": (text, [pointer] * 5 + [u64, request]),
        "wait": (text, [pointer, u64, request]),
        "test": (text, [pointer, u64, ctypes.POINTER(ctypes.c_int)]),
        "reduce": (text, [pointer, pointer, pointer, u64, ctypes.c_int, ctypes.c_int]),
        "allreduce": (text, [pointer, pointer, u64, ctypes.c_int, ctypes.c_int]),
        "fold_in_switch": (None, [pointer, ctypes.c_int]),
        "folds_in_switch": (ctypes.c_int, [pointer]), "traffic": (None, [pointer, request, request]),
        "allgather": (text, [pointer, pointer, pointer, u64]), "barrier": (text, [pointer]),
    }
    for name in ("bcast", "scatter"):
        of[name] = (text, [pointer, pointer, pointer, u64])
    for name in ("gather", "gather_in_turn"):
        of[name] = (text, [pointer, pointer, pointer, u64])
    functions = {}
    for name, (result, arguments) in of.items():
        function = getattr(library, "acis_near_" + name)
        function.restype, function.argtypes = result, arguments
        functions[name] = function
    return functions


class _Buffer(ctypes.Structure):
    """Python's Py_buffer."""
    _fields_ = [("buf", ctypes.c_void_p), ("obj", ctypes.py_object), ("len", ctypes.c_ssize_t),
                ("itemsize", ctypes.c_ssize_t), ("readonly", ctypes.c_int), ("ndim", ctypes.c_int),
                ("format", ctypes.c_char_p), ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p),
                ("suboffsets", ctypes.c_void_p), ("internal", ctypes.c_void_p)]


@contextlib.contextmanager
def _bytes(data: typing.Any, written: bool = False) -> typing.Iterator[tuple[ctypes.c_void_p, int]]:
    """Address and length of the bytes of `data` themselves, never of a copy."""
    buffer = _Buffer()
    try:
        ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(data), ctypes.byref(buffer), int(written))
    except (BufferError, TypeError, ValueError) as problem:
        raise Error("argument", "not data that lies in one piece%s: %s" % (
            " and may be written" if written else "", problem)) from None
    try:
        yield ctypes.c_void_p(buffer.buf), buffer.len
    finally:
        ctypes.pythonapi.PyBuffer_Release(ctypes.byref(buffer))


def _known(kind: str, name: str, table: dict[str, int]) -> int:
    if name not in table:
        raise Error("argument", "%s %r is none of %s" % (kind, name, ", ".join(table)))
    return table[name]


def _bytes_of(element: str) -> int:
    _known("element type", element, _TYPES)
    return int(element[1:])


class Block:
    """Memory on every node, `bytes` on each."""

    def __init__(self, near: Near, pointer: typing.Any, size: int) -> None:
        self._near, self._pointer, self.bytes = near, pointer, size

    @property
    def handles(self) -> list[int]:
        """One for each node; another rank of the job attaches the block by them."""
        return [self._near._functions["handle"](self._pointer, i) for i in range(self._near.nodes)]

    def free(self) -> None:
        self._near._call("free", self._pointer)


class Function:
    """What runs on the nodes; `taken` and `given` are the types of its elements."""

    def __init__(self, pointer: typing.Any, taken: str, given: str) -> None:
        self._pointer, self.taken, self.given = pointer, taken, given


class Request:
    """A function that was started."""

    def __init__(self, near: Near, number: int) -> None:
        self._near, self._number = near, number

    def done(self) -> bool:
        complete = ctypes.c_int()
        self._near._call("test", self._number, ctypes.byref(complete))
        return bool(complete.value)

    def wait(self) -> int:
        """Returns the cycles of the node that took the most; 0 on engine `fast`."""
        cycles = ctypes.c_uint64()
        self._near._call("wait", self._number, ctypes.byref(cycles))
        return cycles.value


class Near:
    """The memory nodes at addresses with commas between them, as rank `rank` of a job."""

    def __init__(self, nodes: str, job: int = 1, key: str = "", rank: int = 0, size: int = 1) -> None:
        self._functions = _bind()
        problem = ctypes.c_char_p()
        self._pointer = self._functions["open"](nodes.encode(), job, key.encode(), rank, size,
                                                ctypes.byref(problem))
        if not self._pointer:
            raise Error("node", (problem.value or b"").decode())
        self.nodes = int(self._functions["nodes"](self._pointer))

    def __enter__(self) -> Near:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        if self._pointer:
            self._functions["close"](self._pointer)
            self._pointer = None

    def _call(self, name: str, *arguments: typing.Any) -> None:
        if not self._pointer:
            raise Error("argument", "the communicator is closed")
        wrong = self._functions[name](self._pointer, *arguments)
        if wrong is not None:
            raise Error(_CLASSES[self._functions["error"](self._pointer)], wrong.decode())

    def _made(self, name: str, *arguments: typing.Any) -> ctypes.c_void_p:
        made = ctypes.c_void_p()
        self._call(name, *arguments, ctypes.byref(made))
        return made

    def timeout(self, seconds: float) -> None:
        self._functions["timeout"](self._pointer, seconds)

    def alloc(self, size: int) -> Block:
        return Block(self, self._made("alloc", size), size)

    def attach(self, handles: typing.Sequence[int], size: int) -> Block:
        """A block that another rank of the job, or an earlier run, has allocated."""
        if len(handles) != self.nodes:
            raise Error("argument", "one handle for each of %d nodes" % self.nodes)
        return Block(self, self._made("attach", (ctypes.c_uint64 * self.nodes)(*handles), size), size)

    def blocks(self, node: int) -> list[tuple[int, int]]:
        """(handle, bytes) of the job's blocks on a node."""
        count = ctypes.c_size_t()
        most = 0
        while True:
            handles, sizes = (ctypes.c_uint64 * most)(), (ctypes.c_uint64 * most)()
            self._call("list", node, handles, sizes, most, ctypes.byref(count))
            if count.value <= most:
                return list(zip(handles, sizes))[:count.value]
            most = count.value

    def _move(self, name: str, node: int, block: Block, offset: int, data: typing.Any, rows: int, stride: int) -> None:
        with _bytes(data, name == "get") as (address, size):
            if rows < 1 or size % rows:
                raise Error("argument", "%d bytes are not %d rows" % (size, rows))
            self._call(name, node, block._pointer, offset, address, size // rows, rows, stride)

    def put(self, node: int, block: Block, data: typing.Any, offset: int = 0, rows: int = 1, stride: int = 0) -> None:
        self._move("put", node, block, offset, data, rows, stride)

    def get(self, node: int, block: Block, data: typing.Any, offset: int = 0, rows: int = 1,
            stride: int = 0) -> typing.Any:
        """Fills `data`."""
        self._move("get", node, block, offset, data, rows, stride)
        return data

    def load(self, binary: str | os.PathLike[str] | bytes, name: str = "", taken: str = "i4",
             given: str = "i4") -> Function:
        """Handler `name` of a binary of acisc: its path, or its bytes."""
        if isinstance(binary, (str, os.PathLike)):
            try:
                with open(binary, "rb") as file:
                    binary = file.read()
            except OSError as problem:
                raise Error("argument", f"{os.fsdecode(binary)}: {problem.strerror}") from None
        pointer = self._made("load", binary, len(binary), name.encode(), _bytes_of(taken),
                             _bytes_of(given))
        return Function(pointer, taken, given)

    def compose(self, first: Function, second: Function) -> Function:
        """`second` after `first`, in one launch."""
        return Function(self._made("compose", first._pointer, second._pointer), first.taken,
                        second.given)

    def _start(self, name: str, function: Function, block: Block, operand: Block | None, out: Block,
               length: int) -> Request:
        number = ctypes.c_uint64()
        self._call(name, function._pointer, block._pointer, operand._pointer if operand else None,
                   out._pointer, length, ctypes.byref(number))
        return Request(self, number.value)

    def start_map(self, function: Function, block: Block, out: Block, length: int,
                  operand: Block | None = None) -> Request:
        return self._start("map", function, block, operand, out, length)

    def start_reduce(self, function: Function, block: Block, out: Block, length: int,
                     operand: Block | None = None) -> Request:
        return self._start("local_reduce", function, block, operand, out, length)

    def map(self, function: Function, block: Block, out: Block, length: int, operand: Block | None = None) -> int:
        return self.start_map(function, block, out, length, operand).wait()

    def reduce_local(self, function: Function, block: Block, length: int, operand: Block | None = None) -> Block:
        """A block with the result of each node, which the caller frees."""
        out = self.alloc(_bytes_of(function.given))
        try:
            self.start_reduce(function, block, out, length, operand).wait()
        except Error:
            out.free()
            raise
        return out

    def _each(self, size: int) -> int:
        if size % self.nodes:
            raise Error("argument", "%d bytes for %d nodes" % (size, self.nodes))
        return size // self.nodes

    def bcast(self, data: typing.Any, block: Block) -> None:
        with _bytes(data) as (address, size):
            self._call("bcast", address, block._pointer, size)

    def scatter(self, data: typing.Any, block: Block) -> None:
        with _bytes(data) as (address, size):
            self._call("scatter", address, block._pointer, self._each(size))

    def gather(self, block: Block, data: typing.Any, in_turn: bool = False) -> typing.Any:
        """Fills `data`, node after node, from all at the same time or one after the other."""
        with _bytes(data, written=True) as (address, size):
            self._call("gather_in_turn" if in_turn else "gather", block._pointer, address,
                       self._each(size))
        return data

    def allgather(self, block: Block, to: Block, size: int) -> None:
        self._call("allgather", block._pointer, to._pointer, size)

    def reduce(self, block: Block, element: str, op: str, data: typing.Any = None) -> typing.Any:
        """One number, or, into `data`, one for each of its elements."""
        single = data is None
        if single:
            data = bytearray(_bytes_of(element))
        kind: typing.Any = getattr(data, "dtype", None)  # of a NumPy array
        if kind is not None and kind.str[1:] != element or getattr(kind, "isnative", True) is False:
            raise Error("argument", "the array has elements %s, not %s" % (kind.str, element))
        with _bytes(data, written=True) as (address, size):
            if size % _bytes_of(element):
                raise Error("argument", "%d bytes are not elements %s" % (size, element))
            self._call("reduce", block._pointer, address, size // _bytes_of(element),
                       _known("element type", element, _TYPES), _known("operation", op, _OPS))
        if not single:
            return data
        code = {"i": "bhiq", "u": "BHIQ", "f": "  fd"}[element[0]]
        return memoryview(data).cast(code[_bytes_of(element).bit_length() - 1])[0]

    def fold_in_switch(self, wanted: bool) -> None:
        """False: reductions are folded here, also where the nodes have a switch that does it."""
        self._functions["fold_in_switch"](self._pointer, wanted)

    @property
    def folds_in_switch(self) -> bool:
        """Whether the last reduction was folded in a switch."""
        return bool(self._functions["folds_in_switch"](self._pointer))

    @property
    def traffic(self) -> tuple[int, int]:
        """Datagrams, and bytes in them, sent and received until now."""
        packets, size = ctypes.c_uint64(), ctypes.c_uint64()
        self._functions["traffic"](self._pointer, ctypes.byref(packets), ctypes.byref(size))
        return packets.value, size.value

    def allreduce(self, block: Block, element: str, op: str, count: int) -> None:
        self._call("allreduce", block._pointer, count, _known("element type", element, _TYPES),
                   _known("operation", op, _OPS))

    def barrier(self) -> None:
        self._call("barrier")
