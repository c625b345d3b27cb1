// Moves of elements within an array, in the order in which each is read before it is written.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/numbers.py %t
// RUN: head -c 2048 %t.word > %t.in
// RUN: %compare --handler ins --packet-bytes 16 --in %t.in %t.acis
// RUN: %compare --handler ins --packet-bytes 256 --in %t.in %t.acis
// RUN: %compare --handler shift --packet-bytes 16 --in %t.in %t.acis
// RUN: %compare --handler shift --packet-bytes 256 --in %t.in %t.acis
// RUN: %compare --handler rec --packet-bytes 128 --in %t.in %t.acis
// RUN: %compare --handler rec --packet-bytes 256 --in %t.in %t.acis
#include <acis.h>
#include <string.h>

// Into a sorted table, by one place.
static uint32_t sorted[64], count;
ACIS_HANDLER void ins(const uint32_t *restrict in, uint32_t *restrict out, void *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t at = 0;
    while (at < count && sorted[at] < in[i]) at++;
    if (count == 64) count = 63;
    if (at > count) at = count;
    memmove(&sorted[at + 1 < 64 ? at + 1 : 63], &sorted[at], (at + 1 < 64 ? count - at : 0) * sizeof sorted[0]);
    sorted[at] = in[i];
    count++;
    out[i] = at;
  }
}

// Up by a constant; up, down or not at all, as data says.
ACIS_HANDLER void shift(const uint32_t *restrict in, uint32_t *restrict out, void *restrict mem, uint32_t *len) {
  static uint32_t a[128];
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++) a[i] = in[i];
  memmove(a + 2, a, n * 4);
  uint32_t from = a[0] & 3, to = a[1] & 3;
  memmove(a + to, a + from, n * 4);
  for (uint32_t i = 0; i < n; i++) out[i] = a[i];
}

// Of records.
struct r { uint16_t k; uint8_t t[4]; uint32_t v; };
ACIS_HANDLER void rec(const uint8_t *restrict in, uint32_t *restrict out, void *restrict mem, uint32_t *len) {
  static struct r table[16];
  static uint32_t used;
  for (uint32_t i = 0; i < 8; i++) {
    uint16_t k = in[2*i] & 63;
    uint32_t at = 0;
    for (uint32_t j = 0; j < used; j++) at += table[j].k < k;
    if (used == 16) used = 12;
    if (at > used) at = used;
    if (at < 15)
    memmove(table + at + 1, table + at, (used - at < 15 - at ? used - at : 15 - at) * sizeof *table);
    table[at].k = k;
    table[at].v += in[2*i+1];
    table[at].t[i & 3] += 1;
    used++;
    out[i] = table[at].v << 8 | table[(at + 1) & 15].t[i & 3];
  }
  *len = 32;
}
