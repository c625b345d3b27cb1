"""Aggregations through a switch: the bits of those in the process, also when datagrams are lost on the way, for
several jobs at once, and a switch that dies."""
import os
import socket
import sys
import threading

import numpy

sys.path.insert(0, os.path.dirname(__file__))
import acis
from acis import client, gcn
from raises import raises
from relay import Lossy

generator = numpy.random.default_rng(5)


class Through(gcn.InSwitch):
    """A place whose packets, but not loads, go through a relay."""
    drop = 0

    def attached(self, handler):
        self.relay = Lossy(handler.address, self.drop)
        return client.attach(self.relay.address)


def problem(nodes, edges, width):
    index = numpy.unique(generator.integers(0, nodes, (2, edges)), axis=1)
    return gcn.graph(index, nodes), generator.standard_normal((nodes, width)).astype("f4")


with client.local_switch("u280.json") as switch, gcn.InProcess(packet_bytes=4000) as here:
    for drop in (0, 2):
        with Through(switch, packet_bytes=4000, deadline=0.1, tries=200) as place:
            place.drop = drop
            for nodes, edges, width in ((500, 4000, 20), (300, 900, 16)):
                graph, dense = problem(nodes, edges, width)
                sums, took = gcn.aggregate(graph, dense, place)
                assert sums.tobytes() == gcn.aggregate(graph, dense, here)[0].tobytes()
                assert (place.relay.dropped > 0) == (drop > 0)
                place.relay.done = True
    # Nothing comes through.
    with Through(switch, packet_bytes=4000, deadline=0.02, tries=3) as place:
        place.drop = 10
        error = raises(client.Failure, "", gcn.aggregate, graph, dense, place)
        assert error.code == "lost", error.code
        place.relay.done = True

    # A handler that traps has lost what it was given: that is said, and no sum is wrong.
    class Trapped(gcn.InSwitch):
        """A stranger's packet makes the handler trap when so many bytes are there."""
        after, is_due = 0, True

        def attached(self, handler):
            self.handler = handler
            return handler

        def trap(self, done, _):
            if self.is_due and done > self.after:
                self.is_due = False
                host, port = self.handler.address.split(":")
                with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as raw:
                    raw.sendto(bytes([1, 0, 0, 0]), (host, int(port)))
                while not self.handler.counters().dropped_trap:
                    pass

    large = generator.standard_normal((graph.cols, 300)).astype("f4")
    for after in (0, 350000):
        with Trapped(switch, packet_bytes=2000) as place:
            place.after, place._progress = after, place.trap
            raises(acis.Error, "the switch has lost its dense rows", gcn.aggregate, graph, large, place)
            assert gcn.aggregate(graph, large, place)[1].loads == 1  # and now it goes

    # Several jobs at once, each with a memory of its own.
    problems = [problem(400 + 50 * job, 3000, 16) for job in range(4)]
    results = [None] * len(problems)

    def job(number):
        with gcn.InSwitch(switch) as place:
            results[number] = [gcn.aggregate(*problems[number], place)[0] for _ in range(5)]

    threads = [threading.Thread(target=job, args=(number,)) for number in range(len(problems))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for one, got in zip(problems, results):
        expected = gcn.aggregate(*one, here)[0]
        for sums in got:
            assert numpy.allclose(sums, expected, 1e-5, 1e-5)
        assert len({sums.tobytes() for sums in got}) == 1

# Cycles of engine "model", counted in the switch.
with client.local_switch("u280.json") as switch, gcn.InSwitch(switch, engine="model") as place:
    graph, dense = problem(300, 900, 16)
    assert gcn.aggregate(graph, dense, place)[1].cycles > 300 + graph.nonzeros / 16

# A switch that has died.
with client.local_switch("u280.json") as switch:
    place = gcn.InSwitch(switch, deadline=0.1, tries=3)
    graph, dense = problem(300, 900, 16)
    gcn.aggregate(graph, dense, place)
raises(client.Failure, "", gcn.aggregate, graph, dense, place)
