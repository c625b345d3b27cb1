"""Engines of a direct network of which one does not run, or ends, or has another topology file: what
ranks are told.

usage: engines.py FOLDER

Prints what the runs print.
"""
import json
import os
import pathlib
import socket
import subprocess
import sys
import time

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
host = "127.%d.%d.%d" % tuple(1 + byte % 250 for byte in os.urandom(3))
sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(4)]
for one in sockets:
    one.bind((host, 0))
addresses = ["%s:%d" % one.getsockname() for one in sockets]
for one in sockets:
    one.close()


def topology(name, sizes):
    path = folder / name
    path.write_text(json.dumps({"network": {"form": "torus", "sizes": sizes}, "switches": [
        {"name": f"e{number}", "address": at} for number, at in enumerate(addresses)]}))
    return path


right, other = topology("right.json", [2, 2]), topology("other.json", [4, 1])


def run(title, files, kill=None, calls=20):
    print("==", title, flush=True)
    engines = {}
    for number, file in files.items():
        engines[number] = subprocess.Popen(["acisd", "--topology", file, "--name", f"e{number}", "--dead-after", "3"],
                                           stdout=subprocess.PIPE, text=True)
        assert "listening" in engines[number].stdout.readline()
    program = subprocess.Popen(["acis-back-to-back", ",".join(addresses), str(calls), "64,4096"],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if kill is not None:
        program.stdout.readline()
        engines[kill].kill()
    out, _ = program.communicate(timeout=120)
    print(out, end="")
    print("exit", program.returncode, flush=True)
    for engine in engines.values():
        engine.terminate()
        engine.communicate()


run("all", {number: right for number in range(4)})
run("killed", {number: right for number in range(4)}, kill=2, calls=200_000)
run("another file", {0: right, 1: right, 2: right, 3: other})
