#include "runtime/host/client/HandlerStream.h"

#include <algorithm>

namespace acis {

namespace {
constexpr size_t DatagramBytes = 65'536;
}

HandlerStream::Outcome HandlerStream::exchange(const Work &work) {
  Outcome done;
  const uint64_t packets = (work.in.size() + work.packetBytes - 1) / work.packetBytes;
  uint64_t next = 0; // to be sent; done.packet is the first whose answer is not in `out`
  auto fails = [&](Cause cause, std::string what) {
    done.cause = cause;
    done.what = std::move(what);
    return done;
  };
  while (done.packet < packets) {
    for (; next < packets && next < done.packet + work.window; ++next) {
      Slot &slot = slots[next % work.window];
      const size_t start = next * work.packetBytes;
      const size_t size = std::min(work.packetBytes, work.in.size() - start);
      if (Status sent = send(slot, work.in.subspan(start, size)); !sent)
        return fails(Cause::Unreachable, sent.error().str());
      slot.waits = true;
      slot.until = wire::systemTime() + work.deadline;
    }
    // Only the first one ends the stream: it is the oldest, so no deadline passes before its.
    Slot &first = slots[done.packet % work.window];
    if (first.waits)
      if (Status slept = sleep(); !slept)
        return fails(Cause::Unreachable, slept.error().str());
    for (Slot &slot : slots)
      if (slot.waits)
        if (Status received = receive(slot); !received)
          return fails(Cause::Unreachable, received.error().str());
    for (; done.packet < next && !slots[done.packet % work.window].waits; ++done.packet) {
      const std::vector<uint8_t> &answer = slots[done.packet % work.window].answer;
      if (answer.size() > work.out.size() - done.written)
        return fails(Cause::NoRoom, "packet " + std::to_string(done.packet) + ": its answer has " +
                                        std::to_string(answer.size()) + " bytes, room is for " +
                                        std::to_string(work.out.size() - done.written) + " of " +
                                        std::to_string(work.out.size()) +
                                        "; give a larger output buffer");
      std::copy(answer.begin(), answer.end(), work.out.begin() + ptrdiff_t(done.written));
      done.written += answer.size();
      if (work.lengths)
        work.lengths[done.packet] = uint32_t(answer.size());
    }
    const Slot &oldest = slots[done.packet % work.window];
    if (done.packet < next && oldest.waits && wire::systemTime() >= oldest.until)
      return fails(Cause::Lost, "packet " + std::to_string(done.packet) + " of " +
                                    std::to_string(packets) + ": no answer within " +
                                    wire::seconds(work.deadline));
  }
  return done;
}

HandlerStream::Outcome HandlerStream::run(const Work &work) {
  if (slots.size() != work.window) {
    reset();
    slots.resize(work.window);
  }
  datagram.resize(DatagramBytes);
  Outcome outcome = exchange(work);
  if (outcome.cause != Cause::None)
    reset();
  return outcome;
}

} // namespace acis
