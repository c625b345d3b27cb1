"""From an .acis.inc: op.acis; in.bin and mem.bin for the op c = b - a, and want.bin."""
import re
import struct
import sys

text = open(sys.argv[1]).read()
open("op.acis", "wb").write(bytes(int(x) for x in re.findall(r"\b(\d+),", text)))
b = [3 * i for i in range(64)]
a = [i - 9 for i in range(64)]
for name, values in (("in.bin", b), ("mem.bin", a), ("want.bin", [x - y for x, y in zip(b, a)])):
    open(name, "wb").write(struct.pack("64i", *values))
