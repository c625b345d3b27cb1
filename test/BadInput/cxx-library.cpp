// What comes of a function of the C++ library is said at the line that calls it.
// REQUIRES: libcxx
// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc -DSORT %s --config=u280.json -o %t/out.acis | FileCheck %s
// CHECK: cxx-library.cpp:21:3: error: call of 'void std::__1::__sort<{{.*}}>(unsigned int*, unsigned int*, {{.*}})', which is not defined in this file
// CHECK-NEXT: std::sort(
// RUN: acisc %s --config=u280.json --report -o %t/out.acis 2>&1 | FileCheck %s --check-prefix=GOOD
// GOOD: largest.k0 ({{.*}}cxx-library.cpp:19)
// GOOD-NEXT: largest.k1 ({{.*}}cxx-library.cpp:24)
// GOOD-NOT: __algorithm
#include <acis.h>

#include <algorithm>
#include <array>

ACIS_HANDLER void largest(const uint32_t *__restrict in, uint32_t *__restrict out,
                          const uint32_t *__restrict mem, uint32_t *len) {
  std::array<uint32_t, 16> a;
  std::copy(in, in + 16, a.begin());
#ifdef SORT
  std::sort(a.begin(), a.end());
  std::copy(a.begin(), a.end(), out);
#else
  out[0] = *std::max_element(a.begin(), a.end());
#endif
  *len = 4;
}
