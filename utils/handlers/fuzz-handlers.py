#!/usr/bin/env python3
"""Compiles random handlers, runs them, and compares with the host's C compiler.

usage: fuzz-handlers.py --bin FOLDER [--count N] [--seed S] [--overlay NAME] [--shapes KIND]
                        [--keep FOLDER] [--jobs N] [--max-refused PERCENT]

Program k of N is made from seed S + k alone. It is compiled by acisc for each overlay and
by the host's compiler, and acis-compare runs both engines against the host's code. A
refusal by acisc with a diagnostic at a line is counted; anything else that is not
equality is a failure, and its files are left in the folder of --keep.
"""
import argparse
import collections
import concurrent.futures
import functools
import json
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile

from handleragain import Again
from handlerblocks import Blocks
from handlerexits import Exits
from handlergrids import Grids
from handlerheaders import Headers
from handlermeets import Meets
from handlerparts import Parts
from handlerpointers import Pointers
from handlerrecords import Records
from handlerrows import Rows
from handlershapes import Shapes
from handlertables import Tables
from handlerwalks import Walks
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from progress import progress

ROOT = pathlib.Path(__file__).resolve().parents[2]
MEMORY = 1 << 20  # what programs may have of it
DESCRIPTIONS = ROOT / "backend/overlay/descriptions"
OVERLAYS = ["u280", "mesh4x4", "tiny"]
SHAPES = {"flat": Shapes, "records": type("Only", (Records,), {"any": Records.record}),
          "tables": type("Only", (Tables,), {"any": Tables.table}),
          "pointers": type("Only", (Pointers,), {"any": Pointers.pointer}),
          "headers": type("Only", (Headers,), {"any": Headers.read_again}),
          "parts": type("Only", (Parts,), {"any": Parts.in_place}),
          "exchange": type("Only", (Shapes,), {"any": Shapes.exchange}),
          "again": type("Only", (Again,), {"any": Again.again}),
          "grids": type("Only", (Grids,), {"any": Grids.grids}),
          "meets": type("Only", (Meets,), {"any": Meets.meets}),
          "walks": type("Only", (Walks,), {"any": Walks.through}),
          "all": type("All", (Walks, Again, Grids, Headers, Meets, Parts, Pointers, Tables, Blocks, Exits, Rows), {})}
# -O1, no contraction: the values that C defines.
NATIVE = ["-O1", "-ffp-contract=off", "-shared", "-fPIC", "-w", "-I" + str(ROOT / "compiler/frontend/include")]


def config(overlay):
    """The file of an overlay: a shipped one by its name, any by its path."""
    return pathlib.Path(overlay) if overlay.endswith(".json") else DESCRIPTIONS / f"{overlay}.json"


@functools.cache
def size(overlay):
    """VPEs and lanes."""
    description = json.loads(config(overlay).read_text())
    return description["grid"]["rows"] * description["grid"]["cols"], description["pe"]["lanes"]


def memory(overlay):
    """Its bytes."""
    return json.loads(config(overlay).read_text())["memory"]["bytes"]


def overlays(options, seed):
    """Those of the command line; `some`: one of all that are shipped, by the seed."""
    if options.overlay == ["some"]:
        names = sorted(f.stem for f in DESCRIPTIONS.glob("*.json") if f.name != "overlay.schema.json")
        # A copy of a loop for each of 256 VPEs takes the mapper a minute.
        names = [name for name in names if size(name)[0] <= 64 and memory(name) >= MEMORY]
        return [random.Random(-seed).choice(names)]
    return options.overlay or OVERLAYS


