// RUN: %handler_ir > %t.ll
// RUN: not acis-translate --import-handler %t.ll 2>&1 | FileCheck %s --implicit-check-not=error:
// Everything that cannot be a nest or control code, with the line and the way out.
#include <acis.h>
#define ARGS                                                                                       \
  const int32_t *restrict in, int32_t *restrict out, const int32_t *restrict mem,                  \
      uint32_t *restrict len
#define FARGS                                                                                      \
  const float *restrict in, float *restrict out, float *restrict mem, uint32_t *restrict len
float sinf(float);
int32_t foreign(int32_t);
ACIS_PER_VPE static int32_t slice[ACIS_VPES][64];
int32_t elsewhere[16];
extern int32_t undefined[16];

ACIS_HANDLER void lengthTypeInLoop(FARGS) {
  for (uint32_t i = 0; i < 100; i++)
    // CHECK: errors.c:[[#@LINE+1]]:{{.*}} error: the packet length is accessed with a type other than uint32_t
    out[i] = in[i] + *(volatile uint16_t *)len;
}

ACIS_HANDLER void tooOften(ARGS) {
  // CHECK: errors.c:[[#@LINE+1]]:{{.*}} error: loop not mapped: it runs 2^32 times or more, which no stream, memory or array is long enough for; count in uint32_t, with <
  for (uint64_t i = 0; i < 0x100000000; i++)
    out[i] = in[i];
}

ACIS_HANDLER void noUnit(ARGS) {
  for (uint32_t i = 0; i < 100; i++)
    // CHECK: errors.c:[[#@LINE+1]]:{{.*}} error: operation 'llvm.ctpop.i32' is not offered by any unit of the overlay; compute it from
    out[i] = __builtin_popcount(in[i]);
}

ACIS_HANDLER void call(ARGS) {
  for (uint32_t i = 0; i < 100; i++)
    // CHECK: errors.c:[[#@LINE+1]]:{{.*}} error: operation 'call of foreign' is not offered
    out[i] = foreign(in[i]);
}

ACIS_HANDLER void startValue(FARGS) {
  acis_sum_f32 s = {1};
  for (uint32_t i = 0; i < 100; i++)
    // CHECK: errors.c:{{.*}} error: loop not mapped: a floating-point reduction starts with a value other than the neutral one
    acis_sum_add(&s, in[i]);
  out[0] = acis_sum_get(&s);
}

ACIS_HANDLER void twoSums(FARGS) {
  acis_sum_f32 s = {0};
  for (uint32_t i = 0; i < 100; i++) {
    acis_sum_add(&s, in[i]);
    // CHECK: errors.c:{{.*}} error: loop not mapped: a floating-point reduction takes exactly one value in each iteration
    acis_sum_add(&s, mem[i]);
  }
  out[0] = acis_sum_get(&s);
}

ACIS_HANDLER void breaks(ARGS) {
  // CHECK: errors.c:[[#@LINE+1]]:{{.*}} error: loop not mapped: it can end in its middle (break, return or goto)
  for (uint32_t i = 0; i < 100; i++) {
    int32_t v = in[i];
    if (v == 7)
      break;
    out[i] = v;
  }
}

ACIS_HANDLER void unknownTrips(ARGS) {
  uint32_t i = 0, v;
  // CHECK: errors.c:[[#@LINE+1]]:{{.*}} error: loop not mapped: the number of its iterations is not known when it starts
  do {
    v = in[i];
    out[i] = v;
    i++;
  } while (v != 0);
}

ACIS_HANDLER void gatherStream(ARGS) {
  for (uint32_t i = 0; i < 100; i++)
    // CHECK: errors.c:[[#@LINE+1]]:{{.*}} error: the position in 'in' does not move by the same distance in each iteration; a stream is accessed in its order
    out[i] = in[i * i];
}

ACIS_HANDLER void backwardInLoop(ARGS) {
  for (uint32_t i = 0; i < 100; i++)
    // CHECK: errors.c:[[#@LINE+1]]:{{.*}} error: the position in stream 'in' moves backward; a stream is accessed forward
    out[i] = in[99 - i];
}

ACIS_HANDLER void gatherMemory(ARGS) {
  for (uint32_t i = 0; i < 100; i++)
    // CHECK: errors.c:[[#@LINE+1]]:{{.*}} error: the position in 'mem' does not move by the same distance in each iteration; load the part of the memory
    out[i] = (int32_t)((float)mem[in[i]] * 0.5f);
}

ACIS_HANDLER void readsOutput(ARGS) {
  for (uint32_t i = 0; i < 100; i++)
    // CHECK: errors.c:[[#@LINE+1]]:{{.*}} error: the output stream 'out' is read; keep what was written
    out[i + 1] = in[i] + out[i];
}

