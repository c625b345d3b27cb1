"""Two leaves below two spines, of which some do not run, or die, or a rank does: what is said, and how soon.

usage: spines.py FOLDER PROGRAM      (PROGRAM: mpi-errors of MPICH)

Prints what the runs print; times are compared here.
"""
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

MOST = 9  # seconds, on a busy machine; --dead-after and ACIS_DEAD_AFTER are 60
folder, program = pathlib.Path(sys.argv[1]), sys.argv[2]
NAMES = ["spine0", "spine1", "leaf0", "leaf1"]


def free_ports(count):
    sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


addresses = [f"127.0.0.1:{port}" for port in free_ports(len(NAMES))]
topology = folder / "net.json"
topology.write_text(json.dumps({"switches": [
    {"name": name, "address": at, **({"parents": NAMES[:2]} if name.startswith("leaf") else {})}
    for name, at in zip(NAMES, addresses)]}))
running = {}


def begin(name):
    running[name] = subprocess.Popen(["acisd", "--topology", topology, "--name", name, "--dead-after", "60"],
                                     stdout=subprocess.PIPE, text=True)
    assert "listening" in running[name].stdout.readline()


def kill(name):
    running[name].kill()
    running.pop(name).wait()


def start(*arguments, **more):
    """Job 0, whose own spine is spine0; two ranks on each leaf."""
    library = pathlib.Path(program).parent.parent / "lib/libacis-mpi-mpich.so"
    environment = {**os.environ, "ACIS_SWITCH": ",".join(addresses), "ACIS_LEAVES": "2,2,3,3",
                   "ACIS_PARENTS": "-,-,0,0;-,-,1,1", "ACIS_PLACEMENT": "apart", "ACIS_DEAD_AFTER": "60",
                   "ACIS_WHY": "1", **more}
    return subprocess.Popen(["mpiexec.mpich", "-disable-auto-cleanup", "-n", "4", "env", f"LD_PRELOAD={library}", program,
                             *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            start_new_session=True)


def end(what, process, since=None):
    since = since or time.monotonic()
    try:
        out, _ = process.communicate(timeout=60)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    took = time.monotonic() - since
    print(f"== {what}: exit {process.returncode}\n{out}")
    assert took < MOST, f"{what}: took {took:.1f} s"


try:
    for name in NAMES[1:]:
        begin(name)
    end("no spine0", start("100"))
    kill("spine1")
    end("none", start("100"))
    end("none, required", start("100", ACIS_REQUIRE="1"))
    begin("spine0")
    end("spine0 again", start("100"))
    process = start("100", "killed", "2")
    end("rank 2 killed", process)
    time.sleep(1.5)  # its ranks have heard of it
    end("the job again", start("100"))
    process = start("1000000")
    time.sleep(3)
    kill("spine0")
    end("spine0 killed", process, time.monotonic())
finally:
    for one in running.values():
        one.kill()
