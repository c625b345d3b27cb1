// A loop over words of which some may have been read in front of it: under conditions, or as parts of other fields.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis --report > %t.report 2>&1
// RUN: FileCheck %s --input-file=%t.report --implicit-check-not=scalar --implicit-check-not=warning
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python -c "open('%t.in', 'wb').write(bytes([8, 0, 1, 200, 17][i * 7 % 11 % 5] + i % 3 for i in range(2400)))"
// RUN: %compare --handler tagged --in %t.in --packet-bytes 48 %t.acis
// RUN: %compare --handler tagged --in %t.in --packet-bytes 400 %t.acis
// RUN: %compare --handler fields --in %t.in --packet-bytes 12 %t.acis
// RUN: %compare --handler fields --in %t.in --packet-bytes 240 %t.acis
// RUN: %compare --handler kinds --in %t.in --packet-bytes 8 %t.acis
// RUN: %compare --handler kinds --in %t.in --packet-bytes 160 %t.acis
// RUN: %compare --handler behind_header --in %t.in --packet-bytes 40 %t.acis
// RUN: %compare --handler behind_header --in %t.in --packet-bytes 300 %t.acis
#include <acis.h>
#include <string.h>
#define HANDLER(name)                                                                              \
  ACIS_HANDLER void name(const uint8_t *restrict in, uint8_t *restrict out,                        \
                         const uint8_t *restrict mem, uint32_t *len)

// The second byte is read where the first one is 8.
// CHECK: tagged.k0
HANDLER(tagged) {
  uint32_t n = *len;
  out[0] = in[4] == 8 && in[5] == 0 ? 100 : 200;
  for (uint32_t i = 4; i < n; i++)
    out[i - 3] = in[i];
  *len = n - 3;
}

// CHECK: fields.k0
HANDLER(fields) {
  uint32_t n = *len, number = 0;
  uint16_t type;
  memcpy(&type, in + 4, 2);
  if (type & 1)
    memcpy(&number, in + 8, 4);
  out[0] = type ^ number;
  for (uint32_t i = 3; i < n; i++)
    out[i - 2] = in[i];
  *len = n - 2;
}

// Each way has read others; one does not come to the loop. Two words for an iteration.
// CHECK: kinds.k0
HANDLER(kinds) {
  uint32_t n = *len, sum = 0, o = 1;
  switch (in[0] & 3) {
  case 0:
    sum = in[1];
    break;
  case 1:
    sum = in[1] + in[2];
    break;
  case 2:
    sum = in[3];
    break;
  default:
    out[0] = in[7];
    *len = 1;
    return;
  }
  out[0] = sum;
  for (uint32_t i = 0; i + 2 <= n; i += 2)
    out[o++] = in[i] ^ in[i + 1];
  *len = o;
}

// The loop in front of it writes a header: it ends where the packet's loop begins, without a block between.
// CHECK: behind_header.k0
// CHECK: behind_header.k1
HANDLER(behind_header) {
  uint8_t header[24];
  uint32_t n = *len;
  if (n < 34) {
    *len = 0;
    return;
  }
  for (int i = 0; i < 24; i++)
    header[i] = i * in[15];
  header[7] = in[30] % 16;
  memcpy(out, header, sizeof header);
  for (uint32_t i = 14; i < n; i++)
    out[sizeof header + i - 14] = in[i];
  *len = n - 14 + sizeof header;
}
