"""Changes the record of an object: record.py OBJECT FIELD JSON, or OBJECT - TEXT for all of it."""
import json
import subprocess
import sys

target, field, value = sys.argv[1:]
subprocess.run(["objcopy", "-O", "binary", "--only-section=.acis.mpi",
                "--set-section-flags=.acis.mpi=alloc", target, "text"], check=True)
with open("text", "rb") as file:
    text = file.read()
if field == "-":
    text = value.encode()
else:
    fields = json.loads(text)
    fields[field] = json.loads(value)
    text = json.dumps(fields).encode() + b"\n"
with open("text", "wb") as file:
    file.write(text)
subprocess.run(["objcopy", "--update-section=.acis.mpi=text", target], check=True)
