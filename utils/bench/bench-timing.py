#!/usr/bin/env python3
"""What repetition costs: more ranks than cores, long messages over a real MTU, loss.

usage: bench-timing.py crowd [--ranks 64,128,256] [--bytes 64] [--seconds S] [--switch-only]
       bench-timing.py mtu   [--bytes 800000] [--seconds S] [--rate 1gbit]
       bench-timing.py loss  [--ranks 4] [--rates 0,0.01,0.1] [--bytes 4,64,4096,262144] [--seconds S]

crowd  Allreduce by so many ranks on this machine, through one switch and by MPICH over TCP on the
       loopback device.
mtu    Allreduce and Bcast between two hosts in network namespaces, each behind a veth of MTU 1500,
       the switch on a third; MPICH over TCP on the same network. Needs root.
loss   Allreduce where datagrams are lost at these rates, on the way to the switch and back.

Each row: median time of a call, processor time of the whole run, start and switch included, divided by the
calls that were measured (microseconds; of mtu without the switch), and what the ranks sent through
the switch: packets, and messages that were sent again. The load of the machine stands above
each row; only rows of one run are comparable.
"""
import argparse
import importlib.util
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve()
ROOT = HERE.parents[2]
# Everything goes to the switch, as if each rank had a host of its own.
APART = {"ACIS_PLACEMENT": "apart", "ACIS_MOVE_BYTES": str(2**64 - 1), "ACIS_MAX_BYTES": str(2**40)}


