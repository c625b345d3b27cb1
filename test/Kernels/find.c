/* Position of the first word above a limit, the number of words if there is none: the loop
 * ends early.
 *
 * in: uint32[300] 0..1030
 * mem: uint32[1] 1020..1025
 * packets: 4
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void find(const uint32_t *restrict in, uint32_t *restrict out,
                       const uint32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4, limit = mem[0], found = n;
  for (uint32_t i = 0; i < n; i++)
    if (in[i] > limit) {
      found = i;
      break;
    }
  out[0] = found;
  *len = 4;
}
