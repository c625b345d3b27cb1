/* Eight rounds of a Feistel cipher over blocks of two words: the round function takes four
 * nibbles through a constant S-box. For its data flow, not for secrets.
 *
 * in: uint32[64] any
 * mem: uint32[8] any
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

#define ROUNDS 8

static const uint8_t sbox[16] = {12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2};

static uint32_t mix(uint32_t v) {
  uint32_t s = (uint32_t)sbox[v & 15] | (uint32_t)sbox[v >> 8 & 15] << 8 |
               (uint32_t)sbox[v >> 16 & 15] << 16 | (uint32_t)sbox[v >> 24 & 15] << 24;
  return s << 11 | s >> 21;
}

ACIS_HANDLER void cipher(const uint32_t *restrict in, uint32_t *restrict out,
                         const uint32_t *restrict mem, uint32_t *len) {
  uint32_t key[ROUNDS], n = *len / 8;
  for (int r = 0; r < ROUNDS; r++)
    key[r] = mem[r];
  for (uint32_t i = 0; i < n; i++) {
    uint32_t left = in[2 * i], right = in[2 * i + 1];
    for (int r = 0; r < ROUNDS; r++) {
      uint32_t next = left ^ (mix(right ^ key[r]) + (right >> 3));
      left = right;
      right = next;
    }
    out[2 * i] = left;
    out[2 * i + 1] = right;
  }
}
