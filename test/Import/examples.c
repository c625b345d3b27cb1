// RUN: %handler_ir | acis-translate --import-handler --control > %t
// RUN: FileCheck %s < %t
// RUN: acisc --config=%overlays/u280-full.json --stop-after=normal-form %s -o %t.ll
// RUN: acis-translate --import-handler --control %t.ll | FileCheck %s
// The examples of the project, each as it is written in C.
#include <acis.h>

// A live-in constant stays in the nest; the trip count is an argument.
// CHECK-LABEL: dfg.handler @add
// CHECK:       dfg.nest @k0(%[[N:.*]]: i32) {
// CHECK:         %[[C:.*]] = dfg.const 42 : i32
// CHECK:         dfg.loop %[[I:.*]] to %[[N]] {
// CHECK:           %[[V:.*]] = dfg.stream.read [%[[I]] * 4] : i32
// CHECK:           %[[R:.*]] = dfg.compute add(%[[V]], %[[C]])
// CHECK:           dfg.stream.write %[[R]], [%[[I]] * 4] : i32
ACIS_HANDLER void add(const int32_t *restrict in, int32_t *restrict out,
                      const int32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++)
    out[i] = in[i] + 42;
}

// An integer reduction is a carried value and a result.
// CHECK-LABEL: dfg.handler @sum
// CHECK:       dfg.nest @k0(%[[N:.*]]: i32) -> (i32) {
// CHECK:         %[[ZERO:.*]] = dfg.const 0 : i32
// CHECK:         %[[SUM:.*]] = dfg.loop {{.*}} iter_args(%[[S:.*]] = %[[ZERO]]) -> (i32)
// CHECK:           %[[T:.*]] = dfg.compute add(%[[S]],
// CHECK:           dfg.yield %[[T]]
// CHECK:         dfg.return %[[SUM]] : i32
ACIS_HANDLER void sum(const int32_t *restrict in, int32_t *restrict out,
                      const int32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4;
  int32_t s = 0;
  for (uint32_t i = 0; i < n; i++)
    s += in[i];
  out[0] = s;
  *len = 4;
}

// Memory positions are addresses: the pointer is an argument. The sum may be in any
// order, the product may not.
// CHECK-LABEL: dfg.handler @dot
// CHECK:       dfg.nest @k0(%{{.*}}: i32, %[[MEM:.*]]: i32) -> (f32) {
// CHECK:           dfg.stream.read [%[[I:.*]] * 4] : f32
// CHECK:           dfg.mem.read [%[[I]] * 4 + %[[MEM]]] : f32
// CHECK:           dfg.compute fmul({{.*}}) : (f32, f32) -> f32
// CHECK:           dfg.compute fadd({{.*}}) reassoc : (f32, f32) -> f32
ACIS_HANDLER void dot(const float *restrict in, float *restrict out, const float *restrict mem,
                      uint32_t *len) {
  uint32_t n = *len / 4;
  acis_sum_f32 s = {0};
  for (uint32_t i = 0; i < n; i++)
    acis_sum_add(&s, in[i] * mem[i]);
  out[0] = acis_sum_get(&s);
  *len = 4;
}

// The window is carried from iteration to iteration; its values do not leave the loop.
// CHECK-LABEL: dfg.handler @fir
// CHECK:       dfg.nest @k0(%{{.*}}: i32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32) {
// CHECK:         dfg.loop {{.*}} iter_args(%w{{[01]}} = %[[Z:.*]], %w{{[01]}} = %[[Z]])
// CHECK:           dfg.stream.read
// CHECK:           dfg.yield {{%w0, %[0-9]+|%[0-9]+, %w0}} : f32, f32
// CHECK:         dfg.return{{$}}
ACIS_HANDLER void fir(const float *restrict in, float *restrict out, const float *restrict mem,
                      uint32_t *len) {
  uint32_t n = *len / 4;
  float w0 = 0, w1 = 0, w2 = 0, c0 = mem[0], c1 = mem[1], c2 = mem[2];
  for (uint32_t i = 0; i < n; i++) {
    w2 = w1;
    w1 = w0;
    w0 = in[i];
    out[i] = c0 * w0 + c1 * w1 + c2 * w2;
  }
}