def run(command, seconds):
    """Exit code (None: too slow) and what was printed to stderr."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, errors="replace")
        return done.returncode, done.stderr
    except subprocess.TimeoutExpired:
        return None, f"ran longer than {seconds} s"


# What a verifier of MLIR says of a pass that went wrong, though at a line of the source.
INTERNAL = re.compile(r"'\w+\.[\w.]+' op |operand #\d|does not dominate|internal error")


def refused(code, text):
    """The reason, without names and numbers, if this is a refusal with a proper diagnostic."""
    match = re.search(r"^\S*handler\.(?:c|cpp):\d+(?::\d+)?: error: (.*)$", text, re.M)
    if code != 1 or not match or "PLEASE submit" in text or INTERNAL.search(match.group(1)):
        return None
    return re.sub(r"\d+", "#", re.sub(r"'[^']*'", "'.'", match.group(1)))


def one(options, seed, overlay, work):
    """(shape, "equal" | "refused" | "failed", reason)"""
    vpes, lanes = size(overlay)
    program = SHAPES[options.shapes](random.Random(seed), vpes, lanes).any()
    if options.only and program.shape != options.only:
        return program.shape, "passed over", ""
    files = {n: work / n for n in ("in.bin", "mem.bin", "handler.acis", "native.so")}
    source = work / ("handler" + program.suffix)
    source.write_text(program.source)
    files["in.bin"].write_bytes(program.packet)
    files["mem.bin"].write_bytes(program.memory)
    described = str(config(overlay))
    code, text = run([options.bin + "/acisc", str(source), "--scalar-loops", "--config", described, "-o", str(files["handler.acis"])], 300)
    if code:
        reason = refused(code, text)
        return program.shape, "refused" if reason else "failed", reason or f"acisc: exit {code}: {text.strip()[:300]}"
    if code is None:
        return program.shape, "failed", "acisc " + text
    code, text = run([options.cc, *NATIVE, f"-DACIS_VPES={vpes}", f"-DACIS_LANES={lanes}", str(source), "-o", str(files["native.so"])], 60)
    if code != 0:
        return program.shape, "failed", "host: " + text
    compare = [options.bin + "/acis-compare", str(files["handler.acis"]), "--config", described, "--native", str(files["native.so"]),
               "--handler", program.handler, "--in", str(files["in.bin"]), "--mem", str(files["mem.bin"]),
               "--packet-bytes", str(program.packet_bytes), "--output-bytes", "1000000"]
    (work / "again.sh").write_text(" ".join(compare) + "\n")
    code, text = run(compare, 60)
    return program.shape, "equal" if code == 0 else "failed", text.strip()[:300]


def task(options, seed, overlay):
    work = pathlib.Path(tempfile.mkdtemp(prefix="fuzz-"))
    try:
        shape, outcome, reason = one(options, seed, overlay, work)
        if outcome == "failed" and options.keep:
            shutil.copytree(work, pathlib.Path(options.keep) / f"{seed}-{config(overlay).stem}", dirs_exist_ok=True)
        return seed, overlay, shape, outcome, reason
    finally:
        shutil.rmtree(work)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="folder of acisc and acis-compare")
    parser.add_argument("--cc", default="clang-22")
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--overlay", action="append",
                        help=f"{', '.join(OVERLAYS)} by default; a file; 'some': for each program one of all that are shipped")
    parser.add_argument("--shapes", choices=list(SHAPES), default="all", help="flat: single loops and beats of lanes only")
    parser.add_argument("--only", help="programs of this shape only")
    parser.add_argument("--keep", help="folder for what failed")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--max-refused", type=float, default=100, help="fail if acisc refuses more, in percent")
    options = parser.parse_args()

    seed = options.seed
    tasks = [(seed, overlay) for seed in range(options.seed, options.seed + options.count)
             for overlay in overlays(options, seed)]
    outcomes, shapes, reasons = collections.Counter(), collections.Counter(), collections.Counter()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    pool = concurrent.futures.ThreadPoolExecutor(options.jobs)
    try:
        results = pool.map(lambda t: task(options, *t), tasks)
        for seed, overlay, shape, outcome, reason in progress(results, len(tasks), "runs"):
            if outcome == "passed over":
                continue
            outcomes[outcome] += 1
            shapes[shape, outcome] += 1
            if outcome == "refused":
                reasons[reason] += 1
            if outcome == "failed":
                print(f"seed {seed} on {overlay} ({shape}): {reason}", flush=True)
    except KeyboardInterrupt:  # what there is until now; some senders send it twice
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print(f"interrupted at seed {seed}")
    pool.shutdown(cancel_futures=True)
    for (shape, outcome), n in sorted(shapes.items()):
        print(f"{shape:12} {outcome:8} {n}")
    for reason, n in reasons.most_common():
        print(f"refused {n}: {reason}")
    print(f"{sum(outcomes.values())} runs: {outcomes['equal']} equal, {outcomes['refused']} refused, {outcomes['failed']} failed")
    too_many = outcomes["refused"] * 100 > options.max_refused * len(tasks)
    return 1 if outcomes["failed"] or too_many or not outcomes["equal"] else 0


if __name__ == "__main__":
    sys.exit(main())
