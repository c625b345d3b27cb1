"""Tables of docs/near-data.md: sums and inference on memory nodes beside fetching."""
import plot
from datapage import table

COMMAND = "scripts/bench-near --write, and the same with --link 1gbit --only sums"
PLACES = {"link 1gbit": "links of 1 Gb/s", "loopback": "loopback device"}


def latency(data):
    at = data["loopback"]
    return (f"A GET of 8 bytes takes {at['getUs']:.1f} us and the launch of an empty function {at['launchUs']:.1f} us, "
            f"{at['launchUs'] / at['getUs']:.2f} of it (loopback device, load {at['load']:.1f}).")


def inference(data):
    rows = [[row["how"], row.get("ii", ""), row.get("lanes", ""), f"{row['cycles']:,}" if "cycles" in row else "", f"{row['rowsPerUs']:,.1f}"]
            for row in data["inference"]["ways"]]
    return table(["", "II", "lanes", "cycles", "rows/us"], rows, range(1, 5))


def sums(data):
    """Of the most integers: milliseconds, and how many times faster than fetching."""
    rows = []
    for place, title in PLACES.items():
        integers, fetched, *ways = data[place]["sums"][-1]
        rows.append([f"{title}, load {data[place]['load']:.1f}", f"{fetched / 1e3:.1f}", *(f"{us / 1e3:.1f} ({fetched / us:.1f})" for us in ways)])
    return table([f"{integers:,} integers, ms", "fetched and added", "on one node", "on two, half each", "their parts one after the other"],
                 rows, range(1, 5))


def moved(data):
    return table(["integers", "fetched", "doubled there, fetched", "doubled, then summed there", "summed there", "composed"],
                 [[f"{count:,}", *(f"{value:.3g}" if value >= 0.01 else f"{value:.1g}" for value in row)] for count, *row in data["loopback"]["bytes"]],
                 range(6))


def reductions(data):
    nodes = data["loopback"]["reductionNodes"]
    return table([f"integers, over {nodes} nodes", "packets", "bytes", "packets, in the switch", "bytes, in the switch"],
                 [[f"{count:,}", *(f"{value:,.0f}" for value in (packets, size, folded, folded_bytes))]
                  for count, packets, size, _, folded, folded_bytes, _ in data["loopback"]["reductions"]], range(5))


def tables(data):
    return {"latency": latency(data), "inference": inference(data), "sums": sums(data), "bytes": moved(data), "reductions": reductions(data)}


def picture(data):
    """Bytes at the host."""
    names = ("fetched", "doubled there, fetched", "doubled, then summed there", "summed there", "composed")
    curves = {name: [(row[0], row[1 + way]) for row in data["loopback"]["bytes"]] for way, name in enumerate(names)}
    return plot.lines([("at the host", curves)], "integers", "bytes for an integer")
