"""Writes 512 floats: special ones, subnormal ones, those near the ends of exp, and random bits."""
import random
import struct
import sys

special = [0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000,
           0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff, 0xff7fffff, 0x42b17217, 0x42b17218,
           0xc2cff1b4, 0xc2cff1b5, 0x3f3504f3, 0x3f3504f2, 0x43000000, 0xc3160000]
random.seed(3)
words = special + [random.getrandbits(32) for _ in range(200)]
values = [random.uniform(-100, 100) for _ in range(150)]
values += [2.0 ** random.uniform(-20, 20) for _ in range(512 - len(words) - len(values))]
with open(sys.argv[1], "wb") as out:
    out.write(struct.pack(f"<{len(words)}I{len(values)}f", *words, *values))
