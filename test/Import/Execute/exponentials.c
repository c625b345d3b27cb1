// expf and its kind are <acis_math.h>'s on the switch: the same bits as there on the host.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so -lm
// RUN: %python %S/Inputs/any-floats.py %t.in
// RUN: %compare --handler exponential --in %t.in %t.acis
// RUN: %compare --handler power --in %t.in %t.acis
// RUN: %compare --handler logarithm --in %t.in %t.acis
// RUN: %compare --handler bits --in %t.in %t.acis
// RUN: %compare --handler sigmoid --in %t.in %t.acis
// RUN: %compare --handler brightness --in %t.in %t.acis
#include <acis.h>
#include <math.h>
#ifndef __ACISC__
#include <acis_math.h>
#define expf acis_expf
#define exp2f acis_exp2f
#define logf acis_logf
#define log2f acis_log2f
#define powf acis_powf
#endif

#define HANDLER(name, x, value)                                                                    \
  ACIS_HANDLER void name(const float *restrict in, float *restrict out, const float *restrict mem, \
                         uint32_t *len) {                                                          \
    uint32_t n = *len / 4;                                                                         \
    for (uint32_t i = 0; i < n; i++) {                                                             \
      float x = in[i];                                                                             \
      out[i] = value;                                                                              \
    }                                                                                              \
  }

HANDLER(exponential, x, expf(x))
HANDLER(power, x, exp2f(x))
HANDLER(logarithm, x, logf(x))
HANDLER(bits, x, log2f(x))
/* The bits of a NaN that comes out of arithmetic are the machine's. */
HANDLER(sigmoid, x, 1.0f / (1.0f + expf(x == x ? -x : 0.0f)))
HANDLER(brightness, x, powf(x, 2.2f))
