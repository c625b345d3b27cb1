// Reads 16 words, whatever the length of the packet is.
#include <acis.h>
ACIS_HANDLER void greedy(const uint32_t *restrict in, uint32_t *restrict out,
                         const uint32_t *restrict mem, uint32_t *len) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 16; i++)
    sum += in[i];
  out[0] = sum;
  *len = 4;
}
