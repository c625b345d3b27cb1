"""A last layer through a switch: the bits of NumPy in the stated order, also where the network loses, doubles and delays; handlers
that trap, ranks that are missing, a switch that dies."""
import os
import socket
import sys
import threading

import numpy

sys.path.insert(0, os.path.dirname(__file__))
import acis
from acis import client, training
from ordered import descended, product
from raises import raises
from relay import Lossy

generator = numpy.random.default_rng(9)
SHAPE = training.shape(70, 9, batch=48, ranks=4, packet_bytes=2000)


def normal(*shape):
    return generator.standard_normal(shape).astype("f4")


class Through(training.InSwitch):
    """A place whose packets go through a relay."""

    def __init__(self, *arguments, drop, late, **options):
        super().__init__(*arguments, deadline=0.1, tries=200, **options)
        self.relay = Lossy(self.address, drop, late)
        self._through = client.attach(self.relay.address)

    def attached(self):
        return self._through


def train(switch, drop=0, late=0, count=4):
    """Ranks are threads, that meet between their steps; the weights have the bits of those in one process."""
    weights = normal(70, 9)
    data = [(normal(48, 70), normal(48, 9)) for _ in range(count)]
    place = Through(SHAPE, switch, drop=drop, late=late)
    barrier, failed = threading.Barrier(4), []
    version = training.LastLayer(place).begin(weights)

    def work(rank):
        try:
            own, expected = Through(SHAPE, address=place.address, drop=drop, late=late), weights
            layer = training.LastLayer(own, rank)
            layer.join(version)
            part = slice(rank * 12, rank * 12 + 12)
            for x, e in data:
                assert layer.forward(x[part]).tobytes() == product(x[part], expected).tobytes()
                assert layer.backward(e[part]).tobytes() == product(e[part], expected.T).tobytes()
                barrier.wait(60)
                layer.step(0.05)
                expected = descended(expected, x, e, 0.05)
            assert layer.weights().tobytes() == expected.tobytes()
            assert (own.relay.dropped > 0) == (drop > 0)
            barrier.wait(60)
            own.close()
            own.relay.done = True
        except Exception as problem:
            failed.append(problem)
            barrier.abort()

    threads = [threading.Thread(target=work, args=(rank,)) for rank in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    place.relay.done = True
    place.close()
    if failed:
        raise failed[0]


def layer_of(switch, **options):
    place = training.InSwitch(SHAPE, switch, **options)
    layer = training.LastLayer(place)
    layer.begin(normal(70, 9))
    return place, layer


with client.local_switch("u280.json") as switch:
    train(switch)
    train(switch, drop=2)
    for late in (1, 3, 11):
        train(switch, drop=1, late=late)
    # Two jobs, each with its weights.
    jobs = [threading.Thread(target=train, args=(switch,)) for _ in range(2)]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()

    # The first packet of all, which begins the version, comes once more when a step is over.
    alone = training.shape(70, 9, batch=12)
    with training.InSwitch(alone, switch) as place:
        layer = training.LastLayer(place)
        weights, x, e = normal(70, 9), normal(12, 70), normal(12, 9)
        version = layer.begin(weights)
        for _ in range(2):
            layer.forward(x)
            layer.backward(e)
            layer.step(0.1)
            weights = descended(weights, x, e, 0.1)
        layer.forward(x)
        host, port = place.address.split(":")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as raw:
            raw.settimeout(10)
            raw.sendto(numpy.array([0, version, 5] + [0] * 13, "u4").tobytes(), (host, int(port)))
            assert raw.recv(65536) == numpy.array([5] * 8, "u4").tobytes()
        assert layer.backward(e).tobytes() == product(e, weights.T).tobytes()

    # A rank whose error terms never came: no step is taken without it.
    place, layer = layer_of(switch)
    layer.forward(normal(12, 70))
    layer.backward(normal(12, 9))
    layer.step(0.1)
    raises(acis.Error, "rank 0, step 1: the error terms of the step before are not all in the switch", layer.forward, normal(12, 70))
    raises(acis.Error, "rank 0, step 1: the error terms of the step before are not all in the switch", layer.weights)
    place.close()

    # A stranger's packet makes the handler trap, which has no weights then.
    place, layer = layer_of(switch)
    layer.forward(normal(12, 70))
    host, port = place.address.split(":")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as raw:
        raw.sendto(bytes([1, 0, 0, 0]), (host, int(port)))
    while not place.attached().counters().dropped_trap:
        pass
    error = raises(acis.Error, "rank 0, step 0: the switch does not have the weights of this step", layer.backward, normal(12, 9))
    assert "begin again from the last weights that were read" in str(error)
    layer = training.LastLayer(place)
    layer.begin(normal(70, 9))  # and now it goes
    layer.forward(normal(12, 70))
    place.close()

    # Another handler.
    binary = acis.compile("#include <acis.h>\nACIS_HANDLER void one(const float *restrict in, float *restrict out, "
                          "const float *restrict mem, uint32_t *len) {\n  for (uint32_t i = 0; i < 16; i++)\n    out[i] = 1;\n  *len = 64;\n}\n")
    handler = switch.load(bytes(binary), listen="127.0.0.1:0")
    layer = training.LastLayer(training.InSwitch(SHAPE, address=handler.address, deadline=0.1, tries=2))
    raises(acis.Error, "is another handler there?", layer.begin, normal(70, 9))

    # As large as an invocation in a switch may be; one more sample is refused.
    most = training.shape(4096, 1000, 24)
    assert most.most_steps <= 1000000, most.most_steps
    weights, x, e = 0.01 * normal(4096, 1000), normal(24, 4096), normal(24, 1000)
    with training.InSwitch(most, switch, deadline=20) as place:
        layer = training.LastLayer(place)
        layer.begin(weights)
        assert layer.forward(x).tobytes() == product(x, weights).tobytes()
        layer.backward(e)
        layer.step(0.01)
        assert layer.weights().tobytes() == descended(weights, x, e, 0.01).tobytes()
    raises(acis.BadArgument, "and a packet in a switch may take", training.InSwitch, training.shape(4096, 1000, 40), switch)

# A switch that has died.
with client.local_switch("u280.json") as switch:
    place, layer = layer_of(switch, deadline=0.1, tries=2)
error = raises(client.Failure, "rank 0, step 0: ", layer.forward, normal(12, 70))
assert error.code in ("lost", "unreachable"), error.code
