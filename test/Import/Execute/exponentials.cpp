// std::exp and its kind are <acis_math.h>'s on the switch, as are Clang's builtins: the same bits as
// these have on the host.
// REQUIRES: libcxx
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c++ -std=c++20 -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/any-floats.py %t.in
// RUN: %compare --handler exponential --in %t.in %t.acis
// RUN: %compare --handler power --in %t.in %t.acis
// RUN: %compare --handler logarithm --in %t.in %t.acis
// RUN: %compare --handler bits --in %t.in %t.acis
// RUN: %compare --handler brightness --in %t.in %t.acis
#include <acis.h>
#include <acis_math.h>
#include <cmath>
#ifdef __ACISC__
#define OF(library, own) library
#else
#define OF(library, own) own
#endif

#define HANDLER(name, value)                                                                       \
  ACIS_HANDLER void name(const float *__restrict in, float *__restrict out,                        \
                         const float *__restrict mem, uint32_t *len) {                             \
    uint32_t n = *len / 4;                                                                         \
    for (uint32_t i = 0; i < n; i++) {                                                             \
      float x = in[i];                                                                             \
      out[i] = value;                                                                              \
    }                                                                                              \
  }

HANDLER(exponential, OF(std::exp(x), acis_expf(x)))
HANDLER(power, OF(std::exp2(x), acis_exp2f(x)))
HANDLER(logarithm, OF(std::log(x), acis_logf(x)))
HANDLER(bits, OF(__builtin_log2f(x), acis_log2f(x)))
HANDLER(brightness, OF(std::pow(x, 2.2f), acis_powf(x, 2.2f)))
