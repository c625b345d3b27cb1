"""usage: nodes.py COUNT COMMAND...: starts memory nodes on this machine, runs the command with their
addresses as its last word, and ends them."""
import contextlib
import pathlib
import subprocess
import sys

OVERLAY = pathlib.Path(__file__).resolve().parents[2] / "backend/overlay/descriptions/u280.json"


@contextlib.contextmanager
def own_nodes(count):
    nodes = [subprocess.Popen(["acisd", "--region", "4M", "--config", OVERLAY], stdout=subprocess.PIPE,
                              text=True) for _ in range(count)]
    try:
        # "acisd: a region of ..." and "acisd: listening on ..."
        yield ",".join([node.stdout.readline() and node.stdout.readline().split()[-1] for node in nodes])
    finally:
        for node in nodes:
            node.terminate()
            node.wait()


if __name__ == "__main__":
    with own_nodes(int(sys.argv[1])) as addresses:
        sys.exit(subprocess.run([*sys.argv[2:], addresses]).returncode)
