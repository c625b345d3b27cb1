// Line-rate certificates: which handlers have one, that they hold, and the rate that is
// required.
// RUN: acisc %s --config=%overlays/mesh4x4.json --certify --report -o %t.acis 2>&1 | FileCheck %s
// RUN: acisc %s --config=%overlays/mesh4x4.json --certify --report=%t.json -o %t.acis
// RUN: FileCheck %s --check-prefix=JSON --input-file %t.json
// RUN: acis-objdump --config %overlays/mesh4x4.json %t.acis | FileCheck %s --check-prefix=DUMP
// DEFINE: %{check} = acis-certify %t.acis --config %overlays/mesh4x4.json --check 3000 --handler
// RUN: %{check} scale | FileCheck %s --check-prefix=HOLDS
// RUN: %{check} count | FileCheck %s --check-prefix=KEPT
// RUN: %{check} two --seed 7 --json | FileCheck %s --check-prefix=HELD
// HOLDS: random packets, 0 late; certified to worst seen: 1.{{[0-2][0-9]*}} alone, 1.{{[0-2][0-9]*}} in trains
// HELD: "late": 0
// KEPT: random packets, 0 late;

// Without the bounds: one cycle less somewhere is found out.
// RUN: llvm-objcopy --dump-section .acis.cert=%t.cert %t.acis %t.same
// RUN: %python -c "import struct,sys; w=list(struct.unpack('<%%dI'%%(len(open(sys.argv[1],'rb').read())//4), open(sys.argv[1],'rb').read())); [w.__setitem__(i, w[i]-1) for i in range(4, 3+4*w[2], 4)]; open(sys.argv[2],'wb').write(struct.pack('<%%dI'%%len(w), *w))" %t.cert %t.less
// RUN: llvm-objcopy --update-section .acis.cert=%t.less %t.acis %t.wrong
// RUN: not acis-certify %t.wrong --config %overlays/mesh4x4.json --check 3000 --handler scale 2>&1 | FileCheck %s --check-prefix=LATE
// RUN: acis-certify %t.wrong --again --config %overlays/mesh4x4.json --check 3000 --handler scale | FileCheck %s --check-prefix=HOLDS
// LATE: error: packet {{[0-9]+}} of a train of {{[0-9]+}}, {{[0-9]+}} bytes: {{[0-9]+}} cycles, {{[0-9]+}} certified

// RUN: not acisc %s --config=%overlays/mesh4x4.json -DONE --require-rate=100G@64B -o %t.none 2>&1 | FileCheck %s --check-prefix=RATE
// RUN: test ! -e %t.none
// RUN: acisc %s --config=%overlays/mesh4x4.json -DONE --require-rate=100G@1024B -o %t.rate
// RUN: acisc %s --config=%overlays/mesh4x4.json -DONE --require-rate=950M@64B -o %t.rate
// RUN: not acisc %s --config=%overlays/mesh4x4.json --require-rate=1M@64B -o %t.none 2>&1 | FileCheck %s --check-prefix=DATA
// RUN: not acisc %s --config=%overlays/mesh4x4.json --require-rate=100@64 -o %t.none 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not acis-certify %t.acis --config %overlays/mesh4x4.json 2>&1 | FileCheck %s --check-prefix=WHICH
// RUN: not acis-certify %t.acis --config %overlays/mesh4x4.json --handler branch 2>&1 | FileCheck %s --check-prefix=NONE
// An overlay with less memory than a job has elsewhere.
// RUN: acisc %s --config=tiny.json -DONE --certify --report -o %t.tiny.acis 2>&1 | FileCheck %s --check-prefix=TINY
// RUN: acis-certify %t.tiny.acis --config tiny.json --again --check 500 | FileCheck %s --check-prefix=HOLDS
// TINY: scale: {{.*}}64 bytes: at most
// SYNTAX: error: '--require-rate=100@64' is no rate; allowed: for example 100G@256B or 950M@64B
// WHICH: error: {{.*}}: the binary has 7 handlers (scale, count, two, branch, loop, place, history); name one
// NONE: certify.c:{{[0-9]+}}: no certificate: a branch of the control code depends on data
#include <acis.h>
#define ARGS const uint32_t *restrict in, uint32_t *restrict out, const uint32_t *restrict mem, uint32_t *len

// CHECK-DAG: scale: 100 Gb/s from payloads of {{[0-9]+}} bytes on; 64 bytes: at most
// RATE: certify.c:[[#@LINE+2]]:{{.*}}error: rate of 100G@64B is not guaranteed: a payload of 64 bytes takes {{[0-9]+}} cycles, its frame 2.6; the control code takes {{[0-9]+}} instructions; it holds from {{[0-9]+}} bytes on
ACIS_HANDLER void scale(ARGS) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++)
    out[i] = in[i] * 3;
}
// JSON: "bytesAt100G":
// JSON: "handler": "scale"
// JSON: "controlCycles":
// DUMP: handler scale:
// DUMP-NEXT: certificate: {{[0-9]+}} steps to payloads of 9000 bytes
#ifndef ONE
// Indexed additions: the worst case is that all meet.
// CHECK-DAG: count: {{.*}}; 64 bytes: at most
static uint32_t bins[64][ACIS_LANES];
ACIS_HANDLER void count(ARGS) {
  uint32_t n = *len / (4 * ACIS_LANES);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t l = 0; l < ACIS_LANES; l++)
      bins[in[i * ACIS_LANES + l] & 63][l] += 1;
  for (uint32_t l = 0; l < ACIS_LANES; l++)
    out[l] = bins[5][l];
  *len = ACIS_LANES * 4;
}
// Control flow that only the length decides.
// CHECK-DAG: two: {{.*}}; 64 bytes: at most
ACIS_HANDLER void two(ARGS) {
  uint32_t n = *len / 4;
  if (n > 100)
    for (uint32_t i = 0; i < n; i++)
      out[i] = in[i] ^ 5;
  else
    for (uint32_t i = 0; i < n; i++)
      out[i] = in[i] * 7 + 1;
}
// CHECK-DAG: branch: no certificate, a branch of the control code depends on data, not on the packet's length
// DATA: certify.c:[[#@LINE+3]]:{{.*}}error: rate of 1M@64B is not guaranteed: handler 'branch' has no certificate: a branch of the control code depends on data
ACIS_HANDLER void branch(ARGS) {
  uint32_t n = *len / 4;
  if (in[0] == 3)
    for (uint32_t i = 1; i < n; i++)
      out[i - 1] = in[i] ^ 5;
  *len = in[0] == 3 ? n * 4 - 4 : 0;
}
// CHECK-DAG: loop: no certificate, {{a branch of the control code|the number of iterations of a loop}} depends on data
ACIS_HANDLER void loop(ARGS) {
  uint32_t n = in[0] & 63;
  for (uint32_t i = 0; i < n; i++)
    out[i] = in[i + 1];
  *len = n * 4;
}
// CHECK-DAG: place: no certificate, an address in off-chip memory depends on data
ACIS_HANDLER void place(ARGS) {
  uint32_t at = in[0] & 63;
  for (uint32_t i = 0; i < 16; i++)
    out[i] = mem[at + i];
  *len = 64;
}
// CHECK-DAG: history: no certificate, {{a branch of the control code|the number of iterations of a loop}} depends on data
static uint32_t calls;
ACIS_HANDLER void history(ARGS) {
  uint32_t n = calls++ & 7;
  for (uint32_t i = 0; i < n; i++)
    out[i] = in[i];
  *len = n * 4;
}
#endif
