"""The table of kernels.py: JSON, Markdown, and the latency of the compiler.

Markdown goes between the lines `<!-- begin NAME -->` and `<!-- end NAME -->` of a document.
"""
import re
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


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def catalogue(kernels):
    return table(["kernel", "what it does"], [[k.name, k.title] for k in kernels])


def matrix(kernels, overlays, rows):
    """II of the main loop by kernel and overlay, with the bound where it is not met."""
    found = {(row["kernel"], row["overlay"]): row for row in rows}
    lines = []
    for kernel in kernels:
        cells = []
        for overlay in overlays:
            row = found.get((kernel.name, overlay.name), {})
            loop = main_loop(row.get("loops", []))
            cells.append("" if not loop else str(loop["ii"]) if loop["ii"] == bound(loop) else f"**{loop['ii']}** ({bound(loop)})")
        if any(cells):
            lines.append([kernel.name] + cells)
    return table(["kernel"] + [o.name for o in overlays], lines)


def details(overlays, rows):
    """One table per overlay."""
    parts = []
    for overlay in overlays:
        lines = []
        for row in rows:
            loop = main_loop(row.get("loops", []))
            if row["overlay"] != overlay.name or not loop:
                continue
            lines.append([row["kernel"], loop["optimised"]["nodes"], loop["resMii"], loop["recMii"], loop["ii"],
                          optimum(loop) or "?", loop["stages"], f"{loop['mapMilliseconds']:.1f}", row.get("cycles", "")])
        header = ["kernel", "nodes", "ResMII", "RecMII", "II", "optimum", "stages", "ms", "cycles"]
        parts.append(f"### {overlay.name}\n\n" + table(header, lines))
    return "\n\n".join(parts)


def refusals(kernels, rows):
    """Pairs that do not map, with the reason, and the cycles that the scalar unit takes."""
    lines = []
    for kernel in kernels:
        for row in rows:
            if row["kernel"] == kernel.name and "refused" in row:
                lines.append([kernel.name, row["overlay"], row["refused"].replace("|", "\\|"), row.get("scalarCycles", "")])
    return table(["kernel", "overlay", "what the compiler says", "cycles on the scalar unit"], lines)


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


def summary_text(figures):
    executed = ["of these executed: equal to native code on both engines, at the predicted cycles", figures["executed"]]
    return table(["", ""], [
        ["pairs of kernel and architecture", figures["pairs"]],
        ["mapped", figures["mapped"]],
        *([executed] if figures["executed"] else []),
        ["mapped main loops of up to 60 nodes", figures["upTo60Nodes"]],
        ["II is the proven optimum", f"{figures['optimal']} ({100 * figures['optimal'] / max(figures['upTo60Nodes'], 1):.1f} %)"],
        ["optimum not known", figures["notProven"]],
        ["most above optimum or bound", figures["mostAbove"]],
        ["larger on a grid that contains a smaller one", len(figures["largerOnLarger"])],
        ["time of mapping a main loop, median and largest", f"{figures['medianMs']:.1f} ms, {figures['largestMs']:.0f} ms"],
    ])


def fill(document, name, text):
    """Replaces what stands between the two lines."""
    old = document.read_text()
    pattern = re.compile(rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)", re.S)
    if not pattern.search(old):
        raise SystemExit(f"{document}: no lines '<!-- begin {name} -->' and '<!-- end {name} -->'")
    document.write_text(pattern.sub(lambda m: m.group(1) + text + "\n" + m.group(2), old))


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
