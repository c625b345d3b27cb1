"""Members of control groups as processes, and an operator: usage: control.py CASE ADDRESS SOCKET SOURCE"""
import json
import multiprocessing
import subprocess
import sys
import time

case, address, socket, source = sys.argv[1:]
sys.path.insert(0, source + "/compiler/python")
from acis import control

SIZE = 3
#: Ranks 0 and 1 have come as far: who waits for a third is not to find the other one late.
both = multiprocessing.Barrier(2)


def group(rank, policy, **more):
    return control.Group(address, job=1, rank=rank, size=SIZE, policy=policy, **more)


def operate(*arguments):
    done = subprocess.run(["acisctl", "--control", socket, "control", *arguments], capture_output=True, text=True)
    return done.stdout or done.stderr.strip()


def stale(rank, start, ends):
    """One member is slower; nobody is more than the bound ahead."""
    furthest = 0
    with group(rank, control.Policy(staleness=2, timeout=30)) as member:
        for i in range(12):
            member.begin(i)
            state = member.look()
            furthest = max(furthest, i - state.floor)
            time.sleep(0.02 if rank == 2 else 0.002)
            member.end(i)
        ends.put((rank, furthest))


def change(rank, start, ends):
    """Held by a bound until the operator changes it."""
    with group(rank, control.Policy(timeout=30), context=5) as member:
        member.begin(0)
        member.end(0)
        if rank == 0:
            for i in range(1, 4):
                member.begin(i)
                member.end(i)
            ends.put((rank, member.look().done))
        else:
            start.wait()


def signal(rank, start, ends):
    """Extra work until the deadline, in the member that is early."""
    policy = control.Policy(extra=control.DEADLINE, deadline=0.3, utility=0.5, timeout=30)
    with group(rank, policy) as member:
        member.begin(0)
        begun = time.monotonic()
        if rank == 2:
            time.sleep(0.6)
        member.end(0)
        done = member.extra(lambda: time.sleep(0.001) or True)
        ends.put((rank, done.tokens > 20 and time.monotonic() - begun < 0.5 if rank < 2 else done.tokens == 0))
        member.begin(1)


def never(rank, start, ends):
    """A member that offers no extra work holds nobody up, and the others do theirs."""
    policy = control.Policy(extra=control.DEADLINE, deadline=0.1, utility=0.5, timeout=30)
    tokens = 0
    with group(rank, policy) as member:
        for i in range(3):
            member.begin(i)
            if rank == 2:
                time.sleep(0.2)
            member.end(i)
            if rank != 1:
                tokens += member.extra(lambda: time.sleep(0.001) or True).tokens
        ends.put((rank, member.look().done, tokens > 10))


def silent(rank, start, ends):
    """A rank that does not go on is named; so is what members say differently."""
    with group(rank, control.Policy(timeout=1)) as member:
        member.begin(0)
        if rank < 2:
            member.end(0)
            both.wait()
            try:
                member.begin(1)
            except control.Error as error:
                ends.put((rank, str(error)))
        start.wait()


def tasks(rank, start, ends):
    """Rank 0 has all tasks, rank 2 takes longer for one; each is run once, in two rounds."""
    policy = control.Policy(staleness=control.UNBOUNDED, imbalance=0.1, timeout=30)
    ran = []
    with group(rank, policy) as member:
        for turn in range(2):
            for number in range(60) if rank == turn else ():
                member.put(b"%d:%d" % (turn, number))
            for task in member.tasks():
                time.sleep(0.01 if rank == 2 else 0.004)
                ran.append(task.decode())
    ends.put((rank, ran))


def dies(rank, start, ends):
    """A member that is killed with tasks in its queue; the others end all that it did not have."""
    policy = control.Policy(staleness=control.UNBOUNDED, imbalance=0.1, timeout=30, survive=True)
    member = group(rank, policy)
    for number in range(100) if rank == 0 else ():
        member.put(b"%d" % number)
    if rank == 2:
        member.next()
        time.sleep(100)  # until it is killed
    ran = []
    for task in member.tasks():
        time.sleep(0.002)
        ran.append(int(task))
    ends.put((rank, ran))
    member.close()


def waits(rank, start, ends):
    """Of a member that never asks for tasks nobody knows that it has none."""
    with group(rank, control.Policy(imbalance=0.1, timeout=1)) as member:
        if rank < 2:
            both.wait()
            try:
                member.next()
            except control.Error as error:
                ends.put((rank, str(error)))
            try:
                member.sum([1.0])
            except control.Error as error:
                ends.put((rank, str(error)))
        start.wait()


def until(condition):
    """The switch's group is so."""
    for _ in range(1000):
        if condition(json.loads(operate("--json"))["groups"][0]):
            return
        time.sleep(0.02)


