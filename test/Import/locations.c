// RUN: %handler_ir | acis-translate --import-handler --locations > %t
// RUN: FileCheck %s < %t
// Every node knows its source line; carried values and indices know their names.
#include <acis.h>
// CHECK:     dfg.loop %i to %{{.*}} iter_args(%total = %{{.*}}) -> (i32) {
// CHECK:       dfg.stream.read {{.*}} {{.*}}locations.c:[[#@LINE+9]]:14
// CHECK:       dfg.compute add({{.*}} {{.*}}locations.c:[[#@LINE+8]]:11
// CHECK:     } {{.*}}locations.c:[[#@LINE+6]]:3
// CHECK:   } {{.*}}locations.c:[[#@LINE+5]]:3
// CHECK: } {{.*}}locations.c:[[#@LINE+1]]:1
ACIS_HANDLER void sum(const int32_t *restrict in, int32_t *restrict out,
                      const int32_t *restrict mem, uint32_t *len) {
  int32_t total = 0;
  for (uint32_t i = 0; i < *len; i++)
    total += in[i];
  out[0] = total;
}
