// FIFOs of descriptors, in distributed memory and in blocks, against a queue: what is in front, and
// whether there is room, in every cycle, with random gaps on both sides.
#include "block_fifo_2.h"
#include "block_fifo_5.h"
#include "block_fifo_64.h"
#include "fifo_2.h"
#include "fifo_5.h"
#include "fifo_64.h"
#include "runtime/hardware/rtl/shell/Bench.h"

#include <deque>
#include <gtest/gtest.h>
#include <random>

namespace acis::rtl {
namespace {

template <typename M, unsigned D> struct Shape {
  using Model = M;
  static constexpr unsigned Depth = D;
};

template <typename Shape> class FifoTest : public testing::Test {
protected:
  /// Puts in and takes out in so many of eight cycles.
  void run(unsigned puts, unsigned takes, unsigned cycles) {
    for (unsigned cycle = 0; cycle < cycles; ++cycle) {
      top.in_valid_i = random() % 8 < puts;
      top.in_data_i = uint32_t(random());
      top.out_ready_i = random() % 8 < takes;
      top.eval();
      ASSERT_EQ(bool(top.in_ready_o), held.size() < Shape::Depth) << "cycle " << cycle;
      ASSERT_EQ(bool(top.out_valid_o), !held.empty()) << "cycle " << cycle;
      if (!held.empty())
        ASSERT_EQ(top.out_data_o, held.front()) << "cycle " << cycle;
      const bool comes = top.in_valid_i && top.in_ready_o;
      if (top.out_valid_o && top.out_ready_i)
        held.pop_front();
      if (comes)
        held.push_back(top.in_data_i);
      bench.tick();
    }
  }

  Bench<typename Shape::Model> bench;
  typename Shape::Model &top = bench.top;
  std::mt19937 random{1};
  std::deque<uint32_t> held;
};

using Shapes =
    testing::Types<Shape<fifo_2, 2>, Shape<fifo_5, 5>, Shape<fifo_64, 64>, Shape<block_fifo_2, 2>,
                   Shape<block_fifo_5, 5>, Shape<block_fifo_64, 64>>;
TYPED_TEST_SUITE(FifoTest, Shapes);

TYPED_TEST(FifoTest, GivesWhatItTook) {
  for (unsigned round = 0; round < 20; ++round) {
    this->run(4, 4, 200);
    this->run(6, 2, 200); // full
    this->run(2, 6, 200); // empty
    this->run(8, 8, 50);
    this->run(1, 8, 100); // each passes by itself
  }
}

} // namespace
} // namespace acis::rtl
