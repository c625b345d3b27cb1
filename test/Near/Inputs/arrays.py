"""usage: arrays.py FOLDER SOURCE: memory nodes and NumPy arrays."""
import pathlib
import sys
import tracemalloc

import numpy

folder, source = pathlib.Path(sys.argv[1]), sys.argv[2]
sys.path.insert(0, source + "/compiler/python")
from acis.near import Error, Near
from nodes import Node

random = numpy.random.default_rng(25)
nodes = [Node("--region", "64M") for _ in range(2)]


def says(function, *arguments):
    try:
        print("no error:", function(*arguments))
    except Error as error:
        print(error.kind, "|", error)


with Near(",".join(node.address for node in nodes)) as near:
    # Rows and columns: each node has one of the first axis.
    cube = random.integers(-2**31, 2**31, (2, 30, 50), dtype=numpy.int32)
    block, out = near.alloc(cube[0].nbytes), near.alloc(cube[0].nbytes)
    near.scatter(cube, block)
    print("shape", (near.gather(block, numpy.empty_like(cube)) == cube).all())
    near.map(near.load(str(folder / "sum.acis"), "twice_local"), block, out, cube[0].size)
    print("map", (near.gather(out, numpy.empty_like(cube)) == cube + cube).all())
    sums = near.reduce_local(near.load(str(folder / "sum.acis"), "mpi_sum_local"), block, cube[0].size)
    print("reduce", near.reduce(sums, "i4", "sum") == cube.sum(dtype=numpy.int32))
    total = near.reduce(block, "i4", "sum", numpy.empty_like(cube[0]))
    print("reduction", (total == cube.sum(axis=0, dtype=numpy.int32)).all())
    column = near.get(1, block, numpy.empty(30, numpy.int32), 4 * 7, 30, 4 * 50)
    print("column", (column == cube[1, :, 7]).all())
    for kind in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"):
        values = random.integers(0, 60, (2, 9)).astype(kind)
        near.scatter(values, block)
        if not (near.reduce(block, kind, "max", numpy.empty(9, kind)) == values.max(axis=0)).all():
            print("wrong", kind)
    # What lies there is not copied, also where it is read-only.
    large = random.integers(0, 100, 2_000_000, dtype=numpy.int64)
    large.flags.writeable = False
    back = numpy.empty_like(large)
    wide = near.alloc(large.nbytes)
    tracemalloc.start()
    near.bcast(large, wide)
    near.get(1, wide, back)
    print("copied", tracemalloc.get_traced_memory()[1] > 100_000, (back == large).all())
    # What cannot be is refused, and nothing is written.
    says(near.bcast, large[::2], wide)
    says(near.put, 0, block, numpy.asfortranarray(cube[0]))
    says(near.get, 0, wide, large)
    says(near.get, 0, wide, bytes(8))
    says(near.bcast, [1, 2], wide)
    says(near.scatter, numpy.empty(3, "i1"), block)
    says(near.reduce, block, "i4", "sum", numpy.empty(3, "f4"))
    says(near.reduce, block, "i4", "sum", numpy.empty(3, ">i4"))
    says(near.reduce, block, "i4", "sum", bytearray(5))
    says(near.reduce, block, "int", "sum")
    says(near.allreduce, block, "i4", "plus", 1)
    says(near.load, str(folder / "sum.acis"), "twice_local", "i5")
    near.bcast(numpy.empty(0), block)
    print("after", (near.get(0, wide, back) == large).all())
print("ended", [node.stop() for node in nodes])
