// Forwarding as acisd does it: the forwarder on real ports, its rules with handlers of the overlay.
#pragma once

#include "runtime/switch/acisd/FramePort.h"
#include "runtime/switch/forward/Forwarder.h"

namespace acis::acisd {

class Forwarding {
public:
  /// `ports` as in FramePort::open(), in the order in which they are numbered; `stations` as
  /// "02:00:00:00:00:01=eth1" stay where they are said to be. `overlay`: null: no rules can be set;
  /// it outlives this.
  static Result<std::unique_ptr<Forwarding>> open(const std::vector<std::string> &ports,
                                                  const std::vector<std::string> &stations,
                                                  const Overlay *overlay);

  /// See Forwarder::setRule(); the handler is ready before the old one goes.
  Status setRule(const std::string &match, sw::HandlerLoad what);
  Status removeRule(const std::string &match);
  const forward::Forwarder &forwarder() const { return device; }

  /// Handles what has arrived; how many frames.
  size_t receive();
  void descriptors(std::vector<int> &all) const;

private:
  explicit Forwarding(const Overlay *overlay);

  const Overlay *overlay;
  std::vector<std::unique_ptr<FramePort>> ports;
  forward::Forwarder device;
};

} // namespace acis::acisd
