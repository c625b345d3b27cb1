#!/usr/bin/env python3
"""Checks subjects and bodies of commits.

usage: lint-commits.py [RANGE]     (default: HEAD~10..)
"""
import re
import subprocess
import sys

SUBJECT = re.compile(r"^\[[a-z0-9-]+\] [A-Z].*[^.]$")


def problems(subject, body):
    if not SUBJECT.match(subject):
        yield "the subject is not '[area] Imperative subject'"
    if len(subject) > 60:
        yield f"the subject has {len(subject)} characters, 60 are allowed"
    if not body.strip():
        yield "the body is empty; say what was missing, why this way, how it was checked"


def main():
    commits = sys.argv[1] if len(sys.argv) > 1 else "HEAD~10.."
    log = subprocess.run(["git", "log", "--no-merges", "--format=%h%x1f%s%x1f%b%x1e", commits],
                         check=True, capture_output=True, text=True).stdout
    bad = 0
    for entry in filter(str.strip, log.split("\x1e")):
        name, subject, body = entry.strip("\n").split("\x1f")
        for problem in problems(subject, body):
            print(f"{name} {subject!r}: {problem}")
            bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())
