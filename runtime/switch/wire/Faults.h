// Faults on purpose: loses, repeats, delays, reorders and damages datagrams on their way
// out, reproducibly by seed. For tests of everything that has to survive them.
#pragma once

#include "backend/support/Result.h"
#include "runtime/switch/wire/Clock.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string_view>
#include <vector>

namespace acis::wire {

/// Probabilities, 0 to 1.
struct FaultRates {
  double loss = 0, duplicate = 0, reorder = 0, corrupt = 0, delay = 0;
  Time delayTime = Millisecond;
  uint64_t seed = 1;

  bool any() const { return loss + duplicate + reorder + corrupt + delay > 0; }
};

/// "loss=0.01,duplicate=0.02,seed=7"; names as the members, delay-time in microseconds.
Result<FaultRates> parseFaults(std::string_view text);

/// `To` is where a datagram goes; a value.
template <typename To> class Faults {
public:
  using Send = std::function<void(const To &, std::span<const uint8_t>)>;
  Faults(const FaultRates &rates, Send send)
      : rates(rates), random(rates.seed), send(std::move(send)) {}

  bool any() const { return rates.any(); }
  /// Of a datagram in two pieces.
  void pass(const To &to, std::span<const uint8_t> head, std::span<const uint8_t> body, Time now) {
    std::vector<uint8_t> whole(head.begin(), head.end());
    whole.insert(whole.end(), body.begin(), body.end());
    pass(to, whole, now);
  }
  void pass(const To &to, std::span<const uint8_t> datagram, Time now) {
    if (!rates.any())
      return send(to, datagram);
    if (hit(rates.loss))
      return;
    std::vector<uint8_t> bytes(datagram.begin(), datagram.end());
    if (hit(rates.corrupt) && !bytes.empty())
      bytes[random() % bytes.size()] ^= uint8_t(1 << random() % 8);
    if (hit(rates.duplicate))
      send(to, bytes);
    if (hit(rates.delay))
      return held.push_back({now + rates.delayTime, to, std::move(bytes)});
    if (hit(rates.reorder)) // after the next one, or after a while
      return held.push_back({now + rates.delayTime, to, std::move(bytes)}), void(overtaken = true);
    send(to, bytes);
    if (overtaken) {
      overtaken = false;
      release(now, /*all=*/true);
    }
  }

  /// Sends what was held back long enough; returns when to call again.
  Time tick(Time now) { return release(now, false); }

private:
  struct Held {
    Time due;
    To to;
    std::vector<uint8_t> bytes;
  };

  bool hit(double probability) {
    return probability > 0 && std::uniform_real_distribution<>()(random) < probability;
  }
  Time release(Time now, bool all) {
    std::vector<Held> ready;
    Time next = Never;
    std::erase_if(held, [&](Held &item) {
      if (!all && item.due > now) {
        next = std::min(next, item.due);
        return false;
      }
      ready.push_back(std::move(item));
      return true;
    });
    for (const Held &item : ready)
      send(item.to, item.bytes);
    return next;
  }

  FaultRates rates;
  std::mt19937_64 random;
  Send send;
  std::vector<Held> held;
  bool overtaken = false;
};

} // namespace acis::wire
