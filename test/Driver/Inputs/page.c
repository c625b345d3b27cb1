// More work than a small grid has units. The page must keep </script> and <b> as text.
#include <acis.h>
ACIS_HANDLER void mix(const float *restrict in, float *restrict out, const float *restrict mem,
                      uint32_t *len) {
  uint32_t n = *len / 4;
  float w0 = 0, w1 = 0, w2 = 0, w3 = 0;
  for (uint32_t i = 0; i < n; i++) {
    w3 = w2, w2 = w1, w1 = w0, w0 = in[i];
    float s = w0 * 0.5f + w1 * 0.25f + w2 * 0.125f + w3 * 0.0625f;
    float m = mem[i];
    out[i] =
        s > m ? s / m : (s - m) * w2 + w3 * w1;
  }
}
