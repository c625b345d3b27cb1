// The network of nips5.json as one writes it first: rows one after the other, so that each reads the
// stream five times.
#include <acis.h>

ACIS_HANDLER void spn(const double *restrict in, double *restrict out, const double *restrict mem,
                      uint32_t *len) {
  const uint32_t rows = *len / (5 * sizeof(double));
  for (uint32_t i = 0; i < rows; ++i) {
    const double a = in[5 * i], b = in[5 * i + 1], c = in[5 * i + 2], d = in[5 * i + 3],
                 e = in[5 * i + 4];
    out[i] = 0.3 * ((a * b) * (c * d) * e) + 0.7 * ((e * d) * (c * b) * a);
  }
  *len = rows * sizeof(double);
}
