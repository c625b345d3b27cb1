// What comes of a function of the C++ library is said at the line that calls it.
// REQUIRES: libcxx
// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc -DTEXT %s --config=u280.json -o %t/out.acis | FileCheck %s
// CHECK: cxx-library.cpp:23:3: error: call of 'std::__1::to_chars(char*, char*, float)', which is not defined in this file
// CHECK-NEXT: std::to_chars(
// RUN: acisc %s --config=u280.json --report -o %t/out.acis 2>&1 | FileCheck %s --check-prefix=GOOD
// GOOD: largest.k0 ({{.*}}cxx-library.cpp:20)
// GOOD-NEXT: largest.k1 ({{.*}}cxx-library.cpp:26)
// GOOD-NOT: __algorithm
#include <acis.h>

#include <algorithm>
#include <array>
#include <charconv>

ACIS_HANDLER void largest(const uint32_t *__restrict in, uint32_t *__restrict out,
                          const uint32_t *__restrict mem, uint32_t *len) {
  std::array<uint32_t, 16> a;
  std::copy(in, in + 16, a.begin());
#ifdef TEXT
  char text[16];
  std::to_chars(text, text + 16, float(a[0]));
  out[0] = text[0];
#else
  out[0] = *std::max_element(a.begin(), a.end());
#endif
  *len = 4;
}
