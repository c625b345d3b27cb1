"""Two hosts, each behind a leaf that forwards frames, in network namespaces:

  h0 eth0 --- host leaf0 far --- far leaf1 host --- eth0 h1

All links are veth pairs of MTU 1500. Hosts have 10.9.0.1, 10.9.0.2 and fd09::1, fd09::2; the leaves have no
addresses there. Needs root."""
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "utils/mpi"))
from namespaces import ALONE, sh, why_not

MARK = "ACIS_LEAVES_INSIDE"


def alone(arguments):
    """Runs this program again in namespaces of its own, unless it is in there; None: it is."""
    if os.environ.pop(MARK, None):
        return None
    if why := why_not([]):
        print(f"error: namespaces cannot be made here: {why}", file=sys.stderr)
        return 77
    done = subprocess.run([*ALONE, sys.executable, *arguments], env={**os.environ, MARK: "1"}, check=False)
    return done.returncode if done.returncode >= 0 else 1


def make():
    os.makedirs("/run/netns", exist_ok=True)
    sh("mount", "-t", "tmpfs", "none", "/run/netns")
    for name in ("h0", "h1", "leaf0", "leaf1"):
        sh("ip", "netns", "add", name)
        sh("ip", "-n", name, "link", "set", "lo", "up")
    links = [("h0", "eth0", "leaf0", "host"), ("leaf0", "far", "leaf1", "far"), ("h1", "eth0", "leaf1", "host")]
    for one, here, other, there in links:
        sh("ip", "-n", one, "link", "add", "name", here, "type", "veth", "peer", "name", there, "netns", other)
        for name, device in ((one, here), (other, there)):
            if name.startswith("leaf"):  # nothing of its own on the wire
                sh("ip", "-n", name, "link", "set", device, "addrgenmode", "none")
            sh("ip", "-n", name, "link", "set", device, "up")
    for number in (0, 1):
        sh("ip", "-n", f"h{number}", "addr", "add", f"10.9.0.{number + 1}/24", "dev", "eth0")
        sh("ip", "-n", f"h{number}", "addr", "add", f"fd09::{number + 1}/64", "dev", "eth0", "nodad")
        # What waits for the other host's address is not dropped, however long that takes.
        sh("ip", "netns", "exec", f"h{number}", "sh", "-c", "echo 16777216 > /proc/sys/net/ipv4/neigh/eth0/unres_qlen_bytes")


def within(name, *command, **more):
    return subprocess.Popen(["ip", "netns", "exec", name, *map(str, command)], text=True, **more)


def leaf(build, name, *options):
    """A switch, once it listens."""
    process = within(name, f"{build}/bin/acisd", "--spin", 0, *options, stdout=subprocess.PIPE)
    while not (line := process.stdout.readline()).startswith("acisd: listening"):
        if not line:
            sys.exit(f"error: the switch on {name} has ended")
    return process


def counter(name, device, what):
    return int(subprocess.run(["ip", "netns", "exec", name, "cat", f"/sys/class/net/{device}/statistics/{what}"],
                              capture_output=True, text=True, check=True).stdout)


def end(*processes):
    for process in processes:
        process.terminate()
    for process in processes:
        process.wait()


def until(condition, seconds=10):
    limit = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > limit:
            return False
        time.sleep(0.02)
    return True
