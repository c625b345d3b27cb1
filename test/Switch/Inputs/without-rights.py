"""Runs a command as nobody, if this is root."""
import os
import sys

if os.geteuid() == 0:
    os.setgroups([])
    os.setresgid(65534, 65534, 65534)
    os.setresuid(65534, 65534, 65534)
os.execvp(sys.argv[1], sys.argv[1:])
