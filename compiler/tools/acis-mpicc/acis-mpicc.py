#!/usr/bin/env python3
"""Compiles and links an MPI program with its collectives fused (acisc --mpi).

usage: acis-mpicc [--acis-config=<overlay.json>] [--acis-remarks] [--acis-force]
                  [--acis-assume-local=<name>,...] <mpicc arguments>

  --acis-config=<file>  overlay to compile ops for
  --acis-remarks        say for each collective what was done and why
  --acis-force          rewrite also what the evaluator finds not worth it
  --acis-assume-local=<name>,...
                        functions of files not named here that do not communicate and touch no
                        memory of the program but what their arguments lead to
  --help                this text; acis-mpicxx takes the same

All other arguments go to mpicc or mpicxx; ACIS_MPICC and ACIS_MPICXX in the environment name
others. Each source file is rewritten into a temporary file, which is compiled in its place. A
file in which nothing is fused, or which acisc cannot read, is compiled as it is. Of several
sources each is looked into for the others.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCES = (".c", ".cc", ".cpp", ".cxx", ".C")
NO_LINK = ("-c", "-S", "-E", "-M", "-MM", "-fsyntax-only")


def meaning(arguments):
    """The arguments that decide what a source means."""
    result, take = [], False
    for argument in arguments:
        separate = argument in ("-I", "-D", "-U", "-isystem", "-iquote", "-include", "-idirafter")
        if take or separate or argument.startswith(
                ("-I", "-D", "-U", "-std=", "-isystem", "-iquote", "-fopenmp")):
            result.append(argument)
        take = separate
    return result


def main():
    arguments = sys.argv[1:]
    if "--help" in arguments:
        print(__doc__.strip())
        return 0
    here = pathlib.Path(__file__).resolve().parent
    cxx = pathlib.Path(sys.argv[0]).name.endswith("xx")
    wrapper = os.environ.get("ACIS_MPICXX", "mpicxx") if cxx else os.environ.get("ACIS_MPICC",
                                                                                 "mpicc")
    if not shutil.which(wrapper):
        print(f"acis-mpicc: error: no '{wrapper}'; install an MPI, or set ACIS_MPICC or ACIS_MPICXX",
              file=sys.stderr)
        return 1
    shown = subprocess.run([wrapper, "-show"], stdout=subprocess.PIPE, text=True).stdout
    flavour = "openmpi" if "openmpi" in shown else "mpich"

    valued = ("--acis-config=", "--acis-assume-local=")
    for argument in arguments:
        if argument.startswith("--acis-") and not argument.startswith(valued) and argument not in (
                "--acis-remarks", "--acis-force"):
            print(f"acis-mpicc: error: unknown argument '{argument}'; --help names those there are",
                  file=sys.stderr)
            return 1
    acisc = [str(here / "acisc"), "--mpi"]
    acisc.append("--remarks" if "--acis-remarks" in arguments else "--no-remarks")
    if "--acis-force" in arguments:
        acisc.append("--force")
    acisc += [a.replace("--acis-", "--", 1) for a in arguments if a.startswith(valued)]
    arguments = [a for a in arguments if not a.startswith("--acis-")]
    include = ["-I" + str(here.parent / "include")]
    mpi = [w for w in shown.split() if w.startswith("-I")]

    sources = [a for i, a in enumerate(arguments)
               if a.endswith(SOURCES) and os.path.isfile(a) and (i == 0 or arguments[i - 1] != "-o")]
    command = [wrapper, *include]
    with tempfile.TemporaryDirectory(prefix="acis-mpicc-") as work:
        # A file that acisc cannot read is compiled as it is; an overlay that it cannot read is not.
        empty = pathlib.Path(work) / "empty.c"
        empty.touch()
        if sources and "--config=" in " ".join(acisc) and subprocess.run(
                [*acisc, "--no-remarks", "--dry-run", str(empty)]).returncode:
            return 1
        for i, argument in enumerate(arguments):
            if argument not in sources:
                command.append(argument)
                continue
            # The same name in a folder of its own: objects are named after it.
            new = os.path.join(work, str(i), os.path.basename(argument))
            os.mkdir(os.path.dirname(new))
            others = [f"--context={source}" for source in sources if source != argument]
            done = subprocess.run([*acisc, *others, "-o", new, argument, "--", *include,
                                   *meaning(arguments), *mpi])
            if done.returncode:  # the compiler may take what acisc did not
                command.append(argument)
            else:
                command += ["-iquote", os.path.dirname(argument) or ".", new]
        if not any(a in NO_LINK for a in arguments):
            command.append(str(here.parent / "lib" / f"libacis-cccf-{flavour}.a"))
        return subprocess.run(command).returncode


if __name__ == "__main__":
    sys.exit(main())
