#!/usr/bin/env python3
"""Starts memory nodes on this machine, runs a command with their addresses as its last word, and ends them.

  nodes.py 2 ./kmeans kmeans.acis

Exit code: the command's; 1 after an error before it was started."""
import argparse
import contextlib
import os
import pathlib
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
OVERLAY = SOURCE / "backend/overlay/descriptions/u280.json"


def tool(name):
    """A program of ACiS: in PATH, or in this checkout's build."""
    here = os.pathsep.join([os.environ.get("PATH", ""), str(SOURCE / "build/dev/bin"), str(SOURCE / "build/release/bin")])
    found = shutil.which(name, path=here)
    if not found:
        sys.exit(f"error: {name}: is neither in PATH nor in {SOURCE / 'build'}; build it "
                 "(cmake --preset dev, ninja -C build/dev) or add its folder to PATH")
    return found


@contextlib.contextmanager
def own_nodes(count):
    """Their addresses, with commas."""
    with contextlib.ExitStack() as ends:
        addresses = []
        for _ in range(count):
            node = subprocess.Popen([tool("acis-memd"), "--region", "4M", "--config", OVERLAY],
                                    stdout=subprocess.PIPE, text=True)
            ends.callback(node.wait)
            ends.callback(node.terminate)
            # "acis-memd: a region of ..." and "acis-memd: listening on ..."
            said = [node.stdout.readline(), node.stdout.readline()]
            if "listening on" not in said[-1]:
                sys.exit("error: acis-memd: a node has ended before it listened")
            addresses.append(said[-1].split()[-1])
        yield ",".join(addresses)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int, help="how many nodes, 1 to 64")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    if not 1 <= options.count <= 64:
        parser.error(f"count: found {options.count}, allowed are 1 to 64")
    if not options.command:
        parser.error("no command is named")
    with own_nodes(options.count) as addresses:
        try:
            return subprocess.run([*options.command, addresses]).returncode
        except OSError as problem:
            sys.exit(f"error: {options.command[0]}: {problem.strerror}")


if __name__ == "__main__":
    sys.exit(main())
