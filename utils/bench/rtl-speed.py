#!/usr/bin/env python3
"""Cycles per second of engines model and rtl, and their ratio, on add-constant and GCN.

usage: rtl-speed.py --bin FOLDER --config OVERLAY

Both engines run the same packets one after the other. Time is that of the processor, and of the
whole program, for rtl; for model, which is done in milliseconds, it is what passes in the run. So
other work on the machine makes the ratio smaller, never larger. GCN needs an overlay of 16 lanes
and is left out on others.
"""
import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from built import built

ROOT = pathlib.Path(__file__).resolve().parents[2]
GCN = ["-DWS_UNROLL=2", "-DWS_VLEN=8"]


def call(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{pathlib.Path(command[0]).name}: {done.stderr.strip()[:300]}")
    return done.stdout


def measure(options, folder, program, *inputs):
    """(cycles, cycles/s of model, of rtl); the packets sent have to be the same."""
    rates, sent = {}, {}
    for engine in ("model", "rtl"):
        out = folder / f"{engine}.out"
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        stats = json.loads(call(options.bin / "acis-run", program, "--config", options.config, *inputs, "--engine", engine,
                                "--out", out, "--stats=json"))
        used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        rates[engine] = stats["cycles"] / (used if engine == "rtl" else stats["hostSeconds"])
        sent[engine] = out.read_bytes()
    if sent["model"] != sent["rtl"]:
        raise RuntimeError("engines send different packets")
    return stats["cycles"], rates["model"], rates["rtl"]


def addConstant(options, folder):
    call(options.bin / "acisc", ROOT / "examples/add-constant/handler.c", "--config", options.config, "-o", folder / "add.acis")
    (folder / "in.bin").write_bytes(bytes(64 * 1536))
    return measure(options, folder, folder / "add.acis", "--in", folder / "in.bin", "--packet-bytes", 1536)


def gcn(options, folder):
    call(options.bin / "acisc", ROOT / "examples/gcn/ws.c", *GCN, "--config", options.config, "-o", folder / "gcn.acis")
    call(options.bin / "gcn-pack", "--dataflow=ws", "--tile=2,8", "--nodes=200", "--edges=800",
         f"--in={folder}/gcn.in", f"--mem={folder}/gcn.mem")
    return measure(options, folder, folder / "gcn.acis", "--in", folder / "gcn.in", "--mem", folder / "gcn.mem")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, type=pathlib.Path, help="folder of acisc and acis-run")
    parser.add_argument("--config", required=True, help="overlay whose RTL is in the build")
    options = parser.parse_args()
    options.bin = built(options.bin.parent, "acisc", "acis-run", "gcn-pack")
    found = pathlib.Path(options.config)
    shipped = ROOT / "backend/overlay/descriptions" / found.name
    lanes = json.loads((found if found.exists() else shipped).read_text())["pe"]["lanes"]
    with tempfile.TemporaryDirectory() as name:
        for program, run in (("add-constant", addConstant), ("gcn", gcn)):
            if run is gcn and lanes != 16:
                continue
            try:
                cycles, model, rtl = run(options, pathlib.Path(name))
            except RuntimeError as problem:
                print(f"{program}: {problem}", file=sys.stderr)
                return 1
            print(f"{program:13} {cycles:8} cycles, model {model / 1e6:.2f} M/s, rtl {rtl / 1e3:.2f} k/s, ratio {model / rtl:.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
