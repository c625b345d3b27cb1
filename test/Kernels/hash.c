/* Hash of each word and the xor of all hashes, written to memory behind the seed.
 *
 * in: uint32[400] any
 * mem: uint32[2] any
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void hash(const uint32_t *restrict in, uint32_t *restrict out, uint32_t *restrict mem,
                       uint32_t *len) {
  uint32_t n = *len / 4, seed = mem[0], all = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t h = in[i] ^ seed;
    h ^= h >> 16;
    h *= 0x7feb352d;
    h ^= h >> 15;
    h *= 0x846ca68b;
    h ^= h >> 16;
    out[i] = h;
    all ^= h;
  }
  mem[1] = all;
}
