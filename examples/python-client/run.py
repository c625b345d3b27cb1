#!/usr/bin/env python3
"""Streams a NumPy array through a handler in a switch.

usage: run.py BINARY    the payload-sum handler, compiled for u280.json
"""
import os
import sys

import numpy

sys.path.append( os.path.join(os.path.dirname(__file__), "../../compiler/python"))
from acis import client

PACKET = 1024

data = numpy.arange(1, 256 * 100 + 1, dtype=numpy.uint32)
with client.local_switch("u280.json") as switch:
    handler = switch.load(sys.argv[1])
    sums = handler.stream(data, packet_bytes=PACKET)
    counters = handler.counters()
    handler.unload()

expected = data.reshape(-1, PACKET // 4).sum(axis=1, dtype=numpy.uint32)
print(f"{data.nbytes} bytes in {counters.received} packets, {counters.sent} answers, "
      f"{counters.dropped_trap + counters.dropped_too_long} dropped")
print("first sums:", *sums[:4])
if not numpy.array_equal(sums, expected):
    sys.exit(f"{numpy.count_nonzero(sums != expected)} sums differ from NumPy's")
print(f"all {len(sums)} sums equal NumPy's")
