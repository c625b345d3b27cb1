"""usage: mpi.py CASE MPI PROGRAMS FOLDER: an MPI program of this folder with memory nodes as processes,
which lose a tenth of all datagrams. CASE: collectives, or what programs/near-errors takes."""
import random
import subprocess
import sys

from nodes import SOURCE, Node

case, mpi, programs, folder = sys.argv[1:5]
RANKS = 2


def start(program, arguments, ranks=RANKS, **options):
    more = ["--oversubscribe"] if mpi == "openmpi" else []
    # What changes no nodes can be run again.
    again = [sys.executable, SOURCE / "utils/mpi/openmpi-again.py"] if program == "collectives" else []
    return subprocess.Popen([*again, "mpiexec." + mpi, *more, "-n", str(ranks), "%s/near-%s-%s" % (programs, program, mpi),
                             *map(str, arguments)], text=True, **options)


def nodes(count, *options):
    return [Node("--region", "64M", "--faults", "loss=0.1,duplicate=0.1,reorder=0.1,seed=%d" % i, *options)
            for i in range(count)]


def addresses(of):
    return ",".join(node.address for node in of)


def errors():
    """Of the last node's process, `dies` and `empty` are told the number."""
    of = nodes(2, *(["--engine", "model"] if case == "dies" else []))
    last = [of[1].process.pid] if case in ("dies", "empty") else []
    program = start("errors", [case, addresses(of), 1, folder, *last], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                    **({"stderr": subprocess.STDOUT} if case == "fatal" else {}))
    if case == "empty":
        while program.stdout.readline() != "killed\n":
            assert program.poll() is None
        of[1].process.wait()
        of[1] = Node("--region", "64M", listen=of[1].address)
    out, _ = program.communicate("go\n" if case == "empty" else None, timeout=120)
    print(out, end="")
    if case == "fatal" and program.returncode:
        print("program failed")
    if case == "dies":
        of[1].process.wait()
    print("ended", [node.stop() for node in of if node.process.poll() is None])


def jobs():
    of = nodes(2)
    programs = [start("errors", ["jobs", addresses(of), job, folder], stdin=subprocess.DEVNULL,
                      stdout=subprocess.PIPE) for job in (1, 2)]
    for program in programs:
        print(program.communicate(timeout=120)[0], end="")
    print("ended", [node.stop() for node in of])


def collectives():
    of = nodes(3)
    start("collectives", [addresses(of), folder, 150, random.randrange(2**32)], ranks=3,
          stdin=subprocess.DEVNULL).wait(120)
    print("ended", [node.stop() for node in of])


{"jobs": jobs, "collectives": collectives}.get(case, errors)()
