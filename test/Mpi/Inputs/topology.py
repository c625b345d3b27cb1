"""Writes the topology of two leaves below a spine, on ports that are free now.

usage: topology.py FILE

Each run has an address of the loopback device of its own, so that nobody else takes the ports
before the switches do.
"""
import json
import os
import socket
import sys

host = "127.%d.%d.%d" % tuple(1 + byte % 250 for byte in os.urandom(3))
sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(3)]
for one in sockets:
    one.bind((host, 0))
top, a, b = ("%s:%d" % one.getsockname() for one in sockets)
with open(sys.argv[1], "w") as file:
    json.dump({"switches": [{"name": "top", "address": top},
                            {"name": "a", "address": a, "parents": ["top"]},
                            {"name": "b", "address": b, "parents": ["top"]}],
               "hosts": []}, file)
