"""usage: training-faults.py FOLDER EXAMPLE

A switch that dies while ranks train: an error with the rank, and the way out that it names is one: training goes on from the
weights that were kept, with the losses of a training that was not broken off."""
import os
import pathlib
import re
import subprocess
import sys
import threading

import acis
from acis import client

folder, train = pathlib.Path(sys.argv[1]), f"{sys.argv[2]}/train.py"
os.chdir(folder)
arguments = [sys.executable, train, "--only", "switch", "--deadline", "0.5", "--keep", "kept.npz", "--every", "5"]


def losses(printed):
    return {int(step): loss for step, loss in re.findall(r"^ *(\d+) +([0-9.]+) ", printed, re.MULTILINE)}


with client.local_switch("u280.json", control="dies"):
    process = subprocess.Popen([*arguments, "--steps", "100000", "--switch", "dies"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True)
    timer = threading.Event()
    while not os.path.exists("kept.npz"):
        assert process.poll() is None, process.communicate()[0]
        timer.wait(0.05)
printed = process.communicate(timeout=300)[0]
assert process.returncode != 0, printed
assert re.search(r"train.py: error: rank \d, step \d+: .*; go on from the last --keep with --resume", printed), printed

import numpy
first = int(numpy.load("kept.npz")["steps"])
done = subprocess.run([*arguments, "--steps", str(first + 3), "--resume", "kept.npz"], stdout=subprocess.PIPE, text=True, check=True)
again = losses(done.stdout)
assert sorted(again) == [first, first + 1, first + 2], done.stdout
whole = subprocess.run([*arguments[:4], "--steps", str(first + 3)], stdout=subprocess.PIPE, text=True, check=True)
assert all(losses(whole.stdout)[step] == loss for step, loss in again.items()), (whole.stdout, done.stdout)
