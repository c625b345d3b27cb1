// Which arrays become values: what their loops gain, and what has no room.
// RUN: acisc %s --config=%overlays/u280.json --stop-after=unroll-for-values | FileCheck %s --check-prefixes=CHECK,SIXTEEN
// RUN: acisc %s --config=%overlays/u280-full.json --stop-after=unroll-for-values | FileCheck %s --check-prefixes=CHECK,MORE
#include <acis.h>
#define ARGS                                                                                       \
  const int32_t *restrict in, int32_t *restrict out, const int32_t *restrict mem, uint32_t *len

// Each iteration fills arrays from the stream and takes them in other loops: one iteration with all of
// them, and no array, is less than launches of each.
// CHECK-LABEL: define {{.*}}void @products(
// CHECK-NOT: alloca
// CHECK-COUNT-8: mul
// CHECK: ret void
ACIS_HANDLER void products(ARGS) {
  for (uint32_t p = 0; p < *len / 32; p++) {
    int32_t a[2][2], b[2][2];
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++)
        a[i][j] = in[p * 8 + i * 2 + j];
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++)
        b[i][j] = in[p * 8 + 4 + i * 2 + j];
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++) {
        int32_t s = 0;
        for (int k = 0; k < 2; k++)
          s += a[i][k] * b[k][j];
        out[p * 4 + i * 2 + j] = s;
      }
  }
  *len /= 2;
}

// Words from memory are arguments of the launch, of which u280 has 16.
// CHECK-LABEL: define {{.*}}void @rotate(
// SIXTEEN: alloca [20 x i32]
// MORE-NOT: alloca
// CHECK: ret void
ACIS_HANDLER void rotate(ARGS) {
  int32_t angle[20];
  for (int k = 0; k < 20; k++)
    angle[k] = mem[k];
  for (uint32_t i = 0; i < *len / 4; i++) {
    int32_t x = 39797, y = 0, z = in[i];
    for (int k = 0; k < 20; k++) {
      int32_t dx = x >> k, dy = y >> k;
      if (z >= 0)
        x -= dy, y += dx, z -= angle[k];
      else
        x += dy, y -= dx, z += angle[k];
    }
    out[i] = x ^ y;
  }
}

// Constants are no arguments.
// CHECK-LABEL: define {{.*}}void @cleared(
// CHECK-NOT: alloca
// CHECK: ret void
ACIS_HANDLER void cleared(ARGS) {
  int32_t last[20];
  for (int k = 0; k < 20; k++)
    last[k] = 0;
  for (uint32_t i = 0; i < *len / 4; i++) {
    int32_t sum = 0;
    for (int k = 19; k > 0; k--) {
      last[k] = last[k - 1];
      sum += last[k] * k;
    }
    last[0] = in[i];
    out[i] = sum;
  }
}

// As long, element by element, as a loop or as one iteration; the loop has fewer nodes.
// CHECK-LABEL: define {{.*}}void @in_order(
// CHECK: alloca [8 x float]
// CHECK: fadd float
// CHECK-NOT: fadd
// CHECK: ret void
ACIS_HANDLER void in_order(const float *restrict in, float *restrict out, const float *restrict mem,
                           uint32_t *len) {
  float v[8];
  for (int f = 0; f < 8; f++)
    v[f] = mem[f];
  for (uint32_t r = 0; r < *len / 32; r++) {
    float s = 0;
    for (int f = 0; f < 8; f++)
      s += in[r * 8 + f] * v[f];
    out[r] = s;
  }
}

// Iterations wait for the sum: fewer nodes do not make them faster, and control code would read the
// words of the memory one by one.
// CHECK-LABEL: define {{.*}}void @waiting(
// CHECK: alloca [2 x float]
// CHECK: ret void
ACIS_HANDLER void waiting(const float *restrict in, float *restrict out, const float *restrict mem,
                          uint32_t *len) {
  float c[2], s = 0;
  for (int k = 0; k < 2; k++)
    c[k] = mem[k];
  for (uint32_t i = 0; i < *len / 4; i++) {
    s = s * c[0] + in[i] * c[1];
    out[i] = s;
  }
}
