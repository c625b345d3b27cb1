"""A switch that is not there, or ends, is said soon, not after --dead-after and ACIS_DEAD_AFTER (10 s each).

usage: ends.py absent|killed PROGRAM

absent: nobody listens where ACIS_SWITCH says, without and with ACIS_REQUIRE. killed: SIGKILL to the switch
while the program is busy. Prints what the program printed; times are compared here.
"""
import os
import socket
import subprocess
import sys
import time

MOST = 8  # seconds, on a busy machine; nothing is said before 2, or 1 of one that was there
how, program = sys.argv[1:]


def run(**more):
    begin = time.monotonic()
    done = subprocess.run(["acis-mpirun", "-n", "3", "--switch", more.pop("at"), program], capture_output=True, text=True,
                          env={**os.environ, **more}, timeout=60)
    took = time.monotonic() - begin
    assert took < MOST, f"took {took:.1f} s"
    print(done.returncode, done.stdout, done.stderr)


if how == "absent":
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        nowhere = f"127.0.0.1:{free.getsockname()[1]}"
    run(at=nowhere)
    run(at=nowhere, ACIS_REQUIRE="1")
else:
    switch = subprocess.Popen(["acisd"], stdout=subprocess.PIPE, text=True)
    try:
        at = switch.stdout.readline().split()[-1]
        command = subprocess.Popen(["acis-mpirun", "-n", "3", "--switch", at, program, "for-ever"],
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        command.stdout.readline()
        switch.kill()
        begin = time.monotonic()
        out, _ = command.communicate(timeout=60)
        took = time.monotonic() - begin
        print(command.returncode, out)
        assert took < MOST, f"took {took:.1f} s"
    finally:
        switch.kill()
