/* The 64 rounds of SHA-256 over one block of words in host order, with the state and the
 * round constants in memory.
 *
 * in: shablock
 * mem: shawords
 * packets: 3
 * expect: maps
 * expect[tiny]: refused loop not mapped: initiation interval would be at least 19 (37 integer
 */
// RUN: %kernel %s
#include <acis.h>

static inline uint32_t rotr(uint32_t x, int n) { return x >> n | x << (32 - n); }

ACIS_HANDLER void sha256(const uint32_t *restrict in, uint32_t *restrict out,
                         const uint32_t *restrict mem, uint32_t *len) {
  uint32_t w[64], k[64];
  for (int i = 0; i < 64; i++)
    k[i] = mem[8 + i];
  for (int i = 0; i < 16; i++)
    w[i] = in[i];
  for (int i = 16; i < 64; i++) {
    uint32_t x = w[i - 15], y = w[i - 2];
    uint32_t s0 = rotr(x, 7) ^ rotr(x, 18) ^ x >> 3, s1 = rotr(y, 17) ^ rotr(y, 19) ^ y >> 10;
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  uint32_t a = mem[0], b = mem[1], c = mem[2], d = mem[3], e = mem[4], f = mem[5], g = mem[6],
           h = mem[7];
  for (int i = 0; i < 64; i++) {
    uint32_t t1 = h + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((e & f) ^ (~e & g)) + k[i] + w[i];
    uint32_t t2 = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  out[0] = mem[0] + a, out[1] = mem[1] + b, out[2] = mem[2] + c, out[3] = mem[3] + d;
  out[4] = mem[4] + e, out[5] = mem[5] + f, out[6] = mem[6] + g, out[7] = mem[7] + h;
  *len = 32;
}
