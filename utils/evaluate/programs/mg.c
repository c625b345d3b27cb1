/* The collectives of NPB's MG: zran3 finds the ten largest values of all ranks one after the other
 * (whose it is, and where: Allreduce_op_Allreduce), and norm2u3 a sum and a maximum, before and
 * after twenty V-cycles, whose exchanges with neighbours are there and whose smoothing is a Jacobi
 * step. */
#include <mpi.h>
#include <stdio.h>

#define SIDE 10
#define CELLS (SIDE * SIDE * SIDE)
#define LARGEST 10
#define CYCLES 20

static double u[CELLS], face[SIDE * SIDE], other[SIDE * SIDE], ten[LARGEST + 1];
static int place[LARGEST + 1];

static void find_largest(int rank) {
  unsigned random = 314159u + 271828u * (unsigned)rank;
  for (int i = 0; i < CELLS; i++) {
    random = random * 1664525u + 1013904223u;
    u[i] = (double)(random >> 8) / 16777216.0;
  }
  for (int k = 0; k < LARGEST; k++) {
    int best = -1;
    for (int i = 0; i < CELLS; i++)
      if ((k == 0 || u[i] < ten[k - 1]) && (best < 0 || u[i] > u[best]))
        best = i;
    ten[k] = u[best];
    place[k] = best;
  }
  ten[LARGEST] = -1;
}

static void cycle(int rank, int size) {
  for (int side = 1; side < size; side *= 2) {
    int partner = rank ^ side;
    if (partner >= size)
      continue;
    for (int i = 0; i < SIDE * SIDE; i++)
      face[i] = u[i];
    MPI_Sendrecv(face, SIDE * SIDE, MPI_DOUBLE, partner, 0, other, SIDE * SIDE, MPI_DOUBLE, partner,
                 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < SIDE * SIDE; i++)
      u[i] = 0.5 * (u[i] + other[i]);
  }
  for (int i = 1; i < CELLS - 1; i++)
    u[i] = 0.25 * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1];
}

int main(int argc, char **argv) {
  int rank, size, next = 0, mine[4], owner[4];
  double best, largest, norm[2], sums[2], sum = 0, most = 0, check = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  find_largest(rank);
  MPI_Barrier(MPI_COMM_WORLD);
  double start = MPI_Wtime();
  for (int k = 0; k < LARGEST; k++) {
    best = ten[next];
    MPI_Allreduce(&best, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    for (int i = 0; i < 4; i++)
      mine[i] = 0;
    if (largest == best) {
      mine[0] = rank;
      mine[1] = place[next] / (SIDE * SIDE);
      mine[2] = place[next] / SIDE % SIDE;
      mine[3] = place[next] % SIDE;
    }
    MPI_Allreduce(mine, owner, 4, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (owner[0] == rank)
      next++;
    check += largest * (owner[0] + owner[1] + owner[2] + owner[3]);
  }
  for (int c = 0; c < CYCLES; c++) {
    cycle(rank, size);
    norm[0] = 0;
    for (int i = 0; i < CELLS; i++)
      norm[0] += u[i] * u[i];
    MPI_Allreduce(norm, sums, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    sum += sums[0] / CELLS;
    norm[1] = u[0];
    MPI_Allreduce(&norm[1], &sums[1], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    most += sums[1];
  }
  MPI_Barrier(MPI_COMM_WORLD);
  double time = (MPI_Wtime() - start) * 1e6;
  if (rank == 0)
    printf("%.3f us, check %.9g %.9g\n", time, check, sum + most);
  MPI_Finalize();
  return 0;
}
