// RUN: %handler_ir | acis-translate --import-handler --control > %t
// RUN: FileCheck %s < %t
// RUN: acisc --config=%overlays/u280-full.json --stop-after=normal-form %s -o %t.ll
// RUN: acis-translate --import-handler --control %t.ll | FileCheck %s
// One kind of access, loop or carried value per handler.
#include <acis.h>

// A stream that is popped through its pointer; the loop after it starts where the first
// one ended, and the output's pointer is still 0.
// CHECK-LABEL: dfg.handler @popped
// CHECK:       dfg.nest @k0(%{{.*}}: i32, %[[MEM:.*]]: i32) {
// CHECK:           dfg.stream.read [%[[I:.*]] * 4 + 8] : i32
// CHECK:           dfg.mem.write %{{.*}}, [%[[I]] * 4 + %[[MEM]]] : i32
// CHECK:       dfg.nest @k1(%[[N:.*]]: i32, %[[POS:.*]]: i32) {
// CHECK:           dfg.stream.read [%[[I:.*]] * 4 + %[[POS]]{{( \+ 8)?}}] : i32
// CHECK:           dfg.stream.write %{{.*}}, [%[[I]] * 4] : i32
ACIS_HANDLER void popped(const int32_t *restrict in, int32_t *restrict out, int32_t *restrict mem,
                         uint32_t *len) {
  uint32_t a = acis_pop(in), b = acis_pop(in);
  for (uint32_t i = 0; i < a; i++)
    mem[i] = acis_pop(in);
  for (uint32_t i = 0; i < b; i++)
    acis_push(out, acis_pop(in));
}

// A start value other than the neutral one is added by the control code; a condition
// leaves terms out.
// CHECK-LABEL: dfg.handler @conditional_sum
// CHECK-DAG:     %[[ZERO:.*]] = dfg.const 0 : i32
// CHECK:         dfg.loop %{{.*}} to 100 iter_args(%[[S:.*]] = %[[ZERO]]) -> (i32) {
// CHECK:           %[[V:.*]] = dfg.stream.read
// CHECK:           %[[TERM:.*]] = dfg.compute select(%{{.*}}, %[[V]], %[[ZERO]])
// CHECK:           dfg.compute add(%[[S]], %[[TERM]])
ACIS_HANDLER void conditional_sum(const int32_t *restrict in, int32_t *restrict out,
                                  const int32_t *restrict mem, uint32_t *len) {
  int32_t s = mem[0];
  for (uint32_t i = 0; i < 100; i++) {
    int32_t v = in[i];
    if (v > 5)
      s += v;
  }
  out[0] = s;
}

// Two sums in one loop, and a minimum that starts at the first value.
// CHECK-LABEL: dfg.handler @three
// CHECK:       dfg.nest @k0(%{{.*}}: i32) -> (i32, i32, i32) {
// CHECK-DAG:     %[[MAX:.*]] = dfg.const 2147483647 : i32
// CHECK-DAG:     %[[ZERO:.*]] = dfg.const 0 : i32
// CHECK:         %[[R:.*]]:3 = dfg.loop {{.*}} iter_args({{.*}}) -> (i32, i32, i32)
// CHECK:         dfg.return %[[R]]#0, %[[R]]#1, %[[R]]#2
ACIS_HANDLER void three(const int32_t *restrict in, int32_t *restrict out,
                        const int32_t *restrict mem, uint32_t *len) {
  int32_t s = 0, q = 0, m = mem[0];
  for (uint32_t i = 0; i < *len; i++) {
    int32_t v = in[i];
    s += v;
    q += v * v;
    m = v < m ? v : m;
  }
  out[0] = s;
  out[1] = q;
  out[2] = m;
}

// A store under a condition has a flag; so has one under two.
// CHECK-LABEL: dfg.handler @conditional_store
// CHECK:           %[[A:.*]] = dfg.compute slt
// CHECK:           dfg.mem.write %{{.*}}, [{{.*}}] if %[[A]] : i1 : i32
// CHECK:           %[[B:.*]] = dfg.compute
// CHECK:           %[[BOTH:.*]] = dfg.compute and(%{{.*}}, %{{.*}}) : (i1, i1) -> i1
// CHECK:           dfg.mem.write %{{.*}}, [{{.*}}] if %[[BOTH]] : i1 : i32
ACIS_HANDLER void conditional_store(const int32_t *restrict in, int32_t *restrict out,
                                    int32_t *restrict mem, uint32_t *len) {
  for (uint32_t i = 0; i < 100; i++) {
    int32_t v = in[i];
    if (v > 5) {
      mem[i] = v;
      if (v & 1)
        mem[i + 100] = v;
    }
  }
}

