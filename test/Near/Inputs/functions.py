"""functions.cpp on three memory nodes, against NumPy. usage: functions.py BINARY SOURCE"""
import pathlib
import sys

source = pathlib.Path(sys.argv[2])
sys.path[:0] = [str(source / "compiler/python"), str(source / "examples/near-data")]
import numpy as np

from acis.near import Near
from nodes import own_nodes

EACH = 1001
generator = np.random.default_rng(1)
with own_nodes(3) as nodes, Near(nodes) as near:
    numbers = generator.integers(-1000, 1000, 3 * EACH, dtype=np.int32)
    block = near.alloc(4 * EACH)
    near.scatter(numbers, block)
    for name, op, expected in (("above", "sum", ((numbers > 100) & (numbers % 3 == 0)).sum()),
                               ("biggest", "max", abs(numbers).max())):
        result = near.reduce_local(near.load(sys.argv[1], name + "_local"), block, EACH)
        print(name, near.reduce(result, "i4", op) == expected)
    points = generator.random(3 * EACH, dtype=np.float32)
    values = near.alloc(4 * EACH)
    near.scatter(points, block)
    near.map(near.load(sys.argv[1], "poly_local", "f4", "f4"), block, values, EACH)
    half, one, two = map(np.float32, (0.5, 1, 2))
    print("poly", (near.gather(values, np.zeros_like(points)) == ((points * half - one) * points + two) * points).all())
