/* A matrix transposed by columns of blocks. */
#include "parts.h"
#define A(i, j) A_p[(i + istart) + order * (j)]
#define B(i, j) B_p[(i + istart) + order * (j)]
#define Work_out(i, j) Work_out_p[i + block_order * (j)]
#define Work_in(p, i, j) Work_in_p[i + block_order * (j + block_order * (p))]
int main(int argc, char **argv) {
  int block_order, block_size, colblock, order = 64, my_ID, Num_procs, root = 0, iter, i, j, p, istart;
  double *A_p, *B_p, *Work_in_p, *Work_out_p, t = 0, slowest, err = 0, total;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &my_ID);
  MPI_Comm_size(MPI_COMM_WORLD, &Num_procs);
  block_order = order / Num_procs;
  block_size = block_order * block_order;
  colblock = order * block_order;
  A_p = (double *)malloc(colblock * sizeof(double));
  B_p = (double *)malloc(colblock * sizeof(double));
  Work_in_p = (double *)malloc(2 * colblock * sizeof(double));
  if (A_p == NULL || B_p == NULL || Work_in_p == NULL) {
    printf(" Error allocating on node %d\n", my_ID);
    bail_out(1);
  }
  Work_out_p = Work_in_p + colblock;
  istart = 0;
  for (j = 0; j < block_order; j++)
    for (i = 0; i < order; i++) {
      A(i, j) = (double)(order * (j + my_ID) + i);
      B(i, j) = 0.0;
    }
  for (iter = 0; iter <= 2; iter++) {
    if (iter == 1) {
      MPI_Barrier(MPI_COMM_WORLD);
      t = wall();
    }
    for (p = 0; p < Num_procs; p++) {
      istart = p * block_order;
      for (i = 0; i < block_order; i++)
        for (j = 0; j < block_order; j++)
          Work_out_p[p * block_size + j + block_order * i] = A(i, j);
    }
    istart = 0;
    for (j = 0; j < block_order; j++)
      for (i = 0; i < order; i++)
        A(i, j) += 1.0;
    MPI_Alltoall(Work_out_p, block_size, MPI_DOUBLE, Work_in_p, block_size, MPI_DOUBLE, /*@blocks*/
                 MPI_COMM_WORLD);
    for (p = 0; p < Num_procs; p++) {
      istart = p * block_order;
      for (j = 0; j < block_order; j++)
        for (i = 0; i < block_order; i++)
          B(i, j) += Work_in(p, i, j);
    }
  }
  t = wall() - t;
  MPI_Reduce(&t, &slowest, 1, MPI_DOUBLE, MPI_MAX, root, MPI_COMM_WORLD); /*@slowest*/
  istart = 0;
  for (j = 0; j < block_order; j++)
    for (i = 0; i < order; i++)
      err += B(i, j);
  MPI_Reduce(&err, &total, 1, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
  if (my_ID == root) {
    if (total > 1)
      printf("Rate %lf\n", total / slowest);
  }
  bail_out(err < 0);
  MPI_Finalize();
  exit(EXIT_SUCCESS);
}
