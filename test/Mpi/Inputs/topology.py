"""Writes the topology of two leaves below a spine, on ports that are free now.

usage: topology.py FILE
"""
import json
import socket
import sys

sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(3)]
for one in sockets:
    one.bind(("127.0.0.1", 0))
top, a, b = ("%s:%d" % one.getsockname() for one in sockets)
with open(sys.argv[1], "w") as file:
    json.dump({"switches": [{"name": "top", "address": top},
                            {"name": "a", "address": a, "parents": ["top"]},
                            {"name": "b", "address": b, "parents": ["top"]}],
               "hosts": []}, file)
