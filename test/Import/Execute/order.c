// Reads of what another loop has passed, or may have passed: the packet is kept in an array. What lies
// behind it for certain comes from the stream.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/numbers.py %t
// RUN: head -c 2880 %t.word > %t.in
// RUN: %compare --handler prolong --packet-bytes 48 --in %t.in %t.acis
// RUN: %compare --handler prolong --packet-bytes 576 --in %t.in %t.acis
// RUN: %compare --handler products --packet-bytes 48 --in %t.in %t.acis
// RUN: %compare --handler products --packet-bytes 576 --in %t.in %t.acis
// RUN: %compare --handler fields --packet-bytes 24 --in %t.in %t.acis
// RUN: %compare --handler fields --packet-bytes 576 --in %t.in %t.acis
// RUN: %compare --handler digits --packet-bytes 48 --in %t.in %t.acis
// RUN: %compare --handler rest --packet-bytes 36 --in %t.in %t.acis
// RUN: %compare --handler rest --packet-bytes 576 --in %t.in %t.acis
// RUN: %compare --handler sorted --packet-bytes 48 --in %t.in %t.acis
// RUN: %compare --handler sorted --packet-bytes 288 --in %t.in %t.acis
// RUN: %compare --handler sections --packet-bytes 48 --in %t.in %t.acis
// RUN: %compare --handler sections --packet-bytes 576 --in %t.in %t.acis
// RUN: %compare --handler cells --packet-bytes 36 --in %t.in %t.acis
// RUN: %compare --handler cells --packet-bytes 576 --in %t.in %t.acis
// RUN: %compare --handler parts --packet-bytes 48 --in %t.in %t.acis
// RUN: %compare --handler parts --packet-bytes 576 --in %t.in %t.acis
// RUN: %compare --handler jumps --packet-bytes 48 --in %t.in %t.acis
// RUN: %compare --handler jumps --packet-bytes 576 --in %t.in %t.acis
// RUN: %compare --handler walk --packet-bytes 48 --in %t.in %t.acis
// RUN: %compare --handler walk --packet-bytes 576 --in %t.in %t.acis
// RUN: %compare --handler from_end --packet-bytes 48 --in %t.in %t.acis
// RUN: %compare --handler from_end --packet-bytes 576 --in %t.in %t.acis
// RUN: %compare --handler planes --packet-bytes 48 --in %t.in %t.acis
// RUN: %compare --handler planes --packet-bytes 576 --in %t.in %t.acis
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.2.acis 2>&1 | FileCheck %s
#include <acis.h>

// The last word, which the loop has read if it has an iteration.
ACIS_HANDLER void prolong(const uint32_t *restrict in, uint32_t *restrict out, void *restrict mem,
                          uint32_t *len) {
  uint32_t coarse = *len / 4;
  for (uint32_t i = 0; i + 1 < coarse; i++) {
    out[2 * i] = in[i];
    out[2 * i + 1] = in[i] + in[i + 1];
  }
  // CHECK: order.c:[[#@LINE+1]]:{{.*}} warning: the stream may have passed what this reads
  out[2 * (coarse - 1)] = in[coarse - 1];
  *len = (2 * coarse - 1) * 4;
}

// A triangle over each row: no window of the loop over its columns.
ACIS_HANDLER void products(const uint32_t *restrict in, uint32_t *restrict out, void *restrict mem,
                           uint32_t *len) {
  uint32_t sums[6][6] = {{0}}, totals[6] = {0};
  uint32_t rows = *len / 24;
  for (uint32_t r = 0; r < rows; r++)
    for (uint32_t i = 0; i < 6; i++) {
      // CHECK: order.c:[[#@LINE+1]]:{{.*}} warning: the stream may have passed what this reads
      totals[i] += in[r * 6 + i];
      for (uint32_t j = i; j < 6; j++)
        sums[i][j] += in[r * 6 + i] * in[r * 6 + j];
    }
  for (uint32_t i = 0; i < 6; i++)
    for (uint32_t j = 0; j < 6; j++)
      out[6 * i + j] = sums[i][j] + totals[i];
  *len = 144;
}

// Two loops in one iteration, the second of which goes on where the first has ended.
ACIS_HANDLER void fields(const uint8_t *restrict in, uint32_t *restrict out, void *restrict mem,
                         uint32_t *len) {
  uint32_t fields = *len / 8;
  for (uint32_t f = 0; f < fields; f++) {
    const uint8_t *field = in + 8 * f;
    uint32_t i = 0, value = 0;
    while (i < 8 && (field[i] & 3) == 0)
      i++;
    for (; i < 8; i++) {
      // CHECK: order.c:[[#@LINE+1]]:{{.*}} warning: the stream may have passed what this reads
      if ((field[i] & 15) > 9)
        break;
      value = value * 10 + (field[i] & 15);
    }
    out[f] = value;
  }
  *len = fields * 4;
}

// What follows a number of a few digits: no more of the packet is kept than is read.
ACIS_HANDLER void digits(const uint8_t *restrict in, uint32_t *restrict out, void *restrict mem,
                         uint32_t *len) {
  uint32_t i = 1, value = 0;
  if (*len < 8)
    return;
  while (i < 5 && (in[i] & 15) < 10)
    value = 10 * value + (in[i++] & 15);
  out[0] = value;
  out[1] = in[i];
  *len = 8;
}

