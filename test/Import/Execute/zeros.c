// Choices between a number and 0 keep the sign of a zero, also where the number is converted: a comparison that holds
// where both sides are equal is not the other one turned around.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O0 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python -c "import struct; open('%t.in', 'wb').write(struct.pack('<8f', -0.0, 0.0, 1, -1, 2.5, -2.5, float('inf'), -0.0) * 5)"
// RUN: %compare --handler not_above --packet-bytes 32 --in %t.in %t.acis
// RUN: %compare --handler above --packet-bytes 32 --in %t.in %t.acis
// RUN: %compare --handler not_below --packet-bytes 32 --in %t.in %t.acis
// RUN: %compare --handler below --packet-bytes 32 --in %t.in %t.acis
// RUN: %compare --handler branches --packet-bytes 32 --in %t.in %t.acis
#include <acis.h>
#define HANDLER(name)                                                                              \
  ACIS_HANDLER void name(const float *restrict in, double *restrict out,                           \
                         const float *restrict mem, uint32_t *len)
#define EACH                                                                                       \
  *len = 64;                                                                                       \
  for (uint32_t i = 0; i < 8; i++)

HANDLER(not_above) { EACH out[i] = (double)in[i] <= 0.0 ? (double)in[i] : 0.0; }
HANDLER(above) { EACH out[i] = (double)in[i] > 0.0 ? 0.0 : (double)in[i]; }
HANDLER(not_below) { EACH out[i] = (double)in[i] >= 0.0 ? (double)in[i] : 0.0; }
HANDLER(below) { EACH out[i] = (double)in[i] < 0.0 ? 0.0 : (double)in[i]; }
HANDLER(branches) {
  EACH {
    float x = in[i];
    double y = 0;
    if (x <= 0)
      y = x;
    else
      y = -0.0;
    if (!(x > 0))
      y += x * 2;
    out[i] = y;
  }
}
