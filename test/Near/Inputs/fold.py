"""usage: fold.py CASE FOLDER SOURCE: memory nodes below a switch that folds what they give.
CASE: work, ends, jobs."""
import array
import os
import pathlib
import random
import secrets
import socket
import subprocess
import sys
import threading

case, folder, source = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
sys.path.insert(0, source + "/compiler/python")
from acis.near import Error, Near
from nodes import Node, Switch

FAULTS = "loss=0.1,duplicate=0.1,reorder=0.1,corrupt=0.05,seed=%d"
FOLDS = {"sum": lambda column: (sum(column) + 2**31) % 2**32 - 2**31, "min": min, "max": max}


def cluster(count, *options, faults=False, dead_after="60"):
    def own(seed):
        return ["--faults", FAULTS % seed] if faults else []
    switch = Switch(*options, *own(99), dead_after=dead_after)
    return switch, [Node("--region", "16M", "--fold-at", switch.address, *options, *own(i),
                         dead_after=dead_after) for i in range(count)]


def names(nodes):
    return ",".join(node.address for node in nodes)


def ints(count):
    return array.array("i", [random.randrange(-2**31, 2**31) for _ in range(count)])


def is_right(near, count, op="sum"):
    """A reduction of random numbers, and one on every node."""
    each = [ints(count) for _ in range(near.nodes)]
    expected = [FOLDS[op](column) for column in zip(*each)]
    block = near.alloc(4 * count)
    near.scatter(sum(each, array.array("i")), block)
    ok = list(near.reduce(block, "i4", op, array.array("i", bytes(4 * count)))) == expected
    near.allreduce(block, "i4", op, count)
    ok &= list(near.gather(block, array.array("i", bytes(4 * count * near.nodes)))) == expected * near.nodes
    block.free()
    return ok


def bytes_of_reduction(near, block, data):
    near.reduce(block, "f8", "sum", data)
    before = near.traffic[1]
    near.reduce(block, "f8", "sum", data)
    return near.traffic[1] - before


def work(faults):
    switch, nodes = cluster(3, faults=faults)
    with Near(names(nodes)) as near:
        print("right", all(is_right(near, count, op) for count in (1, 7, 5000, 20_001) for op in FOLDS),
              near.folds_in_switch)
        total = near.load(str(folder / "sum.acis"), "mpi_sum_local")
        numbers = near.alloc(400)
        near.scatter(array.array("i", range(300)), numbers)
        print("partial sums", near.reduce(near.reduce_local(total, numbers, 100), "i4", "sum") == 300 * 299 // 2)
        reals = near.alloc(8 * 1000)
        near.bcast(array.array("d", [k / 8 for k in range(1000)]), reals)
        result = array.array("d", bytes(8000))
        there = bytes_of_reduction(near, reals, result)
        ok = list(result) == [3 * k / 8 for k in range(1000)]
        near.fold_in_switch(False)
        here = bytes_of_reduction(near, reals, result)
        print("reals", ok and list(result) == [3 * k / 8 for k in range(1000)], near.folds_in_switch)
        if not faults:
            print("a third of the results' bytes", 24_000 < here < 25_200 and 8_000 < there < 9_200)
    print("ended", [node.stop() for node in (*nodes, switch)])


def ends():
    """One that cannot fold, a switch that dies, a node that dies: nothing is wrong, nothing hangs."""
    switch, nodes = cluster(2)
    other = Node("--region", "1M")
    with Near(names([*nodes, other])) as near:
        print("one without", is_right(near, 9), near.folds_in_switch)
    other.stop()
    with Near(names(nodes), job=2) as near:
        near.timeout(20)
        print("before", is_right(near, 9), near.folds_in_switch)
        switch.kill()
        print("without switch", is_right(near, 9), near.folds_in_switch)
    for node in nodes:
        node.stop()
    switch, nodes = cluster(3, dead_after="2")
    near = Near(names(nodes))
    near.timeout(20)
    block = near.alloc(100)
    print("before", is_right(near, 9), near.folds_in_switch)
    nodes[1].kill()
    try:
        near.reduce(block, "i4", "sum", array.array("i", bytes(100)))
    except Error as error:
        print(error.kind, names(nodes[1:2]) in str(error))
    print("others", near.get(2, block, bytearray(100)) == bytes(100))
    near.close()
    with Near(names([nodes[0], nodes[2]]), job=3) as rest:
        print("rest", is_right(rest, 9), rest.folds_in_switch)


def forge(addresses, stop):
    """What is no packet, and what looks like one of the nodes' job."""
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    targets = [(host, int(port)) for host, port in (address.rsplit(":", 1) for address in addresses)]
    while not stop.wait(0.0005):
        kind, job = random.choice([1, 3, 6, 10, 14, 17, 40, 41]), random.choice([1, 2]) | 2**31
        packet = bytearray(random.randbytes(random.choice([80, 96, 400])))
        packet[:8] = bytes([0xac, 11, kind, 0]) + job.to_bytes(4, "little")
        udp.sendto(packet, random.choice(targets))


def jobs():
    """Two jobs of two ranks each at the same time, with keys, loss and forged packets."""
    key = folder / "key"
    key.write_text(secrets.token_hex(16) + "\n")
    key.chmod(0o600)
    switch, nodes = cluster(3, "--key-file", key, faults=True)
    of_job = {job: subprocess.run(["acisctl", "job-key", "--key-file", key, "--job", str(job)], capture_output=True,
                                  text=True, check=True).stdout.strip() for job in (1, 2)}
    results, stop = [], threading.Event()
    together = threading.Barrier(4)

    def rank(job, number):
        with Near(names(nodes), job=job, key=of_job[job], rank=number, size=2) as near:
            together.wait(30)
            results.append(all(is_right(near, 50 + number) for _ in range(5)) and near.folds_in_switch)
            together.wait(30)

    threads = [threading.Thread(target=rank, args=(job, number)) for job in (1, 2) for number in (0, 1)]
    forger = threading.Thread(target=forge, args=([node.address for node in (*nodes, switch)], stop))
    for thread in (*threads, forger):
        thread.start()
    for thread in threads:
        thread.join()
    stop.set()
    forger.join()
    print("jobs", results)
    print("ended", [node.stop() for node in (*nodes, switch)])


random.seed(25)
if case == "work":
    work(faults=False)
    work(faults=True)
else:
    {"ends": ends, "jobs": jobs}[case]()
