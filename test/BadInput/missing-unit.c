// A grid without the units that divide.
// RUN: rm -rf %t && mkdir %t
// RUN: sed -e 's/, "divide"\]/]/' %overlays/tiny.json > %t/small.json
// RUN: %refused %t/out.acis acisc %s --config=%t/small.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
// RUN: acisc %s --config=tiny.json -o %t/out.acis
#include <acis.h>
ACIS_HANDLER void quotient(const int32_t *restrict in, int32_t *restrict out,
                           const int32_t *restrict mem, uint32_t *len) {
  for (uint32_t i = 0; i < *len / 4; i++)
    // CHECK: missing-unit.c:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}divide{{.*}}
    out[i] = in[i] / (mem[i] | 1);
}
