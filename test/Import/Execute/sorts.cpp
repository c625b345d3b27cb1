// Algorithms that the library has in another way for the host: sorts that call themselves or are not
// in its headers, searches by vectors.
// REQUIRES: libcxx
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c++ -std=c++20 -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: %compare --handler sorted --packet-bytes 68 --in %t.word.in %t.acis
// RUN: %compare --handler some --packet-bytes 68 --in %t.word.in %t.acis
// RUN: %compare --handler found --packet-bytes 68 --in %t.word.in %t.acis
#include <acis.h>
#include <algorithm>
#include <array>
#include <functional>

#define HANDLER(name)                                                                              \
  ACIS_HANDLER void name(const uint32_t *__restrict in, uint32_t *__restrict out,                  \
                         const uint32_t *__restrict mem, uint32_t *len)

HANDLER(sorted) {
  std::array<uint32_t, 16> all;
  std::copy_n(in, 16, all.begin());
  std::sort(all.begin(), all.end());
  std::copy(all.begin(), all.end(), out);
  *len = 64;
}

// As many as the packet has, by another order.
static uint32_t kept[32];
HANDLER(some) {
  const uint32_t count = std::min<uint32_t>(*len / 4, 32);
  for (uint32_t i = 0; i < count; i++)
    kept[i] = in[i];
  std::sort(kept, kept + count, std::greater<>());
  for (uint32_t i = 0; i < count; i++)
    out[i] = kept[i];
}

HANDLER(found) {
  std::array<uint32_t, 16> all;
  std::copy_n(in, 16, all.begin());
  out[0] = uint32_t(std::find(all.begin(), all.end(), 7u) - all.begin());
  *len = 4;
}
