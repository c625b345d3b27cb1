// Which short loops are unrolled, seen after the whole pipeline.
// RUN: acisc %s --config=%overlays/u280-full.json --verify-each -emit-llvm | FileCheck %s
// RUN: acisc %s --config=%overlays/u280-full.json --stop-after=count-iterations | FileCheck %s --check-prefix=ROLLED
// RUN: acisc %s --config=%overlays/u280-full.json --stop-after=unroll-for-values | FileCheck %s --check-prefix=UNROLLED
#include <acis.h>
#define ARGS                                                                                       \
  const float *restrict in, float *restrict out, const float *restrict mem, uint32_t *len
ACIS_PER_VPE static float acc[ACIS_VPES][8][16];

// A window of 16 samples in a loop over the stream: scalars, moved on in each iteration.
// ROLLED-LABEL: define {{.*}}void @window(
// ROLLED: alloca [16 x float]
// UNROLLED-LABEL: define {{.*}}void @window(
// UNROLLED-NOT: alloca [16 x float]
// UNROLLED-COUNT-16: fmul float
// UNROLLED: ret void
// CHECK-LABEL: define {{.*}}void @window(
// CHECK-NOT: alloca
// CHECK: [[W1:%w.*]] = phi float [ [[W0:%w.*]], %
// CHECK: [[IN:%.*]] = load float, ptr %arrayidx
// CHECK-COUNT-16: fmul float
// CHECK: ret void
ACIS_HANDLER void window(ARGS) {
  uint32_t n = *len / 4;
  float w[16] = {0}, h[16];
  for (int k = 0; k < 16; k++)
    h[k] = mem[k];
  for (uint32_t i = 0; i < n; i++) {
    for (int k = 15; k > 0; k--)
      w[k] = w[k - 1];
    w[0] = in[i];
    float s = 0;
    for (int k = 0; k < 16; k++)
      s += h[k] * w[k];
    out[i] = s;
  }
}

// A loop over the VPEs inside the loop over the lanes stays: the dfg passes make it one
// copy per VPE.
// CHECK-LABEL: define {{.*}}void @vpes(
// CHECK-COUNT-1: load float
// CHECK-NOT: load float
// CHECK: icmp eq i32 %{{.*}}, 16
// CHECK: icmp eq i32 %{{.*}}, 16
// CHECK: ret void
ACIS_HANDLER void vpes(ARGS) {
  for (uint32_t f = 0; f < 16; f++) {
    float s = 0;
    for (uint32_t p = 0; p < ACIS_VPES; p++)
      s += acc[p][3][f];
    out[f] = s;
  }
}

// VPEs that take turns at a stream have a loop each, with whatever is at their places; a turn of one
// beat is that of the lanes.
// UNROLLED-LABEL: define {{.*}}void @turns(
// UNROLLED-COUNT-16: icmp {{.*}}, 48
// UNROLLED-NOT: icmp {{.*}}, 48
// UNROLLED: load float
// UNROLLED-NOT: load float
// UNROLLED: ret void
ACIS_HANDLER void turns(ARGS) {
  for (uint32_t p = 0; p < ACIS_VPES; p++)
    for (uint32_t i = 0; i < 48; i++)
      acc[p][i / 16][i % 16] = in[p * 48 + i];
  for (uint32_t p = 0; p < ACIS_VPES; p++)
    for (uint32_t i = 0; i < 16; i++)
      acc[p][7][i] = in[ACIS_VPES * 48 + p * 16 + i];
}

// Lanes stay lanes: the array is not a window, the loop moves in the stream.
// CHECK-LABEL: define {{.*}}void @rows(
// CHECK-COUNT-1: load float, ptr %arrayidx
// CHECK: [[F:%.*]] = add nuw nsw i32 %f{{.*}}, 1
// CHECK-NEXT: icmp eq i32 [[F]], 16
// CHECK: ret void
ACIS_HANDLER void rows(ARGS) {
  float v[16];
  for (int f = 0; f < 16; f++)
    v[f] = mem[f];
  uint32_t n = *len / 64;
  for (uint32_t r = 0; r < n; r++) {
    float s = 0;
    for (int f = 0; f < 16; f++)
      s += in[r * 16 + f] * v[f];
    out[r] = s;
  }
}

// The overlay adds acis_sum_f32 in its own order, so its loop is never taken apart.
// CHECK-LABEL: define {{.*}}void @sums(
// CHECK: fadd reassoc float
// CHECK-NOT: fadd
// CHECK: ret void
ACIS_HANDLER void sums(ARGS) {
  float v[16];
  for (int f = 0; f < 16; f++)
    v[f] = in[f];
  uint32_t n = *len / 64;
  for (uint32_t r = 0; r < n; r++) {
    acis_sum_f32 s = {0};
    for (int f = 0; f < 16; f++)
      acis_sum_add(&s, mem[r * 16 + f] * v[f]);
    out[r] = acis_sum_get(&s);
  }
}

