// Persistent collectives (MPI_Allreduce_init and its like).
//
// A request is the one that the MPI underneath makes, so every call understands it, and where the
// switch does not do the collective that starts it. They may be started in another order than they
// were made in, on each rank in its own. So each that the switch does has an entry there, as if it
// had a communicator of its own, which its members agree on when it is made: then they may wait for
// each other. While the switch has a collective that was started it is a request of this library,
// which stands for the program's in the completion calls.
#pragma once

#include "runtime/host/mpi/interpose/Call.h"

#include <mpi.h>

#include <memory>
#include <optional>
#include <vector>

namespace acis::mpi {

/// What a persistent request starts again and again.
struct Startable {
  virtual ~Startable() = default; ///< gives up what it has in the switch
  /// An MPI error code; `active`: a request of this library.
  virtual int start(MPI_Request &active) = 0;
};

/// What all members have agreed on when the request was made.
struct Lasting {
  Reason reason = Reason::NoSwitch;
  uint64_t bytes = 0;                             ///< of a start
  std::unique_ptr<Startable> startable = nullptr; ///< only if it is Offloaded
};

/// After the MPI underneath has made `request` of the same arguments. An MPI error code.
int addPersistent(const Arguments &given, MPI_Request request);
/// The same of what was agreed on otherwise.
int addPersistent(const Arguments &given, Result<Lasting> agreed, MPI_Request request);

/// Starts it if it is one of those and the switch does it: an MPI error code. Else the MPI
/// underneath has to.
std::optional<int> startPersistent(MPI_Request request);

/// Whether it was started and is not yet complete.
bool isStarted(MPI_Request request);
/// Of one that is not: it will not be started again.
void forgetPersistent(MPI_Request request);

/// Requests of a completion call, with those that stand for persistent ones of the program; none
/// where they are not started. In a program without any they are its own.
class Stand {
public:
  Stand(int count, MPI_Request *requests);
  Stand(const Stand &) = delete;
  /// The program gets back what the call has changed; what it had started and is complete can be
  /// started again.
  ~Stand();

  operator MPI_Request *() { return standing.empty() ? given : standing.data(); }

private:
  MPI_Request *const given;
  std::vector<MPI_Request> standing;
};

} // namespace acis::mpi
