// Pointers into different objects are not equal, and none of those into an object is null: the scalar unit has no
// addresses, so such comparisons are answered by the compiler.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python -c "open('%t.in', 'wb').write(bytes(i * 37 % 251 for i in range(128)))"
// RUN: %compare --handler checked --in %t.in --packet-bytes 64 %t.acis
// RUN: %compare --handler tables --in %t.in --packet-bytes 64 %t.acis
// RUN: %compare --handler walked --in %t.in --packet-bytes 64 %t.acis
// RUN: %compare --handler optional --in %t.in --packet-bytes 64 %t.acis
// RUN: not acisc --config=%overlays/u280-full.json -DCHOSEN %s -o %t.chosen 2>&1 | FileCheck %s
#include <acis.h>
#define HANDLER(name)                                                                              \
  ACIS_HANDLER void name(const int32_t *restrict in, int32_t *restrict out,                        \
                         int32_t *restrict mem, uint32_t *len)

static int add(const int32_t *from, int32_t *to, uint32_t n) {
  if (!from || to == NULL || from == to)
    return -1;
  for (uint32_t i = 0; i < n; i++)
    to[i] = from[i] + 1;
  return 0;
}

HANDLER(checked) {
  uint32_t n = *len / 4;
  *len = add(in, out, n) ? 0 : n * 4;
}

static int32_t dot(const int32_t *a, const int32_t *b, uint32_t n) {
  int32_t sum = 0;
  if (!a || !b)
    return -1;
  for (uint32_t i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

HANDLER(tables) {
  static const int32_t weights[16] = {1, 2, 3, 4, 5, 6};
  int32_t first = dot(in, weights, 8);
  out[0] = first;
  out[1] = dot(in + 8, mem + 4, 8);
  *len = 8;
}

static int32_t until(const int32_t *a, const int32_t *end, const int32_t *stop) {
  int32_t sum = 0;
  for (; a != end && a && a != stop; a++)
    sum += *a;
  return sum;
}

HANDLER(walked) {
  int32_t kept[16];
  for (int i = 0; i < 16; i++)
    kept[i] = in[i];
  out[0] = until(kept, kept + 16, NULL);
  out[1] = until(kept + 1, kept + 16, mem);
  *len = 8;
}

static void scale(const int32_t *from, const int32_t *by, int32_t *to, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    to[i] = by ? from[i] * by[i] : from[i];
}

HANDLER(optional) {
  static const int32_t by[8] = {3, 1, 4, 1, 5, 9, 2, 6};
  scale(in, NULL, out, 8);
  scale(in + 8, by, out + 8, 8);
  *len = 64;
}

#ifdef CHOSEN
HANDLER(chosen) {
  const int32_t *from = *len > 32 ? in : mem;
  // CHECK: nulls.c:[[#@LINE+1]]:{{[0-9]+}}: error: it compares pointers of which one may be null or into another object
  out[0] = from == mem + *len;
  *len = 4;
}
#endif
