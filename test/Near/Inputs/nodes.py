"""Memory nodes as processes, for tests."""
import atexit
import pathlib
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parents[3]
OVERLAY = SOURCE / "backend/overlay/descriptions/u280.json"


class Switch:
    def __init__(self, *options, listen="127.0.0.1:0", dead_after="60"):
        self.process = subprocess.Popen(
            ["acisd", "--listen", listen, "--config", OVERLAY, "--dead-after", dead_after, *options],
            stdout=subprocess.PIPE, text=True)
        atexit.register(self.process.kill)
        self.announced()
        self.address = self.process.stdout.readline().split()[-1]

    def announced(self):
        """Lines before the address."""

    def stop(self):
        self.process.terminate()
        return self.process.wait(60)

    def kill(self):
        self.process.kill()
        self.process.wait()


class Node(Switch):
    def announced(self):
        self.region = self.process.stdout.readline().strip()
