"""usage: near.py CASE FOLDER SOURCE: memory nodes as processes, used through the Python binding.
CASE: work, bad, death, keep, jobs."""
import array
import pathlib
import random
import sys

case, folder, source = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
sys.path.insert(0, source + "/compiler/python")
from acis.near import Error, Near
from nodes import Node

FAULTS = "loss=0.1,duplicate=0.1,reorder=0.1"
SUM = str(folder / "sum.acis")
PREDEFINED = str(folder / "predefined.acis")


def ints(count):
    return array.array("i", [random.randrange(-2**31, 2**31) for _ in range(count)])


def wrapped(value):
    return (value + 2**31) % 2**32 - 2**31


def says(function, *arguments, **options):
    try:
        print("no error:", function(*arguments, **options))
    except Error as error:
        text = str(error)
        place, colon, rest = text.partition(": ")
        print(error.kind, "|", rest if place.startswith("memory node") else text)


def work(engine, count, faults):
    """Functions and all collectives, against Python."""
    options = ["--region", "64M", "--engine", engine, "--launchers", "2"]
    nodes = [Node(*options, *(["--faults", faults + ",seed=%d" % i] if faults else [])) for i in range(3)]
    with Near(",".join(node.address for node in nodes)) as near:
        data = ints(3 * count)
        shares = [data[i * count:(i + 1) * count] for i in range(3)]
        block, out = near.alloc(4 * count), near.alloc(4 * count)
        near.scatter(data, block)
        total = near.load(SUM, "mpi_sum_local")
        twice = near.load(SUM, "twice_local")
        sums = near.reduce_local(total, block, count)
        partial = near.gather(sums, array.array("i", bytes(12)))
        ok = list(partial) == [wrapped(sum(share)) for share in shares]
        ok &= list(near.gather(sums, array.array("i", bytes(12)), in_turn=True)) == list(partial)
        ok &= near.reduce(sums, "i4", "sum") == wrapped(sum(data))
        cycles = near.map(twice, block, out, count)
        ok &= (cycles > count // 16) == (engine == "model")
        ok &= list(near.gather(out, array.array("i", bytes(12 * count)))) == [wrapped(2 * x) for x in data]
        both = near.reduce_local(near.compose(twice, total), block, count)
        ok &= near.reduce(both, "i4", "sum") == wrapped(2 * sum(data))
        # Started together; they take effect one after the other.
        requests = [near.start_map(twice, block, out, count), near.start_map(twice, out, block, count)]
        for request in requests:
            while not request.done():
                pass
            request.wait()
        ok &= list(near.gather(block, array.array("i", bytes(12 * count)))) == [wrapped(4 * x) for x in data]
        print("functions", ok)

        one = near.alloc(4 * 7)
        each = [ints(7) for _ in range(3)]
        near.scatter(sum(each, array.array("i")), one)
        folds = {"min": min, "max": max, "sum": lambda column: wrapped(sum(column))}
        ok = True
        for name, fold in folds.items():
            expected = [fold(column) for column in zip(*each)]
            ok &= list(near.reduce(one, "i4", name, array.array("i", bytes(28)))) == expected
        everything = near.alloc(4 * 21)
        near.allgather(one, everything, 28)
        ok &= list(near.gather(everything, array.array("i", bytes(4 * 63)))) == list(sum(each, array.array("i"))) * 3
        near.allreduce(one, "i4", "sum", 7)
        ok &= list(near.gather(one, array.array("i", bytes(84)))) == [folds["sum"](c) for c in zip(*each)] * 3
        near.bcast(each[1], one)
        ok &= list(near.gather(one, array.array("i", bytes(84)))) == list(each[1]) * 3
        columns = near.get(1, one, array.array("i", bytes(12)), offset=4, rows=3, stride=8)
        ok &= list(columns) == [each[1][1], each[1][3], each[1][5]]
        near.put(2, one, array.array("i", [1, 2]), rows=2, stride=24)
        ok &= list(near.get(2, one, array.array("i", bytes(28)))) == [1, *each[1][1:6], 2]
        near.barrier()
        print("collectives", ok)

        ok = True
        numbers = ints(count)
        near.bcast(numbers, block)
        for name, expected in (("sum", wrapped(sum(numbers))), ("min", min(numbers)), ("max", max(numbers))):
            result = near.reduce_local(near.load(PREDEFINED, name + "_i32"), block, count)
            ok &= near.reduce(result, "i4", "max") == expected
            result.free()
        mac = near.reduce_local(near.load(PREDEFINED, "mac_i32"), block, count, operand=block)
        ok &= near.reduce(mac, "i4", "min") == wrapped(sum(x * x for x in numbers))
        small = near.alloc(8 * 50)
        reals = array.array("d", [random.randrange(-1000, 1000) / 8 for _ in range(50)])
        near.bcast(reals, small)
        for name, expected in (("average", sum(reals) / 50), ("min", min(reals)), ("max", max(reals))):
            result = near.reduce_local(near.load(PREDEFINED, name + "_f64", "f8", "f8"), small, 50)
            ok &= near.reduce(result, "f8", "max") == expected
        print("predefined", ok)
    print("ended", [node.stop() for node in nodes])


def bad():
    node = Node("--region", "1M")
    with Near(node.address) as near:
        block = near.alloc(100)
        total = near.load(SUM, "mpi_sum_local")
        says(near.alloc, 2**20)
        says(near.alloc, 0)
        says(near.get, 0, block, bytearray(101))
        says(near.get, 1, block, bytearray(1))
        says(near.put, 0, block, bytes(4), 98)
        says(near.reduce_local, total, block, 26)
        says(near.reduce_local, total, block, 0)
        says(near.load, (folder / "other.acis").read_bytes(), "mpi_sum_local")
        says(near.load, pathlib.Path(SUM).read_bytes()[:500], "mpi_sum_local")
        says(near.load, SUM, "subtract")
        # Of n elements it makes one: that is no map.
        out = near.alloc(100)
        says(near.map, total, block, out, 25)
        # More than there is room for.
        says(near.reduce_local, near.load(SUM, "twice_local"), block, 25)
        # Behind its operand.
        says(near.reduce_local, near.load(PREDEFINED, "mac_i32"), block, 25, operand=near.alloc(50))
        says(near.compose, total, near.load(PREDEFINED, "sum_i64", "i8", "i8"))
        says(near.reduce, block, "f8", "band")
        handles = block.handles
        block.free()
        says(block.free)
        says(near.get, 0, block, bytearray(1))
        says(near.attach, handles, 100)
        # All of that has left the node as it was.
        again = near.alloc(100)
        near.put(0, again, bytes(range(100)))
        print(near.get(0, again, bytearray(100)) == bytes(range(100)))
    print(node.stop())
    says(Near, "nowhere")


def death():
    nodes = [Node("--region", "1M") for _ in range(2)]
    near = Near(",".join(node.address for node in nodes))
    near.timeout(2)
    block = near.alloc(1000)
    near.bcast(bytes(range(250)) * 4, block)
    nodes[1].kill()
    says(near.gather, block, bytearray(2000))
    print(near.get(0, block, bytearray(250)) == bytes(range(250)))
    says(near.gather, block, bytearray(2000))
    near.close()
    nodes[1] = Node("--region", "1M", listen=nodes[1].address)
    near = Near(",".join(node.address for node in nodes), job=2)
    handles = near.alloc(1000).handles
    nodes[1].kill()
    nodes[1] = Node("--region", "1M", listen=nodes[1].address)  # empty, and there again soon
    near.timeout(20)
    says(near.barrier)
    near.close()
    with Near(nodes[1].address) as again:
        says(again.attach, handles[1:], 1000)
        print(again.blocks(0))
    print([node.stop() for node in nodes])


def keep():
    """Blocks of a file outlast the job, a node that is asked to end, and one that is killed."""
    path = str(folder / "region")
    data = bytes(random.randrange(256) for _ in range(200_000))
    node = Node("--region", "1M", "--region-file", path)
    with Near(node.address) as near:
        block = near.alloc(len(data))
        near.put(0, block, data)
        handles = block.handles
    print(node.stop())
    for end in ("stop", "kill"):
        node = Node("--region-file", path)
        print(node.region.split(" with ")[1])
        with Near(node.address) as near:
            print(near.blocks(0) == [(handles[0], len(data))])
            block = near.attach(handles, len(data))
            print(near.get(0, block, bytearray(len(data))) == data)
            data = data[::-1]
            near.put(0, block, data)
            if end == "kill":
                node.kill()
            else:
                near.close()
                print(node.stop())
    node = Node("--region-file", path)
    with Near(node.address) as near:
        block = near.attach(handles, len(data))
        print(near.get(0, block, bytearray(len(data))) == data)
        block.free()
    node.stop()


def jobs():
    node = Node("--region", "1M")
    with Near(node.address, job=1) as first:
        mine = first.alloc(100)
        first.put(0, mine, bytes(range(100)))
        function = first.load(SUM, "mpi_sum_local")
        with Near(node.address, job=2) as second:
            says(second.attach, mine.handles, 100)
            print(second.blocks(0))
            theirs = second.alloc(100)
            print(second.get(0, theirs, bytearray(100)) == bytes(100))
        print(first.get(0, mine, bytearray(100)) == bytes(range(100)))
        first.reduce_local(function, mine, 25)
        print(len(first.blocks(0)))
    print(node.stop())


random.seed(11)
if case == "work":
    work("fast", 20_001, FAULTS)
    work("model", 333, "")
else:
    {"bad": bad, "death": death, "keep": keep, "jobs": jobs}[case]()
