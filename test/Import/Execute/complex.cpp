// std::complex: products, sums and conjugates in a loop, with a number that the loop carries.
// REQUIRES: libcxx
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis --report > %t.report 2>&1
// RUN: FileCheck %s --input-file=%t.report --implicit-check-not=scalar --implicit-check-not=warning
// RUN: %host_cc -x c++ -std=c++20 -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python -c "import struct; open('%t.in', 'wb').write(b''.join(struct.pack('<f', (i * 37 % 101 - 50) / 16) for i in range(240)))"
// RUN: %compare --handler filtered --in %t.in --packet-bytes 80 %t.acis
// RUN: %compare --handler power --in %t.in --packet-bytes 80 %t.acis
#pragma STDC CX_LIMITED_RANGE ON // the carried product would be tested for infinities in each iteration
#include <acis.h>
#include <complex>
using Number = std::complex<float>;
#define HANDLER(name, type)                                                                        \
  ACIS_HANDLER void name(const Number *__restrict in, type *__restrict out,                        \
                         const uint32_t *__restrict mem, uint32_t *len)

// CHECK: filtered.k0
HANDLER(filtered, Number) {
  Number sum = 0;
  for (uint32_t i = 0; i < *len / sizeof(Number); i++) {
    sum = sum * Number(0.5f, -0.25f) + in[i];
    out[i] = in[i] * std::conj(in[i]) + sum;
  }
}

// CHECK: power.k0
HANDLER(power, float) {
  const uint32_t n = *len / sizeof(Number);
  for (uint32_t i = 0; i < n; i++)
    out[i] = std::norm(in[i]);
  *len = n * sizeof(float);
}
