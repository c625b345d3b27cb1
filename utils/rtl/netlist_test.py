#!/usr/bin/env python3
"""Which cells of a netlist may be wrong, and how; the module around one."""
import unittest

import netlist


def cell(kind, name, **ports):
    return f"  cell \\{kind} ${name}\n    parameter \\X 1\n" + "".join(
        f"    connect \\{port} {signal}\n" for port, signal in ports.items()) + "  end\n"


TABLE = cell("LUT4", "table", A="\\a", B="\\b", C="\\c", D="\\d", Z="\\e")
INVERTER = cell("LUT4", "inverter", A="\\a", B="1'0", C="1'0", D="1'0", Z="\\na")
REGISTER = cell("TRELLIS_FF", "register", CLK="\\clk", DI="\\e", Q="\\q [3]")
CARRY = cell("CCU2C", "carry", A0="\\q [3]", S0="\\unread", S1="\\sum", COUT="\\unread2")


def module(name, *cells):
    return f"attribute \\x 1\nmodule \\{name}\n  wire width 4 \\q\n{''.join(cells)}  connect \\out \\sum\nend\n"


class Planted(unittest.TestCase):
    def test_a_table_that_ignores_its_last_input_is_left(self):
        text, where = netlist.planted(module("top", INVERTER, TABLE, INVERTER), 1)
        self.assertEqual(where, {0: "LUT4 top $table"})
        self.assertIn("cell \\LUT4_PLANTED $table\n    parameter \\NUMBER 0\n    parameter \\X 1\n    connect \\A \\a\n", text)
        self.assertEqual(text.count("cell \\LUT4 $inverter"), 2)

    def test_kinds_take_turns(self):
        _, where = netlist.planted(module("top", TABLE) + module("acis_a$1", REGISTER, CARRY), 3, netlist.OUTPUTS)
        self.assertEqual(where, {0: "LUT4 top $table", 1: "TRELLIS_FF acis_a $register", 2: "CCU2C acis_a $carry"})

    def test_an_output_that_is_read_is_wrong(self):
        text, _ = netlist.planted(module("top", CARRY), 1, ("CCU2C",))
        self.assertIn("connect \\S1 \\planted_0\n", text)
        self.assertIn("connect \\S0 \\unread\n", text)
        self.assertIn("    connect \\A \\planted_0\n    connect \\Z \\sum\n  end\n", text)
        text, _ = netlist.planted(module("top", REGISTER, CARRY), 1, ("TRELLIS_FF",))
        self.assertIn("  wire width 1 \\planted_0\n  cell \\TRELLIS_FF $register\n", text)
        self.assertIn("connect \\Q \\planted_0\n", text)
        self.assertIn("connect \\Z \\q [3]\n", text)
        self.assertIn("connect \\A0 \\q [3]\n", text)

    def test_no_more_errors_than_cells(self):
        self.assertEqual(len(netlist.planted(module("top", TABLE), 3)[1]), 1)


class Wrapper(unittest.TestCase):
    def test_ports_of_the_core(self):
        text = netlist.wrapper("acis_core")
        self.assertIn("    .clk_i(clk_i),\n", text)
        self.assertIn("    .scalar_memory_o(scalar_memory_o),\n", text)
        self.assertIn("    .memory_i(memory_i_bits),\n", text)
        self.assertIn("begin : g_memory_o\n    assign memory_o[i] = memory_o_bits[(NumPes - 1 - i) * $bits(memory_o[0])", text)


if __name__ == "__main__":
    unittest.main()
