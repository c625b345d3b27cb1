// The labels of a name as DNS has them: an inner loop ends at a length from the data or at the end of
// the array, whichever comes first.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: %compare --handler hash --packet-bytes 68 --in %t.word.in %t.acis
#include <acis.h>

ACIS_HANDLER void hash(const uint8_t *restrict in, uint32_t *restrict out,
                       const uint8_t *restrict mem, uint32_t *len) {
  uint8_t name[64];
  for (int i = 0; i < 64; i++)
    name[i] = in[i];
  uint32_t hash = 2166136261u, labels = 0;
  int at = 4;
  while (at < 64 && name[at] != 0 && labels < 8) {
    int length = name[at] & 63;
    for (int k = 1; k <= length && at + k < 64; k++)
      hash = (hash ^ name[at + k]) * 16777619u;
    at += length + 1;
    labels++;
  }
  out[0] = hash;
  out[1] = labels;
  out[2] = (uint32_t)at;
  *len = 12;
}
