"""usage: client_library.py CASE FOLDER OVERLAY SOURCE: uses the client library through its
Python binding and says what came of it. CASE: streams, loss, bad, memory."""
import array
import concurrent.futures
import os
import pathlib
import random
import socket
import struct
import subprocess
import sys
import threading
import time

case, folder, overlay, source = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), *sys.argv[3:]
sys.path.insert(0, source + "/compiler/python")
from acis import client

LOCAL = ("127.0.0.1", 0)


def words(*values):
    return struct.pack(f"<{len(values)}I", *values)


def says(function, *arguments, **options):
    """Prints the failure that must come, and which packet it names."""
    try:
        print("no failure:", function(*arguments, **options))
    except client.Failure as failure:
        print(failure.code, failure.packet, "|", str(failure).replace(str(folder), "FOLDER"))


class Server:
    """A handler of the test's own: it adds 1 to the first byte and answers with what `plan`
    makes of (number of the packet, answer, where to): a list of (answer, where to)."""

    def __init__(self, plan):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(LOCAL)
        self.plan = plan
        self.senders = []
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            packet, sender = self.socket.recvfrom(65536)
            self.senders.append(sender)
            answer = bytes([(packet[0] + 1) % 256]) + packet[1:]
            for item, to in self.plan(len(self.senders) - 1, answer, sender):
                self.socket.sendto(item, to)

    @property
    def address(self):
        return "127.0.0.1:%d" % self.socket.getsockname()[1]


def streams():
    """Both engines, many packet sizes and windows; read-only and writable buffers; state."""
    numbers = [random.randrange(2**32) for _ in range(1000)]
    expected = [(n + 42) % 2**32 for n in numbers]
    with client.local_switch(overlay) as switch:
        for engine in ("fast", "model"):
            handler = switch.load(folder / "add.acis", engine=engine)
            good = 0
            for packet, window in ((4, 16), (400, 1), (1440, 3), (1440, 256)):
                good += handler.stream(words(*numbers), packet, window=window,
                                       deadline=20) == words(*expected)
            out = array.array("I", [7] * 1010)
            part = handler.stream(array.array("I", numbers), 256, out=out, deadline=20)
            good += part.nbytes == 4000 and list(out) == expected + [7] * 10
            good += handler.stream(b"", 256) == b""
            counters = handler.counters()
            print(engine, good, "of 6;", counters.received, counters.sent, counters.cycles > 0)
            handler.unload()
            says(handler.counters)
            says(handler.unload)
        binary = (folder / "sum.acis").read_bytes()
        handler = switch.load(binary)
        with switch.attach(handler.address) as other:
            print(other.packets(words(*range(10)), 16, deadline=20))
            print(other.counters().bytes_received)
        # A replacement under the same address.
        again = switch.load(folder / "add.acis", listen=handler.address)
        print(again.address == handler.address, struct.unpack("<1I", handler.stream(words(1), 4)),
              again.counters().replaced)


def loss():
    """The packet without an answer is named, whatever others bring, early or late."""
    data = bytes(range(1, 101))
    plus = bytes(n + 1 for n in data)
    # In whatever order answers come: pairs of packets swapped.
    held = []

    def swap(number, answer, sender):
        held.append((answer, sender))
        return [held.pop(), held.pop()] if len(held) == 2 else []

    print("swapped", client.attach(Server(swap).address).stream(data, 1, window=4, deadline=20) == plus)

    def lose(lost, window):
        server = Server(lambda number, answer, sender: [(answer, sender)] if answer[0] != lost + 2 else [])
        out = bytearray(200)
        try:
            client.attach(server.address).stream(data, 1, out=out, window=window, deadline=1.5)
        except client.Failure as failure:
            return failure.code, failure.packet, str(failure), out.rstrip(b"\0") == plus[:lost]

    # All at once, since each waits for its deadline.
    with concurrent.futures.ThreadPoolExecutor() as pool:
        for result in pool.map(lose, (0, 37, 37, 99), (1, 8, 1, 16)):
            print(*result)
    # An answer that comes after its deadline is not taken for one of the next stream.
    late = []

    def delay(number, answer, sender):
        if number == 0:
            late.append((answer, sender))
            return []
        return late + [(answer, sender)]

    handler = client.attach(Server(delay).address)
    says(handler.stream, b"a", 1, window=1, deadline=0.1)
    print(handler.stream(b"xyz", 1, window=1, deadline=20))
    # Nor one that the network has doubled, whatever is behind it.
    handler = client.attach(Server(lambda i, answer, to: [(answer, to)] * 3).address)
    got = []
    for packet in (b"a", b"k", b"x"):
        got.append(handler.stream(packet, 1, window=1, deadline=20))
        time.sleep(0.05)
    print(got)


