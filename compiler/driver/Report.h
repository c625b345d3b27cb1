// What was mapped and what limits it, as data; as text for people and as JSON.
#pragma once

#include "compiler/driver/Options.h"

#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace acis::driver {

struct PhaseTime {
  Phase phase;
  double milliseconds;
};

struct SizeReport {
  unsigned nodes = 0, edges = 0;
};

/// One loop nest. A transfer from memory to a per-VPE array becomes a vector load and
/// has no initiation interval.
struct NestReport {
  std::string handler, name, file;
  unsigned line = 0, column = 0;
  bool isVectorLoad = false;
  unsigned ii = 0, resMii = 0, recMii = 0;
  std::string resReason, recReason;
  unsigned vf = 0, laneBits = 0;
  SizeReport initial, optimised;   ///< of the graph; copies for VPEs count once
  std::vector<unsigned> nodesByPe; ///< nodes placed on each PE of the overlay

  /// "loop mapped: II 2, ..." without the place.
  std::string summary() const;
};

struct Report {
  std::string input, overlay;
  std::vector<PhaseTime> times;
  std::vector<NestReport> nests;
  size_t binaryBytes = 0; ///< 0: none was made

  std::string text() const;
  llvm::json::Value json() const;
};

/// The nests of a mapped module.
std::vector<NestReport> reportNests(mlir::ModuleOp mapped, unsigned numPes);

/// The table of --time-phases.
std::string timeTable(const std::vector<PhaseTime> &times);

} // namespace acis::driver
