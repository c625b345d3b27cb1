#!/usr/bin/env python3
"""Many collectives over real sockets with faults made on purpose: no result may be wrong or
missing.

usage: mpi-soak.py [--build FOLDER] [--calls N] [--ranks N] [--rates 0.01,0.1]
                   [--mpi mpich,openmpi] [--switches 1|3] [--seed N] [--limit SECONDS]

For each MPI library and rate, N random collectives (kind, size, root, operation,
communicator; some several at a time) are made by so many ranks and each is compared with
the MPI library. Datagrams are lost, doubled, reordered and damaged at that rate, on the way
to the switch and back. With --switches 3 the ranks are on two leaves below a spine.

A run that takes more than the limit is ended, and counts as missing. MPICH polls without
pause, and each result is compared with its own: without a core for each rank its part takes
far longer than the switch's. Open MPI yields.
"""
import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time


def topology(folder):
    name = os.path.join(folder, "net.json")
    switches = [{"name": "top", "address": "127.0.0.1:9720"}]
    switches += [{"name": leaf, "address": f"127.0.0.1:972{number}", "parents": ["top"]}
                 for number, leaf in ((1, "a"), (2, "b"))]
    with open(name, "w", encoding="utf-8") as file:
        json.dump({"switches": switches, "hosts": []}, file)
    return name


def soak(options, mpi, rate, folder):
    """Whether all went well; prints a row of the table."""
    def faults(seed):
        return ",".join(f"{kind}={rate}" for kind in
                        ("loss", "duplicate", "reorder", "corrupt")) + f",seed={seed}"
    why = os.path.join(folder, f"why-{mpi}-{rate}")
    command = [f"{options.build}/bin/acis-mpirun", "-n", str(options.ranks), f"--why={why}",
               "--switch-arg=--faults", f"--switch-arg={faults(options.seed + 1)}"]
    if options.switches == 3:
        command += ["--topology", topology(folder)]
    command += [f"{options.build}/mpi/mpi-random-{mpi}", str(options.calls), str(options.seed)]
    start = time.monotonic()
    process = subprocess.Popen(command, env={**os.environ, "ACIS_PLACEMENT": "apart", "ACIS_FAULTS": faults(options.seed)},
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, start_new_session=True)
    try:
        out, _ = process.communicate(timeout=options.limit)
    except subprocess.TimeoutExpired:
        process.terminate()  # acis-mpirun ends what it has started
        try:
            out, _ = process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, _ = process.communicate()
        out += f"\nnot done after {options.limit:g} seconds"
    good = process.returncode == 0 and "No Errors" in out
    report = open(why, encoding="utf-8").read() if os.path.exists(why) else ""
    offloaded = re.search(r"acis: (\d+) of (\d+)", report)
    sent = re.search(r"sent (\d+) packets, \d+ bytes; (\d+) messages", report)
    print(f"| {mpi} | {options.ranks} | {options.switches} | {100 * rate:g} % | {options.calls} | "
          f"{offloaded[1] if offloaded else '?'} | {sent[1] if sent else '?'} | "
          f"{sent[2] if sent else '?'} | {time.monotonic() - start:.0f} | "
          f"{'none' if good else 'SOME'} |", flush=True)
    if not good:
        print(out[-3000:])
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build/dev")
    parser.add_argument("--calls", type=int, default=10000)
    parser.add_argument("--ranks", type=int, default=8)
    parser.add_argument("--rates", default="0.01,0.1")
    parser.add_argument("--mpi", default="mpich,openmpi")
    parser.add_argument("--switches", type=int, default=1, choices=(1, 3))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=3600, help="seconds for each run")
    options = parser.parse_args()
    print("| MPI | ranks | switches | faults of each kind | collectives | offloaded calls of all "
          "ranks | packets of the ranks | repeated | seconds | wrong or missing |\n"
          "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        good = [soak(options, mpi, rate, folder) for mpi in options.mpi.split(",")
                for rate in map(float, options.rates.split(","))]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
