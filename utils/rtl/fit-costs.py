#!/usr/bin/env python3
"""Synthesises sample descriptions and fits the table by which acis-overlay --cost estimates.

usage: fit-costs.py --family ecp5 [--jobs 2] [--fit-only] [--only NAME ...]

The samples are in cost-samples.json: a shipped description, and what each changes of it. What a run measured stays in
cost-measured.json, block by block; samples measured before on the same RTL are not run again. The table,
backend/overlay/costs.json, has for each block and kind of cell a sum of products of the quantities of
`acis-overlay --emit=quantities`, with factors that are not negative: terms are added one by one, the one
that lowers the relative error most, for as long as samples that are left out are met better, or a quarter
of the squared error goes. The error is printed per block, of the samples held out, of which the fit knows nothing.
With the factors the table has from where to where the samples go in each quantity.
"""
import argparse
import collections
import concurrent.futures
import copy
import hashlib
import json
import pathlib
import subprocess
import sys

import synthesis
from synthesis import COLUMNS, ROOT, RTL, fail

sys.path.insert(0, str(ROOT / "utils"))
from progress import progress

HERE = pathlib.Path(__file__).resolve().parent
SAMPLES, MEASURED = HERE / "cost-samples.json", HERE / "cost-measured.json"
TABLE = ROOT / "backend/overlay/costs.json"
CELLS = [column.lower() for column in COLUMNS]
TERMS = 7          # of a block, at most
CLOSE = 0.005      # a relative error, over all samples, that needs no further term
MOST = 0.75
# Quantities that a block's size may go by, and the field of the description that each is of. The first ones
# win where samples cannot tell them apart.
FIELDS = {
    "one": "/grid", "pes": "/grid/rows", "ports": "/grid/default/memory", "lanes": "/pe/lanes",
    "units": "/grid/default/units", "integer": "/grid/default/units", "float": "/grid/default/units",
    "convert": "/grid/default/units", "divide": "/grid/default/units", "divideStages": "/pe/latency/divide",
    "wide": "/grid/default/widths", "fused": "/grid/default/fused", "gather": "/grid/default/gather",
    "moves": "/grid/default/moves", "memory": "/grid/default/memory", "file": "/grid/default/vrf",
    "file512": "/vrf/beats", "file4096": "/vrf/beats", "in": "/grid/topology", "regs": "/pe/routeRegs",
    "delays": "/pe/operandDelay", "delayRows": "/pe/operandDelay", "slots": "/pe/contextSlots",
    "slotRows": "/pe/contextSlots", "contexts": "/pe/maxContexts", "arguments": "/pe/arguments",
    "stages": "/pe/stages", "anyWide": "/grid/default/widths", "rowBlocks": "/pe/contextRam",
    "rowSlots": "/pe/contextRam", "interlocks": "/pe/interlocks", "beatsBits": "/vrf/beats",
    "bursts": "/memory/burstBeats", "outstanding": "/memory/outstanding", "fifo": "/stream/fifoBeats",
    "codeBlocks": "/scalar/codeBytes", "scratchBlocks": "/scalar/scratchBytes",
    "following": "/grid/stallLatency", "noVector": "/scalar/vector", "oneRead": "/vrf/readPorts"}
PAIRS = [
    "fused*float", "wide*integer", "wide*float", "wide*convert", "wide*divide", "wide*fused*float",
    "interlocks*interlocks", "gather*interlocks", "gather*delayRows", "gather*memory", "memory*file", "memory*bursts",
    "memory*outstanding", "pes*slots", "pes*contexts", "pes*ports", "gather*file"]
SCALES = ["", "lanes", "lanes*lanesBits"]
# What turns a beat by any number of lanes; of other blocks no cell count goes by lanes*lanesBits.
TURNS = {"stream_in", "stream_out", "pe_memory", "read_master", "write_master", "lanes"}
# What is of each lane unless samples say that it is not.
OF_LANES = {"integer", "float", "convert", "divide", "fused", "wide", "gather", "moves", "memory", "regs", "in"}
# What the RTL of a block has sizes from; everything, of a block that is not here. Samples change several
# fields at once, and without this a block could be said to go by one that happens to change with its own.
ALWAYS = {"one", "lanes", "wide", "anyWide"}
SIZES = {
    "choices": "arguments memory units", "operands": "regs in memory gather units", "lines": "delays delayRows gather memory",
    "interlock": "interlocks gather beatsBits", "slots": "rowSlots rowBlocks slots contexts units memory", "stages": "stages",
    "addr": "gather beatsBits", "affine": "slots slotRows", "vrf_reads": "gather", "pe_memory": "memory gather beatsBits",
    "read_master": "bursts outstanding memory", "write_master": "bursts outstanding memory",
    "unit": "units integer float convert divide", "fu_lane": "integer float convert divide fused", "lanes": "moves",
    "fold": "units float slots slotRows", "lasts": "units float", "units": "units float moves", "vrf": "file512 file4096 beatsBits",
    "pe": "in regs units memory gather moves", "grid": "pes memory", "control": "codeBlocks pes arguments",
    "ask": "pes arguments contexts beatsBits", "scalar": "scratchBlocks codeBlocks", "sequencer": "pes ports slots stages",
    "ahead": "pes contexts slots", "vector": "pes", "launches": "contexts slots pes arguments ports", "transfers": "pes ports",
    "stream_in": "fifo", "stream_out": "fifo", "core": "pes ports"}


