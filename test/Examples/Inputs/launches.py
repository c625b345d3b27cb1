"""usage: launches.py stats.json most: fails if more loops were launched or vector
instructions executed than `most` (loads, accumulates and stream-outs of the paper)."""
import json
import sys

names = ("acis.launch", "vle32.v", "streamout.v", "vse32.v")
instructions = json.load(open(sys.argv[1]))["instructions"]
count = sum(instructions.get(name, 0) for name in names)
print(f"{count} launches and vector instructions, the paper has {sys.argv[2]}")
sys.exit(not 0 < count <= int(sys.argv[2]))
