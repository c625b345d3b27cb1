/* Quarter rounds of a stream cipher with feedback of the input.
 *
 * in: uint32[120] any
 * packets: 2
 * expect: maps
 * expect[king4x4]: refused loop not mapped: initiation interval would be at least 72 ('add#2' ->
 * expect[mesh16x16]: refused loop not mapped: initiation interval would be at least 72 ('add#2' ->
 * expect[mesh2x2]: refused loop not mapped: initiation interval would be at least 72 ('add#2' ->
 * expect[mesh4x4]: refused loop not mapped: initiation interval would be at least 72 ('add#2' ->
 * expect[mesh4x4-left]: refused loop not mapped: initiation interval would be at least 72 ('add#2' ->
 * expect[mesh8x8]: refused loop not mapped: initiation interval would be at least 72 ('add#2' ->
 * expect[mixed4x4]: refused loop not mapped: initiation interval would be at least 72 ('add#2' ->
 * expect[onehop4x4]: refused loop not mapped: initiation interval would be at least 72 ('add#2' ->
 * expect[torus4x4]: refused loop not mapped: initiation interval would be at least 72 ('add#2' ->
 * expect[u280-full]: refused loop not mapped: initiation interval would be at least 72 ('add#2' ->
 * expect[u280-250mhz]: refused loop not mapped: initiation interval would be at least
 */
// RUN: %kernel %s
#include <acis.h>

static inline uint32_t rotl(uint32_t x, uint32_t n) { return x << n | x >> (32 - n); }
ACIS_HANDLER void chacha(const uint32_t *restrict in, uint32_t *restrict out,
                         const uint8_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4, a = 1, b = 2, c = 3, d = 4;
  for (uint32_t i = 0; i < n; i++) {
    a ^= in[i];
    a += b;
    d ^= a;
    d = rotl(d, 16);
    c += d;
    b ^= c;
    b = rotl(b, 12);
    a += b;
    d ^= a;
    d = rotl(d, 8);
    c += d;
    b ^= c;
    b = rotl(b, 7);
    out[i] = a ^ c;
  }
}