def base_of(samples):
    """The description that samples change."""
    base = json.loads(synthesis.description(samples["base"]["description"]).read_text())
    return changed(base, "sample", samples["base"]["changes"])


def changed(base, name, changes):
    """The base with some fields changed: {"pe.lanes": 8}."""
    made = copy.deepcopy(base)
    made.pop("$schema", None)
    made["name"] = name
    for path, value in changes.items():
        *way, last = path.split(".")
        at = made
        for step in way:
            at = at[step]
        at[last] = value
    return made


def rtl_digest():
    """Of what is synthesised, the core: measurements of another RTL are of no use."""
    digest = hashlib.sha256(synthesis.YOSYS.encode())
    for file in sorted(RTL.rglob("*.sv*")):
        if file.parent.name not in ("shell", "board", "package"):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def run(args, name, text):
    """Synthesises a sample; its blocks, {path: {cell: number}}."""
    folder = ROOT / "build/rtl-netlist/samples"
    folder.mkdir(parents=True, exist_ok=True)
    path, result = folder / f"{name}.json", folder / f"{name}.{args.family}.out"
    path.write_text(text)
    done = subprocess.run([sys.executable, HERE / "rtl-netlist.py", path, "--build", args.build, "--family", args.family,
                           "--json", result, "--limit", str(args.limit)], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True)
    if done.returncode:
        fail(f"sample {name}: " + done.stderr.strip().rpartition("error: ")[2])
    return blocks(json.loads(result.read_text()))


def blocks(result):
    rows = collections.defaultdict(collections.Counter)
    for row in result["blocks"]:
        for cell in CELLS:
            rows[row["block"]][cell] += row["places"] * row[cell]
    return {path: {cell: count for cell, count in counts.items() if count} for path, counts in sorted(rows.items())}


def quantities(args, text):
    """What `acis-overlay --emit=quantities` says of a description."""
    path = ROOT / "build/rtl-netlist/samples"
    path.mkdir(parents=True, exist_ok=True)
    path /= "asked.json"
    path.write_text(text)
    done = subprocess.run([args.build / "bin/acis-overlay", "--emit=quantities", path], capture_output=True, text=True)
    if done.returncode:
        fail(done.stderr.strip().partition("error: ")[2] or f"no {args.build}/bin/acis-overlay")
    return json.loads(done.stdout)


def product(names, values):
    found = 1.0
    for name in names.split("*"):
        found *= values[name]
    return found


def value_of(term, block, known):
    """A term of a block, over all places of the design."""
    places = known["pes"] if block.startswith("core/grid/pe") else [known["core"]]
    return sum(product(term, place) for place in places)


def candidates(block, known):
    """Terms that are not the same in all samples, after `one`."""
    names = known[0]["pes"][0] if block.startswith("core/grid/pe") else known[0]["core"]
    sizes = {*ALWAYS, *SIZES.get(block.rpartition("/")[2], " ".join(FIELDS)).split()}
    terms = []
    for name in [*FIELDS, *PAIRS]:
        if not sizes.issuperset(name.split("*")):
            continue
        for scale in SCALES if OF_LANES.isdisjoint(name.split("*")) else ["lanes", "", "lanes*lanesBits"]:
            if scale == SCALES[-1] and block.rpartition("/")[2] not in TURNS:
                continue
            term = "*".join(filter(None, (name, scale)))
            if name == "lanes" and scale == "lanes*lanesBits" or name == "one" and scale:
                term = {"lanes": "lanes*lanesBits"}.get(scale) if name == "lanes" else None
            elif name == "lanes" and scale == "lanes":
                term = None
            if term and all(part in names for part in term.split("*")):
                terms.append(term)
    rows, kept = set(), []
    for term in dict.fromkeys(terms):
        row = tuple(value_of(term, block, one) for one in known)
        if any(row) and row not in rows:
            rows.add(row)
            kept.append((term, row))
    return kept


