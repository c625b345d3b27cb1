#include "runtime/tools/acis-run/Replay.h"

#include "runtime/io/PcapNg.h"

namespace acis::tools {

using capture::Direction;

Result<Replayed> replay(const Overlay &overlay, sw::HandlerLoad what, const io::Input &input) {
  Result<std::unique_ptr<sw::HandlerPort>> made = sw::HandlerPort::make(overlay, std::move(what));
  if (!made)
    return made.error();
  sw::HandlerPort &port = **made;
  capture::Writer writer("acis-run");
  const uint32_t interface = writer.addInterface("handler " + port.name());
  Replayed result;
  uint64_t nanoseconds = 0; // packets and answers one microsecond apart
  auto add = [&](Direction direction, const io::Flow &flow, std::span<const uint8_t> payload,
                 std::string comment) {
    writer.addPacket({nanoseconds, interface, direction, std::move(comment)},
                     io::makeUdpFrame(flow, payload));
    nanoseconds += 1000;
  };
  for (size_t n = 0; n < input.packets.size(); ++n) {
    const std::vector<uint8_t> &packet = input.packets[n];
    if (packet.size() > io::MaxUdpPayload)
      return Error{"", "packet " + std::to_string(n + 1) + " has " + std::to_string(packet.size()) +
                           " bytes, a UDP packet at most 65507; change --packet-bytes"};
    const io::Flow flow = input.flows.empty() ? io::Flow() : input.flows[n];
    std::vector<uint8_t> answer;
    uint64_t cycles = 0;
    const sw::HandlerPort::Outcome outcome = port.process(packet, answer, cycles);
    add(Direction::Inbound, flow, packet, capture::packetComment(cycles, port.dropReason(outcome)));
    if (outcome != sw::HandlerPort::Outcome::Answered)
      continue;
    add(Direction::Outbound, flow.reversed(), answer, "");
    result.answers.push_back(std::move(answer));
  }
  result.capture = std::move(writer.bytes());
  return result;
}

} // namespace acis::tools
