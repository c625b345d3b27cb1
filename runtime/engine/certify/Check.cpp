// Random packets against a certificate, and what limits a packet's period.
#include "runtime/engine/certify/Certify.h"
#include "runtime/engine/certify/PacketTimer.h"

#include <algorithm>
#include <map>
#include <random>

namespace acis {
namespace {

constexpr unsigned LongestTrain = 16;
/// Of the lengths that are tried, so many are short ones: there the control code counts.
constexpr uint32_t ShortBytes = 512;
/// Lengths of which each is sent in turn with each.
constexpr unsigned PairedLengths = 16, DataKinds = 4;

/// Data that is random, all zeros, all ones, or one word over and over: the last three
/// make indexed accesses meet.
std::vector<uint8_t> randomPacket(uint32_t bytes, unsigned kind, std::mt19937_64 &random) {
  std::vector<uint8_t> packet(bytes);
  const uint64_t word = random();
  for (uint32_t i = 0; i < bytes; ++i)
    packet[i] = kind == 0   ? uint8_t(random())
                : kind == 1 ? 0
                : kind == 2 ? 0xff
                            : uint8_t(word >> 8 * (i % 4));
  return packet;
}

class Checker {
public:
  Checker(const Certificate &certificate, PacketTimer &timer, uint64_t seed)
      : certificate(certificate), timer(timer), random(seed) {
    for (const CertificateStep &step : certificate.steps)
      anyBound |= step.latency != 0;
  }

  CertificateCheck run(uint64_t packets) {
    chooseLengths();
    while (anyBound && check.packets < packets) {
      switch (random() % 8) {
      case 0: // one after the other, from a few lengths: each is seen often
        pair();
        break;
      case 1:
        train(2 + random() % (LongestTrain - 1));
        break;
      default:
        train(1);
      }
    }
    for (const auto &[certified, worst] : worstAlone)
      check.tightness = std::max(check.tightness, double(certified) / double(worst));
    for (unsigned length = 0; length < lengths.size(); ++length)
      check.trainTightness = std::max(check.trainTightness, tightnessOf(length));
    return std::move(check);
  }

private:
  uint32_t randomLength() {
    const uint32_t unit = certificate.elementBytes;
    const uint32_t most =
        random() % 2 ? certificate.longest : std::min(certificate.longest, ShortBytes);
    return std::max(unit, uint32_t(random() % (most + 1)) / unit * unit);
  }

  /// A length with a bound: of others there is nothing to check.
  uint32_t boundedLength() {
    while (true) {
      const uint32_t bytes = randomLength();
      if (const CertificateStep *step = certificate.at(bytes); step && step->latency != 0)
        return bytes;
    }
  }

  void chooseLengths() {
    while (anyBound && lengths.size() < PairedLengths)
      lengths.push_back(boundedLength());
    pairs.resize(lengths.size() * lengths.size());
  }

  /// A packet alone, or some of random lengths.
  void train(unsigned count) {
    std::vector<uint32_t> sizes;
    while (sizes.size() < count)
      sizes.push_back(boundedLength());
    const Times times = send(sizes);
    if (count == 1 && times.done != 0) {
      uint64_t &worst = worstAlone[times.due];
      worst = std::max(worst, times.done);
    }
  }

  /// A train of one of the chosen lengths and another one, or itself, in turn.
  void pair() {
    const size_t which = random() % pairs.size();
    std::vector<uint32_t> sizes;
    for (unsigned i = 0; i < LongestTrain; ++i)
      sizes.push_back(lengths[i % 2 ? which / lengths.size() : which % lengths.size()]);
    const Times times = send(sizes);
    pairs[which].due = std::max(pairs[which].due, times.due);
    pairs[which].done = std::max(pairs[which].done, times.done);
  }

