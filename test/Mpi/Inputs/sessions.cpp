// A program that never calls MPI_Init: its communicators come from a session of MPI 4. The library
// has nothing to do with them, and everything works as without it. Then, with an argument, one that
// has both.
#include "Check.h"

#if MPI_VERSION >= 4
static void collectives(MPI_Comm comm) {
  int me, n, sum = -1, told = -1, shared = -1;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &n);
  MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm);
  check::require(sum == n * (n - 1) / 2, "allreduce");
  told = me == 0 ? 7 : -1;
  MPI_Bcast(&told, 1, MPI_INT, 0, comm);
  MPI_Request request;
  MPI_Iallreduce(&me, &shared, 1, MPI_INT, MPI_MAX, comm, &request);
  MPI_Barrier(comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  check::require(told == 7 && shared == n - 1, "bcast and iallreduce");
}

int main(int argc, char **argv) {
  const bool both = argc > 1;
  if (both)
    MPI_Init(&argc, &argv);
  MPI_Session session;
  MPI_Group group;
  MPI_Comm comm, part, copy;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "org.acis.test", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Group_free(&group);
  collectives(comm);
  MPI_Comm_dup(comm, &copy);
  collectives(copy);
  int me;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_split(comm, me % 2, me, &part);
  collectives(part);
  if (both)
    collectives(MPI_COMM_WORLD);
  int total = 0;
  MPI_Allreduce(&check::errors, &total, 1, MPI_INT, MPI_SUM, comm);
  MPI_Comm_free(&part);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
  if (both)
    MPI_Finalize();
  if (me == 0)
    std::printf(total == 0 ? "No Errors\n" : "%d errors\n", total);
  return total != 0;
}
#else
int main() {
  std::puts("No Errors: this MPI has no sessions");
  return 0;
}
#endif
