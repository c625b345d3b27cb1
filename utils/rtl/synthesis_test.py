#!/usr/bin/env python3
"""What synthesis.py does with text: modules that are the same become one, and cells are counted by places."""
import unittest

import synthesis

LANE = """attribute \\src "lane.sv:{n}"
module \\acis_lane$top.g[{n}].lane
  wire $add${n}
  wire width 4 input 1 \\a
  cell $add $add$lane.sv:{n}${n}
    connect \\A \\a
  end
end
"""
TOP = """module \\acis_top
  cell \\acis_lane$top.g[0].lane \\one
  end
  cell \\acis_lane$top.g[1].lane \\two
  end
end
"""


class Synthesis(unittest.TestCase):
    def test_same_modules_become_one(self):
        text = "autoidx 1\n" + TOP + LANE.format(n=0) + LANE.format(n=1)
        shared = synthesis.share(text)
        self.assertEqual(list(synthesis.split(shared)), ["\\acis_top", "\\acis_lane$top.g[0].lane"])
        self.assertEqual(shared.count("cell \\acis_lane$top.g[0].lane"), 2)

    def test_others_stay(self):
        text = TOP + LANE.format(n=0) + LANE.format(n=1).replace("width 4", "width 5")
        self.assertEqual(len(synthesis.split(synthesis.share(text))), 3)
        text = TOP + LANE.format(n=0) + LANE.format(n=1)
        self.assertEqual(len(synthesis.split(synthesis.share(text, lambda name: "g[1]" in name))), 3)

    def test_links_of_a_chain(self):
        package = "MaxLinks = 2;\nLinkOn [6] = '{\n 1, 0, 1, 1, 0, 1};\nLinkFrom [6] = '{\n 1, 0, 2, 0, 0, 1};\n" \
                  "LinkPort [6] = '{\n 1, 0, 1, 0, 0, 0};\n"
        of = synthesis.links(package)
        self.assertEqual([of(f"\\acis_pe$core.g_pe[{pe}].i_pe") for pe in range(3)],
                         [([0], [0]), ([0, 1], [0, 1]), ([1], [1])])
        self.assertIsNone(of("\\acis_grid$core"))

    def test_cells_count_in_all_places(self):
        modules = {
            "acis_top": {"cells": {"a": {"type": "acis_lane$0"}, "b": {"type": "acis_lane$0"}, "c": {"type": "LUT6"}}},
            "acis_lane$0": {"cells": {"x": {"type": "FDRE"}, "y": {"type": "RAM64M8"}, "z": {"type": "RAMB18E2"}}},
        }
        rows = synthesis.blocks("xcup", modules, "acis_top")
        self.assertEqual([(path, places, dict(counts)) for path, _, places, counts in rows],
                         [("top", 1, {"LUT": 1}), ("top/lane", 2, {"FF": 1, "LUT": 8, "BRAM": 0.5})])

    def test_a_carry_of_an_ecp5_is_two_luts(self):
        cells = {n: {"type": kind} for n, kind in enumerate(("CCU2C", "TRELLIS_DPR16X4", "LUT4", "PFUMX"))}
        self.assertEqual(synthesis.counted("ecp5", {"cells": cells})["LUT"], 2 + 6 + 1)


if __name__ == "__main__":
    unittest.main()
