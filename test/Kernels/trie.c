/* Longest prefix match in a binary trie on chip, 16 levels a key.
 *
 * in: uint32[40] any
 * mem: uint32[2048] any
 * packets: 2
 * expect: maps
 * expect[tiny]: refused array 'child' needs 512 beats (64 vector registers) in VPE 1; 32 of
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void trie(const uint32_t *restrict in, uint32_t *restrict out,
                       const uint32_t *restrict mem, uint32_t *len) {
  uint16_t child[2048];
  for (int i = 0; i < 2048; i++)
    child[i] = (uint16_t)mem[i];
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t key = in[i], node = 0, best = 0;
    for (int k = 0; k < 16; k++) {
      uint32_t next = child[node << 1 | key >> 31];
      key <<= 1;
      best = next & 0x8000 ? next & 0x3ff : best;
      node = next & 0x3ff;
    }
    out[i] = best;
  }
}
