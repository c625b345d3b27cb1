#include "compiler/driver/RateCertificate.h"

#include "runtime/engine/certify/Certify.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using llvm::StringRef;

namespace acis::driver {
namespace {

/// The number of a text like "100G" or "256B" with one of the suffixes given.
bool takeNumber(StringRef text, StringRef suffixes, double &number, char &suffix) {
  if (text.empty() || !suffixes.contains(text.back()))
    return false;
  suffix = text.back();
  return !text.drop_back().getAsDouble(number) && number > 0;
}

/// At "file:line" of the runtime.
Diagnostic messageAt(const std::string &where, Refusal refusal, Severity severity) {
  Diagnostic diagnostic;
  auto [file, line] = StringRef(where).rsplit(':');
  if (!line.getAsInteger(10, diagnostic.line)) {
    diagnostic.file = file.str();
    diagnostic.column = 1;
  }
  diagnostic.severity = severity;
  diagnostic.refusal = std::move(refusal);
  return diagnostic;
}

/// The shortest payload from the required one on that takes longer than its frame.
std::optional<uint32_t> firstTooSlow(const Certificate &certificate, const Overlay &overlay,
                                     const RateRequirement &requirement) {
  const uint32_t unit = certificate.elementBytes;
  for (uint32_t bytes = (std::max(requirement.bytes, 1u) + unit - 1) / unit * unit;
       bytes <= certificate.longest; bytes += unit) {
    const CertificateStep *step = certificate.at(bytes);
    if (!step || step->latency == 0 ||
        step->period >
            cyclesOnWire(bytes, requirement.gigabits, overlay.headerBytes, overlay.clockMhz))
      return bytes;
  }
  return std::nullopt;
}

Diagnostic tooSlow(const std::shared_ptr<const Image> &image, const Handler &handler,
                   const Overlay &overlay, const Certificate &certificate, uint32_t bytes,
                   const RateRequirement &requirement) {
  const CertificateStep *step = certificate.at(bytes);
  auto tooSlowSince = [&](const std::string &what) {
    return Refusal(Why::RateNotHeld, requirement.text, bytes, what);
  };
  auto limit = limitOf(image, handler, overlay, bytes, CertifyOptions());
  if (!step || step->latency == 0)
    return messageAt(limit ? limit->where : limit.error().where,
                     tooSlowSince("has no bound" + (limit ? "" : ": " + limit.error().what)),
                     Severity::Error);
  std::string what = llvm::formatv("takes {0} cycles, its frame {1:f1}", step->period,
                                   cyclesOnWire(bytes, requirement.gigabits, overlay.headerBytes,
                                                overlay.clockMhz))
                         .str();
  if (limit)
    what += "; " + limit->what;
  if (auto smallest =
          smallestAtRate(certificate, requirement.gigabits, overlay.headerBytes, overlay.clockMhz))
    what += "; it holds from " + std::to_string(*smallest) + " bytes on";
  return messageAt(limit ? limit->where : "", tooSlowSince(what), Severity::Error);
}

/// Words as the data of a section.
std::string sectionText(const std::vector<HandlerCertificate> &handlers) {
  std::string text = "\n\t.section .acis.cert,\"a\",@progbits\n\t.p2align 2\n";
  for (const HandlerCertificate &handler : handlers) {
    text += "\t# " + handler.handler + '\n';
    for (uint32_t word : encodeCertificate(handler.certificate))
      text += "\t.word " + std::to_string(word) + '\n';
  }
  return text;
}

} // namespace

std::optional<RateRequirement> parseRateRequirement(const std::string &text) {
  auto [rate, length] = StringRef(text).split('@');
  RateRequirement requirement;
  double bytes = 0;
  char unit = 0, byteUnit = 0;
  if (!takeNumber(rate, "GMk", requirement.gigabits, unit) ||
      !takeNumber(length, "B", bytes, byteUnit) || bytes > 1e6 || bytes != uint32_t(bytes))
    return std::nullopt;
  requirement.gigabits *= unit == 'G' ? 1 : unit == 'M' ? 1e-3 : 1e-6;
  requirement.bytes = uint32_t(bytes);
  requirement.text = text;
  return requirement;
}

std::string certificateText(const HandlerCertificate &handler) {
  std::string text = "  " + handler.handler + ": ";
  const Certificate &certificate = handler.certificate;
  if (certificate.steps.empty())
    return text + "no certificate, " + handler.whyNot + '\n';
  auto smallest = smallestAtRate(certificate, 100, handler.headerBytes, handler.clockMhz);
  text += smallest ? "100 Gb/s from payloads of " + std::to_string(*smallest) + " bytes on"
                   : "not at 100 Gb/s for any length";
  for (uint32_t bytes : {64u, 256u, 1024u, 4096u, certificate.longest})
    if (const CertificateStep *step = certificate.at(bytes); step && step->latency)
      text += "; " + std::to_string(bytes) + " bytes: at most " + std::to_string(step->latency) +
              " cycles, " + std::to_string(step->period) + " back to back";
  return text + '\n';
}

llvm::json::Value certificateJson(const HandlerCertificate &handler) {
  llvm::json::Array steps;
  for (const CertificateStep &step : handler.certificate.steps)
    steps.push_back(llvm::json::Object{{"fromBytes", step.from},
                                       {"latencyCycles", step.latency},
                                       {"controlCycles", step.control},
                                       {"periodCycles", step.period}});
  llvm::json::Object object{{"handler", handler.handler},
                            {"longestBytes", handler.certificate.longest},
                            {"steps", std::move(steps)}};
  if (!handler.whyNot.empty())
    object["whyNot"] = handler.whyNot;
  if (auto smallest =
          smallestAtRate(handler.certificate, 100, handler.headerBytes, handler.clockMhz))
    object["bytesAt100G"] = *smallest;
  return object;
}

RateCertificates certifyBinary(std::span<const uint8_t> binary, const Overlay &overlay,
                               const std::optional<RateRequirement> &requirement) {
  RateCertificates result;
  auto image = loadImage(binary, overlay);
  if (!image) { // a fault of the compiler: the loader takes what it makes
    result.diagnostics.push_back(
        messageAt("", Refusal(Why::BinaryRefused, image.error().str()), Severity::Error));
    return result;
  }
  for (const Handler &handler : (*image)->handlers) {
    HandlerCertificate entry{handler.name, overlay.headerBytes, overlay.clockMhz, {}, ""};
    entry.certificate.elementBytes = std::max(handler.inBytes, 1u);
    auto made = certify(*image, handler, overlay, CertifyOptions());
    if (made) {
      entry.certificate = std::move(*made);
      if (auto bytes =
              requirement ? firstTooSlow(entry.certificate, overlay, *requirement) : std::nullopt)
        result.diagnostics.push_back(
            tooSlow(*image, handler, overlay, entry.certificate, *bytes, *requirement));
    } else {
      entry.whyNot = made.error().what;
      const std::string what = "handler '" + handler.name + "' has no certificate: " + entry.whyNot;
      result.diagnostics.push_back(
          requirement ? messageAt(made.error().where, Refusal(Why::NoRate, requirement->text, what),
                                  Severity::Error)
                      : messageAt(made.error().where, Refusal(Why::Said, what), Severity::Warning));
    }
    result.handlers.push_back(std::move(entry));
  }
  result.section = sectionText(result.handlers);
  return result;
}

} // namespace acis::driver
