// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=u280-full.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
#include <acis.h>
ACIS_HANDLER void untilZero(const int32_t *restrict in, int32_t *restrict out,
                            const int32_t *restrict mem, uint32_t *len) {
  uint32_t i = 0, n = 0;
  // CHECK: unknown-trip-count.c:[[#@LINE+1]]:3: error: loop not mapped: the number of its iterations is not known when it starts; count from a start to an end that do not change in the loop
  while (in[i] != 0) {
    out[n++] = in[i];
    i += in[i];
  }
}
