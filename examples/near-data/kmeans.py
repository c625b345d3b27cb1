#!/usr/bin/env python3
"""k-means of points that stay on two memory nodes: compiles kmeans-step.c for the nodes and kmeans.c for this
machine, starts the nodes and runs it."""
import argparse
import pathlib
import subprocess
import sys
import tempfile

from nodes import OVERLAY, SOURCE, own_nodes, tool

HERE = pathlib.Path(__file__).resolve().parent


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=2, help="memory nodes to start, 1 to 8 (default: 2)")
    options = parser.parse_args()
    if not 1 <= options.nodes <= 8:
        parser.error(f"--nodes: found {options.nodes}, allowed are 1 to 8")
    libraries = pathlib.Path(tool("acis-memd")).parent.parent / "lib"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for command in ([tool("acisc"), HERE / "kmeans-step.c", "--config", OVERLAY, "-o", folder / "step.acis"],
                        ["cc", "-O2", f"-I{SOURCE}", HERE / "kmeans.c", f"-L{libraries}", "-lacis-client",
                         f"-Wl,-rpath,{libraries}", "-o", folder / "kmeans"]):
            if code := subprocess.run(command).returncode:
                return code
        with own_nodes(options.nodes) as addresses:
            return subprocess.run([folder / "kmeans", folder / "step.acis", addresses]).returncode


if __name__ == "__main__":
    sys.exit(main())
