// Walks by steps that the packet says, after which it is read again: the packet is kept, also where the
// scalar unit was allowed to run loops, whose second walk would find that the stream has passed.
// RUN: acisc --config=%overlays/u280.json %s -o %t.acis
// RUN: acisc --config=%overlays/u280.json --scalar-loops %s -o %t.scalar.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/numbers.py %t
// RUN: head -c 1200 %t.word > %t.in
// DEFINE: %{equal} = acis-compare --config %overlays/u280.json --native %t.so --output-bytes 10000 --packet-bytes 300 --in %t.in
// RUN: %{equal} --handler twice %t.acis
// RUN: %{equal} --handler twice %t.scalar.acis
// RUN: %{equal} --handler from_data %t.acis
// RUN: %{equal} --handler from_data %t.scalar.acis
// RUN: %{equal} --handler padded %t.acis
// RUN: %{equal} --handler padded %t.scalar.acis
#include <acis.h>
#define ARGS const uint8_t *restrict in, uint8_t *restrict out, uint8_t *restrict mem, uint32_t *len

ACIS_HANDLER void twice(ARGS) {
  uint32_t n = *len, o = 0, p = 0, items = 0;
  while (p + 2 <= n) {
    items++;
    p += 2 + (in[p + 1] & 15);
  }
  out[o++] = (uint8_t)items;
  p = 0;
  while (p + 4 <= n) {
    out[o++] = in[p + 2];
    p += 4 + (in[p + 3] & 7);
  }
  *len = o;
}

// The second walk begins in front of the first one.
ACIS_HANDLER void from_data(ARGS) {
  uint32_t n = *len, o = 0, p = 4 + (in[1] & 12), sum = 0;
  while (p + 1 < n) {
    sum += in[p];
    p += 2 + (in[p + 1] & 1);
  }
  out[o++] = (uint8_t)sum;
  for (p = 0; p + 4 <= n; p += 4 + (in[p + 3] & 1))
    out[o++] = in[p + 2];
  *len = o;
}

// Two bytes are looked at where one is passed.
ACIS_HANDLER void padded(ARGS) {
  uint32_t n = *len, o = 0, p = 8;
  while (p + 2 <= n) {
    uint16_t both = (uint16_t)(in[p] | in[p + 1] << 8);
    if (in[p] & 1) {
      p++;
      continue;
    }
    out[o++] = (uint8_t)(both % 251);
    p += 2 + (in[p + 1] & 15);
  }
  *len = o;
}
