"""Tables of docs/mapper.md: intervals and times of the search."""
import plot
from datapage import table

COMMAND = "utils/bench/map-bench.py --write"
SUITE = ("mesh4x4-onecycle", "mesh4x4-onecycle-left", "mesh8x8-onecycle", "mesh4x4")
SHOWN = ("crc", "iir", "cipher", "corner", "adpcm", "dct-8", "gsm-lattice", "sha-256", "viterbi", "huffman", "crc-byte")
LOOPS = "mesh4x4-onecycle"  # that they are of


def place_mii(row):
    """1 is no bound."""
    return row["placeMii"] if row["placeMii"] > 1 else ""


def suite(data):
    return table(["overlay", "loops", "mapped", "at the bound", "one above", "ms, median", "ms, at most"],
                 [[r["overlay"], r["graphs"], r["mapped"], r["atBound"], r["oneAbove"], f"{r['medianMs']:.2g}", f"{r['mostMs']:.2g}"]
                  for r in data["suite"] if r["overlay"] in SUITE], range(1, 7))


def loops(data):
    found = {row["loop"]: row for row in data["loops"]}
    return table(["loop", "nodes", "ResMII", "RecMII", "PlaceMII", "II", "ms"],
                 [[r["loop"], r["nodes"], r["resMii"], r["recMii"], place_mii(r), r["ii"], f"{r['ms']:.1f}"]
                  for r in (found[name] for name in SHOWN)], range(1, 7))


def random(data):
    return table(["overlay", "nodes", "graphs", "mapped", "at the bound", "one above", "ms, median", "ms, at most"],
                 [[r["overlay"], r["nodes"], r["graphs"], r["mapped"], r["atBound"], r["oneAbove"], f"{r['medianMs']:.1f}",
                   f"{r['mostMs']:.0f}"] for r in data["random"]], range(1, 8))


def tables(data):
    return {"suite": suite(data), "loops": loops(data), "random": random(data),
            "load": f"Times at a load of {data['load']:.1f} on {data['cores']} cores."}


def picture(data):
    """Sizes where all graphs were mapped."""
    curves = {}
    for row in data["scaling"]:
        if row["graphs"] == row["mapped"]:
            curves.setdefault(row["grid"], []).append((row["nodes"], row["medianMs"]))
    return plot.lines([("random graphs on meshes", curves)], "nodes", "ms to map, median of five graphs")
