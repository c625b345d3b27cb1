/* Splits amounts into a quotient and a remainder by a divisor from memory, packed into one
 * word.
 *
 * in: uint32[300] 0..1000000000
 * mem: uint32[1] 40000..65535
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void divmod(const uint32_t *restrict in, uint32_t *restrict out,
                         const uint32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4, by = mem[0];
  for (uint32_t i = 0; i < n; i++)
    out[i] = in[i] / by << 16 | in[i] % by;
}
