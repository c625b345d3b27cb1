"""usage: mtu.py SOURCE [host]: a memory node and a switch that steers a group, both on one host of a network whose
packets have 1500 bytes, used from another one: long blocks, sums and tasks arrive, and no datagram travels as
fragments of IP. Runs itself in the hosts of utils/mpi/namespaces.py."""
import array
import multiprocessing
import os
import pathlib
import random
import re
import subprocess
import sys

SOURCE = sys.argv[1]
NODE, SWITCH = "10.77.0.11:9300", "10.77.0.11:9301"
FAULTS = "loss=0.02,duplicate=0.02,reorder=0.02"


def near():
    from acis.near import Near
    data = array.array("i", [random.randrange(-2**31, 2**31) for _ in range(30_000)])
    with Near(NODE) as node:
        block = node.alloc(4 * len(data))
        node.put(0, block, data)
        return node.get(0, block, array.array("i", bytes(4 * len(data)))) == data


def member(rank, results):
    """Sums of shares of 12 KB, and tasks of 10 KB, all put by rank 0."""
    from acis import control
    ok, tasks = True, []
    with control.Group(SWITCH, job=2, rank=rank, size=2, policy=control.Policy(imbalance=0.1)) as group:
        for number in range(10):
            total, made = group.sum([float(i * number + rank) for i in range(1500)])
            ok &= total == [2.0 * i * number + 1 for i in range(1500)] and made.number == number
        for number in range(20 if rank == 0 else 0):
            group.put(bytes([number]) * 10_000)
        for task in group.tasks():
            ok &= len(task) == 10_000 and len(set(task)) == 1
            tasks.append(task[0])
    results.put((ok, tasks))


def on_host():
    sys.path.insert(0, SOURCE + "/compiler/python")
    print("blocks", near())
    results = multiprocessing.Queue()
    members = [multiprocessing.Process(target=member, args=(rank, results)) for rank in range(2)]
    for one in members:
        one.start()
    found = [results.get(timeout=120) for _ in members]
    for one in members:
        one.join()
    print("sums", all(ok for ok, _ in found))
    print("tasks", sorted(tasks for _, some in found for tasks in some) == list(range(20)))


def counters(host):
    """Of IP and UDP there: by name."""
    text = subprocess.run([os.environ["CLUSTER_SHELL"], host, "cat /proc/net/snmp"], stdout=subprocess.PIPE, text=True,
                          check=True).stdout
    lines = {}
    for kind, rest in re.findall(r"^(\w+): (.*)$", text, flags=re.M):
        lines.setdefault(kind, []).append(rest.split())
    return {kind + name: int(value) for kind, (names, values) in lines.items() for name, value in zip(names, values)}


def main():
    shell = os.environ["CLUSTER_SHELL"]
    servers = []
    for command in (f"exec acis-memd --region 16M --listen {NODE} --faults {FAULTS},seed=1",
                    f"exec acisd --listen {SWITCH} --faults {FAULTS},seed=2"):
        servers.append(subprocess.Popen([shell, "h1", command], stdout=subprocess.PIPE, text=True))
        for line in servers[-1].stdout:
            if "listening on" in line:
                break
    done = subprocess.run([shell, "h0", f"{sys.executable} {pathlib.Path(__file__).resolve()} {SOURCE} host"], check=False)
    for host in ("h0", "h1"):
        found = counters(host)
        print(host, "sent", "many" if found["UdpOutDatagrams"] >= 40 else found["UdpOutDatagrams"], "fragments", found["IpFragCreates"])
    for server in servers:
        server.terminate()
        server.wait()
    return done.returncode


sys.exit(on_host() if sys.argv[2:] == ["host"] else main())
