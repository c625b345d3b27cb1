"""Tables of docs/kernels.md: what maps on which overlay, at which interval."""
import re

import plot
from datapage import table

COMMAND = "scripts/bench-kernels --docs"
NUMBERS = re.compile(r"\d+")


def overlays(data):
    return data["overlays"]


def kernels(data):
    return list(data["titles"])


def rows_of(data):
    """The pairs: those that map, whose figures have columns, and those that are refused."""
    return [dict(zip(data["columns"], row)) for row in data["mapped"]] + data["refused"]


def catalogue(data):
    return table(["kernel", "what it does"], data["titles"].items())


def matrix(data):
    """II of the main loop by kernel and overlay, with the bound where it is not met."""
    found = {(row["kernel"], row["overlay"]): row for row in rows_of(data)}
    lines = []
    for kernel in kernels(data):
        cells = []
        for overlay in overlays(data):
            row = found.get((kernel, overlay), {})
            cells.append("" if "ii" not in row else str(row["ii"]) if row["ii"] == row["bound"] else f"**{row['ii']}** ({row['bound']})")
        if any(cells):
            lines.append([kernel] + cells)
    return table(["kernel"] + overlays(data), lines)


def span(values):
    """"17", "17 to 20"; "" for none."""
    return f"{min(values):,} to {max(values):,}" if len(set(values)) > 1 else f"{values[0]:,}" if values else ""


def refusals(data):
    """Refusals of a kernel that differ in numbers only are one row, with the words of the first."""
    groups = {}
    for kernel in kernels(data):
        for row in data["refused"]:
            if row["kernel"] == kernel:
                groups.setdefault((kernel, NUMBERS.sub("#", row["refused"]).split("('")[0]), []).append(row)
    return table(["kernel", "overlays", "what the compiler says", "cycles on the scalar unit"], [
        [kernel, ", ".join(row["overlay"] for row in rows), rows[0]["refused"].replace("|", "\\|"),
         span([row["scalarCycles"] for row in rows if "scalarCycles" in row])] for (kernel, _), rows in groups.items()])


def summary(data):
    figures = data["summary"]
    executed = ["of these executed: equal to native code on both engines, at the predicted cycles", figures["executed"]]
    return table(["", ""], [
        ["pairs of kernel and architecture", figures["pairs"]],
        ["mapped", figures["mapped"]],
        *([executed] if figures["executed"] else []),
        ["mapped main loops of up to 60 nodes", figures["upTo60Nodes"]],
        ["II is the proven optimum", f"{figures['optimal']} ({100 * figures['optimal'] / max(figures['upTo60Nodes'], 1):.1f} %)"],
        ["optimum not known", figures["notProven"]],
        ["most above optimum or bound", figures["mostAbove"]],
        ["larger on a grid that contains a smaller one", figures["largerOnLarger"]],
        ["time of mapping a main loop, median and largest", f"{figures['medianMs']:.1f} ms, {figures['largestMs']:.0f} ms"],
    ])


def latency(data):
    at = data["latency"]
    if not at:
        return "Not measured."
    return (f"Median over {at['kernels']} kernels: {at['median']:.2f}; smallest {at['smallest'][1]:.2f} ({at['smallest'][0]}), "
            f"largest {at['largest'][1]:.2f} ({at['largest'][0]}); above {at['limit']}: {at['aboveLimit']}.")


def groups(data, names):
    """Of each overlay: kernels at a proven optimum, others that are mapped, refused ones."""
    result = []
    for name in names:
        rows = [row for row in rows_of(data) if row["overlay"] == name]
        best = sum(row.get("ii", -1) == row.get("optimum") for row in rows)
        refused = sum("refused" in row for row in rows)
        result.append((name, {"proven optimum": best, "above it, or open": len(rows) - best - refused, "refused": refused}))
    return result


def picture(data):
    names = overlays(data)
    half = (len(names) + 1) // 2
    return plot.bars([("kernels by overlay", groups(data, names[:half])), ("kernels by overlay", groups(data, names[half:]))], "kernels")


def tables(data):
    return {part.__name__: part(data) for part in (summary, catalogue, matrix, refusals, latency)}
