"""A last layer on engines: the bits of NumPy in the stated order; what does not fit or cannot be."""
import itertools
import os
import sys

import numpy

sys.path.insert(0, os.path.dirname(__file__))
import acis
from acis import training
from ordered import descended, product
from raises import raises

generator = numpy.random.default_rng(3)


def normal(*shape):
    return generator.standard_normal(shape).astype("f4")


def steps(inputs, outputs, batch, ranks, engine, count=3, overlay="u280"):
    """Steps of several ranks one after the other, the last rank first."""
    shape = training.shape(inputs, outputs, batch, ranks, overlay)
    with training.InProcess(shape, engine) as place:
        layers = [training.LastLayer(place, rank) for rank in range(ranks)]
        weights = normal(inputs, outputs)
        version = layers[0].begin(weights)
        for layer in layers[1:]:
            layer.join(version)
        assert layers[0].weights().tobytes() == weights.tobytes()
        for step in range(count):
            x, e = numpy.maximum(normal(batch, inputs), 0), normal(batch, outputs)
            parts = [slice(rank * shape.local, min(batch, (rank + 1) * shape.local)) for rank in range(ranks)]
            for layer, part in reversed(list(zip(layers, parts))):
                assert layer.forward(x[part]).tobytes() == product(x[part], weights, shape.vpes).tobytes()
            for layer, part in zip(layers, parts):
                assert layer.backward(e[part]).tobytes() == product(e[part], weights.T, shape.vpes).tobytes()
            for layer in layers:
                layer.step(0.1 / (step + 1))
            weights = descended(weights, x, e, 0.1 / (step + 1))
        for layer in layers:
            assert layer.weights().tobytes() == weights.tobytes()
        return place.cycles, layers[0]


for engine in ("fast", "model"):
    for inputs, outputs, batch, ranks in ((64, 7, 96, 4), (33, 17, 10, 3), (16, 1, 1, 1), (1, 40, 7, 1), (300, 120, 24, 2)):
        cycles, layer = steps(inputs, outputs, batch, ranks, engine)
        assert (cycles > 0) == (engine == "model")
# A row for each sample each way, filled up to beats, and a beat for each packet and answer.
s = layer.shape
assert layer.sent == layer.received == 3 * s.packets * (2 * 64 + 4 * s.samples * (s.rows + s.columns))
for overlay in ("u280-full", "mesh2x2-onecycle"):
    steps(40, 20, 9, 4, "model", count=2, overlay=overlay)  # and a rank without samples
steps(4096, 20, 6, 2, "fast", count=2)  # several packets for each rank

# A part of the samples is as good as all with rows of 0.
shape = training.shape(20, 5, batch=8)
x, e, weights = normal(3, 20), normal(3, 5), normal(20, 5)
with training.InProcess(shape) as place:
    layer = training.LastLayer(place)
    layer.begin(weights)
    layer.forward(x)
    layer.backward(e)
    layer.step(1)
    assert layer.weights().tobytes() == descended(weights, x, e, 1).tobytes()

# Turns.
with training.InProcess(shape) as place:
    layer = training.LastLayer(place)
    raises(acis.BadArgument, "rank 0: the layer has no weights; call begin() on one rank, and join() on the others", layer.forward, x)
    layer.begin(weights)
    raises(acis.BadArgument, "rank 0, step 0: forward() is due; a step is forward(), backward(), step()", layer.backward, e)
    layer.forward(x)
    raises(acis.BadArgument, "rank 0, step 0: backward() is due", layer.forward, x)
    raises(acis.BadArgument, "rank 0, step 0: backward() is due", layer.step, 1)
    # Shapes and values.
    raises(acis.BadArgument, "rank 0, step 0: error terms have the shape (3, 20), not (3, 5)", layer.backward, x)
    raises(acis.BadArgument, "error terms are of type float64; convert them with astype('float32')", layer.backward, e.astype("f8"))
    wrong = e.copy()
    wrong[1, 2] = numpy.nan
    error = raises(acis.Error, "rank 0, step 0: error terms have NaN or infinity in row 1", layer.backward, wrong)
    assert error.way_out == "take a smaller learning rate, or scale the features down"
    layer.backward(e)
    raises(acis.BadArgument, "the rate is nan", layer.step, float("nan"))
    layer.step(1e38)
    raises(acis.BadArgument, "activations of 9 samples; a rank has up to 8 in a step", layer.forward, normal(9, 20))
    raises(acis.BadArgument, "activations have the shape (20,), not (20, 20)", layer.forward, x[0])
    raises(acis.Error, "rank 0, step 1: outputs of the last layer do not fit in a float32", layer.forward, 1e3 * x)
    raises(acis.BadArgument, "the weights have the shape (5, 20), not (20, 5)", layer.begin, weights.T)
raises(acis.BadArgument, "rank 1 of 1; they count from 0 to 0", training.LastLayer, place, 1)

# A rank that is late: the weights do not move without it.
shape = training.shape(20, 5, batch=8, ranks=2)
with training.InProcess(shape) as place:
    first, second = training.LastLayer(place, 0), training.LastLayer(place, 1)
    second.join(first.begin(weights))
    first.forward(x)
    first.backward(e)
    first.step(1)
    raises(acis.Error, "rank 0, step 1: the error terms of the step before are not all in the switch", first.forward, x)
    second.forward(x)
    second.backward(e)
    second.step(1)
    assert second.weights().tobytes() == descended(weights, numpy.concatenate([x, x]), numpy.concatenate([e, e]), 1).tobytes()
    second.join(99)
    raises(acis.Error, "rank 1, step 1: the switch does not have the weights of this step", second.forward, x)

# A run that is broken off leaves no weights that a part of an update has moved.
class BrokenOff:
    def run(self, packets, memory, **_):
        memory[0] += 1
        raise RuntimeError


with training.InProcess(training.shape(20, 5, batch=8)) as place:
    layer, whole = training.LastLayer(place), place._compiled
    layer.begin(weights)
    layer.forward(x)
    layer.backward(e)
    layer.step(1)
    place._compiled = BrokenOff()
    raises(RuntimeError, "", layer.forward, x)
    place._compiled = whole
    raises(acis.Error, "rank 0, step 1: the switch does not have the weights of this step", layer.forward, x)

# What does not fit.
for arguments, text in (((17000, 3, 1), "with packets of 65507 bytes neither may be more than 16352"),
                        ((3, 17000, 1), "neither may be more than 16352"),
                        ((64, 7, 4000), "a step of 4000 samples of a layer with 64 inputs and 7 outputs takes at least"),
                        ((0, 7, 4), "inputs is 0; a whole number from 1 on is needed"),
                        ((64, 7, 4, 2.0), "ranks is 2.0; a whole number")):
    raises(acis.BadArgument, text, training.shape, *arguments)
raises(acis.BadArgument, "packets of 70000 bytes; a datagram has at most 65507", training.shape, 8, 8, 8, packet_bytes=70000)
raises(acis.BadArgument, "the overlay has 36 VPEs; a beat is divided among 1, 2, 4, 8 or 16: take u280", training.shape, 8, 8, 8,
       overlay="mesh6x6-onecycle")
raises(acis.CompileError, "16 memory reads; the overlay has 4 ports", training.InProcess, training.shape(8, 8, 8, overlay="mesh4x4"))
large = training.shape(4096, 1000, 512)
error = raises(acis.BadArgument, "iterations, and a packet in a switch may take 1000000; take a batch of up to ", training.InSwitch, large,
               address="127.0.0.1:9")
