#!/usr/bin/env python3
"""Plants one error after the other into the SystemVerilog and lists which tests catch it.

The errors are data: utils/rtl/rtl-mutants.json holds, for each, the file below runtime/hardware/rtl, a text
that stands there exactly once, and what replaces it. For each, the simulation of its block is
made again from a changed copy, with the commands of the build, and linked into the test of the
block: a unit test, or acis-lockstep on random programs as in test/Rtl/lockstep-0.test. An error
that only an overlay with registers can show names it ("overlay"), one that few programs show the
number of the first of them ("first"), from 10,000,000 on hasty programs; one that a unit test at
other sizes shows names the simulation of that ("unit"). Needs a
build (ninja acis-unittests acis-lockstep). Ends with an error if a planted error stays unseen.

--write puts the list into docs/rtl-mutants.md, where the rows of errors that were not planted
stay; --quick takes the errors marked as quick.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading

import resimulate

ROOT = pathlib.Path(__file__).resolve().parents[2]
RTL = ROOT / "runtime/hardware/rtl"
DOCUMENT = ROOT / "docs" / "rtl-mutants.md"
LIMIT = 1200  # seconds for a command

# The test of a block: its file in the build, its arguments, the simulation in it that is made
# again. A large simulation is made once, with all errors in it, of which the environment chooses
# one (`chosen`); these are expressions. `object` has to be compiled again with the simulation
# because it looks into it.
Suite = collections.namedtuple("Suite", "test simulation arguments chosen object")


def unit(name, simulation, filter="*"):
    return Suite(f"test-unit/AcisRtl{name}Test", simulation, f"--gtest_filter='{filter}'", False, None)


LOCKSTEP = Suite("bin/acis-lockstep", "VAcis_tiny", "--config=tiny.json --random=600 --disturb",
                 True, "Translated_tiny.cpp.o")
OVERLAYS = {
    None: LOCKSTEP,
    **{name: LOCKSTEP._replace(
        simulation=f"VAcis_{name.replace('-', '_')}", object=f"Translated_{name.replace('-', '_')}.cpp.o",
        arguments=LOCKSTEP.arguments.replace(
            "tiny.json", str(ROOT / f"runtime/hardware/verilated/overlays/{name}.json")))
       for name in ("tiny-registered", "lean2", "follow1", "follow2")},
    **{name: LOCKSTEP._replace(
        simulation=f"VAcis_{name.replace('-', '_')}", object=f"Translated_{name.replace('-', '_')}.cpp.o",
        arguments=LOCKSTEP.arguments.replace("tiny", name)) for name in ("ecp5", "ecp5-45")},
}
# Of the tests that use a block, one. Blocks that are not named are parts of the core.
SUITES = [
    ("acis_vrf_pumped acis_vrf_bank", unit("Vrf", "Vrf_pumped")),
    ("acis_vrf_copies acis_ram", unit("Vrf", "Vrf_copies")),
    ("acis_fp_cvt acis_fp_round acis_fu_pkg", unit("Convert", "Fu_convert_tiny", "*tiny")),
    ("acis_fp_divstep acis_fp_divsqrt acis_lzc acis_fu_lane",
     unit("Divide", "Fu_divide_tiny", "*tiny")),
    ("acis_fp_add acis_fp_fma acis_fp_product acis_fp_unit acis_fp_settle acis_fp_pack "
     "acis_fp_unpack acis_fp_align acis_fp_lost acis_fp_jam acis_fp_sum acis_pipe",
     unit("Float", "Fu_float_tiny", "*tiny")),
    ("acis_fu_shared", unit("Shared", "Fu_shared_wide")),
    ("acis_int acis_mul acis_fu", unit("Integer", "Fu_integer_tiny", "*tiny")),
    ("acis_disassembler", unit("Disassembler", "Disassembler_64_42")),
    ("acis_frame_in acis_packet_fifo acis_fifo", unit("FrameIn", "FrameIn_64_42")),
    ("acis_block_fifo", unit("Fifo", "block_fifo_5")),
    ("acis_assembler acis_beat_sum acis_net_pkg", unit("Assembler", "Assembler_64_42")),
    ("acis_collector acis_slice", unit("Collector", "Collector_3")),
    ("acis_registers", unit("Registers", "Registers_chain")),
    ("acis_memory_port", unit("MemoryPort", "MemoryPort_tiny")),
    ("acis_loader", unit("Loader", "Loader_tiny")),
    ("acis_run acis_admission acis_shell", unit("Kernel", "Kernel_tiny")),
    ("acis_idle_tile", unit("IdleTile", "IdleTile")),
    ("acis_lasts", unit("Lasts", "Lasts_tiny")),
    ("acis_lanes", unit("Lanes", "Lanes_tiny")),
    ("acis_vrf", unit("VrfFile", "VrfDistributed_tiny")),
    ("acis_stream_out", unit("StreamOut", "StreamOut_tiny")),
]
# Unit tests that errors name themselves, by their simulation
UNITS = {
    "StreamOut_follow2": unit("StreamOut", "StreamOut_follow2", "*Following*"),
    "WriteMaster_follow2": unit("WriteMaster", "WriteMaster_follow2"),
}
CORE = ("control", "fabric", "mem", "pe", "scalar", "stream", "top", "common")


def suite_of(mutant):
    path = pathlib.Path(mutant["file"])
    overlay = mutant.get("overlay")
    if "unit" in mutant and mutant["unit"] in UNITS:
        return UNITS[mutant["unit"]]
    for blocks, suite in SUITES:
        if path.stem in blocks.split() and not overlay:
            return suite
    if path.parent.name in CORE and overlay in OVERLAYS and "unit" not in mutant:
        return OVERLAYS[overlay]
    sys.exit(f"error: no test for '{path}' of overlay {overlay}, unit {mutant.get('unit')}; add it to SUITES, "
             f"OVERLAYS or UNITS in {__file__}")


PACKAGE = """package acis_mutant_pkg;
  int chosen = $c32("(getenv(\\"ACIS_MUTANT\\") ? atoi(getenv(\\"ACIS_MUTANT\\")) : -1)");
