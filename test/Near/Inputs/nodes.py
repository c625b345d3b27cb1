"""Memory nodes as processes, for tests."""
import pathlib
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parents[3]
OVERLAY = SOURCE / "backend/overlay/descriptions/u280.json"


class Node:
    def __init__(self, *options, listen="127.0.0.1:0"):
        self.process = subprocess.Popen(
            ["acisd", "--listen", listen, "--config", OVERLAY, "--dead-after", "60", *options],
            stdout=subprocess.PIPE, text=True)
        self.region = self.process.stdout.readline().strip()
        self.address = self.process.stdout.readline().split()[-1]

    def stop(self):
        self.process.terminate()
        return self.process.wait(60)

    def kill(self):
        self.process.kill()
        self.process.wait()
