// Schedules of all engines of a group, run together: what each has in the end, and that each only
// exchanges with those that its row of the communicator table has, or its neighbours.
#include "runtime/switch/direct/Ways.h"

#include "runtime/switch/collective/Row.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>

using namespace acis;
using namespace acis::direct;
using algorithms::Range;
using algorithms::Step;
using algorithms::Take;

namespace {

/// What an element of a buffer is made of: the order of its operands, such as "(0 1)".
using Element = std::string;

struct Member {
  Course course;
  std::vector<Element> buffer;
  size_t next = 0;
  bool isSent = false;
};

/// All at once, until nobody can go on.
void run(std::vector<Member> &members) {
  std::map<std::pair<uint32_t, uint32_t>, std::deque<std::vector<Element>>> wires;
  for (bool goesOn = true; goesOn;) {
    goesOn = false;
    for (uint32_t me = 0; me < members.size(); ++me) {
      Member &member = members[me];
      while (member.next < member.course.schedule.steps.size()) {
        const Step &step = member.course.schedule.steps[member.next];
        auto at = [&](Range range) { return member.buffer.begin() + long(range.first); };
        if (!member.isSent && step.to != Step::Nobody) {
          wires[{me, step.to}].emplace_back(at(step.sent), at(step.sent) + long(step.sent.count));
          goesOn = true;
        }
        member.isSent = true;
        if (step.from != Step::Nobody) {
          auto &wire = wires[{step.from, me}];
          if (wire.empty())
            break;
          ASSERT_EQ(wire.front().size(), step.received.count);
          for (size_t i = 0; i < wire.front().size(); ++i) {
            Element &mine = *(at(step.received) + long(i));
            const Element theirs = wire.front()[i];
            mine = step.take == Take::Copy       ? theirs
                   : step.take == Take::FoldLeft ? "(" + theirs + " " + mine + ")"
                                                 : "(" + mine + " " + theirs + ")";
          }
          wire.pop_front();
        }
        ++member.next;
        member.isSent = false;
        goesOn = true;
      }
    }
  }
  for (const auto &[ends, wire] : wires)
    ASSERT_TRUE(wire.empty()) << ends.first << " to " << ends.second;
  for (const Member &member : members)
    ASSERT_EQ(member.next, member.course.schedule.steps.size());
}

/// The operands of an element, as they are written.
std::vector<int> written(const Element &element) {
  std::vector<int> out;
  for (size_t at = 0; at < element.size();)
    if (isdigit(element[at])) {
      out.push_back(atoi(&element[at]));
      while (at < element.size() && isdigit(element[at]))
        ++at;
    } else {
      ++at;
    }
  return out;
}

/// The same in order of places.
std::vector<int> operands(const Element &element) {
  std::vector<int> out = written(element);
  std::sort(out.begin(), out.end());
  return out;
}

wire::Header header(Kind kind, Shape shape, uint32_t count, Way way = Way::Automatic) {
  wire::Header out;
  out.kind = kind;
  out.shape = shape;
  out.count = count;
  out.op = ReduceOp::Sum;
  out.element = ElementType::Float64;
  out.way = way;
  return out;
}

struct Engines {
  uint32_t size;
  const Fabric *fabric = nullptr;

  Party party(uint32_t place) const { return {size, place, size, fabric != nullptr, fabric}; }

  std::vector<Member> members(const wire::Header &message, uint32_t root) const {
    std::vector<Member> out(size);
    for (uint32_t place = 0; place < size; ++place) {
      const Party own = party(place);
      const Way way = fitting(message, own);
      out[place].course = courseOf(message, way, own, root);
      checkPartners(out[place].course, place);
      const uint64_t room = out[place].course.schedule.held.count;
      const bool gathers = out[place].course.isByEngines;
      out[place].buffer.assign(room, gathers ? "-" : std::to_string(place));
      if (gathers && message.shape != Shape::Scatter)
        out[place].buffer[place] = std::to_string(place);
      if (message.shape == Shape::Scatter && place == root)
        for (uint32_t block = 0; block < size; ++block)
          out[place].buffer[block] = std::to_string(block);
    }
    run(out);
    return out;
  }

