// See Memory.h.
#include "runtime/engine/model/Memory.h"

#include <algorithm>

namespace acis::model {

BeatRuns::BeatRuns(uint64_t base, int64_t stride0, int64_t stride1, uint32_t innerCount,
                   uint32_t iterations, unsigned bytes, unsigned lastBytes, unsigned beatBytes)
    : base(uint32_t(base)), outer(uint32_t(base)), stride0(uint32_t(stride0)),
      stride1(uint32_t(stride1)), innerCount(innerCount), left(iterations), full(bytes),
      last(lastBytes), beatBytes(beatBytes) {
  innerDense = innerCount == 1 || this->stride0 == bytes;
  allDense = innerDense && (this->stride1 == innerCount * bytes || iterations <= innerCount);
}

void BeatRuns::next(uint64_t &first, uint64_t &end) {
  const uint32_t accesses = allDense ? left : innerDense ? std::min(left, innerCount) : 1;
  const uint64_t bytes = uint64_t(accesses - 1) * full + (accesses == left ? last : full);
  first = base / beatBytes;
  end = (uint64_t(base) + bytes - 1) / beatBytes + 1;
  const bool skips = holds && first == held;
  held = end - 1;
  holds = true;
  first += skips;
  left -= accesses;
  if (innerDense || ++inner == innerCount) {
    inner = 0;
    base = outer += stride1;
  } else {
    base += stride0;
  }
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
  decided.reset(overlay.stallLatency);
}

void ReadMaster::start(const AccessWalk &accesses, const BeatRuns &runs, uint64_t user) {
  if (accesses.done())
    return;
  fetches.push_back(runs);
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
  popped = true;
  advance();
  freed = consumed;
}

void ReadMaster::decide() {
  if (decided.cycles() == 0)
    return pop();
  advance();
  decided.add(consumed);
}

void ReadMaster::begin() {
  decided.begin([this](uint64_t beats) {
    popped = true;
    freed = beats;
  });
}

/// Goes on to the next access.
void ReadMaster::advance() {
  Consumer &job = consumers.front();
  job.lastBeat = (uint64_t(job.walk.address()) + job.walk.bytes() - 1) / beatBytes;
  job.holds = true;
  consumed = needed;
  job.walk.next();
  if (job.walk.done())
    consumers.pop_front();
  computeNeed();
}

void ReadMaster::grant(Banks &banks, uint64_t now) {
  if (runBeat == runEnd)
    return;
  const Burst burst = {runBeat, unsigned(std::min({runEnd - runBeat, uint64_t(burstBeats),
                                                   banks.blockLeft(runBeat)}))};
  if (flights.size() >= outstanding || requested - freed + burst.count > capacity ||
      !banks.free(burst.beat, now))
    return;
  banks.take(burst, now);
  const uint64_t first = std::max(now + latency, portFree);
  portFree = first + burst.count;
  flights.push_back({first, burst.count});
  requested += burst.count;
  runBeat += burst.count;
}

void ReadMaster::request(Banks &banks, uint64_t now) {
  grant(banks, now);
  if (runBeat == runEnd && known != 0) {
    fetches.front().next(runBeat, runEnd);
    if (fetches.front().done())
      fetches.pop_front();
  }
  known = fetches.size();
}

void ReadMaster::receive(uint64_t now) {
  popped = false;
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
  decided.reset(overlay.stallLatency);
}

void WriteMaster::decide(uint32_t address, unsigned bytes, bool last, const Banks &banks) {
  if (decided.cycles() != 0) {
    decided.add({address, bytes, last});
    return;
  }
  write(address, bytes, banks);
  if (last)
    flush(banks);
}

void WriteMaster::begin(const Banks &banks) {
  hadRoom = buffered + 2 * decided.size() + 2 <= capacity;
  decided.begin([&](const Access &access) {
    write(access.address, access.bytes, banks);
    if (access.last)
      flush(banks);
  });
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
  if (sending != 0 && sendingUntil <= now) {
    buffered -= sending;
    sending = 0;
  }
  const bool may = offered != 0 && sending == 0 && acks.size() < outstanding;
  if (may && banks.free(queue.front().beat, now)) {
    const Burst burst = queue.front();
    queue.pop_front();
    banks.take(burst, now);
    sending = burst.count;
    sendingUntil = now + burst.count;
    acks.push_back(now + burst.count + latency);
  }
  offered = queue.size();
}

} // namespace acis::model
