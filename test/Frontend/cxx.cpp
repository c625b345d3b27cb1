// A handler in C++ has C linkage; templates and references are C++'s own business.
// RUN: acisc %s --config=%overlays/u280-full.json --stop-after=frontend 2>&1 | FileCheck %s --implicit-check-not=warning
// RUN: %host_cc -x c++ -Wall -Wextra -Werror -Wno-unused-parameter -fsyntax-only -I%src_root/compiler/frontend/include %s
#include <acis.h>

template <typename T> static T twice(const T &v) { return v + v; }

// CHECK: define {{.*}}void @doubled(ptr noalias
ACIS_HANDLER void doubled(const float *__restrict in, float *__restrict out,
                          const void *__restrict mem, uint32_t *len) {
  acis_sum_f32 s = {};
  for (uint32_t i = 0; i < *len / 4; i++) {
    out[i] = twice(in[i]);
    acis_sum_add(&s, in[i]);
  }
}

// Saying it twice is not worth a warning.
// CHECK: define {{.*}}void @again(ptr noalias
#ifdef __ACISC__
extern "C"
#endif
    ACIS_HANDLER void again(const float *__restrict in, float *__restrict out,
                            const void *__restrict mem, uint32_t *len) {
  out[0] = in[0];
}
