/* Errors of memory nodes as errors of MPI. */
#pragma once

#include "runtime/host/near/acis_near_mpi.h"

/* The code of MPI for an error, with its text. */
int acis_near_code(enum acis_near_class of, const char *text);