ACIS_HANDLER void conditionalOutput(ARGS) {
  uint32_t n = *len;
  for (uint32_t i = 0; i < n; i++) {
    int32_t v = in[i];
    if (v > 0)
      // CHECK: errors.c:[[#@LINE+1]]:{{.*}} error: stream 'out' is written under a condition; access it in every iteration
      out[i] = v;
  }
}

ACIS_HANDLER void vpeFromData(ARGS) {
  for (uint32_t i = 0; i < 64; i++)
    // CHECK: errors.c:[[#@LINE+1]]:{{.*}} error: the first index of 'slice', the VPE, is not a constant or a loop
    slice[in[i] & 15][i] = 1;
}

ACIS_HANDLER void notDefined(ARGS) {
  for (uint32_t i = 0; i < 16; i++)
    // CHECK: errors.c:[[#@LINE+1]]:{{.*}} error: array 'undefined' is not defined in this file; define it static
    undefined[i] = in[i];
}

ACIS_HANDLER void otherType(ARGS) {
  for (uint32_t i = 0; i < 64; i++)
    // CHECK: errors.c:[[#@LINE+1]]:{{.*}} error: array 'slice' is accessed with another type than its elements have
    ((int16_t *)slice[3])[i] = in[i];
}

// Control code
ACIS_HANDLER void scalarVpe(ARGS) {
  // CHECK: errors.c:[[#@LINE+1]]:{{.*}} error: the first index of 'slice', the VPE, is not a constant or a loop
  out[0] = slice[in[16] & 15][2];
}

ACIS_HANDLER void scalarType(ARGS) {
  // CHECK: errors.c:[[#@LINE+1]]:{{.*}} error: array 'slice' is accessed with another type than its elements have
  out[0] = ((int16_t *)slice[3])[in[0] & 7];
}

ACIS_HANDLER void scalarFunction(FARGS) {
  // CHECK: errors.c:[[#@LINE+1]]:{{.*}} error: operation 'llvm.floor.f32' is not offered by any unit of the overlay
  out[0] = __builtin_floorf(in[0]);
}

ACIS_HANDLER void foreignCall(ARGS) {
  // CHECK: errors.c:[[#@LINE+1]]:{{.*}} error: call of 'foreign', which is not defined in this file
  out[0] = foreign(in[0]);
}

ACIS_HANDLER void backwardInABlockBehind(ARGS) {
  int32_t a = in[0];
  out[1] = a;
  if (a > 5)
    // CHECK: errors.c:[[#@LINE+1]]:{{.*}} error: position of stream 'out' goes back by 4 bytes; a stream can only be written forward
    out[0] = 7;
}

// The loops round a nest read a matrix column by column: the second column begins behind the first.
ACIS_HANDLER void backwardInLoops(ARGS) {
  uint32_t n = *len & 63;
  for (uint32_t c = 0; c < 3; c++)
    for (uint32_t r = 0; r < 4; r++) {
      // CHECK: errors.c:[[#@LINE+1]]:{{.*}} error: position of stream 'in' goes back by 36 bytes from one iteration of a loop to the next; a stream can only be read forward
      int32_t x = in[r * 3 + c];
      for (uint32_t i = 0; i < n; i++)
        out[(c * 4 + r) * n + i] = mem[i] * x;
    }
}

// Row by row it goes forward.
ACIS_HANDLER void forwardInLoops(ARGS) {
  uint32_t n = *len & 63;
  for (uint32_t c = 0; c < 3; c++)
    for (uint32_t r = 0; r < 4; r++) {
      int32_t x = in[c * 4 + r];
      for (uint32_t i = 0; i < n; i++)
        out[(c * 4 + r) * n + i] = mem[i] * x;
    }
}

// What a loop writes has to be behind what it wrote in the iteration before.
ACIS_HANDLER void overlapInALoop(ARGS) {
  uint32_t n = *len & 63;
  for (uint32_t c = 0; c < n; c++) {
    int32_t sum = 0;
    for (uint32_t i = 0; i < 64; i++)
      sum += mem[c * 64 + i];
    // CHECK: errors.c:[[#@LINE+1]]:{{.*}} error: position of stream 'out' goes back by 2 bytes from one iteration of a loop to the next; a stream can only be written forward
    *(int32_t *)((int16_t *)out + c) = sum;
  }
}

ACIS_HANDLER void twoObjects(ARGS) {
  const int32_t *p = in[0] ? mem : in;
  // CHECK: errors.c:[[#@LINE+1]]:{{.*}} error: the pointer may point into '{{in|mem}}' or '{{in|mem}}'; use one pointer for each
  out[0] = p[1];
}

ACIS_HANDLER void twoTypes(ARGS) {
  static int32_t words[16];
  static int16_t halves[16];
  int32_t *p = in[0] ? words : (int32_t *)halves;
  // One message, though it is read and written.
  // CHECK: errors.c:[[#@LINE+1]]:{{.*}} error: the pointer may point into '{{.*}}words' or '{{.*}}halves'; use one pointer for each
  ++*p;
}