// An inner loop that may not run at all has 0 iterations then.
// CHECK-LABEL: dfg.handler @guarded_loop
// CHECK:       dfg.nest @k0(%[[N:.*]]: i32, %{{.*}}: i32)
// CHECK:         dfg.loop %{{.*}} to 16 {
// CHECK:           dfg.loop %{{.*}} to %[[N]] {
ACIS_PER_VPE static int32_t rows[ACIS_VPES][64];
ACIS_HANDLER void guarded_loop(const int32_t *restrict in, int32_t *restrict out,
                               const int32_t *restrict mem, uint32_t *len) {
  int32_t n = in[0];
  for (uint32_t p = 0; p < ACIS_VPES; p++)
    for (int32_t i = 0; i < n; i++)
      rows[p][i] = mem[p * 64 + i];
}

// The inner loop is not a whole number of beats, so the outer one stays control code.
// CHECK-LABEL: dfg.handler @part_beats
// CHECK:       dfg.nest @k0(%[[POS:.*]]: i32) {
// CHECK-NEXT:    dfg.loop %[[J:.*]] to 1001 {
// CHECK-NEXT:      %[[V:.*]] = dfg.stream.read [%[[J]] * 4 + %[[POS]]] : i32
// CHECK-NEXT:      dfg.stream.write %[[V]], [%[[J]] * 4 + %[[POS]]] : i32
ACIS_HANDLER void part_beats(const int32_t *restrict in, int32_t *restrict out,
                             const int32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4004;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < 1001; j++)
      out[i * 1001 + j] = in[i * 1001 + j];
}

// With few elements in a row lanes are not worth a launch: one element after the other.
// CHECK-LABEL: dfg.handler @few_elements
// CHECK:       dfg.nest @k0(%[[N:.*]]: i32) attributes {scalar
// CHECK-NEXT:    dfg.loop %[[I:.*]] to %[[N]] {
// CHECK-NEXT:      dfg.loop %[[J:.*]] to 10 {
// CHECK-NEXT:        %[[V:.*]] = dfg.stream.read [%[[I]] * 40 + %[[J]] * 4] : i32
ACIS_HANDLER void few_elements(const int32_t *restrict in, int32_t *restrict out,
                               const int32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 40;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < 10; j++)
      out[i * 10 + j] = in[i * 10 + j];
}

// The loop's index as a value, in its own type and in others.
// CHECK-LABEL: dfg.handler @index_value
// CHECK:         dfg.loop %[[I:.*]] to 100 {
// CHECK:           %[[THREE:.*]] = dfg.compute mul(%[[I]], %{{.*}}) : (i32, i32) -> i32
// CHECK:           dfg.compute sitofp(%{{.*}}) : (i32) -> f32
ACIS_HANDLER void index_value(const int32_t *restrict in, float *restrict out,
                              const int32_t *restrict mem, uint32_t *len) {
  for (int32_t i = 0; i < 100; i++)
    out[i] = (float)(in[i] + 3 * i);
}

// 64-bit values: two words in control code, one element in a nest.
// CHECK-LABEL: dfg.handler @wide
// CHECK:       dfg.nest @k0(%{{.*}}: i64) -> (i64) {
// CHECK:           dfg.stream.read [%{{.*}} * 8 + 8] : i64
// CHECK:           dfg.compute mul(%{{.*}}, %{{.*}}) : (i64, i64) -> i64
ACIS_HANDLER void wide(const uint64_t *restrict in, uint64_t *restrict out,
                       const uint64_t *restrict mem, uint32_t *len) {
  uint64_t k = in[0], s = 0;
  for (uint32_t i = 0; i < 100; i++)
    s += in[i + 1] * k;
  out[0] = s;
}

// Backward in memory is an access like any other; every third element, too.
// CHECK-LABEL: dfg.handler @strides
// CHECK:           dfg.mem.read [%[[I:.*]] * -4 + %[[MEM:.*]] + 400] : i32
// CHECK:           dfg.mem.read [%[[I]] * 12 + %[[MEM]]] : i32
ACIS_HANDLER void strides(const int32_t *restrict in, int32_t *restrict out,
                          const int32_t *restrict mem, uint32_t *len) {
  for (uint32_t i = 0; i < 100; i++)
    out[i] = mem[100 - i] + mem[3 * i];
}

// A sum of two fields as an index is computed by the grid.
// CHECK-LABEL: dfg.handler @two_fields
// CHECK-DAG:       %[[A:.*]] = dfg.compute and(
// CHECK-DAG:       %[[B:.*]] = dfg.compute lshr(
// CHECK:           %[[SUM:.*]] = dfg.compute add(%[[A]], %[[B]]) : (i32, i32) -> i32
// CHECK:             dfg.vrf.read @two_fields.lookup [%{{.*}}] index(%[[SUM]] * 16 : i32) : i32
ACIS_HANDLER void two_fields(const uint32_t *restrict in, uint32_t *restrict out,
                             const uint32_t *restrict mem, uint32_t *len) {
  static uint32_t lookup[64][16];
  uint32_t n = in[0];
  for (uint32_t i = 0; i < n; i++) {
    uint32_t w = in[i + 1], row = (w & 15) + (w >> 28);
    for (uint32_t l = 0; l < 16; l++)
      out[i * 16 + l] = lookup[row][l];
  }
}