def sums(rank, start, ends):
    """Two of three are in a sum; who comes too late knows. Then the operator wants all."""
    with group(rank, control.Policy(quorum=2, timeout=30), context=6) as member:
        if rank == 2:
            until(lambda known: known["sums"] == 1)
        ends.put((rank, member.sum([1.0, 10.0 ** rank])))
        if rank == 0:
            operate("--job", "1", "--group", "6", "--quorum", "0")
        until(lambda known: known["quorum"] == 0)
        ends.put((rank, member.sum([1.0, 10.0 ** rank])))


def run(what, operator=None):
    start, ends = multiprocessing.Event(), multiprocessing.Queue()
    members = [multiprocessing.Process(target=what, args=(rank, start, ends), name=str(rank)) for rank in range(SIZE)]
    for member in members:
        member.start()
    wanted = {stale: 3, change: 1, signal: 3, never: 3, silent: 2, tasks: 3, dies: 2, waits: 4, sums: 6}[what]
    if operator:
        operator()
    results = sorted(ends.get(timeout=40) for _ in range(wanted))
    start.set()
    for member in members[:2] if what is dies else members:
        member.join(20)
    return results, [member.exitcode for member in members]


if case == "stale":
    results, codes = run(stale)
    print([rank for rank, _ in results], all(ahead <= 2 for _, ahead in results), max(results)[0], codes)
    print("ahead", max(ahead for _, ahead in results) > 0)
elif case == "change":
    def operator():
        for _ in range(400):
            groups = json.loads(operate("--json"))["groups"]
            if groups and groups[0]["mayBegin"] == 2:
                break
            time.sleep(0.02)
        print(groups[0]["group"], groups[0]["staleness"], groups[0]["done"])
        print(operate("--job", "1", "--group", "7", "--staleness", "3"))
        print(operate("--job", "1", "--group", "5", "--utility", "1.5"))
        print(operate("--job", "1", "--group", "5", "--quorum", "4"))
        operate("--job", "1", "--group", "5", "--staleness", "3")
        print(operate().split("\n")[1].split()[:4])
    print(run(change, operator))
elif case == "signal":
    print(run(signal))
elif case == "never":
    print(run(never))
elif case == "silent":
    for rank, error in run(silent)[0]:
        print(rank, error)
elif case == "tasks":
    results, codes = run(tasks)
    both = [task for _, ran in results for task in ran]
    print(len(both), len(set(both)), codes)
    counts = [len(ran) for _, ran in results]
    print("the slow one has fewest", counts[2] == min(counts), counts[2] > 0)
    print("moved", json.loads(operate("--json")))
elif case == "dies":
    def kill():
        for _ in range(400):
            groups = json.loads(operate("--json"))["groups"]
            if groups and groups[0]["moved"] > 20:
                break
            time.sleep(0.01)
        next(child for child in multiprocessing.active_children() if child.name == "2").kill()

    results, codes = run(dies, kill)
    both = [task for _, ran in results for task in ran]
    print([rank for rank, _ in results], len(both) == len(set(both)), 60 < len(both) < 100, codes[:2])
elif case == "waits":
    for rank, error in run(waits)[0]:
        print(rank, error)
elif case == "sums":
    results, codes = run(sums)
    first = [r for _, r in results if r[1].number == 0]
    print(sorted(r[1].mine for r in first), {(tuple(r[0]), r[1].who, r[1].members) for r in first})
    print([r for _, r in results if r[1].number == 1], codes)
elif case == "bad":
    for policy in (dict(utility=1.5), dict(deadline=-1), dict(deadline=700), dict(deadline=5, timeout=1),
                   dict(quorum=2), dict(extra=7), dict(window=5000), dict(timeout=-1),
                   dict(imbalance=-0.1), dict(imbalance=0.1, settled=0.2)):
        try:
            control.Group(address, job=2, rank=0, size=1, policy=control.Policy(**policy))
        except control.Error as error:
            print(error)
    with control.Group(address, job=2, rank=0, size=1) as alone:
        for call in (lambda: alone.begin(3), lambda: alone.end(0), lambda: alone.begin(0), lambda: alone.end(0),
                     lambda: alone.end(0), lambda: alone.end(1)):
            try:
                call()
            except control.Error as error:
                print(error)
        print(alone.extra(lambda: True).tokens)
        for call in (lambda: alone.put(b"x" * 16384), lambda: alone.put(b"x" * 16385), lambda: alone.sum([]),
                     lambda: alone.sum([1.0] * 2033)):
            try:
                print(call())
            except control.Error as error:
                print(error)
        print(len(alone.next()), alone.next(), alone.sum([2.0]))
    try:
        alone.begin(1)
    except control.Error as error:
        print(error)
