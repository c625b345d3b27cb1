"""Writes the topology of a direct network, on ports that are free now.

usage: engines.py FILE FORM SIZE...
"""
import json
import math
import os
import socket
import sys

form, sizes = sys.argv[2], [int(size) for size in sys.argv[3:]]
count = sizes[0] if form == "tree" else math.prod(sizes)
host = "127.%d.%d.%d" % tuple(1 + byte % 250 for byte in os.urandom(3))
sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(count)]
for one in sockets:
    one.bind((host, 0))
with open(sys.argv[1], "w") as file:
    json.dump({"network": {"form": form, "sizes": sizes},
               "switches": [{"name": f"e{number}", "address": "%s:%d" % one.getsockname()}
                            for number, one in enumerate(sockets)]}, file)
