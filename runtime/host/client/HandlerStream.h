// A stream of packets through a handler: a window of packets on their way, each with a
// socket of its own, because nothing in an answer says which packet it belongs to.
#pragma once

#include "backend/support/Result.h"
#include "runtime/switch/wire/Address.h"
#include "runtime/switch/wire/Clock.h"

#include <functional>
#include <span>
#include <vector>

namespace acis {

class HandlerStream {
public:
  enum class Cause : uint8_t { None, Unreachable, Lost, NoRoom };
  struct Outcome {
    Cause cause = Cause::None;
    std::string what; ///< "" if `cause` is None
    uint64_t packet = 0;
    size_t written = 0; ///< bytes of answers, of the packets before `packet`
  };
  struct Work {
    std::span<const uint8_t> in;
    size_t packetBytes = 0; ///< more than 0
    std::span<uint8_t> out;
    uint32_t *lengths = nullptr; ///< one for each packet, or null
    uint32_t window = 1;
    wire::Time deadline = 0; ///< from a packet to its answer
  };

  explicit HandlerStream(const wire::Address &to) : to(to) {}
  HandlerStream(const HandlerStream &) = delete;
  HandlerStream &operator=(const HandlerStream &) = delete;
  ~HandlerStream() { reset(); }

  Outcome run(const Work &work);

private:
  struct Slot {
    int fd = -1;
    bool waits = false;
    wire::Time until = 0; ///< while it waits
    std::vector<uint8_t> answer;
  };

  // HandlerSockets.cpp; a simulation has its own.
  void reset(); ///< new ports: an answer that comes late finds nobody
  /// And forgets what has come for the slot before.
  Status send(Slot &slot, std::span<const uint8_t> packet) const;
  Status receive(Slot &slot);
  Status sleep() const;
  Outcome exchange(const Work &work);

  const wire::Address to;
  std::vector<Slot> slots; ///< packet i has slot i % window
  std::vector<uint8_t> datagram;
};

} // namespace acis
