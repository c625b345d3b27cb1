#include <acis.h>
ACIS_HANDLER void collatz(const uint32_t *restrict in, uint32_t *restrict out,
                          const uint32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t x = in[i], d = 0;
    while (x > 1) {
      x = x & 1 ? 3 * x + 1 : x / 2;
      d++;
    }
    out[i] = d;
  }
}
