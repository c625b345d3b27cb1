"""usage: run.py FOLDER"""
import array
import gc
import json
import os
import subprocess
import sys
import threading
import tracemalloc

import numpy

sys.path.insert(0, os.path.dirname(__file__))
import acis
from raises import raises

os.chdir(sys.argv[1])
generator = numpy.random.default_rng(1)

SCALE = """#include <acis.h>
ACIS_HANDLER void scale(const float *restrict in, float *restrict out, const float *restrict mem, uint32_t *len) {
  for (uint32_t i = 0; i < *len / 4; i++)
    out[i] = in[i] * 2.5f + 1.0f;
}
"""
TOTAL = """#include <acis.h>
ACIS_HANDLER void total(const int *restrict in, int *restrict out, int *restrict mem, uint32_t *len) {
  int sum = 0;
  for (uint32_t i = 0; i < *len / 4; i++)
    sum += in[i];
  out[0] = sum;
}
ACIS_HANDLER void keep(const uint32_t *restrict in, uint32_t *restrict out, uint32_t *restrict mem, uint32_t *len) {
  for (uint32_t i = 0; i < *len / 4; i++)
    mem[i] = mem[i] + in[i];
  out[0] = mem[1];
}
"""
scale = acis.compile(SCALE)
total = acis.compile(TOTAL, handler="total")


