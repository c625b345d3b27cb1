// A handler becomes IR that nothing has optimised, with its mark, element sizes
// and source lines; no path of the machine that compiled it.
// RUN: acisc %s --config=%overlays/u280-full.json --stop-after=frontend | FileCheck %s
// RUN: acisc %s --config=%overlays/u280-full.json --stop-after=frontend -D STEP=9 | FileCheck %s --check-prefix=DEFINED
// RUN: %host_cc -std=c11 -Wall -Wextra -Werror -Wno-unused-parameter -fsyntax-only -I%src_root/compiler/frontend/include %s
#include <acis.h>
#ifndef STEP
#define STEP 7
#endif
ACIS_PER_VPE static float table[ACIS_VPES][4][ACIS_LANES];

// CHECK: target triple = "riscv32
// CHECK: @table = internal global [16 x [4 x [16 x float]]] zeroinitializer, section "acis.vpe"
// CHECK: define {{.*}}void @add(ptr noalias noundef %in, {{.*}}ptr noundef %len) [[ATTRS:#[0-9]+]]
// CHECK: alloca
// CHECK: add nsw i32 %{{.*}}, 7, !dbg
// DEFINED: add nsw i32 %{{.*}}, 9, !dbg
ACIS_HANDLER void add(const int16_t *restrict in, int32_t *restrict out, const void *restrict mem,
                      uint32_t *len) {
  uint32_t n = *len / 2;
  for (uint32_t i = 0; i < n; i++)
    acis_push(out, acis_pop(in) + STEP);
  table[0][0][0] = 0;
}

// Sums are one addition that may be reordered.
// CHECK: fadd reassoc double
ACIS_HANDLER void sum(const double *restrict in, double *restrict out, const void *restrict mem,
                      uint32_t *len) {
  uint32_t n = *len / 8;
  acis_sum_f64 s = {0};
  for (uint32_t i = 0; i < n; i++)
    acis_sum_add(&s, in[i]);
  out[0] = acis_sum_get(&s);
}

// CHECK: attributes [[ATTRS]] = {{.*}}"acis.handler" "acis.in-bytes"="2" "acis.out-bytes"="4"
// CHECK-NOT: optnone
// CHECK-NOT: llvm.global.annotations
// CHECK: !DIFile(filename: "{{.*}}handler.c", directory: "."
