/* A sparse matrix made ready for products: see ACIS_Spmv_plan. */
#ifndef ACIS_KERNELS_SPMV_H
#define ACIS_KERNELS_SPMV_H

#include "runtime/host/kernels/Product.h"
#include "runtime/host/kernels/acis_kernels.h"

#include <stdatomic.h>

struct ACIS_Spmv_ {
  MPI_Comm given, comm; /* of the program; ours */
  int rank, ranks, bytes, rows;
  MPI_Datatype type;
  ACIS_Spmv_options options; /* no defaults left */
  /* Entries whose sums begin at once; those that are added when all is fetched. In the second one a
   * column from `rows` on is an element of what was fetched. */
  SparseRows near, far;
  int numFar; /* rows of `far` */
  /* Elements of x for each rank, one after the other: their number, and where they are in x. */
  int *sendCounts;
  int *sendRows;
  long long numSent;
  int *recvCounts; /* from each rank */
  long long numFetched;
  int block; /* of a collective fetch: elements for each rank, the same for all */
  atomic_int underWay;
};

#endif
