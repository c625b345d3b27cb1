#!/usr/bin/env python3
"""Plants one error after the other into the SystemVerilog and lists which tests catch it.

The errors are data: utils/rtl-mutants.json holds, for each, the file below runtime/rtl, a text
that stands there exactly once, and what replaces it. For each, the simulation at the latencies
of `tiny` is made again from a changed copy, with the commands of the build, and linked into
the unit test of the block. Needs a build with the tests (ninja acis-unittests). Ends with an
error if a planted error stays unseen.
"""
import argparse
import concurrent.futures
import json
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Blocks, the test that looks at them, and the simulation in it that is made again. Of the
# tests that use a block, one.
SUITES = [
    ("acis_vrf_pumped acis_vrf_bank", "Vrf", "Vrf_pumped"),
    ("acis_fp_cvt acis_fp_round acis_fu_pkg", "Convert", "Fu_convert_tiny"),
    ("acis_fp_divstep acis_fp_divsqrt acis_lzc", "Divide", "Fu_divide_tiny"),
    ("acis_fp_add acis_fp_fma acis_fp_product acis_fp_unit acis_fp_settle "
     "acis_fp_pack acis_fp_unpack acis_fp_align acis_fp_sum acis_pipe", "Float", "Fu_float_tiny"),
    ("acis_int acis_mul acis_fu", "Integer", "Fu_integer_tiny"),
    ("acis_disassembler", "Disassembler", "Disassembler_64_42"),
    ("acis_frame_in acis_packet_fifo acis_fifo", "FrameIn", "FrameIn_64_42"),
    ("acis_assembler acis_beat_sum acis_net_pkg", "Assembler", "Assembler_64_42"),
    ("acis_collector acis_slice", "Collector", "Collector_3"),
    ("acis_registers", "Registers", "Registers_chain"),
    ("acis_memory_port", "MemoryPort", "MemoryPort_16"),
    ("acis_loader", "Loader", "Loader_tiny"),
    ("acis_run acis_admission acis_shell", "Kernel", "Kernel_tiny"),
    ("acis_idle_tile", "IdleTile", "IdleTile"),
]


def suite_of(file):
    block = pathlib.Path(file).stem
    for blocks, test, simulation in SUITES:
        if block in blocks.split():
            return f"AcisRtl{test}Test", simulation
    sys.exit(f"error: no test for '{file}'; add it to SUITES in {__file__}")


def shell(command, folder, timeout=600):
    return subprocess.run(command, shell=True, cwd=folder, text=True, timeout=timeout,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def build_commands(build, test, simulation):
    """The commands of the build that make the simulation and link the test."""
    listed = subprocess.run(["ninja", "-C", str(build), "-t", "commands", f"test-unit/{test}"],
                            check=True, text=True, stdout=subprocess.PIPE).stdout.splitlines()
    make = [c for c in listed if f"--prefix {simulation} " in c]
    if len(make) != 1:
        sys.exit(f"error: the build has {len(make)} commands for {simulation}, expected one")
    return make[0], listed[-1]


def failures(build, work, test, simulation):
    """Names of the tests that fail with the sources in work/rtl."""
    make, link = build_commands(build, test, simulation)
    made = work / "simulation"
    made.mkdir()
    # Lint is not a test here: an error that it sees is a weak one.
    make = make.replace(str(build / "rtl" / simulation), str(made)) \
        .replace(str(ROOT / "runtime" / "rtl"), str(work / "rtl")).replace(" -Wall ", " -Wno-fatal ")
    result = shell(make, build)
    if result.returncode != 0:
        return ["build: " + result.stdout.strip().splitlines()[-1][:60]]
    link = re.sub(rf"\S*rtl/{simulation}/", f"{made}/", link)
    link = link.replace(f"-o test-unit/{test}", f"-o {work}/{test}")
    result = shell(link, build)
    if result.returncode != 0:
        return ["link: " + result.stdout.strip().splitlines()[-1][:60]]
    filter = "*tiny" if simulation.startswith("Fu_") else "*"
    try:
        result = shell(f"./{test} --gtest_filter='{filter}'", work)
    except subprocess.TimeoutExpired:
        return [f"{test}: time-out"]
    names = dict.fromkeys(re.findall(r"^\[  FAILED  \] ([^\s,]*[./][^\s,]*)", result.stdout, re.M))
    return list(names) if result.returncode == 0 or names else [f"{test}: stopped"]


def mutate(build, number, mutant, suites=()):
    work = build / "mutants" / str(number)
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(ROOT / "runtime" / "rtl", work / "rtl")
    if mutant:
        path = work / "rtl" / mutant["file"]
        text = path.read_text()
        if text.count(mutant["pattern"]) != 1:
            return None
        path.write_text(text.replace(mutant["pattern"], mutant["replacement"]))
        caught = failures(build, work, *suite_of(mutant["file"]))
        shutil.rmtree(work, ignore_errors=True)
        return caught
    caught = []
    for i, (test, simulation) in enumerate(sorted(suites)):
        part = work / str(i)
        part.mkdir()
        (part / "rtl").symlink_to(work / "rtl")
        caught += failures(build, part, test, simulation)
    return caught


def row(mutant, caught):
    shown = "**the text is not there once**" if caught is None else ", ".join(caught) or "**nothing**"
    cells = [t.replace("|", "\\|").replace("\n", " ")
             for t in (mutant["file"], mutant["pattern"], mutant["replacement"])]
    return f"| {cells[0]} | `{cells[1]}` | `{cells[2]}` | {shown} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/dev")
    parser.add_argument("--mutants", type=pathlib.Path, default=ROOT / "utils/rtl-mutants.json")
    parser.add_argument("--only", default="", help="mutants whose file has this in its name")
    parser.add_argument("--jobs", type=int, default=2, help="mutants at once")
    args = parser.parse_args()
    build = args.build.resolve()
    mutants = [m for m in json.loads(args.mutants.read_text()) if args.only in m["file"]]
    suites = {suite_of(m["file"]) for m in mutants}
    clean = mutate(build, "none", None, suites)
    if clean:
        sys.exit(f"error: tests fail without an error planted: {', '.join(clean)}")
    print("| file | instead of | stands | caught by |\n|---|---|---|---|")
    unseen = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        runs = [pool.submit(mutate, build, n, m) for n, m in enumerate(mutants)]
        for mutant, result in zip(mutants, runs):
            caught = result.result()
            unseen += not caught
            print(row(mutant, caught), flush=True)
    print(f"\n{len(mutants) - unseen} of {len(mutants)} caught")
    sys.exit(1 if unseen else 0)


if __name__ == "__main__":
    main()
