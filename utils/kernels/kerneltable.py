"""Figures of kernels.py: of main loops, over all of them, and the latency of the compiler."""
import statistics
import subprocess
import time

from kernelrun import HEADERS


def main_loop(loops):
    """The mapped loop with the most nodes; the others copy."""
    return max((l for l in loops if l["kind"] == "context"), key=lambda l: l["optimised"]["nodes"], default=None)


def bound(loop):
    """The smallest interval that is not excluded: by counts of resources and recurrences, by the
    mapper's other bounds or, where it was asked, by the exact search."""
    return loop.get("lowerBound") or max(loop["resMii"], loop["recMii"])


def optimum(loop):
    """The smallest interval, if it is known: met bounds prove it, a search may."""
    return loop["ii"] if loop["ii"] == bound(loop) else loop.get("optimum")


def figures(rows):
    """What docs/data/kernels.json has of each pair: its main loop, or why it does not map."""
    found = []
    for row in rows:
        pair, loop = {"kernel": row["kernel"], "overlay": row["overlay"]}, main_loop(row.get("loops", []))
        if "refused" in row:
            pair |= {"refused": row["refused"]} | {k: row[k] for k in ("scalarCycles",) if k in row}
        elif loop:
            pair |= {"nodes": loop["optimised"]["nodes"], "bound": bound(loop), "ii": loop["ii"], "optimum": optimum(loop),
                     "ms": round(loop["mapMilliseconds"], 1)}
            pair |= {k: row[k] for k in ("cycles",) if k in row}
        found.append(pair)
    return found


#: Of pairs that map, in the file.
COLUMNS = ["kernel", "overlay", "nodes", "bound", "ii", "optimum", "cycles", "ms"]


def rows_of(data):
    """The pairs of the file as figures() gives them."""
    mapped = [{name: value for name, value in zip(data["columns"], row) if value is not None or name == "optimum"} for row in data["mapped"]]
    return mapped + data["refused"]


def merged(old, new, overlays):
    """Pairs of both, of one pair the newer, by kernel and overlay."""
    found = {(row["kernel"], row["overlay"]): row for row in [*old, *new]}
    return [found[pair] for pair in sorted(found, key=lambda pair: (pair[0], overlays.index(pair[1])))]


def summary_of(rows):
    """Figures over all pairs of the file."""
    loops = [row for row in rows if "ii" in row]
    small = [row for row in loops if row["nodes"] <= 60]
    proven = [row for row in small if row["optimum"]]
    return {"pairs": len(rows), "executed": sum("cycles" in row for row in rows), "mapped": len(loops), "upTo60Nodes": len(small),
            "optimal": sum(row["ii"] == row["optimum"] for row in proven), "notProven": len(small) - len(proven),
            "mostAbove": max((row["ii"] - (row["optimum"] or row["bound"]) for row in small), default=0),
            "medianMs": statistics.median(row["ms"] for row in loops) if loops else 0, "largestMs": max((row["ms"] for row in loops), default=0)}


def larger_on_larger(overlays, rows):
    """Pairs whose main loop has a larger interval, or is refused, on a grid that contains one on
    which it is smaller: (kernel, larger grid, smaller grid). Only where both map the same graph: one
    that is unrolled further for the larger grid does more in an iteration."""
    found = {(row["kernel"], row["overlay"]): main_loop(row.get("loops", [])) for row in rows}
    worse = []
    for (kernel, name), loop in found.items():
        for other in overlays:
            big = found.get((kernel, other.name), loop)
            small = next(o for o in overlays if o.name == name)
            if loop and other.contains(small) and (
                    not big or (big["ii"] > loop["ii"] and big["optimised"] == loop["optimised"])):
                worse.append((kernel, other.name, name))
    return worse


def summary(overlays, rows):
    """Figures over all pairs that map, by their main loops."""
    loops = [main_loop(row.get("loops", [])) for row in rows]
    small = [l for l in loops if l and l["optimised"]["nodes"] <= 60]
    proven = [l for l in small if optimum(l)]
    best = [l for l in proven if l["ii"] == optimum(l)]
    over = [l["ii"] - (optimum(l) or bound(l)) for l in small]
    times = sorted(l["mapMilliseconds"] for l in loops if l)
    return {
        "pairs": len(rows), "executed": sum("cycles" in row for row in rows), "mapped": sum(l is not None for l in loops), "upTo60Nodes": len(small),
        "optimal": len(best), "largerOnLarger": larger_on_larger(overlays, rows), "notProven": len(small) - len(proven), "mostAbove": max(over, default=0),
        "medianMs": statistics.median(times) if times else 0, "largestMs": times[-1] if times else 0,
    }


def latency(bin, folder, kernels, overlay, runs):
    """Whole processes in turn: median over kernels of the median ratio to clang."""
    def seconds(command):
        start = time.perf_counter()
        done = subprocess.run([str(c) for c in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return time.perf_counter() - start, done.returncode
    ratios = {}
    for kernel in kernels:
        ours = [bin / "acisc", kernel.path, "--config", overlay.file, "-o", folder / "l.acis"]
        theirs = ["clang-22", "-O2", "-S", "-emit-llvm", "-I", HEADERS, kernel.path, "-o", folder / "l.ll"]
        if seconds(ours)[1] or seconds(theirs)[1]:
            continue
        ratios[kernel.name] = statistics.median(seconds(ours)[0] / seconds(theirs)[0] for _ in range(runs))
    return ratios


def latency_figures(ratios, limit):
    """What is told of them: kernel and ratio at both ends, and how many are above the limit."""
    ordered = sorted(ratios.items(), key=lambda item: item[1])
    return {"kernels": len(ordered), "median": round(statistics.median(ratios.values()), 2), "limit": limit,
            "smallest": [ordered[0][0], round(ordered[0][1], 2)], "largest": [ordered[-1][0], round(ordered[-1][1], 2)],
            "aboveLimit": sum(ratio > limit for ratio in ratios.values())}
