"""Packet handlers in a switch from Python: load one, stream data through it, read counters.

    import numpy
    from acis import client

    with client.Switch("/run/acisd.sock") as switch:
        handler = switch.load("sum.acis")
        sums = handler.stream(numpy.arange(4096, dtype=numpy.uint32), packet_bytes=1024)
        print(sums, handler.counters().processed)
        handler.unload()

Data is whatever has the buffer protocol and lies in one piece: NumPy arrays, bytes, array.array,
memoryview. NumPy is not needed for the others. This is runtime/host/client/acis_handler.h, which says
more, through ctypes; the library is the file that the variable ACIS_LIB names, or
libacis-client.so beside this file or in the folder lib of its installation, or in the folder lib beside the bin of the `acisd` in PATH.
"""
from __future__ import annotations

import contextlib
import ctypes
import os
import pathlib
import shutil
import subprocess
import tempfile
import typing

from acis._errors import Error

__all__ = ["Counters", "Failure", "Handler", "Switch", "attach", "local_switch"]

MAX_PACKET = 65507  #: bytes of payload of a UDP datagram
_LIBRARY = "libacis-client.so"
_NO_PACKET = 2**64 - 1
_CODES = ("ok", "bad-call", "unreachable", "refused", "lost", "no-room")


class Failure(Error):
    """What went wrong. `code` is "bad-call", "unreachable", "refused", "lost" or "no-room";
    `packet` is the number of the packet in its stream, or None."""

    def __init__(self, code: str, text: str, packet: int | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.packet = packet


class _CFailure(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int32), ("packet", ctypes.c_uint64), ("text", ctypes.c_char * 512)]


class _CLoad(ctypes.Structure):
    _fields_ = [("path", ctypes.c_char_p), ("bytes", ctypes.c_void_p), ("bytes_size", ctypes.c_size_t),
                ("handler", ctypes.c_char_p), ("engine", ctypes.c_char_p), ("listen", ctypes.c_char_p),
                ("memory", ctypes.c_void_p), ("memory_size", ctypes.c_size_t),
                ("state", ctypes.c_char_p)]


class _CRemote(ctypes.Structure):
    _fields_ = [(name, ctypes.c_char_p) for name in ("address", "certificate", "key", "authority")]


class _CStream(ctypes.Structure):
    _fields_ = [("in_", ctypes.c_void_p), ("in_bytes", ctypes.c_size_t), ("packet_bytes", ctypes.c_size_t),
                ("out", ctypes.c_void_p), ("capacity", ctypes.c_size_t), ("lengths", ctypes.c_void_p),
                ("window", ctypes.c_uint32), ("deadline", ctypes.c_double)]


class Counters(typing.NamedTuple):
    """Of all hosts' packets since the port was opened. Dropped because the handler trapped, or
    because an answer was longer than a datagram; `cycles` are those of engine "model"."""
    received: int
    bytes_received: int
    processed: int
    sent: int
    bytes_sent: int
    dropped_trap: int
    dropped_too_long: int
    replaced: int
    cycles: int


class _CCounters(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in Counters._fields]


def _find_library() -> str:
    if named := os.environ.get("ACIS_LIB"):
        return named
    here = pathlib.Path(__file__).absolute().parent.resolve()  # as installed, lib/python3/dist-packages/acis
    places = [here / _LIBRARY, here.parents[2] / _LIBRARY]
    if daemon := shutil.which("acisd"):
        places.append(pathlib.Path(daemon).resolve().parent.parent / "lib" / _LIBRARY)
    for place in places:
        if place.exists():
            return str(place)
    raise ImportError(f"{_LIBRARY} is not in {' or '.join(str(p.parent) for p in places)}; "
                      "name it with the variable ACIS_LIB")


def _open_library() -> ctypes.CDLL:
    path = _find_library()
    try:
        library = ctypes.CDLL(path)
    except OSError as problem:
        raise ImportError(f"{path} cannot be loaded: {problem}; it needs OpenSSL 3 (package libssl3), and ACIS_LIB "
                          "names another one") from None
    pointer, text, out = ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p)
    failure = ctypes.POINTER(_CFailure)
    for name, result, arguments in (
            ("switch_open", ctypes.c_int, [text, out, failure]),
            ("switch_open_remote", ctypes.c_int, [ctypes.POINTER(_CRemote), out, failure]),
            ("switch_close", None, [pointer]),
            ("handler_load", ctypes.c_int, [pointer, ctypes.POINTER(_CLoad), out, failure]),
            ("handler_attach", ctypes.c_int, [pointer, text, out, failure]),
            ("handler_address", text, [pointer]),
            ("handler_stream", ctypes.c_int,
             [pointer, ctypes.POINTER(_CStream), ctypes.POINTER(ctypes.c_size_t), failure]),
            ("handler_read_counters", ctypes.c_int, [pointer, ctypes.POINTER(_CCounters), failure]),
            ("handler_unload", ctypes.c_int, [pointer, failure]),
            ("handler_close", None, [pointer])):
        function = getattr(library, "acis_" + name)
        function.restype, function.argtypes = result, arguments
    return library


