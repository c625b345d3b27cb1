// Arrays between which data chooses become one array, and pointers into it numbers of elements.
// RUN: acisc %s --config=%overlays/u280-full.json --stop-after=lower-objects | FileCheck %s --check-prefix=NUMBERS
// RUN: acisc %s --config=%overlays/u280-full.json --stop-after=number-pointers | FileCheck %s
// Records are merged while they are whole.
// NUMBERS-DAG: @rows.even.rows.odd = internal global [32 x i32]
// NUMBERS-DAG: @records.inside.records.outside.0 = internal global [32 x i32]
// NUMBERS-DAG: @records.inside.records.outside.1 = internal global [32 x i32]
// NUMBERS-DAG: @largest.x = internal global [64 x i32]
#include <acis.h>
#define ARGS                                                                                       \
  const int32_t *restrict in, int32_t *restrict out, const int32_t *restrict mem, uint32_t *len
// Two rows that swap places.
ACIS_HANDLER void rows(ARGS) {
  static int32_t even[16], odd[16];
  for (int i = 0; i < 16; ++i) {
    int32_t x = in[i];
    int32_t *row = x & 1 ? odd : even;
    row[x >> 1 & 15] = x;
  }
  for (int i = 0; i < 16; ++i)
    out[i] = even[i] + odd[i];
}
// Records, too.
struct flow { int32_t packets, bytes; };
ACIS_HANDLER void records(ARGS) {
  static struct flow inside[16], outside[16];
  for (int i = 0; i < 16; ++i) {
    int32_t x = in[i];
    struct flow *flow = x & 1 ? &outside[x >> 1 & 15] : &inside[x >> 1 & 15];
    flow->packets += 1;
    flow->bytes += x;
  }
  for (int i = 0; i < 16; ++i)
    out[i] = inside[i].bytes + outside[i].packets;
}
// The place of the largest element so far.
// CHECK-LABEL: define {{.*}}void @largest(
// CHECK-NOT: phi ptr
// CHECK: [[BEST:%.*]] = phi i32 [ [[NEXT:%.*]], %{{.*}} ], [ 0, %
// CHECK: getelementptr {{.*}}i32, ptr @largest.x, i32 [[BEST]]
// CHECK: [[NEXT]] = select i1 %{{.*}}, i32 %{{.*}}, i32 [[BEST]]
// CHECK: ret void
ACIS_HANDLER void largest(ARGS) {
  static int32_t x[64];
  for (int i = 0; i < 64; ++i)
    x[i] = in[i];
  const int32_t *best = x;
  for (int i = 1; i < 64; ++i)
    if (x[i] > *best)
      best = &x[i];
  out[0] = *best;
  out[1] = (int32_t)(best - x);
}
