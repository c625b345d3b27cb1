#!/usr/bin/env python3
"""Makes the figures of graph convolutional networks anew: 000 figures 4.1a, 4.2, 4.11 to 4.13, tables 4.2 to 4.4.

usage: gcn-figures.py --build DIR [-o DIR] [--only PART,..] [--sets NAME,..] [--hosts N,..] [--ways NAME,..] [--write FILE]

001 tables 1, 2 and 4 are the same, section 5.8 is the loads. What a part, a graph and a number of hosts gave is kept in -o, and not
made again. --write puts what was made into a file of data, docs/data/gcn-figures.json, and leaves parts that were not
asked for; utils/pages/data-pages.py gcn-figures makes tables and pictures of it. Graphs that ACIS_DATA
does not have are generated.
"""
import argparse
import json
import os
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent)]

from built import built
from gcnfigures import parts as making
from gcnfigures.kept import Broken, Kept
from gcnfigures.sets import ALL
from gcnfigures.runs import HOSTS, WAYS
from platforms import Wrong, load
from simulate import Failed

TARGETS = ["acis-simrun", "acis-simgrid", "acis-sim-end", "acis-sim-ranks", "acis-simcosts", "acisc", "acis-python"]
ERROR = "gcn-figures.py: error:"


def fail(what):
    sys.exit(f"{ERROR} {what}")


def listed(option, text, allowed):
    """The names between commas, in the order of `allowed`; ends the program at another one."""
    given = text.split(",")
    for one in given:
        if one not in allowed:
            fail(f"{option}: '{one}' is none; allowed are {', '.join(allowed)}")
    return [one for one in allowed if one in given]


def arguments():
    names, ways = list(ALL), list(WAYS)
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0], prog="scripts/gcn-figures",
                                     epilog="What was made is kept in -o. Exit code: 0, or 1 after an error.")
    parser.add_argument("--only", metavar="PART,..", default=",".join(making.NAMES), help=f"of {', '.join(making.NAMES)} (all)")
    parser.add_argument("--sets", metavar="NAME,..", default=",".join(names), help=f"of {', '.join(names)} (all)")
    parser.add_argument("--hosts", metavar="N,..", default=",".join(map(str, HOSTS)), help="of simulated runs and of elements (2,4,8,16,24,48)")
    parser.add_argument("--ways", metavar="NAME,..", default=",".join(ways), help=f"of simulated runs: {', '.join(ways)} (all)")
    parser.add_argument("-o", dest="output", default="build/gcn-figures", type=pathlib.Path, metavar="DIR", help="build/gcn-figures")
    parser.add_argument("--write", type=pathlib.Path, metavar="FILE", help="the data of the page: docs/data/gcn-figures.json")
    parser.add_argument("--build", default="build/dev", metavar="DIR", help="build folder (build/dev)")
    return parser.parse_args()


def hosts_of(text):
    try:
        found = sorted({int(one) for one in text.split(",")})
    except ValueError:
        fail(f"--hosts: '{text}' is no list of numbers; give such as 2,4,24")
    if not 2 <= found[0] <= found[-1] <= 1024:
        fail(f"--hosts: found {found[0]} to {found[-1]}; 2 to 1024 are possible")
    return found


def write(file, parts):
    """The parts that were made, beside those that are there, and what follows from all."""
    try:
        data = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    except ValueError as error:
        fail(f"{file}: {error}; remove it, or name another file")
    data = {"command": "scripts/gcn-figures --write docs/data/gcn-figures.json", **data, **parts}
    data["whole"] = making.whole(data)
    part = file.with_name(file.name + ".part")
    part.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    part.replace(file)


def main():
    options = arguments()
    parts, names = listed("--only", options.only, making.NAMES), listed("--sets", options.sets, list(ALL))
    ways, hosts = listed("--ways", options.ways, list(WAYS)), hosts_of(options.hosts)
    programs = built(options.build, *TARGETS)
    sys.path.insert(0, str(programs.parent / "python"))
    os.environ["PATH"] = f"{programs}:{os.environ['PATH']}"
    start, data = time.monotonic(), {}
    kept = Kept(options.output, lambda text: print(f"[{time.monotonic() - start:.0f}s] {text}", file=sys.stderr, flush=True))
    try:
        calibration = load()
        for part in parts:
            data[part] = making.make(part, names, ways, hosts, kept, programs, calibration)
    except (Failed, Wrong, Broken, OSError) as error:
        fail(error)
    for row in (data.get("runs") or []):
        print(f"{row['set']}, {row['hosts']} hosts, {WAYS[row['way']]}: {row['ms']:.3f} ms, {row['loadMs']:.3f} of them loads")
    if options.write:
        write(options.write, data)


if __name__ == "__main__":
    main()
