// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=u280-full.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
#include <acis.h>
static int32_t window[1 << 20];
ACIS_HANDLER void keep(const int32_t *restrict in, int32_t *restrict out,
                       const int32_t *restrict mem, uint32_t *len) {
  // CHECK: array-too-large.c:[[#@LINE+1]]:3: error: array 'window' needs 65536 beats (512 vector registers) in VPE {{[0-9]+}}; 32 of 32 registers of 128 beats are free: make the arrays smaller or split them over the VPEs with ACIS_PER_VPE
  for (uint32_t i = 0; i < *len / 4; i++)
    window[i] = in[i];
  for (uint32_t i = 0; i < *len / 4; i++)
    out[i] = window[i] * 3;
}
