// Static variables that are not arrays live in scratch memory between invocations, and
// floating-point values that do not change in a loop are computed in it.
// RUN: acisc %s --config=%overlays/u280-full.json --verify-each -emit-llvm | FileCheck %s
// RUN: acisc %s --config=%overlays/u280-full.json -o %t.acis
// RUN: acisc %s --config=%overlays/u280-full.json --stop-after=static-scalars | FileCheck %s --check-prefix=STEP
// STEP-NOT: @packets =
// STEP-NOT: @total =
#include <acis.h>
static uint32_t packets;
static uint64_t total = 5;

// One load at the entry, one store at the end, none in the loop; 5 is the zero of `total`.
// CHECK-LABEL: define {{.*}}void @count(
// CHECK-NEXT: entry:
// CHECK-DAG: load i32, ptr inttoptr (i32 268435456 to ptr)
// CHECK-DAG: [[RAW:%.*]] = load i64, ptr inttoptr (i32 268435464 to ptr)
// CHECK-DAG: xor i64 [[RAW]], 5
// CHECK: phi i64
// CHECK-NOT: inttoptr
// CHECK: br i1
// CHECK: store i32 %{{.*}}, ptr inttoptr (i32 268435456 to ptr)
// CHECK: [[OUT:%.*]] = xor i64 %{{.*}}, 5
// CHECK: store i64 [[OUT]], ptr inttoptr (i32 268435464 to ptr)
ACIS_HANDLER void count(const uint32_t *restrict in, uint32_t *restrict out,
                        const uint32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4;
  packets++;
  for (uint32_t i = 0; i < n; i++)
    total += in[i];
  out[0] = packets;
  out[1] = (uint32_t)total;
}

// CHECK-LABEL: define {{.*}}void @scale(
// CHECK: for.body:
// CHECK: fmul float %{{.*}}, 2.000000e+00
// CHECK: ret void
ACIS_HANDLER void scale(const float *restrict in, float *restrict out, const float *restrict mem,
                        uint32_t *len) {
  uint32_t n = *len / 4;
  float g = mem[0] * 2.0f;
  for (uint32_t i = 0; i < n; i++)
    out[i] = in[i] * g;
}

// A product of constants plus a constant is no multiply-add: a slot holds two constants.
ACIS_HANDLER void affine(const float *restrict in, float *restrict out, const float *restrict mem,
                         uint32_t *len) {
  uint32_t n = *len / 4;
  float g = mem[0] * 2.0f + mem[1];
  for (uint32_t i = 0; i < n; i++)
    out[i] = in[i] * g;
}
