// Mapped loops in words: comments of assembly text and the output of acis-objdump.
#pragma once

#include "backend/isa/Context.h"

#include <string>
#include <vector>

namespace acis::object {

std::string sourceName(isa::Source source); ///< "vrf0", "link2", ..; "-" for None
std::string typeName(isa::Type type);       ///< "i8" .. "f64"
std::string format(const isa::Operand &operand, const isa::Slot &slot);

/// The loop as a whole: "II 2, 9 stages, 16 x 32-bit lanes, ...", streams.
std::vector<std::string> describeLoop(const isa::LoopContext &loop);

/// One slot of one PE: "[2] fadd.f32 vrf0, res ; read0 @0 ; link1 = res". The number
/// in brackets is the stage. Empty when the PE does nothing in it.
std::string describeSlot(const isa::Slot &slot);
std::string describeAddress(const isa::VrfAddress &address, bool scalar);
std::string describeMemory(const isa::MemAddress &address);

/// The whole context: describeLoop, then per PE that does something "pe 3:" and lines
/// with two blanks in front.
std::vector<std::string> describe(const isa::LoopContext &loop);

} // namespace acis::object
