// A user-defined operator, op(a, b): saturating addition. The switch has the left operands
// in memory and streams the right ones through.
#include <acis.h>

static int32_t op(int32_t a, int32_t b) {
  int32_t sum = a + b;
  sum = sum > 1000 ? 1000 : sum;
  return sum < -1000 ? -1000 : sum;
}

ACIS_HANDLER void saturating_add(const int32_t *restrict in, int32_t *restrict out,
                                 const int32_t *restrict mem, uint32_t *len) {
  for (uint32_t i = 0; i < *len / 4; i++)
    out[i] = op(mem[i], in[i]);
}
