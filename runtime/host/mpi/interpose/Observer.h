// What a simulation adds to the calls of a program. These functions do nothing; libacis-sim has
// others of the same names (runtime/sim/smpi/Observer.cpp).
#pragma once

#include "runtime/host/mpi/interpose/Call.h"

namespace acis::mpi {

/// The rank is about to end its superstep `step` with this call, and has computed until now.
void endOfWork(uint64_t step, const Arguments &call);
/// A blocking collective begins, and ends; `reason` is what it is counted with.
void callBegins();
void callEnds(const Arguments &call, Reason reason);

} // namespace acis::mpi
