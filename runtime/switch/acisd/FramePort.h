// A port for frames: an interface of the system (AF_PACKET), a TAP device, or another switch behind
// UDP. With what systems put off (checksums, cutting), so that nothing has to be done twice.
#pragma once

#include "runtime/switch/forward/Frame.h"
#include "runtime/switch/wire/UdpSocket.h"

#include <functional>
#include <memory>
#include <string>

namespace acis::acisd {

class FramePort {
public:
  virtual ~FramePort() = default;
  /// "eth1": an interface that is there, all of whose frames it takes and gives (needs
  /// CAP_NET_RAW); "tap:NAME": a TAP device, made if it is not there (needs CAP_NET_ADMIN);
  /// "udp:HOST:PORT-HOST:PORT": each datagram from here to there and back is a frame. Fails with
  /// what is missing.
  static Result<std::unique_ptr<FramePort>> open(const std::string &text);

  const std::string &name() const { return text; }
  virtual int descriptor() const = 0;
  /// Calls for each frame that has arrived, a bounded number; returns how many. Valid in the call.
  virtual size_t receive(const std::function<void(const forward::Frame &)> &take) = 0;
  /// False: it is too long for the port, or the port is down. What a full queue has no room for is
  /// lost, as in any switch, and refused as well.
  virtual bool send(const forward::Frame &frame) = 0;

protected:
  explicit FramePort(std::string text) : text(std::move(text)) {}
  static constexpr unsigned Batch = 32;

private:
  std::string text;
};

} // namespace acis::acisd
