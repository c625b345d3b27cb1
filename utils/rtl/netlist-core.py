#!/usr/bin/env python3
"""Puts the netlist that synthesis makes of a core for an ECP5 behind engine `rtl`, and compares it with `model`.

usage: netlist-core.py ecp5.json [--random 1000] [--examples] [--errors 6]

Makes acis-lockstep and acis-run of the build again, with the netlist in cells of the device in place of the RTL
and no other overlay, in netlist/core-NAME of the build. With --random that many programs run on it and on `model`,
with --examples the examples that the description holds: the same packets, memory, traps, and what the ports show
in every cycle. With --errors as many cells are wrong, one at a time, look-up tables, registers, carries, memories
and multipliers in turn: three have to be found. Needs a build of acis-lockstep, acis-run, acisc and the examples.
"""
import argparse
import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys

import netlist
import resimulate
import synthesis
from synthesis import ROOT, fail

PATTERN = "VAcis_ecp5"   # the simulation of the build whose commands are taken
TRANSLATED = "Translated_ecp5.cpp"
PROGRAMS = ("acis-lockstep", "acis-run")
# Source, the program that makes its packets, and options of a run.
Example = collections.namedtuple("Example", "source data memory options", defaults=("mem.bin", ""))
EXAMPLES = {name: Example(f"{name}/handler.c", f"example-{name}") for name in (
    "add-constant", "payload-sum", "dot-product", "fir", "matvec", "filter")}
EXAMPLES["quantise"] = Example("quantise/handler.c", "example-quantise", options="--packet-bytes=1024")
EXAMPLES["user-operator"] = Example("user-operator/operator.c", "example-quantise", "expected.bin", "--packet-bytes=1024")


def step(command, folder, limit):
    """Runs a command of the build."""
    done = resimulate.shell(command, folder, limit)
    if done.returncode:
        lines = done.stdout.strip().splitlines() or ["failed"]
        fail(next((line for line in lines if "rror" in line), lines[-1])[:300])


def translated(args, work):
    """The C++ around the simulation, the only one of a program that has it, which shows no inside."""
    text = (args.build / "runtime/hardware/verilated" / TRANSLATED).read_text()
    text = text.replace("hasProbe<VAcis_ecp5> = true", "hasProbe<VAcis_ecp5> = false")
    text = text.replace('{"ecp5",', f'{{"{args.path.stem} as a netlist",', 1)
    source = work / TRANSLATED
    source.write_text(text + "\nstd::vector<acis::rtl::Built> acis::rtl::builtOverlays() { return {built_ecp5()}; }\n")
    return source


def compile_pieces(args, made, compiler):
    """Makes the library of what Verilator has written: hundreds of files that begin with the same megabytes of a
    header, so that they are compiled a hundred at a time. What runs once is not optimised."""
    asked = f"make -n -f {PATTERN}.mk CXX={compiler} CFG_CXXFLAGS_STD_NEWEST=-std=c++20 CFG_CXXFLAGS_NO_UNUSED=-w {PATTERN}.o"
    command = next(line for line in resimulate.shell(f"{asked} OPT_FAST=OPTIMISE", made, args.limit).stdout.splitlines()
                   if f"-o {PATTERN}.o" in line)
    slow = [file for file in sorted(made.glob("*.cpp")) if re.search("__(Slow|Syms)", file.name)]
    fast = [file for file in sorted(made.glob("*.cpp")) if file not in slow]
    for kind, files, level in (("slow", slow, "-O0"), ("fast", fast, args.optimise)):
        for first in range(0, len(files), 100):
            piece = made / f"piece_{kind}{first}"
            piece.with_suffix(".cc").write_text("".join(f'#include "{f.name}"\n' for f in files[first:first + 100]))
            step(command.replace(f"{PATTERN}.o {PATTERN}.cpp", f"{piece}.o {piece}.cc").replace("OPTIMISE", level),
                 made, args.limit)
    step(f"ar rcs {PATTERN}__ALL.a piece_*.o", made, args.limit)


def simulated(args, work, make, source):
    """The library of the simulation of a netlist, which is kept as long as the netlist is the same."""
    made, kept = work / "simulation", work / "simulated.sv"
    library = made / f"{PATTERN}__ALL.a"
    if not (library.exists() and kept.exists() and kept.read_bytes() == source.read_bytes()):
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir()
        package = args.work / "acis_overlay_pkg.sv"
        make = netlist.instead(source)(re.sub(r"\S+/acis_overlay_pkg\.sv", str(package), make))
        translate = make.replace(str(args.build / "rtl" / PATTERN), str(made)).split(" && ")
        at = next(n for n, part in enumerate(translate) if " --cc " in part)
        translate[at] = translate[at].replace(" --cc ", " --cc --output-split 4000 --output-split-cfuncs 400 ", 1)
        step(" && ".join(translate[:at + 1]), args.build, args.limit)
        compile_pieces(args, made, re.search(r" CXX=(\S+)", make)[1])
        shutil.copy(source, kept)
    read = re.findall(r'(?m)^S .*"([^"]+)"$', (made / f"{PATTERN}__verFiles.dat").read_text())
    other = [path for path in read if pathlib.Path(path).is_relative_to(synthesis.RTL) and not path.endswith("_pkg.sv")]
    if other or str(source) not in read:
        fail(f"{made}: not of the netlist alone, of {', '.join(other) or 'something else'} too")
    return library


