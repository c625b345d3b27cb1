"""Aggregations through several leaves: the bits of one, all loaded in one step, which goes on where it was broken off; leaves that
lose packets, trap and die."""
import contextlib
import os
import sys

import numpy

sys.path.insert(0, os.path.dirname(__file__))
import acis
from acis import client, gcn
from raises import raises
from relay import Lossy

generator = numpy.random.default_rng(8)
graph = gcn.graph(numpy.unique(generator.integers(0, 900, (2, 6000)), axis=1), 900)
dense = generator.standard_normal((900, 200)).astype("f4")
calls = []


class Through(gcn.InSwitches):
    """Leaves whose packets go through relays."""

    def __init__(self, switches, drops, **options):
        self.drops, self.relays = drops, {}
        super().__init__(switches, packet_bytes=4000, progress=lambda there, of: calls.append((there, of)), **options)

    def attached(self, leaf, handler):
        if leaf not in self.relays:
            self.relays[leaf] = Lossy(handler.address, self.drops[leaf])
        return client.attach(self.relays[leaf].address)

    def close(self):
        super().close()
        for relay in self.relays.values():
            relay.done = True


with gcn.InProcess(packet_bytes=4000) as here:
    expected = gcn.aggregate(graph, dense, here)[0].tobytes()

with contextlib.ExitStack() as stack:
    leaves = [stack.enter_context(client.local_switch("u280.json")) for _ in range(3)]
    for drops in ((0, 0, 0), (1, 0, 1)):
        with Through(leaves, drops, deadline=0.05, tries=400) as place:
            calls.clear()
            sums, took = gcn.aggregate(graph, dense, place)
            assert sums.tobytes() == expected and took.loads == 1 and took.cycles is None
            assert [place.relays[leaf].dropped > 0 for leaf in range(3)] == [drop > 0 for drop in drops]
            # All leaves' bytes, in one step.
            assert calls[-1] == (3 * took.memory_bytes, 3 * took.memory_bytes)
            assert all(a[0] < b[0] for a, b in zip(calls, calls[1:])) and len(calls) >= 6
            # The same again, which is there.
            calls.clear()
            assert gcn.aggregate(graph, dense, place)[0].tobytes() == expected and not calls
            assert gcn.aggregate(graph, -dense, place)[0].tobytes() != expected and calls

    # A network that is down for a while: the load goes on where it was.
    with Through(leaves, [0, 0, 0], deadline=0.1, tries=3) as place:
        class Down(Exception):
            pass

        def down(there, of):
            calls.append((there, of))
            if there > of / 2:
                for relay in place.relays.values():
                    relay.drop = 10

        calls.clear()
        place._progress = down
        error = raises(client.Failure, "leaf ", gcn.aggregate, graph, dense, place)
        assert error.code == "lost", error.code
        for relay in place.relays.values():
            relay.drop = 0
        half, place._progress = max(there for there, _ in calls), lambda there, of: calls.append((there, of))
        calls.clear()
        assert gcn.aggregate(graph, dense, place)[0].tobytes() == expected
        each = calls[-1][1] / 3
        assert sum(there for there, _ in calls[:1]) <= each and len(calls) < 10, (half, calls)

    # Fewer packets than leaves, and none.
    small = gcn.graph(numpy.array([[0, 1], [2, 2]]), 3)
    with gcn.InSwitches(leaves) as place:
        assert gcn.aggregate(small, numpy.ones((3, 4), "f4"), place)[0].tolist() == [[0] * 4, [0] * 4, [2] * 4]
        assert not gcn.aggregate(gcn.graph(numpy.zeros((2, 0), int), 3), numpy.ones((3, 4), "f4"), place)[0].any()

    # Cycles are those of the slowest leaf.
    with gcn.InSwitches(leaves, engine="model", packet_bytes=4000) as place, gcn.InSwitch(leaves[0], engine="model", packet_bytes=4000) as one:
        shared, alone = (gcn.aggregate(graph, dense[:, :16], where)[1].cycles for where in (place, one))
        assert alone / 3 < shared < 0.7 * alone, (alone, shared)

    # An inference.
    x, weights = generator.standard_normal((900, 30)).astype("f4"), [generator.standard_normal((30, 16)).astype("f4")]
    with gcn.InSwitches(leaves) as place, gcn.InSwitch(leaves[0]) as one:
        assert gcn.infer(graph, x, weights, place).output.tobytes() == gcn.infer(graph, x, weights, one).output.tobytes()

    raises(acis.BadArgument, "there are no switches; give one for each leaf", gcn.InSwitches, [])
    raises(acis.BadArgument, "packets of 70000 bytes; a datagram has at most 65507", gcn.InSwitches, leaves, packet_bytes=70000)

# One that has died.
with client.local_switch("u280.json") as left:
    with client.local_switch("u280.json") as right:
        place = gcn.InSwitches([left, right], packet_bytes=4000, deadline=0.1, tries=3)
        gcn.aggregate(graph, dense, place)
    raises(client.Failure, "leaf 1: ", gcn.aggregate, graph, dense, place)
