#include "runtime/switch/forward/Forwarder.h"

#include <algorithm>

namespace acis::forward {

namespace {

Mac macAt(std::span<const uint8_t> frame, size_t at) {
  Mac mac;
  std::copy_n(frame.begin() + long(at), mac.bytes.size(), mac.bytes.begin());
  return mac;
}

} // namespace

unsigned Forwarder::addPort(std::string name) {
  list.push_back({std::move(name), {}});
  return unsigned(list.size() - 1);
}

std::optional<unsigned> Forwarder::portNamed(std::string_view name) const {
  for (unsigned port = 0; port < list.size(); ++port)
    if (list[port].name == name)
      return port;
  return std::nullopt;
}

Status Forwarder::setRule(const Match &match, std::unique_ptr<sw::HandlerPort> handler) {
  if (!match.in.empty() && !portNamed(match.in)) {
    std::string names;
    for (const PortStatus &port : list)
      names += (names.empty() ? "" : ", ") + port.name;
    return Error{"rule '" + match.str() + "'",
                 "there is no port '" + match.in + "'; there are " + names};
  }
  const auto at = std::find_if(programs.begin(), programs.end(),
                               [&](const Rule &rule) { return rule.match.str() == match.str(); });
  if (at != programs.end())
    at->handler = std::move(handler);
  else
    programs.push_back({match, std::move(handler)});
  return {};
}

Status Forwarder::removeRule(const Match &match) {
  if (std::erase_if(programs, [&](const Rule &rule) { return rule.match.str() == match.str(); }) ==
      0)
    return Error{"rule '" + match.str() + "'",
                 "there is none like that; acisctl status lists them"};
  return {};
}

std::vector<Forwarder::RuleStatus> Forwarder::rules() const {
  std::vector<RuleStatus> out;
  for (const Rule &rule : programs)
    out.push_back({rule.match.str(), rule.handler.get()});
  return out;
}

/// The first that covers it.
Forwarder::Rule *Forwarder::ruleFor(unsigned port, const Datagram &datagram) {
  for (Rule &rule : programs)
    if (rule.match.covers(datagram, list[port].name))
      return &rule;
  return nullptr;
}

void Forwarder::receive(unsigned port, const Frame &frame, wire::Time now) {
  ++list[port].counters.received;
  list[port].counters.bytesReceived += frame.bytes.size();
  if (frame.bytes.size() < MacHeader) {
    ++count.tooShort;
    return;
  }
  table.learn(macAt(frame.bytes, 6), port, now);
  if (programs.empty())
    return pass(port, frame, now);
  const Inside inside = inspect(frame.bytes);
  count.fragments += inside.what == Inside::What::Fragment;
  count.malformed += inside.what == Inside::What::Bad;
  if (inside.what == Inside::What::Udp)
    if (Rule *rule = ruleFor(port, inside.datagram))
      return handle(*rule, port, frame, inside.datagram, now);
  pass(port, frame, now);
}

/// One datagram, or several of a flow that the sender's system has not cut yet.
void Forwarder::handle(Rule &rule, unsigned port, const Frame &frame, const Datagram &datagram,
                       wire::Time now) {
  if (!hasGoodChecksums(frame, datagram)) {
    ++count.badChecksum;
    return;
  }
  const std::span<const uint8_t> payload =
      frame.bytes.subspan(datagram.payload, datagram.payloadBytes);
  const bool isCut =
      frame.offload.segmentation != Offload::UdpSegments || frame.offload.segmentBytes == 0;
  const size_t step = isCut ? std::max<size_t>(payload.size(), 1) : frame.offload.segmentBytes;
  size_t at = 0;
  do {
    one(rule, port, frame.bytes, datagram, payload.subspan(at, std::min(step, payload.size() - at)),
        now);
    at += step;
  } while (at < payload.size());
}

void Forwarder::one(Rule &rule, unsigned port, std::span<const uint8_t> frame,
                    const Datagram &datagram, std::span<const uint8_t> payload, wire::Time now) {
  using Outcome = sw::HandlerPort::Outcome;
  uint64_t cycles = 0;
  switch (rule.handler->process(payload, answer, cycles)) {
  case Outcome::Answered: {
    ++count.handled;
    const std::vector<uint8_t> made = withPayload(frame, datagram, answer);
    return pass(port, {made, {}}, now);
  }
  case Outcome::Silent:
    ++count.silent;
    return;
  case Outcome::Trapped:
    ++count.trapped;
    return;
  case Outcome::TooLong:
    ++count.answerTooLong;
    return;
  }
}

void Forwarder::pass(unsigned port, const Frame &frame, wire::Time now) {
  const Mac to = macAt(frame.bytes, 0);
  const std::optional<unsigned> known = to.isGroup() ? std::nullopt : table.find(to, now);
  if (!known) {
    ++count.flooded;
    for (unsigned other = 0; other < list.size(); ++other)
      if (other != port)
        emit(other, frame);
    return;
  }
  if (*known == port) {
    ++count.stays;
    return;
  }
  ++count.known;
  emit(*known, frame);
}

void Forwarder::emit(unsigned port, const Frame &frame) {
  PortCounters &counters = list[port].counters;
  if (!send(port, frame)) {
    ++counters.refused;
    return;
  }
  ++counters.sent;
  counters.bytesSent += frame.bytes.size();
}

sw::Statistics Forwarder::statistics() const {
  uint64_t received = 0, sent = 0, refused = 0;
  for (const PortStatus &port : list) {
    received += port.counters.received;
    sent += port.counters.sent;
    refused += port.counters.refused;
  }
  return {{"forward_received", received},
          {"forward_sent", sent},
          {"forward_known", count.known},
          {"forward_flooded", count.flooded},
          {"forward_handled", count.handled},
          {"forward_stations", table.size()},
          {"forward_fragments", count.fragments},
          {"forward_malformed", count.malformed},
          {"forward_dropped_short", count.tooShort},
          {"forward_dropped_same_port", count.stays},
          {"forward_dropped_checksum", count.badChecksum},
          {"forward_dropped_silent", count.silent},
          {"forward_dropped_trap", count.trapped},
          {"forward_dropped_too_long", count.answerTooLong},
          {"forward_dropped_port", refused}};
}

} // namespace acis::forward
