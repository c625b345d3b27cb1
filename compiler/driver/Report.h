// What was mapped and what limits it, as data; as text for people and as JSON.
#pragma once

#include "backend/overlay/Overlay.h"
#include "compiler/driver/Options.h"
#include "compiler/driver/RateCertificate.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <string>
#include <vector>

namespace llvm::json {
class Value;
} // namespace llvm::json

namespace mlir {
class ModuleOp;
class Operation;
} // namespace mlir

namespace acis::driver {

struct PhaseTime {
  Phase phase;
  double milliseconds;
};

struct SizeReport {
  unsigned nodes = 0, edges = 0;
};

/// Where a value goes on its way: a step of a route, passes/mapper/Problem.h.
struct StepReport {
  unsigned pe = 0, time = 0, place = 0, index = 0;
};

/// An operand that wires carry.
struct WireReport {
  unsigned from = 0;    ///< number of the node that computes it
  unsigned operand = 0; ///< SSA operand of the node that takes it
  unsigned distance = 0, delay = 0;
  std::vector<StepReport> route;
};

/// A node of the mapped graph. Slot and stage are time % II and time / II.
struct NodeReport {
  std::string name; ///< operation, or access: "fadd", "stream.read"
  std::string file;
  unsigned line = 0, column = 0;
  unsigned pe = 0, time = 0;
  std::vector<WireReport> wires;
};

/// What the loop would need with another machine.
struct WhatIfReport {
  std::string change; ///< "memory ports on all PEs"
  unsigned ii = 0;    ///< 0: cannot be mapped there
};

/// One loop nest. A transfer from memory to a per-VPE array becomes a vector load and
/// has no initiation interval.
struct NestReport {
  std::string handler, name, file;
  unsigned line = 0, column = 0;
  bool isVectorLoad = false;
  unsigned ii = 0, resMii = 0, recMii = 0;
  unsigned stages = 0;        ///< iterations under way at once: 1 + the largest stage
  double mapMilliseconds = 0; ///< bounds, search and verification; 0: was not mapped
  unsigned lowerBound = 0;    ///< no mapping has a smaller II: proven
  std::string resReason, recReason, boundReason;

  bool isOptimal() const { return ii != 0 && ii <= lowerBound; }
  unsigned vf = 0, laneBits = 0;
  std::optional<uint64_t> trip;       ///< iterations in the source, if that is a constant
  SizeReport initial, optimised;      ///< of the graph; copies for VPEs count once
  std::vector<unsigned> nodesByPe;    ///< nodes placed on each PE of the overlay
  std::vector<NodeReport> nodes;      ///< of the mapped graph
  unsigned inBytes = 0, outBytes = 0; ///< of the streams in an iteration
  std::vector<WhatIfReport> whatIf;   ///< changes that would help, with --report=html

  /// "loop mapped: II 2, ..." without the place.
  std::string summary() const;
};

/// A loop that the scalar unit runs, with --scalar-loops or because it has loops that are mapped.
struct ScalarLoopReport {
  std::string file;
  unsigned line = 0, column = 0;
  bool launches = false; ///< loops in it are mapped
  std::string why;       ///< "loop not mapped: ..."
  std::string refusal;   ///< its name in docs/refusals.md
};

/// Types of the elements of a handler's streams: "float32", "int16", "uint8"; "" for bytes.
struct HandlerReport {
  std::string name, in, out;
};

struct Report {
  std::string input, overlay;
  Overlay machine;
  std::vector<PhaseTime> times;
  std::vector<NestReport> nests;
  std::vector<ScalarLoopReport> scalarLoops;
  std::vector<HandlerReport> handlers;
  size_t binaryBytes = 0;                       ///< 0: none was made
  std::vector<HandlerCertificate> certificates; ///< with --certify

  std::string text() const;
  llvm::json::Value json() const;
  /// A page that needs no other file: the JSON, the sources that it names, and what draws
  /// them (report.html).
  std::string html() const;
};

/// Time of mapping by graph.
using MapTimes = llvm::DenseMap<mlir::Operation *, double>;

/// The nests of a mapped module.
std::vector<NestReport> reportNests(mlir::ModuleOp mapped, unsigned numPes, const MapTimes &times);

/// Maps copies of a module that is ready for mapping to machines with more of something,
/// and notes what shortens the interval of a nest. `nests` are those of the module.
void askWhatIf(mlir::ModuleOp unmapped, const Overlay &overlay, std::vector<NestReport> &nests);

double totalMilliseconds(const std::vector<PhaseTime> &times);

/// The table of --time-phases.
std::string timeTable(const std::vector<PhaseTime> &times);

} // namespace acis::driver
