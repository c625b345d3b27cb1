// Listing 1 of the publication, as it stands, as a function of a memory node.
#define MAX_SIZE 2097152
#include "listing1.c"

#include "runtime/host/near/acis_local.h"

static int twice(int x) { return 2 * x; }

ACIS_LOCAL_REDUCE(mpi_sum, int, int)
ACIS_LOCAL_MAP(twice, int, int)