def solve(columns, targets, weights):
    """Factors, none negative, of the least sum of squares of weighted errors: by coordinates."""
    scaled = [[v * w for v, w in zip(column, weights)] for column in columns]
    rest = [t * w for t, w in zip(targets, weights)]
    factors, squares = [0.0] * len(columns), [sum(v * v for v in column) for column in scaled]
    for _ in range(400):
        moved = 0.0
        for k, column in enumerate(scaled):
            if squares[k]:
                step = max(-factors[k], sum(v * r for v, r in zip(column, rest)) / squares[k])
                if step:
                    factors[k] += step
                    rest = [r - step * v for r, v in zip(rest, column)]
                    moved = max(moved, abs(step) * squares[k] ** 0.5)
        if moved < 1e-5:
            break
    return factors, sum(r * r for r in rest)


def left_out(columns, targets, weights):
    """The sum of squares of errors of samples, each by a fit without it."""
    total = 0.0
    for out in range(len(targets)):
        kept = [k for k in range(len(targets)) if k != out]
        factors, _ = solve([[column[k] for k in kept] for column in columns], [targets[k] for k in kept],
                           [weights[k] for k in kept])
        guess = sum(factor * column[out] for factor, column in zip(factors, columns))
        total += ((guess - targets[out]) * weights[out]) ** 2
    return total


def fitted(block, cell, measured, known):
    """{term: factor} of a block's cells."""
    targets = [sample.get(block, {}).get(cell, 0) for sample in measured]
    if not any(targets):
        return {}
    floor = max(targets) / 20
    weights = [1 / max(target, floor) for target in targets]
    pool, chosen, best, met = candidates(block, known), [], None, None
    while len(chosen) < TERMS:
        tried = [(solve([row for _, row in chosen + [term]], targets, weights)[1], k)
                 for k, term in enumerate(pool) if term not in chosen]
        if not tried:
            break
        # Of terms that are as good as each other the first one.
        least = min(error for error, _ in tried)
        more = chosen + [pool[next(k for error, k in tried if error <= least + 1e-4)]]
        error = left_out([row for _, row in more], targets, weights)
        # What one sample alone changes does not help the others: it has to explain a quarter of what is left.
        if best is not None and error > 0.9 * best and least > MOST * met:
            break
        chosen, best, met = more, error, least
        if met < CLOSE ** 2 * len(targets):
            break
    factors, _ = solve([row for _, row in chosen], targets, weights)
    return {term: float(f"{factor:.5g}") for (term, _), factor in zip(chosen, factors) if factor > 0}


def estimate(row, block, cell, known):
    return sum(factor * value_of(term, block, known) for term, factor in row.get(cell, {}).items())


def field_of(row, block, known):
    """The field that a block's LUTs go by most, in the base."""
    parts = collections.Counter()
    for term, factor in (row.get("lut") or row.get("ff") or {}).items():
        names = [name for name in term.split("*") if name in FIELDS and name != "one"]
        own = [name for name in names if name != "lanes"] or names
        if own:
            parts[FIELDS[own[0]]] += factor * value_of(term, block, known)
    return parts.most_common(1)[0][0] if parts else "/grid"


def fit(measured, known):
    """The table's blocks."""
    rows = []
    names = list(dict.fromkeys(block for sample in measured for block in sample))
    for block in progress(names, len(names), "blocks"):
        row = {cell: terms for cell in CELLS if (terms := fitted(block, cell, measured, known))}
        if row:
            rows.append({"block": block, "field": field_of(row, block, known[0]), **row})
    return rows


def compare(rows, samples, known, names):
    """A table of the samples' blocks and sums: measured, estimated."""
    print("| block | " + " | ".join(f"{name}: LUT | estimated | error" for name in names) + " |")
    print("|---" * (1 + 3 * len(names)) + "|")
    by_name = {row["block"]: row for row in rows}

    def line(title, pairs):
        cells = [f"{real:.0f} | {guess:.0f} | {100 * (guess - real) / real if real else 0:+.0f} %" for real, guess in pairs]
        print(f"| {title} | " + " | ".join(cells) + " |")
    for block in dict.fromkeys([b for sample in samples for b in sample]):
        pairs = [(sample.get(block, {}).get("lut", 0), estimate(by_name.get(block, {}), block, "lut", one))
                 for sample, one in zip(samples, known)]
        if any(real >= 1 or guess >= 1 for real, guess in pairs):
            line(block, pairs)
    for cell in CELLS:
        pairs = [(sum(b.get(cell, 0) for b in sample.values()), sum(estimate(row, row["block"], cell, one) for row in rows))
                 for sample, one in zip(samples, known)]
        if any(real for real, _ in pairs):
            line(f"**all, {cell.upper()}**", pairs)


