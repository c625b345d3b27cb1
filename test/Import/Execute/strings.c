// Arrays of pointers that are constants: strings, members of records, arrays that are written. A loop over the letters
// of a string ends before the array does.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis 2>&1 | count 0
// RUN: not acisc --config=%overlays/u280-full.json -DREFUSED %s -o %t.refused 2>&1 | FileCheck %s
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python -c "open('%t.in', 'wb').write(b''.join((w + bytes([i * 7 % 251, i, i * 3 % 250, i]))[:8] for i in range(12) for w in (b'GET ', b'POST ', b'HEAD ', b'PUT ', b'PUSH ')))"
// RUN: %compare --handler verb --in %t.in --packet-bytes 8 %t.acis
// RUN: %compare --handler answer --in %t.in --packet-bytes 8 %t.acis
// RUN: %compare --handler hash --in %t.in --packet-bytes 8 %t.acis
// RUN: %compare --handler bank --in %t.in --packet-bytes 8 %t.acis
// RUN: %compare --handler rows --in %t.in --packet-bytes 8 %t.acis
#include <acis.h>
#define HANDLER(name)                                                                              \
  ACIS_HANDLER void name(const uint8_t *restrict in, uint8_t *restrict out,                        \
                         const uint8_t *restrict mem, uint32_t *len)

static const struct verb {
  const char *name;
  uint16_t size;
  uint8_t kind;
  uint32_t unused[3]; // zeros, which are no null
} verbs[4] = {{"GET ", 4, 1}, {"POST ", 5, 2}, {"HEAD ", 5, 3}, {"PUT ", 4, 4}};

HANDLER(verb) {
  uint8_t p[8], kind = 0;
  for (int i = 0; i < 8; i++)
    p[i] = in[i];
  for (int v = 0; v < 4; v++) {
    uint32_t same = 1;
    for (int k = 0; k < verbs[v].size; k++)
      same &= p[k] == (uint8_t)verbs[v].name[k];
    if (same)
      kind = verbs[v].kind;
  }
  out[0] = kind;
  *len = 1;
}

// A local array, and strings up to their end.
HANDLER(answer) {
  const char *answers[] = {"no", "first", "second", "the third"};
  const char *text = answers[in[7] & 3];
  uint32_t o = 0;
  for (; text[o]; o++)
    out[o] = text[o];
  *len = o;
}

// The same by a pointer that walks.
HANDLER(hash) {
  static const char *const levels[] = {"low", "middle", "high"};
  uint32_t hash = 0;
  for (const char *text = levels[in[7] % 3]; *text; text++)
    hash = hash * 31 + *text;
  out[0] = hash;
  out[1] = hash >> 8;
  *len = 2;
}

// Parts of variables, of which one is filled in part.
static int16_t low[8] = {1, 2, 3, 4}, high[16] = {9, 8, 7};
static int16_t *const banks[3] = {low, high + 2, high + 8};

HANDLER(bank) {
  int16_t *bank = banks[in[4] % 3];
  bank[in[5] & 7] += in[6];
  low[0] ^= 1;
  out[0] = bank[in[7] & 7];
  out[1] = high[3];
  *len = 2;
}

static const uint8_t table[4][6] = {{1, 2, 3}, {4, 5, 6, 7}, {8}, {9, 10, 11, 12, 13, 14}};
static const uint8_t *const order[4] = {table[2], table[0], table[3], table[1]};

HANDLER(rows) {
  const uint8_t *row = order[in[7] & 3];
  for (int i = 0; i < 6; i++)
    out[i] = row[i];
  *len = 6;
}

#ifdef REFUSED
static const char *const some[2] = {"here", 0};

// CHECK: strings.c:[[#@LINE+2]]:{{.*}} error: array 'some' has elements of type ptr
HANDLER(null) {
  const char *text = some[in[0] & 1];
  out[0] = text ? text[1] : 0;
  *len = 1;
}

static const char *names[2] = {"one", "two"};

// CHECK: strings.c:[[#@LINE+2]]:{{.*}} error: array 'names' has elements of type ptr
HANDLER(changed) {
  names[in[0] & 1] = names[in[1] & 1];
  out[0] = (uint8_t)names[in[2] & 1][0];
  *len = 1;
}
#endif
