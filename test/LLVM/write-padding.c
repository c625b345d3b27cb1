// Who writes a member of a record that is sent writes the padding behind it, too: 0.
// RUN: acisc %s --config=%overlays/u280-full.json --stop-after=write-padding | FileCheck %s
#include <acis.h>
#include <string.h>
struct inner {
  uint16_t a;
  uint8_t b[3];
};
struct outer {
  struct inner i[2];
  uint32_t n;
  uint8_t end;
};
#define ARGS const uint8_t *restrict in, struct outer *restrict out, struct outer *restrict mem, uint32_t *len

// The last byte of the last of two records, and what is behind it in both.
// CHECK-LABEL: define {{.*}}void @ends(
// CHECK: store i8 1, ptr [[LAST:%[a-z0-9]+]],
// CHECK-NEXT: [[GAP:%[0-9]+]] = getelementptr inbounds i8, ptr [[LAST]], i64 1
// CHECK-NEXT: store i8 0, ptr [[GAP]]
// CHECK-NOT: store i8 0
// CHECK: store i32 5, ptr %n
// CHECK-NOT: store i8 0
// CHECK: store i8 9, ptr %end
// CHECK-COUNT-3: store i8 0
// CHECK-NOT: store i8 0
// CHECK: ret void
ACIS_HANDLER void ends(ARGS) {
  out->i[1].b[2] = 1;
  out->n = 5;
  out->end = 9;
  *len = sizeof *out;
}

// In memory padding stays as it is, and in a local record that is not sent.
// CHECK-LABEL: define {{.*}}void @others(
// CHECK-NOT: store i8 0
// CHECK: ret void
ACIS_HANDLER void others(ARGS) {
  struct outer local;
  local.end = in[0];
  mem->end = local.end;
  memcpy(mem + 1, &local, sizeof local);
}

// A local record of which a copy of a copy is sent; the length says that not all of it is.
// CHECK-LABEL: define {{.*}}void @copies(
// CHECK: store i8 %{{.*}}, ptr %end
// CHECK-COUNT-3: store i8 0
// CHECK-NOT: store i8 0
// CHECK: store i8 3,
// CHECK-COUNT-2: store i8 0
// CHECK-NOT: store i8 0
// CHECK: ret void
ACIS_HANDLER void copies(ARGS) {
  struct outer first = {0}, second;
  first.end = in[0];
  second = first;
  out[0] = second;
  out[1].end = 3;
  *len = 2 * sizeof *out - 1;
}
