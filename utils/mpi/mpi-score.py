#!/usr/bin/env python3
"""Recall and precision of `acisc --mpi` against places of programs judged by hand.

usage: mpi-score.py --bin DIR --truth truth.csv --root DIR [--flags "..."] [--list]
                    [--switch overlay.json]

The table has one row per place: program, file (below --root), line_first, line_second, kind,
fusable (yes or no), neg_class, level, confidence; other columns are not read. Files of one
program are given to acisc together. A line may be a mark, @name: the line of the file with the
comment /*@name*/. With several programs below --root a column `repo` or the program's name as
folder is not needed: files name the path.

A place is found if a candidate of the report begins and ends at its lines and says that it can
be fused; a row `alt` = semi takes a semi-fused candidate with the same first line too. Counted
are rows of confidence high and medium. Recall: rows `yes` that are found, by level. Precision:
rows `yes` found among all rows found. Unsafe: rows `no` of class unsafe that are found; those of
low confidence are named apart. Found places that rest on an assumption ("assumes" of the report;
they are not rewritten) are counted as found, and said. With --switch also how many of the rows
`yes` are rewritten (with --force) and how many of these have a program for that switch; --list then
names why the others do not.
Exit code 1 below the goals (recall 0.9 intra, 0.8 inline, 0.6 ipo; precision 0.95; no unsafe).
"""
import argparse
import collections
import csv
import json
import pathlib
import re
import subprocess
import sys

GOALS = {"intra": 0.9, "inline": 0.8, "ipo": 0.6}


def report(acisc, root, files, flags, switch):
    command = [acisc, "--mpi", "--dry-run", "--no-remarks", "--mpi-report=-"]
    if switch:
        command += ["--force", f"--config={switch}"]
    done = subprocess.run(command + files + ["--"] + flags, cwd=root, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    if done.returncode: # of a program with several files the others may be there
        print(done.stderr, end="")
    return json.loads(done.stdout)["candidates"] if done.stdout else []


class Marks:
    """Lines of files by mark."""

    def __init__(self, root):
        self.root, self.files = root, {}

    def line(self, file, name):
        if not name or not name.startswith("@"):
            return int(name) if name else None
        if file not in self.files:
            text = (self.root / file).read_text().split("\n")
            self.files[file] = {m: i for i, line in enumerate(text, 1)
                                for m in re.findall(r"/\*(@\w+)\*/", line)}
        return self.files[file][name]


def found(row, first, second, candidates):
    for c in candidates:
        if c["fusable"] != "yes" or c["line_first"] != first or c["file"] != row["file"]:
            continue
        if c["kind"] == row["kind"] and c.get("line_second") == second:
            return c
        if row.get("alt") == "semi" and c["kind"] == "semi-fused":
            return c
    return None


def gained(rows):
    """Prints how many of the (row, candidate or None) are rewritten, and have a program."""
    rewritten = [hit for _, hit in rows if hit and hit["decision"] == "rewritten"]
    mapped = [hit for hit in rewritten if hit["switch_binary_bytes"]]
    print(f"rewritten: {len(rewritten)} of {len(rows)} = {len(rewritten) / max(1, len(rows)):.2f} "
          f"(goal 0.7); with a program for the switch: {len(mapped)} of {len(rewritten)} = "
          f"{len(mapped) / max(1, len(rewritten)):.2f} (goal 0.9)")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", required=True)
    parser.add_argument("--truth", required=True, type=pathlib.Path)
    parser.add_argument("--root", required=True, type=pathlib.Path)
    parser.add_argument("--flags", default="", help="flags of the compiler")
    parser.add_argument("--switch", type=pathlib.Path, help="overlay of the switch")
    parser.add_argument("--list", action="store_true", help="print each row that is missed or wrong")
    args = parser.parse_args()
    acisc = str(pathlib.Path(args.bin).resolve() / "acisc")
    switch = args.switch and args.switch.resolve()
    try:
        rows = list(csv.DictReader(args.truth.open()))
        missing = {"program", "file", "line_first", "fusable"} - set(rows[0] if rows else [])
    except OSError as error:
        sys.exit(f"mpi-score.py: error: {args.truth}: {error.strerror}")
    if missing:
        sys.exit(f"mpi-score.py: error: {args.truth}: no column {', '.join(sorted(missing))}; it is no table of places")
    marks = Marks(args.root)
    files = collections.defaultdict(list)
    for row in rows:
        folder = pathlib.Path(row["file"]).parent
        # A program that is a folder is all of it.
        own = ([str(folder / p.name) for p in sorted((args.root / folder).glob("*.c*"))]
               if folder.name == row["program"] else [row["file"]])
        for name in own:
            if name not in files[row["program"]]:
                files[row["program"]].append(name)
    candidates = {program: report(acisc, args.root, names, args.flags.split(), switch)
                  for program, names in files.items()}

    hits, total = collections.Counter(), collections.Counter()
    wrong = unsafe = unsure = assumed = 0
    places = []
    for row in rows:
        first = marks.line(row["file"], row["line_first"])
        second = marks.line(row["file"], row["line_second"])
        hit = found(row, first, second, candidates[row["program"]])
        counted = row["confidence"] in ("high", "medium")
        level = row["level"] or "intra"
        if row["fusable"] == "yes":
            total[level] += counted
            hits[level] += counted and bool(hit)
            places += [(row, hit)] if counted else []
            assumed += bool(hit and hit.get("assumes"))
            verdict = "" if hit else "missed"
        else:
            wrong += counted and bool(hit)
            isUnsafe = bool(hit) and row["neg_class"] == "unsafe"
            unsafe += isUnsafe and counted
            unsure += isUnsafe and not counted
            verdict = "wrong" if hit else ""
        if verdict and args.list:
            others = [f'{c["kind"]} to {c.get("line_second")}: '
                      f'{c["decision"]} {c.get("neg_code", "")} ({c.get("reason", "")})'
                      for c in candidates[row["program"]]
                      if c["line_first"] == first and c["file"] == row["file"]]
            print(f'{row["file"]}:{first}: {verdict}: {row["kind"]} to {second} '
                  f'[{row["confidence"]}, {level}]; the report says: {"; ".join(others) or "nothing"}')
        elif switch and args.list and hit and not hit["switch_binary_bytes"]:
            why = hit.get("not_mapped") if hit["decision"] == "rewritten" else hit.get("reason")
            print(f'{row["file"]}:{first}: {hit["decision"]}, no program: {why}')
    good = True
    for level, goal in GOALS.items():
        if total[level]:
            recall = hits[level] / total[level]
            good &= recall >= goal
            print(f"recall {level}: {hits[level]} of {total[level]} = {recall:.2f} (goal {goal})")
    yes = sum(hits.values())
    precision = yes / (yes + wrong) if yes else 0.0
    print(f"precision: {yes} of {yes + wrong} = {precision:.2f} (goal 0.95); unsafe: {unsafe} (goal 0)")
    if switch:
        gained(places)
    if unsure:
        print(f"unsafe, low confidence: {unsure}")
    if assumed:
        print(f"found under an assumption, and therefore not rewritten: {assumed}")
    return 0 if good and precision >= 0.95 and not unsafe else 1


if __name__ == "__main__":
    sys.exit(main())
