// What must be true of a world, and what makes two of them alike.
#include "runtime/switch/core/test/ExploreNodes.h"

#include "runtime/switch/wire/Across.h"

#include <algorithm>
#include <set>

namespace acis::explore {

namespace {

uint64_t mix(uint64_t h, uint64_t value) {
  h = (h ^ value) * 0xff51afd7ed558ccd;
  return h ^ h >> 32;
}

} // namespace

uint64_t hashOf(const std::vector<uint64_t> &values) {
  uint64_t h = 0x9e3779b97f4a7c15;
  for (uint64_t value : values)
    h = mix(h, value);
  return h;
}

uint64_t hashBytes(const std::vector<uint8_t> &bytes) {
  return std::hash<std::string_view>()(
      {reinterpret_cast<const char *>(bytes.data()), bytes.size()});
}

std::string World::staleness() const {
  uint64_t least = UINT64_MAX, furthest = 0;
  for (const auto &rank : ranks) {
    const client::HostControl *group = rank->session ? rank->session->control(0) : nullptr;
    if (!group)
      continue;
    if (!group->order().failure.empty())
      return "the group of rank " + std::to_string(rank->id) + ": " + group->order().failure;
    least = std::min(least, group->done());
    furthest = std::max(furthest, group->done());
  }
  if (least != UINT64_MAX && furthest > least + scene.policy.mostStaleness + 1)
    return "one has done " + std::to_string(furthest) + " iterations and one " +
           std::to_string(least);
  return "";
}

/// "" or a task that two living ranks have run.
std::string World::tasksTwice() const {
  std::set<uint8_t> ran;
  for (const auto &rank : ranks)
    for (uint8_t task : rank->ran)
      if (!rank->dead && !ran.insert(task).second)
        return "task " + std::to_string(task) + " was run twice";
  return "";
}

/// After the end: "" or a task that nobody has run, and that no dead one had.
std::string World::tasksLost() const {
  std::set<uint8_t> seen;
  for (const auto &rank : ranks) {
    seen.insert(rank->ran.begin(), rank->ran.end());
    seen.insert(rank->lost.begin(), rank->lost.end());
  }
  for (const Script &script : scene.scripts)
    for (const Step &step : script)
      if (step.what == Do::Put && !seen.contains(uint8_t(step.program)))
        return "task " + std::to_string(step.program) + " was lost";
  return "";
}

/// Without progress for so long, it will never be made. To find that somebody is dead takes long if
/// what it is sent is repeated meanwhile: a step of time counts no more than the wait for that.
unsigned World::mostIdleRounds() const { return scene.mortal ? 80 : 25; }

std::string World::wrong() const {
  for (const std::string &what : {staleness(), tasksTwice(), wrongSum, wrongAnswer})
    if (!what.empty())
      return what;
  for (const auto &rank : ranks) {
    const std::string who = "rank " + std::to_string(rank->id);
    if (rank->session && !rank->session->failure().empty())
      return who + " failed: " + rank->session->failure();
    for (const Rank::Call &call : rank->calls)
      if (rank->session->isDone(call.request) && call.given() != call.want)
        return who + ": " + std::string(nameOf(call.kind)) + " gave " +
               std::to_string(call.given()) + ", not " + std::to_string(call.want);
    for (uint32_t context = 0; rank->session && context < scene.groups.size(); ++context)
      if (auto answer = rank->session->joinAnswer(context); answer && !answer->empty())
        return who + " was refused: " + *answer;
  }
  for (uint32_t r = 0; r < ranks.size(); ++r)
    if (idleRounds > mostIdleRounds() && ranks[r]->done < scene.scripts[r].size())
      return "rank " + std::to_string(r) + " does not end its step " +
             std::to_string(ranks[r]->done);
  return "";
}

std::string World::remains() {
  for (unsigned round = 0; round < (scene.mortal ? 30 : 6); ++round) {
    apply({Action::Timer, Action::AllNodes});
    settle();
  }
  const bool closed = std::all_of(scene.scripts.begin(), scene.scripts.end(),
                                  [](const Script &s) { return s.back().what == Do::Close; });
  const bool freed =
      closed || std::all_of(scene.scripts.begin(), scene.scripts.end(),
                            [](const Script &s) { return s.back().what == Do::Free; });
  for (const auto &item : switches) {
    const std::string who = "switch " + std::to_string(item->id) + " still has ";
    if (freed && item->collectives->contexts() != 0)
      return who + "communicators";
    const bool dismissed =
        std::all_of(scene.scripts.begin(), scene.scripts.end(), [](const Script &s) {
          return s.back().what == Do::Dismiss || s.back().what == Do::Die;
        });
    if ((dismissed || closed) && !item->control->groups().empty())
      return who + "control groups";
    if (closed && item->memory && item->memory->blocks.count() != 0)
      return who + "blocks";
    if (closed && item->device.jobs() != 0)
      return who + "the job";
    if (closed && item->device.sessions() != 0)
      return who + "sessions";
  }
  if (std::string lost = tasksLost(); !lost.empty())
    return lost;
  return wrong();
}

uint64_t World::fingerprint(bool anyOrder) const {
  // Worlds that differ in time alone behave alike, but where somebody will be taken for dead.
  std::vector<uint64_t> parts = {scene.mortal ? idleRounds : 0};
  for (const auto &rank : ranks) {
    parts.insert(parts.end(), {rank->done, rank->begun, rank->paused, rank->sessions, rank->dead});
    for (const Rank::Call &call : rank->calls)
      parts.push_back(uint64_t(uint32_t(call.given())) << 1 | rank->session->isDone(call.request));
    parts.insert(parts.end(), rank->ran.begin(), rank->ran.end());
    parts.insert(parts.end(), rank->lost.begin(), rank->lost.end());
    parts.push_back(rank->asked.size());
    if (rank->session)
      rank->session->fingerprint(parts);
  }
  for (const auto &item : switches) {
    item->device.fingerprint(parts);
    item->collectives->fingerprint(parts);
    item->control->fingerprint(parts);
    if (item->memory) {
      item->node->fingerprint(parts);
      item->memory->fingerprint(parts);
    }
  }
  // The number of a packet matters for requests, whose order counts, and if it was seen.
  auto hashFlight = [&](const Flight &flight) {
    std::vector<uint8_t> bytes = flight.bytes;
    size_t at = 0;
    if (Transit::isOne(bytes)) { // and its tag that of another
      at = Transit::Bytes;
      io::store(bytes.data() + Transit::Bytes - TagBytes, uint64_t(0));
      io::store(bytes.data() + at + HeaderBytes - TagBytes, uint64_t(0));
    }
    const auto type = PacketType(bytes[at + 2]);
    if ((type >= PacketType::Contribute && type <= PacketType::Credit) ||
        type >= PacketType::Shared)
      io::store(bytes.data() + at + 16, uint64_t(0));
    return hashOf(
        {flight.from, flight.to, hashBytes(bytes), delivered.contains(hashBytes(flight.bytes))});
  };
  for (const std::deque<Flight> *some : {&flights, &late}) {
    std::vector<uint64_t> packets;
    for (const Flight &flight : *some)
      packets.push_back(hashFlight(flight));
    if (anyOrder || some == &late)
      std::sort(packets.begin(), packets.end());
    parts.push_back(packets.size());
    parts.insert(parts.end(), packets.begin(), packets.end());
  }
  return hashOf(parts);
}

} // namespace acis::explore
