// One call of a collective: its arguments, and what they mean. They are read once, here; what
// decides about a call and what carries it out knows nothing of MPI's arguments.
//
// What is equal on all ranks is in Call::collective and Call::bytes; a decision that all must take
// alike uses nothing else. What this rank alone has, its buffers, is in Call::give and Call::take.
#pragma once

#include "runtime/host/client/Session.h"
#include "runtime/host/mpi/Summary.h"
#include "runtime/host/mpi/interpose/Items.h"
#include "runtime/host/mpi/interpose/Types.h"

#include <mpi.h>

#include <memory>
#include <optional>
#include <vector>

namespace acis::mpi {

/// The ranks for which something holds.
enum class Who : uint8_t { Nobody = 0, Root = 1, Others = 2, All = 3 };

/// What a kind's arguments are for.
struct Roles {
  Who gives, takes;               ///< for whom the send, the receive buffer means something
  Who givesInPlace, takesInPlace; ///< who may name MPI_IN_PLACE for it
  bool givesEach, takesEach;      ///< it has a block for each rank, by rank; else one block
};

/// Of a kind that MPI has. Bcast's one buffer is the root's send and the others' receive buffer.
const Roles &rolesOf(Kind kind);

struct BufferArgument {
  const void *at = nullptr;
  int count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
};

/// As the program gave them; those that a collective does not have keep their defaults, one that is
/// for both buffers (a reduction's count and type, Bcast's buffer) is given twice.
struct Arguments {
  Kind kind;
  const char *name; ///< of the function that was called, a literal
  const void *site; ///< return address in the program
  MPI_Comm comm;
  BufferArgument send = {}, recv = {};
  const int *counts = nullptr; ///< Reduce_scatter: in items, of each rank
  MPI_Op op = MPI_OP_NULL;
  int root = 0;
};

/// What this rank gives to a collective or takes from it, in the program's memory.
struct Message {
  bool isUsed = false;    ///< else it gives or takes nothing, whatever its arguments are
  bool isInPlace = false; ///< `at` is in the other message
  void *at = nullptr;     ///< the first item: MPI_IN_PLACE is resolved; null where MPI_BOTTOM is
  uint64_t items = 0;     ///< of `type`, for all ranks together
  MPI_Datatype type = MPI_DATATYPE_NULL;
  TypeLayout layout; ///< of an item
  /// Of a user operator's items that do not lie in memory as its handler gets them: how they do.
  std::shared_ptr<const ItemForm> form = nullptr;

  /// Of the signature.
  uint64_t bytes() const { return items * layout.size; }
};

struct Call {
  Call() = default;
  Call(Call &&) = default; // a copy's collective would show another's counts
  Call &operator=(Call &&) = default;

  const char *name = "";
  MPI_Comm comm = MPI_COMM_NULL;
  /// Offloaded: a switch may do it, and all that follows is set. Empty: nothing is sent, so there
  /// are no messages. Else (Refused, Type, UserOperator, Operator) why only the MPI underneath can.
  Reason reason = Reason::Refused;
  /// Kind, root, operation, type, and counts in elements (bytes, where data are only moved). Its
  /// context and buffers are set by what carries it out (Work.h).
  Collective collective;
  std::vector<uint64_t> counts; ///< what collective.counts shows
  uint64_t bytes = 0;           ///< of collective.count elements
  Message give, take;
  /// The call as the others take it to be, of a root whose own MPI is to refuse (asOthersSee()).
  bool isRefused = false;
};

/// Reads the arguments on rank `rank` of an intracommunicator of `size` ranks. Sends nothing; looks
/// at no buffer, and at no argument that means nothing on this rank.
Call normalise(const Arguments &given, int rank, int size);

/// A call that normalise() gives Refused, if it is a root's and wrong in nothing but its result's
/// buffer, of which the others know nothing. `take` then is as many bytes as the result has, and
/// has no address. In place nothing says how much the others send: nothing.
std::optional<Call> asOthersSee(const Arguments &given, int rank, int size);

} // namespace acis::mpi
