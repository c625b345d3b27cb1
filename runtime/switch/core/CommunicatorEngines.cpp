// A communicator of an engine whose members are on several engines: what goes between those.
#include "runtime/switch/core/Communicator.h"

namespace acis::sw {

using namespace wire;
using namespace collective;
using Expected = direct::Exchange::Owner::Verdict;

void Communicator::sendAcross(uint16_t engine, const Header &header,
                              std::span<const uint8_t> payload) {
  services.sendAcross(config.job, engine, header, payload);
}

bool Communicator::fromEngine(uint16_t engine, const Header &header,
                              std::span<const uint8_t> payload) {
  if (!exchange)
    return true;
  if (!exchange->receive(engine, header, payload, services.now()) || !runTasks())
    return false;
  advance();
  return true;
}

bool Communicator::engineEnded(uint16_t engine) { return !exchange || exchange->ended(engine); }

bool Communicator::pumpEngines() {
  if (!exchange)
    return true;
  Time next = Never;
  if (!exchange->pump(services.now(), next))
    return false;
  exchangeAt = next;
  advance();
  return true;
}

/// A slot begins with the first message of it, of an own member or of another engine.
Expected Communicator::expect(const Header &message) {
  if (message.slot < lowest || message.slot >= credit())
    return Expected::Dropped;
  if (hasTask(message) || !isWellFormed(message)) {
    drop(count.malformed, "bad collective");
    return Expected::Dropped;
  }
  Slot &slot = slotAt(message.slot);
  if (!slot.begun())
    switch (begin(message)) {
    case Verdict::Accepted:
      return Expected::Accepted;
    case Verdict::Dropped:
      return Expected::Dropped;
    case Verdict::Failed:
      return Expected::Failed;
    }
  if (std::string what = slot.mismatch(message); !what.empty()) {
    failWith("the ranks' calls do not match: " + what + " (those of another engine differ)");
    return Expected::Failed;
  }
  return Expected::Accepted;
}

bool Communicator::exchanged(uint64_t number, std::span<const uint8_t> all) {
  Slot &slot = slotAt(number);
  if (collective::isOneWay(slot.header().shape, own, slot.header().root))
    return true;
  const uint64_t before = slot.capacity();
  const Time end = engine.end();
  if (Status status = slot.setWhole(all, combine); !status) {
    failWith(status.error().str());
    return false;
  }
  account(slot, before);
  if (!waitForFolds(slot, end))
    deliverAll(slot);
  return true;
}

} // namespace acis::sw
