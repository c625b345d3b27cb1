// A handler that asks for the packet's length and reads behind its end, of a packet that is kept in an
// array: loops find 0 there, what data says traps, and nothing finds an earlier packet.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: acisc %s --config=u280-full.json -o kept.acis
// RUN: %python %S/../Run/Inputs/packets.py sizes two.pcap 64:255 16:255
// RUN: acis-run kept.acis --config=u280-full.json --handler=backward --in two.pcap --out out.bin
// RUN: %python -c "d = open('out.bin', 'rb').read(); assert d == bytes([0] + [255] * 63 + [0] + [255] * 15), d"
// RUN: acis-run kept.acis --config=u280-full.json --handler=rows --in two.pcap --out out.bin
// RUN: %python -c "d = open('out.bin', 'rb').read(); assert d == bytes([255] * 56 + [0] * 8 + [255] * 8 + [0] * 8), d"
// RUN: %python %S/../Run/Inputs/packets.py sizes data.pcap 64:9 16:9
// RUN: acis-run kept.acis --config=u280-full.json --handler=chosen --in data.pcap --out out.bin
// RUN: %python -c "d = open('out.bin', 'rb').read(); assert d == bytes([9] * 4), d" && rm out.bin
// RUN: %python %S/../Run/Inputs/packets.py sizes data.pcap 64:40 16:40
// RUN: %refused out.bin acis-run kept.acis --config=u280-full.json --handler=chosen --in data.pcap --out out.bin | FileCheck %s
// RUN: %refused out.bin acis-run kept.acis --config=u280-full.json --handler=chosen --in data.pcap --out out.bin --engine=model | FileCheck %s
#include <acis.h>

ACIS_HANDLER void backward(const uint8_t *restrict in, uint8_t *restrict out, uint8_t *restrict mem,
                           uint32_t *len) {
  uint32_t n = *len;
  for (uint32_t i = 0; i < n; i++)
    out[i] = in[n - i];
}

// The row behind each one, also behind the last one; every other row is read twice.
ACIS_HANDLER void rows(const uint8_t *restrict in, uint8_t *restrict out, uint8_t *restrict mem,
                       uint32_t *len) {
  uint32_t n = *len / 8;
  for (uint32_t y = 0; y < n; y++)
    for (uint32_t x = 0; x < 8; x++)
      out[8 * y + x] = in[8 * (y + 1) + x] & in[8 * y + 7 - x];
}

ACIS_HANDLER void chosen(const uint8_t *restrict in, uint8_t *restrict out, uint8_t *restrict mem,
                         uint32_t *len) {
  uint32_t n = *len;
  if (n < 8)
    return;
  // CHECK: behind-the-end.c:[[#@LINE+1]]: trap at pc 0x{{[0-9a-f]+}}: register file offset
  out[0] = in[in[3]];
  out[1] = in[0];
  *len = 2;
}
