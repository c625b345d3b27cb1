"""Arrays and other buffers as the bytes that engines take, without a copy; what does not fit is said."""
from __future__ import annotations

import sys
import typing

from acis._errors import BadArgument
from acis._report import Handler

if typing.TYPE_CHECKING:
    import numpy.typing

MOST_BYTES = 2**32 - 1  # of a stream: positions in it have 32 bits


def is_array(data: object) -> bool:
    """An array of NumPy's, for which that need not be loaded."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(data, numpy.ndarray)


def array_bytes(array: numpy.typing.NDArray[typing.Any], what: str) -> memoryview:
    """The bytes of an array where they lie."""
    if array.dtype.kind not in "biuf" or array.dtype.hasobject:
        raise BadArgument(f"{what} has elements of type {array.dtype}", way_out="numbers are needed, as from astype('float32')")
    if not array.dtype.isnative or sys.byteorder != "little":
        raise BadArgument(f"{what} is not little-endian ({array.dtype.str})",
                          way_out=f"convert it with astype('{array.dtype.newbyteorder('<').str}')")
    if not array.flags.c_contiguous:
        raise BadArgument(f"{what} is not contiguous in C order (strides {array.strides}, shape {array.shape})",
                          way_out="copy it with numpy.ascontiguousarray()")
    whole: typing.Any = array.reshape(-1).view("u1")
    return memoryview(whole)


def buffer_bytes(data: typing.Any, what: str) -> memoryview:
    """The bytes of an array or of any other buffer."""
    if is_array(data):
        return array_bytes(data, what)
    try:
        view = memoryview(data)
    except TypeError:
        raise BadArgument(f"{what} is a {type(data).__name__}",
                          way_out="give a NumPy array, bytes or another buffer of bytes") from None
    if not view.c_contiguous:
        raise BadArgument(f"{what} does not lie in one piece", way_out="copy it first")
    return view.cast("B") if view.nbytes else memoryview(b"")


def check_type(array: numpy.typing.NDArray[typing.Any], handler: Handler, what: str) -> None:
    """Arrays of bytes are packets as they are; others have the type of the handler's input."""
    if array.dtype == "u1" or array.dtype == "b1":
        return
    if handler.input and array.dtype.name != handler.input:
        raise BadArgument(f"{what} has elements of type {array.dtype}, handler {handler.name} reads {handler.input}",
                          way_out=f"convert it with astype('{handler.input}')")
    if array.dtype.itemsize != handler.input_bytes:
        raise BadArgument(f"{what} has elements of type {array.dtype}, handler {handler.name} reads elements of "
                          f"{handler.input_bytes} bytes", way_out="convert it with astype(), or give its bytes with view('u1')")


def stream_bytes(data: typing.Any, handler: Handler, what: str) -> memoryview:
    view = buffer_bytes(data, what)
    if is_array(data):
        check_type(data, handler, what)
    return view


def packets_of(data: typing.Any, packet_bytes: int | None, handler: Handler) -> tuple[memoryview, list[int]]:
    """The bytes of all packets, and the length of each. Only a list of packets is copied."""
    if isinstance(data, (list, tuple)):
        if packet_bytes is not None:
            raise BadArgument("packet_bytes is for one array; a list has its packets as they are", way_out="leave it out")
        parts = [stream_bytes(one, handler, f"packet {i}") for i, one in enumerate(data)]
        lengths = [len(part) for part in parts]
        view = memoryview(b"".join(parts))
    else:
        view = stream_bytes(data, handler, "the data")
        lengths = [len(view)]
        if packet_bytes is not None:
            if not isinstance(packet_bytes, int) or packet_bytes < 1:
                raise BadArgument(f"packet_bytes is {packet_bytes!r}", way_out="a number of bytes from 1 on is needed")
            if rest := len(view) % packet_bytes:
                raise BadArgument(f"the data has {len(view)} bytes, which end after {rest} bytes of a packet of "
                                  f"{packet_bytes}", way_out="change packet_bytes, or give a list of packets")
            lengths = [packet_bytes] * (len(view) // packet_bytes)
    if not lengths or 0 in lengths:
        raise BadArgument("there is an empty packet", way_out="leave it out") if lengths else BadArgument(
            "there is no packet", way_out="give at least one")
    if len(view) > MOST_BYTES:
        raise BadArgument(f"the data has {len(view)} bytes, most are {MOST_BYTES}", way_out="stream it in parts")
    return view, lengths


def memory_bytes(memory: typing.Any, handler: Handler, most: int) -> memoryview:
    """The bytes of the memory, which the handler writes in place."""
    view = buffer_bytes(memory, "the memory")
    if view.readonly:
        raise BadArgument("the memory is read-only, and the handler writes it in place",
                          way_out="give a copy, as a bytearray or with numpy.array()")
    if len(view) < handler.memory_bytes:
        raise BadArgument(f"the memory has {len(view)} bytes, handler {handler.name} needs {handler.memory_bytes}",
                          way_out="give a longer array")
    if len(view) > most:
        raise BadArgument(f"the memory has {len(view)} bytes, the overlay has {most}", way_out="give a shorter array")
    return view
