// What only the packet shows: each handler ends with its line, the reason and the way out,
// the same on both engines, and nothing is written.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: acisc %s --config=u280-full.json -o traps.acis
// RUN: %python -c "import struct; open('in.bin', 'wb').write(struct.pack('<16i', 9, 3, *range(14)))"
// RUN: %python -c "open('four.bin', 'wb').write(bytes(4))"
#include <acis.h>
#define ARGS                                                                                       \
  const int32_t *restrict in, int32_t *restrict out, int32_t *restrict mem, uint32_t *len

// RUN: acis-run traps.acis --config=u280-full.json --in in.bin --handler=scalars --out good.bin
// RUN: %python -c "import struct; assert struct.unpack('<3i', open('good.bin', 'rb').read()) == (9, 3, 64)"
ACIS_HANDLER void scalars(ARGS) {
  out[0] = in[0];
  out[1] = in[1];
  out[2] = *len;
}

// RUN: %refused out.bin acis-run traps.acis --config=u280-full.json --in in.bin --handler=tooMuch --out out.bin | FileCheck %s --check-prefix=MUCH
// RUN: %refused out.bin acis-run traps.acis --config=u280-full.json --in in.bin --handler=tooMuch --out out.bin --engine=model | FileCheck %s --check-prefix=MUCH
ACIS_HANDLER void tooMuch(ARGS) {
  // MUCH: acis-run: error: {{.*}}traps.c:[[#@LINE+1]]: trap at pc 0x{{[0-9a-f]+}}: deadline: {{.*}}: send more, or read no more than the packet's length
  for (uint32_t i = 0; i < 64; i++)
    out[i] = in[i] + 1;
}

// RUN: %refused out.bin acis-run traps.acis --config=u280-full.json --in in.bin --handler=passed --out out.bin | FileCheck %s --check-prefix=PASSED
// RUN: %refused out.bin acis-run traps.acis --config=u280-full.json --in in.bin --handler=passed --out out.bin --engine=model | FileCheck %s --check-prefix=PASSED
ACIS_HANDLER void passed(ARGS) {
  int32_t a = in[in[0]];
  // PASSED: acis-run: error: {{.*}}traps.c:[[#@LINE+1]]: trap at pc 0x{{[0-9a-f]+}}: stream position 4 was passed, the next byte is 40; a stream is read forward: keep what is needed again
  int32_t b = in[a - 6];
  out[0] = a + b;
}

// RUN: %refused out.bin acis-run traps.acis --config=u280-full.json --in in.bin --handler=twice --out out.bin | FileCheck %s --check-prefix=TWICE
// RUN: %refused out.bin acis-run traps.acis --config=u280-full.json --in in.bin --handler=twice --out out.bin --engine=model | FileCheck %s --check-prefix=TWICE
ACIS_HANDLER void twice(ARGS) {
  uint32_t n = in[0] + 7, first = 0;
  for (uint32_t i = 1; i < n; i++) {
    out[i - 1] = in[i];
    first += in[i] == 1000;
  }
  // TWICE: acis-run: error: {{.*}}traps.c:[[#@LINE+1]]: trap at pc 0x{{[0-9a-f]+}}: stream position 0 was passed, the next byte is 64; a stream is read forward
  for (uint32_t i = 0; i < n; i++)
    out[n - 1 + i] = in[first + i];
}

// RUN: %refused out.bin acis-run traps.acis --config=u280-full.json --in in.bin --handler=gap --out out.bin | FileCheck %s --check-prefix=GAP
// RUN: %refused out.bin acis-run traps.acis --config=u280-full.json --in in.bin --handler=gap --out out.bin --engine=model | FileCheck %s --check-prefix=GAP
ACIS_HANDLER void gap(ARGS) {
  out[0] = in[0];
  // GAP: acis-run: error: {{.*}}traps.c:[[#@LINE+1]]: trap at pc 0x{{[0-9a-f]+}}: output position 8, 4 bytes were sent; the output is written in order, from 0 and without gaps
  out[2] = in[1];
}

