// Streams go one way: what comes in is not written, what went out is not read.
// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=u280-full.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
#include <acis.h>
ACIS_HANDLER void scribbles(const int32_t *restrict in, int32_t *restrict out,
                            const int32_t *restrict mem, uint32_t *len) {
  for (uint32_t i = 0; i < *len / 4; i++)
    // CHECK: stream-directions.c:[[#@LINE+1]]:{{[0-9]+}}: error: the input stream 'in' is written; write to the output stream
    ((int32_t *)in)[i] = 4;
}

ACIS_HANDLER void reads_back(const int32_t *restrict in, int32_t *restrict out,
                             const int32_t *restrict mem, uint32_t *len) {
  for (uint32_t i = 0; i < *len / 4; i++)
    // CHECK: stream-directions.c:[[#@LINE+1]]:{{[0-9]+}}: error: the output stream 'out' is read; keep what was written in a variable or an array
    out[i] = out[i] + in[i];
}
