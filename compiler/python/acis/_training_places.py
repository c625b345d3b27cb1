"""Where the handler of acis.training runs: on an engine in this process, or in a switch; and its sizes."""
from __future__ import annotations

import json
import pathlib
import typing

import numpy

from acis import _binary
from acis._arrays import Array
from acis._errors import BadArgument, Error
from acis._packets import DATAGRAM, HEAD_WORDS, SWITCH_MEMORY, fill, new_version, stream

if typing.TYPE_CHECKING:
    from acis import client

LANES = 16  #: of a beat
_MOST_SAMPLES = 64  #: of a packet
_STEPS = 1000000  #: that an invocation in a switch may take, of 2**20 with its instructions
#: What the handler says with an answer of so many words.
_REFUSALS = {
    8: "the switch does not have the weights of this step, says the answer to packet {packet} (has the handler trapped, or has another "
       "job loaded it?); begin again from the last weights that were read",
    12: "the error terms of the step before are not all in the switch, says the answer to packet {packet}; have all ranks take as many "
        "steps, each with backward(), and meet before the next forward()"}


class Shape(typing.NamedTuple):
    """Of a last layer and of a step. Rows and columns are filled up to whole beats."""
    inputs: int
    outputs: int
    ranks: int
    local: int    #: samples of a rank in a step
    samples: int  #: of a packet
    packets: int  #: of a rank in a step
    vpes: int
    overlay: _binary.Overlay

    @property
    def rows(self) -> int:
        return -(-self.inputs // LANES) * LANES

    @property
    def columns(self) -> int:
        return -(-self.outputs // LANES) * LANES

    @property
    def slots(self) -> int:
        """Packets of a step, of all ranks."""
        return self.packets * self.ranks

    @property
    def batch(self) -> int:
        """Samples that the handler has room for."""
        return self.slots * self.samples

    @property
    def weights(self) -> int:
        """Floats of the weights, which are there twice."""
        return self.rows * self.columns

    @property
    def floats(self) -> int:
        """Of the memory."""
        return 2 * self.weights + self.batch * (self.rows + self.columns) + self.slots + 1

    @property
    def most_steps(self) -> int:
        """Iterations of the longest invocation: an update of the weights and of the transposed ones, and a packet's products."""
        own, blocks = self.rows // self.vpes, self.columns // LANES
        update = sum(n * (self.batch * (r + 1) + 2 * r) for r, n in ((own, blocks), (self.columns // self.vpes, self.rows // LANES)))
        return update + self.samples * own * 2 + blocks * (self.samples * (own + 1) + own)

    @property
    def defines(self) -> dict[str, object]:
        return {"ROWS": self.rows, "COLUMNS": self.columns, "SAMPLES": self.samples, "SLOTS": self.slots}

    def image(self, weights: Array) -> Array:
        """The first floats of the memory."""
        whole = numpy.zeros((self.rows, self.columns), "f4")
        whole[:self.inputs, :self.outputs] = weights
        return numpy.concatenate([whole.reshape(-1), whole.T.reshape(-1)])


def shape(inputs: int, outputs: int, batch: int, ranks: int = 1, overlay: _binary.Overlay = "u280",
          packet_bytes: int = DATAGRAM) -> Shape:
    """Of a layer with `inputs` x `outputs` weights, for steps of `batch` samples, divided among `ranks`."""
    for name, value in (("inputs", inputs), ("outputs", outputs), ("batch", batch), ("ranks", ranks)):
        if not isinstance(value, int) or value < 1:
            raise BadArgument(f"{name} is {value!r}; a whole number from 1 on is needed")
    if packet_bytes > DATAGRAM:
        raise BadArgument(f"packets of {packet_bytes} bytes; a datagram has at most {DATAGRAM}")
    machine = json.loads(_binary._overlay(overlay)[0])
    vpes = machine["grid"]["rows"] * machine["grid"]["cols"]
    if LANES % vpes:
        raise BadArgument(f"the overlay has {vpes} VPEs; a beat is divided among 1, 2, 4, 8 or 16: take u280")
    widest = -(-max(inputs, outputs) // LANES) * LANES
    fit = (packet_bytes // 4 - HEAD_WORDS) // widest
    if fit < 1:
        raise BadArgument(f"a layer of {inputs} inputs and {outputs} outputs; with packets of {packet_bytes} bytes neither may be more "
                          f"than {(packet_bytes // 4 - HEAD_WORDS) // LANES * LANES}: put the layer before it in the switch, or make it narrower")
    local, own, beats = -(-batch // ranks), widest // vpes, machine["vrf"]["beats"] * 7 // 8
    # A VPE has the rows of the packet's samples, two of the weights, a sum for each sample, and one has the whole step's error terms.
    packets = next((n for n in range(-(-local // min(fit, _MOST_SAMPLES)), local + 1)
                    if own * (-(-local // n) + 2) + -(-local // n) + n * -(-local // n) * ranks <= beats), 0)
    if not packets:
        raise BadArgument(f"a step of {batch} samples of a layer with {inputs} inputs and {outputs} outputs takes at least "
                          f"{3 * own + 1 + local * ranks} beats of a VPE's registers, which have {beats} for it; take a smaller batch, or a "
                          "narrower layer")
    found = Shape(inputs, outputs, ranks, local, -(-local // packets), packets, vpes, overlay)
    if 4 * found.floats > machine["memory"]["bytes"]:
        raise BadArgument(f"weights and samples of a step have {4 * found.floats} bytes, the memory {machine['memory']['bytes']}; take a "
                          "smaller batch")
    return found


class InProcess:
    """On an engine of this process, "fast" or "model". `cycles` is the sum of what "model" has counted."""

    def __init__(self, shape: Shape, engine: str = "fast"):
        self.shape = shape
        self._engine = _binary._one_of("engine", engine, _binary.ENGINES)
        self._compiled = _compile(shape)
        self._memory = numpy.zeros(shape.floats, "f4")
        self.cycles = 0

    def begin(self, image: Array) -> int:
        """Puts floats at the start of the memory; gives their version."""
        version = new_version()
        self._memory[:] = 0
        self._memory[:len(image)] = image
        self._memory.view("u4")[-1] = version
        return version

    def exchange(self, packets: list[Array], answer_bytes: list[int]) -> list[Array]:
        """The answers to packets, without their tags."""
        try:
            run = self._compiled.run(packets, engine=self._engine, memory=self._memory, deadline=2**62)
        except BaseException:
            # Interrupted, perhaps within an update: as a switch, which then has nothing.
            self._memory.view("u4")[-1] = 0
            raise
        self.cycles += run.statistics.get("cycles", 0)
        for number, (answer, size) in enumerate(zip(run.packets, answer_bytes)):
            if answer.nbytes != size + 4 * HEAD_WORDS:
                raise Error(_REFUSALS[answer.nbytes // 4].format(packet=number))
        return [answer[HEAD_WORDS:] for answer in run.packets]

    def close(self) -> None:
        self._compiled.close()

    def __enter__(self) -> InProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class InSwitch:
    """In a switch over UDP. With `switch`, an acis.client.Switch, the handler is loaded there, and close() unloads it; with `address`,
    the `address` of a place that did so, maybe in another process, it is used."""

    def __init__(self, shape: Shape, switch: client.Switch | None = None, address: str = "", engine: str = "fast",
                 listen: str = "127.0.0.1:0", deadline: float = 2.0, tries: int = 20):
        from acis import client
        self.shape = shape
        self._deadline, self._tries, self._own = deadline, tries, switch is not None
        if 4 * shape.floats > SWITCH_MEMORY:
            raise BadArgument(f"weights and samples of a step have {4 * shape.floats} bytes, a handler in a switch {SWITCH_MEMORY}; take "
                              "a smaller batch")
        if shape.most_steps > _STEPS:
            raise BadArgument(f"an update of {shape.inputs} x {shape.outputs} weights by {shape.batch} samples takes {shape.most_steps} "
                              f"iterations, and a packet in a switch may take {_STEPS}; take a batch of up to {_most_batch(shape)}, or a "
                              "narrower layer")
        if switch is None:
            self._handler = client.attach(address)
        else:
            compiled = _compile(shape)
            self._handler = switch.load(bytes(compiled), engine=engine, memory=4 * shape.floats, listen=listen)
            compiled.close()

    @property
    def address(self) -> str:
        return self._handler.address

    def attached(self) -> client.Handler:
        """Where packets go: to the handler, unless a subclass says otherwise."""
        return self._handler

    def begin(self, image: Array) -> int:
        """Streams floats to the start of the memory; gives their version."""
        return fill(self.attached(), image, DATAGRAM, self._deadline, self._tries, refusals=_REFUSALS)

    def exchange(self, packets: list[Array], answer_bytes: list[int]) -> list[Array]:
        """The answers to packets, without their tags."""
        return stream(self.attached(), packets, answer_bytes, self._deadline, self._tries, _REFUSALS)

    def close(self) -> None:
        if self._own:
            self._handler.unload()
        self._handler.close()

    def __enter__(self) -> InSwitch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _compile(shape: Shape) -> _binary.Binary:
    return _binary.compile(pathlib.Path(__file__).absolute().parent / "layer.c", shape.overlay, defines=shape.defines)


def _most_batch(shape: Shape) -> int:
    """About as many samples as an update may have in a switch."""
    return max(1, shape.batch * _STEPS // shape.most_steps * 9 // 10)
