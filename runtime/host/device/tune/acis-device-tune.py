#!/usr/bin/env python3
"""Measures in which way messages of each size from device memory are fastest on this machine, and
writes a table of it that ranks read with ACIS_DEVICE_TABLE=<file> (docs/device.md).

usage: acis-device-tune -o <file> [options]

  -o <file>          the table, JSON; where it is there, what is not measured now stays as it is
  --mpi <name>       mpich or openmpi (default: mpich)
  --between <a>,<b>  measures between these two hosts, not within one
  --launcher-arg <x> for mpiexec, before the others; may be given more than once
  --p2p              also from device memory to device memory (ACIS_DEVICE_P2P=1), within a host
  --smallest <n>     bytes of the smallest message, a power of two (default: 65536)
  --largest <n>      of the largest (default: 16777216)
  --chunks <n>,...   bytes of the chunks (default: 131072,262144,524288,1048576,2097152)
  --seconds <s>      of each size and way (default: 0.2)
  --help             this text
  --version          the version

Exit code: 0, or 1 if something cannot be measured; the table is then as it was.
"""
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib/acis-tools"))
sys.dont_write_bytecode = True
from acis_commandline import Parser  # noqa: E402

VERSION = "@PROJECT_VERSION@"

ROOT = pathlib.Path(__file__).resolve().parent.parent
# A way must be so much better than the one of smaller messages to take its place.
MARGIN = 0.97


class Problem(Exception):
    """What cannot be measured."""


def program(mpi):
    for folder in ("mpi", "lib"):
        if (path := ROOT / folder / f"device-latency-{mpi}").exists():
            return path
    raise Problem(f"device-latency-{mpi} is neither in {ROOT}/mpi nor in {ROOT}/lib")


def launcher(options):
    words = [f"mpiexec.{options.mpi}", *options.launcher_arg]
    if options.between:
        words += ["-hosts" if options.mpi == "mpich" else "-H", options.between]
    elif options.mpi == "openmpi":
        words.append("--oversubscribe")
    if options.mpi == "openmpi" and os.geteuid() == 0:
        words.append("--allow-run-as-root")
    return words + ["-n", "2"]


def measure(options, way, chunk):
    """{bytes: microseconds}"""
    variables = [f"LD_PRELOAD={ROOT}/lib/libacis-device-{options.mpi}.so", f"ACIS_DEVICE_WAY={way}",
                 "ACIS_DEVICE_FROM=16384", f"ACIS_DEVICE_CHUNK={chunk}", f"ACIS_DEVICE_P2P={int(way == 'peer')}"]
    command = launcher(options) + ["env", *variables, str(program(options.mpi)), "aware", str(options.smallest),
                                   str(options.largest), str(options.seconds)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise Problem(f"{command[0]}: {error.strerror.lower()}") from error
    if done.returncode:
        raise Problem(f"{way}: {done.stderr.strip() or done.stdout.strip() or done.returncode}")
    lines = [line.split() for line in done.stdout.splitlines()]
    return {int(words[0]): float(words[2]) for words in lines}


def steps(times):
    """What is fastest from which size on. `times`: {(way, chunk): {bytes: microseconds}}"""
    found = [{"from": 0, "way": "whole"}]
    now = ("whole", 0)
    for size in sorted(times[now]):
        best = min(times, key=lambda one: times[one][size])
        if best == now or times[best][size] > MARGIN * times[now][size]:
            continue
        now = best
        step = {"from": size, "way": best[0]}
        if best[0] == "chunks":
            step["chunk"] = best[1]
        found.append(step)
    return found


def read_table(path):
    if not path.exists():
        usual = [{"from": 0, "way": "whole"}, {"from": 2 << 20, "way": "chunks", "chunk": 1 << 20}]
        return {"host": usual, "network": usual}
    try:
        table = json.loads(path.read_text())
        table["host"], table["network"]  # pylint: disable=pointless-statement
        return table
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise Problem(f"{path}: is no table: {error}") from error


def tune(options):
    table = read_table(options.output)
    ways = [("whole", 0)] + [("chunks", chunk) for chunk in options.chunks if chunk < options.largest]
    if options.p2p and not options.between:
        ways.append(("peer", 0))
    times = {}
    for way, chunk in ways:
        times[way, chunk] = measure(options, way, chunk or 1 << 20)
    print("| bytes | " + " | ".join(f"{way} {chunk or ''}".strip() for way, chunk in ways) + " |")
    print("|---" * (len(ways) + 1) + "|")
    for size in sorted(times[ways[0]]):
        print(f"| {size} | " + " | ".join(f"{times[one][size]:.1f}" for one in ways) + " |")
    place = "network" if options.between else "host"
    table[place] = steps(times)
    temporary = options.output.with_name(options.output.name + ".new")
    temporary.write_text(json.dumps(table, indent=1) + "\n")
    temporary.replace(options.output)
    print(f"{place}: " + json.dumps(table[place]))


def main():
    if "--help" in sys.argv[1:]:
        print(__doc__.strip())
        return 0
    parser = Parser(prog="acis-device-tune", add_help=False, allow_abbrev=False)
    parser.add_argument("--help", action="store_true")  # above
    parser.add_argument("--version", action="version", version="acis-device-tune " + VERSION)
    parser.add_argument("-o", dest="output", type=pathlib.Path, required=True)
    parser.add_argument("--mpi", choices=["mpich", "openmpi"], default="mpich")
    parser.add_argument("--between", default="")
    parser.add_argument("--launcher-arg", action="append", default=[])
    parser.add_argument("--p2p", action="store_true")
    parser.add_argument("--smallest", type=int, default=65536)
    parser.add_argument("--largest", type=int, default=16 << 20)
    parser.add_argument("--chunks", type=lambda text: [int(word) for word in text.split(",")],
                        default=[128 << 10, 256 << 10, 512 << 10, 1 << 20, 2 << 20])
    parser.add_argument("--seconds", type=float, default=0.2)
    try:
        tune(parser.parse_args(sys.argv[1:]))
    except Problem as problem:
        print(f"acis-device-tune: error: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
