// Fields of a header are read in any order, on one of several ways, or behind what follows them:
// the compiler reads them in the order of the stream.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/numbers.py %t
// RUN: head -c 2048 %t.word > %t.in
// RUN: %compare --handler slots --packet-bytes 64 --in %t.in %t.acis
// RUN: %compare --handler ways --packet-bytes 64 --in %t.in %t.acis
// RUN: %compare --handler either --packet-bytes 64 --in %t.in %t.acis
// RUN: %compare --handler behind --packet-bytes 64 --in %t.in %t.acis
// RUN: %compare --handler records --packet-bytes 256 --in %t.in %t.acis
// RUN: %compare --handler tail --packet-bytes 64 --in %t.in %t.acis
// RUN: %compare --handler tail --packet-bytes 61 --in %t.in %t.acis
// RUN: %compare --handler meeting --packet-bytes 64 --in %t.in %t.acis
// RUN: not %compare --handler sometimes --packet-bytes 64 --in %t.in %t.acis 2>&1 | FileCheck %s
#include <acis.h>

struct message {
  uint8_t type, flags;
  uint16_t worker;
  uint32_t version, slot;
  uint32_t data[13];
};
#define HANDLER(name)                                                                              \
  ACIS_HANDLER void name(const struct message *restrict in, uint32_t *restrict out,                \
                         const uint32_t *restrict mem, uint32_t *len)

// All in one block.
HANDLER(slots) {
  static uint32_t pool[8][13];
  uint32_t slot = in->slot % 8, version = in->version, worker = in->worker, type = in->type;
  for (int i = 0; i < 13; i++)
    pool[slot][i] += in->data[i];
  for (int i = 0; i < 13; i++)
    out[i] = pool[slot][i] + version + worker + type;
  *len = 52;
}

// An earlier field on one of the ways behind a read of a later one, a later one on one of the ways
// in front of an earlier one.
HANDLER(ways) {
  uint32_t slot = in->slot, a = 0;
  if (slot & 1)
    a = in->version;
  if (slot & 2)
    a += in->data[3];
  out[0] = a + in->data[1] + in->flags;
  *len = 4;
}

// One of two later fields, then an earlier one.
HANDLER(either) {
  uint32_t a = in->type & 1 ? in->slot : in->data[0];
  out[0] = a;
  out[1] = in->version;
  *len = 8;
}

// Behind a loop that may have no iteration.
HANDLER(behind) {
  uint32_t sum = 0, n = in->worker % 8;
  for (uint32_t i = 0; i < n; i++)
    sum += in->data[i] * i;
  out[0] = sum;
  out[1] = in->slot;
  out[2] = in->version;
  *len = 12;
}

// In a loop of the control code.
HANDLER(records) {
  uint32_t o = 0;
  for (uint32_t r = 0; r < *len / sizeof(struct message); r++) {
    uint32_t n = in[r].slot % 4, scale = in[r].version;
    for (uint32_t i = 0; i < n; i++)
      out[o++] = in[r].data[i] * scale;
  }
  *len = 4 * o;
}

// The last bytes of a packet from its end, as hashes take them: each on the ways to where it is.
ACIS_HANDLER void tail(const uint8_t *restrict in, uint32_t *restrict out,
                       const uint32_t *restrict mem, uint32_t *len) {
  uint32_t h = 7, k = 0, words = *len / 4;
  for (uint32_t i = 0; i < words; i++)
    h = (h ^ ((const uint32_t *)in)[i]) * 0x85ebca6b;
  const uint8_t *rest = in + 4 * words;
  switch (*len & 3) {
  case 3:
    k ^= rest[2] << 16; // fallthrough
  case 2:
    k ^= rest[1] << 8; // fallthrough
  case 1:
    k ^= rest[0];
    h ^= k * 5;
  }
  out[0] = h;
  *len = 4;
}

// Where three ways meet, of which two have read on.
HANDLER(meeting) {
  uint32_t a = in->slot, b = 1;
  if (a & 1) {
    b = in->data[2];
    if (b & 2)
      goto drop;
  } else if (a & 4) {
    b = in->data[1];
  }
  if (b & 1)
    b += in->data[0];
  b += in->data[0] >> 1;
drop:
  out[0] = b;
  *len = 4;
}

// What is read only sometimes could take a packet that is not the handler's, and does not move.
HANDLER(sometimes) {
  uint32_t sum = 0, n = in->worker % 8;
  for (uint32_t i = 0; i < n; i++)
    sum += in->data[i];
  out[0] = sum;
  if (sum != 0x12345678)
    // CHECK: headers.c:[[#@LINE+1]]: stream position 4 was passed
    out[1] = in->version;
}
