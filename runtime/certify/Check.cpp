// Random packets against a certificate, and what limits a packet's period.
#include "runtime/certify/Certify.h"
#include "runtime/certify/PacketTimer.h"

#include <algorithm>
#include <map>
#include <random>

namespace acis {
namespace {

constexpr unsigned LongestTrain = 16;
/// Of the lengths that are tried, so many are short ones: there the control code counts.
constexpr uint32_t ShortBytes = 512;

/// Data that is random, all zeros, all ones, or one word over and over: the last three
/// make indexed accesses meet.
std::vector<uint8_t> randomPacket(uint32_t bytes, std::mt19937_64 &random) {
  std::vector<uint8_t> packet(bytes);
  const unsigned kind = random() % 4;
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
    while (anyBound && check.packets < packets)
      oneTrain();
    for (const auto &[certified, worst] : worstSeen) {
      double &tightness = certified.second == 1 ? check.tightness : check.trainTightness;
      tightness = std::max(tightness, double(certified.first) / double(worst));
    }
    return std::move(check);
  }

private:
  uint32_t randomLength() {
    const uint32_t unit = certificate.elementBytes;
    const uint32_t most =
        random() % 2 ? certificate.longest : std::min(certificate.longest, ShortBytes);
    return std::max(unit, uint32_t(random() % (most + 1)) / unit * unit);
  }

  /// One packet alone, or a train: of one length, or of random ones.
  void oneTrain() {
    const unsigned count = random() % 4 ? 1 : 2 + random() % (LongestTrain - 1);
    const bool isUniform = random() % 2;
    std::vector<std::vector<uint8_t>> packets;
    std::vector<CertificateStep> steps;
    while (packets.size() < count) {
      const uint32_t bytes =
          isUniform && !packets.empty() ? uint32_t(packets[0].size()) : randomLength();
      const CertificateStep *step = certificate.at(bytes);
      if (!step || step->latency == 0)
        continue; // no bound, so nothing to check
      packets.push_back(randomPacket(bytes, random));
      steps.push_back(*step);
    }
    const auto train = timer.train(packets);
    check.packets += count;
    if (!train)
      return note(0, packets, "trapped: " + timer.trap().what);
    const uint64_t due = compare(packets, steps, *train);
    if (isUniform || count == 1) {
      uint64_t &worst = worstSeen[{due, count}];
      worst = std::max(worst, train->done.back());
    }
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
  /// Most cycles seen, by certified cycles and number of packets.
  std::map<std::pair<uint64_t, unsigned>, uint64_t> worstSeen;
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
