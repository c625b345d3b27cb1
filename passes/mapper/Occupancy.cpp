// See Occupancy.h.
#include "passes/mapper/Occupancy.h"

#include <algorithm>

namespace acis::map {

static constexpr int HistoryStep = 12, MostHistory = 2000;

Occupancy::Occupancy(const Mrrg &mrrg)
    : mrrg(mrrg), cells(mrrg.numCells()), prices(mrrg.numCells(), 0), history(mrrg.numCells(), 0),
      hotAt(mrrg.numCells(), -1), registerLoad(size_t(mrrg.numPes()) * mrrg.ii(), 0) {}

void Occupancy::changed(unsigned cell) {
  int count = int(cells[cell].size());
  prices[cell] = history[cell] / 4 + count * (Overuse + history[cell]);
  bool isHot = count > 1;
  if (isHot == (hotAt[cell] >= 0))
    return;
  if (isHot) {
    hotAt[cell] = int(hot.size());
    hot.push_back(cell);
    return;
  }
  unsigned last = hot.back();
  hot[unsigned(hotAt[cell])] = last;
  hotAt[last] = hotAt[cell];
  hot.pop_back();
  hotAt[cell] = -1;
}

void Occupancy::countRegister(unsigned cell, int change) {
  unsigned pe, slot;
  if (mrrg.isRegister(cell, pe, slot))
    registerLoad[pe * mrrg.ii() + slot] += unsigned(change);
}

void Occupancy::add(unsigned cell, uint64_t key) {
  for (User &user : cells[cell])
    if (user.key == key) {
      ++user.refs;
      return;
    }
  cells[cell].push_back({key, 1});
  countRegister(cell, 1);
  changed(cell);
}

void Occupancy::remove(unsigned cell, uint64_t key) {
  std::vector<User> &users = cells[cell];
  auto at = std::find_if(users.begin(), users.end(), [&](const User &u) { return u.key == key; });
  if (--at->refs != 0)
    return;
  users.erase(at);
  countRegister(cell, -1);
  changed(cell);
}

bool Occupancy::isUsedBy(unsigned cell, uint64_t key) const {
  return std::any_of(cells[cell].begin(), cells[cell].end(),
                     [&](const User &u) { return u.key == key; });
}

int Occupancy::priceFor(unsigned cell, uint64_t key) const {
  if (cells[cell].empty())
    return prices[cell];
  unsigned others = unsigned(cells[cell].size()) - isUsedBy(cell, key);
  return int(others) * (Overuse + history[cell]);
}

void Occupancy::remember(unsigned cell) {
  history[cell] = std::min(history[cell] + HistoryStep, MostHistory);
  changed(cell);
}

} // namespace acis::map
