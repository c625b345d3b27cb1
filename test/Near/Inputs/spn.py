"""usage: spn.py CASE FOLDER SOURCE: acis-spn on random networks against Python; on damaged ones.
CASE: random, logs, bounds, damaged."""
import array
import importlib.util
import json
import math
import pathlib
import random
import re
import subprocess
import sys

case, folder, source = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
sys.path.insert(0, source + "/backend/support")
place = importlib.util.spec_from_file_location("spn", source + "/compiler/tools/acis-spn/acis-spn.py")
spn = importlib.util.module_from_spec(place)
place.loader.exec_module(spn)


def shares(count):
    """Of 2^-6 each, so that they make exactly 1."""
    out = [1] * count
    for _ in range(64 - count):
        out[random.randrange(count)] += 1
    return [x / 64 for x in out]


def leaf(nodes, variable):
    count = random.randint(1, 4)
    bounds = sorted(random.sample(range(10), count + 1))
    densities = [s / (b - a) for s, a, b in zip(shares(count), bounds, bounds[1:])]
    nodes.append({"type": "histogram", "variable": variable, "breaks": bounds, "densities": densities})
    return "n%d" % (len(nodes) - 1)


def grow(nodes, variables, depth):
    if len(variables) == 1 and (depth == 0 or random.random() < 0.5):
        return leaf(nodes, variables[0])
    if len(variables) > 1 and (depth == 0 or random.random() < 0.6):
        random.shuffle(variables)
        at = random.randrange(1, len(variables))
        children = [grow(nodes, variables[:at], depth - 1), grow(nodes, variables[at:], depth - 1)]
        node = {"type": "product", "children": children}
    else:
        children = [grow(nodes, list(variables), max(depth - 1, 0)) for _ in range(random.randint(1, 2))]
        node = {"type": "sum", "children": children, "weights": shares(len(children))}
    nodes.append(node)
    return "n%d" % (len(nodes) - 1)


def value(network, name, row):
    node = network["nodes"][name]
    if node["type"] == "histogram":
        x = row[node["variable"]]
        for low, high, density in zip(node["breaks"], node["breaks"][1:], node["densities"]):
            if low <= x < high:
                return density
        return 0.0
    children = [value(network, child, row) for child in node["children"]]
    if node["type"] == "sum":
        return sum(w * v for w, v in zip(node["weights"], children))
    product = 1.0
    for v in children:
        product *= v
    return product


def text_of(network, name):
    node = network["nodes"][name]
    if node["type"] == "histogram":
        return "Histogram(V%d|%s;%s)" % (node["variable"], node["breaks"], node["densities"])
    children = [text_of(network, child) for child in node["children"]]
    if node["type"] == "sum":
        return "(%s)" % " + ".join("%s*%s" % pair for pair in zip(node["weights"], children))
    return "(%s)" % " * ".join(children)


def made(variables, depth):
    nodes = []
    root = grow(nodes, list(range(variables)), depth)
    return {"root": root, "nodes": {"n%d" % i: node for i, node in enumerate(nodes)}}


def results(path, columns, *options):
    """What the switch makes of columns of numbers."""
    overlay = source + "/backend/overlay/descriptions/u280-full.json"
    subprocess.run(["acis-spn", path, "--config", overlay, "-o", folder / "net.acis", *options], check=True,
                   stdout=subprocess.DEVNULL)
    (folder / "in.bin").write_bytes(columns[0].tobytes())
    (folder / "mem.bin").write_bytes(b"".join(c.tobytes() for c in columns[1:]) or bytes(64))
    subprocess.run(["acis-run", folder / "net.acis", "--config", overlay, "--in", folder / "in.bin", "--mem",
                    folder / "mem.bin", "--out", folder / "out.bin"], check=True, stdout=subprocess.DEVNULL)
    out = array.array(columns[0].typecode, (folder / "out.bin").read_bytes())
    assert len(out) == len(columns[0]), len(out)
    return out


def run(path, network, variables, rows):
    columns = [array.array("d", [random.randint(-1, 10) for _ in range(rows)]) for _ in range(variables)]
    some = 0
    for i, got in enumerate(results(path, columns)):
        expected = value(network, network["root"], [c[i] for c in columns])
        assert abs(got - expected) <= 1e-12 * expected, (i, got, expected)
        some += expected > 0
    return some


def random_networks():
    some = 0
    for i, (variables, depth) in enumerate([(2, 1), (3, 2), (5, 3), (8, 4)]):
        network = made(variables, depth)
        (folder / "net.json").write_text(json.dumps(network))
        (folder / "net.spn").write_text(text_of(network, network["root"]))
        some += run(folder / ("net.spn" if i % 2 else "net.json"), network, variables, 37 + i)
    print("equal", some > 0)


def log_of(x):
    return math.log(x) if x > 0 else -math.inf


