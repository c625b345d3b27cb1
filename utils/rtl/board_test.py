#!/usr/bin/env python3
"""What board.py and exchange.py do without tools: settings of a PLL, clocks that are not reached, and memory contents that
take the place of others in blocks of every width."""
import contextlib
import io
import json
import random
import re
import unittest

import board
import exchange

BITS = {width: used * 2048 for width, used in exchange.WIDTHS}


def numbers(seed, words, width):
    source = random.Random(seed)
    return [format(source.getrandbits(width), f"0{width // 4}x") for _ in range(words)]


def design(memory, width):
    """The tools' text of a memory of this many bits a word, in blocks with ports of `width`, and of another block."""
    used = dict(exchange.WIDTHS)[width]
    depth = BITS[width] // width
    words = [int(line, 16) for line in memory]
    data = width // 9 * 8 if width > 8 else width
    text = ".device LFE5U-85F\n\n"
    for number, (first, bit) in enumerate((first, bit) for first in range(0, len(words), depth)
                                          for bit in range(0, 4 * len(memory[0]), data)):
        bits = "".join(format(word >> bit & (1 << data) - 1, f"0{width}b")[::-1] for word in words[first:first + depth])
        rows = [int(bits[at:at + used][::-1], 2) for at in range(0, len(bits), used)]
        text += f".bram_init {number}\n" + "\n".join(
            " ".join(format(row, "03x") for row in rows[at:at + 8]) for at in range(0, 2048, 8)) + "\n\n"
    return text + ".bram_init 99\n" + "\n".join(256 * ["000 1ff 0aa 055 000 000 000 001"]) + "\n\n.tile R1C1:X\nenum: A B\n"


class Exchange(unittest.TestCase):
    def test_every_width(self):
        for width, _ in exchange.WIDTHS:
            data = width // 9 * 8 if width > 8 else width
            depth = BITS[width] // width
            pattern, memory = (numbers(seed, 2 * depth, max(4, 2 * data)) for seed in (1, 2))
            self.assertEqual(exchange.exchange(design(pattern, width), pattern, memory), design(memory, width), width)

    def test_what_is_not_there(self):
        pattern, memory = numbers(1, 2048, 16), numbers(2, 2048, 16)
        text = design(pattern, 9)
        with self.assertRaisesRegex(ValueError, "found 32 of 64 columns"):
            exchange.exchange(text.replace(".bram_init 0\n", ".gone 0\n"), pattern, memory)
        with self.assertRaisesRegex(ValueError, "found 64 of 64 columns of the board's memory, 64 more than once"):
            exchange.exchange(text + text, pattern, memory)


class Board(unittest.TestCase):
    def test_pll(self):
        self.assertEqual(board.pll(100, 50), (2, 1, 12))
        for mhz in (3.5, 12.5, 13, 15.6, 25, 33, 62.5, 100, 133, 400):
            divide, times, post = board.pll(100, mhz)
            self.assertLessEqual(100 * times / divide, mhz)
            self.assertGreater(100 * times / divide, 0.95 * mhz)
            self.assertTrue(400 <= 100 * times / divide * post <= 800)
        self.assertIsNone(board.pll(100, 3))

    def test_boards(self):
        devices = json.loads((board.ROOT / "backend/overlay/devices.json").read_text())
        ports = re.findall(r"(?m)^  (?:input|output) +logic +(?:\[(\d):0\])? *(\w+),?", (board.BOARD_RTL / "acis_ecp5.sv").read_text())
        names = {f"{name}[{n}]" if high else name for high, name in ports for n in range(int(high or 0) + 1)}
        for name, one in board.BOARDS.items():
            self.assertIn(one.device, devices, name)
            self.assertEqual(json.loads(board.synthesis.description(one.overlay).read_text())["name"] + ".json", one.overlay)
            pins = (board.BOARD_RTL / one.pins).read_text()
            sites = re.findall(r'(?m)^LOCATE COMP "(.*)" SITE "(.*)";$', pins)
            self.assertEqual(sorted(port for port, _ in sites), sorted(names), name)
            self.assertEqual(len({site for _, site in sites}), len(sites), name)
            self.assertEqual(sorted(re.findall(r'(?m)^IOBUF PORT "(.*?)" IO_TYPE=', pins)), sorted(names), name)
            self.assertIn(f'FREQUENCY PORT "clk_i" {one.oscillator} MHZ;', pins)

    def test_clocks(self):
        clock = {"achieved": 45.7, "constraint": 50.0}
        with contextlib.redirect_stdout(io.StringIO()) as said:
            board.reached({"clk": {"achieved": 51.2, "constraint": 50.0}})
            with self.assertRaisesRegex(SystemExit, "error: clock clk: found 45.7 MHz, needed are 50.0; ask for --mhz 45, or"):
                board.reached({"clk": clock})
            with self.assertRaisesRegex(SystemExit, "found 45.7 MHz, needed are 50.0; ask for another --seed"):
                board.reached({"rgmii_rx_clk_i": clock})
        self.assertIn("clock clk: 51.2 MHz, asked for 50.0", said.getvalue())

    def test_ports_to_memory(self):
        grid = {"rows": 2, "cols": 2, "default": {"memory": True}, "overrides": [{"pes": [1, 2], "memory": False}, {"pes": [0]}]}
        self.assertEqual(board.memory_pes({"grid": grid}), [0, 3])


if __name__ == "__main__":
    unittest.main()
