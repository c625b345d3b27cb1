/* Internet checksum of 16-bit words: sum with end-around carry, complemented.
 *
 * in: uint16[700] any
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void checksum(const uint16_t *restrict in, uint16_t *restrict out,
                           const uint16_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 2, sum = 0;
  for (uint32_t i = 0; i < n; i++)
    sum += in[i];
  while (sum >> 16)
    sum = (sum & 0xffff) + (sum >> 16);
  out[0] = ~sum;
  *len = 2;
}
