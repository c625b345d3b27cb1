#!/usr/bin/env python3
"""Runs a command that starts Open MPI's mpiexec, and again where mpiexec got it wrong.

usage: openmpi-again.py COMMAND...

A rank of Open MPI 4.1 waits for two seconds, in MPI_Finalize, until mpiexec has heard that it
ends. Where mpiexec has no core for so long, the rank ends without, and mpiexec says that it was
"exiting improperly" and returns 1, though all ranks ended well. Such a run is made again, at most
twice: a program that does end without MPI_Finalize does so each time.
"""
import subprocess
import sys
import threading

MARK = "exiting improperly"
MOST_RUNS = 3


def run(command):
    """The exit code, and whether mpiexec complains; passes on what is said on standard error."""
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, errors="replace")
    complaints = []

    def relay():
        for line in process.stderr:
            complaints.append(MARK in line)
            sys.stderr.write(line)
            sys.stderr.flush()

    reader = threading.Thread(target=relay, daemon=True)
    reader.start()
    code = process.wait()
    reader.join(timeout=10)  # a process that was left behind may hold the pipe
    return code, any(complaints)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.split("\n\n")[1])
    for _ in range(MOST_RUNS):
        code, complains = run(sys.argv[1:])
        if code != 1 or not complains:
            break
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main())
