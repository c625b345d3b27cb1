#include "runtime/switch/control/Moves.h"

#include <algorithm>

namespace acis::control {

using namespace wire;

Moves::Moves(const Policy &policy, uint32_t members) : rules(policy), list(members) {}

void Moves::report(const Record &record, Time now) {
  Member &member = list[record.position];
  if (member.left)
    return;
  known += !member.known;
  fresh |= !member.known || member.load != record.load || record.left;
  member.known = true;
  if (isPossible(member, record.load)) {
    confirm(member, record.load.taken, now);
    member.load = record.load;
  }
  if (record.left)
    leave(member, now);
}

/// What an honest member may say next.
bool Moves::isPossible(const Member &member, const Load &load) {
  const bool hasFirst = load.taken == member.load.taken + 1 && !member.there.empty();
  return (load.taken == member.load.taken || hasFirst) && load.answered <= member.ordered &&
         load.answered >= member.load.answered && load.given >= member.load.given &&
         load.given <= load.answered;
}

/// Of what was sent to it, nothing but the first can have arrived.
void Moves::confirm(Member &member, uint32_t taken, Time now) {
  if (taken != member.load.taken + 1 || member.there.empty())
    return;
  released += int64_t(member.there.front().size());
  member.there.pop_front();
  member.repeat.answered(now);
  member.repeat.begin(now);
  ++arrived;
}

/// What it has said to have is gone with it.
void Moves::leave(Member &member, Time now) {
  member.left = true;
  const std::deque<std::vector<uint8_t>> back = std::exchange(member.there, {});
  for (const std::vector<uint8_t> &task : back)
    assign(task, now);
}

/// To whom it will end first.
void Moves::assign(std::vector<uint8_t> task, Time now) {
  std::vector<Queue> all = queues();
  Balance::guessTimes(all);
  const int to = Balance::shortest(all);
  fresh = true;
  if (to < 0) { // nobody is left
    released += int64_t(task.size());
    return;
  }
  Member &taker = list[size_t(to)];
  if (taker.there.empty()) {
    taker.repeat.begin(now);
  }
  taker.there.push_back(std::move(task));
}

/// As they are when all that was ordered and sent has been given and has arrived.
std::vector<Queue> Moves::queues() const {
  std::vector<Queue> out;
  for (const Member &member : list) {
    const uint32_t open = member.ordered - member.load.answered;
    const uint32_t stay = member.load.queued - std::min(open, member.load.queued);
    Queue queue;
    queue.active = member.known && !member.left;
    queue.movable = std::min(stay, MostAhead - open);
    queue.length = stay + double(member.there.size()) + !member.load.waits;
    queue.taskTime = double(member.load.taskTime);
    out.push_back(queue);
  }
  return out;
}

bool Moves::hasEnded(const Member &member) const {
  const Load &load = member.load;
  return member.left ||
         (load.waits && load.queued == 0 && load.rounds == rounds &&
          load.answered == member.ordered && load.given == member.received && member.there.empty());
}

/// All queues have ended, and nothing is on its way.
bool Moves::endRound() {
  if (known < list.size() ||
      !std::all_of(list.begin(), list.end(), [&](const Member &m) { return hasEnded(m); }))
    return false;
  ++rounds;
  return true;
}

uint32_t Moves::leaving(const Member &member) {
  const uint32_t open = member.ordered - member.load.answered;
  // Some of them may be here before the Report that counts them.
  const uint32_t all = member.load.given + std::min(open, member.load.queued);
  return member.left || all <= member.received ? 0 : all - member.received;
}

bool Moves::orderGives() {
  if (rules.imbalance == 0 || known < list.size())
    return false;
  std::vector<Queue> all = queues();
  // Those that are on their way to this switch will go where they end first.
  Balance::guessTimes(all);
  for (const Member &member : list)
    for (uint32_t i = 0; i < leaving(member); ++i)
      ++all[size_t(Balance::shortest(all))].length;
  const std::vector<uint32_t> gives = balance.plan(all, double(rules.imbalance) / Policy::Whole,
                                                   double(rules.settled) / Policy::Whole);
  bool changed = false;
  for (size_t p = 0; p < list.size(); ++p) {
    list[p].ordered += gives[p];
    changed |= gives[p] > 0;
  }
  return changed;
}

void Moves::decide() {
  if (!std::exchange(fresh, false))
    return;
  const bool hasEnded = endRound();
  changes += orderGives() || hasEnded;
}

void Moves::describe(Order &order) const {
  order.rounds = rounds;
  order.gives.clear();
  for (uint32_t p = 0; p < list.size(); ++p) {
    const Member &member = list[p];
    if (!member.left && member.ordered != member.load.answered)
      order.gives.push_back({p, member.ordered});
    if (hasEnded(list[order.busiest]) && !hasEnded(member))
      order.busiest = p;
  }
}

void Moves::fingerprint(std::vector<uint64_t> &out) const {
  out.insert(out.end(), {rounds, known});
  for (const Member &member : list) {
    const Load &load = member.load;
    out.insert(out.end(),
               {member.known, member.left, member.ordered, member.received, member.there.size(),
                load.queued, load.answered, load.given, load.taken, load.rounds, load.waits});
    for (const std::vector<uint8_t> &task : member.there)
      out.insert(out.end(), task.begin(), task.end());
  }
}

} // namespace acis::control
