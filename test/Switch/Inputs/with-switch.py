"""Runs a command with a switch of its own.

usage: with-switch.py [acisd options] -- command [arguments]

@ADDRESS@ in the arguments becomes the switch's address. The exit code is the command's;
then acisd is asked to end and must do so cleanly.
"""
import subprocess
import sys

split = sys.argv.index("--")
switch = subprocess.Popen(["acisd"] + sys.argv[1:split], stdout=subprocess.PIPE, text=True)
try:
    address = switch.stdout.readline().split()[-1]
    command = [word.replace("@ADDRESS@", address) for word in sys.argv[split + 1 :]]
    code = subprocess.run(command, timeout=60).returncode
finally:
    switch.terminate()
    rest, _ = switch.communicate(timeout=10)
sys.stdout.flush()
print(rest, end="")
sys.exit(code or switch.returncode)
