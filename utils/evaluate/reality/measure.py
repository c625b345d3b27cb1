#!/usr/bin/env python3
"""What collectives of real hosts and a real switch take over slow links, on this machine.

usage: measure.py --programs DIR [--ranks 4] [--rate BITS_PER_S] [--delay NS] [--calls N] NAME:BYTES...

Makes a network namespace for a switch (acisd) and one for each rank, joined by links of that rate and
delay (wire.c), and prints JSON: what the links take by themselves, what a call of one rank alone
takes, and for each call of NAME:BYTES how late ranks began and the time from the last begin to the
last end. Namespaces, devices and processes are in namespaces of this run, and are gone when it ends
however it ends. Needs root.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SWITCH = "10.77.0.1"  # of the switch, whichever link leads to it
LATE = 1500  # us: a call that a rank begins so late is not counted, as the machine had other work
MTU = 17000  # a datagram of the switch's largest payload is one frame


def why_not():
    """Why this cannot be done here; None: it can."""
    if os.geteuid() != 0:
        return "needs root, for network namespaces"
    for tool, package in (("ip", "iproute2"), ("unshare", "util-linux"), ("cc", "gcc")):
        if not shutil.which(tool):
            return f"needs {tool} (package {package})"
    if not os.access("/dev/net/tun", os.R_OK | os.W_OK):
        return "needs /dev/net/tun"
    tried = subprocess.run([*ALONE, "true"], capture_output=True, text=True, check=False)
    return f"cannot make namespaces: {tried.stderr.strip()}" if tried.returncode else None


# Before the machine's other work.
FIRST = ["nice", "-n", "-20"]
# With the last process of these namespaces everything in them ends.
ALONE = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]


NAMES = ["allgather", "allreduce", "alltoall", "barrier", "bcast", "gather", "reduce", "scatter"]


def fail(what):
    sys.exit(f"measure: error: {what}")


def sh(*words):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False)
    if done.returncode:
        fail(f"'{' '.join(map(str, words))}': {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def inside(name, *words):
    return ["ip", "netns", "exec", name, *map(str, words)]


class Network:
    """Hosts h0, h1, ... and a switch s, each in a namespace, a wire from each host to the switch."""

    def __init__(self, work, hosts, rate, delay):
        os.makedirs("/run/netns", exist_ok=True)
        sh("mount", "-t", "tmpfs", "none", "/run/netns")
        ends = []
        for name in ["s"] + [f"h{h}" for h in range(hosts)]:
            sh("ip", "netns", "add", name)
            sh("ip", "-n", name, "link", "set", "lo", "up")
        for h in range(hosts):
            ends += [f"/run/netns/h{h}", "wire", "/run/netns/s", f"wire{h}"]
        self.wire = subprocess.Popen([work / "wire", str(rate), str(delay), *ends], stdout=subprocess.PIPE, text=True)
        if self.wire.stdout.readline() != "ready\n":
            fail("the wire did not start")
        sh("ip", "-n", "s", "addr", "add", SWITCH, "dev", "lo")
        for h in range(hosts):
            for space, device, own, other in ((f"h{h}", "wire", 2, SWITCH), ("s", f"wire{h}", 1, f"10.78.{h}.2")):
                sh(*inside(space, "sysctl", "-q", "-w", f"net.ipv6.conf.{device}.disable_ipv6=1"))
                sh("ip", "-n", space, "addr", "add", f"10.78.{h}.{own}/30", "dev", device)
                sh("ip", "-n", space, "link", "set", device, "mtu", MTU, "txqueuelen", 10000, "up")
            sh("ip", "-n", f"h{h}", "route", "add", SWITCH, "via", f"10.78.{h}.1")


ECHO = """
import socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind((sys.argv[1], 7)); print('ready', flush=True)
while True:
    data, who = s.recvfrom(65536); s.sendto(data, who)
"""
PING = """
import socket, sys, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.connect((sys.argv[1], 7)); s.settimeout(10)
for size in map(int, sys.argv[2:]):
    best = 1e9
    for _ in range(10):
        begin = time.monotonic(); s.send(bytes(size)); s.recv(65536); best = min(best, time.monotonic() - begin)
    print(size, best * 1e6)
