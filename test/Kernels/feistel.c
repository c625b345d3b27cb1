/* Sixteen rounds of a Feistel cipher over one block, with four S-boxes of 256 words in memory. For
 * its data flow, not for secrets.
 *
 * in: uint32[2] any
 * mem: uint32[1040] any
 * packets: 3
 * expect: maps
 * expect[mesh2x2]: refused loop not mapped: 4 memory reads; the overlay has 2 ports to off-chip
 * expect[tiny]: refused loop not mapped: 4 memory reads; the overlay has 2 ports to off-chip
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void feistel(const uint32_t *restrict in, uint32_t *restrict out,
                          const uint32_t *restrict mem, uint32_t *len) {
  uint32_t s0[256], s1[256], s2[256], s3[256], p[16];
  for (int i = 0; i < 256; i++) {
    s0[i] = mem[i];
    s1[i] = mem[256 + i];
    s2[i] = mem[512 + i];
    s3[i] = mem[768 + i];
  }
  for (int i = 0; i < 16; i++)
    p[i] = mem[1024 + i];
  uint32_t l = in[0], r = in[1];
  for (int i = 0; i < 16; i++) {
    l ^= p[i];
    uint32_t f = ((s0[l >> 24] + s1[l >> 16 & 255]) ^ s2[l >> 8 & 255]) + s3[l & 255];
    uint32_t t = r ^ f;
    r = l;
    l = t;
  }
  out[0] = l;
  out[1] = r;
  *len = 8;
}
