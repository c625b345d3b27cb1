// acis.h brings the types and limits of <stdint.h> and <stddef.h>, for acisc as for the host.
// RUN: acisc %s --config=%overlays/u280-full.json --stop-after=frontend -o /dev/null
// RUN: %host_cc -std=c11 -Wall -Wextra -Werror -fsyntax-only -I%src_root/compiler/frontend/include %s
#include <acis.h>
_Static_assert(INT32_MIN < 0 && UINT64_MAX > INT64_MAX && INT8_MIN == -128, "");
_Static_assert(UINT16_C(7) == 7 && SIZE_MAX >= UINT32_MAX, "");
_Static_assert(sizeof(ptrdiff_t) == sizeof(size_t) && sizeof(uint_least16_t) == 2, "");
ACIS_HANDLER void h(const int32_t *restrict in, int32_t *restrict out, const void *restrict mem,
                    uint32_t *len) {
  (void)mem, (void)len;
  out[0] = in != NULL ? in[0] : INT32_MAX;
}
