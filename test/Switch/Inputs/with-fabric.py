"""Runs a command with two leaves and a spine of its own, each an acisd of one topology file.

usage: with-fabric.py FOLDER [--kill spine|rank] -- command [arguments]

@LEAVES@ in the arguments becomes the leaves' addresses, with a comma. With --kill, a
switch, or the command's last child process, gets SIGKILL as soon as the command says on its
standard output that all ranks are there. The exit code is the command's.
"""
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
split = sys.argv.index("--")
kill = sys.argv[3] if sys.argv[2] == "--kill" else None

holders = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(3)]
for holder in holders:
    holder.bind(("127.0.0.1", 0))
addresses = ["127.0.0.1:%d" % holder.getsockname()[1] for holder in holders]
for holder in holders:
    holder.close()
names = ["leaf0", "leaf1", "spine"]
switches = [{"name": n, "address": a} for n, a in zip(names, addresses)]
for leaf in switches[:2]:
    leaf["parents"] = ["spine"]
topology = folder / "topology.json"
topology.write_text(json.dumps({"switches": switches}))

running = []
try:
    for name in names:
        command = ["acisd", "--topology", str(topology), "--name", name, "--dead-after", "3"]
        running.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        running[-1].stdout.readline()
    words = [w.replace("@LEAVES@", ",".join(addresses[:2])) for w in sys.argv[split + 1 :]]
    program = subprocess.Popen(words, stdout=subprocess.PIPE if kill else None, text=True)
    if kill:
        if not any("ranks are there" in line for line in program.stdout):
            sys.exit("error: the command ended before all ranks were there")
        victim = running[2].pid
        if kill == "rank":
            children = pathlib.Path(f"/proc/{program.pid}/task/{program.pid}/children")
            victim = int(children.read_text().split()[-1])
        os.kill(victim, signal.SIGKILL)
    code = program.wait(timeout=100)
finally:
    for switch in running:
        switch.terminate()
        switch.communicate(timeout=10)
sys.exit(code)
