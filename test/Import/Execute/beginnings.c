// Data says where parts of a header are, and then a loop goes over the packet from its beginning.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/numbers.py %t
// RUN: head -c 2048 %t.word > %t.in
// RUN: %compare --handler forward --packet-bytes 64 --in %t.in %t.acis
// RUN: %compare --handler forward --packet-bytes 1024 --in %t.in %t.acis
// RUN: %compare --handler sum_behind --packet-bytes 128 --in %t.in %t.acis
// RUN: %compare --handler echo_one --packet-bytes 64 --in %t.in %t.acis
// RUN: %compare --handler below_pivot --packet-bytes 128 --in %t.in %t.acis
// RUN: %compare --handler below_pivot --packet-bytes 1024 --in %t.in %t.acis
// RUN: %compare --handler tagged --packet-bytes 64 --in %t.in %t.acis
// RUN: %compare --handler padded --packet-bytes 128 --in %t.in %t.acis
// RUN: %compare --handler twice --packet-bytes 32 --in %t.in %t.acis
// RUN: %compare --handler without_tags --packet-bytes 128 --in %t.in %t.acis
#include <acis.h>
#include <string.h>

static uint32_t hits[64];

ACIS_HANDLER void forward(const uint8_t *restrict in, uint8_t *restrict out, void *restrict mem,
                          uint32_t *len) {
  uint32_t n = *len;
  uint32_t ihl = (in[0] & 15) * 4;
  if (ihl < 20 || n < ihl + 4) {
    *len = 0;
    return;
  }
  uint16_t port = in[ihl + 2] << 8 | in[ihl + 3];
  hits[port % 64]++;
  if (port % 5 == 0) {
    *len = 0;
    return;
  }
  for (uint32_t i = 0; i < n; i++)
    out[i] = in[i];
}

ACIS_HANDLER void sum_behind(const uint8_t *restrict in, uint8_t *restrict out, void *restrict mem,
                             uint32_t *len) {
  uint32_t n = *len;
  uint32_t off = 14 + (in[14] & 15) * 4;
  uint32_t sum = 0;
  uint32_t dst = in[off] << 8 | in[off + 1];
  for (uint32_t i = 14; i < n; i++)
    sum += in[i] ^ dst;
  out[0] = sum;
  out[1] = sum >> 8;
  out[2] = sum >> 16;
  out[3] = sum >> 24;
  *len = 4;
}

ACIS_HANDLER void echo_one(const uint8_t *restrict in, uint8_t *restrict out, void *restrict mem,
                           uint32_t *len) {
  uint32_t n = *len;
  uint32_t off = in[0] & 31;
  uint8_t key = in[off];
  memcpy(out, in, n);
  out[n] = key;
  *len = n + 1;
}

ACIS_HANDLER void below_pivot(const int32_t *restrict in, int32_t *restrict out, void *restrict mem,
                              uint32_t *len) {
  uint32_t n = *len / 4;
  uint32_t k = in[0] & 15;
  int32_t pivot = in[k];
  uint32_t o = 0;
  for (uint32_t i = 1; i < n; i++)
    if (in[i] < pivot)
      out[o++] = in[i];
  *len = 4 * o;
}

ACIS_HANDLER void tagged(const uint8_t *restrict in, uint8_t *restrict out, void *restrict mem,
                         uint32_t *len) {
  uint32_t n = *len, skip = in[0] & 1 ? 12 : 4, o = 0;
  uint32_t tag = in[skip] << 8 | in[skip + 1];
  out[o++] = tag;
  out[o++] = tag >> 8;
  for (uint32_t i = skip; i < n; i++)
    out[o++] = in[i] + 1;
  *len = o;
}

ACIS_HANDLER void without_tags(const uint8_t *restrict in, uint8_t *restrict out, void *restrict mem,
                               uint32_t *len) {
  uint32_t n = *len, off = 14, o = 0;
  uint16_t type = in[12] << 8 | in[13];
  if (type & 1) {
    type = in[16] << 8 | in[17];
    off += 4;
  }
  if (type & 2) {
    type = in[off + 2] << 8 | in[off + 3];
    off += 4;
  }
  for (uint32_t i = 0; i < 12; i++)
    out[o++] = in[i];
  for (uint32_t i = off; i < n; i++)
    out[o++] = in[i];
  *len = o;
}

// The first iterations are in front of the packet.
ACIS_HANDLER void padded(const uint8_t *restrict in, uint8_t *restrict out, void *restrict mem,
                         uint32_t *len) {
  uint32_t n = *len;
  uint8_t last = 126;
  for (uint32_t i = 0; i < n + 16; i++) {
    uint8_t x = i > 15 ? in[i - 16] : 101;
    last = x - last;
    out[i] = last;
  }
  *len = n + 16;
}

// The second loop begins in front of the first one, which may have no iteration.
ACIS_HANDLER void twice(const uint32_t *restrict in, uint32_t *restrict out, void *restrict mem,
                        uint32_t *len) {
  uint32_t n = *len / 4, s = 1;
  if (n > 16) {
    *len = 0;
    return;
  }
  for (uint32_t i = 1; i < (n < 6 ? n : 6); i++)
    s = s * 5 + in[i];
  for (uint32_t i = 0; i < n; i++)
    out[i] = in[i] + s;
}
