// A handler that does not ask for the packet's length, and of which as much of the packet is kept as
// it reads: behind the end of a shorter packet is nothing, least of all an earlier one.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: acisc %s --config=u280-full.json -o kept.acis
// RUN: %python -c "open('whole.bin', 'wb').write(bytes(range(64))); open('short.bin', 'wb').write(bytes(range(8)))"
// RUN: acis-run kept.acis --config=u280-full.json --in whole.bin --out out.bin
// RUN: %python -c "assert open('out.bin', 'rb').read() == bytes([5, 0, 15])" && rm out.bin
// RUN: %refused out.bin acis-run kept.acis --config=u280-full.json --in short.bin --out out.bin | FileCheck %s
// RUN: %refused out.bin acis-run kept.acis --config=u280-full.json --in short.bin --out out.bin --engine=model | FileCheck %s
#include <acis.h>
ACIS_HANDLER void kept(const uint8_t *restrict in, uint8_t *restrict out,
                       const uint8_t *restrict mem, uint32_t *len) {
  uint8_t k = 0;
  for (; k < 16; k++)
    if (in[k] == 5)
      break;
  out[0] = k;
  out[1] = in[0];
  // CHECK: short-packets.c:{{[0-9]+}}: trap at pc 0x{{[0-9a-f]+}}: register file offset
  out[2] = in[15];
  *len = 3;
}
