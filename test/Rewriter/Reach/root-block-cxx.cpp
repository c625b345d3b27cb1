// As root-block.c: what ends with the first part has a destructor, or a name outside is a member.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include <cstdio>
#include <mpi.h>

static double x[64], y[64];
static int z = 0;

struct Sets {
  ~Sets() { z = 7; }
};

static void destroys(int rank) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Reduce_op_Bcast to line [[#@LINE+8]]: fusable, not rewritten [blocks]
  MPI_Reduce(x, y, 64, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    Sets sets;
    for (int i = 0; i < 64; i++)
      y[i] /= 64;
    std::printf("z %d\n", z);
  }
  MPI_Bcast(y, 64, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

struct Holder {
  int sum = 1;
  void run(int rank) {
    // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Reduce_op_Bcast to line [[#@LINE+10]]: fusable, not rewritten [blocks]
    MPI_Reduce(x, y, 64, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
      int sum = 0;
      for (int i = 0; i < 64; i++) {
        y[i] /= 64;
        sum += int(y[i]);
      }
      std::printf("sum %d\n", sum);
    }
    MPI_Bcast(y, 64, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    sum = int(y[3]);
  }
};

static void plain(int rank) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Reduce_op_Bcast to line [[#@LINE+10]]: rewritten
  MPI_Reduce(x, y, 64, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    double most = y[0];
    for (double &value : y)
      value /= 64;
    for (int i = 0; i < 64; i++)
      most = y[i] > most ? y[i] : most;
    std::printf("most %g\n", most);
  }
  MPI_Bcast(y, 64, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 64; i++)
    x[i] = i % 7 + rank;
  destroys(rank);
  Holder holder;
  holder.run(rank);
  plain(rank);
  std::printf("%d %g %d\n", rank, y[1], holder.sum);
  MPI_Finalize();
}
