// Who does a call: the switch, the hosts, or the MPI underneath.
#pragma once

#include "runtime/host/algorithms/Algorithm.h"
#include "runtime/host/mpi/Settings.h"
#include "runtime/host/mpi/interpose/Call.h"
#include "runtime/host/mpi/interpose/Communicator.h"

namespace acis::mpi {

struct Decision {
  /// Offloaded: the switch has it. Empty: it is complete. Else the MPI underneath has it, if it is
  /// not by the hosts.
  Reason reason;
  /// Nodes, or one that isByHosts(): it is done by that.
  algorithms::Algorithm algorithm = algorithms::Algorithm::Switch;

  bool isServed() const {
    return reason == Reason::Offloaded || reason == Reason::ByNodes || isByHosts(algorithm);
  }
};

/// The same on all members, since nothing is read but what is equal on all of them: what MPI makes
/// equal of the call, what was agreed on when the communicator was set up, the policy of rank 0,
/// and the limits of the session's switches. `blocks`: hosts may do it. The communicator remembers
/// what the session said.
Decision decide(const Call &call, Communicator &communicator, const Policy &policy,
                const Session &session, bool blocks);

/// Most bytes of all blocks, each as long as the longest.
inline constexpr uint64_t MostHeld = 1 << 30;

/// Of a call with a block of its own length for each rank.
struct Spread {
  uint64_t longest = 0; ///< bytes of a block
  uint64_t most = 0;    ///< that one rank gives or takes in all
};

/// Offloaded if the switch is to do it as the plain collective `kind` with blocks as long as the
/// longest, in a form that is not Plain; else why the MPI underneath does it. Of what is equal on
/// all members, too. Without `spread`, before that is known: whether it may be the switch at all.
Reason decideVarying(Kind kind, Form form, const Spread *spread, Communicator &communicator,
                     const Policy &policy, const Session &session);

} // namespace acis::mpi
