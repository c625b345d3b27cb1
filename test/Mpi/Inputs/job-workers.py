"""Jobs on several threads of a switch, all at the same time.

usage: job-workers.py FOLDER together|killed|fabric LIBRARIES PROGRAM [ARGUMENT...]

Runs the MPI program, NAME-mpich or NAME-openmpi, by two ranks as jobs 1, 2 and 3, which three workers have one each of. `killed`: the program
kills a rank of each job; how often the switch says which is gone is printed, too. `fabric`: behind two leaves with one worker each, so that the spine gets what is for
different workers from the same socket. Prints each job's last line, and how many workers of the last switch got packets.
"""
import json
import pathlib
import re
import socket
import subprocess
import sys

folder, what, libraries, program = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:]
mpi = program[0].rsplit("-", 1)[1]
LAUNCHERS = {"mpich": ["mpiexec.mpich"], "openmpi": ["mpiexec.openmpi", "--oversubscribe", "--enable-recovery"]}
folder.mkdir(parents=True, exist_ok=True)
control = folder / "control.sock"
control.unlink(missing_ok=True)
FAULTS = ["--faults", "loss=0.02,reorder=0.02,seed=3"]


def switch(*options):
    with open(folder / "log", "w") as log:
        daemon = subprocess.Popen(["acisd", "--log-format=text", *options], stdout=subprocess.PIPE, stderr=log, text=True)
    return daemon, re.search(r"listening on (\S+)", daemon.stdout.readline()).group(1)


def freeAddresses(count):
    holders = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(count)]
    for holder in holders:
        holder.bind(("127.0.0.1", 0))
    addresses = ["127.0.0.1:%d" % holder.getsockname()[1] for holder in holders]
    for holder in holders:
        holder.close()
    return addresses


def fabric():
    names, addresses = ["leaf0", "leaf1", "spine"], freeAddresses(3)
    switches = [{"name": name, "address": address} for name, address in zip(names, addresses)]
    for leaf in switches[:2]:
        leaf["parents"] = ["spine"]
    (folder / "net.json").write_text(json.dumps({"switches": switches}))
    for name in names:
        own = ["--job-workers", "3", "--control", str(control)] if name == "spine" else []
        yield switch("--topology", str(folder / "net.json"), "--name", name, *FAULTS, *own)


if what == "fabric":
    switches = list(fabric())
    where = {"ACIS_SWITCH": switches[0][1] + "," + switches[1][1] + "," + switches[2][1], "ACIS_LEAVES": "0,1", "ACIS_PARENTS": "2,2,-"}
else:
    more = ["--dead-after", "30"] if what == "killed" else FAULTS
    switches = [switch("--job-workers", "3", "--control", str(control), *more)]
    where = {"ACIS_SWITCH": switches[0][1]}
where |= {"ACIS_PLACEMENT": "apart", "ACIS_ALGORITHM": "switch"}
try:
    jobs = [subprocess.Popen([*LAUNCHERS[mpi], "-n", "2", "env", *(f"{name}={value}" for name, value in where.items()),
                              f"ACIS_JOB={job}", f"LD_PRELOAD={libraries}/libacis-mpi-{mpi}.so", *program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            for job in (1, 2, 3)]
    said = [job.communicate(timeout=100)[0] for job in jobs]
    if what == "killed":
        failed = [line for line in (folder / "log").read_text().splitlines() if "job-failed" in line]
        print("noticed:", sum("rank 1" in line and "nobody listens at its address any more" in line for line in failed))
        said = []
    for job, text in zip((1, 2, 3), said):
        print(f"job {job}:", next((line for line in text.splitlines() if re.search("No Errors", line)), text))
    status = subprocess.run(["acisctl", "--control", str(control), "status", "--json"], capture_output=True, text=True).stdout
    counters = json.loads(status)["counters"]
    got = [counters.get(f"job_worker_{worker}_packets_received", 0) for worker in range(3)]
    print("workers with packets:", sum(count > 0 for count in got))
    print("jobs:", counters["jobs_started"], "unknown sessions:", counters["dropped_foreign"] + counters["dropped_unauthenticated"])
finally:
    for daemon, _ in switches:
        daemon.terminate()
        print("ended", daemon.wait())
