#!/usr/bin/env python3
"""Which refusals no test expects, and how many lit tests expect an error.

usage: check-refusals.py [repository]

A refusal of backend/support/Refusals.def is expected if a file of test/ (or a unit test) has a
few words of it that no other refusal has, in a check line or in the lines `expect:` of a kernel. The compiler's own faults are left out. A lit test expects an error
if a command of it has to fail and one of its check lines has `error:`, as in `file:line: error: ..`
and `tool: error: ..`; a kernel, if it is refused on an overlay of the default tests: kernels.py wants
exit code 1, a line, and these words. Exits with 1 if a refusal has no test that is not in the list
utils/check/untested-refusals.txt, or if one of that list has a test.
"""
import argparse
import collections
import pathlib
import re
import sys

ENTRY = re.compile(r"^ACIS_REFUSAL\((\w+), (\w+), \w+, \w+,\s*((?:\"(?:[^\"\\]|\\.)*\"\s*)+),\s*((?:\"(?:[^\"\\]|\\.)*\"\s*)+)\)", re.M)
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
BLANK = re.compile(r"\{\d+\}")
RUN = re.compile(r"\bRUN:")
FAILS = re.compile(r"RUN:.*(\bnot\b|%refused)")
REFUSED = re.compile(r"^ \* expect(\[(tiny|mesh4x4)\])?: refused ", re.M)
SAYS = re.compile(r"error:")
WORDS = 4  # that stand side by side tell a refusal from others


def kebab(name):
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


def refusals(root):
    """Of each that a user can meet: its kind, and the runs of words in its text."""
    for kind, standing, what, _ in ENTRY.findall((root / "backend/support/Refusals.def").read_text()):
        if standing not in ("Word", "Fault"):
            pieces = [piece.split() for piece in BLANK.split("".join(STRING.findall(what)))]
            yield kebab(kind), {" ".join(words[at:at + WORDS]).strip(" ,;:()'") for words in pieces if words
                                for at in range(max(1, len(words) - WORDS + 1))}


def tests(root):
    """Lit tests, what they use and unit tests: path and text."""
    for file in sorted([*root.glob("test/**/*"), *root.glob("*/**/*Test.cpp")]):
        if file.is_file():
            try:
                yield file, file.read_text()
            except UnicodeDecodeError:
                pass


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    root = parser.parse_args().repository
    files = list(tests(root))
    everything = "\n".join(re.sub(r"\\(.)|\s*\n\s*(?://|#|\*)?\s*", lambda m: m.group(1) or " ", text) for _, text in files)
    found = dict(refusals(root))
    owners = collections.Counter(run for runs in found.values() for run in runs)
    untested = set()
    for kind, runs in found.items():
        own = [run for run in runs if owners[run] == 1] or runs
        if not any(run in everything for run in own):
            untested.add(kind)
    lit = [text for file, text in files if RUN.search(text) and "Inputs" not in file.relative_to(root).parts]
    failing = sum(bool(FAILS.search(text) and SAYS.search(text) or REFUSED.search(text)) for text in lit)
    print(f"{failing} of {len(lit)} lit tests expect an error ({100 * failing / max(1, len(lit)):.1f} %)")
    listed = root / "utils/check/untested-refusals.txt"
    known = set(listed.read_text().split()) if listed.exists() else set()
    for kind in sorted(untested - known):
        print(f"backend/support/Refusals.def: error: no test expects '{kind}'; write one")
    for kind in sorted(known - untested):
        print(f"{listed}: error: '{kind}' has a test now; take it out")
    sys.exit(untested != known)


if __name__ == "__main__":
    main()
