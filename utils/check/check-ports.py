#!/usr/bin/env python3
"""Fails where a module of the RTL has more than 40 ports: signals that belong together are a struct
(common/acis_bus_pkg.sv), whose fields say what they mean.

usage: check-ports.py [FOLDER]

Counts what stands between the commas of a module's header, in every file *.sv below the folder (default
runtime/hardware/rtl). The top level that package/generate.py writes is not there: Vitis wants its ports by
name.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT = 40
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\(\*.*?\*\)|^\s*`[^\n]*", re.S | re.M)
MODULE = re.compile(r"\bmodule\s+(?:automatic\s+|static\s+)?(\w+)((?:\s*import\s[^;]*;)*)\s*")


def group(text, at):
    """What is between the bracket at `at` and the one that closes it, and where that is."""
    depth = 0
    for end in range(at, len(text)):
        depth += (text[end] in "([{") - (text[end] in ")]}")
        if depth == 0:
            return text[at + 1:end], end
    return text[at + 1:], len(text)


def items(text):
    """The pieces between commas that are in no bracket."""
    depth, pieces = 0, [""]
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += letter
    return [piece for piece in pieces if piece.strip()]


def modules(path):
    """(name, line, ports) of each module of a file."""
    # As many lines and letters as before
    text = COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), path.read_text())
    for found in MODULE.finditer(text):
        at = found.end()
        if text[at:at + 1] == "#":
            at = group(text, text.index("(", at))[1] + 1
            at += len(text[at:]) - len(text[at:].lstrip())
        ports = items(group(text, at)[0]) if text[at:at + 1] == "(" else []
        yield found[1], text.count("\n", 0, found.start()) + 1, ports


def main():
    folder = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / "runtime/hardware/rtl"
    files = sorted(folder.rglob("*.sv"))
    if not files:
        sys.exit(f"error: {folder}: no file *.sv")
    checked = wrong = 0
    for path in files:
        shown = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
        for name, line, ports in modules(path):
            checked += 1
            if len(ports) > LIMIT:
                wrong += 1
                print(f"error: {shown}:{line}: {name} has {len(ports)} ports, allowed are {LIMIT}; make a struct of "
                      "those that belong together (acis_bus_pkg)", file=sys.stderr)
    if not wrong:
        print(f"{checked} modules have at most {LIMIT} ports")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
