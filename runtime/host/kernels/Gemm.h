/* A product of matrices on a grid made ready: see ACIS_Gemm_plan. */
#ifndef ACIS_KERNELS_GEMM_H
#define ACIS_KERNELS_GEMM_H

#include "runtime/host/kernels/acis_kernels.h"

#include <stdatomic.h>

struct ACIS_Gemm_ {
  MPI_Comm given; /* comm_A of the program: errors go to its handler */
  MPI_Comm commA, commB, commC;
  ACIS_Grid grid;
  int pm, pn, pk; /* where this rank is */
  long long m, n, k;
  MPI_Datatype type;
  int bytes;
  ACIS_Gemm_mode mode;
  ACIS_Gemm_schedule schedule; /* no defaults left */
  ACIS_Part a, b, c;
  /* Of the block of C and the part of the inner dimension that this rank computes. */
  long long blockRows, blockColumns, inner;
  /* Of panels of small-memory mode: rows of A and columns of B of a rank, the most of all ranks. */
  int panelRows, panelColumns;
  atomic_int underWay;
  int started; /* products so far; equal on all ranks */
  /* Products that have begun the exchange of all of their panels, which they do one after the
   * other, so that the collectives of all ranks come in the same order. */
  atomic_int exchanged;
};

/* First element and number of elements of part `index` of `parts` of `all`. */
static inline long long partBegin(long long all, int parts, int index) {
  const long long more = all % parts;
  return all / parts * index + (index < more ? index : more);
}
static inline long long partSize(long long all, int parts, int index) {
  return all / parts + (index < all % parts);
}

#endif
