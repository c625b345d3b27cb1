#!/usr/bin/env python3
"""Writes a tool's manual page and its completion for bash, from what it prints for --help.

usage: make-pages.py --tool=PATH --version=VERSION --man=FILE --completion=FILE
"""
import argparse
import os
import sys

import completion
import helptext
import manpage


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--tool", required=True, metavar="PATH", help="the program")
    options.add_argument("--version", required=True, help="of the project, for the page")
    options.add_argument("--man", required=True, metavar="FILE", help="page to write")
    options.add_argument("--completion", required=True, metavar="FILE", help="completion to write")
    given = options.parse_args()
    try:
        page = helptext.read(os.path.abspath(given.tool), os.path.basename(given.tool))
        texts = {given.man: manpage.write(page, given.version),
                 given.completion: completion.write(page)}
        for path, text in texts.items():
            os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
            with open(path, "w") as file:
                file.write(text)
    except (helptext.Unreadable, OSError) as error:
        sys.exit(f"make-pages.py: error: {error}")


if __name__ == "__main__":
    main()
