#include <acis.h>
ACIS_HANDLER void copy(const int32_t *restrict in, int32_t *restrict out,
                       const int32_t *restrict mem, uint32_t *len) {
  static int32_t row[64];
  __builtin_memcpy(row, mem, sizeof row);
  for (int i = 0; i < 64; ++i)
    out[i] = in[i] + row[i];
}
