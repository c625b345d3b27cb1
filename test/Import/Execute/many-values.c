// A loop that computes with more values from outside than a launch takes: some come from arrays.
// RUN: acisc --config=%overlays/u280.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: head -c 800 %t.word.in > %t.in
// RUN: acis-compare --config %overlays/u280.json --native %t.so --output-bytes 10000 --handler words --packet-bytes 200 --in %t.in --mem %t.word.mem %t.acis
// RUN: acis-compare --config %overlays/u280.json --native %t.so --output-bytes 10000 --handler longs --packet-bytes 200 --in %t.in --mem %t.word.mem %t.acis
#include <acis.h>
#define ARGS const uint32_t *restrict in, uint32_t *restrict out, const uint32_t *restrict mem, uint32_t *len
#define ALL(DO)                                                                                    \
  DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14)   \
  DO(15) DO(16) DO(17) DO(18) DO(19)

// The values come from the packet, which C knows nothing of.
ACIS_HANDLER void words(ARGS) {
#define WORD(k) const uint32_t w##k = in[k] | 1;
#define STEP(k) x = (x ^ w##k) * 3;
  ALL(WORD)
  uint32_t n = *len / 4;
  for (uint32_t i = 20; i < n; i++) {
    uint32_t x = in[i];
    ALL(STEP)
    out[i - 20] = x;
  }
  *len = (n - 20) * 4;
}

ACIS_HANDLER void longs(ARGS) {
#define LONG(k) const uint64_t v##k = (uint64_t)in[k] << 20 | 7;
#define ADD(k) x += v##k ^ x >> 3;
  ALL(LONG)
  uint32_t n = *len / 4;
  uint64_t sum = 0;
  for (uint32_t i = 20; i < n; i++) {
    uint64_t x = in[i];
    ALL(ADD)
    sum += x;
  }
  out[0] = (uint32_t)sum;
  out[1] = (uint32_t)(sum >> 32);
  *len = 8;
}
