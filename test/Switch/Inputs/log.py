"""The log of acisd: a job that ends well, one whose rank is killed, control, and nobody who reads.

usage: log.py FORMAT HANDLER.acis FOLDER

Prints the lines with what differs from run to run left out.
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys

form, handler, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
folder.mkdir(parents=True, exist_ok=True)
socket, log = folder / "control.sock", folder / f"{form}.log"


def plain(text):
    """Without times, and numbers that nobody can know."""
    text = re.sub(r"127\.0\.0\.1:\d+", "HERE", text)
    return re.sub(r'(session[":=]+)\d+', r"\1N", re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", "WHEN", text))


def control(*words):
    done = subprocess.run(["acisctl", "--control", str(socket), *words], capture_output=True, text=True)
    return done.returncode


def ranks(count, kill):
    program = subprocess.Popen(["acis-latency", address, "2", str(count)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    if kill:
        if not any("ranks are there" in line for line in program.stdout):
            sys.exit("error: the ranks have not come")
        children = pathlib.Path(f"/proc/{program.pid}/task/{program.pid}/children").read_text().split()
        os.kill(int(children[-1]), signal.SIGKILL)
    program.stdout.read()
    program.wait(timeout=100)


with open(log, "w") as to:
    daemon = subprocess.Popen(["acisd", "--config", "u280-full.json", "--log-format", form, "--control", str(socket), "--dead-after", "3"],
                              stdout=subprocess.PIPE, stderr=to, text=True)
try:
    address = re.search(r"listening on (\S+)", daemon.stdout.readline()).group(1)
    control("load", handler, "--listen", "127.0.0.1:0")
    control("load", __file__, "--listen", "127.0.0.1:0")
    control("unload", "--listen", "127.0.0.1:1")
    ranks(5, kill=False)
    ranks(100000, kill=True)
finally:
    daemon.terminate()
    print("ended", daemon.wait())

lines = log.read_text().splitlines()
if form == "json":
    objects = [json.loads(line) for line in lines]
    print("objects", all(list(one)[:3] == ["time", "level", "event"] for one in objects))
for line in lines:
    print(plain(line))
