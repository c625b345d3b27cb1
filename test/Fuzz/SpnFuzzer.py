#!/usr/bin/env python3
"""usage: SpnFuzzer.py [-runs=N] [-max_total_time=SECONDS] [-seed=N] [FOLDER | FILE]...

Any text as a network for acis-spn, in JSON and as SPFlow writes it. As libFuzzer does it: inputs that
reach lines, or steps from line to line, that none before has reached are kept in the first FOLDER
and mutated; an input that breaks a rule is written to crash-<hash>, and the exit code is 1. With a
FILE this one alone is run.

The rules: a text is refused with a reason, or it is a network, of finite numbers, whose check changes
nothing a second time; its C has as many rows as it gets, and its value on a row is a probability
density; and refusals do not depend on what was read before."""
import hashlib
import importlib.util
import json
import math
import pathlib
import random
import sys
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
TOOL = str(SOURCE / "compiler/tools/acis-spn/acis-spn.py")
sys.path.insert(0, str(SOURCE / "backend/support"))
place = importlib.util.spec_from_file_location("spn", TOOL)
spn = importlib.util.module_from_spec(place)
place.loader.exec_module(spn)

MOST_BYTES = 4096
SEEDS = [
    '{"root": "r", "nodes": {"r": {"type": "sum", "children": ["a", "b"], "weights": [0.25, 0.75]}, '
    '"a": {"type": "histogram", "variable": 0, "breaks": [0, 1, 3], "densities": [0.5, 0.25]}, '
    '"b": {"type": "input", "variable": 0}}}',
    '{"root": "p", "nodes": {"p": {"type": "product", "children": ["a", "b"]}, '
    '"a": {"type": "input", "variable": 1}, "b": {"type": "input", "variable": 0}}}',
    "(0.25*(Histogram(V0|[0,1,2];[0.5,0.5]) * Histogram(V1|[0,2];[0.5])) + "
    "0.75*(Histogram(V0|[0,1];[1]) * Histogram(V1|[0,1];[1.0])))",
]
WORDS = ['"r"', '"a"', '"root"', '"nodes"', '"sum"', '"product"', '"input"', '"histogram"', '"type"', '"children"',
         '"weights"', '"breaks"', '"densities"', '"variable"', "0", "1", "-1", "0.5", "1e-320", "1e308", "1e999", "4095",
         "4096", "NaN", "Infinity", "true", "null", "{", "}", "[", "]", ",", ":", "(", ")", "*", "+", ";", "|", "V0",
         "V1", "Histogram(", "V\u0661", "\ud800".encode("utf-8", "surrogatepass").decode("utf-8", "replace"), "\0", "\\u0000", "\n"]


def mutated(text, other):
    for _ in range(random.choice([1, 1, 2, 4])):
        at = random.randrange(len(text) + 1)
        end = min(len(text), at + random.choice([0, 0, 1, 1, 3, 10, 50]))
        way = random.randrange(5)
        if way == 0:
            new = chr(random.choice([random.randrange(128), random.randrange(0xd800)]))
        elif way == 1 and other:
            begin = random.randrange(len(other))
            new = other[begin:begin + random.choice([1, 5, 30, 200])]
        elif way == 2:
            new = text[at:end] * random.choice([0, 2, 3])
        else:
            new = random.choice(WORDS)
        text = text[:at] + new + text[end:]
    return text[:MOST_BYTES]


def value(nodes, row):
    """Of nodes in order, children first."""
    out = {}
    for name, node in nodes.items():
        if node.kind == "input":
            out[name] = 0.5
        elif node.kind == "histogram":
            x = row(node.variable)
            out[name] = next((d for a, b, d in zip(node.breaks, node.breaks[1:], node.densities) if a <= x < b), 0.0)
        elif node.kind == "product":
            out[name] = math.prod(out[child] for child in node.children)
        else:
            out[name] = sum(w * out[child] for w, child in zip(node.weights, node.children))
    return out[name]


def judge(read, text, normalise):
    try:
        nodes, variables = spn.check(read(text), normalise)
    except spn.Problem as problem:
        assert str(problem), "refused without a reason"
        return None
    for node in nodes.values():
        assert all(map(math.isfinite, (*node.weights, *node.breaks, *node.densities))), "not finite: %r" % (node,)
    root = next(reversed(nodes))
    again, same = spn.check(spn.Network(root, nodes), False)
    assert (again, same) == (nodes, variables), "checked twice, it differs"
    assert 0 <= value(nodes, lambda variable: variable + 0.5) < math.inf or any(
        max(node.densities, default=0) > 1e100 for node in nodes.values()), "not a density"
    for domain in (spn.Plain("double"), spn.Logarithms("float")):
        made = spn.program(nodes, variables, "spn", domain, "")
        assert "nan" not in made.lower() and made.count("{") == made.count("}"), "no C"
    return nodes


READERS = {"json": spn.read_json, "text": lambda text: spn.Spflow(text).read()}


def run(text):
    """What a text has reached: lines of the tool, and steps between them."""
    reached, last = set(), 0

    def trace(frame, event, _):
        nonlocal last
        if frame.f_code.co_filename != TOOL:
            return None
        reached.add((last, frame.f_lineno))
        last = frame.f_lineno
        return trace

    sys.settrace(trace)
    try:
        for read in READERS.values():
            for normalise in (False, True):
                judge(read, text, normalise)
    finally:
        sys.settrace(None)
    return reached


def crashed(text, error):
    path = pathlib.Path("crash-" + hashlib.sha1(text.encode("utf-8", "replace")).hexdigest())
    path.write_text(text, encoding="utf-8", errors="replace")
    sys.exit("SpnFuzzer: %s: %s: %s" % (path, type(error).__name__, error))


def options():
    given = {"runs": "-1", "max_total_time": "0", "seed": str(time.time_ns())}
    paths = []
    for word in sys.argv[1:]:
        if not word.startswith("-"):
            paths.append(pathlib.Path(word))
        elif word[1:].partition("=")[0] in given:
            given[word[1:].partition("=")[0]] = word.partition("=")[2]
        else:
            sys.exit(__doc__.split("\n\n")[0])
    return {name: int(text) for name, text in given.items()}, paths


def main():
    settings, paths = options()
    random.seed(settings["seed"])
    files = [path for path in paths if path.is_file()]
    if files:
        for path in files:
            run(path.read_text(encoding="utf-8", errors="replace"))
        return
    folder = paths[0] if paths else None
    waiting = SEEDS + [p.read_text(encoding="utf-8", errors="replace") for f in paths for p in sorted(f.iterdir())]
    corpus, covered, runs = [], set(), 0
    begin = time.monotonic()
    while (settings["runs"] < 0 or runs < settings["runs"]) and \
            (settings["max_total_time"] == 0 or time.monotonic() - begin < settings["max_total_time"]):
        known = bool(waiting)
        text = waiting.pop() if known else mutated(random.choice(corpus), random.choice(corpus))
        runs += 1
        try:
            reached = run(text)
        except Exception as error:  # pylint: disable=broad-except
            crashed(text, error)
        if not reached <= covered or (known and not corpus):
            covered |= reached
            corpus.append(text)
            if folder and not known:
                name = hashlib.sha1(text.encode("utf-8", "replace")).hexdigest()
                (folder / name).write_text(text, encoding="utf-8", errors="replace")
    print("%d runs, %d steps reached, %d inputs kept" % (runs, len(covered), len(corpus)))


if __name__ == "__main__":
    main()
