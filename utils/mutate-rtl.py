#!/usr/bin/env python3
"""Plants one error after the other into the SystemVerilog and lists which tests catch it.

The errors are data: utils/rtl-mutants.json holds, for each, the file below runtime/rtl, a text
that stands there exactly once, and what replaces it. Works in a worktree of its own under
build/mutate, on the last commit. Ends with an error if an error stays unseen, or if the tests
fail without one.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TREE = ROOT / "build" / "mutate"
TESTS = ["AcisRtlFuTest", "AcisRtlVrfTest"]


def run(command, **options):
    return subprocess.run(command, cwd=TREE, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **options)


def prepare():
    if not TREE.exists():
        subprocess.run(["git", "worktree", "add", "-f", "--detach", str(TREE)], cwd=ROOT,
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, check=True, text=True,
                          stdout=subprocess.PIPE).stdout.strip()
    run(["git", "checkout", "-q", "-f", "--detach", head], check=True)
    run(["cmake", "--preset", "dev", "-DACIS_RTL_OPTIMIZE=-O1"], check=True)


def failures(tests, filter="*"):
    """Names of the tests that fail; the build counts as one."""
    # Lint is not a test here: an error that it sees is a weak one.
    build = run(["ninja", "-C", "build/dev", *tests])
    if build.returncode != 0:
        return ["build: " + next((line for line in build.stdout.splitlines()
                                  if "%Error" in line or "error:" in line), "failed")[:60]]
    failed = []
    for test in tests:
        try:
            result = run([f"build/dev/test-unit/{test}", f"--gtest_filter={filter}"], timeout=300)
        except subprocess.TimeoutExpired:
            failed.append(f"{test}: time-out")
            continue
        names = re.findall(r"^\[  FAILED  \] (\S+?),? ", result.stdout, re.M)
        names = list(dict.fromkeys(name.removeprefix("Units/").rstrip(",") for name in names))
        if result.returncode != 0:
            failed += names or [f"{test}: stopped"]
    return failed


def suite(file):
    """The unit test, and the cases of it, that look at a block; all if many use it."""
    block = pathlib.Path(file).stem
    if block.startswith("acis_vrf"):
        return "AcisRtlVrfTest", "*"
    for blocks, unit in (("acis_int acis_mul", "Integer"), ("acis_fp_cvt", "Convert"),
                         ("acis_fp_add acis_fp_fma acis_fp_product acis_fp_unit", "Float"),
                         ("acis_fp_divstep acis_fp_divsqrt", "Divide")):
        if block in blocks.split():
            return "AcisRtlFuTest", f"*{unit}*"
    return "AcisRtlFuTest" if file.split("/")[0] in ("common", "int", "fp", "vector") else "", "*"


def mutate(mutant, tests):
    path = TREE / "runtime" / "rtl" / mutant["file"]
    text = path.read_text()
    if text.count(mutant["pattern"]) != 1:
        return None
    path.write_text(text.replace(mutant["pattern"], mutant["replacement"]))
    try:
        test, filter = suite(mutant["file"])
        return failures([test] if test in tests else tests, filter)
    finally:
        path.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutants", type=pathlib.Path, default=ROOT / "utils/rtl-mutants.json")
    parser.add_argument("--only", help="mutants whose file has this in its name")
    parser.add_argument("--tests", nargs="+", default=TESTS, help="unit tests to run")
    args = parser.parse_args()
    mutants = [m for m in json.loads(args.mutants.read_text())
               if not args.only or args.only in m["file"]]
    prepare()
    clean = failures(args.tests)
    if clean:
        sys.exit(f"error: the tests fail without an error planted: {clean}")
    print("| file | instead of | stands | caught by |\n|---|---|---|---|")
    bad = 0
    for mutant in mutants:
        caught = mutate(mutant, args.tests)
        if not caught:
            bad += 1
        shown = "**pattern not found once**" if caught is None else \
            ", ".join(caught[:3]) + (f" and {len(caught) - 3} more" if len(caught) > 3 else "") \
            if caught else "**nothing**"
        cell = [t.replace("|", "\\|").replace("\n", " ") for t in
                (mutant["file"], mutant["pattern"], mutant["replacement"])]
        print(f"| {cell[0]} | `{cell[1]}` | `{cell[2]}` | {shown} |", flush=True)
    print(f"\n{len(mutants) - bad} of {len(mutants)} caught")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
