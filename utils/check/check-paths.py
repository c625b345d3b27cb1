#!/usr/bin/env python3
"""Fails on a path in a document or a script that is not in the repository, and on a file that does
not belong into its top folder (what a program left behind where it was run).

usage: check-paths.py [repository]

Looks at all Markdown pages, scripts/ and utils/ for words that begin with a folder of the top level
(runtime/host/mpi, utils/bench/*.py), and at links of Markdown pages, which may be relative.
"""
import itertools
import pathlib
import re
import subprocess
import sys

TOP = ("backend", "cmake", "compiler", "docs", "examples", "passes", "runtime", "scripts", "test", "utils")
FILES = {".ci", ".clang-format", ".clang-tidy", ".editorconfig", ".gitignore", "CMakeLists.txt", "CMakePresets.json",
         "CONTRIBUTING.md", "LICENSE", "README.md"}
# Neither part of a longer path or word, nor of an address on the network.
PATH = re.compile(r"(?<![\w./$}-])(?:\.\./)*((?:%s)/[\w.*/{},-]*[\w*}/])" % "|".join(TOP))
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")
# Written by the build, under the same path in its folder; and a folder of MPICH's.
ELSEWHERE = {"backend/isa/Ops.def", "backend/isa/acis_isa_pkg.sv", "test/mpi/coll"}
BRACES = re.compile(r"\{([^{}]*)\}")


def alternatives(path):
    """Of a/{b,c}: a/b and a/c."""
    parts = BRACES.split(path)
    return ["".join(p) for p in itertools.product(*(p.split(",") if i % 2 else [p] for i, p in enumerate(parts)))]


def exists(root, path):
    return any(root.glob(path)) if "*" in path else (root / path).exists()


def missing(root, file):
    text = file.read_text()
    for found in PATH.finditer(text):
        # A name without its ending stands for the files of that name: runtime/switch/core/Switch.
        if re.search(r"{[^,]*}", found.group(1)):
            continue  # a placeholder, no alternatives
        for path in alternatives(found.group(1).rstrip(".,_")):
            if path not in ELSEWHERE and not (exists(root, path) or exists(root, path + ".*")):
                yield text.count("\n", 0, found.start()) + 1, path
    if file.suffix == ".md":
        for found in LINK.finditer(text):
            if not (file.parent / found.group(1)).exists():
                yield text.count("\n", 0, found.start()) + 1, found.group(1)


def strangers(root):
    if not (root / ".git").exists():
        return
    tracked = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True, check=True).stdout
    for name in sorted({line.split("/")[0] for line in tracked.splitlines()} - set(TOP) - FILES):
        yield f"{name}: does not belong into the top folder"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    files = [f for f in root.rglob("*.md") if f.relative_to(root).parts[0] not in ("build", ".git")]
    files += [f for d in ("scripts", "utils") for f in (root / d).rglob("*") if f.is_file() and "__pycache__" not in f.parts]
    wrong = [f"{f.relative_to(root)}:{line}: there is no {path}" for f in sorted(files) for line, path in missing(root, f)]
    wrong += strangers(root)
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
