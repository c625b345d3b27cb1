#!/usr/bin/env python3
"""Writes tables and pictures of pages from the figures in docs/data, or checks that they are those.

usage: data-pages.py [--check] [--data FILE] [--page FILE] [NAME ...]

NAME is a page of docs that has data of its name in docs/data (all, if none is named); a module of figures
makes its tables and its picture, or its pictures by name. One that shares the data of another page names it (DATA), and has no
picture. The command that measures the data is in the data. With --check nothing is written: it fails if a
page or a picture is not that of its data, or if a file of docs/data does not say what makes it.
"""
import argparse
import importlib
import json
import pathlib
import sys

import datapage

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
sys.path.insert(0, str(ROOT / "utils/evaluate"))
NAMES = sorted(file.stem.replace("_", "-") for file in (pathlib.Path(__file__).parent / "figures").glob("[a-z]*.py"))


def fail(file, what):
    sys.exit(f"data-pages.py: error: {file}: {what}")


def data_of(figures):
    """The file that the tables of this module are made of."""
    name = figures.__name__.rpartition(".")[2].replace("_", "-")
    return DOCS / f"data/{getattr(figures, 'DATA', name)}.json"


def figures_of(name):
    return importlib.import_module(f"figures.{name.replace('-', '_')}")


def made(name, data_file, page_file):
    """The files that the data gives, with their text."""
    figures = figures_of(name)
    try:
        data = json.loads(data_file.read_text())
        tables = figures.tables(data)
        images = {data_file.with_suffix(".svg"): figures.picture(data)} if hasattr(figures, "picture") else {}
        if hasattr(figures, "pictures"):
            images = {data_file.with_name(f"{data_file.stem}-{more}.svg"): svg for more, svg in figures.pictures(data).items()}
    except OSError as error:
        fail(data_file, f"{error.strerror}; {figures.COMMAND} makes it")
    except (KeyError, TypeError, AttributeError) as error:
        fail(data_file, f"has not what the page needs ({error}); {figures.COMMAND} makes it anew")
    except ValueError as error:
        fail(data_file, error)
    try:
        return {page_file: datapage.filled(page_file.read_text(), tables)} | images
    except OSError as error:
        fail(page_file, error.strerror)
    except ValueError as error:
        fail(page_file, error)


def check_command(file, commands):
    """The data says what makes it, as the modules of its figures do."""
    try:
        found = json.loads(file.read_text())["command"]
    except (OSError, ValueError, TypeError, KeyError) as error:
        fail(file, f"has no 'command' that makes it ({error})")
    if commands - {found}:
        fail(file, f"its command is '{found}'; {' and '.join(sorted(commands))} makes it")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--page", type=pathlib.Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    if unknown := [name for name in options.names if name not in NAMES]:
        parser.error(f"found page '{unknown[0]}'; allowed are {', '.join(NAMES)}")
    if (options.data or options.page) and len(options.names) != 1:
        parser.error("--data and --page are of one page; name it")
    if options.check and not options.names:
        for file in sorted((DOCS / "data").glob("*.json")):
            check_command(file, {figures.COMMAND for figures in map(figures_of, NAMES) if data_of(figures) == file})
    for name in options.names or NAMES:
        data = options.data or data_of(figures_of(name))
        for file, text in made(name, data, options.page or DOCS / f"{name}.md").items():
            if not options.check:
                file.write_text(text)
            elif not file.exists() or file.read_text() != text:
                fail(file, f"is not what {data} gives; run utils/pages/data-pages.py {name}")


if __name__ == "__main__":
    main()
