#!/usr/bin/env python3
"""What a run from Python costs beside acis-run: 1 MB of floats through a handler, in process and as a process.

usage: PYTHONPATH=build/dev/python python-run.py [--tries N] [--json]    with acis-run and acisc in PATH

Of each the least of all tries, which are taken in turn, in milliseconds: wall time, and processor time of all
threads. Start-up is that of the process: acis-run reads files, Python imports acis and loads the compiler.
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import acis
import numpy

SOURCE = """#include <acis.h>
ACIS_HANDLER void scale(const float *restrict in, float *restrict out, const float *restrict mem, uint32_t *len) {
  for (uint32_t i = 0; i < *len / 4; i++)
    out[i] = in[i] * 2.5f + 1.0f;
}
"""
BYTES = 1 << 20


def measured(call, who):
    """(wall, processor) milliseconds."""
    before, start = resource.getrusage(who), time.perf_counter()
    call()
    wall, after = time.perf_counter() - start, resource.getrusage(who)
    return 1e3 * wall, 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tries", type=int, default=15)
    parser.add_argument("--json", action="store_true", help="print figures for programs")
    options = parser.parse_args()
    tries = options.tries
    here, below = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN
    binary = acis.compile(SOURCE)
    data = numpy.random.default_rng(1).standard_normal(BYTES // 4).astype("f4")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        binary.save("scale.acis")
        numpy.save("in.npy", data)
        calls = {}
        for engine in ("fast", "model"):
            for size in (BYTES, 1024):
                arguments = ["acis-run", "scale.acis", "--config=u280.json", "--in=in.npy", "--out=out.npy",
                             f"--packet-bytes={size}", f"--engine={engine}"]
                calls[f"run, {engine}, packets of {size}"] = (
                    lambda engine=engine, size=size: binary.run(data, engine=engine, packet_bytes=size), here)
                calls[f"acis-run, {engine}, packets of {size}"] = (
                    lambda arguments=arguments: subprocess.run(arguments, check=True), below)
        for name, code in (("import acis", "import acis"), ("import acis, its compiler", "import acis; acis.overlays()"),
                           ("nothing", "")):
            calls[f"python -c '{name}'"] = (
                lambda code=code: subprocess.run([sys.executable, "-c", code], check=True), below)
        calls["compile"] = (lambda: acis.compile(SOURCE), here)
        calls["acisc"] = (lambda: subprocess.run(["acisc", "scale.c", "--config=u280.json"], check=True), below)
        pathlib.Path("scale.c").write_text(SOURCE)
        least = {}
        for _ in range(tries):
            for name, (call, who) in calls.items():
                now = measured(call, who)
                least[name] = tuple(map(min, least.get(name, now), now))
    if options.json:
        print(json.dumps({"load": round(os.getloadavg()[0], 1), "ms": {
            name: {"wall": round(wall, 2), "processor": round(processor, 2)} for name, (wall, processor) in least.items()}}))
        return
    print(f"{'':42} wall  processor, ms; load {os.getloadavg()[0]:.1f}")
    for name, (wall, processor) in least.items():
        print(f"{name:40} {wall:6.1f} {processor:10.1f}")


if __name__ == "__main__":
    main()
