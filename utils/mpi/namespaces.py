#!/usr/bin/env python3
"""Runs a command in a cluster of network namespaces: hosts h0, h1, ..., or with names that are given, on
one switched network, each with a host name and an address of its own, and this one, "head", where the
command runs.

  namespaces.py --hosts 2 --rate 1gbit --delay 20us -- sh run.sh
  namespaces.py --names node0,node1,leaf0 -- ssh node0 hostname

The names are in /etc/hosts. The command finds in its environment
  PATH             with a program ssh that runs "ssh h0 command" there
  CLUSTER_SHELL    the same by its path: for mpiexec's -launcher-exec, and Open MPI's plm_rsh_agent
  CLUSTER_HOSTS    "h0,h1"
  CLUSTER_NETWORK  "10.77.0.0/24"
  CLUSTER_ADDRESS  its own address there, "10.77.0.1"; h0 has 10.77.0.10, h1 10.77.0.11 and so on
All of it ends with the command. Needs root, ip and tc (package iproute2), unshare (util-linux).
Exit code: the command's; 1 after an error of its own; 77 if namespaces cannot be made here."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# With the last process of these namespaces everything in them ends.
ALONE = ["unshare", "--mount", "--net", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc"]
MARK = "ACIS_CLUSTER_INSIDE"
SHELL = """#!/bin/sh
# As ssh: [-options] host command...
while case "$1" in -*) true;; *) false;; esac; do shift; done
host=$1
shift
exec ip netns exec "$host" unshare --uts sh -c "hostname $host; $*"
"""


def sh(*words):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"namespaces: error: '{' '.join(map(str, words))}': {done.stderr.strip()}")


def shape_of(options):
    """What tc is told of a link; none: nothing."""
    if options.delay:
        return ["netem", "delay", options.delay, *(["rate", options.rate] if options.rate else [])]
    if options.rate:  # on systems without netem, too
        return ["tbf", "rate", options.rate, "burst", "256k", "latency", "50ms"]
    return []


def why_not(shape):
    """Why there can be no such namespaces here; "": there can."""
    if os.geteuid() != 0:
        return "needs root"
    for tool, package in (("ip", "iproute2"), ("tc", "iproute2"), ("unshare", "util-linux")):
        if not shutil.which(tool):
            return f"needs {tool} (package {package})"
    tried = subprocess.run([*ALONE, "ip", "link", "add", "name", "tried", "type", "bridge"], capture_output=True, text=True,
                           check=False)
    if tried.returncode:
        return tried.stderr.strip()
    if not shape:
        return ""
    tried = subprocess.run([*ALONE, "tc", "qdisc", "add", "dev", "lo", "root", *shape], capture_output=True,
                           text=True, check=False)
    return f"tc, of links with --rate or --delay: {tried.stderr.strip()}" if tried.returncode else ""


def make(options):
    """Inside of namespaces of our own: the network."""
    os.makedirs("/run/netns", exist_ok=True)
    sh("mount", "-t", "tmpfs", "none", "/run/netns")
    sh("hostname", "head")
    sh("ip", "link", "set", "lo", "up")
    sh("ip", "link", "add", "name", "net", "type", "bridge")
    sh("ip", "addr", "add", "10.77.0.1/24", "dev", "net")
    sh("ip", "link", "set", "net", "up")
    for number, host in enumerate(options.names):
        sh("ip", "netns", "add", host)
        sh("ip", "link", "add", "name", f"to-{host}", "type", "veth", "peer", "name", "eth0", "netns", host)
        sh("ip", "link", "set", f"to-{host}", "master", "net", "up")
        sh("ip", "-n", host, "addr", "add", f"10.77.0.{10 + number}/24", "dev", "eth0")
        for device in ("lo", "eth0"):
            sh("ip", "-n", host, "link", "set", device, "up")
        if shape := shape_of(options):
            sh("tc", "qdisc", "add", "dev", f"to-{host}", "root", *shape)
            sh("tc", "-n", host, "qdisc", "add", "dev", "eth0", "root", *shape)


def inside(options):
    make(options)
    with tempfile.TemporaryDirectory(prefix="cluster-") as folder:
        shell = pathlib.Path(folder) / "ssh"
        shell.write_text(SHELL)
        shell.chmod(0o755)
        names = pathlib.Path(folder) / "hosts"
        names.write_text("127.0.0.1 localhost\n10.77.0.1 head\n" + "".join(
            f"10.77.0.{10 + number} {name}\n" for number, name in enumerate(options.names)))
        sh("mount", "--bind", names, "/etc/hosts")
        environment = {**os.environ, "CLUSTER_SHELL": str(shell), "CLUSTER_NETWORK": "10.77.0.0/24",
                       "PATH": f"{folder}:{os.environ['PATH']}", "CLUSTER_HOSTS": ",".join(options.names),
                       "CLUSTER_ADDRESS": "10.77.0.1"}
        return subprocess.run(options.command, env=environment, check=False).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", type=int, default=2, help="how many, 1 to 64 (default: 2)")
    parser.add_argument("--names", default="", help="of the hosts, with commas (default: h0, h1, ...)")
    parser.add_argument("--rate", default="", help="of each host's link, each way, as tc has it (default: no limit)")
    parser.add_argument("--delay", default="", help="of each host's link, each way, as tc has it (default: none)")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    if not 1 <= options.hosts <= 64:
        parser.error(f"--hosts: found {options.hosts}, allowed are 1 to 64")
    options.names = options.names.split(",") if options.names else [f"h{n}" for n in range(options.hosts)]
    for name in options.names:
        if not re.fullmatch(r"[a-z][a-z0-9-]{0,11}", name) or options.names.count(name) > 1 or name == "head":
            parser.error(f"--names: found '{name}', allowed are different names of at most 12 letters, digits "
                         "and dashes, and not head")
    if len(options.names) > 64:
        parser.error(f"--names: found {len(options.names)}, allowed are at most 64")
    if MARK in os.environ:
        del os.environ[MARK]
        return inside(options)
    if why := why_not(shape_of(options)):
        print(f"namespaces: error: cannot be made here: {why}", file=sys.stderr)
        return 77
    done = subprocess.run([*ALONE, sys.executable, *sys.argv], env={**os.environ, MARK: "1"}, check=False)
    return done.returncode if done.returncode >= 0 else 128 - done.returncode


if __name__ == "__main__":
    sys.exit(main())
