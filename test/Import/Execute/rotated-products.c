// Rotations of products of 64 bits in the control code, which LLVM 22.1.8 loses if it hoists constants.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/numbers.py %t
// RUN: head -c 2048 %t.word > %t.in
// RUN: %compare --handler merged --packet-bytes 64 --in %t.in %t.acis
// RUN: %compare --handler mixed --packet-bytes 64 --in %t.in %t.acis
#include <acis.h>

static const uint64_t P1 = 11400714785074694791ULL, P2 = 14029467366897019727ULL;

static uint64_t rotated(uint64_t x, int by) { return x << by | x >> (64 - by); }

ACIS_HANDLER void merged(const uint64_t *restrict in, uint64_t *restrict out, void *restrict mem,
                         uint32_t *len) {
  uint64_t hash = 1;
  for (int i = 0; i < 2; i++)
    hash = (hash ^ rotated(in[i] * P2, 31) * P1) * P1 + 3;
  out[0] = hash;
  *len = 8;
}

ACIS_HANDLER void mixed(const uint64_t *restrict in, uint64_t *restrict out, void *restrict mem,
                        uint32_t *len) {
  out[0] = rotated(in[0] * P1, 29) + rotated(in[1] * P1, 29);
  out[1] = rotated(in[2] * P2, 40) ^ rotated(in[3] * P2, 40);
  *len = 16;
}
