"""The last layer of a network in a switch, which several ranks train together.

    from acis import client, training

    shape = training.shape(64, 7, batch=128, ranks=4)
    with training.InSwitch(shape, switch) as place:           # rank 0; others: training.InSwitch(shape, address=...)
        layer = training.LastLayer(place, rank=0)
        version = layer.begin(weights)                        # others: layer.join(version)
        for step in range(100):
            logits = layer.forward(hidden)                    # hidden @ weights
            back = layer.backward(errors)                     # errors @ weights.T
            ...                                               # Allreduce of the other layers' gradients
            layer.step(rate)                                  # weights -= rate * hidden.T @ errors, of all ranks
        weights = layer.weights()

A rank sends its samples' rows of `hidden` and of `errors`, and nothing of the size of the weights. What the switch is sent can
be repeated; the weights move once a step. docs/training.md says in which order sums are added, and what goes where.
"""
from __future__ import annotations

import numpy

from acis._arrays import Array
from acis._errors import BadArgument, Error
from acis._packets import DATAGRAM, HEAD_WORDS, head
from acis._training_places import LANES, InProcess, InSwitch, Shape, shape

__all__ = ["InProcess", "InSwitch", "LastLayer", "Shape", "shape"]

_FORWARD, _BACKWARD, _READ = 1, 2, 3
_SMALLER = "take a smaller learning rate, or scale the features down"


class LastLayer:
    """A rank's end of the layer. `sent` and `received` are the bytes of the steps' packets and answers, each counted once.

    All ranks take the same steps: each calls forward() with its samples, backward() with their error terms, and step() with the same
    rate. Between backward() and the next forward() all have to have met, as in the Allreduce of the layers before."""

    def __init__(self, place: InProcess | InSwitch, rank: int = 0):
        self.place, self.shape, self.rank = place, place.shape, rank
        if not 0 <= rank < self.shape.ranks:
            raise BadArgument(f"rank {rank} of {self.shape.ranks}; they count from 0 to {self.shape.ranks - 1}")
        self.version = 0
        self.taken = 0  #: steps
        self.sent = self.received = 0
        self._rate = numpy.float32(0)
        self._next = "forward"

    def begin(self, weights: Array) -> int:
        """Puts the weights, inputs x outputs, into the memory. By one rank; gives what the others join()."""
        self._check("the weights", weights, (self.shape.inputs, self.shape.outputs))
        self.version = self.place.begin(self.shape.image(weights))
        return self.version

    def join(self, version: int) -> None:
        """Takes part in what another rank's begin() gave."""
        self.version = version

    def forward(self, activations: Array) -> Array:
        """The layer's outputs for this rank's samples, a row each."""
        self._turn("forward")
        self._check("activations", activations, (len(activations), self.shape.inputs))
        outputs = self._products(_FORWARD, activations, self.shape.rows, self.shape.columns)[:, :self.shape.outputs]
        if not numpy.isfinite(outputs).all():
            raise Error(f"rank {self.rank}, step {self.taken}: outputs of the last layer do not fit in a float32", way_out=_SMALLER)
        self._next = "backward"
        return outputs

    def backward(self, errors: Array) -> Array:
        """The error terms of what forward() was given, for those of what it gave: errors x weights, transposed."""
        self._turn("backward")
        self._check("error terms", errors, (len(errors), self.shape.outputs))
        inputs = self._products(_BACKWARD, errors, self.shape.columns, self.shape.rows)[:, :self.shape.inputs]
        self._next = "step"
        return inputs

    def step(self, rate: float) -> None:
        """The weights of the next forward() or weights() are those less rate x gradient, which is the sum over all ranks' samples."""
        self._turn("step")
        if not numpy.isfinite(numpy.float32(rate)):
            raise BadArgument(f"the rate is {rate}", way_out="a finite number is needed")
        self._rate, self._next = numpy.float32(rate), "forward"
        self.version += 1
        self.taken += 1

    def weights(self) -> Array:
        """Those after the last step, inputs x outputs."""
        self._turn("forward")
        packets, sizes = [], []
        most = (DATAGRAM // 64 - 1) * LANES
        for first in range(0, self.shape.weights, most):
            count = min(most, self.shape.weights - first)
            packets.append(head(_READ, self.version, 1, first, count, self._rate.view("u4")))
            sizes.append(4 * count)
        answers = self._exchange(packets, sizes)
        whole = numpy.concatenate(answers).reshape(self.shape.rows, self.shape.columns)
        return whole[:self.shape.inputs, :self.shape.outputs]

    def _turn(self, name: str) -> None:
        if not self.version:
            raise BadArgument(f"rank {self.rank}: the layer has no weights; call begin() on one rank, and join() on the others")
        if name != self._next:
            raise BadArgument(f"rank {self.rank}, step {self.taken}: {self._next}() is due; a step is forward(), backward(), step()")

    def _check(self, what: str, rows: Array, expected: tuple[int, int]) -> None:
        place = f"rank {self.rank}, step {self.taken}: {what}"
        if rows.ndim != 2 or rows.shape != expected:
            raise BadArgument(f"{place} have the shape {rows.shape}, not {expected}; the layer has {self.shape.inputs} inputs and "
                              f"{self.shape.outputs} outputs")
        if rows.dtype != numpy.float32:
            raise BadArgument(f"{place} are of type {rows.dtype}; convert them with astype('float32')")
        if what != "the weights" and len(rows) > self.shape.local:
            raise BadArgument(f"{place} of {len(rows)} samples; a rank has up to {self.shape.local} in a step: make shape() with a larger "
                              "batch")
        if not numpy.isfinite(rows).all():
            number = int(numpy.argmin(numpy.isfinite(rows).all(axis=1)))
            raise Error(f"{place} have NaN or infinity in row {number}", way_out=_SMALLER)

    def _products(self, kind: int, rows: Array, width: int, out_width: int) -> Array:
        """This rank's rows, through all of its packets: what is not there is 0, and so is its part of the gradient."""
        s = self.shape
        whole = numpy.zeros((s.packets, s.samples, width), "f4")
        whole.reshape(-1, width)[:len(rows), :rows.shape[1]] = rows
        first, rate = self.rank * s.packets, self._rate.view("u4")
        packets = [numpy.concatenate([head(kind, self.version, 1, first + number, 0, rate), part.reshape(-1).view("u4")])
                   for number, part in enumerate(whole)]
        answers = self._exchange(packets, [4 * s.samples * out_width] * len(packets))
        self.sent += sum(packet.nbytes for packet in packets)
        self.received += sum(answer.nbytes + 4 * HEAD_WORDS for answer in answers)
        blocks = numpy.stack(answers).reshape(s.packets, out_width // LANES, s.samples, LANES)
        return blocks.transpose(0, 2, 1, 3).reshape(-1, out_width)[:len(rows)].copy()

    def _exchange(self, packets: list[Array], sizes: list[int]) -> list[Array]:
        try:
            return self.place.exchange(packets, sizes)
        except Error as problem:
            problem.args = (f"rank {self.rank}, step {self.taken}: {problem.args[0]}",)
            raise