endpackage
"""


def rebuild(build, work, suite):
    """Makes the test at work/test with the sources in work/rtl; what went wrong, or nothing."""
    # Lint is not a test here: an error that it sees is a weak one.
    package = f" {work}/rtl/acis_mutant_pkg.sv" if suite.chosen else ""
    return resimulate.remake(build, work, suite.test, suite.simulation, suite.object,
                             lambda make: make.replace(str(RTL), str(work / "rtl"))
                             .replace(" -Wall ", f" -Wno-fatal{package} "), LIMIT)


def failures(work, suite, number=-1, first=0):
    """Names of the tests that fail in the test at work/test; programs from `first` on."""
    name = pathlib.Path(suite.test).name
    since = f" --first={first}" if first else ""
    try:
        result = resimulate.shell(f"ACIS_MUTANT={number} ./test {suite.arguments}{since}", work, LIMIT)
    except subprocess.TimeoutExpired:
        return [f"{name}: time-out"]
    if result.returncode == 0:
        return []
    names = dict.fromkeys(re.findall(r"^\[  FAILED  \] ([^\s,]*[./][^\s,]*)", result.stdout, re.M))
    where = re.search(r"^different (at cycle \d+: [^:\n]*|with disturbances)", result.stdout, re.M)
    program = re.search(r"^(program \d+)", result.stdout, re.M)
    if where and program:
        names = [f"{name}, {program[1]}, {where[1]}"]
    stop = re.search(r"Assertion failed in \S*?([A-Za-z0-9_]+_A)\b", result.stdout)
    return list(names) or [f"{name}: {'assertion ' + stop[1] if stop else 'stopped'}"]


def choice(mutant, number):
    """The text of an error that is there if it is chosen."""
    old, new = mutant["pattern"], mutant["replacement"]
    for begin, end in ((r"if \(", ")"), (r"[^=<>!?]*?(\breturn |(?<![=<>!])<?= )", ";")):
        found = re.match(begin, old)
        if found and new.startswith(found[0]) and old.endswith(end) and new.endswith(end):
            inner = slice(len(found[0]), -1)
            return f"{found[0]}(acis_mutant_pkg::chosen == {number} ? ({new[inner]}) : ({old[inner]})){end}"
    end = ";" if old.endswith(";") else ""
    return f"(acis_mutant_pkg::chosen == {number} ? ({new.rstrip(';')}) : ({old.rstrip(';')})){end}"


class Planter:
    def __init__(self, build, mutants):
        self.build = build
        self.folder = build / "mutants" / str(os.getpid())
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(RTL, self.folder / "source")
        self.mutants = mutants
        self.made = {}
        self.lock = threading.Lock()

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def present(self, mutant):
        return (self.folder / "source" / mutant["file"]).read_text().count(mutant["pattern"]) == 1

    def test(self, name, suite, planted):
        """A folder with the test of a suite, and what went wrong. planted: (error, its text)."""
        work = self.folder / name
        shutil.copytree(self.folder / "source", work / "rtl")
        (work / "rtl" / "acis_mutant_pkg.sv").write_text(PACKAGE)
        for file in {mutant["file"] for mutant, _ in planted}:
            text = (work / "rtl" / file).read_text()
            places = sorted(((text.index(m["pattern"]), m["pattern"], new)
                             for m, new in planted if m["file"] == file), reverse=True)
            for at, old, new in places:
                text = text[:at] + new + text[at + len(old):]
            (work / "rtl" / file).write_text(text)
        try:
            return work, rebuild(self.build, work, suite)
        except subprocess.TimeoutExpired:
            return work, ["build: time-out"]

    def with_all(self, suite):
        """The test with all errors of a suite in it, made once."""
        with self.lock:
            if suite not in self.made:
                planted = [(m, choice(m, n)) for n, m in enumerate(self.mutants)
                           if suite_of(m) == suite and self.present(m)]
                self.made[suite] = self.test(suite.simulation, suite, planted)
            return self.made[suite]

    def caught(self, number):
        """The tests that catch an error; None if its text is not there once."""
        mutant = self.mutants[number]
        suite = suite_of(mutant)
        if not self.present(mutant):
            return None
        if suite.chosen:
            work, broken = self.with_all(suite)
            if broken:
                sys.exit(f"error: {suite.simulation} with all errors: {broken[0]}")
            return failures(work, suite, number, mutant.get("first", 0))
        work, broken = self.test(str(number), suite, [(mutant, mutant["replacement"])])
        result = broken or failures(work, suite)
        shutil.rmtree(work, ignore_errors=True)
        return result

    def clean(self, suite):
        """The tests that fail without an error."""
        if suite.chosen:
            work, broken = self.with_all(suite)
        else:
            work, broken = self.test(f"clean-{suite.simulation}", suite, [])
        return broken or failures(work, suite)


def row(mutant, caught):
    names = caught or []
    shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    shown = "**the text is not there once**" if caught is None else shown or "**nothing**"
    cells = [t.replace("|", "\\|").replace("\n", " ")
             for t in (mutant["file"], mutant["pattern"], mutant["replacement"])]
    of = [mutant[k] for k in ("overlay", "unit") if k in mutant]
    if "first" in mutant:
        of.append(f"from {mutant['first']}")
    if of:
        cells[0] += f" ({', '.join(of)})"
    return f"| {cells[0]} | `{cells[1]}` | `{cells[2]}` | {shown} |"


def key(row):
    """What a row says of the error, without who caught it."""
    return row[:row.rindex(" | ")]


def recorded():
    """The rows of the document by error."""
    lines = DOCUMENT.read_text().splitlines() if DOCUMENT.exists() else []
    return {key(r): r for r in lines if r.startswith("| ") and r.count(" | ") > 2}


def is_caught(row):
    return not row.endswith(("** |", "not run |"))


def merged(mutants, rows):
    """The rows of all mutants: those that were not run as the document has them."""
    rows_of = recorded() | {key(r): r for r in rows}
    return [rows_of.get(key(row(m, [])), f"{key(row(m, []))} | not run |") for m in mutants]


def document(rows):
    folders = len({r.split("/")[0] for r in rows})
    seen = sum(is_caught(r) for r in rows)
    waiting = sum(r.endswith("not run |") for r in rows)
    rest = f"; {waiting} have not been run" if waiting else ""
    return f"""# Planted errors