// What both ways of a condition write is one write.
// CHECK-LABEL: define {{.*}}void @both(
// CHECK: select
// CHECK: store float
// CHECK-NOT: store
// CHECK: ret void
ACIS_HANDLER void both(ARGS) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++) {
    float v = in[i];
    if (v > 1)
      out[i] = v;
    else
      out[i] = 0;
  }
}

// A window that slides: the loop around moves over the same elements, so the window's
// iterations are unrolled.
// CHECK-LABEL: define {{.*}}void @slides(
// CHECK-COUNT-3: load i32
// CHECK: icmp eq i32 %{{.*}}, 60
// CHECK: ret void
static int32_t samples[64];
ACIS_HANDLER void slides(const int32_t *restrict in, int32_t *restrict out,
                         const int32_t *restrict mem, uint32_t *len) {
  for (int i = 0; i < 60; i++) {
    int32_t s = 0;
    for (int k = 0; k < 3; k++)
      s += samples[i + k] * (k + 1);
    out[i] = s;
  }
}

// Unless the program says that it is not to be unrolled.
// CHECK-LABEL: define {{.*}}void @kept(
// CHECK-COUNT-1: load i32
// CHECK-NOT: load i32
// CHECK: icmp eq i32 %{{.*}}, 3
// CHECK: ret void
ACIS_HANDLER void kept(const int32_t *restrict in, int32_t *restrict out,
                       const int32_t *restrict mem, uint32_t *len) {
  for (int i = 0; i < 60; i++) {
    int32_t s = 0;
#pragma nounroll
    for (int k = 0; k < 3; k++)
      s += samples[i + k] * (k + 1);
    out[i] = s;
  }
}

// Short rows that lie one behind the other do not slide: no element is read twice.
// CHECK-LABEL: define {{.*}}void @blocks(
// CHECK-COUNT-1: load i32
// CHECK-NOT: load i32
// CHECK: icmp eq i32 %{{.*}}, 4
// CHECK: ret void
ACIS_HANDLER void blocks(const int32_t *restrict in, int32_t *restrict out,
                         const int32_t *restrict mem, uint32_t *len) {
  for (int i = 0; i < 16; i++) {
    int32_t s = 0;
    for (int k = 0; k < 4; k++)
      s += samples[4 * i + k] * (k + 1);
    out[i] = s;
  }
}

// More elements than a launch takes arguments come from another loop: they stay an array.
// CHECK-LABEL: define {{.*}}void @many_passed(
// CHECK: %x = alloca [32 x double]
// CHECK: ret void
ACIS_HANDLER void many_passed(const double *restrict in, double *restrict out,
                              const double *restrict mem, uint32_t *len) {
  double x[32];
  for (int c = 0; c < 32; c++)
    x[c] = in[c];
  for (int r = 0; r < 32; r++) {
    double s = 0;
    for (int c = 0; c < 32; c++)
      s += mem[r * 32 + c] * x[c];
    out[r] = s;
  }
}

// Inner loops that get their counts from an outer one, over a small array alone: nothing of
// the nest is left, nor of the array.
// CHECK-LABEL: define {{.*}}void @sorted(
// CHECK-NOT: alloca
// CHECK-COUNT-5: call i32 @llvm.smin
// CHECK: ret void
ACIS_HANDLER void sorted(const int32_t *restrict in, int32_t *restrict out,
                         const int32_t *restrict mem, uint32_t *len) {
  for (uint32_t row = 0; row < *len / 16; row++) {
    int32_t a[4];
    for (int i = 0; i < 4; i++)
      a[i] = in[row * 4 + i];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3 - i; j++)
        if (a[j] > a[j + 1]) {
          int32_t t = a[j];
          a[j] = a[j + 1];
          a[j + 1] = t;
        }
    for (int i = 0; i < 4; i++)
      out[row * 4 + i] = a[i];
  }
}

// The array is indexed by data, too, so it stays one. The nest is unrolled all the same: one iteration
// with all of it takes fewer cycles than launches of its loops.
// CHECK-LABEL: define {{.*}}void @sorted_and_indexed(
// CHECK: alloca [4 x i32]
// CHECK-COUNT-6: icmp sgt i32
// CHECK: ret void
ACIS_HANDLER void sorted_and_indexed(const int32_t *restrict in, int32_t *restrict out,
                                     const int32_t *restrict mem, uint32_t *len) {
  for (uint32_t row = 0; row < *len / 16; row++) {
    int32_t a[4];
    for (int i = 0; i < 4; i++)
      a[i] = in[row * 4 + i];
    int32_t which = a[0] & 3;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3 - i; j++)
        if (a[j] > a[j + 1]) {
          int32_t t = a[j];
          a[j] = a[j + 1];
          a[j + 1] = t;
        }
    out[row] = a[which];
  }
}
