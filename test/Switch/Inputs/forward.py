"""What passes two switches that forward frames, bit for bit. usage: forward.py BUILD; in namespaces."""
import hashlib
import json
import os
import pathlib
import random
import socket
import struct
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve()
sys.path.insert(0, str(HERE.parents[3] / "examples/forward"))
import leaves

Seed, Own = 5, b"\x88\xb6"


def frames():
    """All lengths, types, tags; IP and UDP with any header whatever. Between 14 and 1514 bytes."""
    source = random.Random(Seed)
    ends = b"\x02\x77\x00\x00\x00\x02" + b"\x02\x77\x00\x00\x00\x01"
    for length in [*range(0, 120), *range(120, 1500, 29), 1500]:
        yield ends + Own + source.randbytes(length)
        yield ends + b"\x81\x00\x20\x07" + Own + source.randbytes(max(2, length - 4))  # Linux drops shorter ones
        # IPv4 and UDP to the port that has a rule, with lengths, fragment bits and options of chance
        header = bytearray(b"\x08\x00\x45" + source.randbytes(length))
        if length >= 30:
            header[2 + 9] = 17
            header[2 + 6] |= 0x20  # more fragments: no handler's business
        yield ends + bytes(header[:1502])


def raw():
    out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    out.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 24)
    out.bind(("eth0", 0))
    return out


def give_frames():
    with raw() as out:
        for number, frame in enumerate(frames()):
            out.send(frame)
            if number % 16 == 0:
                time.sleep(0.002)


def take_frames():
    auxdata, status, ok = 8, 0x10, True
    with raw() as into:
        into.setsockopt(263, auxdata, 1)
        into.settimeout(20)
        print("ready", flush=True)
        for number, want in enumerate(frames()):
            while True:
                got, beside, _, _ = into.recvmsg(65536, 256)
                if got[6:12] == want[6:12]:
                    break
            for _, _, aux in beside:  # the system takes tags out
                flags, _, _, _, _, tci, tpid = struct.unpack("IIIHHHH", aux[:20])
                if flags & status:
                    got = got[:12] + struct.pack("!HH", tpid or 0x8100, tci) + got[12:]
            if got != want:
                sys.exit(f"error: frame {number} of {len(want)} bytes: found {got.hex()}, expected {want.hex()}")
    print("same", flush=True)


def give_stream(address, megabytes):
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    data = random.Random(Seed).randbytes(int(megabytes) << 20)
    with socket.socket(family, socket.SOCK_STREAM) as out:
        out.settimeout(30)
        out.connect((address, 7000))
        out.sendall(data)
        out.shutdown(socket.SHUT_WR)
        answer = out.recv(100)
    if answer != hashlib.sha256(data).digest():
        sys.exit(f"error: a stream to {address} differs")
    # Datagrams up to many fragments, one echo each.
    with socket.socket(family, socket.SOCK_DGRAM) as out:
        out.settimeout(5)
        out.connect((address, 7000))
        for length in (0, 1, 31, 1400, 1472, 1473, 5000, 20000):
            out.send(data[:length])
            if out.recv(65536) != data[:length]:
                sys.exit(f"error: a datagram of {length} bytes differs")
    print("same", flush=True)


def take_streams(streams):
    with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as door, \
            socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as echo:
        for one in (door, echo):
            one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
            one.bind(("::", 7000))
        door.listen()
        print("ready", flush=True)
        for _ in range(int(streams)):
            link, _ = door.accept()
            with link:
                digest = hashlib.sha256()
                while piece := link.recv(1 << 16):
                    digest.update(piece)
                link.sendall(digest.digest())
            for _ in range(8):
                data, sender = echo.recvfrom(65536)
                echo.sendto(data, sender)


def ping(address):
    """ICMP: the other system answers with the same bytes."""
    body = struct.pack("!BBHHH", 8, 0, 0, 7, 1) + random.Random(Seed).randbytes(56)
    total = sum(struct.unpack(f"!{len(body) // 2}H", body))
    total = (total & 0xffff) + (total >> 16)
    body = body[:2] + struct.pack("!H", ~((total & 0xffff) + (total >> 16)) & 0xffff) + body[4:]
    with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP) as out:
        out.settimeout(5)
        out.sendto(body, (address, 0))
        while True:
            got = out.recv(2000)
            if got[9] == 1 and got[20] == 0 and got[28:] == body[8:]:
                print("same", flush=True)
                return


