"""Members of control groups as processes, and an operator: usage: control.py CASE ADDRESS SOCKET SOURCE"""
import json
import multiprocessing
import subprocess
import sys
import time

case, address, socket, source = sys.argv[1:]
sys.path.insert(0, source + "/runtime/host/client/python")
import acis_control as control

SIZE = 3


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


def silent(rank, start, ends):
    """A rank that does not go on is named; so is what members say differently."""
    with group(rank, control.Policy(timeout=1)) as member:
        member.begin(0)
        if rank < 2:
            member.end(0)
            try:
                member.begin(1)
            except control.Error as error:
                ends.put((rank, str(error)))
        start.wait()


def run(what, operator=None):
    start, ends = multiprocessing.Event(), multiprocessing.Queue()
    members = [multiprocessing.Process(target=what, args=(rank, start, ends)) for rank in range(SIZE)]
    for member in members:
        member.start()
    wanted = {stale: 3, change: 1, signal: 3, silent: 2}[what]
    if operator:
        operator()
    results = sorted(ends.get(timeout=40) for _ in range(wanted))
    start.set()
    for member in members:
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
elif case == "silent":
    for rank, error in run(silent)[0]:
        print(rank, error)
elif case == "bad":
    for policy in (dict(utility=1.5), dict(deadline=-1), dict(deadline=700), dict(deadline=5, timeout=1),
                   dict(quorum=2), dict(extra=7), dict(window=5000), dict(timeout=-1)):
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
    try:
        alone.begin(1)
    except control.Error as error:
        print(error)
