// What a switch receives and sends as a pcapng file that grows while it runs: each datagram as
// an Ethernet frame with its direction, and what became of it (cycles of the overlay, or why it
// was dropped) as its comment.
#pragma once

#include "runtime/capture/PcapNg.h"
#include "runtime/switch/Switch.h"

#include <functional>
#include <map>
#include <optional>

namespace acis::acisd {

/// The switch's tap, and its plugin for the counters and for writing now and then. What has been
/// written up to any moment is a whole file.
class CaptureFile final : public sw::Tap, public sw::Plugin {
public:
  using AddressOf = std::function<wire::Address(unsigned port)>;
  /// Fails if the file cannot be written. It gets at most `mostBytes`; what comes later is
  /// counted only. `addressOf` says where an open port listens.
  static Result<std::unique_ptr<CaptureFile>> create(const std::string &path, uint64_t mostBytes,
                                                     AddressOf addressOf);
  ~CaptureFile() override;

  void arrived(const sw::Ingress &in, wire::Time now) override;
  void verdict(const sw::Services::Verdict &verdict) override;
  void sent(unsigned port, const wire::Address &to, std::span<const uint8_t> datagram,
            wire::Time now) override;

  std::string_view name() const override { return "capture"; }
  wire::Time tick() override;
  void statistics(sw::Statistics &out) const override;

private:
  /// One that has arrived and whose end is not known yet.
  struct Pending {
    capture::PacketInfo info;
    std::vector<uint8_t> frame;
  };
  struct Port {
    uint32_t interface;
    wire::Address address;
  };

  CaptureFile(int descriptor, uint64_t mostBytes, AddressOf addressOf);
  const Port &portOf(unsigned number);
  void settle();
  void add(const capture::PacketInfo &info, std::span<const uint8_t> frame);
  void flush();

  int descriptor;
  uint64_t mostBytes;
  AddressOf addressOf;
  wire::Time realOffset; ///< from the switch's clock to the time since 1970
  capture::Writer writer{"acisd"};
  std::map<unsigned, Port> ports;
  std::optional<Pending> pending;
  uint64_t packets = 0, notWritten = 0, bytes = 0;
  bool broken = false; ///< the file takes no more
};

} // namespace acis::acisd
