#!/usr/bin/env python3
"""Fails on a number of a document that is not that of docs/isa.md.

usage: check-numbers.py [repository]

A page, or the header of handlers, that repeats a number of the machine names it behind the number:
`4<!-- = QueueDepth --> entries`, `8 /* = AccPartials */`. Names and values are those of the tables
of docs/isa.md, which the build writes from backend/isa/*.td; a code is named by kind and name,
TableRegisters.
"""
import pathlib
import re
import sys

CONSTANT = re.compile(r"^\| `(\w+)` \| (0x[0-9a-f]+|\d+) \|", re.M)
CODE = re.compile(r"^\| (\w+) \| (\d+) \| (\w+) \|", re.M)
NUMBER = r"0x[0-9a-f]+|\d[\d,]*"
USE = re.compile(rf"(?P<number>{NUMBER})? ?(?:<!--|/\*) = (?P<name>\w+) (?:-->|\*/)")


def shared(root):
    text = (root / "docs/isa.md").read_text()
    numbers = {name: int(value, 0) for name, value in CONSTANT.findall(text)}
    numbers.update({kind.capitalize() + name: int(value) for kind, value, name in CODE.findall(text)})
    return numbers


def wrong(text, numbers):
    """Places and messages."""
    for use in USE.finditer(text):
        number, name = use.group("number"), use.group("name")
        line = text.count("\n", 0, use.start()) + 1
        if name not in numbers:
            yield line, f"docs/isa.md has no number '{name}'"
        elif not number:
            yield line, f"there is no number before '{name}'"
        elif int(number.replace(",", ""), 0) != numbers[name]:
            yield line, f"{number} is written for '{name}', which is {numbers[name]} in docs/isa.md"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    numbers = shared(root)
    failed = False
    pages = sorted(p for folder in ("docs", "runtime", "examples", "backend") for p in (root / folder).rglob("*.md"))
    for page in [*pages, *sorted((root / "compiler/frontend/include").glob("*.h"))]:
        for line, message in wrong(page.read_text(), numbers):
            print(f"{page.relative_to(root)}:{line}: {message}")
            failed = True
    return failed


if __name__ == "__main__":
    sys.exit(main())