"""


def ping():
    """Round trips of UDP datagrams between a host and the switch, in us by bytes: without ACiS."""
    echo = subprocess.Popen(inside("s", sys.executable, "-c", ECHO, SWITCH), stdout=subprocess.PIPE, text=True)
    echo.stdout.readline()
    said = sh(*inside("h0", sys.executable, "-c", PING, SWITCH, 64, 16384))
    echo.terminate()
    echo.wait()
    return {int(size): round(float(time), 1) for size, time in map(str.split, said.splitlines())}


class Switch:
    def __init__(self, programs):
        self.process = subprocess.Popen(inside("s", *FIRST, programs / "acisd", "--listen", f"{SWITCH}:7000"),
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        line = self.process.stdout.readline()
        if SWITCH not in line:
            fail(f"acisd did not start: {line.strip()}")
        self.jobs = 0

    def run(self, work, ranks, calls, wanted):
        """Of each of `wanted`, for each call: by how many us the ranks began later than asked, and the
        time from the last begin to the last end."""
        self.jobs += 1
        command = [work / "rank", f"{SWITCH}:7000", self.jobs]
        started = [subprocess.Popen(inside(f"h{r}", *FIRST, *command, r, ranks, calls, *wanted),
                                    stdout=subprocess.PIPE, text=True) for r in range(ranks)]
        said = [process.communicate(timeout=600)[0].splitlines() for process in started]
        if any(process.returncode for process in started):
            fail("a rank failed")
        found = []
        for lines in zip(*said):
            ends, late = zip(*(map(float, line.split()) for line in lines))
            found.append((late, round(max(ends) - max(late), 1)))
        return [[call for call in found[n * calls:(n + 1) * calls] if max(call[0]) < LATE] for n in range(len(wanted))]


def compile_all(programs, work):
    library = programs.parent / "lib"
    sh("cc", "-O2", HERE / "wire.c", "-o", work / "wire")
    sh("cc", "-O2", "-I", ROOT, HERE / "rank.c", "-o", work / "rank", "-L", library, "-lacis-client",
       f"-Wl,-rpath,{library}")


def measure(args):
    with tempfile.TemporaryDirectory(prefix="acis-reality-") as folder:
        work = pathlib.Path(folder)
        compile_all(args.programs, work)
        Network(work, args.ranks, args.rate, args.delay)
        links = ping()
        switch = Switch(args.programs)
        alone = statistics.median(time for _, time in switch.run(work, 1, 20, ["barrier:0"])[0])
        return {"rate": args.rate, "delayNs": args.delay, "ranks": args.ranks, "pingUs": links,
                "aloneUs": round(alone, 1), "load": round(os.getloadavg()[0], 1),
                "runs": [{"call": name, "lateUs": [late for late, _ in calls], "us": [time for _, time in calls]}
                         for name, calls in zip(args.wanted, switch.run(work, args.ranks, args.calls, args.wanted))]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--programs", required=True, type=pathlib.Path)
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--rate", type=float, default=100e6, help="bits per second (default: 1e8)")
    parser.add_argument("--delay", type=int, default=1_000_000, help="ns (default: 1,000,000)")
    parser.add_argument("--calls", type=int, default=5)
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("wanted", nargs="+", metavar="NAME:BYTES")
    args = parser.parse_args()
    args.programs = args.programs.resolve()
    for text in args.wanted:
        name, _, size = text.partition(":")
        if name not in NAMES or not size.isdecimal() or int(size) % 8:
            fail(f"found '{text}'; expected NAME:BYTES, as allreduce:1024, with NAME one of {', '.join(NAMES)} and "
                 "bytes of doubles")
    if args.alone:
        return print(json.dumps(measure(args), indent=1))
    if reason := why_not():
        fail(reason)
    return sys.exit(subprocess.run([*ALONE, sys.executable, __file__, "--alone", *sys.argv[1:]], check=False).returncode)


if __name__ == "__main__":
    main()
