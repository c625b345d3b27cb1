// What becomes of local arrays and of streams that are read twice, step by step.
// RUN: acisc %s --config=%overlays/u280-full.json --stop-after=local-tables | FileCheck %s --check-prefix=TABLE
// RUN: acisc %s --config=%overlays/u280-full.json --stop-after=lower-objects | FileCheck %s --check-prefix=RECORD
// RUN: acisc %s --config=%overlays/u280-full.json --stop-after=simplify | FileCheck %s --check-prefix=WHOLE
// RUN: acisc %s --config=%overlays/u280-full.json --stop-after=expand-moves | FileCheck %s --check-prefix=APART
// RUN: acisc %s --config=%overlays/u280-full.json --stop-after=read-windows | FileCheck %s --check-prefix=PEEL
#include <acis.h>
#define ARGS                                                                                       \
  const int32_t *restrict in, int32_t *restrict out, const int32_t *restrict mem, uint32_t *len
// Clang writes a fill and two stores.
// TABLE: @[[T:weights.*]] = {{.*}}constant [64 x i32] [i32 3, i32 5, i32 0
// TABLE-LABEL: define {{.*}}void @table(
// TABLE: %weights = alloca [64 x i32]
// TABLE-NOT: memset
// TABLE-NOT: store i32 3
// TABLE: memcpy{{.*}} %weights, {{.*}} @[[T]], i64 256
// TABLE: ret void
ACIS_HANDLER void table(ARGS) {
  int32_t weights[64] = {3, 5};
  for (int i = 0; i < 64; ++i)
    out[i] = weights[in[i] & 63];
}
struct sample { int32_t value[4]; int32_t count; };
// Data says which of the records and which of its values, so SROA cannot take them apart.
// RECORD-LABEL: define {{.*}}void @ring(
// RECORD-DAG: alloca [2 x [4 x i32]]
// RECORD-DAG: alloca [2 x i32]
// RECORD-NOT: alloca [2 x %struct.sample]
// RECORD: ret void
ACIS_HANDLER void ring(ARGS) {
  struct sample samples[2] = {{{1, 2, 3, 4}, 0}};
  for (int i = 0; i < 32; ++i) {
    int32_t x = in[i];
    samples[x & 1].value[x >> 1 & 3] += x;
  }
  out[0] = samples[0].value[1] + samples[1].value[2];
}
// A window that moves on by one.
// WHOLE-LABEL: define {{.*}}void @window(
// WHOLE: alloca [4 x i32]
// WHOLE: llvm.memmove
// APART-LABEL: define {{.*}}void @window(
// APART-NOT: alloca
// APART-NOT: llvm.memmove
// APART: phi i32
// APART: ret void
ACIS_HANDLER void window(ARGS) {
  int32_t last[4] = {0, 0, 0, 0};
  for (int i = 0; i < 64; ++i) {
    __builtin_memmove(last, last + 1, 3 * sizeof *last);
    last[3] = in[i];
    out[i] = last[0] + last[3];
  }
}
// The first element is read in front of the loop and in it.
// PEEL-LABEL: define {{.*}}void @most(
// PEEL-NEXT: entry:
// PEEL: load i32, ptr %in
// PEEL-NOT: load i32, ptr %in,
// PEEL: phi i32 [ 1, %
// PEEL: ret void
ACIS_HANDLER void most(ARGS) {
  int32_t most = in[0];
  for (int i = 0; i < 64; ++i)
    most = in[i] > most ? in[i] : most;
  out[0] = most;
}
