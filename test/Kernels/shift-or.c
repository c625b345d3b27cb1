/* Shift-or search: how often a pattern of 8 bytes ends, with a mask for each byte in memory.
 *
 * in: uint8[200] 97..99
 * mem: uint32[256] any
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void shift_or(const uint8_t *restrict in, uint32_t *restrict out,
                           const uint32_t *restrict mem, uint32_t *len) {
  uint32_t mask[256], d = ~0u, found = 0, n = *len;
  for (int i = 0; i < 256; i++)
    mask[i] = mem[i];
  for (uint32_t i = 0; i < n; i++) {
    d = d << 1 | mask[in[i]];
    found += (d & 0x80) == 0;
  }
  out[0] = found;
  *len = 4;
}
