// What of C++'s library needs no system below it: templates become the loops that they stand for.
// REQUIRES: libcxx
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: acisc --config=%overlays/u280-full.json -std=c++17 -DOLDER %s -o %t.older
// RUN: %host_cc -x c++ -std=c++20 -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/numbers.py %t
// RUN: %compare --handler smooth --in %t.word %t.acis
// RUN: %compare --handler bits --in %t.word %t.acis
// RUN: %compare --handler sorted --in %t.word %t.acis
// RUN: %compare --handler ranks --in %t.word %t.acis
// RUN: %compare --handler features --in %t.float %t.acis
// RUN: %compare --handler checked --in %t.word %t.acis
#include <acis.h>
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>
#ifndef OLDER
#include <bit>
#include <bitset>
#include <concepts>
#include <span>
#endif

#define HANDLER(name, in_type, out_type)                                                           \
  ACIS_HANDLER void name(const in_type *__restrict in, out_type *__restrict out,                   \
                         const uint32_t *__restrict mem, uint32_t *len)

namespace {
template <typename T, unsigned N> struct Window {
  std::array<T, N> values{};
  void push(T value) {
    std::copy_backward(values.begin(), values.end() - 1, values.end());
    values.front() = value;
  }
  template <typename F> T fold(F f, T start) const {
    return std::accumulate(values.begin(), values.end(), start, f);
  }
};
enum class Kind : uint8_t { Low, Middle, High };
constexpr Kind classify(int32_t x) {
  return x < -100 ? Kind::Low : x > 100 ? Kind::High : Kind::Middle;
}
} // namespace

HANDLER(smooth, int32_t, int32_t) {
  Window<int32_t, 5> window;
  for (uint32_t i = 0; i < *len / 4; i++) {
    window.push(in[i] / 8);
    const int32_t sum = window.fold([](int32_t a, int32_t b) { return a + b; }, 0);
    const int32_t most = window.fold([](int32_t a, int32_t b) { return std::max(a, b); },
                                     std::numeric_limits<int32_t>::min());
    switch (classify(sum)) {
    case Kind::Low:
      out[i] = std::clamp(most, -5, 5);
      break;
    case Kind::High:
      out[i] = sum / 4;
      break;
    case Kind::Middle:
      out[i] = most - sum;
      break;
    }
  }
}

#ifndef OLDER
template <std::unsigned_integral T> constexpr T mix(T x) {
  return std::rotl(x, 7) ^ T(std::popcount(x)) ^ std::rotr(x, 3);
}
HANDLER(bits, uint32_t, uint32_t) {
  for (uint32_t i = 0; i < *len / 4; i++)
    out[i] = mix(in[i]) + uint32_t(std::countl_zero(in[i])) +
             uint32_t(std::bit_width(in[i])) * std::bit_cast<uint32_t>(1.5f);
}
HANDLER(features, float, float) {
  const std::span<const float> samples(in, *len / 4);
  float sum = 0, energy = 0, last = 0, least = std::numeric_limits<float>::max();
  int peaks = 0;
  for (float x : samples) {
    x = std::isfinite(x) ? std::fmin(std::abs(x), 1e6f) : 0.f;
    sum += std::floor(x);
    energy += x * x;
    peaks += x > last;
    least = std::min(least, x);
    last = x;
  }
  out[0] = sum / float(samples.size());
  out[1] = std::sqrt(energy);
  out[2] = float(peaks);
  out[3] = least;
  *len = 16;
}
#endif

// Eight at a time, by a network that std::sort is not: the library's loops have to have counts.
HANDLER(sorted, uint32_t, uint32_t) {
  for (uint32_t i = 0; i < *len / 32; i++) {
    std::array<uint32_t, 8> row{};
    std::copy_n(in + 8 * i, 8, row.begin());
    for (unsigned round = 0; round < 8; round++)
      for (unsigned at = round & 1; at + 1 < 8; at += 2)
        if (row[at] > row[at + 1])
          std::swap(row[at], row[at + 1]);
    std::copy(row.begin(), row.end(), out + 8 * i);
  }
  *len = *len / 32 * 32;
}

// A search of the library gives up half of what is left of the table.
HANDLER(ranks, uint32_t, uint32_t) {
  std::array<uint32_t, 40> table{};
  for (uint32_t i = 0; i < table.size(); i++)
    table[i] = 5 * i * i;
  for (uint32_t i = 0; i < *len / 4; i++)
    out[i] = uint32_t(std::lower_bound(table.begin(), table.end(), in[i]) - table.begin()) +
             100 * uint32_t(std::upper_bound(table.begin(), table.end(), in[i]) - table.begin());
}

// Places that the library checks.
#ifndef OLDER
HANDLER(checked, uint32_t, uint32_t) {
  static std::bitset<64> seen;
  std::array<uint32_t, 16> table{};
  uint32_t fresh = 0;
  for (uint32_t i = 0; i < *len / 4; i++) {
    if (!seen.test(in[i] & 63)) {
      seen.set(in[i] & 63);
      fresh++;
    }
    table.at(in[i] & 15)++;
    out[i] = fresh + table.at(3);
  }
}
#endif
