"""Writes words: all small ones, those round powers of two and of ten, with both signs, and some others."""
import random
import struct
import sys

random.seed(5)
near = [base + d for base in [1 << b for b in range(31)] + [10 ** d for d in range(10)] for d in (-1, 0, 1)]
words = list(range(-130, 260)) + near + [-word for word in near] + [-(1 << 31), (1 << 31) - 1]
words += [random.getrandbits(32) - (1 << 31) for _ in range(500)]
words += [7] * (-len(words) % 10)  # whole packets of 20 and 40 bytes
random.shuffle(words)
with open(sys.argv[1], "wb") as out:
    out.write(struct.pack(f"<{len(words)}I", *[word & 0xffffffff for word in words]))
