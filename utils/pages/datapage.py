"""Pages of docs/ whose tables are made of data.

A table of a page stands between the lines `<!-- begin NAME -->` and `<!-- end NAME -->`.
"""
import re


def table(header, rows, numbers=()):
    """Markdown of rows whose cells are anything that has a text; columns of `numbers` are aligned right."""
    marks = ["--:" if column in numbers else "---" for column in range(len(header))]
    lines = ["| " + " | ".join(header) + " |", "|" + "|".join(marks) + "|"]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def filled(text, tables):
    """The page with these tables, {name: Markdown}; raises ValueError where one has not just one place."""
    for name, markdown in tables.items():
        begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
        text, places = re.subn(rf"({begin}\n).*?({end})", lambda m: m[1] + markdown.rstrip("\n") + "\n" + m[2], text, flags=re.S)
        if places != 1:
            raise ValueError(f"{'no' if not places else places} lines '{begin}' and '{end}'; a page has one of each")
    return text
