// Blocks of a packet that have a checksum: what the loops of the checksum have read is read again in the
// same iteration of the loop over blocks, which is no nest.
// RUN: acisc --config=%overlays/u280.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/numbers.py %t
// RUN: head -c 720 %t.word > %t.in
// RUN: acis-compare --config %overlays/u280.json --native %t.so --handler words --packet-bytes 72 --in %t.in %t.acis
// RUN: acis-compare --config %overlays/u280.json --native %t.so --handler words --packet-bytes 720 --in %t.in %t.acis
// RUN: acis-compare --config %overlays/u280.json --native %t.so --handler header --packet-bytes 72 --in %t.in %t.acis
// RUN: acis-compare --config %overlays/u280.json --native %t.so --handler header --packet-bytes 720 --in %t.in %t.acis
// RUN: acis-compare --config %overlays/u280.json --native %t.so --handler parts --packet-bytes 72 --in %t.in %t.acis
// RUN: acis-compare --config %overlays/u280.json --native %t.so --handler parts --packet-bytes 720 --in %t.in %t.acis
// RUN: acis-compare --config %overlays/u280.json --native %t.so --handler stripped --packet-bytes 72 --in %t.in %t.acis
// RUN: acis-compare --config %overlays/u280.json --native %t.so --handler stripped --packet-bytes 720 --in %t.in %t.acis
// RUN: acis-compare --config %overlays/u280.json --native %t.so --handler named --packet-bytes 720 --in %t.in %t.acis
#include <acis.h>
#include <string.h>

static uint16_t crc(const uint8_t *p, int n) {
  uint16_t c = 0;
  for (int i = 0; i < n; i++) {
    c ^= p[i];
    for (int k = 0; k < 8; k++)
      c = c & 1 ? c >> 1 ^ 0xa6bc : c >> 1;
  }
  return c;
}

// Bytes first, then words of them.
ACIS_HANDLER void words(const uint8_t *restrict in, uint32_t *restrict out, void *restrict mem, uint32_t *len) {
  uint32_t blocks = *len / 72, o = 0;
  for (uint32_t b = 0; b < blocks; b++) {
    const uint8_t *p = in + 72 * b;
    uint16_t c = crc(p, 64);
    for (int i = 0; i < 16; i++) {
      uint32_t w;
      memcpy(&w, p + 4 * i, 4);
      out[o++] = w + c;
    }
  }
  *len = o * 4;
}

// What is in front of what was read.
ACIS_HANDLER void header(const uint8_t *restrict in, uint32_t *restrict out, void *restrict mem, uint32_t *len) {
  uint32_t blocks = *len / 72, o = 0;
  for (uint32_t b = 0; b < blocks; b++) {
    const uint8_t *p = in + 72 * b;
    uint16_t c = crc(p + 8, 64);
    uint32_t w;
    memcpy(&w, p + 4, 4);
    out[o++] = w + c;
  }
  *len = o * 4;
}

// Parts that overlap.
ACIS_HANDLER void parts(const uint8_t *restrict in, uint32_t *restrict out, void *restrict mem, uint32_t *len) {
  uint32_t blocks = *len / 72, o = 0;
  for (uint32_t b = 0; b < blocks; b++) {
    const uint8_t *p = in + 72 * b;
    uint16_t c = crc(p, 24) + crc(p + 8, 64) * 3;
    out[o++] = c;
  }
  *len = o * 4;
}

// The same bytes once more, and the checksum behind them.
ACIS_HANDLER void stripped(const uint8_t *restrict in, uint8_t *restrict out, void *restrict mem, uint32_t *len) {
  uint32_t blocks = *len / 18;
  uint8_t *o = out, wrong = 0;
  for (uint32_t b = 0; b < blocks; b++) {
    const uint8_t *p = in + 18 * b;
    wrong += crc(p, 16) != (p[16] | p[17] << 8);
    for (int i = 0; i < 16; i++)
      *o++ = p[i];
  }
  *o++ = wrong;
  *len = (uint32_t)(o - out);
}

// Whatever the streams are called.
ACIS_HANDLER void named(const uint8_t *restrict from, uint32_t *restrict in, void *restrict mem, uint32_t *len) {
  uint32_t blocks = *len / 72;
  for (uint32_t b = 0; b < blocks; b++) {
    const uint8_t *p = from + 72 * b;
    uint32_t w;
    uint16_t c = crc(p + 8, 64);
    memcpy(&w, p + 4, 4);
    in[b] = w + c;
  }
  *len = blocks * 4;
}
