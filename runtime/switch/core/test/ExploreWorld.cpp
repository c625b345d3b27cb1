#include "runtime/switch/core/test/ExploreNodes.h"

#include <algorithm>
#include <bit>

namespace acis::explore {

/// Longer than any wait for a repetition, and than a switch remembers who has left.
static constexpr Time leap = 3 * Second / 2;

Address World::addressOf(uint16_t node) {
  Address address;
  address.port = uint16_t(node + 1);
  return address;
}

World::World(const Scene &scene) : scene(scene) {
  for (uint32_t r = 0; r < scene.scripts.size(); ++r) {
    ranks.push_back(std::make_unique<Rank>());
    ranks.back()->id = r;
  }
  for (uint32_t id = 0; id < std::max<size_t>(1, scene.parentOfSwitch.size()); ++id)
    switches.push_back(std::make_unique<Device>(*this, id));
  for (limit = 1; limit <= scene.calm; ++limit) {
    for (uint32_t r = 0; r < ranks.size(); ++r)
      advance(r);
    settle();
  }
  limit = ~0u;
  for (uint32_t r = 0; r < ranks.size(); ++r)
    advance(r);
}

World::~World() = default;

void World::settle() {
  while (!flights.empty())
    apply({Action::Deliver, 0});
}

void World::advance(uint32_t r) {
  Rank &rank = *ranks[r];
  while (!rank.paused && rank.done < std::min<size_t>(limit, scene.scripts[r].size())) {
    const Step &what = scene.scripts[r][rank.done];
    rank.begun = rank.begun || begin(rank, what);
    if (!rank.begun || !hasEnded(rank, what))
      return;
    rank.begun = false;
    ++rank.done;
    idleRounds = 0;
  }
}

void World::deliver(Flight flight) {
  if (io::load<uint64_t>(flight.bytes.data() + 16) != 0)
    delivered.insert(hashBytes(flight.bytes));
  if (flight.to < ranks.size()) {
    Rank &rank = *ranks[flight.to];
    if (!rank.session)
      return;
    rank.session->receive(flight.bytes, rank.clock);
    rank.session->tick(rank.clock);
    return advance(flight.to);
  }
  Device &device = *switches[flight.to - ranks.size()];
  const sw::Ingress in{0, addressOf(flight.from), flight.bytes};
  device.device.receive({&in, 1}, device.clock);
  device.device.tick(device.clock);
}

void World::timer(uint16_t node) {
  if (node < ranks.size()) {
    Rank &rank = *ranks[node];
    rank.clock += leap;
    if (rank.session)
      rank.session->tick(rank.clock);
    return advance(node);
  }
  Device &device = *switches[node - ranks.size()];
  device.clock += leap;
  if (device.memory)
    device.memory->finish();
  device.device.tick(device.clock);
}

void World::apply(Action action) {
  auto take = [](std::deque<Flight> &from, size_t i) {
    Flight flight = std::move(from[i]);
    from.erase(from.begin() + long(i));
    return flight;
  };
  switch (action.kind) {
  case Action::Deliver:
    return deliver(take(flights, action.index));
  case Action::Lose:
    return void(take(flights, action.index));
  case Action::Duplicate: // one now, one whenever
    late.push_back(flights[action.index]);
    return deliver(take(flights, action.index));
  case Action::Hold:
    return late.push_back(take(flights, action.index));
  case Action::Release:
    return deliver(take(late, action.index));
  case Action::Pause:
    ranks[action.index]->paused = true;
    return;
  case Action::Resume:
    ranks[action.index]->paused = false;
    return advance(action.index);
  case Action::Kill:
    dieNow(*ranks[action.index]);
    ranks[action.index]->done = scene.scripts[action.index].size();
    return;
  case Action::Timer:
    if (action.index != Action::AllNodes)
      return timer(action.index);
    ++idleRounds;
    for (uint16_t node = 0; node < ranks.size() + switches.size(); ++node)
      timer(node);
  }
}

bool World::isOver() const {
  for (uint32_t r = 0; r < ranks.size(); ++r)
    if (ranks[r]->done < scene.scripts[r].size())
      return false;
  return flights.empty() && late.empty();
}

std::optional<Action> World::next() const {
  if (!flights.empty())
    return Action{Action::Deliver, 0};
  for (uint16_t r = 0; r < ranks.size(); ++r)
    if (ranks[r]->paused)
      return Action{Action::Resume, r};
  if (!late.empty())
    return Action{Action::Release, 0};
  if (isOver() || idleRounds > mostIdleRounds())
    return std::nullopt;
  return Action{Action::Timer, Action::AllNodes};
}

std::vector<std::pair<Action, Budget>> World::others(const Budget &budget) const {
  std::vector<std::pair<Action, Budget>> out;
  auto costs = [&](Action action, unsigned Budget::*what) {
    Budget rest = budget;
    if (rest.*what == 0)
      return;
    --(rest.*what);
    out.push_back({action, rest});
  };
  const size_t first = std::min<size_t>(flights.size(), budget.anyOrder ? flights.size() : 1);
  for (uint16_t i = 0; i < first; ++i) {
    if (i > 0)
      out.push_back({{Action::Deliver, i}, budget});
    costs({Action::Lose, i}, &Budget::losses);
    costs({Action::Duplicate, i}, &Budget::duplicates);
    costs({Action::Hold, i}, &Budget::holds);
  }
  for (uint16_t i = 0; i < late.size(); ++i)
    out.push_back({{Action::Release, i}, budget});
  for (uint16_t r = 0; r < ranks.size(); ++r)
    if (ranks[r]->paused)
      out.push_back({{Action::Resume, r}, budget});
    else if (ranks[r]->done < scene.scripts[r].size())
      costs({Action::Pause, r}, &Budget::pauses);
  for (uint16_t node = 0; node < ranks.size() + switches.size(); ++node)
    costs({Action::Timer, node}, &Budget::timers);
  if (scene.mayDie && mayDie(*ranks[*scene.mayDie]))
    costs({Action::Kill, uint16_t(*scene.mayDie)}, &Budget::deaths);
  return out;
}

/// "" or who is too far ahead, or was told that the control group has failed.

} // namespace acis::explore
