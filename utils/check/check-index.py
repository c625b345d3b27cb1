#!/usr/bin/env python3
"""Fails on a page of docs/ that links do not lead to from docs/README.md.

usage: check-index.py [repository]
"""
import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)#:\s]+\.md)(?:#[^)]*)?\)")


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).resolve()
    docs = root / "docs"
    reached, left = set(), [docs / "README.md"]
    while left:
        page = left.pop()
        if page in reached or not page.exists():
            continue
        reached.add(page)
        left += [(page.parent / link).resolve() for link in LINK.findall(page.read_text())]
    missing = sorted(str(page.relative_to(root)) for page in set(docs.rglob("*.md")) - reached)
    for page in missing:
        print(f"{page}: nothing leads to it from docs/README.md")
    sys.exit(bool(missing))


if __name__ == "__main__":
    main()
