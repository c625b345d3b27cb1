/* Greatest common divisors of pairs: the inner loop runs only if the second is not 0.
 *
 * in: uint32[64] 1..100000
 * packets: 3
 * expect: maps
 * expect[u280-250mhz]: refused loop not mapped: initiation interval would be at least 65 ('b#4' ->
 */
// RUN: %kernel %s
#include <acis.h>
ACIS_HANDLER void gcd(const uint32_t *restrict in, uint32_t *restrict out,
                       const uint32_t *restrict mem, uint32_t *len) {
  for (uint32_t p = 0; p < *len / 8; p++) {
    uint32_t a = in[2*p], b = in[2*p+1];
    for (int i = 0; i < 48 && b; i++) {
      uint32_t t = a % b;
      a = b;
      b = t;
    }
    out[p] = a;
  }
  *len = *len/8*4;
}
