"""usage: run.py BINARY [NODE,NODE...]: doubles and sums numbers where they are, on memory nodes; on
two of its own if none are named."""
import array
import contextlib
import pathlib
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "runtime/host/client/python"))
import acis_near
from nodes import own_nodes


def run(binary, addresses):
    with acis_near.Near(addresses) as near:
        each = 100_000
        numbers = array.array("i", range(near.nodes * each))
        block = near.alloc(4 * each)
        near.scatter(numbers, block)
        function = near.compose(near.load(binary, "twice_local"), near.load(binary, "mpi_sum_local"))
        sums = near.reduce_local(function, block, each)
        print("on the nodes:", near.reduce(sums, "i4", "sum"))
        print("here:        ", (2 * sum(numbers) + 2**31) % 2**32 - 2**31)


with contextlib.nullcontext(sys.argv[2]) if len(sys.argv) > 2 else own_nodes(2) as addresses:
    run(sys.argv[1], addresses)
