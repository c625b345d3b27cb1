// Arguments that are wrong, or that mean nothing: the library must return the error class
// that the MPI underneath returns, call the same error handler as often, and never hang.
// Every rank makes the same mistake, or the root one that the others do not see, and each wrong
// call is compared with the same of PMPI_.
#include "Check.h"

#include <functional>

using namespace check;

namespace {

int handled = 0;
MPI_Comm handledFor = MPI_COMM_NULL;

void onError(MPI_Comm *comm, int *, ...) {
  ++handled;
  handledFor = *comm;
}

struct Outcome {
  int errorClass = MPI_SUCCESS, handled = 0;
  bool rightComm = true;
};

/// Runs a call and says what it returned and which handler it called.
Outcome outcomeOf(MPI_Comm comm, const std::function<int()> &call) {
  handled = 0;
  handledFor = comm;
  Outcome outcome;
  int code = call();
  MPI_Error_class(code, &outcome.errorClass);
  outcome.handled = handled;
  outcome.rightComm = handledFor == comm;
  return outcome;
}

/// `ours` calls MPI_, `theirs` PMPI_.
void compare(const char *what, MPI_Comm comm, const std::function<int()> &ours,
             const std::function<int()> &theirs) {
  Outcome a = outcomeOf(comm, ours), b = outcomeOf(comm, theirs);
  require(a.errorClass == b.errorClass, std::string(what) + ": error class " +
                                            std::to_string(a.errorClass) + ", of the MPI library " +
                                            std::to_string(b.errorClass));
  require(a.handled == b.handled && a.rightComm == b.rightComm,
          std::string(what) + ": the error handler was called " + std::to_string(a.handled) +
              " times, by the MPI library " + std::to_string(b.handled));
}

#define SAME(what, call)                                                                           \
  compare(what, comm, [&] { return MPI_##call; }, [&] { return PMPI_##call; })

/// The non-blocking form: an error comes at once, and then there is no request.
#define SAME_I(what, ...)                                                                          \
  compare(                                                                                         \
      what, comm,                                                                                  \
      [&] {                                                                                        \
        MPI_Request request = MPI_REQUEST_NULL;                                                    \
        int code = MPI_##__VA_ARGS__;                                                              \
        return code == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : code;                 \
      },                                                                                           \
      [&] {                                                                                        \
        MPI_Request request = MPI_REQUEST_NULL;                                                    \
        int code = PMPI_##__VA_ARGS__;                                                             \
        return code == MPI_SUCCESS ? PMPI_Wait(&request, MPI_STATUS_IGNORE) : code;                \
      })

std::vector<int> a(4096, 1), b(4096, 1);

void roots(MPI_Comm comm) {
  int size = sizeOf(comm);
  for (int root : {-1, size, size + 7, MPI_PROC_NULL}) {
    SAME("Bcast, root", Bcast(a.data(), 3, MPI_INT, root, comm));
    SAME("Reduce, root", Reduce(a.data(), b.data(), 3, MPI_INT, MPI_SUM, root, comm));
    SAME("Gather, root", Gather(a.data(), 1, MPI_INT, b.data(), 1, MPI_INT, root, comm));
    SAME("Scatter, root", Scatter(a.data(), 1, MPI_INT, b.data(), 1, MPI_INT, root, comm));
    SAME_I("Ibcast, root", Ibcast(a.data(), 3, MPI_INT, root, comm, &request));
    SAME_I("Ireduce, root", Ireduce(a.data(), b.data(), 3, MPI_INT, MPI_SUM, root, comm, &request));
  }
}

void countsAndTypes(MPI_Comm comm) {
  SAME("Bcast, count", Bcast(a.data(), -1, MPI_INT, 0, comm));
#ifndef MPICH // crashes
  SAME("Allreduce, count", Allreduce(a.data(), b.data(), -2, MPI_INT, MPI_SUM, comm));
  SAME("Scan, count", Scan(a.data(), b.data(), -1, MPI_INT, MPI_SUM, comm));
  SAME_I("Iallreduce, count", Iallreduce(a.data(), b.data(), -2, MPI_INT, MPI_SUM, comm, &request));
#endif
  SAME("Allgather, count", Allgather(a.data(), -1, MPI_INT, b.data(), -1, MPI_INT, comm));
  SAME("Alltoall, count", Alltoall(a.data(), -1, MPI_INT, b.data(), -1, MPI_INT, comm));
  SAME("Bcast, no type", Bcast(a.data(), 1, MPI_DATATYPE_NULL, 0, comm));
  SAME("Allreduce, no type", Allreduce(a.data(), b.data(), 1, MPI_DATATYPE_NULL, MPI_SUM, comm));
  SAME("Allgather, no type",
       Allgather(a.data(), 1, MPI_DATATYPE_NULL, b.data(), 1, MPI_DATATYPE_NULL, comm));
  MPI_Datatype made;
  MPI_Type_contiguous(2, MPI_INT, &made); // not committed
  SAME("Bcast, type that was not committed", Bcast(a.data(), 1, made, 0, comm));
  SAME("Allgather, type that was not committed",
       Allgather(a.data(), 1, made, b.data(), 1, made, comm));
  MPI_Type_commit(&made);
  SAME("Allreduce, MPI_SUM of a derived type",
       Allreduce(a.data(), b.data(), 1, made, MPI_SUM, comm));
  MPI_Type_free(&made);
}

void operations(MPI_Comm comm) {
  SAME("Allreduce, no operation", Allreduce(a.data(), b.data(), 1, MPI_INT, MPI_OP_NULL, comm));
  SAME("Reduce, no operation", Reduce(a.data(), b.data(), 1, MPI_INT, MPI_OP_NULL, 0, comm));
  SAME("Allreduce, bits of a float", Allreduce(a.data(), b.data(), 1, MPI_FLOAT, MPI_BAND, comm));
  SAME("Allreduce, sum of bytes", Allreduce(a.data(), b.data(), 1, MPI_BYTE, MPI_SUM, comm));
  SAME("Allreduce, MINLOC of int", Allreduce(a.data(), b.data(), 1, MPI_INT, MPI_MINLOC, comm));
  SAME("Allreduce, sum of pairs", Allreduce(a.data(), b.data(), 1, MPI_2INT, MPI_SUM, comm));
  SAME("Scan, bits of a double", Scan(a.data(), b.data(), 1, MPI_DOUBLE, MPI_BXOR, comm));
#ifndef MPICH // aborts
  SAME("Reduce_scatter_block, logical of a float",
       Reduce_scatter_block(a.data(), b.data(), 1, MPI_FLOAT, MPI_LAND, comm));
#endif
}

void buffers(MPI_Comm comm) {
  SAME("Allreduce, one buffer", Allreduce(a.data(), a.data(), 4, MPI_INT, MPI_SUM, comm));
  SAME("Scan, one buffer", Scan(a.data(), a.data(), 4, MPI_INT, MPI_SUM, comm));
  SAME("Alltoall, one buffer", Alltoall(a.data(), 1, MPI_INT, a.data(), 1, MPI_INT, comm));
  SAME("Allgather, the own block",
       Allgather(a.data() + rankOf(comm), 1, MPI_INT, a.data(), 1, MPI_INT, comm));
  SAME("Allreduce, in place as the result",
       Allreduce(a.data(), MPI_IN_PLACE, 4, MPI_INT, MPI_SUM, comm));
  SAME("Bcast, in place", Bcast(MPI_IN_PLACE, 0, MPI_INT, 0, comm));
}

/// The root's mistake, which MPI refuses without a message; the others call rightly and succeed.
#define AT_ROOT(what, wrong, right)                                                                \
  do {                                                                                             \
    if (rankOf(comm) == 0)                                                                         \
      SAME(what, wrong);                                                                           \
    else                                                                                           \
      require(MPI_##right == MPI_SUCCESS, what " of the root fails elsewhere");                    \
  } while (false)

void resultsOfTheRoot(MPI_Comm comm) {
  MPI_Datatype made;
  MPI_Type_contiguous(2, MPI_INT, &made); // not committed
  const MPI_Datatype none = MPI_DATATYPE_NULL;
  AT_ROOT("Reduce, one buffer", Reduce(a.data(), a.data(), 3, MPI_INT, MPI_SUM, 0, comm),
          Reduce(a.data(), nullptr, 3, MPI_INT, MPI_SUM, 0, comm));
  AT_ROOT("Gather, count", Gather(a.data(), 2, MPI_INT, b.data(), -1, MPI_INT, 0, comm),
          Gather(a.data(), 2, MPI_INT, nullptr, 0, none, 0, comm));
  AT_ROOT("Gather, no type", Gather(a.data(), 2, MPI_INT, b.data(), 2, none, 0, comm),
          Gather(a.data(), 2, MPI_INT, nullptr, 0, none, 0, comm));
#ifdef MPICH
  AT_ROOT("Gather, type that was not committed",
          Gather(a.data(), 2, MPI_INT, b.data(), 1, made, 0, comm),
          Gather(a.data(), 2, MPI_INT, nullptr, 0, none, 0, comm));
  AT_ROOT("Gather, one buffer", Gather(a.data(), 2, MPI_INT, a.data(), 2, MPI_INT, 0, comm),
          Gather(a.data(), 2, MPI_INT, nullptr, 0, none, 0, comm));
#endif
  MPI_Type_free(&made);
}

/// A root that was refused calls again, rightly, and gets what the others have given meanwhile, as
/// with the MPI library; they call once. Then all are in step.
void calledAgainAtTheRoot(MPI_Comm comm) {
  constexpr int Items = 5000;
  struct Pair {
    double value;
    int place; ///< and a gap
  };
  const int rank = rankOf(comm), size = sizeOf(comm);
  std::vector<Pair> mine(Items), least(Items);
  std::vector<int> own(Items, rank), all(size_t(size) * Items, -1);
  for (int i = 0; i < Items; ++i)
    mine[size_t(i)] = {double((i + rank) % size), rank};
  if (rank == 0) {
    SAME("Reduce of pairs, one buffer",
         Reduce(mine.data(), mine.data(), Items, MPI_DOUBLE_INT, MPI_MINLOC, 0, comm));
  }
  require(MPI_Reduce(mine.data(), least.data(), Items, MPI_DOUBLE_INT, MPI_MINLOC, 0, comm) ==
              MPI_SUCCESS,
          "Reduce again");
  for (int i = 0; rank == 0 && i < Items; ++i)
    require(least[size_t(i)].value == 0 && least[size_t(i)].place == (size - i % size) % size,
            "what Reduce gives when it is called again");
  if (rank == 0) {
    SAME("Gather, count", Gather(own.data(), Items, MPI_INT, all.data(), -1, MPI_INT, 0, comm));
  }
  require(MPI_Gather(own.data(), Items, MPI_INT, all.data(), Items, MPI_INT, 0, comm) ==
              MPI_SUCCESS,
          "Gather again");
  for (size_t i = 0; rank == 0 && i < all.size(); ++i)
    require(all[i] == int(i / Items), "what Gather gives when it is called again");
  int sum = 0;
  require(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS, "in step");
  require(sum == size * (size - 1) / 2, "Allreduce after a call that was made twice");
}

/// Open MPI does not refuse it, so programs do it.
void oneBufferAtTheRoot([[maybe_unused]] MPI_Comm comm) {
#ifdef OPEN_MPI
  constexpr int Items = 30000; // more than one message
  const int rank = rankOf(comm), size = sizeOf(comm);
  std::vector<int> all(size_t(size) * Items);
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = rank == 0 ? int(i) : -1;
  int code = MPI_Scatter(all.data(), Items, MPI_INT, all.data(), Items, MPI_INT, 0, comm);
  bool good = code == MPI_SUCCESS;
  for (int i = 0; i < Items; ++i)
    good &= all[i] == rank * Items + i;
  require(good, "Scatter, one buffer at the root");
  code = MPI_Gather(all.data(), Items, MPI_INT, all.data(), Items, MPI_INT, 0, comm);
  good = code == MPI_SUCCESS;
  for (int i = 0; rank == 0 && i < size * Items; ++i)
    good &= all[i] == i;
  require(good, "Gather, one buffer at the root");
#endif
}

/// Nothing to do, in every way to say so: no error, no packet, no look at the buffers.
void nothing(MPI_Comm comm) {
  std::vector<int> none(sizeOf(comm), 0);
  MPI_Datatype empty;
  MPI_Type_contiguous(0, MPI_INT, &empty);
  MPI_Type_commit(&empty);
  for (MPI_Datatype type : {MPI_INT, empty})
    for (int count : {0, 1, 5}) {
      if (type == MPI_INT && count > 0)
        continue;
      SAME("empty Bcast", Bcast(nullptr, count, type, 0, comm));
      SAME("empty Bcast of a buffer", Bcast(a.data(), count, type, 0, comm));
      SAME("empty Allgather", Allgather(a.data(), count, type, b.data(), count, type, comm));
      SAME("empty Gather", Gather(a.data(), count, type, b.data(), count, type, 0, comm));
      SAME("empty Scatter", Scatter(a.data(), count, type, b.data(), count, type, 0, comm));
      SAME("empty Alltoall", Alltoall(a.data(), count, type, b.data(), count, type, comm));
      SAME("empty Allgather in place",
           Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b.data(), count, type, comm));
      SAME_I("empty Ibcast", Ibcast(nullptr, count, type, 0, comm, &request));
      SAME_I("empty Ialltoall",
             Ialltoall(a.data(), count, type, b.data(), count, type, comm, &request));
    }
  MPI_Type_free(&empty);
  SAME("empty Allreduce", Allreduce(nullptr, nullptr, 0, MPI_INT, MPI_SUM, comm));
  SAME("empty Allreduce in place", Allreduce(MPI_IN_PLACE, nullptr, 0, MPI_INT, MPI_SUM, comm));
  SAME("empty Reduce", Reduce(nullptr, nullptr, 0, MPI_DOUBLE, MPI_MAX, 0, comm));
  SAME("empty Scan", Scan(nullptr, nullptr, 0, MPI_INT, MPI_SUM, comm));
  SAME("empty Exscan", Exscan(nullptr, nullptr, 0, MPI_INT, MPI_SUM, comm));
  SAME("empty Reduce_scatter_block",
       Reduce_scatter_block(nullptr, nullptr, 0, MPI_INT, MPI_SUM, comm));
  SAME("empty Reduce_scatter",
       Reduce_scatter(nullptr, nullptr, none.data(), MPI_INT, MPI_SUM, comm));
  SAME_I("empty Iallreduce", Iallreduce(nullptr, nullptr, 0, MPI_INT, MPI_SUM, comm, &request));
}

/// MPI lets nobody cancel a collective or give up its request. The request remains good.
void requestsThatStay(MPI_Comm comm) {
  const int rank = rankOf(comm), size = sizeOf(comm);
  int sum = 0, same = 0;
  MPI_Request ours, theirs;
  MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm, &ours);
  PMPI_Iallreduce(&rank, &same, 1, MPI_INT, MPI_SUM, comm, &theirs);
  compare(
      "Cancel", MPI_COMM_WORLD, [&] { return MPI_Cancel(&ours); },
      [&] { return PMPI_Cancel(&theirs); });
  compare(
      "Request_free", MPI_COMM_WORLD, [&] { return MPI_Request_free(&ours); },
      [&] { return PMPI_Request_free(&theirs); });
  require((ours == MPI_REQUEST_NULL) == (theirs == MPI_REQUEST_NULL),
          "Request_free: only one of two requests is gone");
  MPI_Wait(&ours, MPI_STATUS_IGNORE);
  MPI_Wait(&theirs, MPI_STATUS_IGNORE);
  MPI_Barrier(comm);
  require(sum == size * (size - 1) / 2 && same == sum, "the sum of what was not cancelled");
}

/// A mistake leaves nothing behind: the next calls are right.
void still(MPI_Comm comm) {
  int rank = rankOf(comm), size = sizeOf(comm), sum = 0;
  require(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS &&
              sum == size * (size - 1) / 2,
          "Allreduce after mistakes");
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(onError, &handler);
  for (MPI_Errhandler each : {MPI_ERRORS_RETURN, handler}) {
    MPI_Comm_set_errhandler(comm, each);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, each);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, each);
    roots(comm);
    countsAndTypes(comm);
    operations(comm);
    buffers(comm);
    resultsOfTheRoot(comm);
    calledAgainAtTheRoot(comm);
    oneBufferAtTheRoot(comm);
    nothing(comm);
    requestsThatStay(comm);
    still(comm);
  }
  SAME("Allreduce, no communicator",
       Allreduce(a.data(), b.data(), 1, MPI_INT, MPI_SUM, MPI_COMM_NULL));
  SAME("Barrier, no communicator", Barrier(MPI_COMM_NULL));
  still(comm);
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&comm);
  return finish();
}
