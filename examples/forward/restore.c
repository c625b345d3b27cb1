/* At the far end: 256 bytes become 256 floats again. */
#include <acis.h>

enum { N = 256 };

ACIS_HANDLER void restore(const int8_t *restrict in, float *restrict out,
                          const int32_t *restrict mem, uint32_t *len) {
  for (uint32_t i = 0; i < N; i++)
    out[i] = (float)in[i] * (1.0f / 64.0f);
  *len = N * 4;
}