// Words, then the bytes that are left.
// CHECK-NOT: warning
ACIS_HANDLER void rest(const uint8_t *restrict in, uint32_t *restrict out, void *restrict mem,
                       uint32_t *len) {
  const uint8_t *at = in, *end = in + *len;
  uint32_t sum = 0;
  while (at + 8 <= end) {
    sum = sum * 33 + (at[0] ^ at[1] << 8 ^ at[2] << 16 ^ at[3] << 24);
    sum ^= at[4] + at[5] + at[6] + at[7];
    at += 8;
  }
  while (at < end)
    sum = sum * 31 + *at++;
  out[0] = sum;
  *len = 4;
}

// Loops that read nothing do not matter.
ACIS_HANDLER void sorted(const uint32_t *restrict in, uint32_t *restrict out, void *restrict mem,
                         uint32_t *len) {
  uint32_t n = *len / 4 - 3;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t w[4] = {in[i], in[i + 1], in[i + 2], in[i + 3]};
    for (int k = 1; k < 4; k++)
      for (int j = k; j > 0 && w[j - 1] > w[j]; j--) {
        uint32_t other = w[j];
        w[j] = w[j - 1];
        w[j - 1] = other;
      }
    out[i] = w[1] ^ w[2];
  }
  *len = 4 * n;
}

// Places that a table in the packet says, in any order.
// CHECK: order.c:{{.*}} warning: the stream may have passed what this reads
ACIS_HANDLER void sections(const uint8_t *restrict in, uint8_t *restrict out, void *restrict mem,
                           uint32_t *len) {
  uint32_t start[4], size[4], o = 0;
  for (uint32_t i = 0; i < 4; i++) {
    start[i] = 8 + in[2 * i] % (*len - 8);
    size[i] = in[2 * i + 1] & 15;
    if (size[i] > *len - start[i])
      size[i] = *len - start[i];
  }
  for (uint32_t i = 0; i < 4; i++) {
    out[o++] = (uint8_t)size[i];
    for (uint32_t k = 0; k < size[i]; k++)
      out[o++] = in[start[i] + k];
  }
  *len = o;
}

// Rows that are read again where data says: short ones are values.
ACIS_HANDLER void cells(const uint8_t *restrict in, uint8_t *restrict out, void *restrict mem,
                        uint32_t *len) {
  uint8_t *o = out;
  for (uint32_t c = 0; c < *len / 9; c++) {
    const uint8_t *cell = in + c * 9;
    uint8_t sum = 0;
    for (int i = 0; i < 8; i++)
      sum = (uint8_t)(sum * 3 + cell[i]);
    if ((sum ^ cell[8]) & 1)
      continue;
    for (int i = 0; i < 8; i++)
      *o++ = cell[i];
    *o++ = sum;
  }
  *o++ = 0xff;
  *len = (uint32_t)(o - out);
}

// A position that begins with a byte that was read in front of it.
// CHECK: order.c:{{.*}} warning: the stream may have passed what this reads
ACIS_HANDLER void parts(const uint8_t *restrict in, uint8_t *restrict out, void *restrict mem,
                        uint32_t *len) {
  uint32_t left = *len, at = 0, step = 8 + (in[0] & 7);
  uint8_t *o = out;
  while (left > 0) {
    uint32_t take = left < step ? left : step;
    *o++ = (uint8_t)take;
    for (uint32_t i = 0; i < take; i++)
      *o++ = in[at + i];
    at += take;
    left -= take;
  }
  *len = (uint32_t)(o - out);
}

// One that jumps.
// CHECK: order.c:{{.*}} warning: the stream may have passed what this reads
ACIS_HANDLER void jumps(const uint8_t *restrict in, uint8_t *restrict out, void *restrict mem,
                        uint32_t *len) {
  uint32_t at = 0, o = 0;
  for (uint32_t step = 0; step < 12 && at < *len; step++) {
    uint8_t byte = in[at];
    out[o++] = byte;
    at = byte & 1 ? (byte >> 2) & 31 : at + 1 + (byte & 6);
  }
  *len = o;
}

// One that goes on comes from the stream.
// CHECK-NOT: warning
ACIS_HANDLER void walk(const uint8_t *restrict in, uint8_t *restrict out, void *restrict mem,
                       uint32_t *len) {
  uint32_t o = 0;
  for (const uint8_t *p = in, *end = in + *len; end - p >= 2;) {
    uint32_t size = p[1] & 7;
    if (size > end - p - 2)
      break;
    out[o++] = p[0];
    for (uint32_t k = 0; k < size; k++)
      out[o++] = p[2 + k];
    p += 2 + size;
  }
  *len = o;
}

// Pointers that come from the packet's end.
// CHECK: order.c:{{.*}} warning: the stream may have passed what this reads
ACIS_HANDLER void from_end(const uint8_t *restrict in, uint8_t *restrict out, void *restrict mem,
                           uint32_t *len) {
  const uint8_t *end = in + *len;
  uint32_t n = *--end & 3;
  const uint8_t *sizes = end - 1, *top = end - n;
  uint8_t *o = out;
  *o++ = (uint8_t)n;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t size = *sizes-- & 31;
    if (size > top - in)
      break;
    top -= size;
    for (uint32_t k = 0; k < size; k++)
      *o++ = top[k];
  }
  *len = (uint32_t)(o - out);
}

// Planes that are a quarter of the packet each, element by element of all four.
ACIS_HANDLER void planes(const uint8_t *restrict in, uint8_t *restrict out, void *restrict mem, uint32_t *len) {
  uint32_t plane = *len / 4;
  for (uint32_t i = 0; i < plane; i++) {
    uint8_t x = 0;
    for (uint32_t d = 0; d < 4; d++)
      x = (uint8_t)(x * 3 ^ in[d * plane + i]);
    out[i] = x;
  }
  *len = plane;
}
