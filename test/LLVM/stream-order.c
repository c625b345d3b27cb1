// Reads of the stream stay in the order in which they were written, also when only a
// later block needs the value.
// RUN: acisc %s --config=%overlays/u280-full.json -emit-llvm | FileCheck %s
#include <acis.h>
// CHECK-LABEL: define {{.*}}void @header(
// CHECK-NEXT: entry:
// CHECK-NEXT: load i32, ptr %in
// CHECK: load i32
// CHECK: br i1
ACIS_HANDLER void header(const uint32_t *restrict in, uint32_t *restrict out,
                         const uint32_t *restrict mem, uint32_t *len) {
  uint32_t a = in[0];
  if (in[1])
    out[0] = a * 3;
}
