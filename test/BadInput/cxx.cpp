// C++ is a source language, too, without exceptions and without what would need a heap.
// RUN: rm -rf %t && mkdir %t && split-file %s %t
// RUN: %refused %t/out.acis acisc %t/bad.cpp --config=u280-full.json -o %t/out.acis | FileCheck %s
// CHECK: bad.cpp:5:5: error: cannot use 'throw' with exceptions disabled
// RUN: %refused %t/out.acis acisc %t/heap.cpp --config=u280-full.json -o %t/out.acis | FileCheck %s --check-prefix=HEAP
// HEAP: heap.cpp:4:{{[0-9]+}}: error: call of '{{.*}}', which is not defined in this file; a handler can only call what is compiled with it
// RUN: acisc %t/good.cpp --config=u280-full.json -o %t/out.acis
// RUN: acis-objdump --config u280-full.json %t/out.acis | FileCheck %s --check-prefix=GOOD
// GOOD: handler good:
//--- good.cpp
#include <acis.h>
template <int N> static int32_t plus(int32_t x) { return x + N; }
ACIS_HANDLER void good(const int32_t *__restrict in, int32_t *__restrict out,
                       const int32_t *__restrict mem, uint32_t *len) {
  for (uint32_t i = 0; i < *len / 4; i++)
    out[i] = plus<3>(in[i]);
}
//--- bad.cpp
#include <acis.h>
ACIS_HANDLER void bad(const int32_t *__restrict in, int32_t *__restrict out,
                      const int32_t *__restrict mem, uint32_t *len) {
  if (in[0] == 3)
    throw 1;
  out[0] = 1;
}
//--- heap.cpp
#include <acis.h>
ACIS_HANDLER void heap(const int32_t *__restrict in, int32_t *__restrict out,
                       const int32_t *__restrict mem, uint32_t *len) {
  int32_t *copy = new int32_t[*len];
  copy[in[0]] = 1;
  out[0] = copy[in[1]];
}
