#include "runtime/switch/control/Pace.h"

#include <algorithm>

namespace acis::control {

using namespace wire;

namespace {
/// Arrivals are kept for so many iterations after the one that is timed.
constexpr uint64_t mostRows = 64;
/// Of all samples together: what one computation of a deadline may cost.
constexpr uint32_t mostSamples = 65'536;
/// How much further the one in front may be looked for a better moment to wait.
constexpr uint32_t mostStretch = 256;
} // namespace

Pace::Pace(const Policy &policy, uint32_t members)
    : rules(policy), list(members), active(members), bound(policy.staleness) {
  history.members = members;
  said.deadline = policy.extra == Policy::Extra::Deadline ? policy.deadline : 0;
  said.staleness = bound;
  if (policy.extra == Policy::Extra::None)
    said.signalled = UINT64_MAX;
}

template <typename F> void Pace::ordering(F f) {
  const Order before = said;
  f();
  nameSlowest();
  Order compared = said; // who is slowest is told with the rest only
  compared.slowest = before.slowest;
  compared.slowestDone = before.slowestDone;
  changes += compared != before;
}

void Pace::fail(const std::string &what) {
  ordering([&] {
    if (said.failure.empty())
      said.failure = what;
  });
}

std::string Pace::change(const Policy &policy, Time now) {
  if (std::string wrong = policy.wrong(); !wrong.empty())
    return wrong;
  if (policy.extra != rules.extra)
    return "until when extra work is done cannot be changed";
  ordering([&] {
    rules = policy;
    bound = rules.staleness;
    if (rules.extra == Policy::Extra::Deadline && rules.deadline != 0)
      said.deadline = rules.deadline;
    advance(now);
  });
  return "";
}

void Pace::report(const Record &record, Time now) {
  Member &member = list[record.position];
  if (record.done < member.done || (member.left && !record.left))
    return;
  if (said.allowed != UINT64_MAX && record.done > said.allowed)
    return fail("rank " + std::to_string(record.rank) + " has done " + std::to_string(record.done) +
                " iterations; " + std::to_string(said.allowed) + " were allowed to begin");
  ordering([&] {
    take(member, record, now);
    advance(now);
  });
}

void Pace::take(Member &member, const Record &record, Time now) {
  if (!member.known) {
    member.known = true;
    member.rank = record.rank;
    ++known;
  }
  if (record.done > member.done) {
    if (member.last != 0)
      member.interval = (now - member.last) / (record.done - member.done);
    beyond += !member.left && member.done <= said.floor && record.done > said.floor;
    member.done = record.done;
    member.last = now;
    note(record.position, record.done - 1, now);
  }
  if (record.left && !member.left) {
    member.left = true;
    --active;
    beyond -= member.done > said.floor;
  }
  if (isComplete() && rules.mostStaleness > bound && member.done >= said.allowed)
    stretch(member, now);
}

/// Members that must have done an iteration. Who has left holds nobody up.
uint32_t Pace::needed() const {
  return rules.quorum == 0 ? active : std::min(rules.quorum, active);
}

void Pace::advance(Time now) {
  if (!isComplete() || !said.failure.empty() || active == 0)
    return;
  if (beyond >= needed())
    raiseFloor();
  allow(now);
  signal(now);
}

/// To what the quorum has done.
void Pace::raiseFloor() {
  std::vector<uint64_t> done;
  for (const Member &member : list)
    if (!member.left)
      done.push_back(member.done);
  const auto nth = done.begin() + (needed() - 1);
  std::nth_element(done.begin(), nth, done.end(), std::greater<>());
  said.floor = std::max(said.floor, *nth);
  beyond = 0;
  uint64_t furthest = 0;
  for (uint64_t one : done) {
    beyond += one > said.floor;
    furthest = std::max(furthest, one);
  }
  if (furthest - said.floor <= rules.staleness)
    bound = rules.staleness; // nobody needs more
}

void Pace::allow(Time now) {
  said.staleness = bound;
  const uint64_t upTo = bound == Policy::Unbounded
                            ? UINT64_MAX
                            : said.floor + std::min<uint64_t>(bound, ~said.floor - 1) + 1;
  if (upTo <= said.allowed)
    return;
  for (Member &member : list)
    if (member.done >= said.allowed)
      member.last = now; // it was held
  said.allowed = upTo;
}

/// The member would have to wait. It may go on for as many iterations more as make its wait for
/// the next arrival of the slowest shortest, if both go on as in their last ones.
void Pace::stretch(const Member &fastest, Time now) {
  const Member *slowest = nullptr;
  for (const Member &member : list)
    if (!member.left && (!slowest || member.done < slowest->done))
      slowest = &member;
  if (!slowest || slowest == &fastest || slowest->interval == 0 || fastest.interval == 0)
    return;
  auto waitAfter = [&](uint32_t more) {
    const Time then = now + more * fastest.interval;
    const Time since = then - slowest->last;
    return slowest->interval - since % slowest->interval;
  };
  const uint32_t most = std::min(rules.mostStaleness - bound, mostStretch);
  uint32_t best = 0;
  for (uint32_t more = 1; more <= most; ++more)
    if (waitAfter(more) < waitAfter(best))
      best = more;
  bound += best;
}

void Pace::note(uint32_t position, uint64_t iteration, Time now) {
  if (rules.extra != Policy::Extra::Deadline || iteration < timed || iteration - timed >= mostRows)
    return;
  while (rows.size() <= iteration - timed)
    rows.emplace_back(list.size());
  rows[iteration - timed][position] = now;
}

void Pace::signal(Time now) {
  if (rules.extra == Policy::Extra::LastArrival)
    said.signalled = said.floor;
  if (rules.extra != Policy::Extra::Deadline)
    return;
  if (said.floor > timed + mostRows) { // many at once: nothing is known of them
    timed = said.floor - 1;
    rows.clear();
    begun = now;
  }
  begun = std::min(begun, now);
  for (;;) {
    if (said.signalled <= timed && now >= begun + said.deadline) {
      said.signalled = timed + 1;
      missed += said.deadline != 0 && said.floor <= timed;
    }
    if (said.signalled <= timed || said.floor <= timed)
      return;
    endRow();
    ++timed;
    begun = now;
  }
}

/// An iteration counts if every member was seen in it.
void Pace::endRow() {
  if (rows.empty())
    return;
  const Row row = std::move(rows.front());
  rows.pop_front();
  if (std::any_of(row.begin(), row.end(), [&](Time at) { return at < begun; }))
    return;
  for (Time at : row)
    history.work.push_back(double(at - begun));
  const size_t window = std::clamp<size_t>(mostSamples / list.size(), 1, rules.window);
  if (history.iterations() > window)
    history.work.erase(history.work.begin(), history.work.begin() + long(list.size()));
  if (++rowsSeen % rules.every == 0 && rules.deadline == 0)
    said.deadline = Time(bestDeadline(history, double(rules.utility) / Policy::Whole).deadline);
}

void Pace::nameSlowest() {
  const Member *slowest = nullptr;
  for (const Member &member : list)
    if (!member.left &&
        (!slowest || !member.known || (slowest->known && member.done < slowest->done)))
      slowest = &member;
  if (!slowest)
    return;
  said.slowest = uint32_t(slowest - list.data());
  said.slowestDone = slowest->done;
}

Time Pace::tick(Time now) {
  if (rules.extra != Policy::Extra::Deadline || begun == Never || active == 0 ||
      !said.failure.empty() || said.signalled > timed)
    return Never;
  if (now < begun + said.deadline)
    return begun + said.deadline;
  ordering([&] { advance(now); });
  return said.signalled > timed ? Never : begun + said.deadline;
}

void Pace::fingerprint(std::vector<uint64_t> &out) const {
  out.insert(out.end(), {changes, said.allowed, said.floor, said.signalled, said.deadline, bound,
                         said.failure.size(), timed, rows.size(), rowsSeen});
  for (const Member &member : list) {
    out.insert(out.end(), {member.known, member.left, member.done});
    if (rules.mostStaleness > rules.staleness)
      out.insert(out.end(), {member.last, member.interval});
  }
}

} // namespace acis::control
