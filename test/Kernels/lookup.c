/* Exact-match table with open addressing, at most 8 places: the search of a packet's word
 * ends where its key stands, and what stands beside it is read after the loop.
 *
 * in: uint32[64] 1..600
 * mem: uint32[512] 0..600
 * packets: 3
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void lookup(const uint32_t *restrict in, uint32_t *restrict out,
                         const uint32_t *restrict mem, uint32_t *len) {
  uint32_t table[512];
  for (int j = 0; j < 512; j++)
    table[j] = mem[j];
  for (uint32_t i = 0; i < *len / 4; i++) {
    uint32_t key = in[i], value = 0;
    for (uint32_t place = key, n = 0; n < 8; place++, n++)
      if (table[place % 256 * 2] == key) {
        value = table[place % 256 * 2 + 1];
        break;
      }
    out[i] = value;
  }
}
