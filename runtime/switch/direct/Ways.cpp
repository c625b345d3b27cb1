#include "runtime/switch/direct/Ways.h"

#include "runtime/switch/collective/Message.h"
#include "runtime/switch/collective/Shapes.h"

#include <bit>

namespace acis::direct {

using namespace algorithms;
using collective::Down;
using collective::downOf;
using collective::Up;
using collective::upOf;

namespace {

/// Folds up to here are bound by the time of a message, not of its bytes (MPICH's limit).
constexpr uint64_t shortFold = 2048;

bool foldsToAll(Shape shape) { return upOf(shape) == Up::Fold && downOf(shape) != Down::Root; }

uint64_t elementsOf(const wire::Header &message, uint32_t members) {
  return collective::blockUp(message.shape, message.count, members);
}

/// Steps of one engine on the cube of 000 3.3.1 (collective/Row.h): corners are engines, the first
/// of which have one more engine folded into them.
class Cube {
public:
  Cube(const Party &party, uint32_t root, bool isByEngines, Range all, Schedule &out)
      : size(std::bit_floor(party.size)), extra(party.size - size), me(party.place), root(root),
        isByEngines(isByEngines), all(all), out(out) {}

  void up(bool folds);
  void down();
  void allgather();
  /// A corner that no engine is folded into comes cheaper as a root of nobody's choice.
  uint32_t firstCorner() const { return engineAt(0); }

private:
  bool isExtra(uint32_t engine) const { return engine < 2 * extra && engine % 2 == 0; }
  uint32_t cornerOf(uint32_t engine) const {
    return engine < 2 * extra ? engine / 2 : engine - extra;
  }
  uint32_t engineAt(uint32_t corner) const {
    return corner < extra ? 2 * corner + 1 : corner + extra;
  }
  uint32_t startOf(uint32_t corner) const { return corner < extra ? 2 * corner : corner + extra; }
  /// Of the engines at so many corners from one on.
  Range range(uint32_t corner, uint32_t corners) const {
    if (!isByEngines)
      return all;
    return {startOf(corner), uint64_t(startOf(corner + corners)) - startOf(corner)};
  }
  Range only(uint32_t engine) const { return isByEngines ? Range{engine, 1} : all; }
  /// The smallest face of so many corners that has `corner`.
  Range face(uint32_t corner, uint32_t corners) const {
    return range(corner & ~(corners - 1), corners);
  }
  Take take(uint32_t from, bool folds) const {
    return !folds ? Take::Copy : from < me ? Take::FoldLeft : Take::FoldRight;
  }
  void send(uint32_t to, Range what) { out.steps.push_back({to, what, Step::Nobody, {}}); }
  void receive(uint32_t from, Range what, Take take) {
    out.steps.push_back({Step::Nobody, {}, from, what, take});
  }

  uint32_t size, extra, me, root;
  bool isByEngines;
  Range all;
  Schedule &out;
};

void Cube::up(bool folds) {
  const uint32_t corner = cornerOf(me), origin = cornerOf(root), relative = corner ^ origin;
  if (isExtra(me)) {
    send(me + 1, only(me));
  } else {
    if (me < 2 * extra)
      receive(me - 1, only(me - 1), take(me - 1, folds));
    uint32_t bit = 1;
    for (; bit < size && !(relative & bit); bit *= 2)
      receive(engineAt(corner ^ bit), face(corner ^ bit, bit), take(engineAt(corner ^ bit), folds));
    if (bit < size)
      send(engineAt(corner ^ bit), face(corner, bit));
  }
  if (isExtra(root) && me == root + 1)
    send(root, all);
  else if (isExtra(root) && me == root)
    receive(root + 1, all, Take::Copy);
}

void Cube::down() {
  if (isExtra(root) && me == root)
    send(root + 1, all);
  else if (isExtra(root) && me == root + 1)
    receive(root, all, Take::Copy);
  if (isExtra(me)) {
    if (me != root)
      receive(me + 1, only(me), Take::Copy);
    return;
  }
  const uint32_t corner = cornerOf(me), relative = corner ^ cornerOf(root);
  const uint32_t span = relative == 0 ? size : relative & (~relative + 1);
  if (relative != 0)
    receive(engineAt(corner ^ span), face(corner, span), Take::Copy);
  for (uint32_t bit = span / 2; bit > 0; bit /= 2)
    send(engineAt(corner ^ bit), face(corner ^ bit, bit));
  if (me < 2 * extra && me - 1 != root)
    send(me - 1, only(me - 1));
}

void Cube::allgather() {
  if (isExtra(me)) {
    send(me + 1, only(me));
    return receive(me + 1, all, Take::Copy);
  }
  if (me < 2 * extra)
    receive(me - 1, only(me - 1), Take::Copy);
  const uint32_t corner = cornerOf(me);
  for (uint32_t bit = 1; bit < size; bit *= 2) {
    const uint32_t other = engineAt(corner ^ bit);
    out.steps.push_back({other, face(corner, bit), other, face(corner ^ bit, bit), Take::Copy});
  }
  if (me < 2 * extra)
    send(me - 1, all);
}

/// Up the network's own tree to engine 0, and down again.
void alongTree(const Party &party, Range all, Schedule &out) {
  const uint32_t me = party.place;
  std::vector<uint32_t> children;
  for (const uint32_t other : party.fabric->neighbours(me))
    if (other > me)
      children.push_back(other);
  for (const uint32_t child : children)
    out.steps.push_back({Step::Nobody, {}, child, all, Take::FoldRight});
  if (me > 0) {
    out.steps.push_back({party.fabric->parent(me), all, Step::Nobody, {}});
    out.steps.push_back({Step::Nobody, {}, party.fabric->parent(me), all, Take::Copy});
  }
  for (const uint32_t child : children)
    out.steps.push_back({child, all, Step::Nobody, {}});
}

/// Rings in one direction after the other: each folds the part that the last has left to this
/// engine; then the same backwards, where parts are gathered.
class Rings {
public:
  Rings(const Party &party, Range all, Schedule &out) : me(party.place), out(out) {
    uint32_t stride = 1;
    for (const uint32_t size : party.fabric->sizes) {
      rings.push_back({size, me / stride % size, stride, all});
      all = part(all, rings.back().at, size);
      stride *= size;
    }
  }

