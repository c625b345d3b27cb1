"""usage: worker_status.py FOLDER OVERLAY: what acisctl says of handlers with and without state on a
switch with two workers."""
import pathlib
import re
import subprocess
import sys

folder, overlay = pathlib.Path(sys.argv[1]), sys.argv[2]
control = folder / "state.sock"
process = subprocess.Popen(["acisd", "--config", overlay, "--control", control, "--workers", "2",
                            "--handler", folder / "sum.acis"], stdout=subprocess.PIPE, text=True)
process.stdout.readline()


def acisctl(*arguments):
    return subprocess.run(["acisctl", "--control", control, *arguments], check=True, text=True,
                          stdout=subprocess.PIPE).stdout


for state in ("one", "each"):
    acisctl("load", folder / "quantise.acis", "--listen", "127.0.0.1:0", "--state", state)
for line in acisctl("status").splitlines():
    if re.search("fast|worker", line):
        print(" ".join(re.sub(r"^127\S+", "", line).split()))
process.terminate()
process.wait(timeout=10)
