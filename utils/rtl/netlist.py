"""The netlist that synthesis makes of a module for an ECP5, as Verilog that a simulation takes in place of the RTL.

Each cell of the device is replaced by what it does: carries, registers and distributed memory by Yosys' own
models, look-up tables by its own cell, block RAM and multipliers by those of ecp5_cells.py. The module is
acis_netlist, with the ports of the RTL. Errors can be planted in it: the half of a look-up table in which its
last input is 1 is inverted if the environment's ACIS_MUTANT is its number.
"""
import re

import ecp5_cells
import synthesis
from synthesis import ROOT

CELLS = "+/lattice/cells_sim_ecp5.v"
TABLE = re.compile(r"(?m)^  cell \\LUT4 (\S+)\n    parameter \\INIT 16'[01]{16}\n")
PLANTED = r"""(* blackbox *) module LUT4_PLANTED(input A, input B, input C, input D, output Z);
  parameter [15:0] INIT = 16'd0;
  parameter [31:0] NUMBER = 32'd0;
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
"""


def planted(text, count):
    """The text with `count` tables that may be wrong, and where they are."""
    tables = list(TABLE.finditer(text))
    chosen = {(number * 2654435761 >> 7) % len(tables): number for number in range(count)}
    where = {number: tables[at][1] for at, number in chosen.items()}
    for at in sorted(chosen, reverse=True):
        cell = tables[at]
        wrong = cell[0].replace("\\LUT4 ", "\\LUT4_PLANTED ", 1) + f"    parameter \\NUMBER {chosen[at]}\n"
        text = text[:cell.start()] + wrong + text[cell.end():]
    return text, where


def wrapper(top):
    """SystemVerilog: a module with parameters and ports of `top` around the netlist, whose ports are vectors."""
    source = next(synthesis.RTL.glob(f"*/{top}.sv")).read_text()
    header = re.search(rf"(?ms)^module {top}\b((?:\s*import [^;]*;)*\s*(?:#\(\n.*?\n\))?\s*\(\n)(.*?)\n\);\n", source)
    ports = re.findall(r"(?m)^  (?:input|output) .*?(\w+),?(?: *//.*)?$", header[2])
    links = ",\n".join(f"    .{name}({name})" for name in ports)
    return f"module acis_netlist{header[1]}{header[2]}\n);\n  netlist_of_{top} i_netlist (\n{links}\n  );\nendmodule\n"


def write(text, work, top, errors, limit, output):
    """Writes the netlist, RTLIL text, with so many errors to choose from; where these are, by number."""
    text, where = planted(text, errors)
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
flatten
splitnets
clean
rename {top} netlist_of_{top}
write_verilog -noattr {folder}/netlist.v
""", limit)
    output.write_text(PLANTED_MODEL + ecp5_cells.verilog() + (work / "netlist.v").read_text() + wrapper(top))
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
