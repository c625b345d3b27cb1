/* Dot product of the payload with a vector in off-chip memory. acis_sum_f32 adds in an
 * order that the overlay can follow with all lanes, and that is the same on the host. */
#include <acis.h>

ACIS_HANDLER void dot_product(const float *restrict in, float *restrict out,
                              const float *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4;
  acis_sum_f32 s = {0};
  for (uint32_t i = 0; i < n; i++)
    acis_sum_add(&s, in[i] * mem[i]);
  out[0] = acis_sum_get(&s);
  *len = 4;
}
