// Pointers into the output of which data says how far they move on.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/numbers.py %t
// RUN: head -c 2048 %t.word > %t.in
// RUN: %compare --handler framed --packet-bytes 64 --in %t.in %t.acis
// RUN: %compare --handler framed --packet-bytes 1024 --in %t.in %t.acis
// RUN: %compare --handler octal --packet-bytes 64 --in %t.in %t.acis
// RUN: %compare --handler octal --packet-bytes 1024 --in %t.in %t.acis
// RUN: %compare --handler varints --packet-bytes 64 --in %t.in %t.acis
// RUN: %compare --handler varints --packet-bytes 1024 --in %t.in %t.acis
// RUN: %compare --handler limited --packet-bytes 64 --in %t.in %t.acis
// RUN: %compare --handler complete --packet-bytes 64 --in %t.in %t.acis
// RUN: %compare --handler complete --packet-bytes 1024 --in %t.in %t.acis
#include <acis.h>

// One or two bytes, by a switch.
ACIS_HANDLER void framed(const uint8_t *restrict in, uint8_t *restrict out, void *restrict mem,
                         uint32_t *len) {
  uint8_t *to = out;
  *to++ = 0xc0;
  for (uint32_t i = 0; i < *len; i++) {
    uint8_t byte = in[i] | 0xc0;
    switch (byte) {
    case 0xc0:
      *to++ = 0xdb;
      *to++ = 0xdc;
      break;
    case 0xdb:
      *to++ = 0xdb;
      *to++ = 0xdd;
      break;
    default:
      *to++ = byte;
    }
  }
  *to++ = 0xc0;
  *len = (uint32_t)(to - out);
}

ACIS_HANDLER void octal(const uint32_t *restrict in, char *restrict out, void *restrict mem,
                        uint32_t *len) {
  char *p = out;
  for (uint32_t i = 0; i < *len / 4; i++) {
    uint32_t v = in[i] & 0777;
    if (v >= 0100)
      *p++ = (char)('0' + (v >> 6));
    if (v >= 010)
      *p++ = (char)('0' + (v >> 3 & 7));
    *p++ = (char)('0' + (v & 7));
    *p++ = ',';
  }
  *len = (uint32_t)(p - out);
}

// By a loop in it.
ACIS_HANDLER void varints(const uint32_t *restrict in, uint8_t *restrict out, void *restrict mem,
                          uint32_t *len) {
  uint8_t *p = out;
  for (uint32_t i = 0; i < *len / 4; i++) {
    uint32_t v = in[i] >> (in[i] & 31);
    while (v >= 0x80) {
      *p++ = (uint8_t)(v | 0x80);
      v >>= 7;
    }
    *p++ = (uint8_t)v;
  }
  *len = (uint32_t)(p - out);
}

// Compared with an end.
ACIS_HANDLER void limited(const uint32_t *restrict in, uint32_t *restrict out, void *restrict mem,
                          uint32_t *len) {
  uint32_t *p = out, *end = out + 5;
  for (uint32_t i = 0; i < *len / 4; i++)
    if ((in[i] & 1) && p < end)
      *p++ = in[i];
  *len = (uint32_t)(p - out) * 4;
}

// Records of state are updated on the way.
static uint8_t arrived[8], phase[8];
ACIS_HANDLER void complete(const uint32_t *restrict in, uint32_t *restrict out, void *restrict mem,
                           uint32_t *len) {
  uint32_t *o = out;
  for (uint32_t i = 0; i < *len / 4; i++) {
    uint32_t group = in[i] >> 3 & 7, worker = in[i] & 7;
    if (arrived[group] >> worker & 1)
      continue;
    arrived[group] |= (uint8_t)(1 << worker);
    if ((arrived[group] & 0x33) == 0x33) {
      arrived[group] = 0;
      *o++ = group << 8 | ++phase[group];
    }
  }
  *len = (uint32_t)(o - out) * 4;
}
