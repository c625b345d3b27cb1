/* The sum of all 32-bit words of the payload, modulo 2^32, as a packet of one word. */
#include <acis.h>

ACIS_HANDLER void payload_sum(const uint32_t *restrict in, uint32_t *restrict out,
                              const uint32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4, s = 0;
  for (uint32_t i = 0; i < n; i++)
    s += in[i];
  out[0] = s;
  *len = 4;
}
