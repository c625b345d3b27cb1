"""Writes <prefix>.<type>.in and .mem: the same numbers as words, floats and doubles.

The input's first three are 20, 13 and 3, the others below 200; memory is below 100.
"""
import random
import struct
import sys

random.seed(1)
data = [20, 13, 3] + [random.randrange(200) for _ in range(1000)]
memory = [random.randrange(100) for _ in range(1 << 14)]
for name, code in (("word", "I"), ("float", "f"), ("double", "d")):
    for suffix, numbers in (("in", data), ("mem", memory)):
        with open(f"{sys.argv[1]}.{name}.{suffix}", "wb") as file:
            file.write(struct.pack(f"<{len(numbers)}{code}", *numbers))
