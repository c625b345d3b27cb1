#!/usr/bin/env python3
"""Fails on a page of docs/ that links do not lead to from docs/README.md, and on links to files or
headings that are not there.

usage: check-index.py [repository]

Links are looked at in docs/, README.md and the pages of examples/.
"""
import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)#:\s]+\.md)(?:#[^)]*)?\)")
ANY = re.compile(r"\]\(((?!\w+:)[^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.M | re.S)
HEADING = re.compile(r"^#+ (.*)", re.M)


def anchors(page):
    """Of its headings, as GitHub makes them."""
    for title in HEADING.findall(FENCE.sub("", page.read_text())):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
        yield re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def dead(page):
    """Lines and links that lead nowhere."""
    text = FENCE.sub(lambda block: "\n" * block.group().count("\n"), page.read_text())
    for found in ANY.finditer(text):
        file, _, heading = found.group(1).partition("#")
        to = page.parent / file if file else page
        if not to.exists() or (heading and to.suffix == ".md" and heading not in anchors(to)):
            yield text.count("\n", 0, found.start()) + 1, found.group(1)


def unreached(docs):
    reached, left = set(), [docs / "README.md"]
    while left:
        page = left.pop()
        if page in reached or not page.exists():
            continue
        reached.add(page)
        left += [(page.parent / link).resolve() for link in LINK.findall(page.read_text())]
    return sorted(set(docs.rglob("*.md")) - reached)


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).resolve()
    problems = [f"{page.relative_to(root)}: nothing leads to it from docs/README.md" for page in unreached(root / "docs")]
    for page in sorted([*root.glob("README.md"), *root.glob("docs/**/*.md"), *root.glob("examples/**/*.md")]):
        problems += [f"{page.relative_to(root)}:{line}: error: the link '{link}' leads nowhere" for line, link in dead(page)]
    print("\n".join(problems), end="\n" if problems else "")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
