#!/usr/bin/env python3
"""Runs kernels of test/Kernels on engine rtl: the same packets as engine model in the same
cycles with the same counters; with random latencies and back-pressure the same packets.

usage: rtl-kernels.py --bin FOLDER [--overlay NAME] [--seeds N] [KERNEL...]

KERNEL is a name; all by default. One that the overlay refuses is reported as refused. The
overlay's RTL has to be in the build (-DACIS_RTL_OVERLAYS).
"""
import argparse
import json
import pathlib
import sys
import tempfile

from kernelrun import ROOT, Kernel, Overlay, Problem, Runner

SAME = ("cycles", "stalls", "instructions", "iterations", "packetsIn", "packetsOut", "beatsIn", "beatsOut", "bytesIn", "bytesOut")


def run(runner, overlay, packets, *engine):
    """(packets sent, statistics) of one run; packets of one size."""
    out = runner.folder / "out.bin"
    (runner.folder / "in.bin").write_bytes(b"".join(packets))
    stats = json.loads(runner.need(
        runner.bin / "acis-run", runner.folder / "kernel.acis", "--config", overlay.file, "--in", runner.folder / "in.bin",
        "--mem", runner.folder / "mem.bin", "--packet-bytes", len(packets[0]), "--mem-bytes", 1 << 20, "--out", out,
        "--stats=json", *engine))
    return out.read_bytes(), stats


def check(runner, overlay, packets, seeds):
    """Model against rtl; the cycles of both."""
    expected, model = run(runner, overlay, packets, "--engine=model")
    found, rtl = run(runner, overlay, packets, "--engine=rtl")
    if found != expected:
        raise Problem("engine rtl sends other bytes than engine model")
    different = [name for name in SAME if rtl.get(name) != model.get(name)]
    if different:
        raise Problem("; ".join(f"{name}: model {model.get(name)}, rtl {rtl.get(name)}" for name in different))
    for seed in range(1, seeds + 1):
        if run(runner, overlay, packets, "--engine=rtl", f"--seed={seed}")[0] != expected:
            raise Problem(f"with --seed={seed} engine rtl sends other bytes")
    return model["cycles"]


def one(options, overlay, kernel):
    """What to print; raises Problem."""
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(options.bin, "clang-22", folder)
        runner.files(kernel)
        refused, _ = runner.compile(kernel, overlay)
        if refused:
            return "refused"
        # Packets of different sizes are runs of their own.
        groups = [kernel.packets] if len({len(p) for p in kernel.packets}) == 1 else [[p] for p in kernel.packets]
        return f"equal, {sum(check(runner, overlay, packets, options.seeds) for packets in groups)} cycles"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, type=pathlib.Path, help="folder of acisc and acis-run")
    parser.add_argument("--overlay", default="tiny")
    parser.add_argument("--seeds", type=int, default=1, help="runs with disturbances")
    parser.add_argument("kernels", nargs="*", metavar="KERNEL")
    options = parser.parse_args()
    overlay, failures = Overlay(options.overlay), 0
    for name in options.kernels or sorted(f.stem for f in (ROOT / "test/Kernels").glob("*.c")):
        try:
            print(f"{name:12} {one(options, overlay, Kernel(ROOT / 'test/Kernels' / f'{name}.c'))}", flush=True)
        except Problem as problem:
            failures += 1
            print(f"{name:12} FAILED: {problem}", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
