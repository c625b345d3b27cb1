// A value that waits for thousands of cycles: 64 divisions, one after the other.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: %compare --handler divisions --in %t.float.in --mem %t.float.mem %t.acis
#include <acis.h>
ACIS_HANDLER void divisions(const float *restrict in, float *restrict out,
                            const float *restrict mem, uint32_t *len) {
  const float k = mem[2];
  for (uint32_t i = 0; i < *len / 4; i++) {
    float x = in[i], s = -(0.1f);
    for (int32_t step = 0; step < 64; step++)
      s = s < k ? s / -1.5f : s / x;
    for (int32_t step = 0; step < 100; step++)
      if (s > s)
        s = k - s - x;
    out[i] = s + s == s + s ? s + s : 0.0f;
  }
}