def close(got, expected, error):
    return got == expected or abs(got - expected) <= error * max(1, abs(expected))


def logs():
    """Against logarithms of Python's results; then where probabilities themselves would be 0."""
    kinds = {"possible": 0, "not possible": 0}
    for kind, error, (variables, depth) in (("d", 1e-13, (2, 2)), ("d", 1e-13, (5, 3)), ("f", 2e-6, (3, 2))):
        network = made(variables, depth)
        (folder / "log.json").write_text(json.dumps(network))
        columns = [array.array(kind, [random.randint(-1, 10) for _ in range(51)]) for _ in range(variables)]
        for i, got in enumerate(results(folder / "log.json", columns, "--log", "--type", "f64" if kind == "d" else "f32")):
            expected = log_of(value(network, network["root"], [c[i] for c in columns]))
            assert close(got, expected, error), (i, got, expected)
            kinds["possible" if expected > -math.inf else "not possible"] += 1
    nodes = {"r": {"type": "sum", "children": ["a", "b", "c"], "weights": [0.25, 0.625, 0.125]},
             "a": {"type": "product", "children": ["x", "y"]}, "b": {"type": "product", "children": ["y", "x"]},
             "c": {"type": "product", "children": ["x", "h"]},
             "h": {"type": "histogram", "variable": 1, "breaks": [-2000, 0], "densities": [0.0005]},
             "x": {"type": "input", "variable": 0}, "y": {"type": "input", "variable": 1}}
    (folder / "log.json").write_text(json.dumps({"root": "r", "nodes": nodes}))
    columns = [array.array("d", [random.uniform(-1500, 0) for _ in range(40)]) for _ in range(2)]
    columns[0][3] = -math.inf
    for i, got in enumerate(results(folder / "log.json", columns, "--log")):
        x, y = columns[0][i], columns[1][i]
        terms = [math.log(0.875) + x + y, math.log(0.125 * 0.0005) + x]
        most = max(terms)
        expected = most if most == -math.inf else most + math.log(sum(math.exp(t - most) for t in terms))
        assert close(got, expected, 1e-13), (i, got, expected)
    print("logarithms", min(kinds.values()) > 10)


def bounds():
    """Networks of up to 200 nodes: the interval is the bound where operations take four fifths of what the
    bound has room for, and never twice the bound."""
    overlay = source + "/backend/overlay/descriptions/u280-full.json"
    least, at_bound, above = [], 0, 0
    for i in range(12):
        while True:
            network = made(*random.choice([(3, 3), (5, 4), (8, 5), (10, 6), (12, 7), (16, 7), (16, 8)]))
            if len(network["nodes"]) <= 200:
                break
        for node in network["nodes"].values():
            if i % 2 and node["type"] == "histogram":
                variable = node["variable"]
                node.clear()
                node.update({"type": "input", "variable": variable})
        (folder / "net.json").write_text(json.dumps(network))
        report = subprocess.run(["acis-spn", folder / "net.json", "--config", overlay, "-o", folder / "net.acis"],
                                check=True, capture_output=True, text=True)
        match = re.search(r"II (\d+), resources (\d+) \((?:(\d+) \S+ operations)?", report.stdout + report.stderr)
        interval, bound, operations = int(match[1]), int(match[2]), int(match[3] or 0)
        at_bound += interval == bound
        above += interval - bound
        assert interval <= 2 * bound, (interval, bound, len(network["nodes"]))
        if bound > 1 and operations <= 0.8 * 16 * bound:
            least.append(interval == bound)
    print("at the bound %d of 12, all others %d above, with room %s" % (at_bound, above, least != [] and all(least)))


def damaged():
    """Whatever stands there, it is refused with a place, or it is a network."""
    refused = taken = 0
    for i in range(3000):
        network = made(3, 2)
        text = json.dumps(network) if i % 2 else text_of(network, network["root"])
        at, size = random.randrange(len(text)), random.choice([0, 1, 3, 30])
        if i % 10:
            text = text[:at] + random.choice(["", "(", ")", "7", "-", "*", "e", '"', "[", "n0", "\u00b2"]) + text[at + size:]
        try:
            read = spn.read_json(text) if i % 2 else spn.Spflow(text).read()
            nodes, variables = spn.check(read, random.random() < 0.5)
            spn.program(nodes, variables, "spn", spn.Plain("double"), "")
            taken += 1
        except spn.Problem as problem:
            assert str(problem)
            refused += 1
    for text in ("(" * 5000, "(0.5*" * 5000, "[" * 100_000, '{"a":' * 100_000, ""):
        for read in (lambda: spn.Spflow(text).read(), lambda: spn.read_json(text)):
            try:
                read()
                raise AssertionError("taken")
            except spn.Problem:
                pass
    print("refused", refused > 500, "taken", taken > 300)


random.seed(4)
{"random": random_networks, "logs": logs, "bounds": bounds, "damaged": damaged}[case]()
