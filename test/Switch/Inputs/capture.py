"""usage: capture.py FOLDER OVERLAY: packets to a captured switch, some of which it drops."""
import pathlib
import signal
import socket
import struct
import subprocess
import sys

folder, overlay = pathlib.Path(sys.argv[1]), sys.argv[2]


def run(capture, *options):
    """The switch, a socket to its handler, one to its main port."""
    process = subprocess.Popen(["acisd", "--config", overlay, "--handler", folder / "greedy.acis",
                                "--capture", folder / capture, *options],
                               stdout=subprocess.PIPE, text=True)
    sockets = []
    for _ in range(2):
        host, port = process.stdout.readline().split()[-1].rsplit(":", 1)
        sockets.append(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        sockets[-1].connect((host, int(port)))
        sockets[-1].settimeout(10)
    return process, *sockets


def words(count):
    return struct.pack(f"<{count}I", *range(count))


process, handler, main = run("switch.pcapng", "--engine", "model")
handler.send(words(16))
print("answered", handler.recv(100) == struct.pack("<I", 120))
handler.send(words(1))  # the handler wants more
main.send(b"not of the protocol")
handler.send(words(16))
print("answered", handler.recv(100) == struct.pack("<I", 120))
process.send_signal(signal.SIGTERM)
print("exit", process.wait(timeout=10))

# Two packets of a source in a second, and a file that has room for four packets. The answer to
# another source says that the packets before it were seen.
process, handler, main = run("small.pcapng", "--max-packets-per-second", "2", "--capture-bytes",
                             "700", "--stats", "-")
for _ in range(3):
    handler.send(words(16))
handler.recv(100)
handler.recv(100)
other = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
other.settimeout(10)
other.sendto(words(16), handler.getpeername())
other.recv(100)
process.send_signal(signal.SIGTERM)
print([line for line in process.communicate(timeout=10)[0].splitlines() if "capture" in line])
