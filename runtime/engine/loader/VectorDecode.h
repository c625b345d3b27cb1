// From a vector instruction as the scalar unit hands it over to the loader's
// description of it, from which the one-slot contexts are made.
#pragma once

#include "runtime/engine/loader/VectorContext.h"
#include "runtime/engine/scalar/ScalarPort.h"

namespace acis::scalar {

/// `request` must hold a word that decode() calls a vector instruction.
acis::VectorInstruction vectorInstruction(const VectorRequest &request);

/// Sets what vsetvli has chosen; the CSRs' part of `state` stays.
void setVectorState(const VectorRequest &request, VectorState &state);

} // namespace acis::scalar
