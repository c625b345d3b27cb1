#!/usr/bin/env python3
"""Runs what a page of the documentation shows, and compares what it shows.

usage: run-doc.py PAGE.md FOLDER [NAME=VALUE...]

A block that starts with ```c file=NAME is written to FOLDER/NAME. A block ```console
holds commands, lines that start with "$ ", which are run in FOLDER, each followed by
what it prints; a line "..." stands for any lines. A command shown with "[exit 1]" as its
last line must fail. NAME=VALUE sets a variable of the environment.
"""
import difflib
import os
import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.M | re.S)


def matches(shown, printed):
    """Whether the printed lines fit the shown ones."""
    if not shown:
        return not printed
    if shown[0] == "...":
        return any(matches(shown[1:], printed[i:]) for i in range(len(printed) + 1))
    return bool(printed) and printed[0].rstrip() == shown[0].rstrip() and matches(shown[1:], printed[1:])


def commands(block):
    """(command, lines shown after it) of a console block."""
    current = None
    for line in block.splitlines():
        if line.startswith("$ "):
            if current:
                yield current
            current = (line[2:], [])
        elif current:
            current[1].append(line)
    if current:
        yield current


def check(command, shown, folder, environment):
    code = 0
    if shown and (ending := re.fullmatch(r"\[exit (\d+)\]", shown[-1])):
        code, shown = int(ending[1]), shown[:-1]
    done = subprocess.run(command, shell=True, cwd=folder, env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    printed = done.stdout.splitlines()
    if done.returncode != code:
        return f"exit code {done.returncode}, the page says {code}\n{done.stdout}"
    if not matches(shown, printed):
        return "\n".join(difflib.unified_diff(shown, printed, "the page", "the command", lineterm=""))
    return None


def main():
    page, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    environment = dict(os.environ, **dict(pair.split("=", 1) for pair in sys.argv[3:]))
    folder.mkdir(parents=True, exist_ok=True)
    ran = 0
    for kind, name, text in BLOCK.findall(page.read_text()):
        if name:
            (folder / name).write_text(text)
        if kind != "console":
            continue
        for command, shown in commands(text):
            if problem := check(command, shown, folder, environment):
                sys.exit(f"{page}: $ {command}\n{problem}")
            ran += 1
    if not ran:
        sys.exit(f"{page}: no commands")
    print(f"{ran} commands")


if __name__ == "__main__":
    main()
