"""Runs a command that writes an FST file and looks into it: header, times, names of signals.

usage: waveform.py FILE COMMAND...

The file is a sequence of blocks: type, length in 8 bytes, content; block 0 is the header,
blocks 4, 6 and 7 the hierarchy, packed by gzip or LZ4."""
import gzip
import struct
import subprocess
import sys

NAMES = ("acis_core", "clk_i", "i_sequencer", "slot_q")


def hierarchy(kind, body):
    """In LZ4 a name stands as it is where it occurs first."""
    return gzip.decompress(body[8:]) if kind == 4 else body


path, command = sys.argv[1], sys.argv[2:]
done = subprocess.run(command, capture_output=True, text=True)
if done.returncode:
    print(done.stderr)
    sys.exit(0)
data = open(path, "rb").read()
at, names, header = 0, b"", None
while at < len(data):
    kind, length = data[at], struct.unpack(">Q", data[at + 1:at + 9])[0]
    body = data[at + 9:at + 1 + length]
    if kind == 0:
        begin, end = struct.unpack(">QQ", body[:16])
        euler = struct.unpack("<d", body[16:24])[0]
        memory, scopes, variables = struct.unpack(">QQQ", body[24:48])
        assert abs(euler - 2.7182818284590452) < 1e-15 and begin == 0 and end > 1000, (euler, begin, end)
        assert scopes > 20 and variables > 1000, (scopes, variables)
    if kind in (4, 6, 7):
        names += hierarchy(kind, body)
    at += 1 + length
print(variables, "signals, found:", *(name for name in NAMES if name.encode() in names))
