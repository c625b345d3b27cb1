"""The netlist that synthesis makes of a module for an ECP5, as Verilog that a simulation takes in place of the RTL.

Each cell of the device is replaced by what it does: carries, registers and distributed memory by Yosys' own
models, look-up tables by its own cell, block RAM and multipliers by those of ecp5_cells.py. The module is
acis_netlist, with the ports of the RTL. Errors can be planted in it, of which the environment's ACIS_MUTANT
chooses one by its number: the half of a look-up table in which its last input is 1 is inverted, an output of
another cell is 0.
"""
import re

import ecp5_cells
import synthesis
from synthesis import ROOT

CELLS = "+/lattice/cells_sim_ecp5.v"
MODULE = re.compile(r"(?ms)^module (\S+)\n.*?^end\n")
CELL = re.compile(r"(?m)^  cell \\(\w+) (\S+)\n(?:    .*\n)*  end\n")
# Kinds of cells and their outputs that an error may be in; look-up tables have errors of their own.
OUTPUTS = {"LUT4": "Z", "TRELLIS_FF": "Q", "CCU2C": "S[01]|COUT", "TRELLIS_DPR16X4": "DO", "DP16KD": r"DO[AB]\d+",
           "MULT18X18D": r"P\d+"}
TABLES = ("LUT4",)
PLANTED = r"""(* blackbox *) module LUT4_PLANTED(input A, input B, input C, input D, output Z);
  parameter [15:0] INIT = 16'd0;
  parameter [31:0] NUMBER = 32'd0;
endmodule
(* blackbox *) module PLANTED_ZERO(A, Z);
  parameter WIDTH = 1;
  parameter [31:0] NUMBER = 32'd0;
  input [WIDTH-1:0] A;
  output [WIDTH-1:0] Z;
endmodule
"""
PLANTED_MODEL = """package acis_mutant_pkg;
  int chosen = $c32("(getenv(\\"ACIS_MUTANT\\") ? atoi(getenv(\\"ACIS_MUTANT\\")) : -1)");
endpackage
module LUT4_PLANTED #(
  parameter [15:0] INIT = 16'd0,
  parameter [31:0] NUMBER = 32'd0
) (input A, input B, input C, input D, output Z);
  wire [3:0] at = {D, C, B, A};
  assign Z = INIT[at] ^ (acis_mutant_pkg::chosen == NUMBER && D);
endmodule
module PLANTED_ZERO #(
  parameter WIDTH = 1,
  parameter [31:0] NUMBER = 32'd0
) (input [WIDTH-1:0] A, output [WIDTH-1:0] Z);
  assign Z = acis_mutant_pkg::chosen == NUMBER ? 0 : A;
endmodule
"""


def can_be_wrong(cell):
    """A table that ignores its last input has no error in the half that this chooses."""
    return cell[1] not in TABLES or re.search(r"(?m)^    connect \\D [\\$]", cell[0])


def wrong_table(cell, number, _):
    return cell[0].replace("\\LUT4 ", "\\LUT4_PLANTED ", 1).replace("\n", f"\n    parameter \\NUMBER {number}\n", 1)


def wrong_output(cell, number, module):
    """The cell with the output that is read most by way of a cell that may make it 0."""
    outputs = re.findall(rf"(?m)^    connect \\(?:{OUTPUTS[cell[1]]}) (.*)$", cell[0])
    signal = max(outputs, key=lambda name: len(re.findall(re.escape(name) + r"\s", module)))
    width = 4 if cell[1] == "TRELLIS_DPR16X4" else 1
    right = f"\\planted_{number}"
    changed = re.sub(rf"(?m)^(    connect \\(?:{OUTPUTS[cell[1]]}) ){re.escape(signal)}$", lambda m: m[1] + right, cell[0])
    return f"""  wire width {width} {right}
{changed}  cell \\PLANTED_ZERO $planted_{number}
    parameter \\WIDTH {width}
    parameter \\NUMBER {number}
    connect \\A {right}
    connect \\Z {signal}
  end
"""