  /// Certified to the worst seen, of the train with this length in which they are closest: what
  /// the packets before may cost in the worst case depends on what they are.
  double tightnessOf(unsigned length) const {
    double closest = 0;
    for (unsigned other = 0; other < lengths.size(); ++other)
      for (size_t which : {length * lengths.size() + other, other * lengths.size() + length})
        if (const Times &times = pairs[which]; times.done != 0)
          if (const double ratio = double(times.due) / double(times.done);
              closest == 0 || ratio < closest)
            closest = ratio;
    return closest;
  }

  /// Of a train's last packet; zeros where it trapped.
  struct Times {
    uint64_t due = 0, done = 0;
  };

  Times send(const std::vector<uint32_t> &sizes) {
    const bool isAlike = random() % 2; // one kind of data for all, so that all are slow together
    const unsigned kind = random() % DataKinds;
    std::vector<std::vector<uint8_t>> packets;
    std::vector<CertificateStep> steps;
    for (uint32_t bytes : sizes) {
      packets.push_back(randomPacket(bytes, isAlike ? kind : random() % DataKinds, random));
      steps.push_back(*certificate.at(bytes));
    }
    const auto train = timer.train(packets);
    check.packets += sizes.size();
    if (!train) {
      note(0, packets, "trapped: " + timer.trap().what);
      return {};
    }
    return {compare(packets, steps, *train), train->done.back()};
  }

  /// When the last packet is certified to be done.
  uint64_t compare(const std::vector<std::vector<uint8_t>> &packets,
                   const std::vector<CertificateStep> &steps, const PacketTimer::Train &train) {
    uint64_t begin = 0, due = 0;
    for (unsigned i = 0; i < steps.size(); ++i) {
      begin = std::max(train.seen[i], i ? begin + steps[i - 1].control : 0);
      due = std::max(begin + steps[i].latency, i ? due + steps[i].period : 0);
      if (train.done[i] > due)
        note(i, packets,
             std::to_string(train.done[i]) + " cycles, " + std::to_string(due) + " certified");
    }
    return due;
  }

  void note(unsigned index, const std::vector<std::vector<uint8_t>> &packets,
            const std::string &what) {
    if (++check.late == 1)
      check.firstLate = "packet " + std::to_string(index) + " of a train of " +
                        std::to_string(packets.size()) + ", " +
                        std::to_string(packets[index].size()) + " bytes: " + what;
  }

  const Certificate &certificate;
  PacketTimer &timer;
  std::mt19937_64 random;
  CertificateCheck check;
  std::map<uint64_t, uint64_t> worstAlone; ///< most cycles seen, by certified cycles
  std::vector<uint32_t> lengths;           ///< of paired packets
  std::vector<Times> pairs;                ///< by first length * number of lengths + second
  bool anyBound = false;
};

} // namespace

Result<CertificateCheck> checkCertificate(const std::shared_ptr<const Image> &image,
                                          const Handler &handler, const Overlay &overlay,
                                          const Certificate &certificate,
                                          const CheckOptions &options) {
  auto timer = PacketTimer::make(image, handler, overlay, {options.memoryBytes, false});
  if (!timer)
    return timer.error();
  return Checker(certificate, **timer, options.seed).run(options.packets);
}

Result<RateLimit> limitOf(const std::shared_ptr<const Image> &image, const Handler &handler,
                          const Overlay &overlay, uint32_t bytes, const CertifyOptions &options) {
  auto timer = PacketTimer::make(image, handler, overlay, {options.memoryBytes, true});
  if (!timer)
    return timer.error();
  const auto train = (*timer)->train({std::vector<uint8_t>(bytes)});
  if (!train)
    return Error{(*timer)->trap().line, (*timer)->trap().what};
  RateLimit limit{"the control code takes " + std::to_string(train->instructions) + " instructions",
                  image->lineOfCode(handler.entry)};
  uint64_t most = train->instructions;
  for (const model::Event &loop : train->loops)
    if (loop.end - loop.begin > most) {
      most = loop.end - loop.begin;
      limit = {"the loop takes " + std::to_string(most) + " cycles",
               (*timer)->device().lineOf(loop)};
    }
  return limit;
}

} // namespace acis
