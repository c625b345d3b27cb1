#!/usr/bin/env python3
"""Kills the switch (SIGKILL) while an MPI program is busy with it.

usage: kill-switch.py [ACISD-OPTION... --] COMMAND...   COMMAND runs with ACIS_SWITCH set

Prints what the command printed, and fails if it does not end within 30 seconds.
"""
import os
import subprocess
import sys
import time

arguments = sys.argv[1:]
options = arguments[:arguments.index("--")] if arguments[0].startswith("-") else []
if options:
    arguments = arguments[len(options) + 1:]
switch = subprocess.Popen(["acisd", "--dead-after", "1", *options], stdout=subprocess.PIPE, text=True)
try:
    address = switch.stdout.readline().split()[-1]
    environment = dict(os.environ, ACIS_SWITCH=address, ACIS_DEAD_AFTER="1")
    command = subprocess.Popen(arguments, env=environment, stdout=subprocess.PIPE, text=True)
    command.stdout.readline()  # the program says that it has begun
    time.sleep(0.2)
    switch.kill()
    out, _ = command.communicate(timeout=30)
    print(out)
finally:
    switch.kill()
