// Handlers that exercise the passes, compiled twice: as they are, and through the passes.
#include <acis.h>
#include <string.h>
#define ARGS                                                                                       \
  const int32_t *restrict in, int32_t *restrict out, const int32_t *restrict mem, uint32_t *len
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define NAME(x) JOIN(PREFIX, x)

static int32_t hist[256];
ACIS_HANDLER void NAME(filter)(ARGS) {
  uint32_t n = *len / 4;
  int32_t t = mem[0];
  for (uint32_t i = 0; i < n; i++) {
    int32_t v = in[i], r;
    if ((v > t && (v & 1)) || v == 77) {
      r = v * 3;
      hist[v & 255] += 1;
    } else if (v < 0) {
      r = v / (t | 1);
    } else {
      r = hist[i & 255] + mem[i];
    }
    switch (v & 7) {
    case 0: r += 5; break;
    case 3: r ^= 9; hist[3] = r;
    case 4: r -= 1; break;
    default: if (r > 3) break; r = 4;
    }
    out[i] = r;
  }
}

ACIS_HANDLER void NAME(window)(ARGS) {
  uint32_t n = *len / 4;
  int32_t w[8] = {0}, h[8];
  memcpy(h, mem, sizeof h);
  for (uint32_t i = 0; i < n; i++) {
    for (int k = 7; k > 0; k--)
      w[k] = w[k - 1];
    w[0] = in[i];
    int32_t s = 0;
    for (int k = 0; k < 8; k++)
      s += h[k] * w[k];
    out[i] = s;
  }
}

static uint16_t rows[4][32];
ACIS_HANDLER void NAME(fill)(ARGS) {
  uint32_t n = *len / 4;
  memset(rows, 3, sizeof rows);
  memcpy(rows[1], mem, sizeof rows[1]);
  for (uint32_t i = 0; i < n; i++) {
    int32_t best = -1;
    for (int r = 0; r < 4; r++)
      if (rows[r][i & 31] > best)
        best = rows[r][i & 31];
    out[i] = best + in[i];
  }
}