  void allreduce() {
    for (const Ring &ring : rings)
      for (uint32_t step = 0; step + 1 < ring.size; ++step)
        exchange(ring, ring.at + 2 * ring.size - step - 1, Take::FoldLeft);
    for (auto ring = rings.rbegin(); ring != rings.rend(); ++ring)
      for (uint32_t step = 0; step + 1 < ring->size; ++step)
        exchange(*ring, ring->at + ring->size - step, Take::Copy);
  }

private:
  struct Ring {
    uint32_t size, at, stride;
    Range all;
  };
  static Range part(Range range, uint32_t index, uint32_t parts) {
    const uint64_t from = range.count * index / parts, to = range.count * (index + 1) / parts;
    return {range.first + from, to - from};
  }
  /// Part `sent` goes on, the one before it comes.
  void exchange(const Ring &ring, uint32_t sent, Take take) {
    const uint32_t base = me - ring.at * ring.stride;
    const Range gives = part(ring.all, sent % ring.size, ring.size),
                gets = part(ring.all, (sent + ring.size - 1) % ring.size, ring.size);
    Step step;
    step.take = take;
    if (gives.count > 0) {
      step.to = base + (ring.at + 1) % ring.size * ring.stride;
      step.sent = gives;
    }
    if (gets.count > 0) {
      step.from = base + (ring.at + ring.size - 1) % ring.size * ring.stride;
      step.received = gets;
    }
    if (gives.count + gets.count > 0)
      out.steps.push_back(step);
  }

  uint32_t me;
  Schedule &out;
  std::vector<Ring> rings;
};

} // namespace

Way fitting(const wire::Header &message, const Party &party) {
  if (!foldsToAll(message.shape))
    return upOf(message.shape) == Up::Gather && downOf(message.shape) != Down::Root ? Way::Doubling
                                                                                    : Way::Tree;
  const bool rings = party.isWhole && party.fabric &&
                     (party.fabric->form == Form::Ring || party.fabric->form == Form::Torus);
  // A user's operator may take several elements as one: they are cut by nobody here.
  const bool isCut = message.op != ReduceOp::User && message.kind != Kind::Barrier;
  const Way round = party.fabric && party.fabric->form == Form::Torus ? Way::Torus : Way::Ring;
  switch (message.way) {
  case Way::Tree:
  case Way::Doubling:
    return message.way;
  case Way::Halving:
    if (isCut)
      return Way::Halving;
    break;
  case Way::Ring:
  case Way::Torus:
    if (isCut && rings && message.way == round)
      return round;
    break;
  case Way::Automatic:
    break;
  }
  if (party.isWhole && party.fabric && party.fabric->form == Form::Tree)
    return Way::Tree;
  const uint64_t bytes = elementsOf(message, party.members) * bytesOf(message.element);
  if (!isCut || bytes <= shortFold)
    return Way::Doubling;
  return rings ? round : Way::Halving;
}

Course courseOf(const wire::Header &message, Way way, const Party &party, uint32_t root) {
  Course course;
  const Up up = upOf(message.shape);
  const Range elements = {0, up == Up::Fold ? elementsOf(message, party.members) : message.count};
  course.isByEngines = up == Up::Gather || message.shape == Shape::Scatter;
  const Range all = course.isByEngines ? Range{0, party.size} : elements;
  course.schedule.held = all;
  Cube cube(party,
            foldsToAll(message.shape) ? Cube(party, 0, false, all, course.schedule).firstCorner()
                                      : root,
            course.isByEngines, all, course.schedule);
  if (up == Up::Source) {
    cube.down();
  } else if (up == Up::Gather) {
    downOf(message.shape) == Down::Root ? cube.up(false) : cube.allgather();
  } else if (downOf(message.shape) == Down::Root) {
    cube.up(true);
  } else if (way == Way::Tree) {
    // The network's own tree does not join engines in their order, which operators of users need.
    if (party.isWhole && party.fabric && party.fabric->form == Form::Tree &&
        message.op != ReduceOp::User) {
      alongTree(party, all, course.schedule);
    } else {
      cube.up(true);
      cube.down();
    }
  } else if (way == Way::Ring || way == Way::Torus) {
    Rings(party, all, course.schedule).allreduce();
  } else {
    Problem problem;
    problem.kind = message.count == 0 ? Kind::Barrier : Kind::Allreduce;
    problem.algorithm = way == Way::Halving ? Algorithm::Halving : Algorithm::Doubling;
    problem.group.size = party.size;
    problem.position = party.place;
    problem.count = elements.count;
    course.schedule = makeSchedule(problem);
  }
  return course;
}

} // namespace acis::direct
