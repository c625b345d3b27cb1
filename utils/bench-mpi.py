#!/usr/bin/env python3
"""Latency of collectives through a switch against MPICH over TCP, side by side.

usage: bench-mpi.py [--build FOLDER] [--ranks 4,8] [--largest BYTES] [--rounds N] [--seconds S]

Runs both in turn, `rounds` times, and prints for each collective and size the medians in
microseconds, their ratio (below 1: the switch is faster) and the processor time of a rank.
Both use the loopback device of this machine; shared memory is off for MPICH, which is
proven by what UCX says of its endpoints.
"""
import argparse
import os
import statistics
import subprocess
import sys

TCP = {"UCX_TLS": "tcp,self", "UCX_NET_DEVICES": "lo", "MPIR_CVAR_NOLOCAL": "1"}


def run(command, environment, merge=False):
    done = subprocess.run(command, env={**os.environ, **environment}, text=True, check=True,
                          stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT if merge else subprocess.DEVNULL)
    return done.stdout


def prove_tcp(program):
    """Fails unless every endpoint between ranks is TCP over loopback."""
    log = run(["mpiexec.mpich", "-n", "2", program, "4", "0.001"],
              {**TCP, "UCX_LOG_LEVEL": "info"}, merge=True)
    endpoints = [line.split("ep_cfg")[1] for line in log.splitlines() if "ep_cfg" in line]
    if not endpoints or any("sysv" in e or "posix" in e or "cma" in e for e in endpoints):
        sys.exit("error: MPICH does not use TCP here; its endpoints are " + str(endpoints))
    return sorted({e.split("]:")[1].strip() for e in endpoints})


def figures(text):
    """(collective, bytes) -> (microseconds, processor microseconds)"""
    rows = (line.split() for line in text.splitlines() if line and line[0].isupper())
    return {(r[0], int(r[1])): (float(r[2]), float(r[3])) for r in rows if len(r) == 5}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build/dev")
    parser.add_argument("--ranks", default="4,8")
    parser.add_argument("--largest", default=str(4 << 20))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", default="0.05")
    options = parser.parse_args()
    program = f"{options.build}/mpi/mpi-latency-mpich"
    print("MPICH's endpoints: " + "; ".join(prove_tcp(program)))
    print(f"Load of the machine at the start: {os.getloadavg()[0]:.1f} "
          f"on {os.cpu_count()} cores\n")
    for ranks in options.ranks.split(","):
        arguments = [program, options.largest, options.seconds]
        commands = {
            "switch": ([f"{options.build}/bin/acis-mpirun", "-n", ranks, *arguments], TCP),
            "mpich": (["mpiexec.mpich", "-n", ranks, *arguments], TCP),
        }
        rounds = {name: [] for name in commands}
        for _ in range(options.rounds):
            for name, (command, environment) in commands.items():
                rounds[name].append(figures(run(command, environment)))
        print(f"{ranks} ranks\n\n| collective | bytes | switch us | MPICH us | ratio "
              "| switch CPU us | MPICH CPU us |\n|---|--:|--:|--:|--:|--:|--:|")
        for key in rounds["mpich"][0]:
            us = {n: statistics.median(r[key][0] for r in rounds[n]) for n in rounds}
            cpu = {n: statistics.median(r[key][1] for r in rounds[n]) for n in rounds}
            print(f"| {key[0]} | {key[1]} | {us['switch']:.1f} | {us['mpich']:.1f} "
                  f"| {us['switch'] / us['mpich']:.2f} | {cpu['switch']:.1f} "
                  f"| {cpu['mpich']:.1f} |")
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
