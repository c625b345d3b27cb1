// acis.h and Clang's own freestanding headers live together.
// RUN: acisc %s --config=%overlays/u280.json --stop-after=frontend -o /dev/null
#include <acis.h>
#include <float.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
_Static_assert(sizeof(size_t) == 4 && sizeof(int64_t) == 8 && INT32_MAX == 2147483647, "rv32");
ACIS_HANDLER void h(const float *restrict in, float *restrict out, const void *restrict mem,
                    uint32_t *len) {
  out[0] = in[0];
}
