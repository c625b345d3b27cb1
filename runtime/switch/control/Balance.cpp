#include "runtime/switch/control/Balance.h"

#include <algorithm>

namespace acis::control {

namespace {

double backlog(const Queue &queue) { return queue.length * queue.taskTime; }

double evenBacklog(const std::vector<Queue> &queues) {
  double tasks = 0, speed = 0;
  for (const Queue &queue : queues)
    if (queue.active) {
      tasks += queue.length;
      speed += 1 / queue.taskTime;
    }
  return speed == 0 ? 0 : tasks / speed;
}

double longestBacklog(const std::vector<Queue> &queues) {
  double most = 0;
  for (const Queue &queue : queues)
    if (queue.active)
      most = std::max(most, backlog(queue));
  return most;
}

/// Of those that can give; -1: none can.
int longest(const std::vector<Queue> &queues) {
  int best = -1;
  for (int i = 0; i < int(queues.size()); ++i)
    if (queues[size_t(i)].active && queues[size_t(i)].movable > 0 &&
        (best < 0 || backlog(queues[size_t(i)]) > backlog(queues[size_t(best)])))
      best = i;
  return best;
}

} // namespace

void Balance::guessTimes(std::vector<Queue> &queues) {
  double sum = 0, known = 0;
  for (const Queue &queue : queues)
    if (queue.active && queue.taskTime > 0) {
      sum += queue.taskTime;
      ++known;
    }
  for (Queue &queue : queues)
    if (!(queue.taskTime > 0))
      queue.taskTime = known == 0 ? 1 : sum / known;
}

int Balance::shortest(const std::vector<Queue> &queues) {
  int best = -1;
  auto end = [&](int i) { return (queues[size_t(i)].length + 1) * queues[size_t(i)].taskTime; };
  for (int i = 0; i < int(queues.size()); ++i)
    if (queues[size_t(i)].active && (best < 0 || end(i) < end(best)))
      best = i;
  return best;
}

std::vector<uint32_t> Balance::plan(std::vector<Queue> &queues, double imbalance, double settled) {
  std::vector<uint32_t> gives(queues.size());
  guessTimes(queues);
  const double even = evenBacklog(queues);
  while ((moving = longestBacklog(queues) > even * (1 + (moving ? settled : imbalance)))) {
    const int from = longest(queues), to = shortest(queues);
    if (from < 0 || from == to)
      break;
    Queue &giver = queues[size_t(from)], &taker = queues[size_t(to)];
    if (!((taker.length + 1) * taker.taskTime < backlog(giver)))
      break;
    --giver.length;
    --giver.movable;
    ++taker.length;
    ++gives[size_t(from)];
  }
  return gives;
}

} // namespace acis::control
