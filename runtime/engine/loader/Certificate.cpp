#include "runtime/engine/loader/Certificate.h"

#include <algorithm>

namespace acis {

static constexpr size_t StepWords = 4;

const CertificateStep *Certificate::at(uint32_t bytes) const {
  if (bytes > longest)
    return nullptr;
  auto after = std::upper_bound(
      steps.begin(), steps.end(), bytes,
      [](uint32_t length, const CertificateStep &step) { return length < step.from; });
  return after == steps.begin() ? nullptr : &*std::prev(after);
}

double cyclesOnWire(uint32_t bytes, double gigabits, unsigned headerBytes, double clockMhz) {
  return (bytes + headerBytes + FramingBytes) * 8.0 * clockMhz / (gigabits * 1000);
}

std::optional<uint32_t> smallestAtRate(const Certificate &certificate, double gigabits,
                                       unsigned headerBytes, double clockMhz) {
  // Within a step the cycles are the same and the wire takes longer, so the shortest
  // length of a step decides, or cuts it.
  std::optional<uint32_t> smallest;
  uint32_t end = certificate.longest + 1;
  for (auto step = certificate.steps.rbegin(); step != certificate.steps.rend(); ++step) {
    const double needed = step->latency == 0 ? 1e300 : step->period;
    const uint32_t unit = std::max(certificate.elementBytes, 1u);
    for (uint32_t bytes = end - 1 - (end - 1) % unit; bytes >= step->from && bytes > 0;
         bytes -= unit) {
      if (cyclesOnWire(bytes, gigabits, headerBytes, clockMhz) < needed)
        return smallest;
      smallest = bytes;
    }
    end = step->from;
  }
  return smallest;
}

std::vector<uint32_t> encodeCertificate(const Certificate &certificate) {
  std::vector<uint32_t> words{certificate.elementBytes, certificate.longest,
                              uint32_t(certificate.steps.size())};
  for (const CertificateStep &step : certificate.steps)
    words.insert(words.end(), {step.from, step.latency, step.control, step.period});
  return words;
}

Result<Certificate> decodeCertificate(std::span<const uint32_t> &words) {
  if (words.size() < 3 || words[2] > (words.size() - 3) / StepWords)
    return Error{"", "an entry that ends before its steps"};
  Certificate certificate{words[0], words[1], {}};
  uint32_t before = 0;
  for (size_t i = 0; i < words[2]; ++i) {
    const auto at = words.subspan(3 + StepWords * i, StepWords);
    const CertificateStep step{at[0], at[1], at[2], at[3]};
    if (step.from <= before || step.from > certificate.longest)
      return Error{"", "steps that are not in order"};
    before = step.from;
    certificate.steps.push_back(step);
  }
  if (certificate.elementBytes == 0 || certificate.elementBytes > 8)
    return Error{"", "elements of " + std::to_string(certificate.elementBytes) +
                         " bytes; 1 to 8 are allowed"};
  words = words.subspan(3 + StepWords * size_t(words[2]));
  return certificate;
}

} // namespace acis
