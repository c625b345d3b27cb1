/* Longest prefix match against 24 rules by masks, as in a TCAM: the rules come from memory, each
 * address of the packet leaves as the port of its longest match.
 *
 * in: uint32[48] 0..4095
 * mem: uint32[72] 0..4095
 * packets: 3
 * expect: maps
 * expect[mesh2x2]: refused loop not mapped: 3 memory reads; the overlay has 2 ports to off-chip
 * expect[tiny]: refused loop not mapped: 3 memory reads; the overlay has 2 ports to off-chip
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void routes(const uint32_t *restrict in, uint32_t *restrict out,
                         const uint32_t *restrict mem, uint32_t *len) {
  uint32_t prefix[24], mask[24], port[24];
  for (int r = 0; r < 24; r++) {
    mask[r] = 4095u << mem[3 * r] % 13;
    prefix[r] = mem[3 * r + 1] & mask[r];
    port[r] = mem[3 * r + 2];
  }
  for (uint32_t i = 0; i < *len / 4; i++) {
    uint32_t longest = 0, to = UINT32_MAX;
    for (int r = 0; r < 24; r++)
      if ((in[i] & mask[r]) == prefix[r] && mask[r] >= longest) {
        longest = mask[r];
        to = port[r];
      }
    out[i] = to;
  }
}
