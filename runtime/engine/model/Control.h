// The scalar unit's side of the model: turns what the handler's control code asks for
// into launches and stream commands, in program order, and says when it has to wait.
#pragma once

#include "runtime/engine/loader/Image.h"
#include "runtime/engine/loader/VectorContext.h"
#include "runtime/engine/model/Sequencer.h"
#include "runtime/engine/scalar/ScalarUnit.h"

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace acis::model {

/// What the scalar unit waits for, to say what a cycle was lost to.
enum class Wait : uint8_t { None, Packet, StreamIn, Other };

class Control final : public scalar::ScalarPort {
public:
  Control(const Overlay &overlay, StreamIn &in, StreamOut &out, MemorySystem &memory,
          Sequencer &sequencer, Counters &counters, TraceLog &trace)
      : overlay(overlay), in(in), out(out), memory(memory), sequencer(sequencer),
        counters(counters), trace(trace) {}

  void reset(std::vector<std::shared_ptr<const Plan>> plans);
  /// Starts to count packets from 0 again, after StreamIn::compact().
  void packetsCompacted() { nextPacket = 0; }

  // Invocations
  bool packetWaiting() const { return in.packetsVisible() > nextPacket; }
  /// Payload from the invocation's first packet on.
  uint64_t bytesReceived() const { return in.bytesFrom(firstPacket); }
  bool packetsLeft() const { return in.packetsPushed() > nextPacket; }
  void beginInvocation();
  /// Whether the invocation needs a further packet that has been seen; it becomes its own at
  /// the end of the cycle, one per cycle.
  bool needsPacket() const { return inPosition > ownedBytes && packetWaiting(); }
  void ownPacket();

  /// Looks at what an instruction asks of the array, as it is at the end of cycle `at`: before a
  /// step that asks.
  void observe(uint64_t at);
  /// The instruction gave one of several launches and is looked at anew for the next.
  bool again = false;

  /// Set before every step.
  uint64_t now = 0;
  uint32_t pc = 0;
  Wait waiting = Wait::None;
  uint64_t steps = 0; ///< instructions and iterations of this invocation
  uint64_t deadline = uint64_t(1) << 32;
  uint64_t sparseLaunches = 0;

  scalar::Answer load(uint32_t address, unsigned bytes, uint32_t &value) override;
  scalar::Answer store(uint32_t address, unsigned bytes, uint32_t value) override;
  scalar::Answer readCsr(uint32_t csr, uint32_t &value) override;
  scalar::Answer writeCsr(uint32_t csr, uint32_t value) override;
  scalar::Answer argument(uint32_t index, uint32_t value) override;
  scalar::Answer launch(uint32_t context, uint32_t iterations, uint32_t tail, uint32_t at) override;
  scalar::Answer result(uint32_t word, uint32_t &value) override;
  scalar::Answer sync() override;
  scalar::Answer tile(uint32_t tile, uint32_t position, uint32_t &value) override;
  scalar::Answer streamIn(uint32_t position, unsigned bytes, bool isSigned,
                          uint32_t &value) override;
  scalar::Answer streamOut(uint32_t position, unsigned bytes, uint32_t value) override;
  scalar::Answer vector(const scalar::VectorRequest &request) override;
  scalar::Answer endInvocation() override;

private:
  scalar::Answer wait(Wait why) {
    waiting = why;
    return scalar::Answer::Wait;
  }
  scalar::Answer trap(std::string why) {
    reason = std::move(why);
    return scalar::Answer::Trap;
  }
  scalar::Answer enqueue(Launch launch);
  bool outPositionKnown();
  bool queuesHaveRoom(const isa::LoopContext &loop);
  uint8_t *scratchAt(uint32_t address, unsigned bytes);
  scalar::Answer vectorQueue();
  std::shared_ptr<const Plan> vectorPlan(const isa::LoopContext &loop);

  const Overlay &overlay;
  StreamIn &in;
  StreamOut &out;
  MemorySystem &memory;
  Sequencer &sequencer;
  Counters &counters;
  TraceLog &trace;

  std::vector<std::shared_ptr<const Plan>> plans;
  std::vector<uint8_t> scratch;
  std::array<uint32_t, isa::MaxArgs> args{};
  VectorState vectorState;
  std::deque<std::shared_ptr<const Plan>> vectorPlans; ///< the last ones used, newest first
  struct {
    bool launchRoom = false, inRoom = false, outRoom = false; // in the queues
    bool loopsIdle = false, idle = false;                     // of the sequencer
    bool portsIdle = false, memoryIdle = false;
  } seen; ///< by observe()
  // Streams as the program sees them, ahead of the grid
  size_t nextPacket = 0;   ///< the first that no invocation owns yet
  uint64_t ownedBytes = 0; ///< of the packets of this invocation
  size_t firstPacket = 0;  ///< of this invocation
  uint64_t inPosition = 0, outPosition = 0;
  bool sendsConditionally = false; ///< the last loop that sends; outPosition is a bound then
  uint32_t packetLength = 0;
  bool lengthWritten = false;
  bool scalarReadPending = false;
  // A vector instruction whose launches do not all fit into the queue
  std::vector<Launch> vectorLaunchesLeft;
  bool vectorPending = false;
};

} // namespace acis::model
