// Products of complex numbers are C's: an infinite one is no NaN; CX_LIMITED_RANGE takes the formula alone.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis --report > %t.report 2>&1
// RUN: FileCheck %s --input-file=%t.report --implicit-check-not=scalar --implicit-check-not=warning
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python -c "import struct; v = [1.5, -0.25, 3e38, float('inf'), -0.0, 7.0, -float('inf'), 1e-3]; open('%t.in', 'wb').write(b''.join(struct.pack('<f', v[i * 5 % 7 ^ i // 9 % 2]) for i in range(240)))"
// RUN: %compare --handler turned --in %t.in --packet-bytes 80 %t.acis
// RUN: %compare --handler limited --in %t.in --packet-bytes 80 %t.acis
// RUN: %compare --handler parts --in %t.in --packet-bytes 80 %t.acis
#include <acis.h>
#include <complex.h>
#define HANDLER(name, type)                                                                        \
  ACIS_HANDLER void name(const float complex *restrict in, type *restrict out,                     \
                         const uint32_t *restrict mem, uint32_t *len)

// A NaN has no sign that two machines agree on, so the bits of numbers alone are sent.
static float number(float x) { return x == x ? x : 42; }

// CHECK: turned.k0
HANDLER(turned, float) {
  const float complex w = 0.5f - 2.0f * I;
  for (uint32_t i = 0; i < *len / 8; i++) {
    const float complex z = in[i] * w;
    out[2 * i] = number(crealf(z));
    out[2 * i + 1] = number(cimagf(z));
  }
}

// CHECK: limited.k0
HANDLER(limited, float) {
#pragma STDC CX_LIMITED_RANGE ON
  const float complex w = 0.5f - 2.0f * I;
  for (uint32_t i = 0; i < *len / 8; i++) {
    const float complex z = in[i] * w;
    out[2 * i] = number(crealf(z));
    out[2 * i + 1] = number(cimagf(z));
  }
}

// CHECK: parts.k0
HANDLER(parts, float complex) {
  for (uint32_t i = 0; i < *len / 8; i++)
    out[i] = conjf(in[i]);
}
