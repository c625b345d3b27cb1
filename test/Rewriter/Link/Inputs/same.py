"""Fails if programs do not print the same, line by line in any order.

usage: same.py MPI RANKS,... PROGRAM PROGRAM...
"""
import subprocess
import sys

mpi, ranks, programs = sys.argv[1], sys.argv[2].split(","), sys.argv[3:]
for count in ranks:
    said = []
    for program in programs:
        done = subprocess.run([f"mpiexec.{mpi}", "-n", count, program], stdout=subprocess.PIPE,
                              text=True, timeout=300)
        said.append((done.returncode, sorted(done.stdout.splitlines())))
    if not said[0][1] or any(one != said[0] for one in said):
        sys.exit(f"on {count} ranks: {said}")
