/* Token buckets, one for each of 32 flows: a packet of `size` bytes at `time` passes if its flow
 * has so many tokens. What a flow has left is there for its next packet.
 *
 * in: uint32[96] 0..4000
 * packets: 3
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

static uint32_t tokens[32], seen[32];

ACIS_HANDLER void policer(const uint32_t *restrict in, uint32_t *restrict out,
                          const uint32_t *restrict mem, uint32_t *len) {
  (void)mem;
  for (uint32_t i = 0; i < *len / 12; i++) {
    uint32_t flow = in[3 * i] % 32, time = in[3 * i + 1], size = in[3 * i + 2];
    uint32_t have = tokens[flow] + (time - seen[flow]) % 1024 * 2;
    have = have < 6000 ? have : 6000;
    seen[flow] = time;
    uint32_t pass = size <= have;
    tokens[flow] = pass ? have - size : have;
    out[i] = pass;
  }
  *len = *len / 12 * 4;
}
