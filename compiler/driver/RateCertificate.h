// Line-rate certificates of a binary: computed on the cycle-exact engine, put into the
// binary, and compared with the rate that the user requires.
#pragma once

#include "backend/overlay/Overlay.h"
#include "passes/llvm/Diagnostic.h"
#include "runtime/engine/loader/Certificate.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace llvm::json {
class Value;
} // namespace llvm::json

namespace acis::driver {

/// --require-rate=100G@256B
struct RateRequirement {
  double gigabits = 0;
  uint32_t bytes = 0; ///< smallest payload
  std::string text;   ///< as it was given
};
std::optional<RateRequirement> parseRateRequirement(const std::string &text);

struct HandlerCertificate {
  std::string handler;
  unsigned headerBytes = 0; ///< of the overlay, in front of each payload
  double clockMhz = 0;
  Certificate certificate; ///< without steps if there is none
  std::string whyNot;      ///< then
};

struct RateCertificates {
  std::vector<HandlerCertificate> handlers;
  std::string section;     ///< assembly text of `.acis.cert`
  Diagnostics diagnostics; ///< an error for each handler that misses the requirement
};

/// For the report: the bound of each handler at a few lengths and where a 100 Gb/s port is
/// kept up with; all steps as JSON.
std::string certificateText(const HandlerCertificate &handler);
llvm::json::Value certificateJson(const HandlerCertificate &handler);

/// `binary` without certificates, as the assembler made it.
RateCertificates certifyBinary(std::span<const uint8_t> binary, const Overlay &overlay,
                               const std::optional<RateRequirement> &requirement);

} // namespace acis::driver
