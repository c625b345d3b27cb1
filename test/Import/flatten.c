// Which loops over rows become one loop with the loop along a row, and why others do not: the
// scalar unit runs those.
// RUN: acisc %s --config=%overlays/u280-full.json --emit=dfg -o - --remarks > %t 2> %t.remarks
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=WHY < %t.remarks
#include <acis.h>
#define ARGS                                                                                       \
  const int32_t *restrict in, int32_t *restrict out, int32_t *restrict mem, uint32_t *len
static int32_t q[64];

// CHECK-LABEL: dfg.handler @flattened
// CHECK:       dfg.loop %{{.*}} to 8 {
// CHECK-NEXT:    dfg.loop %{{.*}} to 100 {{.*}}attributes {flatten} {
// CHECK:         dfg.vrf.write
ACIS_HANDLER void flattened(ARGS) {
  for (int r = 0; r < 8; r++) {
    int32_t s = 1;
    for (int c = 0; c < 100; c++)
      s = (s ^ in[r * 100 + c]) * 3;
    q[r] = s;
  }
}

// A short row is unrolled: the next row starts while this one is under way.
// CHECK-LABEL: dfg.handler @unrolled
// CHECK-NOT:   flatten
// CHECK:       dfg.loop %{{.*}} to 8 {
// CHECK-NOT:   dfg.nest
// CHECK:       dfg.loop %{{.*}} to 10 iter_args
// CHECK:         dfg.vrf.write
ACIS_HANDLER void unrolled(ARGS) {
  for (int r = 0; r < 8; r++) {
    int32_t s = 1;
    for (int c = 0; c < 10; c++)
      s = (s ^ in[r * 10 + c]) * 3;
    q[r] = s;
  }
}

// CHECK-LABEL: dfg.handler @variable
// CHECK-NOT:   flatten
// CHECK-LABEL: dfg.handler @gaps
ACIS_HANDLER void variable(ARGS) {
  uint32_t n = mem[0];
  for (int r = 0; r < 8; r++) {
    int32_t s = 1;
    // WHY: flatten.c:[[#@LINE+1]]:{{.*}}loop not mapped with the loop around it: the number of its iterations is not a constant
    for (uint32_t c = 0; c < n; c++)
      s = (s ^ in[r * n + c]) * 3;
    q[r] = s;
  }
}

// CHECK-NOT:   flatten
// CHECK-LABEL: dfg.handler @beside
ACIS_HANDLER void gaps(ARGS) {
  for (int r = 0; r < 8; r++) {
    int32_t s = 1;
    // WHY: flatten.c:[[#@LINE+1]]:{{.*}}loop not mapped with the loop around it: {{.*}} unrolled, and as one loop: the input stream is not accessed without gaps from one iteration to the next
    for (int c = 0; c < 100; c++)
      s = (s ^ in[r * 120 + c]) * 3;
    q[r] = s;
  }
}

// CHECK-NOT:   flatten
// CHECK-LABEL: dfg.handler @sentAtItsEnd
ACIS_HANDLER void beside(ARGS) {
  for (int r = 0; r < 8; r++) {
    int32_t s = in[r * 101];
    // WHY: flatten.c:[[#@LINE+1]]:{{.*}}loop not mapped with the loop around it: {{.*}} unrolled, and as one loop: stream 'in' is accessed beside it
    for (int c = 0; c < 100; c++)
      s = (s ^ in[r * 101 + 1 + c]) * 3;
    q[r] = s;
  }
}

// CHECK:       attributes {flatten} {
// CHECK:       dfg.stream.write %{{.*}}, [0] append : i32
// CHECK-LABEL: dfg.handler @readBehindWrite
ACIS_HANDLER void sentAtItsEnd(ARGS) {
  for (int r = 0; r < 8; r++) {
    int32_t s = 1;
    for (int c = 0; c < 100; c++)
      s = (s ^ in[r * 100 + c]) * 3;
    out[r] = s;
  }
}

// What a row writes the next one reads, ahead of it.
// CHECK-NOT:   flatten
ACIS_HANDLER void readBehindWrite(ARGS) {
  for (int r = 0; r < 8; r++) {
    int32_t s = 1;
    // WHY: flatten.c:[[#@LINE+1]]:{{.*}}loop not mapped with the loop around it: an iteration may read memory that an earlier one wrote
    for (int c = 0; c < 100; c++)
      s = (s ^ mem[r * 100 + c]) * 3;
    mem[r * 100 + 150] = s;
  }
}