def programs(args, work, source):
    """The programs with the netlist in them."""
    name = f"{TRANSLATED}.o"
    make, objects, _ = resimulate.commands(args.build, f"bin/{PROGRAMS[0]}", PATTERN, name)
    library = simulated(args, work, make, source)
    compiled = objects[0].replace(str(args.build / "rtl" / PATTERN), str(library.parent))
    compiled = re.sub(rf"\S*{re.escape(name)}", str(work / name), compiled)
    compiled = re.sub(rf"-c \S*{re.escape(TRANSLATED)}", f"-c {translated(args, work)}", compiled)
    step(compiled, args.build, args.limit)
    for program in PROGRAMS:
        link = subprocess.run(["ninja", "-C", str(args.build), "-t", "commands", f"bin/{program}"], check=True, text=True,
                              stdout=subprocess.PIPE).stdout.splitlines()[-1]
        step(link.replace(f"-o bin/{program}", f"-o {work / program} {work / name} {library}"), args.build, args.limit)


def lockstep(args, work, what, error=-1):
    """(whether engines agree, the lines that say so or not)."""
    command = f"ACIS_MUTANT={error} {work / PROGRAMS[0]} --config={args.path} {what}"
    try:
        done = resimulate.shell(command, work, args.limit)
    except subprocess.TimeoutExpired:
        return False, [f"time-out after {args.limit} s"]
    return done.returncode == 0, done.stdout.strip().splitlines() or ["stopped"]


def random_programs(args, work):
    same, lines = lockstep(args, work, f"--random={args.random} --first={args.first}" + " --disturb" * args.disturb)
    print("\n".join([lines[-1]] if same else lines), flush=True)
    return not same


def example(args, work, name):
    """Prints how an example ends; whether engines differ. What the description cannot hold is no difference."""
    of, folder = EXAMPLES[name], work / "examples" / name
    folder.mkdir(parents=True, exist_ok=True)
    step(f"{args.build}/bin/{of.data} {folder}", folder, args.limit)
    built = resimulate.shell(f"{args.build}/bin/acisc {ROOT}/examples/{of.source} --config={args.path} -o {folder}/handler.acis",
                             folder, args.limit)
    if built.returncode:
        error = next((line for line in built.stdout.splitlines() if "error" in line), "refused")
        print(f"{name}: {error.partition('error: ')[2] or error}", flush=True)
        return False
    same, lines = lockstep(args, work, f"{folder}/handler.acis --in {folder}/in.bin --mem {folder}/{of.memory} {of.options} "
                           f"--mem-bytes={json.loads(args.path.read_text())['memory']['bytes']}")
    print(f"{name}: {lines[-1] if same else lines[0]}", flush=True)
    return not same


def errors(args, work, where):
    """Prints by what each planted error is found; whether these are too few."""
    found = 0
    for number, place in sorted(where.items()):
        same, lines = lockstep(args, work, f"--random={args.tries} --first={args.first}", number)
        print(f"planted in {place}: " + ("not found" if same else lines[0]), flush=True)
        found += not same
    print(f"{found} of {len(where)} planted errors found")
    return found < min(len(where), 3)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("description", help="a file, or a shipped description by its name")
    parser.add_argument("--random", type=int, default=0, metavar="N", help="compare on so many random programs")
    parser.add_argument("--first", type=int, default=0, metavar="SEED", help="number of the first one (default 0)")
    parser.add_argument("--disturb", action="store_true", help="run each again with random latencies and back-pressure")
    parser.add_argument("--examples", action="store_true", help="compare on the examples")
    parser.add_argument("--errors", type=int, default=0, metavar="N", help="plant so many, one at a time")
    parser.add_argument("--tries", type=int, default=20, metavar="N", help="random programs for each (default 20)")
    parser.add_argument("--read", action="store_true", help="take the netlist of an earlier run, with its errors")
    parser.add_argument("--optimise", default="-O1", metavar="-On", help="how the simulation is compiled (default -O1)")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/dev", help="folder of the build")
    parser.add_argument("--limit", type=int, default=3600, metavar="SECONDS", help="of each step (default 3600)")
    args = parser.parse_args()
    args.build = args.build.resolve()
    args.path = synthesis.description(args.description)
    if not json.loads(args.path.read_text()).get("vrf", {}).get("copies"):
        fail(f"{args.path.name}: /vrf/copies: found no copies, whose register file has a second clock; set it to true")
    args.work = ROOT / "build" / "rtl-netlist" / args.path.stem
    work = args.build / "netlist" / f"core-{args.path.stem}"
    work.mkdir(parents=True, exist_ok=True)
    source, listed = work / "acis_netlist.sv", work / "errors.json"
    if not args.read:
        listed.unlink(missing_ok=True)
        shared = synthesis.elaborate(args.build, args.path, args.work, "acis_core", args.limit)
        synthesis.synthesise(shared, "ecp5", args.work, "acis_core", limit=args.limit)
        text = (args.work / f"{synthesis.file_name('acis_core', 'ecp5', False)}.il").read_text()
        where = netlist.write(text, args.work, "acis_core", args.errors, args.limit, source, netlist.OUTPUTS)
        listed.write_text(json.dumps(where))
    if not listed.exists():
        fail(f"{work}: no netlist of an earlier run; leave --read out")
    where = {int(number): place for number, place in json.loads(listed.read_text()).items()}
    programs(args, work, source)
    print(f"{args.path.name}: {', '.join(PROGRAMS)} with its netlist are in {work}", flush=True)
    wrong = random_programs(args, work) if args.random else False
    if args.examples:
        wrong |= any([example(args, work, name) for name in EXAMPLES])
    if args.errors:
        wrong |= errors(args, work, where)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
