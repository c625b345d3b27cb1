/* Sample of 16 words of all that came: the k-th word takes a random place with probability 16/k.
 * The stream is read where a word is taken, and only there.
 *
 * in: uint32[128] any
 * packets: 3
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

static uint32_t pool[16], seen, state = 2463534242u;

ACIS_HANDLER void reservoir(const uint32_t *restrict in, uint32_t *restrict out,
                            const uint32_t *restrict mem, uint32_t *len) {
  (void)mem;
  for (uint32_t i = 0; i < *len / 4; i++) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    uint32_t place = seen < 16 ? seen : state % (seen + 1);
    if (place < 16)
      pool[place] = in[i];
    seen++;
  }
  for (int k = 0; k < 16; k++)
    out[k] = pool[k];
  *len = 64;
}