  void checkPartners(const Course &course, uint32_t place) const {
    std::vector<uint32_t> allowed = collective::partnersOf(place, size);
    if (fabric)
      for (const uint32_t neighbour : fabric->neighbours(place))
        allowed.push_back(neighbour);
    for (const Step &step : course.schedule.steps)
      for (const uint32_t other : {step.to, step.from})
        if (other != Step::Nobody)
          ASSERT_NE(std::find(allowed.begin(), allowed.end(), other), allowed.end())
              << "engine " << place << " of " << size << " with " << other;
  }
};

std::vector<int> everyone(uint32_t size) {
  std::vector<int> out(size);
  for (uint32_t i = 0; i < size; ++i)
    out[i] = int(i);
  return out;
}

void checkAllreduce(const Engines &engines, Way way, uint32_t count) {
  const wire::Header message = header(Kind::Allreduce, Shape::FoldAll, count, way);
  EXPECT_TRUE(way == Way::Automatic || fitting(message, engines.party(0)) == way);
  const std::vector<Member> members = engines.members(message, 0);
  if (testing::Test::HasFailure())
    return;
  for (const Member &member : members) {
    EXPECT_EQ(member.buffer, members[0].buffer) << "the same bits everywhere";
    for (const Element &element : member.buffer)
      ASSERT_EQ(operands(element), everyone(engines.size)) << element;
  }
}

TEST(Ways, AllreduceOnGroupsOfAnySize) {
  for (uint32_t size = 2; size <= 33; ++size)
    for (const Way way : {Way::Tree, Way::Doubling, Way::Halving})
      for (const uint32_t count : {1u, 5u, 40u})
        checkAllreduce({size}, way, count);
}

TEST(Ways, AllreduceAlongTheLinks) {
  for (const uint32_t size : {2u, 3u, 7u, 8u}) {
    const Fabric ring = *Fabric::make(Form::Ring, {size});
    for (const uint32_t count : {1u, 3u, 500u})
      checkAllreduce({size, &ring}, Way::Ring, count);
  }
  for (const std::vector<uint32_t> &sizes :
       std::vector<std::vector<uint32_t>>{{2, 2}, {4, 2}, {3, 5}, {2, 2, 2}, {2, 3, 4}, {1, 4}}) {
    const Fabric torus = *Fabric::make(Form::Torus, sizes);
    for (const uint32_t count : {1u, 7u, 500u})
      checkAllreduce({torus.engines(), &torus}, Way::Torus, count);
  }
  for (const uint32_t children : {1u, 2u, 3u}) {
    const Fabric tree = *Fabric::make(Form::Tree, {11, children});
    checkAllreduce({11, &tree}, Way::Tree, 3);
    checkAllreduce({11, &tree}, Way::Automatic, 3000);
  }
}

TEST(Ways, TreesAndDoublingJoinNeighboursFirst) {
  for (const Way way : {Way::Tree, Way::Doubling})
    EXPECT_EQ(Engines{6}.members(header(Kind::Allreduce, Shape::FoldAll, 1, way), 0)[3].buffer[0],
              "(((0 1) (2 3)) (4 5))");
}

// Operators of users need not commute: whatever way is asked for, on whatever network.
TEST(Ways, OperatorsOfUsersGetEnginesInOrder) {
  const Fabric fabrics[] = {*Fabric::make(Form::Ring, {7}), *Fabric::make(Form::Torus, {3, 2}),
                            *Fabric::make(Form::Hypercube, {8}), *Fabric::make(Form::Tree, {9, 2}),
                            *Fabric::make(Form::Tree, {11, 3})};
  for (const Fabric &fabric : fabrics)
    for (unsigned way = 0; way < NumWays; ++way)
      for (const Shape shape : {Shape::FoldAll, Shape::FoldRoot}) {
        const uint32_t size = fabric.engines(), root = size - 2;
        wire::Header message = header(Kind::Allreduce, shape, 1, Way(way));
        message.op = ReduceOp::User;
        std::vector<int> all(size);
        std::iota(all.begin(), all.end(), 0);
        EXPECT_EQ(written(Engines{size, &fabric}.members(message, root)[root].buffer[0]), all)
            << fabric.str() << " " << nameOf(Way(way));
      }
}

TEST(Ways, ReduceGivesWhatAllreduceGives) {
  for (uint32_t size = 2; size <= 20; ++size) {
    const Element all =
        Engines{size}.members(header(Kind::Allreduce, Shape::FoldAll, 1), 0)[0].buffer[0];
    for (uint32_t root = 0; root < size; ++root)
      ASSERT_EQ(
          Engines{size}.members(header(Kind::Reduce, Shape::FoldRoot, 1), root)[root].buffer[0],
          all)
          << root << " of " << size;
  }
}

TEST(Ways, SourcesReachAll) {
  for (uint32_t size = 2; size <= 20; ++size)
    for (uint32_t root = 0; root < size; ++root)
      for (const Member &member :
           Engines{size}.members(header(Kind::Bcast, Shape::Source, 2), root))
        ASSERT_EQ(member.buffer[1], std::to_string(root));
}

TEST(Ways, BlocksComeToTheirPlaces) {
  for (uint32_t size = 2; size <= 20; ++size)
    for (uint32_t root = 0; root < size; ++root) {
      std::vector<Element> blocks;
      for (uint32_t place = 0; place < size; ++place)
        blocks.push_back(std::to_string(place));
      const auto gathered = Engines{size}.members(header(Kind::Gather, Shape::GatherRoot, 1), root);
      ASSERT_EQ(gathered[root].buffer, blocks) << root << " of " << size;
      const auto scattered = Engines{size}.members(header(Kind::Scatter, Shape::Scatter, 1), root);
      for (uint32_t place = 0; place < size; ++place)
        ASSERT_EQ(scattered[place].buffer[place], blocks[place]) << root << " of " << size;
      const auto all = Engines{size}.members(header(Kind::Allgather, Shape::GatherAll, 1), root);
      for (const Member &member : all)
        ASSERT_EQ(member.buffer, blocks);
    }
}

// 000 3.3.2: 32 communicators take about 1 KB, with up to 64 K processes.
TEST(Row, ThirtyTwoCommunicatorsInAKilobyte) {
  EXPECT_LE(32 * sizeof(collective::Row), 1152u);
  for (const uint32_t size : {65'536u, 65'535u, 40'000u, 32'769u})
    for (const uint32_t index : {0u, 1u, 2u, 31'999u, size - 1})
      EXPECT_LE(collective::partnersOf(index, size).size(), wire::Group::MaxPartners);
  EXPECT_EQ(collective::partnersOf(0, 8), (std::vector<uint32_t>{1, 2, 4})); // of 000 3.3.1
}

TEST(Row, PartnersAreMutual) {
  for (uint32_t size = 2; size <= 70; ++size)
    for (uint32_t index = 0; index < size; ++index)
      for (const uint32_t other : collective::partnersOf(index, size)) {
        const std::vector<uint32_t> back = collective::partnersOf(other, size);
        ASSERT_LT(other, size);
        EXPECT_NE(std::find(back.begin(), back.end(), index), back.end()) << index << " " << other;
      }
}

TEST(Row, OfAJoinThatDoesNotFitTogether) {
  wire::Join join;
  join.size = 5;
  join.levels = {{0, 2, 2, 1}, {1, 3, 2, 2}};
  join.engines.partners = {0, 7};
  join.engines.runs = {{1, 2}, {1, 2}, {1, 1}};
  const auto partners = collective::partnersOf(1, 3);
  join.engines.partners.resize(partners.size());
  ASSERT_TRUE(collective::Row::of(join));
  for (const std::vector<wire::Group::Run> &runs :
       std::vector<std::vector<wire::Group::Run>>{{},
                                                  {{3, 2}},
                                                  {{2, 2}, {1, 2}},
                                                  {{0, 1}, {2, 2}, {1, 1}},
                                                  {{1, 1}, {2, 2}},
                                                  {{0x80000000, 2}, {0x80000000, 2}, {3, 2}}}) {
    wire::Join wrong = join;
    wrong.engines.runs = runs;
    EXPECT_FALSE(collective::Row::of(wrong));
  }
  wire::Join wrong = join;
  wrong.engines.partners.push_back(3);
  EXPECT_FALSE(collective::Row::of(wrong));
}

} // namespace
