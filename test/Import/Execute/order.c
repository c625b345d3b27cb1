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
