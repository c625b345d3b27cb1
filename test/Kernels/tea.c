/* TEA cipher, 32 rounds for each block of two words: rows of the stream around a long loop.
 *
 * in: uint32[64] any
 * mem: uint32[4] any
 * packets: 3
 * expect: maps
 * expect[king4x4]: refused loop not mapped with the loop around it: it is too large to be unrolled, and as one loop: initiation interval would be at least 66 ('v1#3' ->
 * expect[mesh16x16]: refused loop not mapped with the loop around it: it is too large to be unrolled, and as one loop: initiation interval would be at least 66 ('v1#3' ->
 * expect[mesh2x2]: refused loop not mapped with the loop around it: it is too large to be unrolled, and as one loop: initiation interval would be at least 66 ('v1#3' ->
 * expect[mesh4x4]: refused loop not mapped with the loop around it: it is too large to be unrolled, and as one loop: initiation interval would be at least 66 ('v1#3' ->
 * expect[mesh4x4-left]: refused loop not mapped with the loop around it: it is too large to be unrolled, and as one loop: initiation interval would be at least 66 ('v1#3' ->
 * expect[mesh8x8]: refused loop not mapped with the loop around it: it is too large to be unrolled, and as one loop: initiation interval would be at least 66 ('v1#3' ->
 * expect[mixed4x4]: refused loop not mapped with the loop around it: it is too large to be unrolled, and as one loop: initiation interval would be at least 66 ('v1#3' ->
 * expect[onehop4x4]: refused loop not mapped with the loop around it: it is too large to be unrolled, and as one loop: initiation interval would be at least 66 ('v1#3' ->
 * expect[torus4x4]: refused loop not mapped with the loop around it: it is too large to be unrolled, and as one loop: initiation interval would be at least 66 ('v1#3' ->
 * expect[u280-full]: refused loop not mapped with the loop around it: it is too large to be unrolled, and as one loop: initiation interval would be at least 66 ('v1#3' ->
 * expect[u280-250mhz]: refused loop not mapped: initiation interval would be at least 77 ('v1#3' ->
 */
// RUN: %kernel %s
#include <acis.h>
ACIS_HANDLER void tea(const uint32_t *restrict in, uint32_t *restrict out,
                       const uint32_t *restrict mem, uint32_t *len) {
  uint32_t k0 = mem[0], k1 = mem[1], k2 = mem[2], k3 = mem[3];
  for (uint32_t b = 0; b < *len / 8; b++) {
    uint32_t v0 = in[2*b], v1 = in[2*b+1], sum = 0;
    for (int i = 0; i < 32; i++) {
      sum += 0x9e3779b9;
      v0 += ((v1 << 4) + k0) ^ (v1 + sum) ^ ((v1 >> 5) + k1);
      v1 += ((v0 << 4) + k2) ^ (v0 + sum) ^ ((v0 >> 5) + k3);
    }
    out[2*b] = v0;
    out[2*b+1] = v1;
  }
}
