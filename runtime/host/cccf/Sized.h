/* Ops whose arrays have sizes of run time: see ACIS_Use. */
#ifndef ACIS_CCCF_SIZED_H
#define ACIS_CCCF_SIZED_H

#include "runtime/host/cccf/acis_cccf.h"

/* An op that a driver gets in place of another: the same but for its arrays, which are copies with
 * as many bytes as the table says. When it is done, what the op wrote is put into the arrays of the
 * program, but for what the second collective has received, and the copies are freed. */
typedef struct SizedOp SizedOp;

/* NULL: the arrays are not what the binary takes; `misfit` is then why (ACIS_ARRAYS_...). `second`
 * may be NULL. */
SizedOp *sizedStart(const ACIS_Op *op, const ACIS_Coll *first, const ACIS_Coll *second,
                    MPI_Comm comm, int *misfit);
const ACIS_Op *sizedOp(const SizedOp *sized);
/* Of one that a driver has not taken. */
void sizedRelease(SizedOp *sized);

#endif
