// Ways to run loops that are closed, each with the reason as a remark; the loops are run in another way. Their
// twins beside them are open.
// RUN: acisc %s --config=%overlays/u280.json --stop-after=import --remarks -o /dev/null 2>&1 | FileCheck %s --implicit-check-not='not mapped'
// RUN: acisc %s --config=%overlays/tiny.json -DTINY --stop-after=import --remarks -o /dev/null 2>&1 | FileCheck %s --check-prefix=TINY
#include <acis.h>
#define ARGS                                                                                       \
  const int32_t *restrict in, int32_t *restrict out, int32_t *restrict mem, uint32_t *len
#define FARGS const float *restrict in, float *restrict out, float *restrict mem, uint32_t *len
#ifndef TINY
static int32_t a[64], b[64], cube[4][4][64];
ACIS_PER_VPE static float parts[ACIS_VPES][64];

ACIS_HANDLER void keepsInner(ARGS) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < *len / 64; i++)
    for (uint32_t j = 0; j < 16; j++)
      if (in[16 * i + j] > 0)
        // CHECK: plans.c:[[#@LINE+1]]:{{.*}} remark: stream 'out' is written under a condition in an inner loop; write it in the loop around it
        out[n++] = in[16 * i + j];
}

ACIS_HANDLER void keeps(ARGS) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < *len / 4; i++)
    if (in[i] > 0)
      out[n++] = in[i];
}

ACIS_HANDLER void grows(ARGS) {
  for (uint32_t i = 0; i < *len / 256; i++)
    // CHECK: plans.c:[[#@LINE+1]]:{{.*}} remark: loop not mapped: the number of its iterations changes in the loop around it
    for (uint32_t j = 0; j < i; j++)
      mem[64 * i + j] = j;
}

ACIS_HANDLER void stays(ARGS) {
  for (uint32_t i = 0; i < *len / 256; i++)
    for (uint32_t j = 0; j < 64; j++)
      mem[64 * i + j] = j;
}

ACIS_HANDLER void guarded(ARGS) {
  for (uint32_t i = 0; i < *len / 4; i++) {
    int32_t v = in[i];
    if (v > 3)
      // CHECK: plans.c:[[#@LINE+1]]:{{.*}} remark: loop not mapped: whether it runs depends on a value of the loop around it; put the condition into the loop
      for (uint32_t j = 0; j < 64; j++)
        mem[64 * i + j] = v;
  }
}

ACIS_HANDLER void guardInside(ARGS) {
  for (uint32_t i = 0; i < *len / 4; i++)
    for (uint32_t j = 0; j < 64; j++)
      a[j] += in[i] > 3 ? in[i] : 0;
  out[0] = a[0];
}

ACIS_HANDLER void twoInner(ARGS) {
  for (uint32_t i = 0; i < *len / 512; i++) {
    for (uint32_t j = 0; j < 64; j++)
      a[j] += in[128 * i + j];
    // CHECK: plans.c:[[#@LINE+1]]:{{.*}} remark: loop not mapped with the loop around it: it is the second one in it; give each its own outer loop
    for (uint32_t j = 0; j < 64; j++)
      b[j] += in[128 * i + 64 + j];
  }
  out[0] = a[0] + b[0];
}

// Levels whose numbers are used cannot be one; the rows below are one level of 64 beats.
ACIS_HANDLER void threeLevels(ARGS) {
  // CHECK: plans.c:[[#@LINE+1]]:{{.*}} remark: loop nest needs 4 levels besides the lanes; the sequencer has 2: merge two loops or unroll one
  for (uint32_t i = 0; i < *len / 4096; i++)
    for (uint32_t j = 0; j < 4; j++)
      for (uint32_t k = 0; k < 4; k++)
        for (uint32_t l = 0; l < 64; l++)
          cube[j][k][l] += in[((i * 4 + j) * 4 + k) * 64 + l] + (int32_t)(j ^ k);
  out[0] = cube[0][0][0];
}

ACIS_HANDLER void twoPaces(ARGS) {
  for (uint32_t i = 0; i < 64; i++) {
    int32_t s = 0;
    // CHECK: plans.c:[[#@LINE+1]]:{{.*}} remark: loop not mapped with the loop around it: accesses of stream 'in' do not move together
    for (uint32_t j = 0; j < 5; j++)
      s = s * 3 + in[5 * i + j];
    s += in[3 * i];
    out[i] = s;
  }
}

ACIS_HANDLER void manyReads(ARGS) {
  int32_t x = 0;
  for (uint32_t i = 0; i < *len / 4; i++) {
    x = x * 3 + in[i];
    // CHECK: plans.c:[[#@LINE+1]]:{{.*}} remark: loop not mapped with the loop around it: unrolled, it accesses memory at 40 places; the overlay has 16 ports to memory
    for (uint32_t j = 0; j < 40; j++)
      x = x * 5 + mem[40 * i + j];
  }
  out[0] = x;
}

ACIS_HANDLER void sumBeside(ARGS) {
  uint32_t s = 0;
  for (uint32_t i = 0; i < 8; i++) {
    for (uint32_t j = 0; j < 64; j++)
      a[j] += in[64 * i + j];
    // CHECK: plans.c:[[#@LINE+1]]:{{.*}} remark: loop not mapped: it carries a value around an inner loop; keep it in an array
    s += mem[i];
  }
  out[0] = s;
}

// Loops over VPEs have lanes only.
ACIS_HANDLER void inOrder(FARGS) {
  float s = 0;
  for (uint32_t j = 0; j < 64; j++) {
    float v = in[j];
    for (uint32_t p = 0; p < ACIS_VPES; p++)
      parts[p][j] += v;
    // CHECK: plans.c:[[#@LINE+1]]:{{.*}} remark: loop not mapped: C fixes the order of this floating-point sum, one addition after the other; use acis_sum_f32 or acis_sum_f64, whose order the overlay has
    s += v;
  }
  out[0] = s;
}

ACIS_HANDLER void lastOne(FARGS) {
  float s = 0;
  for (uint32_t j = 0; j < 64; j++) {
    // CHECK: plans.c:[[#@LINE+1]]:{{.*}} remark: loop not mapped: a value of its last iteration is used after it; only sums and other reductions leave a loop: write the value to an array or the stream
    float v = in[j];
    for (uint32_t p = 0; p < ACIS_VPES; p++)
      parts[p][j] += v;
    s = v * 2;
  }
  out[0] = s;
}

ACIS_HANDLER void overVpes(FARGS) {
  for (uint32_t j = 0; j < 64; j++) {
    float v = in[j];
    for (uint32_t p = 0; p < ACIS_VPES; p++)
      parts[p][j] += v;
  }
}

#else

ACIS_HANDLER void manyPops(ARGS) {
  for (uint32_t i = 0; i < *len / 128; i++) {
    int32_t x = 1;
    // TINY: plans.c:[[#@LINE+1]]:{{.*}} remark: loop not mapped with the loop around it: unrolled, it takes an initiation interval of at least 32; 16 context slots are allowed
    for (uint32_t j = 0; j < 16; j++)
      x = x * 3 + in[32 * i + j];
    for (uint32_t j = 0; j < 16; j++)
      x = x * 5 + in[32 * i + 16 + j];
    out[i] = x;
  }
}
#endif
