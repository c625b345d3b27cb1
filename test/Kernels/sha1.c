/* Rounds of SHA-1 with the first round function, a word of the packet in each.
 *
 * in: uint32[80] any
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void sha1(const uint32_t *restrict in, uint32_t *restrict out,
                       const uint32_t *restrict mem, uint32_t *len) {
  uint32_t a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476, e = 0xc3d2e1f0,
           n = *len / 4;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t t = (a << 5 | a >> 27) + ((b & c) | (~b & d)) + e + in[i] + 0x5a827999;
    e = d;
    d = c;
    c = b << 30 | b >> 2;
    b = a;
    a = t;
  }
  out[0] = a;
  out[1] = b;
  out[2] = c;
  out[3] = d;
  out[4] = e;
  *len = 20;
}
