"""Looks at the manual pages and completions of a build: every program that is installed has them,
every option that a tool prints is in both, and no formatter finds anything wrong.

usage: tool-pages.py BUILD
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

build = pathlib.Path(sys.argv[1])
problems = []


def run(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, **more)


def installed():
    """Names of the programs that cmake --install puts into bin, by its own lists."""
    names = set()
    tops = [top for top in build.iterdir() if top.is_dir() and top.name != "test"]  # tests write there
    for listed in [build / "cmake_install.cmake", *(listed for top in tops for listed in top.rglob("cmake_install.cmake"))]:
        for block in re.findall(r'file\(INSTALL DESTINATION "[^"]*/bin" [^)]*\)', listed.read_text()):
            names.update(os.path.basename(path) for path in re.findall(r'FILES "([^"]*)"', block))
    return names


def printed(tool):
    """All that the tool, its commands and its modes print as help."""
    def ask(*words):
        return run(build / "bin" / tool, *words, "--help").stdout
    text = ask()
    commands = re.findall(r"^  ([a-z][\w-]*) ", text.partition("Subcommands:")[2], re.M)
    commands += re.findall(rf"see {tool} (\S+) --help", text)
    return "\n".join([text, *map(ask, commands)])


def check(tool):
    page, completion = build / "man/man1" / f"{tool}.1", build / "completions" / tool
    for path in (page, completion):
        if not path.exists():
            problems.append(f"{tool}: there is no {path.relative_to(build)}")
            return 0
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "80"}
    shown = run("man", "--warnings", "-P", "cat", "-l", page, env=environment)
    if shown.stderr or shown.returncode:
        problems.append(f"{tool}: man: {shown.stderr.strip()}")
    if shutil.which("mandoc"):
        lint = run("mandoc", "-Tlint", "-Wwarning", page)
        # A page has no date: it would be that of the build, of which it shall not depend.
        for line in lint.stdout.splitlines():
            if "missing date" not in line:
                problems.append(f"{tool}: mandoc: {line.strip()}")
    if bad := run("bash", "-n", completion).stderr:
        problems.append(f"{tool}: bash: {bad.strip()}")
    read = re.sub(r".\x08", "", shown.stdout)
    options = set(re.findall(r"(?<![\w<-])--[a-z][\w-]*", printed(tool)))
    for option in sorted(options):
        if not re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", read):
            problems.append(f"{tool}: {option} is not in its page")
    listed = set(re.findall(r"(?<![\w-])--[a-z][\w-]*",
                            " ".join(re.findall(r"options='?([^'\n]*)", completion.read_text()))))
    heads = set(re.findall(r"^ +(?:-\w, ?)?(--[a-z][\w-]*)", printed(tool), re.M))
    for option in sorted(heads - listed):
        problems.append(f"{tool}: {option} is not completed")
    return len(options)


tools = installed()
counted = sum(map(check, sorted(tools)))
print("\n".join(problems) or f"{len(tools)} tools, {counted} options")
sys.exit(bool(problems))
