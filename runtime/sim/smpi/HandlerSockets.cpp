// Streams to handlers, and commands to switches, in a simulation: in place of the sockets of
// runtime/host/client. A slot's `fd` is the port that it sends from.
#include "runtime/host/client/ControlClient.h"
#include "runtime/host/client/HandlerStream.h"
#include "runtime/sim/smpi/Cluster.h"
#include "runtime/sim/world/World.h"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

extern "C" {
void smpi_bench_begin();
void smpi_bench_end();
}

/// The clock of deadlines, in this library: simulated time.
std::chrono::steady_clock::time_point std::chrono::steady_clock::now() noexcept {
  return time_point(duration(acis::cluster::now()));
}

namespace acis {
namespace {

using cluster::callingRank;
using cluster::Datagram;
using cluster::theWorld;
using cluster::World;
using wire::Time;

wire::Address addressOf(uint32_t rank, uint16_t port) {
  wire::Address out = World::addressOfRank(rank);
  out.port = port;
  return out;
}

/// Of a rank: what handlers have answered and nobody has asked for.
struct Answers {
  cluster::Inbox inbox;
  std::map<uint16_t, std::vector<uint8_t>> byPort = {};
};

/// Never destroyed: an inbox that waits belongs to an actor that may have ended.
Answers &answersOf(uint32_t rank) {
  static auto &all = *new std::map<uint32_t, Answers *>;
  Answers *&own = all[rank];
  if (!own)
    own = new Answers{cluster::Inbox(theWorld().boxOf(addressOf(rank, 0)))};
  return *own;
}

} // namespace

void HandlerStream::reset() { slots.clear(); }

Status HandlerStream::send(Slot &slot, std::span<const uint8_t> packet) const {
  constexpr int First = 20'000, Last = 60'000;
  static int next = First; // ports of all ranks, far more than are in use
  if (slot.fd < 0) {
    slot.fd = next;
    next = next == Last ? First : next + 1;
  }
  const uint32_t rank = callingRank();
  answersOf(rank).byPort.erase(uint16_t(slot.fd)); // one that came late is of another packet
  smpi_bench_end();
  theWorld().transmit(addressOf(rank, uint16_t(slot.fd)), to, packet);
  smpi_bench_begin();
  return {};
}

Status HandlerStream::receive(Slot &slot) {
  auto &byPort = answersOf(callingRank()).byPort;
  if (const auto at = byPort.find(uint16_t(slot.fd)); at != byPort.end()) {
    slot.answer = std::move(at->second);
    slot.waits = false;
    byPort.erase(at);
  }
  return {};
}

Status HandlerStream::sleep() const {
  Time until = wire::Never;
  for (const Slot &slot : slots)
    if (slot.waits)
      until = std::min(until, slot.until);
  const uint32_t rank = callingRank();
  Answers &own = answersOf(rank);
  smpi_bench_end();
  theWorld().waitsFor(rank, "the handler at " + to.str() + " has not answered");
  std::unique_ptr<Datagram> datagram = own.inbox.await(until);
  for (; datagram; datagram = own.inbox.poll())
    own.byPort[datagram->port] = std::move(datagram->bytes);
  theWorld().waitsFor(rank, "");
  smpi_bench_begin();
  return {};
}

Result<std::string> ControlPoint::anyPort() const {
  const Result<uint32_t> number = theWorld().numberOfSwitch(place);
  if (!number)
    return number.error();
  wire::Address address = World::addressOfSwitch(*number);
  address.port = 0;
  return address.str();
}

Result<nlohmann::json> ControlPoint::ask(nlohmann::json command,
                                         std::span<const uint8_t> content) const {
  if (remote)
    return Error{place, "a simulated switch is named as in the platform, without certificates"};
  Result<nlohmann::json> reply =
      theWorld().command(place, command, {content.begin(), content.end()});
  if (!reply)
    return reply;
  if (const auto error = reply->find("error"); error != reply->end())
    return Error{place, error->get<std::string>()};
  return reply;
}

} // namespace acis
