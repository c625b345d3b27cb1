// Cells are distinct, hop counts right, names readable.
#include "passes/mrrg/Mrrg.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <set>

using namespace acis;
using namespace acis::map;

static Overlay overlayNamed(const std::string &name) {
  const char *root = std::getenv("ACIS_SRC_ROOT");
  auto overlay = Overlay::load(std::string(root ? root : ".") + "/backend/overlay/descriptions/" +
                               name + ".json");
  EXPECT_TRUE(overlay) << overlay.error().str();
  return *overlay;
}

TEST(Mrrg, EveryCellIsDistinct) {
  for (const char *name : {"u280-full", "mesh4x4", "tiny"})
    for (unsigned ii : {1u, 3u}) {
      Overlay overlay = overlayNamed(name);
      Mrrg mrrg(overlay, ii);
      std::set<unsigned> cells;
      unsigned count = 0;
      auto add = [&](unsigned cell) {
        EXPECT_LT(cell, mrrg.numCells());
        EXPECT_TRUE(cells.insert(cell).second) << mrrg.describe(cell);
        ++count;
      };
      for (unsigned slot = 0; slot < ii; ++slot) {
        for (unsigned pe = 0; pe < mrrg.numPes(); ++pe) {
          add(mrrg.unit(pe, slot));
          add(mrrg.regWrite(pe, slot));
          add(mrrg.result(pe, slot));
          add(mrrg.sharedUnit(pe, UnitClass::Convert, slot));
          add(mrrg.sharedUnit(pe, UnitClass::Divide, slot));
          add(mrrg.vrfWrite(pe, slot));
          for (unsigned port = 0; port < mrrg.numReadPorts(); ++port)
            add(mrrg.vrfRead(pe, port, slot));
          for (unsigned input = 0; input < NumInputs; ++input)
            add(mrrg.input(pe, Input(input), slot));
          for (unsigned reg = 0; reg < mrrg.numRegisters(); ++reg)
            add(mrrg.reg(pe, reg, slot));
        }
        for (unsigned link = 0; link < overlay.links.size(); ++link)
          add(mrrg.link(link, slot));
        add(mrrg.streamIn(slot));
        add(mrrg.streamOut(slot));
      }
      for (unsigned pe = 0; pe < mrrg.numPes(); ++pe) {
        add(mrrg.memRead(pe));
        add(mrrg.memWrite(pe));
      }
      EXPECT_EQ(cells.size(), count);
    }
}

TEST(Mrrg, HopsOfChainAndMesh) {
  Mrrg chain(overlayNamed("u280-full"), 1), mesh(overlayNamed("mesh4x4"), 1);
  EXPECT_EQ(chain.hops(0, 15), 15u);
  EXPECT_EQ(chain.hops(15, 0), 15u);
  EXPECT_EQ(chain.hops(4, 4), 0u);
  EXPECT_EQ(mesh.hops(0, 15), 6u);
  EXPECT_EQ(mesh.hops(3, 12), 6u);
}

TEST(Mrrg, NoWayIsUnreachable) {
  Overlay overlay = overlayNamed("tiny");
  overlay.links = {{0, 1, 0, 0}}; // one direction only
  Mrrg mrrg(overlay, 1);
  EXPECT_EQ(mrrg.hops(0, 1), 1u);
  EXPECT_EQ(mrrg.hops(1, 0), Mrrg::Unreachable);
}

TEST(Mrrg, SlotsOfNegativeTimes) {
  Mrrg mrrg(overlayNamed("tiny"), 3);
  EXPECT_EQ(mrrg.slotOf(-1), 2u);
  EXPECT_EQ(mrrg.slotOf(-3), 0u);
  EXPECT_EQ(mrrg.slotOf(7), 1u);
}

TEST(Mrrg, Names) {
  Mrrg mrrg(overlayNamed("u280-full"), 2);
  EXPECT_EQ(mrrg.describe(mrrg.unit(3, 1)), "functional unit of PE 3 in slot 1");
  EXPECT_EQ(mrrg.describe(mrrg.result(2, 0)), "result bus of PE 2 in slot 0");
  EXPECT_EQ(mrrg.describe(mrrg.sharedUnit(2, UnitClass::Divide, 1)),
            "shared divider of PE 2 in slot 1");
  EXPECT_TRUE(mrrg.isNodeCell(mrrg.sharedUnit(2, UnitClass::Convert, 1)));
  EXPECT_EQ(mrrg.describe(mrrg.reg(15, 7, 0)), "register 7 of PE 15 in slot 0");
  EXPECT_EQ(mrrg.describe(mrrg.input(0, Input::WriteIndex, 1)),
            "operand input 'write index' of PE 0 in slot 1");
  EXPECT_EQ(mrrg.describe(mrrg.link(0, 1)), "link from PE 0 to PE 1 in slot 1");
  EXPECT_EQ(mrrg.describe(mrrg.streamIn(0)), "stream input in slot 0");
}
