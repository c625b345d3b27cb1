"""usage: counts.py stats.json in.bin loads accumulates sends: fails if the run took more than
the paper's counts of any of the three. A launch sends a block of results or accumulates;
the stream says in its first word how many blocks there are."""
import json
import struct
import sys

counts = json.load(open(sys.argv[1]))["instructions"]
sends = struct.unpack("<I", open(sys.argv[2], "rb").read(4))[0]
ours = (sum(counts.get(name, 0) for name in ("vle32.v", "vlb32.v")),
        counts["acis.launch"] - sends, sends + counts.get("streamout.v", 0))
paper = tuple(map(int, sys.argv[3:]))
print(f"loads, accumulates, sends: {ours}, the paper has {paper}")
sys.exit(not all(0 < our <= their for our, their in zip(ours, paper)))
