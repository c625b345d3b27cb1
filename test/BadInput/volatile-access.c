// A volatile access: only the handler changes what a handler reads.
// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=u280-full.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
#include <acis.h>
ACIS_HANDLER void polled(const int32_t *restrict in, int32_t *restrict out,
                         int32_t *restrict mem, uint32_t *len) {
  volatile int32_t *port = mem;
  for (uint32_t i = 0; i < *len / 4; i++)
    // CHECK: volatile-access.c:[[#@LINE+1]]:{{[0-9]+}}: error: volatile access; what a handler accesses changes only by the handler: remove volatile
    out[i] = in[i] + *port;
}
