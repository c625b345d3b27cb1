"""The tables of docs/benchmarks.md and their picture, of the figures in docs/data/benchmarks.json."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "evaluate"))
import plot

COMMAND = "scripts/bench --write"
FLASH_RATE = 95.7  # Gb/s, what the paper reaches


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def compiling(data):
    at = data["compile"]
    return table(["", "ms"], [["`acisc`, source to binary, static", f"{at['acisc_ms']:.1f}"],
                              ["`clang-22 -O2 -S -emit-llvm`", f"{at['clang_ms']:.1f}"],
                              ["ratio; the limit is 1.0", f"{at['ratio']:.2f}"]])


def gcn(data):
    return table(["graph", "rows", "non-zeros", "cycles", "bound", "ratio", "error to float64 SciPy", "`fast` to native"],
                 [[r["graph"], f"{r['rows']:,}", f"{r['nonzeros']:,}", f"{r['cycles']:,}", f"{r['bound']:,}", f"{r['ratio']:.2f}",
                   f"{r['scipy']:.1e}", f"{r['fast_to_native']:.2f}"] for r in data["gcn"]])


def instructions(data):
    return table(["graph", "dataflow", "loads / accumulates / sends", "paper: `vle32.v` / MAC / `streamout.v`", "cycles", "with one buffer"],
                 [[r["graph"], r["dataflow"].upper(), f"{r['loads']} / {r['accumulates']} / {r['sends']}", " / ".join(map(str, r["paper"])),
                   f"{r['cycles']:,}", f"{r['cycles_one_buffer']:,}"] for r in data["instructions"]])


def line_rate(data):
    return table(["bytes a packet", "cycles a packet", "Gb/s"],
                 [[f"{r['bytes']:,}", f"{r['cycles_per_packet']:.1f}", f"{r['gbit_s']:.1f}"] for r in data["line_rate"]])


PARTS = {"compile": compiling, "gcn": gcn, "instructions": instructions, "line-rate": line_rate}


def filled(text, data):
    """The page with the tables of the data; raises ValueError if a table has no place."""
    for name, part in PARTS.items():
        pattern = re.compile(rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)", re.S)
        if not pattern.search(text):
            raise ValueError(f"no lines '<!-- begin {name} -->' and '<!-- end {name} -->'")
        text = pattern.sub(lambda m: m.group(1) + part(data) + "\n" + m.group(2), text)
    return text


def picture(data):
    rates = [(str(r["bytes"]), {"add-constant on u280-full at 250 MHz, Gb/s": r["gbit_s"]}) for r in data["line_rate"]]
    return plot.bars([("bytes a packet; the line is the paper's rate", rates)], "Gb/s", columns=1, line=FLASH_RATE)


def kept(result, old):
    """What the file has: graphs that are generated are left out, and without the real ones (ACIS_DATA) the
    old figures stay."""
    real = [row for row in result["gcn"] if row["scipy"] is not None]
    return {"command": COMMAND, "compile": {k: round(result["compile"][k], 3) for k in ("acisc_ms", "clang_ms", "ratio")},
            "line_rate": result["line_rate"], "gcn": real or old.get("gcn", []),
            "instructions": result["instructions"] or old.get("instructions", [])}