def word(address, add):
    """Through the handler: adds `add` to a word."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as into:
        into.bind(("0.0.0.0", 9100))
        into.settimeout(10)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
            out.sendto(struct.pack("I", 41), (address, 9100))
        got, = struct.unpack("I", into.recv(100))
    print(got, flush=True)


def host(name, *arguments):
    return leaves.within(name, sys.executable, HERE, *arguments, stdout=subprocess.PIPE)


def expect(what, given, taker=None):
    """`given` says "same", and the taker, if it is to."""
    ok = given.stdout.readline() == "same\n" if taker is None else taker.stdout.readline() == "same\n"
    given.wait(60)
    print(f"{what}: {'same' if ok else 'DIFFERENT'}", flush=True)
    return ok


def traffic(name, addresses):
    """All kinds, from h0 to the other side."""
    good = True
    sink = host(name, "take_streams", len(addresses))
    sink.stdout.readline()
    for address in addresses:
        good &= expect(f"TCP, UDP and fragments to {address}", host("h0", "give_stream", address, 8))
    sink.wait(20)
    return good & expect(f"ICMP to {addresses[0]}", host("h0", "ping", addresses[0]))


def over_interfaces(build, folder):
    control = f"{folder}/control"
    near = leaves.leaf(build, "leaf0", "--config", "u280-full.json", "--forward", "host", "--forward", "far",
                       "--control", control)
    far = leaves.leaf(build, "leaf1", "--forward", "far", "--forward", "host")

    def ctl(*arguments):
        return subprocess.run([f"{build}/bin/acisctl", "--control", control, *arguments], capture_output=True,
                              text=True, check=False)
    good = traffic("h1", ["10.9.0.2", "fd09::2"])
    said = ctl("rule", f"{folder}/add.acis", "--match", "udp=9100,to=10.9.0.2/32,in=host")
    good &= said.returncode == 0
    print("rule:", said.stderr.strip() or "set")
    good &= traffic("h1", ["10.9.0.2"])
    taker = host("h1", "take_frames")
    taker.stdout.readline()
    giver = host("h0", "give_frames")
    good &= expect("frames of all kinds", giver, taker)
    into = leaves.within("h1", sys.executable, "-c", "import socket, struct\ns = socket.socket(socket.AF_INET, "
                         "socket.SOCK_DGRAM)\ns.bind(('', 9100))\ns.settimeout(10)\nprint('ready', flush=True)\n"
                         "for _ in range(2): print(struct.unpack('I', s.recv(100))[0], flush=True)",
                         stdout=subprocess.PIPE)
    into.stdout.readline()
    give = "import socket, struct\nsocket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(struct.pack('I', 41), " \
           "('10.9.0.2', 9100))"
    leaves.within("h0", sys.executable, "-c", give).wait()
    print("with the rule:", into.stdout.readline().strip())
    ctl("unrule", "--match", "udp=9100,to=10.9.0.2/32,in=host")
    leaves.within("h0", sys.executable, "-c", give).wait()
    print("without it:", into.stdout.readline().strip())
    status = json.loads(ctl("status", "--json").stdout)
    print("ports:", [port["port"] for port in status["forwarding"]["ports"]], "handled:",
          status["counters"]["forward_handled"], "refused:", status["counters"]["forward_dropped_port"])
    leaves.end(into, near, far)
    return good


def over_udp_and_tap(build):
    """The link between the leaves carries frames in datagrams; behind the far leaf is a TAP device."""
    for number in (0, 1):
        leaves.sh("ip", "-n", f"leaf{number}", "addr", "add", f"10.8.0.{number + 1}/24", "dev", "far")
        leaves.sh("ip", "-n", f"leaf{number}", "link", "set", "far", "mtu", "1600")
    near = leaves.leaf(build, "leaf0", "--forward", "host", "--forward", "udp:10.8.0.1:7700-10.8.0.2:7700")
    far = leaves.leaf(build, "leaf1", "--forward", "udp:10.8.0.2:7700-10.8.0.1:7700", "--forward", "tap:t0",
                      "--forward", "host")
    leaves.sh("ip", "-n", "leaf1", "addr", "add", "10.9.0.3/24", "dev", "t0")
    leaves.sh("ip", "-n", "leaf1", "link", "set", "t0", "up")
    # TCP's large frames have to be cut before a UDP port.
    good = traffic("leaf1", ["10.9.0.3"])
    leaves.end(near, far)
    return good


def main():
    if len(sys.argv) > 2:
        return globals()[sys.argv[1]](*sys.argv[2:])
    if sys.argv[1] in ("give_frames", "take_frames"):
        return globals()[sys.argv[1]]()
    if (code := leaves.alone(sys.argv)) is not None:
        return code
    build = pathlib.Path(sys.argv[1]).resolve()
    leaves.make()
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "add.c")
        source.write_text("#include <acis.h>\nACIS_HANDLER void add(const uint32_t *restrict in, uint32_t *restrict out, "
                          "const uint32_t *restrict mem, uint32_t *len) {\n  for (uint32_t i = 0; i < 1; i++)\n"
                          "    out[i] = in[i] + 1;\n  *len = 4;\n}\n", encoding="utf-8")
        subprocess.run([f"{build}/bin/acisc", source, "--config", "u280-full.json", "-o", f"{folder}/add.acis"], check=True)
        good = over_interfaces(build, folder)
        good &= over_udp_and_tap(build)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
