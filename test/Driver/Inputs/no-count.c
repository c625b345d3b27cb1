#include <acis.h>
ACIS_HANDLER void digits(const uint32_t *restrict in, uint32_t *restrict out,
                         const uint32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t x = in[i], d = 0;
    do {
      x /= 10;
      d++;
    } while (x);
    out[i] = d;
  }
}
