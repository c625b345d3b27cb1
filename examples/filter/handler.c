/* Keeps the words above a threshold, which is in off-chip memory, and zeroes the
 * others: both sides of the if are computed and one is selected. */
#include <acis.h>

ACIS_HANDLER void filter(const int32_t *restrict in, int32_t *restrict out,
                         const int32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4;
  int32_t threshold = mem[0];
  for (uint32_t i = 0; i < n; i++) {
    int32_t v = in[i];
    if (v > threshold)
      out[i] = v;
    else
      out[i] = 0;
  }
}
