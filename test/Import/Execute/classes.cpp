// Objects of classes that hold arrays, of C++'s library and of the language.
// REQUIRES: libcxx
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c++ -std=c++20 -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/numbers.py %t
// RUN: %compare --handler average --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler averages --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler classify --packet-bytes 512 --in %t.word %t.acis
// RUN: %compare --handler tagged --packet-bytes 512 --in %t.word %t.acis
#include <acis.h>
#include <array>

#define HANDLER(name, in_type, out_type)                                                           \
  ACIS_HANDLER void name(const in_type *__restrict in, out_type *__restrict out,                   \
                         const uint32_t *__restrict mem, uint32_t *len)

template <typename T, unsigned N> struct Ring {
  std::array<T, N> values{};
  unsigned next = 0;
  T push(T value) {
    T old = values[next];
    values[next] = value;
    next = (next + 1) % N;
    return old;
  }
};

HANDLER(average, uint32_t, float) {
  Ring<float, 16> ring;
  float sum = 0;
  for (uint32_t i = 0; i < *len / 4; ++i) {
    float x = float(in[i] & 0xffff);
    sum += x - ring.push(x);
    out[i] = sum * (1.0f / 16);
  }
}

static Ring<uint32_t, 4> rings[8];
HANDLER(averages, uint32_t, uint32_t) {
  for (uint32_t i = 0; i < *len / 4; ++i)
    out[i] = in[i] - rings[i % 8].push(in[i]);
}

struct Flow {
  uint32_t count = 0, last = 7;
  bool seen = false;
};
struct Histogram {
  std::array<uint32_t, 4> bins{};
  void hit(uint32_t v) { bins[v & 3]++; }
};
class Table : public Histogram {
  std::array<Flow, 32> flows;
  uint32_t total = 0;

public:
  uint32_t step(uint32_t key) {
    Flow &flow = flows[key % 32];
    flow.count++;
    uint32_t gap = key - flow.last;
    flow.last = key;
    if (!flow.seen) {
      flow.seen = true;
      total++;
    }
    hit(gap);
    return gap + flow.count + total + bins[key & 3];
  }
};
HANDLER(classify, uint32_t, uint32_t) {
  Table table;
  for (uint32_t i = 0; i < *len / 4; ++i)
    out[i] = table.step(in[i]);
}

// An inline variable that is passed by reference, as the library's function objects, is no data of the binary.
struct Tag {
  template <typename T> constexpr T operator()(T a, T b) const { return a < b ? b - a : a - b; }
};
inline constexpr Tag distance;
template <typename F> uint32_t apply(const F &function, uint32_t a, uint32_t b) {
  return function(a, b);
}
HANDLER(tagged, uint32_t, uint32_t) {
  for (uint32_t i = 0; i < *len / 4; ++i)
    out[i] = apply(distance, in[i], 77u);
}
