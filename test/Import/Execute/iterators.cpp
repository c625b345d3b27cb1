// Tables of records that the library searches: by iterators that are passed by reference, with what a
// lambda refers to, and how far an iterator is from the beginning.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c++ -std=c++20 -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/numbers.py %t
// RUN: head -c 2048 %t.word > %t.in
// RUN: %compare --handler route --packet-bytes 128 --in %t.in %t.acis
// RUN: %compare --handler match --packet-bytes 128 --in %t.in %t.acis
// RUN: %compare --handler quantise --packet-bytes 128 --in %t.in %t.acis
#include <acis.h>
#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

struct Route {
  uint32_t start;
  uint16_t port, metric;
};

static constexpr std::array<Route, 6> routes{{{0x00000000u, 0, 9},
                                              {0x0a000000u, 1, 1},
                                              {0x51230000u, 6, 2},
                                              {0x80000000u, 3, 5},
                                              {0xac100000u, 4, 2},
                                              {0xe0000000u, 9, 15}}};

ACIS_HANDLER void route(const uint32_t *__restrict in, uint32_t *__restrict out,
                        uint32_t *__restrict mem, uint32_t *len) {
  const uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; ++i) {
    const auto it = std::upper_bound(routes.begin(), routes.end(), in[i],
                                     [](uint32_t a, const Route &r) { return a < r.start; });
    const Route &r = *std::prev(it);
    out[i] = uint32_t(r.metric) << 16 | r.port;
  }
}

struct Key {
  uint32_t address;
  uint16_t port;
  uint8_t protocol, flags;
};

struct Rule {
  uint32_t value, mask;
  uint16_t lowest, highest;
  int protocol; // -1: any
  uint32_t action;

  constexpr bool matches(const Key &k) const {
    return ((k.address ^ value) & mask) == 0 && k.port >= lowest && k.port <= highest &&
           (protocol < 0 || protocol == (k.protocol & 3));
  }
};

static constexpr std::array rules{
    Rule{0x80000000u, 0xc0000000u, 0, 1023, 2, 7},
    Rule{0x80000000u, 0x80000000u, 0, 65535, 1, 8},
    Rule{0x00000000u, 0x20000000u, 1024, 49151, -1, 9},
};

ACIS_HANDLER void match(const Key *__restrict in, uint32_t *__restrict out,
                        uint32_t *__restrict mem, uint32_t *len) {
  std::array<uint32_t, rules.size() + 1> hits{};
  const uint32_t n = *len / sizeof(Key);
  for (uint32_t i = 0; i < n; ++i) {
    const Key key = in[i];
    const auto rule =
        std::find_if(rules.begin(), rules.end(), [&](const Rule &r) { return r.matches(key); });
    ++hits[rule - rules.begin()];
    out[i] = rule != rules.end() ? rule->action : 0;
  }
  for (uint32_t i = 0; i < hits.size(); ++i)
    out[n + i] = hits[i];
  *len = (n + hits.size()) * sizeof(uint32_t);
}

// A table of no whole number of words, which nothing but the array accesses.
static constexpr std::array<uint8_t, 15> levels = {2,  5,  9,   14,  20,  29,  40, 54,
                                                   70, 89, 111, 137, 168, 203, 240};
ACIS_HANDLER void quantise(const uint8_t *__restrict in, uint8_t *__restrict out, void *__restrict,
                           uint32_t *len) {
  for (uint32_t i = 0; i < *len; ++i)
    out[i] = static_cast<uint8_t>(std::upper_bound(levels.begin(), levels.end(), in[i]) -
                                  levels.begin());
}
