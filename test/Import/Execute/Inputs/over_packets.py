"""make FILE: words below 200, an end in each of the last packets.
HANDLER INPUT BYTES OUTPUT: checks what the handler of over-packets.c sent for each packet.
"""
import random
import struct
import sys


def words(name):
    data = open(name, "rb").read()
    return list(struct.unpack(f"<{len(data) // 4}I", data))


def invocations(stream, packet, handler):
    """An invocation owns the packets that it has read from; the rest of the last is dropped."""
    at = 0
    while at < len(stream):
        s = read = 0
        while True:
            v = stream[at + read]
            read += 1
            s = (s * 3 + v if handler == "bounded" else s + v) & 0xffffffff
            if v > (150 if handler == "bounded" else 180) or (handler == "bounded" and read == 25):
                break
        yield from [s] if handler == "bounded" else [s, v]
        at += -(-read // packet) * packet


if sys.argv[1] == "make":
    random.seed(5)
    data = [random.randrange(200) for _ in range(7 * 60)] + [1, 2, 3, 4, 199, 6, 7] * 2
    open(sys.argv[2], "wb").write(struct.pack(f"<{len(data)}I", *data))
else:
    handler, source, size, sent = sys.argv[1:]
    expected = list(invocations(words(source), int(size) // 4, handler))
    if words(sent) != expected:
        sys.exit(f"{handler}: sent {words(sent)[:12]}..., expected {expected[:12]}...")