def measure(args, wanted, stored):
    """Runs what is not measured yet; each result is written as soon as it is there."""
    left = [(name, text) for name, text in wanted if name not in stored["samples"] and (not args.only or name in args.only)]
    if args.fit_only or not left:
        return
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        tasks = {pool.submit(run, args, name, text): name for name, text in left}
        for task in progress(concurrent.futures.as_completed(tasks), len(tasks), "samples"):
            stored["samples"][tasks[task]] = task.result()
            save(args.family, stored)


def save(family, stored):
    everything = json.loads(MEASURED.read_text()) if MEASURED.exists() else {}
    everything[family] = stored
    parts = []
    for name, of in sorted(everything.items()):
        rows = ",\n".join(f"  {json.dumps(sample)}: {json.dumps(found)}" for sample, found in of["samples"].items())
        parts.append(f' {json.dumps(name)}: {{"rtl": {json.dumps(of["rtl"])}, "yosys": {json.dumps(of["yosys"])}, "samples": {{\n{rows}\n }}}}')
    MEASURED.write_text("{\n" + ",\n".join(parts) + "\n}\n")


def ranges(known):
    """Of each quantity but those that others give: its field, least and most in the samples."""
    found = {}
    for name in sorted(FIELDS.keys() - {"one", "delayRows", "slotRows", "divideStages"}):
        values = [place[name] for sample in known for place in [sample["core"], *sample["pes"]] if name in place]
        found[name] = {"field": FIELDS[name], "from": min(values), "to": max(values)}
    return found


def write_table(family, rows, known):
    count = len(known)
    table = json.loads(TABLE.read_text())
    table[family] = {"ranges": ranges(known), "source": f"utils/rtl/fit-costs.py --family {family}, {synthesis.YOSYS}, {count} samples of "
                     "utils/rtl/cost-samples.json", "blocks": rows}
    parts = []
    for name, of in sorted(table.items()):
        lines = ",\n".join(f"  {json.dumps(row)}" for row in of["blocks"])
        parts.append(f' {json.dumps(name)}: {{\n "source": {json.dumps(of["source"])},\n "ranges": {json.dumps(of.get("ranges", {}))},\n'
                     f' "blocks": [\n{lines}\n ]}}')
    TABLE.write_text("{\n" + ",\n".join(parts) + "\n}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--family", choices=synthesis.FAMILIES, required=True)
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="syntheses at a time (default 1)")
    parser.add_argument("--fit-only", action="store_true", help="synthesise nothing: fit to what was measured")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="synthesise these samples alone")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/dev", help="build folder with acis-overlay")
    parser.add_argument("--limit", type=int, default=3600, metavar="SECONDS", help="of a sample (default 3600)")
    args = parser.parse_args()
    asked = json.loads(SAMPLES.read_text())[args.family]
    base = base_of(asked)
    unknown = set(args.only) - {*asked["samples"], *asked["held"]}
    if unknown:
        fail(f"--only: found '{min(unknown)}', allowed are {', '.join([*asked['samples'], *asked['held']])}")
    texts = {name: json.dumps(changed(base, name, changes), indent=1)
             for group in ("samples", "held") for name, changes in asked[group].items()}
    stored = (json.loads(MEASURED.read_text()) if MEASURED.exists() else {}).get(args.family)
    if not stored or (not args.fit_only and stored["rtl"] != rtl_digest()):
        stored = {"rtl": rtl_digest(), "yosys": synthesis.YOSYS, "samples": {}}
    measure(args, texts.items(), stored)
    names = [name for name in asked["samples"] if name in stored["samples"]]
    held = [name for name in asked["held"] if name in stored["samples"]]
    if len(names) < 4:
        fail(f"{len(names)} samples are measured, a fit needs 4; leave --fit-only out")
    known = {name: quantities(args, texts[name]) for name in names + held}
    rows = fit([stored["samples"][name] for name in names], [known[name] for name in names])
    write_table(args.family, rows, [known[name] for name in names])
    if held:
        compare(rows, [stored["samples"][name] for name in held], [known[name] for name in held], held)


if __name__ == "__main__":
    sys.exit(main())