// The outer loop reduces to a scalar in each iteration, so it stays control code.
// CHECK-LABEL: dfg.handler @matvec
// CHECK:       dfg.array @x : f32, [64]
// CHECK:       dfg.nest @k0() {
// CHECK:         dfg.loop %[[I:.*]] to 64 {
// CHECK:           dfg.vrf.write %{{.*}}, @x [%[[I]]] : f32
// CHECK:       dfg.nest @k1(%[[ROW:.*]]: i32) -> (f32) {
// CHECK-DAG:       dfg.mem.read [%[[K:.*]] * 4 + %[[ROW]]] : f32
// CHECK-DAG:       dfg.vrf.read @x [%{{.*}}] : f32
#define K 64
ACIS_HANDLER void matvec(const float *restrict in, float *restrict out, const float *restrict mem,
                         uint32_t *len) {
  float x[K];
  for (uint32_t i = 0; i < K; i++)
    x[i] = in[i];
  uint32_t rows = *len / 4;
  for (uint32_t r = 0; r < rows; r++) {
    acis_sum_f32 s = {0};
    for (uint32_t k = 0; k < K; k++)
      acis_sum_add(&s, mem[r * K + k] * x[k]);
    out[r] = acis_sum_get(&s);
  }
  *len = rows * 4;
}

// A narrow element is read as it is and widened; dfg-fuse lets its port do both.
// CHECK-LABEL: dfg.handler @quantise
// CHECK:           %[[BYTE:.*]] = dfg.stream.read [%[[I:[a-z0-9]*]]] : i8
// CHECK:           dfg.compute sext(%[[BYTE]]) : (i8) -> i32
// CHECK:           dfg.mem.read [%[[I]] * 4 + %{{.*}}] : i32
// CHECK:           dfg.stream.write %{{.*}}, [%[[I]] * 4] : i32
ACIS_HANDLER void quantise(const int8_t *restrict in, int32_t *restrict out,
                           const int32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len;
  for (uint32_t i = 0; i < n; i++)
    out[i] = in[i] + mem[i];
  *len = n * 4;
}

// CHECK-LABEL: dfg.handler @filter
// CHECK:           %[[KEEP:.*]] = dfg.compute slt(%{{.*}}, %[[V:.*]]) : (i32, i32) -> i1
// CHECK:           dfg.compute select(%[[KEEP]], %[[V]], %{{.*}}) : (i1, i32, i32) -> i32
ACIS_HANDLER void filter(const int32_t *restrict in, int32_t *restrict out,
                         const int32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4;
  int32_t threshold = mem[0];
  for (uint32_t i = 0; i < n; i++) {
    int32_t v = in[i];
    if (v > threshold)
      out[i] = v;
    else
      out[i] = 0;
  }
}

// Control code: the length, scalar accesses, the calls; no array, no loop is left.
// CHECK:       define {{.*}}void @sum(
// CHECK:         %[[LEN:.*]] = call i32 @acis.pktlen()
// CHECK:         %[[N:.*]] = lshr i32 %[[LEN]], 2
// CHECK:         %[[CALL:.*]] = call { i32 } @acis.nest.sum.k0(i32 %[[N]])
// CHECK:         extractvalue { i32 } %[[CALL]], 0
// CHECK:         %[[AT:.*]] = ptrtoint ptr %out to i32
// CHECK:         call void @acis.streamout(i32 %[[AT]], i32 %{{.*}}, i32 2)
// CHECK:         call void @acis.setpktlen(i32 4)
// CHECK:       define {{.*}}void @matvec(
// CHECK-NOT:     alloca
// CHECK:         call void @acis.nest.matvec.k0()
// CHECK:         call { float } @acis.nest.matvec.k1(i32 %{{.*}})
// CHECK:         bitcast float %{{.*}} to i32
