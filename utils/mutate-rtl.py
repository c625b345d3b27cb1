#!/usr/bin/env python3
"""Plants one error after the other into the SystemVerilog and lists which tests catch it.

The errors are data: utils/rtl-mutants.json holds, for each, the file below runtime/rtl, a text
that stands there exactly once, and what replaces it. For each, the simulation of its block is
made again from a changed copy, with the commands of the build, and linked into the unit test of
the block. Needs a build with the tests (ninja acis-unittests). Ends with an error if a planted
error stays unseen or a test fails without one.

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
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RTL = ROOT / "runtime" / "rtl"
DOCUMENT = ROOT / "docs" / "rtl-mutants.md"
LIMIT = 1200  # seconds for a command

# The unit test of a block, the simulation in it that is made again, and the tests in it to run.
Suite = collections.namedtuple("Suite", "test simulation filter")


def unit(name, simulation, filter="*"):
    return Suite(f"AcisRtl{name}Test", simulation, filter)


# Of the tests that use a block, one.
SUITES = [
    ("acis_vrf_pumped acis_vrf_bank", unit("Vrf", "Vrf_pumped")),
    ("acis_fp_cvt acis_fp_round acis_fu_pkg", unit("Convert", "Fu_convert_tiny", "*tiny")),
    ("acis_fp_divstep acis_fp_divsqrt acis_lzc acis_fu_lane",
     unit("Divide", "Fu_divide_tiny", "*tiny")),
    ("acis_fp_add acis_fp_fma acis_fp_product acis_fp_unit acis_fp_settle acis_fp_pack "
     "acis_fp_unpack acis_fp_align acis_fp_ctz acis_fp_sum acis_pipe",
     unit("Float", "Fu_float_tiny", "*tiny")),
    ("acis_int acis_mul acis_fu", unit("Integer", "Fu_integer_tiny", "*tiny")),
    ("acis_disassembler", unit("Disassembler", "Disassembler_64_42")),
    ("acis_frame_in acis_packet_fifo acis_fifo", unit("FrameIn", "FrameIn_64_42")),
    ("acis_assembler acis_beat_sum acis_net_pkg", unit("Assembler", "Assembler_64_42")),
    ("acis_collector acis_slice", unit("Collector", "Collector_3")),
    ("acis_registers", unit("Registers", "Registers_chain")),
    ("acis_memory_port", unit("MemoryPort", "MemoryPort_16")),
    ("acis_loader", unit("Loader", "Loader_tiny")),
    ("acis_run acis_admission acis_shell", unit("Kernel", "Kernel_tiny")),
    ("acis_idle_tile", unit("IdleTile", "IdleTile")),
]


def suite_of(file):
    block = pathlib.Path(file).stem
    for blocks, suite in SUITES:
        if block in blocks.split():
            return suite
    sys.exit(f"error: no test for '{file}'; add it to SUITES in {__file__}")


def shell(command, folder):
    """The command's end; what it started is killed after LIMIT."""
    with subprocess.Popen(command, shell=True, cwd=folder, text=True, start_new_session=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        try:
            output, _ = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(command, process.returncode, output)


def build_commands(build, suite):
    """The commands of the build that make the simulation and link the test."""
    listed = subprocess.run(["ninja", "-C", str(build), "-t", "commands", f"test-unit/{suite.test}"],
                            check=True, text=True, stdout=subprocess.PIPE).stdout.splitlines()
    make = [c for c in listed if f"--prefix {suite.simulation} " in c]
    if len(make) != 1:
        sys.exit(f"error: the build has {len(make)} commands for {suite.simulation}, expected one")
    return make[0], listed[-1]


def failures(build, work, suite):
    """Names of the tests that fail with the sources in work/rtl."""
    make, link = build_commands(build, suite)
    made = work / "simulation"
    made.mkdir()
    # Lint is not a test here: an error that it sees is a weak one.
    make = make.replace(str(build / "rtl" / suite.simulation), str(made)) \
        .replace(str(RTL), str(work / "rtl")).replace(" -Wall ", " -Wno-fatal ")
    link = re.sub(rf"\S*rtl/{suite.simulation}/", f"{made}/", link)
    link = link.replace(f"-o test-unit/{suite.test}", f"-o {work}/test")
    try:
        for what, command in (("build", make), ("link", link)):
            result = shell(command, build)
            if result.returncode != 0:
                return [f"{what}: {(result.stdout.strip().splitlines() or ['failed'])[-1][:60]}"]
        result = shell(f"exec ./test --gtest_filter='{suite.filter}'", work)
    except subprocess.TimeoutExpired:
        return [f"{suite.test}: time-out"]
    names = dict.fromkeys(re.findall(r"^\[  FAILED  \] ([^\s,]*[./][^\s,]*)", result.stdout, re.M))
    return list(names) if result.returncode == 0 or names else [f"{suite.test}: stopped"]


class Planter:
    """Copies of the sources as they were when it was made, changed and tested."""

    def __init__(self, build):
        self.build = build
        self.folder = build / "mutants" / str(os.getpid())
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(RTL, self.folder / "source")

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def test(self, name, suite, mutant=None):
        """The tests of a suite that fail; None if the text of the error is not there once."""
        work = self.folder / name
        shutil.copytree(self.folder / "source", work / "rtl")
        if mutant:
            path = work / "rtl" / mutant["file"]
            text = path.read_text()
            if text.count(mutant["pattern"]) != 1:
                return None
            path.write_text(text.replace(mutant["pattern"], mutant["replacement"]))
        result = failures(self.build, work, suite)
        shutil.rmtree(work, ignore_errors=True)
        return result


def row(mutant, caught):
    names = caught or []
    shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    shown = "**the text is not there once**" if caught is None else shown or "**nothing**"
    cells = [t.replace("|", "\\|").replace("\n", " ")
             for t in (mutant["file"], mutant["pattern"], mutant["replacement"])]
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
    seen = sum(is_caught(r) for r in rows)
    return f"""# Planted errors

Written by `utils/mutate-rtl.py --write`: each row is an error planted in `runtime/rtl` alone, and
the tests of its block that failed with it, three at most by name. Of the tests that use a block,
one is run, units at the latencies of `tiny`. {seen} of {len(rows)} are caught.

| file | instead of | stands | caught by |
|---|---|---|---|
""" + "\n".join(rows) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/dev")
    parser.add_argument("--mutants", type=pathlib.Path, default=ROOT / "utils/rtl-mutants.json")
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
    suites = sorted({suite_of(m["file"]) for m in mutants}, key=str)
    planter = Planter(build)
    print("| file | instead of | stands | caught by |\n|---|---|---|---|", flush=True)
    unseen, rows = 0, []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        runs = [pool.submit(planter.test, str(n), suite_of(m["file"]), m)
                for n, m in enumerate(mutants)]
        clean = [pool.submit(planter.test, f"clean-{s.simulation}", s) for s in suites]
        for mutant, result in zip(mutants, runs):
            caught = result.result()
            unseen += not caught
            rows.append(row(mutant, caught))
            print(rows[-1], flush=True)
    print(f"\n{len(mutants) - unseen} of {len(mutants)} caught")
    planter.close()
    failed = [name for result in clean for name in result.result()]
    if failed:
        sys.exit(f"error: tests fail without an error planted: {', '.join(failed)}")
    if args.write:
        DOCUMENT.write_text(document(merged(every, rows)))
    sys.exit(1 if unseen else 0)


if __name__ == "__main__":
    main()
