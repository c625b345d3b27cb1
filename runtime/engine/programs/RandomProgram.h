// A random handler for comparing engines: a random context, launched twice with random sizes
// and arguments, results sent behind the output, three invocations. A context that leaves
// elements out is launched once, and nothing is sent behind it.
#pragma once

#include "runtime/engine/programs/RandomContext.h"
#include "runtime/engine/programs/TestElf.h"

#include <vector>

namespace acis::model {

struct RandomProgram {
  explicit RandomProgram(const Overlay &overlay) : binary(overlay) {}

  cts::TestBinary binary;
  std::vector<cts::Bytes> packets;
  cts::Bytes memory;
};

RandomProgram randomProgram(const Overlay &overlay, std::mt19937 &random);

/// Gives some register files initial values.
void addInitialValues(cts::TestBinary &binary, const Overlay &overlay, std::mt19937 &random);

} // namespace acis::model
