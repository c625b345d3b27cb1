/* The first word of the packet is the number of a word of the memory; as many words as the
 * packet has are sent from there. */
#include <acis.h>

ACIS_HANDLER void lookup(const uint32_t *restrict in, uint32_t *restrict out,
                         const uint32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4, first = in[0];
  for (uint32_t i = 0; i < n; i++)
    out[i] = mem[first + i];
}
