// What the core of an overlay takes of a device, estimated from a table that was fitted to
// synthesis runs (costs.json, written by utils/rtl/fit-costs.py): no tool is run.
//
// The table has, for each block of the core and each kind of cell, a sum of products of
// quantities. The quantities are made here, from the description alone; which of them a
// block's size goes by, and with what factor, the table says.
#pragma once

#include "backend/overlay/Overlay.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace acis {

/// Kinds of cells: look-up tables (of six inputs in UltraScale+, of four in ECP5), registers,
/// multipliers, block RAM (36 Kb; 18 Kb in ECP5) and UltraRAM.
inline constexpr std::string_view cellNames[] = {"lut", "ff", "dsp", "bram", "uram"};
inline constexpr unsigned NumCells = 5;
using Cells = std::array<double, NumCells>;

struct Fpga {
  std::string name;
  std::string family; ///< as Yosys names it: xcup, ecp5
  Cells has{};
};

/// A device of devices.json; the error names those that there are.
Result<Fpga> findDevice(std::string_view name);

/// A named number of a description, or of one of its PEs.
using Quantity = std::pair<std::string_view, double>;
/// Those that all of the core shares.
std::vector<Quantity> coreQuantities(const Overlay &overlay);
/// Those of a PE, with those of the core.
std::vector<Quantity> peQuantities(const Overlay &overlay, unsigned pe);

struct BlockCost {
  std::string block; ///< the way to it in the core, "grid/pe/operands"
  std::string field; ///< JSON path of what its size goes by most
  Cells cells{};     ///< in all of its places, without the blocks in it
};

struct Cost {
  std::string family;
  std::vector<BlockCost> blocks;
  std::string note; ///< what the description has beyond the table's samples; may be empty
  Cells total() const;
};

/// Fails for a family that the table has not.
Result<Cost> estimateCost(const Overlay &overlay, std::string_view family);

/// Whether it fits; the error says the field that the largest block goes by, what was found and
/// what is allowed.
Status checkFits(const Cost &cost, const Fpga &device, std::string_view fileName);

} // namespace acis
