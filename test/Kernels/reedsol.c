/* Parity bytes of a Reed-Solomon code, by products in GF(2^8).
 *
 * in: uint8[64] any
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>
static uint8_t mul(uint8_t a, uint8_t b) {
  uint8_t p = 0;
  for (int i = 0; i < 8; i++) {
    if (b & 1) p ^= a;
    uint8_t hi = a & 0x80;
    a <<= 1;
    if (hi) a ^= 0x1d;
    b >>= 1;
  }
  return p;
}
ACIS_HANDLER void reedsol(const uint8_t *restrict in, uint8_t *restrict out, const void *restrict mem, uint32_t *len) {
  uint8_t par[4] = {0, 0, 0, 0};
  const uint8_t gen[4] = {116, 231, 216, 30};
  for (uint32_t i = 0; i < *len; i++) {
    uint8_t f = in[i] ^ par[0];
    for (int j = 0; j < 3; j++) par[j] = par[j + 1] ^ mul(f, gen[j]);
    par[3] = mul(f, gen[3]);
  }
  for (int j = 0; j < 4; j++) out[j] = par[j];
  *len = 4;
}