def planted(text, count, kinds=TABLES):
    """The text with `count` cells that may be wrong, of one kind after the other as far as there are such,
    and where they are, by number."""
    cells = {kind: [] for kind in kinds}
    modules = list(MODULE.finditer(text))
    for module in modules:
        for cell in CELL.finditer(text, module.start(), module.end()):
            if cell[1] in cells and can_be_wrong(cell):
                cells[cell[1]].append((cell, module))
    there = [kind for kind in kinds if cells[kind]]
    chosen = {}
    for number in range(count):
        of_kind = cells[there[number % len(there)]]
        cell, module = of_kind[(number * 2654435761 >> 7) % len(of_kind)]
        chosen[cell.start()] = number, cell, module
    for at, (number, cell, module) in sorted(chosen.items(), reverse=True):
        wrong = (wrong_table if cell[1] in TABLES else wrong_output)(cell, number, module[0])
        text = text[:at] + wrong + text[cell.end():]
    return text, {number: f"{cell[1]} {module[1].partition('$')[0][1:]} {cell[2]}" for number, cell, module in chosen.values()}


def wrapper(top):
    """SystemVerilog: a module with parameters and ports of `top` around the netlist, whose ports are vectors."""
    source = next(synthesis.RTL.glob(f"*/{top}.sv")).read_text()
    header = re.search(rf"(?ms)^module {top}\b((?:\s*import [^;]*;)*\s*(?:#\(\n.*?\n\))?\s*\(\n)(.*?)\n\);\n", source)
    ports = re.findall(r"(?m)^  (input|output) .*?(\w+)(?:\[(\w+)\])?,?(?: *//.*)?$", header[2])
    links = ",\n".join(f"    .{name}({name}{'_bits' if count else ''})" for _, name, count in ports)
    arrays = "".join(array(*port) for port in ports if port[2])
    return (f"module acis_netlist{header[1]}{header[2]}\n);\n{arrays}  netlist_of_{top} i_netlist (\n{links}\n  );\n"
            "endmodule\n")


def array(way, name, count):
    """An array of vectors as the one vector of a netlist, whose upper bits are the first element."""
    part = f"{name}_bits[({count} - 1 - i) * $bits({name}[0]) +: $bits({name}[0])]"
    ends = (part, f"{name}[i]") if way == "input" else (f"{name}[i]", part)
    return (f"  wire [{count} * $bits({name}[0]) - 1:0] {name}_bits;\n"
            f"  for (genvar i = 0; i < {count}; ++i) begin : g_{name}\n    assign {ends[0]} = {ends[1]};\n  end\n")


def write(text, work, top, errors, limit, output, kinds=TABLES):
    """Writes the netlist, RTLIL text, with so many errors to choose from in cells of these kinds; where these
    are, by number."""
    text, where = planted(text, errors, kinds)
    (work / "planted.il").write_text(text)
    (work / "cells.v").write_text(PLANTED)
    (work / "tables.v").write_text(ecp5_cells.TABLES)
    folder = work.relative_to(ROOT)
    synthesis.yosys(work, "verilog", f"""read_rtlil {folder}/planted.il
read_verilog -lib +/lattice/cells_bb_ecp5.v
read_verilog {folder}/cells.v
read_verilog -nooverwrite {CELLS}
techmap -map {folder}/tables.v
hierarchy -check -top {top}
proc
delete t:$specify2 t:$specify3 t:$specrule
setattr -mod -unset keep_hierarchy *
flatten
clean -purge
splitnets
clean -purge
rename {top} netlist_of_{top}
write_verilog -noattr {folder}/netlist.v
""", limit)
    written = (work / "netlist.v").read_text()
    left = re.findall(r"(?:LUT4_PLANTED|PLANTED_ZERO) #\([^;]*?\.NUMBER\(32's?d(\d+)\)", written)
    for number, place in where.items():
        if str(number) not in left:
            synthesis.fail(f"planted in {place}: nothing reads it, {work / 'netlist.v'} is without it")
    output.write_text(PLANTED_MODEL + ecp5_cells.verilog() + written + wrapper(top))
    return where


def instead(path):
    """What is verilated instead of the RTL, of the command that the build does that with."""
    def change(make):
        packages = " ".join(re.findall(r"\S+_pkg\.sv", make))
        parameters = " ".join(re.findall(r" (-G\w+=\S+)", make))
        make = re.sub(r"--assert -Wall .*?/\w+/acis_\w+\.sv(?= &&)", lambda _: f"-Wno-fatal -Wno-lint {packages} {parameters} {path} "
                      "--top-module acis_netlist", make)
        # Rules of the build's own files end the command.
        return make.replace("OPT_FAST=-O2", "OPT_FAST=-O1").partition(" && sed -i ")[0]
    return change
