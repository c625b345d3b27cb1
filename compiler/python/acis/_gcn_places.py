"""Where the handler of acis.gcn runs: on an engine in this process, or in a switch."""
from __future__ import annotations

import concurrent.futures
import functools
import json
import os
import pathlib
import typing

import numpy

from acis._arrays import Array
from acis import _binary
from acis._errors import BadArgument, Error
from acis._gcn_graph import Graph
from acis._gcn_leaf import Leaf, Together
from acis._gcn_pack import DUMMY_ROWS, Packer, Packet, Placement, Sizes
from acis._gcn_rows import RowsPlacement, rows_packets
from acis._packets import DATAGRAM, SWITCH_MEMORY, Progress

if typing.TYPE_CHECKING:
    from acis import client

_HERE = pathlib.Path(__file__).absolute().parent
#: The handlers: "split" for any graph; "rows" where rows have few non-zeros.
KERNELS = ("split", "rows")


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

    def __init__(self, engine: str = "fast", overlay: _binary.Overlay = "u280", packet_bytes: int = DATAGRAM,
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
                 listen: str = "127.0.0.1:0", packet_bytes: int = DATAGRAM, deadline: float = 2.0, tries: int = 20,
                 kernel: str = "split", progress: Progress | None = None):
        _check_packets(packet_bytes)
        super().__init__(overlay, packet_bytes, kernel)
        self.memory_bytes = min(self.memory_bytes, SWITCH_MEMORY)
        self._leaf = Leaf(switch, bytes(self._compiled), engine, listen, packet_bytes, deadline, tries, self.attached)
        self._progress = progress

    def run(self, image: Array, packets: list[Array], answer_bytes: list[int]) \
            -> tuple[list[Array], int | None]:
        """The answers to packets, with `image` in the memory; cycles, with engine "model"."""
        return self._leaf.run(image, packets, answer_bytes, self._progress)

    def attached(self, handler: client.Handler) -> client.Handler:
        """Where packets go: to the handler, unless a subclass says otherwise."""
        return handler

    def close(self) -> None:
        self._leaf.close()

    def __enter__(self) -> InSwitch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class InSwitches(_Place):
    """In several switches, the leaves, at the same time: each has the handler and all dense rows, and sums its part of the packets.
    Cycles are those of the leaf with most. The arguments are those of InSwitch; `listen` has a free port on each, and `progress` is
    called, by one thread at a time, with the bytes of all leaves."""

    def __init__(self, switches: typing.Sequence[client.Switch], engine: str = "fast", overlay: _binary.Overlay = "u280",
                 listen: str = "127.0.0.1:0", packet_bytes: int = DATAGRAM, deadline: float = 2.0, tries: int = 20,
                 kernel: str = "split", progress: Progress | None = None):
        if not switches:
            raise BadArgument("there are no switches; give one for each leaf")
        _check_packets(packet_bytes)
        super().__init__(overlay, packet_bytes, kernel)
        self.memory_bytes = min(self.memory_bytes, SWITCH_MEMORY)
        binary = bytes(self._compiled)
        self._leaves = [Leaf(switch, binary, engine, listen, packet_bytes, deadline, tries,
                             functools.partial(self.attached, leaf)) for leaf, switch in enumerate(switches)]
        self._progress = progress

    def run(self, image: Array, packets: list[Array], answer_bytes: list[int]) \
            -> tuple[list[Array], int | None]:
        """The answers to packets, with `image` in each leaf's memory; cycles, with engine "model"."""
        ends = numpy.cumsum([packet.nbytes + size for packet, size in zip(packets, answer_bytes)])
        shares = numpy.searchsorted(ends, ends[-1] * (numpy.arange(1, len(self._leaves)) - 0.0) / len(self._leaves), "right")
        bounds = [0, *shares.tolist(), len(packets)]
        parts = [slice(a, b) for a, b in zip(bounds, bounds[1:])]
        busy = [leaf for leaf, part in enumerate(parts) if part.start < part.stop]
        done = Together(self._progress, len(busy))
        with concurrent.futures.ThreadPoolExecutor(len(busy)) as threads:
            runs = {leaf: threads.submit(self._leaves[leaf].run, image, packets[parts[leaf]], answer_bytes[parts[leaf]], done.of(leaf))
                    for leaf in busy}
        answers: list[Array] = []
        cycles: list[int | None] = []
        for leaf, one in runs.items():
            if problem := one.exception():
                if isinstance(problem, Error):
                    problem.args = (f"leaf {leaf}: {problem.args[0]}",)
                raise problem
            got, used = one.result()
            answers += got
            cycles.append(used)
        counted = [used for used in cycles if used is not None]
        return answers, max(counted) if counted else None

    def attached(self, leaf: int, handler: client.Handler) -> client.Handler:
        """Where packets to a leaf go: to its handler, unless a subclass says otherwise."""
        return handler

    def close(self) -> None:
        for leaf in self._leaves:
            leaf.close()

    def __enter__(self) -> InSwitches:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _check_packets(packet_bytes: int) -> None:
    if packet_bytes > DATAGRAM:
        raise BadArgument(f"packets of {packet_bytes} bytes; a datagram has at most {DATAGRAM}")
