#!/usr/bin/env python3
"""A stream of floats from one host to another, quantised at the first leaf and restored at the last: on
the link between them it has a quarter of the payload, and no host knows. In network namespaces; needs
root. usage: run.py [BUILD] [DATAGRAMS]"""
import pathlib
import random
import socket
import struct
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve()
sys.path.insert(0, str(HERE.parent))
import leaves

N, PORT = 256, 9100


def values(number):
    source = random.Random(number)
    return [struct.unpack("f", struct.pack("f", source.uniform(-2.5, 2.5)))[0] for _ in range(N)]


def expected(value):
    return max(-127, min(127, int(value * 64))) / 64


def send(datagrams):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        for number in range(datagrams):
            out.sendto(struct.pack(f"{N}f", *values(number)), ("10.9.0.2", PORT))
            time.sleep(0.001)  # no queue on the way overflows


def receive(datagrams):
    due = [[expected(value) for value in values(number)] for number in range(datagrams)]  # before they come: a buffer holds some
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as into:
        into.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        into.bind(("10.9.0.2", PORT))
        into.settimeout(20)
        print("ready", flush=True)
        for number in range(datagrams):
            got = list(struct.unpack(f"{N}f", into.recv(65536)))
            if got != due[number]:
                sys.exit(f"error: datagram {number} " + ("is missing" if got in due else "differs"))
    print("same", flush=True)


def main():
    if sys.argv[1:2] in (["send"], ["receive"]):
        return {"send": send, "receive": receive}[sys.argv[1]](int(sys.argv[2]))
    if (code := leaves.alone(sys.argv)) is not None:
        return code
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/dev").resolve()
    datagrams = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    leaves.make()
    with tempfile.TemporaryDirectory() as folder:
        for name in ("quantise", "restore"):
            subprocess.run([f"{build}/bin/acisc", HERE.with_name(f"{name}.c"), "--config", "u280.json",
                            "-o", f"{folder}/{name}.acis"], check=True)
        ports = ["--config", "u280.json", "--forward", "host", "--forward", "far", "--stats", "-"]
        near = leaves.leaf(build, "leaf0", *ports, "--rule", f"udp={PORT},in=host:{folder}/quantise.acis")
        far = leaves.leaf(build, "leaf1", *ports, "--rule", f"udp={PORT},in=far:{folder}/restore.acis")
        receiver = leaves.within("h1", sys.executable, HERE, "receive", datagrams, stdout=subprocess.PIPE)
        receiver.stdout.readline()
        before = [leaves.counter("leaf0", "host", "rx_bytes"), leaves.counter("leaf0", "far", "tx_bytes")]
        leaves.within("h0", sys.executable, HERE, "send", datagrams).wait()
        same = receiver.stdout.readline() == "same\n"
        into = leaves.counter("leaf0", "host", "rx_bytes") - before[0]
        over = leaves.counter("leaf0", "far", "tx_bytes") - before[1]
        leaves.end(receiver, near, far)
    if not same:
        return 1
    print(f"{datagrams} datagrams: {into} bytes from the host, {over} between the leaves, values as expected")
    return 0


if __name__ == "__main__":
    sys.exit(main())
