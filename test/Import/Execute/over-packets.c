// A loop that may be longer than its packet reads on into the next ones, and no further than
// it has to: what comes after its end is the next invocation's.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %python %S/Inputs/over_packets.py make %t.in
// RUN: acis-run %t.acis --config=%overlays/u280-full.json --engine=fast --handler=bounded --in %t.in --packet-bytes 28 --out %t.out
// RUN: %python %S/Inputs/over_packets.py bounded %t.in 28 %t.out
// RUN: acis-run %t.acis --config=%overlays/u280-full.json --engine=fast --handler=unbounded --in %t.in --packet-bytes 28 --out %t.out
// RUN: %python %S/Inputs/over_packets.py unbounded %t.in 28 %t.out
// RUN: acis-run %t.acis --config=%overlays/u280-full.json --engine=model --handler=bounded --in %t.in --packet-bytes 28 --out %t.out
// RUN: %python %S/Inputs/over_packets.py bounded %t.in 28 %t.out
// RUN: acis-run %t.acis --config=%overlays/u280-full.json --engine=model --handler=unbounded --in %t.in --packet-bytes 28 --out %t.out
// RUN: %python %S/Inputs/over_packets.py unbounded %t.in 28 %t.out
#include <acis.h>
#define ARGS                                                                                       \
  const uint32_t *restrict in, uint32_t *restrict out, uint32_t *restrict mem, uint32_t *len

ACIS_HANDLER void bounded(ARGS) {
  uint32_t s = 0;
  for (uint32_t i = 0; i < 25; i++) {
    s = s * 3 + in[i];
    if (in[i] > 150)
      break;
  }
  out[0] = s;
  *len = 4;
}

ACIS_HANDLER void unbounded(ARGS) {
  uint32_t s = 0, v;
  do {
    v = acis_pop(in);
    s += v;
  } while (v <= 180);
  out[0] = s;
  out[1] = v;
  *len = 8;
}
