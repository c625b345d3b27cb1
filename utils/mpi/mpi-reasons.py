#!/usr/bin/env python3
"""Checks that each reason for which `acisc --mpi` leaves something as it is has a test.

usage: mpi-reasons.py [--list] ROOT

Reasons are read from the sources below ROOT/compiler/rewriter: the text of each refusal, that is
the longest piece of it that is always the same. A reason has a test if a line with CHECK (or
another prefix of FileCheck) of a file below ROOT/test/Rewriter has this piece. With --list every
reason is printed, with the number of its tests. Exit code 1 if one has none.
"""
import argparse
import pathlib
import re
import sys

# How the sources say no: the code (if it stands there), then the text.
OPENINGS = re.compile(r'\b(?:stop|firstUse)\("[a-z+-]+",|(?:return|=)\s*\{"[a-z][a-z+-]*",|'
                      r'(?<!static )\b(?:no|refuse|say)\((?:candidate, )?(?!std::string)|'
                      r'\breturn (?="(?:what|a pointer) )')
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
CHECK = re.compile(r"(?://|#|/\*) *[A-Z][A-Z0-9-]*: (.*)")
# Not reasons: tables of names.
TABLES = {"Library.cpp", "MpiCalls.cpp", "Parse.cpp", "Report.cpp", "Candidate.cpp", "Effects.cpp",
          "EffectsCalls.cpp", "EffectsWalk.cpp"}
# Said of a function while it is being looked at; its callers get the reason found in the end.
INNER = {"it is recursive"}


def expression(text, start):
    """From `start` to the comma, bracket or semicolon that ends the expression there."""
    depth = 0
    for i in range(start, len(text)):
        if text[i] == '"':
            continue
        if text[i] in "({[":
            depth += 1
        elif text[i] in ")}]":
            if depth == 0:
                return text[start:i]
            depth -= 1
        elif text[i] == ";":
            return text[start:i]
    return text[start:]


def reasons(folder):
    """(file, line, text) of each."""
    for file in sorted(folder.glob("*.cpp")):
        if file.name in TABLES:
            continue
        text = file.read_text()
        for match in OPENINGS.finditer(text):
            # A literal may be written in several pieces.
            joined = re.sub(r'"\s*\n\s*"', "", expression(text, match.end()))
            pieces = [piece for piece in LITERAL.findall(joined) if len(piece) > 3]
            if pieces:
                yield file, text.count("\n", 0, match.start()) + 1, max(pieces, key=len).strip(" '")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--list", action="store_true")
    parser.add_argument("root", type=pathlib.Path)
    args = parser.parse_args()
    checks = []
    for file in sorted((args.root / "test" / "Rewriter").rglob("*")):
        if file.is_file() and file.suffix in (".c", ".cpp", ".test"):
            checks += CHECK.findall(file.read_text(errors="replace"))
    places = {}
    for file, line, reason in reasons(args.root / "compiler" / "rewriter"):
        places.setdefault(reason, f"{file.name}:{line}")
    missing = 0
    for reason, place in places.items():
        if reason in INNER:
            continue
        count = sum(reason in check for check in checks)
        missing += not count
        if args.list or not count:
            print(f"{place}: {count} tests: {reason}")
    print(f"{len(places.keys() - INNER)} reasons, {missing} without a test")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
