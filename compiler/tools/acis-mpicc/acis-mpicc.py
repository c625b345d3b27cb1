#!/usr/bin/env python3
"""Compiles and links MPI programs with their collectives fused (acisc --mpi).

usage: acis-mpicc [--acis-config=<overlay.json>] [--acis-remarks] [--acis-force]
                  [--acis-assume-local=<name>,...] [--acis-report=<file.json>] <mpicc arguments>

  --acis-config=<file>  overlay to compile ops for
  --acis-remarks        say for each collective what was done and why, and what was not looked into
  --acis-force          rewrite also what the evaluator finds not worth it
  --acis-assume-local=<name>,...
                        functions of files not seen that do not communicate and touch no memory of
                        the program but what their arguments lead to
  --acis-report=<file>  write what was found as JSON
  --help                this text; acis-mpicxx takes the same

All other arguments go to mpicc or mpicxx; ACIS_MPICC and ACIS_MPICXX in the environment name
others, and ACIS_MPICC_FLAGS has arguments to put before those given (make CC=acis-mpicc).

With -c the object is the plain one, with a record of how it was made. When a program is linked,
the sources of all its objects and archive members are looked at together; those in which something
is fused are compiled anew, and linked in place of the plain objects. An object without a record, or
whose source has changed since, is linked as it is. Shared libraries are not rewritten.
"""
import functools
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib" / "acis-mpicc"))
sys.dont_write_bytecode = True

from acismpicc import commandline, link, record  # noqa: E402

VALUED = ("--acis-config=", "--acis-assume-local=", "--acis-report=")
FLAGS = ("--acis-remarks", "--acis-force")


def fail(text):
    print(f"acis-mpicc: error: {text}", file=sys.stderr)
    return 1


class Tool:
    """What is the same for all files of one command."""

    def __init__(self, arguments, driver):
        ours = [a for a in arguments if a.startswith("--acis-")]
        self.remarks = "--acis-remarks" in ours
        self.report = "".join(a.split("=", 1)[1] for a in ours if a.startswith("--acis-report="))
        self.config = [a.replace("--acis-", "--", 1) for a in ours if a.startswith("--acis-config=")]
        self.acisc = [str(HERE / "acisc"), "--mpi", "--remarks" if self.remarks else "--no-remarks",
                      *self.config]
        self.acisc += ["--force"] if "--acis-force" in ours else []
        self.acisc += [a.replace("--acis-", "--", 1) for a in ours
                       if a.startswith("--acis-assume-local=")]
        self.wrappers = {"cc": os.environ.get("ACIS_MPICC", "mpicc"),
                         "cxx": os.environ.get("ACIS_MPICXX", "mpicxx")}
        self.include = [f"-I{HERE.parent / 'include'}"]
        self.driver, self.link = driver, [self.wrappers[driver], *self.include]

    @functools.cached_property
    def library(self):
        flavour = "openmpi" if "openmpi" in self.shown(self.driver) else "mpich"
        # After -x of a source that is not a file.
        return ["-x", "none", str(HERE.parent / "lib" / f"libacis-cccf-{flavour}.a")]

    def mpi_include(self, driver):
        return [word for word in self.shown(driver).split() if word.startswith("-I")]

    @functools.lru_cache
    def shown(self, driver):
        """What the wrapper says it calls."""
        wrapper = self.wrappers[driver]
        if not shutil.which(wrapper):
            return ""
        return subprocess.run([wrapper, "-show"], stdout=subprocess.PIPE, text=True).stdout


def compile_source(tool, line, index, driver, target, work):
    """One source to a plain object, with its record if acisc reads it; the compiler's exit code."""
    source, language = line.arguments[index], line.sources.get(index)
    code = subprocess.run([tool.wrappers[driver], *tool.include, *line.flags, *line.dependencies,
                           "-c", *(["-x", language] if language else []), source, "-o",
                           target]).returncode
    if code == 0 and language:
        put_record(tool, line, index, driver, target, work)
    return code


def put_record(tool, line, index, driver, target, work):
    made = record.Record(line.arguments[index], os.getcwd(), driver, line.sources[index], line.flags,
                         "")
    text = record.preprocessed(made, tool.wrappers[driver], tool.include)
    made.text = record.hash_of(text) if text is not None else ""
    record.attach(made, target, work)


def compile_only(tool, line, arguments, driver, work):
    code = subprocess.run([*tool.link, *arguments]).returncode
    for index in line.sources if code == 0 else ():
        name = os.path.splitext(os.path.basename(line.arguments[index]))[0] + ".o"
        target = line.output or name
        if os.path.isfile(target):
            put_record(tool, line, index, driver, target, work)
    return code


def make_program(tool, line, driver, work):
    """Sources of the command line become objects first."""
    if tool.config:  # a file that acisc cannot read is linked as it is; an overlay is an error
        empty = os.path.join(work, "empty.c")
        open(empty, "w").close()
        if subprocess.run([*tool.acisc, "--no-remarks", "--dry-run", empty]).returncode:
            return 1
    arguments, names = [], {}
    if line.sources and line.dependencies and "-MF" not in line.dependencies:
        line.dependencies += ["-MF", os.path.splitext(line.output or "a.out")[0] + ".d"]
    for index, argument in enumerate(line.arguments):
        if index in line.sources or index in line.others:
            folder = os.path.join(work, "plain", str(index))
            os.makedirs(folder)
            name = os.path.splitext(os.path.basename(argument))[0] + ".o"
            if code := compile_source(tool, line, index, driver, os.path.join(folder, name), work):
                return code
            names[os.path.join(folder, name)] = argument
            argument = os.path.join(folder, name)
        arguments.append(argument)
    if line.sources:
        arguments = without_language(arguments)
    return link.Program(tool, arguments, line.output, work, names).build()


def without_language(arguments):
    """-x is for sources, which are objects now."""
    return [a for i, a in enumerate(arguments)
            if a != "-x" and (i == 0 or arguments[i - 1] != "-x")]


def main():
    arguments = shlex.split(os.environ.get("ACIS_MPICC_FLAGS", "")) + sys.argv[1:]
    if "--help" in arguments:
        print(__doc__.strip())
        return 0
    driver = "cxx" if pathlib.Path(sys.argv[0]).name.endswith("xx") else "cc"
    for argument in arguments:
        if argument.startswith("--acis-") and argument not in FLAGS and not argument.startswith(
                VALUED):
            return fail(f"unknown argument '{argument}'; --help names those there are")
    tool = Tool(arguments, driver)
    if not shutil.which(tool.wrappers[driver]):
        return fail(f"no '{tool.wrappers[driver]}'; install an MPI, or set ACIS_MPICC or "
                    "ACIS_MPICXX")
    arguments = [a for a in arguments if not a.startswith("--acis-")]
    line = commandline.CommandLine(arguments, driver)
    with tempfile.TemporaryDirectory(prefix="acis-mpicc-") as work:
        if line.compiles_only:
            return compile_only(tool, line, arguments, driver, work)
        if line.makes_program:
            return make_program(tool, line, driver, work)
        library = tool.library if line.inputs and not line.stops_before else []
        return subprocess.run([*tool.link, *arguments, *library]).returncode


if __name__ == "__main__":
    sys.exit(main())
