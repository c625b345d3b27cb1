// Makes a certificate: the cycle-exact engine run on packets of every length, with the
// worst case of what depends on data.
#pragma once

#include "runtime/engine/device/Device.h"
#include "runtime/engine/loader/Certificate.h"
#include "runtime/engine/loader/Image.h"

#include <memory>
#include <string>

namespace acis {

struct CertifyOptions {
  uint32_t longest = 9000; ///< payload bytes; a jumbo frame
  /// Off-chip memory of the job; 0: 16 MiB, or all that the overlay has.
  uint64_t memoryBytes = 0;
};

/// Fails, with the source line in `where`, if the time depends on data otherwise than by
/// interlocked accesses, or no length can be run.
Result<Certificate> certify(const std::shared_ptr<const Image> &image, const Handler &handler,
                            const Overlay &overlay, const CertifyOptions &options);

/// What takes most of a packet's period, for messages.
struct RateLimit {
  std::string what;  ///< e.g. "the loop takes 24 cycles", "the control code takes 10 cycles"
  std::string where; ///< its source line or ""
};
Result<RateLimit> limitOf(const std::shared_ptr<const Image> &image, const Handler &handler,
                          const Overlay &overlay, uint32_t bytes, const CertifyOptions &options);

/// Packets for checkCertificate().
struct CheckOptions {
  uint64_t packets = 1000000;
  uint64_t seed = 1;
  uint64_t memoryBytes = 0; ///< as in CertifyOptions
};

/// What random packets took, alone and in trains.
struct CertificateCheck {
  uint64_t packets = 0, late = 0; ///< `late`: took more than the certificate allows
  std::string firstLate;          ///< "packet 17 of 64 bytes: 30 cycles, 28 certified"
  double tightness = 0;           ///< most, over lengths, of certified cycles to the worst seen
  /// The same for trains in which packets of two lengths take turns: of the pairs with a length
  /// the one that comes closest to its certificate, which allows for what may come before.
  double trainTightness = 0;
};
Result<CertificateCheck> checkCertificate(const std::shared_ptr<const Image> &image,
                                          const Handler &handler, const Overlay &overlay,
                                          const Certificate &certificate,
                                          const CheckOptions &options);

} // namespace acis
