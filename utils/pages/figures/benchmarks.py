"""Tables of docs/benchmarks.md."""
import plot
from datapage import table

COMMAND = "scripts/bench --write"
FLASH_RATE = 95.7  # Gb/s, what the paper reaches


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


def tables(data):
    return {"compile": compiling(data), "gcn": gcn(data), "instructions": instructions(data), "line-rate": line_rate(data)}


def picture(data):
    rates = [(str(r["bytes"]), {"add-constant on u280-full at 250 MHz, Gb/s": r["gbit_s"]}) for r in data["line_rate"]]
    return plot.bars([("bytes a packet; the line is the paper's rate", rates)], "Gb/s", columns=1, line=FLASH_RATE)
