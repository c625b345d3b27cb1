"""Makes and shows packet files without the code that is tested.

usage: packets.py make FILE.{bin,npy,pcap} COUNT [PACKETS]   COUNT int32 0, 1, 2, ... in each
       packets.py sizes FILE.pcap BYTES:VALUE ...             a packet of so many bytes of one value each
       packets.py show FILE.{bin,npy,pcap}
"""
import ast
import struct
import sys


def frame(payload, source=1000):
    """Ethernet, IPv4 (with an option) and UDP; no UDP checksum, as RFC 768 allows."""
    udp = struct.pack(">HHHH", source, 2000, 8 + len(payload), 0) + payload
    ip = struct.pack(">BBHHHBBHII", 0x46, 0, 24 + len(udp), 7, 0, 9, 17, 0, 0x0A000005, 0x0A000009)
    return bytes(range(12)) + b"\x08\x00" + ip + b"\x01" * 4 + udp


def ones_sum(data):
    data += b"\0" * (len(data) % 2)
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


def capture(frames):
    data = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)
    for f in frames:
        data += struct.pack("<IIII", 1, 2, len(f), len(f)) + f
    return data


def sizes(name, packets):
    counts = [tuple(map(int, packet.split(":"))) for packet in packets]
    open(name, "wb").write(capture([frame(bytes([value]) * count) for count, value in counts]))


def make(name, count, packets):
    payloads = [struct.pack(f"<{count}i", *range(k * count, (k + 1) * count)) for k in range(packets)]
    data = b"".join(payloads)
    if name.endswith(".npy"):
        head = f"{{'descr': '<i4', 'fortran_order': False, 'shape': ({count * packets},), }}"
        head += " " * (-(len(head) + 11) % 64) + "\n"
        data = b"\x93NUMPY\x01\0" + struct.pack("<H", len(head)) + head.encode() + data
    elif name.endswith(".pcap"):
        frames = [frame(p, 1000 + k) for k, p in enumerate(payloads)]
        frames.insert(1, b"\xff" * 12 + b"\x08\x06" + b"\0" * 46)  # ARP: not for the handler
        data = capture(frames)
    open(name, "wb").write(data)


def show_frame(f):
    ip, udp, payload = f[14:34], f[34:42], f[42:]
    length = struct.unpack(">H", udp[4:6])[0]
    payload = payload[: length - 8]
    pseudo = ip[12:20] + struct.pack(">HH", 17, length)
    good = ones_sum(ip) == 0xFFFF and ones_sum(pseudo + udp + payload) == 0xFFFF
    ports = struct.unpack(">HH", udp[:4])
    print(f"to {f[:6].hex()} from {f[6:12].hex()} ip {ip[12:16].hex()} to {ip[16:20].hex()}"
          f" ports {ports[0]} to {ports[1]} checksums {'good' if good else 'bad'}")
    return payload


def show(name):
    data = open(name, "rb").read()
    if name.endswith(".npy"):
        length = struct.unpack("<H", data[8:10])[0]
        head = ast.literal_eval(data[10 : 10 + length].decode())
        print(head["descr"], head["shape"])
        data = data[10 + length :]
    elif name.endswith(".pcap"):
        at, payloads = 24, []
        while at < len(data):
            size = struct.unpack("<I", data[at + 8 : at + 12])[0]
            payloads.append(show_frame(data[at + 16 : at + 16 + size]))
            at += 16 + size
        data = b"".join(payloads)
    print(*struct.unpack(f"<{len(data) // 4}i", data))


if sys.argv[1] == "make":
    make(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) > 4 else 1)
elif sys.argv[1] == "sizes":
    sizes(sys.argv[2], sys.argv[3:])
else:
    show(sys.argv[2])
