/* Adds a constant to every 32-bit word of the payload: one beat a cycle. */
#include <acis.h>

#ifndef ADDEND
#define ADDEND 42
#endif

ACIS_HANDLER void add_constant(const int32_t *restrict in, int32_t *restrict out,
                               const int32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++)
    out[i] = in[i] + ADDEND;
}
