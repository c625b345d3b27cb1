"""Where the handler of acis.gcn runs: on an engine in this process, or in a switch."""
from __future__ import annotations

import itertools
import json
import os
import pathlib
import secrets
import typing

import numpy

from acis._arrays import Array
from acis import _binary
from acis._errors import BadArgument, Error
from acis._gcn_graph import Graph
from acis._gcn_pack import DUMMY_ROWS, Packer, Packet, Placement, Sizes
from acis._gcn_rows import RowsPlacement, rows_packets

if typing.TYPE_CHECKING:
    from acis import client

_HERE = pathlib.Path(__file__).absolute().parent
#: The handlers: "split" for any graph; "rows" where rows have few non-zeros.
KERNELS = ("split", "rows")
_DATAGRAM = 65507  #: bytes of payload at most
_SWITCH_MEMORY = 2**30  #: that acisd gives a handler
_FILL_PACKETS = 128  #: between two calls of `progress`


def _sizes(overlay: _binary.Overlay, packet_bytes: int, kernel: str) -> tuple[Sizes, int]:
    """For an overlay, and the bytes of its memory. A VPE's registers hold the sums of as many rows as an
    answer has, where the kernel keeps them, and dense rows in what is left, but for an eighth for the compiler."""
    machine = json.loads(_binary._overlay(overlay)[0])
    beats = machine["vrf"]["beats"]
    rows = min(packet_bytes // 64 - 1, beats // 2 - DUMMY_ROWS) if kernel == "split" else 0
    dense = beats - beats // 8 - rows - DUMMY_ROWS
    vpes = machine["grid"]["rows"] * machine["grid"]["cols"]
    if vpes > 16:
        raise BadArgument(f"the overlay has {vpes} VPEs; a beat has words for 1 to 16: take u280")
    if kernel == "rows" and vpes != 16:
        raise BadArgument(f"the overlay has {vpes} VPEs, and kernel rows is for 16: take kernel split, or u280")
    return Sizes(vpes, dense, rows, packet_bytes), machine["memory"]["bytes"]


def _compile(overlay: _binary.Overlay, sizes: Sizes, kernel: str) -> _binary.Binary:
    defines = sizes.defines if kernel == "split" else {"ROWS_X": sizes.dense_rows}
    return _binary.compile(_HERE / f"{kernel}.c", overlay, defines=defines)


def _check(answers: typing.Sequence[Array], expected: typing.Sequence[int]) -> None:
    for number, (answer, size) in enumerate(zip(answers, expected)):
        if answer.nbytes != size:
            raise Error(f"packet {number} was answered with {answer.nbytes} bytes, not {size}; is another handler there?")
    if len(answers) != len(expected):
        raise Error(f"{len(expected)} packets had {len(answers)} answers; is another handler there?")


class _Place:
    """What both have: a kernel, its sizes, and packets for it."""

    def __init__(self, overlay: _binary.Overlay, packet_bytes: int, kernel: str):
        self.kernel = _binary._one_of("kernel", kernel, KERNELS)
        self.sizes, self.memory_bytes = _sizes(overlay, packet_bytes, kernel)
        self._compiled = _compile(overlay, self.sizes, kernel)

    def placement(self, graph: Graph) -> Placement | RowsPlacement:
        """Where the dense rows lie that the graph names."""
        if self.kernel == "rows":
            return RowsPlacement(graph, self.sizes)
        return Placement(numpy.bincount(graph.indices, minlength=graph.cols), self.sizes)

    def packets(self, graph: Graph, placement: typing.Any) -> list[Packet]:
        """A pass over the graph, or over some rows of the one that the placement is of."""
        if self.kernel == "rows":
            return rows_packets(graph, placement)
        return Packer(graph, placement).packets()


class InProcess(_Place):
    """On an engine of this process: "fast", or "model", which counts cycles."""

    def __init__(self, engine: str = "fast", overlay: _binary.Overlay = "u280", packet_bytes: int = _DATAGRAM,
                 kernel: str = "split"):
        super().__init__(overlay, packet_bytes, kernel)
        self._engine = _binary._one_of("engine", engine, _binary.ENGINES)

    def run(self, image: Array, packets: list[Array], answer_bytes: list[int]) \
            -> tuple[list[Array], int | None]:
        """The answers to packets, with `image` in the memory; and cycles, if they are counted."""
        run = self._compiled.run(packets, engine=self._engine, memory=image, deadline=2**62)
        _check(run.packets, answer_bytes)
        return run.packets, run.statistics.get("cycles")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the handler, for a switch."""
        self._compiled.save(path)

    def close(self) -> None:
        self._compiled.close()

    def __enter__(self) -> InProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class InSwitch(_Place):
    """In a switch, an acis.client.Switch, over UDP. The handler is loaded once, and again where a memory has to
    be larger; dense rows are streamed into its memory. close() unloads it.

    `progress`, if given, is called with the bytes of dense rows that are in the switch, and how many there are."""

    def __init__(self, switch: client.Switch, engine: str = "fast", overlay: _binary.Overlay = "u280",
                 listen: str = "127.0.0.1:0", packet_bytes: int = _DATAGRAM, deadline: float = 2.0, tries: int = 20,
                 kernel: str = "split", progress: typing.Callable[[int, int], None] | None = None):
        if packet_bytes > _DATAGRAM:
            raise BadArgument(f"packets of {packet_bytes} bytes; a datagram has at most {_DATAGRAM}")
        super().__init__(overlay, packet_bytes, kernel)
        self._binary = bytes(self._compiled)
        self.memory_bytes = min(self.memory_bytes, _SWITCH_MEMORY)
        self._switch, self._engine, self._listen = switch, engine, listen
        self._deadline, self._tries, self._progress = deadline, tries, progress
        self._handler: client.Handler | None = None
        self._room = 0

    def run(self, image: Array, packets: list[Array], answer_bytes: list[int]) \
            -> tuple[list[Array], int | None]:
        """The answers to packets, with `image` in the memory; cycles, with engine "model"."""
        if self._handler is None or image.nbytes > self._room:
            self._room = image.nbytes
            self._handler = self._switch.load(self._binary, engine=self._engine, memory=self._room,
                                              listen=self._handler.address if self._handler else self._listen)
        before = self._handler.counters().cycles
        to = self.attached(self._handler)
        version = fill(to, image, self.sizes.packet_bytes, self._deadline, self._tries, self._progress)
        for words in packets:
            words[1] = version
        answers = stream(to, packets, answer_bytes, self._deadline, self._tries)
        after = self._handler.counters().cycles
        return answers, after - before if self._engine == "model" else None

    def attached(self, handler: client.Handler) -> client.Handler:
        """Where packets go: to the handler, unless a subclass says otherwise."""
        return handler

    def close(self) -> None:
        if self._handler:
            self._handler.unload()
            self._handler.close()
            self._handler = None

    def __enter__(self) -> InSwitch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def fill(handler: client.Handler, image: Array, packet_bytes: int, deadline: float, tries: int,
         progress: typing.Callable[[int, int], None] | None = None) -> int:
    """Streams floats into the handler's memory, in parts, each of which goes on where it was when a packet was lost. Gives
    their version, which sums have to name. The handler forgets it when the floats may be gone."""
    version = secrets.randbelow(2**32 - 1) + 1
    most = (packet_bytes // 64 - 1) * 16  #: floats of a packet, whole beats
    starts = range(0, len(image), most)
    stream(handler, [_head(0, version, 0, 0, 0)], [0], deadline, tries)
    for begin in range(0, len(starts), _FILL_PACKETS):
        packets = []
        for start in starts[begin:begin + _FILL_PACKETS]:
            part = image[start:start + most]
            packets.append(numpy.concatenate([_head(0, version, 0, start, len(part)), part.view("u4")]))
        stream(handler, packets, [0] * len(packets), deadline, tries)
        if progress:
            progress(min(len(image), (starts[begin] + most * len(packets))) * 4, image.nbytes)
    return version


def _head(*words: int) -> Array:
    head = numpy.zeros(16, "u4")
    head[:len(words)] = words
    return head


def stream(handler: client.Handler, packets: list[Array], answer_bytes: list[int], deadline: float, tries: int) \
        -> list[Array]:
    """The answers to packets through a switch. All have the length of the longest, as a handler takes what
    it needs of its packet. An answer to a packet is the same every time, so one that is lost, or is that of another packet,
    as its tag says, is asked for again, `tries` times without a new one."""
    from acis import client
    length = max(packet.nbytes for packet in packets)
    content = numpy.zeros((len(packets), length // 4), "u4")
    for row, packet in zip(content, packets):
        row[:len(packet)] = packet
    tags = numpy.array([next(_tags) % (2**32 - 1) + 1 for _ in packets], "u4")
    content[:, 2] = tags
    ends = numpy.cumsum(answer_bytes) // 4 + 16 * numpy.arange(1, len(packets) + 1)
    # Room behind the last one, for answers of others.
    out = numpy.zeros(int(ends[-1]) + 16384, "f4")
    done = failed = 0
    while done < len(packets):
        at = int(ends[done - 1]) if done else 0
        lost: client.Failure | None = None
        try:
            got = handler.stream(content[done:], length, out=out[at:], deadline=deadline).nbytes // 4
        except client.Failure as problem:
            if problem.code not in ("lost", "no-room"):
                raise
            lost, got = problem, 0
            if problem.packet:
                got = int(ends[done + problem.packet - 1]) - at
        before = done
        done = _right(out.view("u4")[:at + got], tags, ends, done)
        failed = 0 if done > before else failed + 1
        if failed >= tries:
            raise lost or Error(f"packet {done} has been answered with something else; is another handler there?")
    return [out[end - size // 4:end] for size, end in zip(answer_bytes, ends.tolist())]


_tags = itertools.count(secrets.randbelow(2**31))


def _right(answers: Array, tags: Array, ends: Array, done: int) -> int:
    """How many answers are there, those before `done` among them, and of their packets."""
    while done < len(tags):
        at = int(ends[done - 1]) if done else 0
        head = answers[at:at + 16]
        if len(head) >= 8 and (head[:8] == tags[done]).all() and (head[8:] != tags[done]).any() | (len(head) == 8):
            raise Error(f"the switch has lost its dense rows, says the answer to packet {done} (has the handler trapped, or has another host "
                        "loaded it?); do it again")
        if int(ends[done]) > len(answers) or (head != tags[done]).any():
            break
        done += 1
    return done