Written by `utils/rtl/mutate-rtl.py --write`: each row is an error planted in `runtime/hardware/rtl` alone, and
the tests of its block that failed with it. Of the tests that use a block, one is run: a unit test
at the latencies of `tiny`, or `acis-lockstep {LOCKSTEP.arguments}`, as
`test/Rtl/lockstep-*.test` run it with other programs; for the latter the row has the first program and cycle in
which the engines differ. In brackets behind a file are the overlay, if it is not `tiny`, and the number of the first
program, if it is not 0 (from 10,000,000 on programs are hasty: invocations overlap), or the simulation of
a unit test at other latencies. {seen} of {len(rows)} are caught, in {folders} folders{rest}.

| file | instead of | planted | caught by |
|---|---|---|---|
""" + "\n".join(rows) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/dev")
    parser.add_argument("--mutants", type=pathlib.Path, default=ROOT / "utils/rtl/rtl-mutants.json")
    parser.add_argument("--only", default="", help="mutants whose file matches this regular expression")
    parser.add_argument("--quick", action="store_true", help="mutants marked as quick")
    parser.add_argument("--missing", action="store_true",
                        help="mutants that the document has no catching test for")
    parser.add_argument("--write", action="store_true", help=f"write docs/{DOCUMENT.name}")
    parser.add_argument("--jobs", type=int, default=2, help="mutants at once")
    args = parser.parse_args()
    build = args.build.resolve()
    every = json.loads(args.mutants.read_text())
    mutants = [m for m in every
               if re.search(args.only, m["file"]) and (m.get("quick") or not args.quick)]
    if args.missing:
        have = recorded()
        mutants = [m for m in mutants if not is_caught(have.get(key(row(m, [])), "not run |"))]
    suites = sorted({suite_of(m) for m in mutants}, key=str)
    planter = Planter(build, mutants)
    print("| file | instead of | planted | caught by |\n|---|---|---|---|", flush=True)
    unseen, rows = 0, []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        clean = [pool.submit(planter.clean, suite) for suite in suites]
        runs = [pool.submit(planter.caught, n) for n in range(len(mutants))]
        failed = [name for result in clean for name in result.result()]
        if failed:
            pool.shutdown(cancel_futures=True)
            planter.close()
            sys.exit(f"error: tests fail without an error planted: {', '.join(failed)}")
        for mutant, result in zip(mutants, runs):
            caught = result.result()
            unseen += not caught
            rows.append(row(mutant, caught))
            print(rows[-1], flush=True)
            if args.write:  # each as it is found: all of them take an hour
                DOCUMENT.write_text(document(merged(every, rows)))
    print(f"\n{len(mutants) - unseen} of {len(mutants)} caught")
    planter.close()
    sys.exit(1 if unseen else 0)


if __name__ == "__main__":
    main()
