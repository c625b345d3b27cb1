// One nest in each way to run it: a way that is closed gives place to the next.
// RUN: acisc %s --config=%overlays/u280-full.json --stop-after=normal-form -o %t.ll
// RUN: acis-translate --import-handler %t.ll | FileCheck %s --check-prefix=UNROLLED
// RUN: acis-translate --import-handler --close=unrolled %t.ll | FileCheck %s --check-prefix=FLATTENED
// RUN: acis-translate --import-handler --close=unrolled,flattened %t.ll \
// RUN:   | FileCheck %s --check-prefix=LAUNCHED
// RUN: not acis-translate --close=unrolled,flattened,counted %t.ll 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NONE
// RUN: acis-translate --import-handler --scalar-loops --close=unrolled,flattened,counted %t.ll \
// RUN:   | FileCheck %s --check-prefix=SCALAR
#include <acis.h>
static int32_t q[64];

// UNROLLED:      dfg.nest
// UNROLLED-NOT:  flatten
// UNROLLED:      dfg.loop %{{.*}} to 8 {
// UNROLLED:        dfg.loop %{{.*}} to 10 iter_args
// UNROLLED:        dfg.vrf.write

// FLATTENED:      dfg.loop %{{.*}} to 8 {
// FLATTENED-NEXT:   dfg.loop %{{.*}} to 10 {{.*}}attributes {flatten} {

// LAUNCHED:      dfg.nest
// LAUNCHED:        dfg.loop %{{.*}} to 10 iter_args
// LAUNCHED:      dfg.nest
// LAUNCHED:        dfg.loop %{{.*}} to 1 {
// LAUNCHED:          dfg.vrf.write

// NONE: error: closed by --close

// SCALAR-NOT: dfg.loop %{{.*}} to 10
ACIS_HANDLER void rows(const int32_t *restrict in, int32_t *restrict out, int32_t *restrict mem,
                       uint32_t *len) {
  for (int r = 0; r < 8; r++) {
    int32_t s = 1;
    for (int c = 0; c < 10; c++)
      s = (s ^ in[r * 10 + c]) * 3;
    q[r] = s;
  }
}
