#include "runtime/switch/acisd/Forwarding.h"

#include <algorithm>

namespace acis::acisd {

Forwarding::Forwarding(const Overlay *overlay)
    : overlay(overlay), device({}, [this](unsigned port, const forward::Frame &frame) {
        return ports[port]->send(frame);
      }) {}

Result<std::unique_ptr<Forwarding>> Forwarding::open(const std::vector<std::string> &names,
                                                     const std::vector<std::string> &stations,
                                                     const Overlay *overlay) {
  std::unique_ptr<Forwarding> made(new Forwarding(overlay));
  for (const std::string &name : names) {
    if (made->device.portNamed(name))
      return Error{"--forward " + name, "is there twice"};
    Result<std::unique_ptr<FramePort>> port = FramePort::open(name);
    if (!port)
      return port.error();
    made->ports.push_back(std::move(*port));
    made->device.addPort(name);
  }
  for (const std::string &station : stations) {
    const size_t equals = station.find('=');
    Result<forward::Mac> mac = forward::parseMac(station.substr(0, equals));
    if (!mac || equals == std::string::npos)
      return Error{"--station " + station, mac ? "is no MAC=PORT" : mac.error().what};
    const std::optional<unsigned> port = made->device.portNamed(station.substr(equals + 1));
    if (!port)
      return Error{"--station " + station, "names no port of --forward"};
    made->device.pin(*mac, *port);
  }
  return made;
}

Status Forwarding::setRule(const std::string &text, sw::HandlerLoad what) {
  Result<forward::Match> match = forward::parseMatch(text);
  if (!match)
    return match.error();
  if (!overlay)
    return Error{"", "the switch has no overlay to run handlers on; start acisd with --config"};
  Result<std::unique_ptr<sw::HandlerPort>> handler =
      sw::HandlerPort::make(*overlay, std::move(what));
  if (!handler)
    return handler.error();
  return device.setRule(*match, std::move(*handler));
}

Status Forwarding::removeRule(const std::string &text) {
  Result<forward::Match> match = forward::parseMatch(text);
  return match ? device.removeRule(*match) : Status(match.error());
}

size_t Forwarding::receive() {
  size_t all = 0;
  const wire::Time now = wire::systemTime();
  for (unsigned port = 0; port < ports.size(); ++port)
    all += ports[port]->receive(
        [&](const forward::Frame &frame) { device.receive(port, frame, now); });
  return all;
}

void Forwarding::descriptors(std::vector<int> &all) const {
  for (const std::unique_ptr<FramePort> &port : ports)
    all.push_back(port->descriptor());
}

} // namespace acis::acisd
