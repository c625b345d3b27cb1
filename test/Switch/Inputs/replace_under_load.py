"""usage: replace_under_load.py FOLDER OVERLAY [OPTION...]: handlers replace each other on a port that
gets packets all the time; every packet is answered, by one of them. The options are acisd's."""
import pathlib
import re
import socket
import struct
import subprocess
import sys
import threading

folder, overlay = pathlib.Path(sys.argv[1]), sys.argv[2]
SENDERS, WINDOW = (32, 4) if "--workers" in sys.argv else (3, 24)
control = folder / "control.sock"
process = subprocess.Popen(["acisd", "--config", overlay, "--control", control, *sys.argv[3:],
                            "--handler", folder / "add.acis"], stdout=subprocess.PIPE, text=True)
address = process.stdout.readline().split()[-1]
host, port = address.rsplit(":", 1)
replaced = threading.Event()
sent, by_add, by_sum, wrong = ([0] * SENDERS for _ in range(4))


def send(index):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.connect((host, int(port)))
        client.settimeout(10)
        while not replaced.is_set():
            words = [struct.pack("<2I", sent[index] + n, 1000 * index) for n in range(WINDOW)]
            for word in words:
                client.send(word)
            for n in range(WINDOW):  # in order: one flow, one socket
                number, answer = sent[index] + n, client.recv(100)
                added = answer == struct.pack("<2I", number + 42, 1000 * index + 42)
                summed = answer == struct.pack("<I", number + 1000 * index)
                by_add[index] += added
                by_sum[index] += summed
                wrong[index] += not added and not summed
            sent[index] += WINDOW


threads = [threading.Thread(target=send, args=(index,)) for index in range(SENDERS)]
for thread in threads:
    thread.start()
for turn in range(10):
    subprocess.run(["acisctl", "--control", control, "load",
                    folder / ("add.acis" if turn % 2 else "sum.acis"), "--listen", address],
                   check=True, stdout=subprocess.DEVNULL)
replaced.set()
for thread in threads:
    thread.join()
print("all answered", sum(sent) == sum(by_add) + sum(by_sum), "wrong", sum(wrong))
print("by both", min(sum(by_add), sum(by_sum)) > 0)
metrics = subprocess.run(["acisctl", "--control", control, "metrics"], capture_output=True,
                         text=True, check=True).stdout
for name in ("packets_received", "packets_sent"):
    value = re.search(rf"^acis_port_{name}{{.*}} (\d+)$", metrics, re.M)
    print(name, int(value[1]) == sum(sent))
print(re.search(r"^acis_port_replacements{.*} (\d+)$", metrics, re.M)[1], "replacements")
by_worker = [int(n) for n in re.findall(
    r"^acis_port_worker_packets_received{.*} (\d+)$", metrics, re.M)]
print(len(by_worker), "workers, all had packets", min(by_worker) > 0,
      "and together all", sum(by_worker) == sum(sent))
process.terminate()
print("exit", process.wait(timeout=10))
