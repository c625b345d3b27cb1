"""Assembles the text of each case with llvm-mc and compares the words.

usage: compare-encodings.py cases.txt    (lines: word in hexadecimal, assembly text)
"""
import re
import subprocess
import sys


def encodings(lines):
    """The word that llvm-mc gives to each line."""
    run = subprocess.run(
        ["llvm-mc", "-triple=riscv32", "-mattr=+m,+v,+zicsr", "--show-encoding"],
        input="\n".join(lines), capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr)
    found = re.findall(r"encoding: \[([0-9a-fx,]+)\]", run.stdout)
    return [int.from_bytes(bytes(int(b, 16) for b in e.split(",")), "little") for e in found]


def main():
    cases = [line.rstrip("\n").split(" ", 1) for line in open(sys.argv[1])]
    # The table takes any fence and writes one that LLVM has no text for.
    cases = [(int(word, 16), text) for word, text in cases if text != "fence"]
    words = encodings([text for _, text in cases])
    if len(words) != len(cases):
        sys.exit(f"{len(cases)} lines gave {len(words)} words")
    wrong = 0
    for (ours, text), theirs in zip(cases, words):
        if ours != theirs:
            wrong += 1
            print(f"{text}: ours {ours:08x}, llvm-mc {theirs:08x}")
    mnemonics = {text.split()[0] for _, text in cases}
    print(f"{len(cases)} cases of {len(mnemonics)} instructions, {wrong} wrong")
    sys.exit(1 if wrong else 0)


main()
