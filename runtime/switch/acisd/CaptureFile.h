// What a switch receives and sends as a pcapng file that grows while it runs: each datagram as
// an Ethernet frame with its direction, and what became of it (cycles of the overlay, or why it
// was dropped) as its comment.
#pragma once

#include "runtime/io/PcapNg.h"
#include "runtime/switch/core/Switch.h"

#include <map>
#include <mutex>
#include <optional>

namespace acis::acisd {

/// The file, and the switch's plugin for its counters and for writing now and then. What has been
/// written up to any moment is a whole file. add() and name() may be called by any thread.
class CaptureFile final : public sw::Plugin {
public:
  /// Fails if the file cannot be written. It gets at most `mostBytes`; what comes later is
  /// counted only.
  static Result<std::unique_ptr<CaptureFile>> create(const std::string &path, uint64_t mostBytes);
  ~CaptureFile() override;

  /// Where a port listens; before its first packet.
  void name(unsigned port, const wire::Address &address);
  wire::Address addressOf(unsigned port) const;
  /// A frame that came in or went out at `when` of the switch's clock.
  void add(unsigned port, wire::Time when, capture::Direction direction, std::string comment,
           std::span<const uint8_t> frame);

  std::string_view name() const override { return "capture"; }
  wire::Time tick() override;
  void statistics(sw::Statistics &out) const override;

private:
  struct Port {
    wire::Address address;
    std::optional<uint32_t> interface; ///< once it had a packet
  };

  CaptureFile(int descriptor, uint64_t mostBytes);
  uint32_t interfaceOf(unsigned number);
  void flush();

  int descriptor;
  uint64_t mostBytes;
  wire::Time realOffset; ///< from the switch's clock to the time since 1970
  mutable std::mutex lock;
  capture::Writer writer{"acisd"};
  std::map<unsigned, Port> ports;
  uint64_t packets = 0, notWritten = 0, bytes = 0;
  bool broken = false; ///< the file takes no more
};

/// What one core of the switch adds to the file, which outlives it: its tap, and its plugin so
/// that the last packet does not wait for the next one.
class CaptureTap final : public sw::Tap, public sw::Plugin {
public:
  explicit CaptureTap(CaptureFile &file) : file(file) {}
  ~CaptureTap() override { settle(); }

  void arrived(const sw::Ingress &in, wire::Time now) override;
  void verdict(const sw::Services::Verdict &verdict) override;
  void sent(unsigned port, const wire::Address &to, std::span<const uint8_t> datagram,
            wire::Time now) override;

  std::string_view name() const override { return "capture-tap"; }
  wire::Time tick() override;

private:
  /// One that has arrived and whose end is not known yet.
  struct Pending {
    unsigned port;
    wire::Time when;
    std::string comment;
    std::vector<uint8_t> frame;
  };
  void settle();

  CaptureFile &file;
  std::optional<Pending> pending;
};

} // namespace acis::acisd
