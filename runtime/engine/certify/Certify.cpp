#include "runtime/engine/certify/Certify.h"

#include "runtime/engine/certify/LengthOnly.h"
#include "runtime/engine/certify/PacketTimer.h"

#include <algorithm>
#include <array>
#include <map>

namespace acis {
namespace {

/// Packets back to back until their period is seen: more than the launch queue, the
/// command queues and the FIFOs can put off. Long handlers fill them with fewer.
constexpr unsigned TrainPackets = 12, ShortTrain = 5;
constexpr uint64_t LongCycles = 512;
/// Up to here every length is run; beyond, the two ends of each beat, and what is between
/// them where they differ.
constexpr uint32_t EveryLength = 2048;

class Prober {
public:
  Prober(PacketTimer &timer, Certificate &certificate, unsigned beatBytes)
      : timer(timer), certificate(certificate), unit(certificate.elementBytes),
        beat(std::max(beatBytes / unit * unit, unit)) {}

  /// Whether any length can be run.
  bool run() {
    findPaths();
    uint32_t bytes = unit;
    for (; bytes <= std::min(certificate.longest, EveryLength); bytes += unit)
      add(measure(bytes));
    while (bytes <= certificate.longest) {
      const uint32_t last = std::min(bytes + beat - unit, certificate.longest);
      const CertificateStep first = measure(bytes), end = measure(last);
      add(first);
      if (!isSame(first, end))
        for (uint32_t inside = bytes + unit; inside < last; inside += unit)
          add(measure(inside));
      if (last != bytes)
        add(end);
      bytes = last + unit;
    }
    return any;
  }

private:
  /// Without a bound if the handler traps on packets of this length.
  CertificateStep measure(uint32_t bytes) {
    const std::vector<uint8_t> packet(bytes);
    const auto alone = timer.train({packet});
    if (!alone)
      return {bytes};
    CertificateStep step{bytes, uint32_t(alone->done.front()), uint32_t(alone->control.front()), 1};
    const unsigned count = step.latency > LongCycles ? ShortTrain : TrainPackets;
    const auto train = timer.train(std::vector<std::vector<uint8_t>>(count, packet));
    if (!train)
      return {bytes};
    any = true;
    step.period = periodOf(train->done, step.latency);
    const Path own = pathOf(*alone);
    for (const auto &[path, lengths] : paths)
      for (uint32_t other : lengths)
        if (path != own)
          step.period = std::max(step.period, periodAfter(other, bytes));
    return step;
  }

  /// The first and the last context that a packet launches: one loop follows another of
  /// its own kind without a gap, but waits until one of another kind has left the pipeline.
  using Path = std::pair<uint32_t, uint32_t>;
  static Path pathOf(const PacketTimer::Train &alone) {
    constexpr uint32_t none = model::Event::NoContext;
    return alone.loops.empty() ? Path{none, none}
                               : Path{alone.loops.front().context, alone.loops.back().context};
  }

  /// Of each way through the handler the shortest and the longest packet that takes it.
  void findPaths() {
    for (uint32_t bytes = unit; bytes <= certificate.longest; bytes += bytes < beat ? unit : beat) {
      const auto alone = timer.train({std::vector<uint8_t>(bytes)});
      if (!alone)
        continue;
      auto [path, isNew] = paths.insert({pathOf(*alone), {bytes, bytes}});
      path->second[1] = bytes;
    }
  }

  uint32_t periodAfter(uint32_t other, uint32_t bytes) {
    const std::vector<uint8_t> before(other), packet(bytes);
    const auto train = timer.train({before, before, packet});
    return train ? uint32_t(train->done[2] - train->done[1]) : 0;
  }

  /// The smallest P with done[i] <= latency + i * P, and no less than the second half of
  /// the train took: the first packets may be faster, while FIFOs fill.
  static uint32_t periodOf(const std::vector<uint64_t> &done, uint64_t latency) {
    uint64_t period = 1;
    auto atLeast = [&](uint64_t cycles, uint64_t packets) {
      period = std::max(period, (cycles + packets - 1) / packets);
    };
    for (size_t i = 1; i < done.size(); ++i)
      atLeast(done[i] - std::min(done[i], latency), i);
    const size_t last = done.size() - 1, middle = last / 2;
    atLeast(done[last] - done[middle], last - middle);
    return uint32_t(period);
  }

  static bool isSame(CertificateStep a, const CertificateStep &b) {
    a.from = b.from;
    return a == b;
  }

  void add(const CertificateStep &step) {
    if (certificate.steps.empty() || !isSame(certificate.steps.back(), step))
      certificate.steps.push_back(step);
  }

  PacketTimer &timer;
  Certificate &certificate;
  std::map<Path, std::array<uint32_t, 2>> paths;
  const uint32_t unit, beat;
  bool any = false;
};

} // namespace

Result<Certificate> certify(const std::shared_ptr<const Image> &image, const Handler &handler,
                            const Overlay &overlay, const CertifyOptions &options) {
  if (Status only = dependsOnLengthOnly(*image, handler); !only)
    return only.error();
  auto timer = PacketTimer::make(image, handler, overlay, {options.memoryBytes, true});
  if (!timer)
    return timer.error();
  Certificate certificate;
  certificate.elementBytes = std::max(handler.inBytes, 1u);
  certificate.longest = options.longest - options.longest % certificate.elementBytes;
  if (!Prober(**timer, certificate, overlay.beatBytes()).run())
    return Error{(*timer)->trap().line, "every packet ends in a trap: " + (*timer)->trap().what};
  return certificate;
}

} // namespace acis
