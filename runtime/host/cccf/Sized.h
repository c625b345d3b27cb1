/* Ops whose arrays have sizes of run time: see ACIS_Use. */
#ifndef ACIS_CCCF_SIZED_H
#define ACIS_CCCF_SIZED_H

#include "runtime/host/cccf/acis_cccf.h"

/* An op that a driver gets in place of another: the same but for its arrays, which are copies
 * with as many bytes as the table says. */
typedef struct {
  ACIS_Op op;
  ACIS_Array *arrays;
  size_t *readable; /* of each array of the program */
} SizedOp;

/* 0: no memory. If an array has no room, or overlaps another, the op is one that drivers refuse:
 * its packet is nowhere. */
int sizedStart(const ACIS_Op *op, SizedOp *sized);
/* Puts what the op wrote into the arrays of the program, but for what `second` has received. */
void sizedFinish(const ACIS_Op *op, const SizedOp *sized, const ACIS_Coll *second, MPI_Comm comm);
void sizedRelease(SizedOp *sized);

#endif