// What one row writes to memory the next one reads: the loop over the rows stays.
// CHECK-LABEL: dfg.handler @memory_sum
// CHECK:       dfg.nest @k0(%[[POS:.*]]: i32, %[[MEM:.*]]: i32) {
// CHECK-NEXT:    dfg.loop %[[J:.*]] to 16 {
// CHECK-DAG:       dfg.stream.read [%[[J]] * 4 + %[[POS]] + 64] : i32
// CHECK-DAG:       dfg.mem.read [%[[J]] * 4 + %[[MEM]]] : i32
// CHECK:           dfg.mem.write %{{.*}}, [%[[J]] * 4 + %[[MEM]]] : i32
ACIS_HANDLER void memory_sum(const int32_t *restrict in, int32_t *restrict out,
                             int32_t *restrict mem, uint32_t *len) {
  uint32_t n = in[0];
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < 16; j++)
      mem[j] += in[16 + i * 16 + j];
}

// Rows of memory that only one iteration touches are one nest.
// CHECK-LABEL: dfg.handler @memory_rows
// CHECK:         dfg.loop %[[I:.*]] to %{{.*}} {
// CHECK-NEXT:      dfg.loop %[[J:.*]] to 16 {
// CHECK:             dfg.mem.write %{{.*}}, [%[[I]] * 64 + %[[J]] * 4 + %{{.*}}] : i32
ACIS_HANDLER void memory_rows(const int32_t *restrict in, int32_t *restrict out,
                              int32_t *restrict mem, uint32_t *len) {
  uint32_t n = in[0];
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < 16; j++)
      mem[i * 16 + j] += in[16 + i * 16 + j];
}

// Columns are skipped between the rows of the stream, so rows are copied first; a row that has a
// length that is known only when it runs is launched row by row.
// CHECK-LABEL: dfg.handler @gaps
// CHECK:       dfg.nest @k0(%[[N:.*]]: i32, %[[POS:.*]]: i32) {
// CHECK-NEXT:    dfg.loop %[[E:.*]] to %[[N]] {
// CHECK-NEXT:      %[[V:.*]] = dfg.stream.read [%[[E]] * 4 + %[[POS]] + 64] : i32
// CHECK-NEXT:      dfg.vrf.write %[[V]], @in.rows [%[[E]]] : i32
// CHECK:       dfg.nest @k1(%[[ROWS:.*]]: i32, %{{.*}}: i32) {
// CHECK-NEXT:    dfg.loop %[[R:.*]] to %[[ROWS]] {
// CHECK-NEXT:      dfg.loop %[[J:.*]] to 16 {
// CHECK-NEXT:        dfg.vrf.read @in.rows [%[[R]] * 32 + %[[J]]] : i32
// CHECK:       dfg.nest @k2(%[[M:.*]]: i32, %{{.*}}: i32, %{{.*}}: i32) {
// CHECK-NEXT:    dfg.loop %[[J:.*]] to %[[M]] {
ACIS_HANDLER void gaps(const int32_t *restrict in, int32_t *restrict out, int32_t *restrict mem,
                       uint32_t *len) {
  uint32_t n = in[0], m = in[1];
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < 16; j++)
      mem[i * 16 + j] = in[16 + i * 32 + j];
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < m; j++)
      mem[i * m + j] = in[1024 + i * m + j];
}

// A loop of the control code that selects a row: the start is a whole number of beats.
// CHECK-LABEL: dfg.handler @row_of_loop
// CHECK:         dfg.loop %[[I:.*]] to %{{.*}} {
// CHECK:           dfg.loop %[[L:.*]] to 16 {
// CHECK:             dfg.vrf.read @row_of_loop.x [%[[L]] + %{{.*}} * 16]
ACIS_HANDLER void row_of_loop(const int32_t *restrict in, int32_t *restrict out,
                              int32_t *restrict mem, uint32_t *len) {
  static int32_t x[8][16];
  uint32_t n = in[0];
  for (uint32_t k = 0; k < 8; k++)
    for (uint32_t i = 0; i < n; i++)
      for (uint32_t l = 0; l < 16; l++)
        out[(k * n + i) * 16 + l] = x[k][l] + in[16 + (k * n + i) * 16 + l];
}

// CHECK:       define {{.*}}void @popped(
// CHECK:         %[[A:.*]] = call i32 @acis.streamin(
// CHECK:         %[[B:.*]] = call i32 @acis.streamin(
// CHECK:         call void @acis.nest.popped.k0(
// CHECK:         call void @acis.nest.popped.k1(
// CHECK:       define {{.*}}void @conditional_sum(
// CHECK:         %[[START:.*]] = load i32, ptr %mem
// CHECK:         %[[REST:.*]] = extractvalue { i32 } %{{.*}}, 0
// CHECK:         add i32 %[[START]], %[[REST]]
// CHECK:       define {{.*}}void @three(
// CHECK:         call i32 @llvm.smin.i32(
// CHECK:       define {{.*}}void @wide(
// CHECK:         call i32 @acis.streamin(i32 %{{.*}}, i32 2)
// CHECK:         call i32 @acis.streamin(i32 %{{.*}}, i32 2)
// CHECK:         call void @acis.streamout(
// CHECK:         call void @acis.streamout(