# One packet and many: NumPy's results, acis-run's bytes and counters, on both engines.
data = generator.standard_normal(1000).astype("f4")
expected = data * numpy.float32(2.5) + numpy.float32(1)
data.tofile("in.bin")
scale.save("scale.acis")
for engine in ("fast", "model"):
    for size in (None, 40, 1000, 4000):
        run = scale.run(data, engine=engine, packet_bytes=size)
        assert run.output.dtype == "f4" and numpy.array_equal(run.output, expected), (engine, size)
        assert len(run.packets) == (1 if size is None else -(-4000 // size))
        assert numpy.array_equal(numpy.concatenate(run.packets), expected)
        cut = [] if size is None else [f"--packet-bytes={size}"]
        said = subprocess.run(["acis-run", "scale.acis", "--config=u280.json", "--in=in.bin", "--out=out.bin", "--stats=json",
                               f"--engine={engine}", *cut], check=True, stdout=subprocess.PIPE)
        assert open("out.bin", "rb").read() == run.output.tobytes()
        theirs = json.loads(said.stdout)
        theirs.pop("hostSeconds")
        mine = dict(run.statistics)
        mine.pop("hostSeconds")
        assert mine == theirs, (mine, theirs)
assert "cycles" in mine and "streamIn" in mine["stalls"]
assert repr(run) == "<acis.Run of handler scale on engine model: 1 packets in, 1 out>", repr(run)

# Shapes do not matter, types of the output are the handler's; results outlive what made them.
run = scale.run(data.reshape(10, 100))
whole = run.output
del run
gc.collect()
assert numpy.array_equal(whole, expected)
assert scale.run(data.view("u1")).output.dtype == "f4"
unknown = acis.load(bytes(scale))  # the binary has sizes alone
assert numpy.array_equal(unknown.run(data).output, expected)
assert unknown.run(data.view("u1")).output.dtype == "u4"
numbers = generator.integers(-1000, 1000, 512).astype("i4")
assert total.run(numbers).output.tolist() == [numbers.sum()]
assert total.run(numbers, packet_bytes=256).output.tolist() == numbers.reshape(-1, 64).sum(axis=1).tolist()

# A list of packets; bytes in, bytes out; other buffers.
run = total.run([numbers[:3], numbers[3:100], numbers[100:]])
assert [int(one[0]) for one in run.packets] == [numbers[:3].sum(), numbers[3:100].sum(), numbers[100:].sum()]
run = total.run(numbers.tobytes())
assert run.output == numbers.sum().astype("i4").tobytes() and run.packets == [run.output]
for buffer in (bytearray(numbers.tobytes()), memoryview(numbers.tobytes()), array.array("i", numbers.tolist())):
    assert total.run(buffer).output == run.output
assert total.run([numbers[:1].tobytes(), numbers[:2].tobytes()]).packets == [
    numbers[:1].tobytes(), numbers[:2].sum().astype("i4").tobytes()]

# Memory goes in and comes out where it lies.
for engine in ("fast", "model"):
    memory = numpy.arange(64, dtype="u4")
    run = total.run(numpy.full(16, 5, "u4"), handler="keep", memory=memory, engine=engine)
    assert run.memory is memory and run.output.tolist() == [6]
    assert memory.tolist() == [i + (5 if i < 16 else 0) for i in range(64)]
    packed = bytearray(64)
    assert total.run(numpy.full(16, 7, "u4"), handler="keep", memory=packed, engine=engine).memory is packed
    assert numpy.frombuffer(packed, "u4").tolist() == [7] * 16

# Cycles can be traced.
run = scale.run(data, engine="model", trace=True)
run.trace.save("trace.json")
events = json.load(open("trace.json"))["traceEvents"]
assert events == run.trace.events
assert max(e["args"]["endCycle"] for e in events if "args" in e and "endCycle" in e["args"]) <= run.statistics["cycles"]
assert any(e.get("args", {}).get("line", "").startswith("handler.c:") for e in events)

# Nothing is copied on the way in or out: Python and NumPy allocate next to nothing for 16 MB.
large = numpy.ones(4 << 20, "f4")
tracemalloc.start()
output = scale.run(large, packet_bytes=1 << 16).output
assert tracemalloc.get_traced_memory()[1] < 1 << 20, tracemalloc.get_traced_memory()
tracemalloc.stop()
assert output.size == large.size and (output == 3.5).all()
assert numpy.shares_memory(output, scale.run(large[:16]).output) is False
one = scale.run(large, packet_bytes=1 << 22)
assert all(numpy.shares_memory(one.output, packet) for packet in one.packets)

# What does not fit: type, order, size, place.
bad = acis.BadArgument
raises(bad, "elements of type float64, handler scale reads float32; convert it with astype('float32')", scale.run, data.astype("f8"))
assert raises(bad, "", scale.run, data.astype("f8")).way_out == "convert it with astype('float32')"
raises(bad, "elements of type int32, handler scale reads float32", scale.run, data.view("i4"))
raises(bad, "type object; numbers are needed", scale.run, numpy.array([1.0, None], dtype=object))
raises(bad, "elements of type complex64", scale.run, data.astype("c8"))
raises(bad, "not little-endian (>f4)", scale.run, data.astype(">f4"))
raises(bad, "not contiguous in C order", scale.run, data[::2])
raises(bad, "copy it with numpy.ascontiguousarray()", scale.run, data.reshape(10, 100).T)
raises(bad, "there is an empty packet; leave it out", scale.run, data[:0])
raises(bad, "there is an empty packet", scale.run, b"")
raises(bad, "there is no packet", scale.run, [])
raises(bad, "packet 1 has elements of type float64", scale.run, [data, data.astype("f8")])
raises(bad, "the data is a int; give a NumPy array, bytes", scale.run, 5)
raises(bad, "the data is a str; give a NumPy array", scale.run, "text")
raises(bad, "packet_bytes is 0; a number of bytes from 1 on", scale.run, data, packet_bytes=0)
raises(bad, "end after 32 bytes of a packet of 64; change packet_bytes", scale.run, data, packet_bytes=64)
raises(bad, "packet_bytes is for one array", scale.run, [data], packet_bytes=4)
raises(bad, "does not lie in one piece", scale.run, memoryview(data)[::2])
raises(bad, "engine is 'modell'; allowed are fast, model; did you mean 'model'?", scale.run, data, engine="modell")
raises(bad, "engine fast has no cycles to trace; add engine='model'", scale.run, data, trace=True)
raises(bad, "deadline is 0", scale.run, data, deadline=0)
raises(bad, "no handler 'totl'; name one of total, keep; did you mean 'total'?", total.run, numbers, handler="totl")
raises(bad, "several handlers; name one of total, keep", acis.load(bytes(total)).run, numbers)
raises(bad, "handler total reads int32", total.run, data)
raises(bad, "reads elements of 4 bytes", acis.load(bytes(total)).run, data.astype("f8"), handler="total")
raises(bad, "the memory is read-only", total.run, numbers.view("u4"), handler="keep", memory=bytes(64))
raises(bad, "the memory is not contiguous", total.run, numbers.view("u4"), handler="keep", memory=numpy.zeros(64, "u4")[::2])
raises(bad, "the memory is a list", total.run, numbers.view("u4"), handler="keep", memory=[1, 2])

# Traps have their line, on both engines, and leave the events until then.
for engine in ("fast", "model"):
    trap = raises(acis.Trap, "handler.c:", total.run, numpy.full(16, 5, "u4"), handler="keep", memory=bytearray(4), engine=engine)
    assert trap.file == "handler.c" and trap.line > 8 and "memory" in trap.message, (trap.line, trap.message)
    raises(acis.Trap, "deadline", scale.run, data, deadline=1, engine=engine)
trap = raises(acis.Trap, "", scale.run, data, deadline=20, engine="model", trace=True)
assert trap.trace.events

# Runs at the same time do not disturb each other.
results = {}
def work(number):
    mine = numpy.full(5000, number, "f4")
    results[number] = all((scale.run(mine, packet_bytes=500).output == number * 2.5 + 1).all() for _ in range(20))
threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert results == dict.fromkeys(range(4), True)

# A closed one says so; what it gave is still there.
with scale as opened:
    kept = opened.run(data).output
for use in (lambda: scale.run(data), lambda: scale.report, lambda: scale.handlers, lambda: bytes(scale), lambda: scale.overlay):
    raises(bad, "the binary is closed; compile or load it again", use)
scale.close()
assert numpy.array_equal(kept, expected)