def bad():
    """What is refused, and that the next call works."""
    says(client.Switch, folder / "nothing.sock")
    says(client.Switch, "")
    says(client.attach, "127.0.0.1")
    says(client.attach, "127.0.0.1:0")
    free = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    free.bind(LOCAL)
    gone = "127.0.0.1:%d" % free.getsockname()[1]
    free.close()
    try:
        client.attach(gone).stream(words(1), 4)
    except client.Failure as failure:
        print(failure.code, failure.packet, str(failure).removeprefix(gone))
    with client.local_switch(overlay) as switch:
        says(switch.load, folder / "nothing.acis")
        says(switch.load, b"")
        says(switch.load, b"this is no switch binary")
        says(switch.load, folder / "add.acis", handler="subtract")
        says(switch.load, folder / "add.acis", engine="slow")
        handler = switch.load(folder / "add.acis")
        says(handler.stream, words(1), 0)
        says(handler.stream, words(1), 65508)
        says(handler.stream, words(1), 4, window=0)
        says(handler.stream, words(1), 4, window=257)
        says(handler.stream, words(1), 4, deadline=0)
        says(handler.stream, words(1), 4, deadline=float("nan"))
        says(handler.stream, words(1), 4, out=b"1234")
        says(handler.stream, memoryview(words(1, 2))[::2], 4)
        says(handler.stream, words(1, 2, 3), 4, capacity=7)
        print(struct.unpack("<1I", handler.stream(words(1), 4)))
        says(client.attach(handler.address).counters)
        says(client.attach(handler.address).unload)
        handler.close()
        handler.close()
        says(handler.stream, words(1), 4)
        # The handler reads more than the second packet has.
        greedy = switch.load(folder / "greedy.acis")
        says(greedy.stream, words(*range(17)), 64, deadline=1.5)


def memory():
    """The first bytes of the handler's memory come with the binary."""
    with client.local_switch(overlay) as switch:
        handler = switch.load(folder / "lookup.acis", memory=array.array("I", [5, 7, 11, 13]))
        print(struct.unpack("<3I", handler.stream(words(1, 0, 0), 12)))
        # And 2 MiB, more than a handler has otherwise.
        table = array.array("I", range(1, 2**19 + 1))
        handler = switch.load(folder / "lookup.acis", memory=table)
        print(struct.unpack("<2I", handler.stream(words(2**19 - 2, 0), 8)))
        # So many bytes of zeros; then what is behind them is not there.
        handler = switch.load(folder / "lookup.acis", memory=2**24)
        print(struct.unpack("<I", handler.stream(words(2**22 - 1), 4)))
        says(handler.stream, words(2**22), 4, deadline=1.5)
        says(switch.load, folder / "lookup.acis", memory=2**30 + 1)
        says(switch.load, folder / "lookup.acis", memory=-1)
    # acisctl does the same, and the switch looks at what it is told.
    control = str(folder / "memory.sock")
    with client.local_switch(overlay, control=control) as switch:
        (folder / "table").write_bytes(table)
        done = subprocess.run(["acisctl", "--control", control, "load", folder / "lookup.acis",
                               "--memory", folder / "table", "--listen", "127.0.0.1:0"],
                              capture_output=True, text=True)
        address = done.stdout.split()[-1]
        print(struct.unpack("<2I", client.attach(address).stream(words(99, 0), 8)))
        done = subprocess.run(["acisctl", "--control", control, "load", folder / "lookup.acis",
                               "--memory-bytes", "16M", "--listen", "127.0.0.1:0"],
                              capture_output=True, text=True)
        print(struct.unpack("<I", client.attach(done.stdout.split()[-1]).stream(words(2**22 - 1), 4)))
        with socket.socket(socket.AF_UNIX) as raw:
            raw.connect(control)
            raw.sendall(b'{"command": "load", "listen": "127.0.0.1:0", "bytes": 4, "memoryBytes": "all"}\nabcd')
            print(raw.recv(4096).decode().strip())
        for size in ("5", "-1", '"all"'):
            with socket.socket(socket.AF_UNIX) as raw:
                raw.connect(control)
                raw.sendall(b'{"command": "load", "listen": "127.0.0.1:0", "bytes": 4, "memory": %s}\nabcd'
                               % size.encode())
                print(raw.recv(4096).decode().strip())


globals()[case]()
