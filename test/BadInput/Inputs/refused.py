# Runs a command that has to fail, twice: without its output file and with an older one.
# Both times the exit code is 1, the messages are the same, and no file changes.
import os
import subprocess
import sys

output, command = sys.argv[1], sys.argv[2:]
folder = os.path.dirname(os.path.abspath(output))


def files():
    found = {}
    for path, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(path, name), "rb") as file:
                found[os.path.join(path, name)] = file.read()
    return found


def run():
    before = files()
    done = subprocess.run(command, capture_output=True, timeout=60)
    if done.returncode != 1:
        sys.exit(f"exit code {done.returncode}, expected is 1\n{done.stderr.decode()}")
    after = files()
    for name in before.keys() | after.keys():
        if before.get(name) != after.get(name):
            sys.exit(f"{name} was created, changed or removed")
    return done.stderr.decode() + done.stdout.decode()


if os.path.exists(output):
    sys.exit(f"{output} is left from an earlier command")
text = run()
with open(output, "w") as file:
    file.write("older output")
again = run()
os.remove(output)
if again != text:
    sys.exit(f"the messages differ with an older output file:\n{text}\n{again}")
print(text, end="")
