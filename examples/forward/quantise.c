/* On the way: 256 floats become 256 bytes, 64ths between -127/64 and 127/64. */
#include <acis.h>

enum { N = 256 };

ACIS_HANDLER void quantise(const float *restrict in, int8_t *restrict out,
                           const int32_t *restrict mem, uint32_t *len) {
  for (uint32_t i = 0; i < N; i++) {
    float v = in[i] * 64.0f;
    v = v > 127.0f ? 127.0f : v;
    v = v < -127.0f ? -127.0f : v;
    out[i] = (int8_t)v;
  }
  *len = N;
}
