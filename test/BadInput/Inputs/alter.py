# Copies a switch binary with one 32-bit word of one section changed.
#   alter.py <in> <out> <section> <byte offset, from the end if negative> <value>
import struct
import sys

source, target, wanted = sys.argv[1:4]
offset, value = int(sys.argv[4], 0), int(sys.argv[5], 0)
with open(source, "rb") as file:
    elf = bytearray(file.read())
(table,) = struct.unpack_from("<I", elf, 32)
size, count, names = struct.unpack_from("<3H", elf, 46)
headers = [struct.unpack_from("<10I", elf, table + i * size) for i in range(count)]
for header in headers:
    start = headers[names][4] + header[0]
    if elf[start : elf.index(0, start)].decode() == wanted:
        at = header[4] + (offset if offset >= 0 else header[5] + offset)
        struct.pack_into("<I", elf, at, value)
        break
else:
    sys.exit(f"no section {wanted}")
with open(target, "wb") as file:
    file.write(elf)