def bench_mpi():
    spec = importlib.util.spec_from_file_location("bench_mpi", HERE.with_name("bench-mpi.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def load():
    return " ".join(pathlib.Path("/proc/loadavg").read_text(encoding="utf-8").split()[:3])


def spent():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measured(run, command, environment, collective, size, seconds, program, patience=2):
    """(median, processor time of all of the run for each measured call) of one figure, or why there is none."""
    before = spent()
    try:
        lines = run([*command, program, f"={size}", str(seconds), collective], environment, limit=240, patience=patience)
    except SystemExit as stopped:
        return str(stopped)
    rows = [line.split() for line in lines if line.startswith(collective + " ")]
    return next(((float(r[3]), 1e6 * (spent() - before) / int(r[5])) for r in rows if int(r[1]) == size), "no figure")


def repeats(folder):
    """From the report of the ranks: packets and repeated messages."""
    report = pathlib.Path(folder, "why")
    text = report.read_text(encoding="utf-8") if report.exists() else ""
    found = re.search(r"sent (\d+) packets, \d+ bytes; (\d+) messages were repeated", text)
    return found.groups() if found else ("?", "?")


def row(cells):
    print("| " + " | ".join(str(c) for c in cells) + " |", flush=True)


def figure(result):
    return (f"{result[0]:.0f}", f"{result[1]:.0f}") if isinstance(result, tuple) else (result, "-")


def compare(run, options, ranks, size, collective, plain, switch):
    """One row: MPICH over TCP, then through the switch."""
    before = load()
    program = f"{options.build}/mpi/mpi-latency-mpich"
    one = "-" if options.switch_only else measured(run, plain[0], plain[1], collective, size, options.seconds, program)
    with tempfile.TemporaryDirectory() as folder:
        command = [f"--why={folder}/why" if word == "WHY" else word for word in switch[0]]
        two = measured(run, command, switch[1], collective, size, options.seconds, program, 30)
        sent = repeats(folder)
    times = isinstance(one, tuple) and isinstance(two, tuple)
    row([collective, ranks, size, *figure(one), *figure(two),
         f"{two[0] / one[0]:.2f}" if times else "-", f"{two[1] / max(one[1], 1e-3):.2f}" if times else "-", *sent, before])


def head():
    row(["collective", "ranks", "bytes", "MPICH us", "its cpu us", "switch us", "its cpu us", "ratio", "of cpu",
         "packets", "repeated", "load before"])
    row(["---"] + ["--:"] * 11)


def crowd(options):
    tool = bench_mpi()
    head()
    for ranks in options.ranks.split(","):
        for size in map(int, options.bytes.split(",")):
            compare(tool.run, options, ranks, size, "Allreduce", (["mpiexec.mpich", "-n", ranks], tool.TCP),
                    ([f"{options.build}/bin/acis-mpirun", "-n", ranks, "WHY"], {**tool.TCP, **APART}))


def loss(options):
    tool = bench_mpi()
    for rate in options.rates.split(","):
        print(f"\nloss {100 * float(rate):g} %\n")
        head()
        faults = ["--switch-arg=--faults", f"--switch-arg=loss={rate},seed=2"] if float(rate) else []
        for size in map(int, options.bytes.split(",")):
            compare(tool.run, options, options.ranks, size, "Allreduce",
                    (["mpiexec.mpich", "-n", options.ranks], tool.TCP),
                    ([f"{options.build}/bin/acis-mpirun", "-n", options.ranks, "WHY", *faults],
                     {**tool.TCP, **APART, "ACIS_FAULTS": f"loss={rate},seed=1"}))


def mtu(options):
    """Inside of namespaces.py, which starts this script again."""
    if "CLUSTER_HOSTS" not in os.environ:
        command = [sys.executable, str(ROOT / "utils/mpi/namespaces.py"), "--names", "h0,h1,leaf"]
        if options.rate:
            command += ["--rate", options.rate]
        return subprocess.run([*command, "--", sys.executable, str(HERE), *sys.argv[1:]], check=False).returncode
    tool = bench_mpi()
    build = pathlib.Path(options.build).resolve()
    options.build = str(build)
    switch = subprocess.Popen([os.environ["CLUSTER_SHELL"], "leaf", f"exec {build}/bin/acisd --listen 10.77.0.12:9000 {options.acisd}"],
                              stdout=subprocess.PIPE, text=True)
    while not switch.stdout.readline().startswith("acisd: listening"):
        if switch.poll() is not None:
            return 1
    remote = ["-launcher", "ssh", "-launcher-exec", os.environ["CLUSTER_SHELL"], "-hosts", "h0,h1"]
    tcp = {"UCX_TLS": "tcp,self", "UCX_NET_DEVICES": "eth0"}
    plain = ["mpiexec.mpich", *remote, "-n", "2"]
    ours = [f"{build}/bin/acis-mpirun", "-n", "2", "--switch", "10.77.0.12:9000", "--job", "7", "WHY",
            *(f"--launcher-arg={word}" for word in remote)]
    head()
    try:
        for size in map(int, options.bytes.split(",")):
            for collective in ("Allreduce", "Bcast"):
                compare(tool.run, options, 2, size, collective, (plain, tcp), (ours, {**tcp, **APART}))
    finally:
        switch.terminate()
        switch.wait()
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("crowd", "mtu", "loss"))
    parser.add_argument("--build", default="build/dev")
    parser.add_argument("--ranks", default=None, help="numbers of ranks")
    parser.add_argument("--bytes", default=None, help="sizes; of those that mpi-latency knows")
    parser.add_argument("--seconds", type=float, default=1, help="for each figure")
    parser.add_argument("--rates", default="0,0.01,0.1", help="of loss")
    parser.add_argument("--rate", default="", help="of each link (mtu), as tc has it")
    parser.add_argument("--switch-only", action="store_true", help="without MPICH beside it")
    parser.add_argument("--acisd", default="", help="more arguments of the switch (mtu)")
    options = parser.parse_args()
    options.bytes = options.bytes or {"crowd": "64", "mtu": "800000", "loss": "4,4096,262144"}[options.what]
    options.ranks = options.ranks or {"crowd": "64,128,256", "mtu": "2", "loss": "4"}[options.what]
    return {"crowd": crowd, "mtu": mtu, "loss": loss}[options.what](options) or 0


if __name__ == "__main__":
    sys.exit(main())
