"""Writes <prefix>.word, .float and .double: numbers at the limits of their types, and random ones.

A NaN among them is quiet: what becomes of a signalling one is not the same everywhere.
"""
import random
import struct
import sys

random.seed(2)
words = [0, 1, 2, 76, 77, 78, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF]
words += [random.getrandbits(random.randint(1, 32)) for _ in range(500)]
reals = [0.0, 0.3, 0.5, 0.49999997, 0.75, 1.0, 1.5, 2.5, 3.5, 1e-40, 1e-310, 1e9, float("inf"), float("nan")]
for bits in (23, 52):
    for step in (-1, -0.75, -0.5, -0.25, 0, 1, 2):
        reals.append(2.0**bits + step)
reals += [random.uniform(0, 20) for _ in range(150)] + [random.randrange(80) / 2 for _ in range(80)]
reals += [random.uniform(0, 2.0**random.randint(1, 30)) for _ in range(150)]
reals += [-x for x in reals]
for name, code, numbers in (("word", "I", words), ("float", "f", reals), ("double", "d", reals)):
    with open(f"{sys.argv[1]}.{name}", "wb") as file:
        file.write(struct.pack(f"<{len(numbers)}{code}", *numbers))
