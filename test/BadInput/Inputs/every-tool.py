"""Asks every tool that is installed the same: for its help and its version, with options and files that are
none. usage: every-tool.py BUILD FOLDER

What is wrong is said on standard error, in a line `TOOL: error: ..` that names it, with exit code 1, and
nothing is printed or written. acis-mpicc and acis-mpicxx hand what they do not know on to the compiler.
"""
import os
import pathlib
import re
import subprocess
import sys

build, folder = (pathlib.Path(word).resolve() for word in sys.argv[1:])
COMPILERS = ("acis-mpicc", "acis-mpicxx")
problems = []


def installed():
    """By the lists of cmake --install."""
    names = set()
    tops = [top for top in build.iterdir() if top.is_dir() and top.name != "test"]  # tests write there
    for listed in [build / "cmake_install.cmake", *(listed for top in tops for listed in top.rglob("cmake_install.cmake"))]:
        for block in re.findall(r'file\(INSTALL DESTINATION "[^"]*/bin" [^)]*\)', listed.read_text()):
            names.update(os.path.basename(path) for path in re.findall(r'FILES "([^"]*)"', block))
    return sorted(names)


def run(tool, *words):
    """Exit code and what is printed; whatever it has written counts as a problem."""
    before = sorted(os.listdir(folder))
    try:
        done = subprocess.run([build / "bin" / tool, *words], cwd=folder, capture_output=True, text=True, errors="replace",
                              stdin=subprocess.DEVNULL, timeout=60)
    except subprocess.TimeoutExpired:
        problems.append(f"{tool} {' '.join(words)}: does not end")
        return 1, "", ""
    if sorted(os.listdir(folder)) != before:
        problems.append(f"{tool} {' '.join(words)}: has written {set(os.listdir(folder)) - set(before)}")
    return done.returncode, done.stdout, done.stderr


def answers(tool, option, pattern):
    code, out, err = run(tool, option)
    if code or err or not re.search(pattern, out):
        problems.append(f"{tool} {option}: exit code {code}, {out[:60]!r}, {err[:120]!r}")


def refuses(tool, pattern, *words):
    code, out, err = run(tool, *words)
    if code != 1 or out or not re.search(rf"^{tool}: error: .*{pattern}", err, re.M):
        problems.append(f"{tool} {' '.join(words)}: exit code {code}, {out[:60]!r}, {err[:200]!r}")


(folder / "empty").write_text("")
(folder / "folder").mkdir()
tools = installed()
for tool in tools:
    answers(tool, "--help", "(?i)usage:")
    if tool in COMPILERS:
        continue
    answers(tool, "--version", rf"^{tool} .*\d+\.\d+\.\d+")
    refuses(tool, "--nonsense", "--nonsense")
    refuses(tool, "-Z", "-Z")
    refuses(tool, "did you mean '--help'", "--hlep")
    if tool != "acis-mpirun" and tool != "acis-simrun":  # name a program, which is found first
        for name in ("no-such-file", "empty", "folder"):
            refuses(tool, "", name)
print("\n".join(problems) or f"{len(tools)} tools")
sys.exit(bool(problems))
