#!/usr/bin/env python3
"""The aggregation of a GCN by several host processes and one switch.

usage: wire.py [--ranks N] [--seed N]

Each process holds the rows of one rank and sends them as one packet to the same handler (os.c)
in an `acisd` that is started here; the features are the handler's memory. What comes back is
compared with the host's C code, bit for bit. acisc, acisd, gcn-pack and gcn-check are in PATH.
"""
import argparse
import multiprocessing
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
sys.path.append( str(SOURCE / "compiler/python"))
from acis import client

NODES, EDGES = 400, 2000
# Dense rows in a tile and groups of 16 result rows in a row tile: the whole graph is one
# tile, and a rank's rows are a packet of at most client.MAX_PACKET bytes.
VLEN, UNROLL = 400, 7


def run(*command):
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{command[0]}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def rank_process(address, folder, rank, start):
    """What one host does: its packet to the switch, the rows of the result back."""
    packet = (folder / f"in.{rank}").read_bytes()
    with client.attach(address) as handler:
        start.wait()
        rows = handler.stream(packet, packet_bytes=client.MAX_PACKET, deadline=20)
    (folder / f"out.{rank}").write_bytes(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sizes = [f"-DOS_VLEN={VLEN}", f"-DOS_UNROLL={UNROLL}"]
        run("acisc", HERE / "os.c", "--config=u280.json", *sizes, "-o", folder / "os.acis")
        run("cc", "-O2", "-shared", "-fPIC", "-ffp-contract=off", *sizes,
            f"-I{SOURCE}/compiler/frontend/include", HERE / "os.c", "-o", folder / "os.so")

        def of_rank(rank):
            return ["--dataflow=os", f"--tile={VLEN},{UNROLL}", f"--nodes={NODES}", f"--edges={EDGES}",
                    f"--seed={options.seed}", f"--ranks={options.ranks}", f"--rank={rank}"]

        for rank in range(options.ranks):
            run("gcn-pack", *of_rank(rank), f"--in={folder}/in.{rank}", f"--mem={folder}/memory")
            if (size := os.path.getsize(folder / f"in.{rank}")) > client.MAX_PACKET:
                sys.exit(f"rank {rank}: {size} bytes; a packet has at most {client.MAX_PACKET}, "
                         "so take more ranks")
        # The features are the same for every rank: one handler, loaded once.
        with client.local_switch("u280.json") as switch:
            handler = switch.load(str(folder / "os.acis"), memory=(folder / "memory").read_bytes())
            start = multiprocessing.Barrier(options.ranks, timeout=30)
            hosts = [multiprocessing.Process(target=rank_process,
                                             args=(handler.address, folder, rank, start))
                     for rank in range(options.ranks)]
            for host in hosts:
                host.start()
            for host in hosts:
                host.join()
            if any(host.exitcode for host in hosts):
                sys.exit("a host failed")
            counters = handler.counters()
        for rank in range(options.ranks):
            run("gcn-check", *of_rank(rank), f"--native={folder}/os.so", f"--out={folder}/out.{rank}")
            print(f"rank {rank}: {os.path.getsize(folder / f'in.{rank}')} bytes sent, "
                  f"{os.path.getsize(folder / f'out.{rank}')} received, equal to the host's C code")
        print(f"switch: {counters.received} packets received, {counters.sent} sent")


if __name__ == "__main__":
    main()
