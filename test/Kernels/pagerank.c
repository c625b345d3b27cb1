/* PageRank step over a list of edges (source, target): shares are gathered by source and
 * added by target, then damped. Ranks stay in the switch.
 *
 * in: uint32[200] 0..63
 * mem: int32[64] 1..9
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

#define NODES 64

static uint32_t rank[NODES];

ACIS_HANDLER void pagerank(const uint32_t *restrict in, uint32_t *restrict out,
                           const uint32_t *restrict mem, uint32_t *len) {
  uint32_t next[NODES], share[NODES], edges = *len / 8;
  for (int v = 0; v < NODES; v++) {
    share[v] = (rank[v] + 65536) / mem[v];
    next[v] = 0;
  }
  for (uint32_t e = 0; e < edges; e++) {
    uint32_t source = in[2 * e], target = in[2 * e + 1];
    next[target & (NODES - 1)] += share[source & (NODES - 1)];
  }
  for (int v = 0; v < NODES; v++) {
    rank[v] = 9830 + (next[v] * 217 >> 8);
    out[v] = rank[v];
  }
  *len = NODES * 4;
}
