#!/usr/bin/env python3
"""Prints the closing line of a test run from lit's JSON report.

usage: test-summary.py REPORT.json
"""
import collections
import json
import sys

GOOD = {"PASS", "XFAIL", "FLAKYPASS"}
NOT_RUN = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def main():
    with open(sys.argv[1]) as file:
        codes = collections.Counter(test["code"] for test in json.load(file)["tests"])
    passed = sum(codes[c] for c in GOOD)
    skipped = sum(codes[c] for c in NOT_RUN)
    failed = sum(codes.values()) - passed - skipped
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
