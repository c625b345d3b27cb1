"""usage: wire_handlers.py CASE FOLDER OVERLAY: starts acisd with a handler, sends it packets
over loopback and says what came back. CASE: answers, replace, traps, refused."""
import os
import pathlib
import socket
import struct
import subprocess
import sys

case, folder, overlay = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
control = str(folder / f"{case}.sock")


def words(*values):
    return struct.pack(f"<{len(values)}I", *values)


def ctl(*arguments):
    done = subprocess.run(["acisctl", "--control", control, *map(str, arguments)],
                          capture_output=True, text=True)
    return done.returncode, (done.stdout or done.stderr).strip()


class Switch:
    def __init__(self, binary, *options):
        self.process = subprocess.Popen(
            ["acisd", "--config", overlay, "--control", control, "--handler", binary, *options],
            stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        assert line.startswith("acisd: handler at "), line
        self.address = line.split()[-1]
        self.process.stdout.readline()
        host, port = self.address.rsplit(":", 1)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.connect((host, int(port)))
        self.socket.settimeout(10)

    def ask(self, packet):
        self.socket.send(packet)
        return self.socket.recv(65536)

    def stop(self):
        self.process.terminate()
        print("exit", self.process.wait(timeout=10))


def answers():
    """Both engines; packets of many lengths in many flows, each answered to its sender."""
    for engine in ("fast", "model"):
        switch = Switch(folder / "add.acis", "--engine", engine)
        good = 0
        for count in (1, 7, 16, 17, 256, 360):
            sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            sender.settimeout(10)
            host, port = switch.address.rsplit(":", 1)
            data = os.urandom(4 * count)
            sender.sendto(data, (host, int(port)))
            expected = words(*((w + 42) & 0xffffffff for w in struct.unpack(f"<{count}I", data)))
            good += sender.recv(65536) == expected
        status = ctl("status", "--json")[1]
        print(engine, good, "of 6,", "cycles counted" if '"cycles": 0' not in status else "no cycles")
        switch.stop()


def replace():
    """While packets are on their way: every one is answered, by the old or the new."""
    switch = Switch(folder / "add.acis")
    old = new = 0
    for turn in range(400):
        if turn == 200:
            print(ctl("load", folder / "sum.acis", "--listen", switch.address)[0])
        answer = switch.ask(words(turn, 5))
        old += answer == words(turn + 42, 47)
        new += answer == words(turn + 5)
    print("old", old, "new", new)
    print(ctl("load", folder / "nothing.acis", "--listen", switch.address))
    (folder / "damaged.acis").write_bytes((folder / "add.acis").read_bytes()[:900])
    print("damaged", ctl("load", folder / "damaged.acis", "--listen", switch.address)[0],
          "still", switch.ask(words(1, 2)) == words(3))
    metrics = ctl("metrics")[1]
    print("metric", [line for line in metrics.splitlines() if line.startswith("acis_port_replacements")])
    print(ctl("unload", "--listen", switch.address)[0], ctl("unload", "--listen", switch.address))
    switch.stop()


def traps():
    """A handler that reads more than it was sent loses that packet, not the next one."""
    switch = Switch(folder / "greedy.acis")
    switch.socket.send(words(1))
    print("answer", struct.unpack("<1I", switch.ask(words(*range(16)))))
    status = ctl("status")[1].splitlines()
    print(status[1].split()[3:])
    print(status[2])
    switch.stop()


def refused():
    """The control socket: of its owner, one switch, and no command makes the switch fall."""
    switch = Switch(folder / "add.acis")
    print(oct(os.stat(control).st_mode & 0o777))
    second = subprocess.run(["acisd", "--control", control], capture_output=True, text=True)
    print(second.returncode, second.stderr.strip()[-70:])
    for line in (b"{}\n", b"load\n", b'{"command": "load", "bytes": 99999999999}\n',
                 b'{"command": 7}\n', b'{"command": "load", "listen": 3}\n', b"x" * 70000):
        client = socket.socket(socket.AF_UNIX)
        client.connect(control)
        client.sendall(line)
        print(client.recv(4096).decode().strip())
    print(struct.unpack("<1I", switch.ask(words(1))))
    switch.stop()
    print("socket left", os.path.exists(control))


globals()[case]()
