// Fields of a header decide whether the packet, that header with it, is sent on: the iterations that
// read it again leave the loop, however many.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: %compare --handler limit --packet-bytes 68 --in %t.word.in %t.acis
#include <acis.h>

struct bucket {
  uint32_t tokens, last;
};
static struct bucket buckets[16];

ACIS_HANDLER void limit(const uint32_t *restrict in, uint32_t *restrict out,
                        const uint32_t *restrict mem, uint32_t *len) {
  uint32_t now = in[0], flow = in[7], size = *len;
  struct bucket *b = &buckets[flow % 16];
  uint64_t tokens = b->tokens + (uint64_t)(now - b->last) * 125 / 1000;
  b->last = now;
  if (tokens > 150)
    tokens = 150;
  if (tokens < size) {
    b->tokens = (uint32_t)tokens;
    *len = 0;
    return;
  }
  b->tokens = (uint32_t)tokens - size;
  for (uint32_t i = 0; i < size / 4; i++)
    out[i] = in[i];
}
