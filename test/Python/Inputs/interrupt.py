"""usage: interrupt.py: runs of minutes, each interrupted after a part of a second. Where it is interrupted
differs: between two instructions, in a loop of the array, between packets, in a cycle of the model."""
import faulthandler
import signal
import threading
import time

import acis
import numpy

signal.signal(signal.SIGINT, signal.default_int_handler)  # a runner of tests may ignore it
faulthandler.dump_traceback_later(300, exit=True)

HEAD = """#include <acis.h>
ACIS_HANDLER void f(const uint32_t *restrict in, uint32_t *restrict out, uint32_t *restrict mem, uint32_t *len) {
"""
SCALAR = HEAD + """
  uint32_t x = in[0];
  while (x != 12345 || in == 0)
    x = x * 5 / 3 + (x & 1 ? 0x40000000 : 7);
  out[0] = x;
}
"""
LOOP = HEAD + """
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 0xf0000000; i++)
    sum += mem[i % 16384] ^ i;
  out[0] = sum;
}
"""
PACKETS = HEAD + """
  for (uint32_t i = 0; i < *len / 4; i++)
    out[i] = in[i] + 1;
}
"""


def interrupted(source, data, **options):
    binary = acis.compile(source, scalar_loops=True)
    ticks, over = [0], threading.Event()

    def count():
        while not over.wait(0.01):
            ticks[0] += 1

    counter = threading.Thread(target=count)
    counter.start()
    sent = []

    def send():
        sent.append(time.monotonic())
        signal.raise_signal(signal.SIGINT)  # to the process: its main thread runs the binary

    timer = threading.Timer(0.7, send)
    timer.start()
    try:
        print("no interrupt:", binary.run(data, deadline=2**40, **options))
    except KeyboardInterrupt:
        late = time.monotonic() - sent[0]
        assert late < 10, late  # some milliseconds; the machine may be busy
    finally:
        over.set()
        timer.cancel()
        counter.join()
    assert ticks[0] > 5, ticks  # the lock was free
    # The binary can be used again.
    if source == PACKETS:
        assert binary.run(data[:4]).output.tolist() == (data[:4] + 1).tolist()


one = numpy.array([1], "u4")
interrupted(SCALAR, one)
interrupted(LOOP, one, memory=numpy.zeros(16384, "u4"))
interrupted(SCALAR, one, engine="model")
many = numpy.zeros(32 << 20, "u4")
interrupted(PACKETS, many, packet_bytes=64)
interrupted(PACKETS, many, packet_bytes=1024, engine="model")