_lib = _open_library()


def _call(function: typing.Any, *arguments: typing.Any) -> None:
    failure = _CFailure()
    if code := function(*arguments, ctypes.byref(failure)):
        packet = None if failure.packet == _NO_PACKET else failure.packet
        raise Failure(_CODES[code], failure.text.decode(errors="replace"), packet)


def _view(data: typing.Any, writable: bool = False) -> tuple[memoryview, int | None]:
    """The bytes of a buffer, and something ctypes takes as their address. Copies nothing but
    read-only buffers that are not `bytes`."""
    view = memoryview(data)
    if not view.c_contiguous:
        raise Failure("bad-call", "the buffer is not in one piece; copy it first")
    if writable and view.readonly:
        raise Failure("bad-call", "the output buffer is read-only")
    if view.nbytes == 0:
        return memoryview(b""), None
    if hasattr(data, "dtype"):  # memoryview.cast() refuses some types that NumPy has
        view = memoryview(data.reshape(-1).view("u1"))
    view = view.cast("B")
    if not view.readonly:
        return view, ctypes.addressof(ctypes.c_char.from_buffer(view))
    content = data if isinstance(data, bytes) else view.tobytes()
    # The view keeps `content` alive, and with it the address.
    return memoryview(content), ctypes.cast(ctypes.c_char_p(content), ctypes.c_void_p).value


class _Object:
    """Something the library made; closed once, by close(), `with` or the collector."""

    def __init__(self, pointer: typing.Any, close: typing.Any) -> None:
        self._pointer = pointer
        self._close = close

    def _use(self) -> typing.Any:
        if not self._pointer:
            raise Failure("bad-call", f"the {type(self).__name__.lower()} is closed")
        return self._pointer

    def close(self) -> None:
        """Frees it; the switch and what is loaded there stay as they are."""
        pointer, self._pointer = self._pointer, None
        if pointer:
            self._close(pointer)

    def __enter__(self) -> typing.Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    __del__ = close


class Switch(_Object):
    """A running acisd, by the path of its control socket; or, with certificates, by the
    "host:port" where it is controlled over TLS: `certificate` and `key` are this end's,
    `authority` signs those of switches (PEM files)."""

    def __init__(self, control: str | os.PathLike[str] = "/run/acisd.sock", *,
                 certificate: str | os.PathLike[str] | None = None, key: str | os.PathLike[str] | None = None,
                 authority: str | os.PathLike[str] | None = None) -> None:
        self._pointer = None
        pointer = ctypes.c_void_p()
        files = (certificate, key, authority)
        if any(file is not None for file in files):
            remote = _CRemote(*(os.fsencode(text or "") for text in (control, *files)))
            _call(_lib.acis_switch_open_remote, ctypes.byref(remote), ctypes.byref(pointer))
        else:
            _call(_lib.acis_switch_open, os.fsencode(control), ctypes.byref(pointer))
        super().__init__(pointer, _lib.acis_switch_close)

    def load(self, binary: str | os.PathLike[str] | bytes, handler: str = "", engine: str = "fast", listen: str = "",
             memory: typing.Any = None, state: str = "one") -> Handler:
        """Loads a handler and gives a Handler. `binary` is a path, or `bytes` with its content;
        `listen` is where packets come to, "127.0.0.1:0" for instance: port 0 is any free one,
        one in use is replaced, "" is any port where the switch is;
        `memory` is a buffer with the first bytes of the handler's memory, or how many bytes, all 0, it
        has at least. A handler that keeps
        state runs on one worker of a switch that has several, or with `state="each"` on all of
        them, each with a state of its own."""
        what = _CLoad(handler=handler.encode(), engine=engine.encode(), listen=listen.encode(),
                      state=state.encode())
        if isinstance(binary, bytes):
            content, what.bytes = _view(binary)
            what.bytes_size = len(content)
        else:
            what.path = os.fsencode(binary)
        if isinstance(memory, int):
            if memory < 0:
                raise Failure("bad-call", f"a memory of {memory} bytes; a number from 0 on is needed")
            what.memory_size = memory
        elif memory is not None:
            image, what.memory = _view(memory)
            what.memory_size = image.nbytes
        pointer = ctypes.c_void_p()
        _call(_lib.acis_handler_load, self._use(), ctypes.byref(what), ctypes.byref(pointer))
        return Handler(pointer)

    def attach(self, address: str) -> Handler:
        """A Handler for one that is loaded already."""
        pointer = ctypes.c_void_p()
        _call(_lib.acis_handler_attach, self._use(), address.encode(), ctypes.byref(pointer))
        return Handler(pointer)


