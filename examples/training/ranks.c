/* The few calls of MPI that train.py makes, for ctypes: whatever MPI this is compiled with. All
 * give 0, or an error of MPI's. */
#include <mpi.h>

int ranks_begin(int *rank, int *ranks) {
  int error = MPI_Init(0, 0);
  if (!error)
    error = MPI_Comm_rank(MPI_COMM_WORLD, rank);
  return error ? error : MPI_Comm_size(MPI_COMM_WORLD, ranks);
}

/* In place, the sum over all ranks. */
int ranks_sum(float *data, int count) {
  return MPI_Allreduce(MPI_IN_PLACE, data, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

/* What rank 0 has. */
int ranks_share(void *data, int bytes) {
  return MPI_Bcast(data, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

int ranks_end(void) { return MPI_Finalize(); }

void ranks_abort(void) { MPI_Abort(MPI_COMM_WORLD, 1); }
