// RUN: %handler_ir | acis-translate --import-handler | FileCheck %s
// A value of the last iteration of an inner loop is used after it: the loop carries it, and so its
// iterations are no lanes of rows, which would begin with what the row before has left.
#include <acis.h>

ACIS_PER_VPE static float parts[ACIS_VPES][16];

// CHECK: dfg.nest @k0() attributes {scalar = "{{.*}}iterations take values of earlier ones
// CHECK: [[FIRST:%.*]] = dfg.vrf.read @parts vpe(0) [%i]
// CHECK: [[LAST:%.*]]:2 = dfg.loop {{.*}} to 16 iter_args(%x = [[FIRST]], {{.*}})
// CHECK:   dfg.yield {{%.*}}, %x
// CHECK: dfg.stream.write [[LAST]]#1
ACIS_HANDLER void lastConstant(const float *restrict in, float *restrict out, float *restrict mem,
                               uint32_t *restrict len) {
  for (uint32_t i = 0; i < 16; i++) {
    float x = parts[0][i];
    for (uint32_t p = 1; p < ACIS_VPES; p++)
      x = -1.5f;
    out[i] = x;
  }
}
