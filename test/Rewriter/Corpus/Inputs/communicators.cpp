// Chains that look alike but are on two communicators, or whose size comes from the first.
#include "library.hpp"
#include <cstdio>
static void add(double *from, double *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  MPI_Allreduce(from, to, n, type, op, comm);
}
static int spread(int *values, int n, MPI_Comm comm) {
  int code = MPI_Bcast(values, n, MPI_INT, 0, comm);
  if (code != MPI_SUCCESS) {
    std::fprintf(stderr, "error %d\n", code);
    return code;
  }
  return 0;
}
void grid(double *a, double *b, double *c, int n, MPI_Comm row, MPI_Comm column) {
  add(a, b, n, MPI_DOUBLE, MPI_SUM, row); /*@row*/
  for (int i = 0; i < n; i++)
    b[i] *= 2;
  add(b, c, n, MPI_DOUBLE, MPI_SUM, column); /*@column*/
}
void same(double *a, double *b, double *c, int n, MPI_Comm row) {
  add(a, b, n, MPI_DOUBLE, MPI_SUM, row); /*@one*/
  for (int i = 0; i < n; i++)
    b[i] *= 2;
  add(b, c, n, MPI_DOUBLE, MPI_MAX, row); /*@two*/
}
void objects(const Comm &row, const Comm &column, double *a, double *b, double *c, int n) {
  row.sum(a, b, n); /*@orow*/
  for (int i = 0; i < n; i++)
    b[i] *= 2;
  column.sum(b, c, n); /*@ocolumn*/
}
void sized(int *sizes, double *b, double *c, MPI_Comm comm) {
  spread(sizes, 16, comm); /*@sizes*/
  int total = 0;
  for (int i = 0; i < 16; i++)
    total += sizes[i];
  for (int i = 0; i < total; i++)
    b[i] = sizes[i % 16];
  add(b, c, total, MPI_DOUBLE, MPI_SUM, comm); /*@total*/
}
void checked(int *keys, int *histogram, int *all, MPI_Comm comm) {
  spread(keys, 16, comm); /*@keys*/
  for (int i = 0; i < 64; i++)
    for (int k = 0; k < 16; k++)
      histogram[k] += keys[k] < i;
  int code = MPI_Allreduce(histogram, all, 16, MPI_INT, MPI_SUM, comm); /*@checked*/
  if (code)
    MPI_Abort(comm, code);
}
void own(double *a, double *b, int n, MPI_Datatype type, MPI_Op op) {
  add(a, b, n, type, op, MPI_COMM_WORLD); /*@own*/
  for (int i = 0; i < n; i++)
    b[i] = b[i] * b[i];
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  return 0;
}
