// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=u280-full.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
#include <acis.h>
ACIS_HANDLER void endless(const int32_t *restrict in, int32_t *restrict out,
                          const int32_t *restrict mem, uint32_t *len) {
  uint32_t i = 0;
  // CHECK-DAG: unbounded-loop.c:[[#@LINE+1]]:3: error: loop without an end; a handler handles one packet and returns
  for (;;) {
    out[i] = in[i];
    i++;
  }
}
