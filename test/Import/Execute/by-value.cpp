// Records that are passed by value, which Clang loads and stores as arrays of numbers, and objects that
// one pointer may be into, of other records but of equal words.
// RUN: acisc --config=%overlays/u280.json %s -o %t.acis
// RUN: %host_cc -x c++ -std=c++20 -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// DEFINE: %{equal} = acis-compare --config %overlays/u280.json --native %t.so --output-bytes 10000 %t.acis --mem %t.word.mem
// RUN: %{equal} --handler sorted --in %t.word.in --packet-bytes 64
// RUN: %{equal} --handler sums --in %t.float.in --packet-bytes 128
// RUN: %{equal} --handler largest --in %t.word.in --packet-bytes 64
// RUN: %{equal} --handler queues --in %t.word.in --packet-bytes 64
#include <acis.h>
#include <algorithm>
#define HANDLER(name, type)                                                                        \
  ACIS_HANDLER void name(const type *__restrict in, type *__restrict out, void *__restrict mem, uint32_t *len)

struct Point {
  int32_t x, y;
};
static bool before(Point a, Point b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }
HANDLER(sorted, int32_t) {
  Point p[64];
  int n = int(*len / 8);
  for (int i = 0; i < n; i++) {
    Point q = {in[2 * i] & 3, in[2 * i + 1]};
    int j = i;
    while (j > 0 && before(q, p[j - 1])) {
      p[j] = p[j - 1];
      j--;
    }
    p[j] = q;
  }
  for (int i = 0; i < n; i++) {
    out[2 * i] = p[i].x;
    out[2 * i + 1] = p[i].y;
  }
  *len = uint32_t(n) * 8;
}

struct Vector {
  float x, y;
};
static Vector plus(Vector a, Vector b) { return {a.x + b.x, a.y + b.y}; }
HANDLER(sums, Vector) {
  Vector s[4] = {};
  uint32_t n = *len / 8;
  for (uint32_t i = 0; i < n; i++)
    s[i % 4] = plus(s[i % 4], in[i]);
  for (uint32_t i = 0; i < 4; i++)
    out[i] = s[i];
  *len = 32;
}

// A pointer into one of two records, words of both.
static struct {
  int32_t v[8], total;
} one;
static struct {
  int32_t x, y, z;
} others[4];
HANDLER(largest, int32_t) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++) {
    int32_t &r = in[i] & 1 ? one.v[(in[i] >> 1) & 7] : others[(in[i] >> 4) & 3].y;
    r = std::max(r, in[i] >> 8);
    others[i & 3].x += 3;
    out[i] = r + one.total + others[i & 3].x;
  }
}

// A reference to the least of members and of a local number: words of 64 bits.
struct Queue {
  uint64_t finish[8] = {}, time = 0;
  void advance() {
    uint64_t least = finish[0];
    for (int k = 1; k < 8; ++k)
      least = std::min(least, finish[k]);
    time = std::max(time, least);
  }
};
static Queue queue[4];
HANDLER(queues, uint32_t) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; ++i) {
    Queue &of = queue[in[i] & 3];
    of.finish[in[i] >> 2 & 7] = std::max(of.time, of.finish[in[i] >> 2 & 7]) + (in[i] >> 20);
    of.advance();
    out[i] = uint32_t(of.time);
  }
}
