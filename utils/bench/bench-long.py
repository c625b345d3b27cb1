#!/usr/bin/env python3
"""What long collectives cost in processor time, in the ranks and in the switch.

usage: bench-long.py [--build FOLDER] [--kinds allreduce,bcast,...] [--bytes 1048576,4194304] [--ranks 2,4]
                     [--key] [--limit MINUTES] [--rounds N] [--profile]

One acisd on this machine and so many ranks, all of which sleep where they wait. Each row is the least of
--rounds runs: microseconds of processor time for each megabyte of the message, of a rank (in its own code, in the
system) and of the switch; packets that a rank sends for a call, and messages that it sent again. Processor time
does not depend on how long the machine lets a process wait, so rows of a busy machine can be compared, if not as
well as those of an idle one.

--key      with tags under a key (SipHash, Poly1305) in place of checksums
--limit    no run begins after so many minutes
--profile  where that time goes: shares of samples that perf takes, of ranks and switch, by what is done
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from built import built

KINDS = ("allreduce", "allreduce-in-place", "reduce", "bcast")
MEGABYTES = 400  # of a run
KEY = "000102030405060708090a0b0c0d0e0f"
# What functions do, by the first pattern that their names match.
PARTS = {"copies by the system": r"_copy_(from|to)_iter|copy_user|rep_movs",
         "copies by us": r"mem(move|cpy)",
         "tags": r"XXH|checksum|poly1305|[Ss]ip[Hh]ash|EVP_|Tagger",
         "folds": r"collective::combine|Fold|::combine"}


class Switch:
    """An acisd that sleeps where it waits."""

    def __init__(self, tools, key):
        self.folder = tempfile.TemporaryDirectory()
        words = [tools / "acisd", "--listen", "127.0.0.1:0", "--spin", "0"]
        if key:
            path = pathlib.Path(self.folder.name, "fabric.key")
            path.write_text(KEY + "\n", encoding="utf-8")
            words += ["--key-file", path]
        self.process = subprocess.Popen(list(map(str, words)), stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if "listening on " not in line:
            sys.exit("bench-long: error: acisd did not start")
        self.address = line.split()[-1]

    def end(self):
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


def run(tools, switch, kind, ranks, size, before=()):
    calls = max(4, MEGABYTES * 1_000_000 // size)
    command = [*before, tools / "acis-long", switch.address, switch.process.pid, kind, ranks, size, calls]
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(f"bench-long: error: acis-long {kind} on {ranks} ranks failed")
    return list(map(float, done.stdout.split()[-5:]))


def shares(tools, switch, kind, ranks, size):
    """command -> part -> percent of its samples"""
    with tempfile.TemporaryDirectory() as folder:
        data = f"{folder}/perf.data"
        # All processors, since the switch runs already; reports are of the two commands alone.
        run(tools, switch, kind, ranks, size, ["perf", "record", "-q", "-o", data, "-e", "cpu-clock", "-F", "1500", "-a"])
        out = {}
        # Both in one report: of one command alone a function would be counted where perf met it first.
        text = subprocess.run(["perf", "report", "-i", data, "--comms", "acis-long,acisd", "--sort", "comm,sym", "--stdio", "-q"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
        for command in ("acis-long", "acisd"):
            found = dict.fromkeys([*PARTS, "other work of the system", "other work of ours"], 0.0)
            for share, where, name in re.findall(rf"^\s*([\d.]+)%\s+{command}\s+\[(.)\]\s+(.*)$", text, flags=re.M):
                rest = "other work of the system" if where == "k" else "other work of ours"
                part = next((p for p, names in PARTS.items() if re.search(names, name)), rest)
                found[part] += float(share)
            out[command] = {part: 100 * share / max(sum(found.values()), 1e-9) for part, share in found.items()}
        return out


def row(cells):
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def measure(tools, options, until):
    row(["collective", "ranks", "bytes", "rank, own", "rank, system", "switch", "packets", "repeated", "load"])
    row(["---"] + ["--:"] * 8)
    for kind in options.kinds:
        for ranks in options.ranks:
            for size in options.bytes:
                rows = []
                for _ in range(options.rounds):
                    if time.monotonic() > until:
                        break
                    switch = Switch(tools, options.key)
                    rows.append(run(tools, switch, kind, ranks, size))
                    switch.end()
                if not rows:
                    return
                least = [min(values) for values in zip(*rows)]
                row([kind, ranks, size, *(f"{v:.0f}" for v in least[:3]), f"{least[3]:.1f}", f"{least[4]:.2f}",
                     f"{os.getloadavg()[0]:.1f}"])


def profile(tools, options, until):
    row(["collective", "ranks", "bytes", "process", *PARTS, "other, system", "other, ours"])
    row(["---"] + ["--:"] * 9)
    for kind in options.kinds:
        for ranks in options.ranks:
            for size in options.bytes:
                if time.monotonic() > until:
                    return
                switch = Switch(tools, options.key)
                found = shares(tools, switch, kind, ranks, size)
                switch.end()
                for command, name in (("acis-long", "ranks"), ("acisd", "switch")):
                    row([kind, ranks, size, name, *(f"{share:.0f} %" for share in found[command].values())])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/dev", help="configured build folder")
    parser.add_argument("--kinds", default="allreduce,allreduce-in-place,reduce,bcast")
    parser.add_argument("--bytes", default="1048576,4194304")
    parser.add_argument("--ranks", default="2,4")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=10, help="minutes")
    parser.add_argument("--key", action="store_true")
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args()
    options.kinds = options.kinds.split(",")
    if wrong := [kind for kind in options.kinds if kind not in KINDS]:
        parser.error(f"--kinds: found '{wrong[0]}', allowed are {', '.join(KINDS)}")
    options.bytes = [int(word) for word in options.bytes.split(",")]
    options.ranks = [int(word) for word in options.ranks.split(",")]
    tools = built(options.build, "acisd", "acis-long")
    until = time.monotonic() + 60 * options.limit
    print(f"{len(os.sched_getaffinity(0))} cores, microseconds of processor time for each megabyte of a message\n")
    (profile if options.profile else measure)(tools, options, until)


if __name__ == "__main__":
    main()
