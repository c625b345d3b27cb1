// Data says where memory is read, or whether it or the stream is: the array has no addresses for that.
// The scalar unit runs such a loop with a warning if it does all of it, without being asked for. If
// an iteration needs the array, it is asked for, or the table copied into an array.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis 2>&1 | FileCheck %s --implicit-check-not=error
// RUN: not acisc --config=%overlays/u280-full.json -DREFUSED %s -o %t.no 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: %compare --handler gathered --packet-bytes 68 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler chased --packet-bytes 68 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler guarded --packet-bytes 68 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler popped --packet-bytes 68 --in %t.word.in --mem %t.word.mem %t.acis
// RUN: %compare --handler copied --packet-bytes 68 --in %t.float.in --mem %t.float.mem %t.acis
#include <acis.h>
#define ARGS(type)                                                                                 \
  const type *restrict in, type *restrict out, type *restrict mem, uint32_t *len

ACIS_HANDLER void gathered(ARGS(uint32_t)) {
  for (uint32_t i = 0; i < *len / 4; i++)
    // CHECK: gathers.c:[[#@LINE+1]]:{{.*}} warning: the position in 'mem' does not move by the same distance {{.*}} (the scalar unit runs it, which is slow)
    out[i] = mem[in[i]];
}

// A list in memory.
ACIS_HANDLER void chased(ARGS(uint32_t)) {
  uint32_t at = in[0];
  for (uint32_t i = 0; i < 10; i++) {
    // CHECK: gathers.c:[[#@LINE+1]]:{{.*}} warning: the position in 'mem'
    at = mem[at + i];
    out[i] = at;
  }
  *len = 40;
}

ACIS_HANDLER void guarded(ARGS(uint32_t)) {
  for (uint32_t i = 0; i < *len / 4; i++) {
    uint32_t x = in[i];
    if (x & 1)
      // CHECK: gathers.c:[[#@LINE+1]]:{{.*}} warning: {{.*}}'mem'
      x += mem[x * x];
    out[i] = x;
  }
}

ACIS_HANDLER void popped(ARGS(uint32_t)) {
  for (uint32_t i = 0; i < 12; i++) {
    uint32_t v = mem[i];
    if (v & 1)
      // CHECK: gathers.c:[[#@LINE+1]]:{{.*}} warning: stream 'in' is read under a condition
      v += acis_pop(in);
    acis_push(out, v);
  }
  *len = 48;
}

#ifdef REFUSED
ACIS_HANDLER void summed(ARGS(float)) {
  float sum = 0;
  for (uint32_t i = 0; i < *len / 4; i++)
    // REFUSED: gathers.c:[[#@LINE+1]]:{{.*}} error: the position in 'mem' does not move by the same distance {{.*}}; load the part of the memory that is indexed into an array first
    sum += in[i] * mem[(uint32_t)in[i]];
  out[0] = sum;
  *len = 4;
}
#endif

// The way out of the above.
ACIS_HANDLER void copied(ARGS(float)) {
  float table[200], sum = 0;
  for (uint32_t i = 0; i < 200; i++)
    table[i] = mem[i];
  for (uint32_t i = 0; i < *len / 4; i++)
    sum += in[i] * table[(uint32_t)in[i]];
  out[0] = sum;
  *len = 4;
}
