// See Memory.h.
#include "runtime/model/Memory.h"

#include <algorithm>

namespace acis::model {

void BeatWalk::settle() {
  while (!walk.done()) {
    const uint64_t first = walk.address() / beatBytes;
    lastOfAccess = (uint64_t(walk.address()) + walk.bytes() - 1) / beatBytes;
    current = first;
    if (!holds || first != held)
      return;
    if (lastOfAccess > first) {
      ++current;
      return;
    }
    walk.next();
  }
  finished = true;
}

void Banks::reset(const Overlay &overlay) {
  freeAt.assign(overlay.memBanks, 0);
  interleaveBeats = std::max(1u, overlay.memInterleaveBytes / overlay.beatBytes());
}

void ReadMaster::reset(const Overlay &overlay) {
  *this = ReadMaster();
  beatBytes = overlay.beatBytes();
  burstBeats = overlay.memBurstBeats;
  outstanding = overlay.memOutstanding;
  latency = overlay.memReadLatency;
  capacity = std::max(2 * burstBeats, 2u);
}

void ReadMaster::start(const AccessWalk &accesses, uint64_t user) {
  if (accesses.done())
    return;
  fetches.emplace_back(accesses, beatBytes);
  consumers.push_back({accesses, user});
  if (consumers.size() == 1)
    computeNeed();
}

/// Sets `needed` to the number of beats after which the next access is complete.
void ReadMaster::computeNeed() {
  needed = consumed;
  if (consumers.empty())
    return;
  const Consumer &job = consumers.front();
  const uint64_t first = job.walk.address() / beatBytes;
  const uint64_t last = (uint64_t(job.walk.address()) + job.walk.bytes() - 1) / beatBytes;
  needed += last - first + (job.holds && first == job.lastBeat ? 0 : 1);
}

void ReadMaster::pop() {
  Consumer &job = consumers.front();
  job.lastBeat = (uint64_t(job.walk.address()) + job.walk.bytes() - 1) / beatBytes;
  job.holds = true;
  consumed = needed;
  job.walk.next();
  if (job.walk.done())
    consumers.pop_front();
  computeNeed();
}

void ReadMaster::form(const Banks &banks) {
  BeatWalk &walk = fetches.front();
  next = {walk.beat(), 0};
  do {
    ++next.count;
    walk.next();
  } while (!walk.done() && next.count < burstBeats && walk.beat() == next.beat + next.count &&
           banks.sameBlock(next.beat, walk.beat()));
  if (walk.done())
    fetches.pop_front();
}

void ReadMaster::request(Banks &banks, uint64_t now) {
  if (next.count == 0) {
    if (fetches.empty())
      return;
    form(banks);
  }
  if (flights.size() >= outstanding || requested - consumed + next.count > capacity ||
      !banks.free(next.beat, now))
    return;
  banks.take(next, now);
  const uint64_t first = std::max(now + latency, portFree);
  portFree = first + next.count;
  flights.push_back({first, next.count});
  requested += next.count;
  next.count = 0;
}

void ReadMaster::receive(uint64_t now) {
  if (flights.empty() || flights.front().firstArrival > now)
    return;
  Flight &flight = flights.front();
  ++flight.firstArrival;
  ++arrived;
  if (--flight.count == 0)
    flights.pop_front();
}

void WriteMaster::reset(const Overlay &overlay) {
  *this = WriteMaster();
  beatBytes = overlay.beatBytes();
  burstBeats = overlay.memBurstBeats;
  outstanding = overlay.memOutstanding;
  latency = overlay.memWriteLatency;
  capacity = std::max(2 * burstBeats, 2u);
}

/// Moves the open beat into the open burst, or into a new one.
void WriteMaster::closeBeat(const Banks &banks) {
  if (!hasOpenBeat)
    return;
  hasOpenBeat = false;
  const bool joins = openBurst.count != 0 && openBurst.count < burstBeats &&
                     openBeat == openBurst.beat + openBurst.count &&
                     banks.sameBlock(openBurst.beat, openBeat);
  if (joins) {
    ++openBurst.count;
  } else {
    if (openBurst.count != 0)
      queue.push_back(openBurst);
    openBurst = {openBeat, 1};
  }
  if (openBurst.count == burstBeats) {
    queue.push_back(openBurst);
    openBurst.count = 0;
  }
}

void WriteMaster::write(uint32_t address, unsigned bytes, const Banks &banks) {
  const uint64_t last = (uint64_t(address) + bytes - 1) / beatBytes;
  for (uint64_t beat = address / beatBytes; beat <= last; ++beat) {
    if (hasOpenBeat && beat == openBeat)
      continue;
    closeBeat(banks);
    openBeat = beat;
    hasOpenBeat = true;
    ++buffered;
  }
}

void WriteMaster::flush(const Banks &banks) {
  closeBeat(banks);
  if (openBurst.count != 0)
    queue.push_back(openBurst);
  openBurst.count = 0;
}

void WriteMaster::cycle(Banks &banks, uint64_t now) {
  while (!acks.empty() && acks.front() <= now)
    acks.pop_front();
  while (!sending.empty() && sending.front().first <= now) {
    buffered -= sending.front().second;
    sending.pop_front();
  }
  if (queue.empty() || acks.size() >= outstanding || !banks.free(queue.front().beat, now))
    return;
  const Burst burst = queue.front();
  queue.pop_front();
  banks.take(burst, now);
  sending.push_back({now + burst.count, burst.count});
  acks.push_back(std::max(now + burst.count + latency, acks.empty() ? 0 : acks.back()));
}

} // namespace acis::model
