#!/usr/bin/env python3
"""Writes the tables of docs/kernels.md, and their picture, from docs/data/kernels.json.

usage: kernel-docs.py [--check] [--data docs/data/kernels.json] [--page docs/kernels.md]

scripts/bench-kernels --docs measures the data and calls this. With --check nothing is written: it
fails if the page or the picture is not that of the data.
"""
import argparse
import json
import pathlib
import sys

import kerneldocs

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"


def fail(file, what):
    sys.exit(f"kernel-docs.py: error: {file}: {what}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--data", type=pathlib.Path, default=DOCS / "data/kernels.json")
    parser.add_argument("--page", type=pathlib.Path, default=DOCS / "kernels.md")
    options = parser.parse_args()
    image = options.data.with_suffix(".svg")
    try:
        data = json.loads(options.data.read_text())
        made = {options.page: kerneldocs.filled(options.page.read_text(), data), image: kerneldocs.picture(data)}
    except OSError as error:
        fail(error.filename, f"{error.strerror}; scripts/bench-kernels --docs makes the data")
    except KeyError as error:
        fail(options.data, f"has no {error}; scripts/bench-kernels --docs makes it anew")
    except ValueError as error:
        fail(options.page if "begin" in str(error) else options.data, error)
    for file, text in made.items():
        if not options.check:
            file.write_text(text)
        elif not file.exists() or file.read_text() != text:
            fail(file, f"is not what {options.data} gives; run utils/kernels/kernel-docs.py")


if __name__ == "__main__":
    main()