def attach(address: str) -> Handler:
    """A Handler at "host:port", for a process without access to the switch's control socket:
    it can stream, but neither read counters nor unload."""
    pointer = ctypes.c_void_p()
    _call(_lib.acis_handler_attach, None, address.encode(), ctypes.byref(pointer))
    return Handler(pointer)


class Handler(_Object):
    """A handler in a switch. From Switch.load(), Switch.attach() or attach()."""

    def __init__(self, pointer: typing.Any) -> None:
        super().__init__(pointer, _lib.acis_handler_close)

    @property
    def address(self) -> str:
        """"host:port" that its packets go to."""
        return str(_lib.acis_handler_address(self._use()).decode())

    def stream(self, data: typing.Any, packet_bytes: int, out: typing.Any = None, capacity: int | None = None,
               window: int = 16, deadline: float = 5.0) -> typing.Any:
        """Sends `data` in packets of `packet_bytes`, `window` of them on their way at a time,
        and gives the answers one after the other, in the order of their packets: as an array
        with the type of `data` if that is a NumPy array, as bytes otherwise; or written to the
        buffer `out`, and as the part of it that was written. Answers have room for `capacity`
        bytes, by default those of `data` and 65,536 more.

        Every packet must get an answer within `deadline` seconds, else Failure "lost" says
        which did not. Nothing is sent twice."""
        answers, _ = self._stream(data, packet_bytes, out, capacity, window, deadline)
        if out is not None:
            return answers
        if not hasattr(data, "dtype"):
            return answers.tobytes()
        import numpy
        if answers.nbytes % data.dtype.itemsize:
            return numpy.frombuffer(answers, dtype=numpy.uint8)
        return numpy.frombuffer(answers, dtype=data.dtype)

    def packets(self, data: typing.Any, packet_bytes: int, capacity: int | None = None, window: int = 16,
                deadline: float = 5.0) -> list[bytes]:
        """Like stream(), but gives a list with the answer to each packet as bytes."""
        answers, lengths = self._stream(data, packet_bytes, None, capacity, window, deadline)
        result, start = [], 0
        for length in lengths:
            result.append(answers[start:start + length].tobytes())
            start += length
        return result

    def _stream(self, data: typing.Any, packet_bytes: int, out: typing.Any, capacity: int | None, window: int,
                deadline: float) -> tuple[memoryview, typing.Iterable[int]]:
        view, address = _view(data)
        if out is None:
            out = bytearray(view.nbytes + 65536 if capacity is None else capacity)
        room, out_address = _view(out, writable=True)
        packets = -(-view.nbytes // packet_bytes) if packet_bytes > 0 else 0
        lengths = (ctypes.c_uint32 * packets)()
        what = _CStream(address, view.nbytes, max(packet_bytes, 0), out_address, room.nbytes,
                        ctypes.addressof(lengths), max(window, 0), deadline)
        written = ctypes.c_size_t()
        _call(_lib.acis_handler_stream, self._use(), ctypes.byref(what), ctypes.byref(written))
        return room[:written.value], lengths

    def counters(self) -> Counters:
        """The switch's Counters of the handler."""
        counters = _CCounters()
        _call(_lib.acis_handler_read_counters, self._use(), ctypes.byref(counters))
        return Counters(*(getattr(counters, name) for name in Counters._fields))

    def unload(self) -> None:
        """Closes the handler's port in the switch."""
        _call(_lib.acis_handler_unload, self._use())


@contextlib.contextmanager
def local_switch(config: str | os.PathLike[str], *options: str,
                 control: str | os.PathLike[str] | None = None) -> typing.Iterator[Switch]:
    """Starts an `acisd` of its own for a `with` block and gives its Switch. `config` is the
    overlay, "u280.json"; `options` are further ones of acisd; `control` is the path of the
    control socket, if others need it."""
    with tempfile.TemporaryDirectory() as folder:
        control = control or os.path.join(folder, "acisd.sock")
        process = subprocess.Popen(
            ["acisd", "--listen", "127.0.0.1:0", "--config", config, "--control", control, *options],
            stdout=subprocess.PIPE, text=True)
        said = typing.cast(typing.IO[str], process.stdout)
        try:
            if not said.readline():
                raise Failure("unreachable", f"acisd ended with exit code {process.wait()}")
            with Switch(control) as switch:
                yield switch
        finally:
            process.terminate()
            process.wait()
            said.close()
