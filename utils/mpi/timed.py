"""Runs a command for a limited time: a program that hangs is a result, not an accident."""
import os
import signal
import subprocess

HANGS = "hangs"


def timed(command, seconds, **kwargs):
    """(exit code or HANGS, what it printed, what it complained of). What does not end in time is
    ended, with the processes that it started: mpiexec takes its ranks along."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               errors="replace", stdin=subprocess.DEVNULL, start_new_session=True,
                               **kwargs)
    try:
        out, errors = process.communicate(timeout=seconds)
        return process.returncode, out, errors
    except subprocess.TimeoutExpired:
        out, errors = end(process)
        return HANGS, out, errors


def end(process):
    for number, patience in ((signal.SIGTERM, 10), (signal.SIGKILL, 10)):
        try:
            os.killpg(process.pid, number)
            return process.communicate(timeout=patience)
        except ProcessLookupError:
            break
        except subprocess.TimeoutExpired:
            continue
    return "", ""