// RUN: %refused out.bin acis-run traps.acis --config=u280-full.json --in in.bin --handler=start --out out.bin | FileCheck %s --check-prefix=START
// RUN: %refused out.bin acis-run traps.acis --config=u280-full.json --in in.bin --handler=start --out out.bin --engine=model | FileCheck %s --check-prefix=START
ACIS_HANDLER void start(ARGS) {
  // START: acis-run: error: {{.*}}traps.c:[[#@LINE+1]]: trap at pc 0x{{[0-9a-f]+}}: output position 16, 0 bytes were sent;
  for (uint32_t i = 0; i < *len / 4; i++)
    out[i + 4] = in[i];
}

// RUN: %refused out.bin acis-run traps.acis --config=u280-full.json --in in.bin --handler=length --out out.bin | FileCheck %s --check-prefix=LENGTH
// RUN: %refused out.bin acis-run traps.acis --config=u280-full.json --in in.bin --handler=length --out out.bin --engine=model | FileCheck %s --check-prefix=LENGTH
ACIS_HANDLER void length(ARGS) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++)
    out[i] = in[i];
  *len = 8;
  // LENGTH: acis-run: error: {{.*}}traps.c:[[#@LINE+1]]: trap at pc 0x{{[0-9a-f]+}}: the packet length was set to 8 bytes and 64 were sent; set it to what is sent, or not at all
}

// RUN: %refused out.bin acis-run traps.acis --config=u280-full.json --in in.bin --handler=memory --mem-bytes=32 --out out.bin | FileCheck %s --check-prefix=MEMORY
// RUN: %refused out.bin acis-run traps.acis --config=u280-full.json --in in.bin --handler=memory --mem-bytes=32 --out out.bin --engine=model | FileCheck %s --check-prefix=MEMORY
ACIS_HANDLER void memory(ARGS) {
  for (uint32_t i = 0; i < *len / 4; i++)
    // MEMORY: acis-run: error: {{.*}}traps.c:[[#@LINE+1]]: trap at pc 0x{{[0-9a-f]+}}: memory access of 64 bytes at 0x80000000; the job has 32 bytes from 0x80000000
    out[i] = in[i] + mem[i];
}

// RUN: %refused out.bin acis-run traps.acis --config=u280-full.json --in in.bin --handler=before --mem-bytes=4096 --out out.bin | FileCheck %s --check-prefix=BEFORE
// RUN: %refused out.bin acis-run traps.acis --config=u280-full.json --in in.bin --handler=before --mem-bytes=4096 --out out.bin --engine=model | FileCheck %s --check-prefix=BEFORE
ACIS_HANDLER void before(ARGS) {
  // BEFORE: acis-run: error: {{.*}}traps.c:[[#@LINE+1]]: trap at pc 0x{{[0-9a-f]+}}: memory access of 4 bytes at 0x7fffffec; the job has 4096 bytes from 0x80000000
  out[0] = mem[in[1] - 8];
}

// Many handlers: one has to be named.
// RUN: %refused out.bin acis-run traps.acis --config=u280-full.json --in in.bin --out out.bin | FileCheck %s --check-prefix=NAME
// RUN: %refused out.bin acis-run traps.acis --config=u280-full.json --in in.bin --out out.bin --engine=model | FileCheck %s --check-prefix=NAME
// NAME: acis-run: error: traps.acis: the binary has 9 handlers (scalars, tooMuch, {{.*}}before); name one
// RUN: %refused out.bin acis-run traps.acis --config=u280-full.json --in in.bin --handler=tomuch --out out.bin | FileCheck %s --check-prefix=OTHER
// RUN: %refused out.bin acis-run traps.acis --config=u280-full.json --in in.bin --handler=tomuch --out out.bin --engine=model | FileCheck %s --check-prefix=OTHER
// OTHER: acis-run: error: traps.acis: the binary has no handler tomuch; it has scalars, tooMuch,
