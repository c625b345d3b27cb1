// Random contexts for comparing the engines: elements are added one by one with
// random places, sources and delays, and what the loader refuses is taken back.
#pragma once

#include "backend/isa/Context.h"
#include "backend/overlay/Overlay.h"

#include <random>

namespace acis::model {

struct RandomOptions {
  unsigned maxIi = 4;
  unsigned elements = 24;  ///< attempts
  bool indexed = true;     ///< register-file accesses with an index
  bool scalar = true;      ///< also loops of one element per iteration
  bool outside = false;    ///< also accesses that leave their array, which trap
  bool identities = false; ///< accumulations from any number, not from 0 alone
};

/// Arguments of a random context: positions of stream in and out, addresses of memory read and
/// written (16 KiB in reach on both sides, what is written 64 KiB further for each PE), a
/// number, and one of beats.
inline constexpr unsigned RandomArgs = 6;
/// The number that the context gives to one of these.
unsigned argumentNumber(const isa::LoopContext &loop, unsigned which);

/// Whether the loop leaves elements out of its output: then how much it sends depends on data.
bool sendsConditionally(const isa::LoopContext &loop);

/// A context that traceContext() accepts.
isa::LoopContext randomContext(const Overlay &overlay, std::mt19937 &random,
                               const RandomOptions &options);

} // namespace acis::model
