/* Functions for memory nodes (docs/near-data.md): ordinary functions in C or C++, made handlers of
 * acisc.
 *
 *     int mpi_sum(int arr[], int length) { ... }
 *     ACIS_LOCAL_REDUCE(mpi_sum, int, int)          the handler `mpi_sum_local`
 *
 * The elements are the packet's, the result is what the handler sends. */
#ifndef ACIS_LOCAL_H
#define ACIS_LOCAL_H

#include <acis.h>

/* n:1: `out function(in array[], int length)`. */
#define ACIS_LOCAL_REDUCE(function, in_type, out_type)                                             \
  ACIS_HANDLER void function##_local(in_type *__restrict in, out_type *__restrict out,             \
                                     const void *__restrict mem, uint32_t *len) {                  \
    out[0] = function(in, (int)(*len / sizeof(in_type)));                                          \
    *len = sizeof(out_type);                                                                       \
  }

/* n:n: `out function(in element)`. */
#define ACIS_LOCAL_MAP(function, in_type, out_type)                                                \
  ACIS_HANDLER void function##_local(const in_type *__restrict in, out_type *__restrict out,       \
                                     const void *__restrict mem, uint32_t *len) {                  \
    const uint32_t length = *len / sizeof(in_type);                                                \
    for (uint32_t i = 0; i < length; ++i)                                                          \
      out[i] = function(in[i]);                                                                    \
    *len = length * sizeof(out_type);                                                              \
  }

#endif
