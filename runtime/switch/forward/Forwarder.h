// A switch that forwards frames between its ports, and runs handlers on datagrams on their way (the
// integrated accelerator of 000 2.3.1: behind the parser, before the output queues). Frames in,
// frames out, time as an argument; no sockets.
//
//   port -> rules -> handler -> lengths, checksums --> table -> port(s)
//             `------ all else, untouched -----------'
//
// What no rule matches leaves bit for bit as it came.
#pragma once

#include "runtime/switch/core/HandlerPort.h"
#include "runtime/switch/core/Plugin.h"
#include "runtime/switch/forward/MacTable.h"
#include "runtime/switch/forward/Rule.h"

#include <functional>
#include <memory>

namespace acis::forward {

struct PortCounters {
  uint64_t received = 0, bytesReceived = 0, sent = 0, bytesSent = 0;
  uint64_t refused = 0; ///< what the port did not take: too long for it, or it is down
};

struct Counters {
  uint64_t known = 0;   ///< frames to a station whose port is known
  uint64_t flooded = 0; ///< to all other ports
  uint64_t handled = 0; ///< datagrams that went through a handler and on
  // Dropped, by cause.
  uint64_t tooShort = 0;      ///< frames without a whole header
  uint64_t stays = 0;         ///< to a station on the port that it came from
  uint64_t badChecksum = 0;   ///< datagrams for a handler
  uint64_t silent = 0;        ///< the handler sent nothing
  uint64_t trapped = 0;       ///< it did not end as it should
  uint64_t answerTooLong = 0; ///< it sent more than a datagram holds
  // Not seen by a handler although they may be for one; they pass.
  uint64_t fragments = 0, malformed = 0;
};

class Forwarder {
public:
  /// Sends on a port; false: the port does not take it.
  using Send = std::function<bool(unsigned port, const Frame &frame)>;

  Forwarder(const MacTable::Limits &limits, Send send) : send(std::move(send)), table(limits) {}

  /// The names of its ports are different; they are numbered from 0.
  unsigned addPort(std::string name);
  /// nullopt: there is none of that name.
  std::optional<unsigned> portNamed(std::string_view name) const;
  void pin(const Mac &mac, unsigned port) { table.pin(mac, port); }

  /// From the next frame on, behind the rules that are there. One of the same match is replaced, in
  /// its place. Fails if it names a port that is not there.
  Status setRule(const Match &match, std::unique_ptr<sw::HandlerPort> handler);
  /// Fails if there is none.
  Status removeRule(const Match &match);

  void receive(unsigned port, const Frame &frame, wire::Time now);

  struct PortStatus {
    std::string name;
    PortCounters counters;
  };
  struct RuleStatus {
    std::string match;
    const sw::HandlerPort *handler;
  };
  const std::vector<PortStatus> &ports() const { return list; }
  std::vector<RuleStatus> rules() const;
  const Counters &counters() const { return count; }
  size_t stations() const { return table.size(); }
  sw::Statistics statistics() const;

private:
  struct Rule {
    Match match;
    std::unique_ptr<sw::HandlerPort> handler;
  };
  Rule *ruleFor(unsigned port, const Datagram &datagram);
  void handle(Rule &rule, unsigned port, const Frame &frame, const Datagram &datagram,
              wire::Time now);
  void one(Rule &rule, unsigned port, std::span<const uint8_t> frame, const Datagram &datagram,
           std::span<const uint8_t> payload, wire::Time now);
  void pass(unsigned port, const Frame &frame, wire::Time now);
  void emit(unsigned port, const Frame &frame);

  Send send;
  MacTable table;
  std::vector<PortStatus> list;
  std::vector<Rule> programs;
  Counters count;
  std::vector<uint8_t> answer;
};

} // namespace acis::forward
