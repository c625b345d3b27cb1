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
// RUN: %compare --handler sometimes --packet-bytes 64 --in %t.in %t.acis
// RUN: %compare --handler again --packet-bytes 64 --in %t.in %t.acis
// RUN: %compare --handler options --packet-bytes 64 --in %t.in %t.acis
// RUN: %compare --handler fields --packet-bytes 64 --in %t.in %t.acis
// RUN: %compare --handler pairs --packet-bytes 64 --in %t.in %t.acis
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

// What is read only sometimes behind what follows it comes first where that is read.
HANDLER(sometimes) {
  uint32_t sum = 0, n = in->worker % 8;
  for (uint32_t i = 0; i < n; i++)
    sum += in->data[i];
  out[0] = sum;
  *len = 4;
  if (sum & 1) {
    out[1] = in->version;
    *len = 8;
  }
}

// One field on several ways, which meet, and behind a later one.
HANDLER(again) {
  uint32_t a = in->type, b = 3;
  if (a & 1)
    b = in->slot;
  if (a & 2)
    b += in->slot * 5;
  if (a & 4)
    b ^= in->data[0];
  if (b & 8)
    b += in->version;
  if (b & 16)
    b += in->slot ^ in->version;
  out[0] = b;
  *len = 4;
}

// Words of the rows of a loop, in the order of their use, under conditions and behind a loop.
HANDLER(options) {
  uint32_t o = 0;
  const uint32_t *words = (const uint32_t *)in;
  for (uint32_t r = 0; r < *len / 16; r++) {
    const uint32_t *row = words + 4 * r;
    uint32_t n = row[1] & 1, sum = 0;
    if (row[1] & 2)
      sum = row[3];
    for (uint32_t i = 0; i < n; i++)
      sum += row[2 + i];
    if (sum & 1)
      sum ^= row[0];
    out[o++] = sum;
  }
  *len = 4 * o;
}

// Fields in words that are read whole, on some ways only.
HANDLER(fields) {
  const uint8_t *bytes = (const uint8_t *)in;
  uint32_t first = *(const uint32_t *)in, sum = bytes[1] + in->worker;
  if (first & 1)
    sum += *(const uint16_t *)(bytes + 9) * 7 + bytes[5];
  uint64_t both = *(const uint64_t *)(bytes + 8);
  if (first & 2)
    sum ^= in->slot + bytes[11] + in->version;
  out[0] = sum + (uint32_t)(both >> 13);
  *len = 4;
}

// The array's loop reads the second word always, so it may read the first one always, too.
HANDLER(pairs) {
  uint32_t sum = 0;
  const uint32_t *words = (const uint32_t *)in;
  for (uint32_t i = 0; i < 8; i++) {
    uint32_t second = words[2 * i + 1];
    if (second & 1)
      sum += words[2 * i];
    sum ^= second;
  }
  out[0] = sum;
  *len = 4;
}
