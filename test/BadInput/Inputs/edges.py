# Runs the handlers of edges.c on packets of each length and compares with what is due.
import struct
import subprocess
import sys

binary, overlay = sys.argv[1:3]


def words(values):
    return struct.pack(f"<{len(values)}i", *values)


def run(handler, packet):
    given = []
    for engine in ("fast", "model"):
        with open("in.bin", "wb") as file:
            file.write(packet)
        subprocess.run(["acis-run", binary, "--config", overlay, "--handler", handler, "--in",
                        "in.bin", "--out", "out.bin", "--engine", engine], check=True)
        with open("out.bin", "rb") as file:
            given.append(file.read())
    if given[0] != given[1]:
        sys.exit(f"{handler}, {len(packet)} bytes: the engines differ")
    return given[0]


def expect(handler, packet, due):
    given = run(handler, packet)
    if given != due:
        sys.exit(f"{handler}, {len(packet)} bytes: {given.hex()} instead of {due.hex()}")


def quotient(a, b):
    if b == 0:
        return -1
    value = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return (value + 2**31) % 2**32 - 2**31


for length in (1, 3, 4, 5, 63, 64, 65, 66, 128, 257):
    packet = bytes(i * 7 % 251 for i in range(length))
    whole = struct.unpack_from(f"<{length // 4}i", packet)
    expect("add", packet, words([v + 1 for v in whole]))
for count in (0, 1, 15, 16, 17):
    expect("counted", words([count] + list(range(31))), words([v + 1 for v in range(count)]))
values = [-2**31, 5, 7, -9] * 5
expect("divide", words(values), words([quotient(v, i % 3 - 1) for i, v in enumerate(values)]))
expect("divideScalar", words([7, 0]), words([-1]))
expect("divideScalar", words([-2**31, -1]), words([-2**31]))
expect("nothing", words([1]), b"")
