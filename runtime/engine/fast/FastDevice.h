// Engine `fast`: functional execution. The scalar unit runs an instruction at a time,
// a loop runs to its end when it is launched.
#pragma once

#include "runtime/engine/device/Device.h"
#include "runtime/engine/fast/Fast.h"
#include "runtime/engine/fast/Grid.h"
#include "runtime/engine/fast/Packets.h"
#include "runtime/engine/loader/VectorContext.h"
#include "runtime/engine/scalar/ScalarUnit.h"

#include <deque>
#include <optional>

namespace acis::fast {

class FastDevice final : public Device, private scalar::ScalarPort {
public:
  FastDevice(const Overlay &overlay, FastOptions options);

  const Overlay &overlay() const override { return machine; }
  Status load(std::shared_ptr<const Image> image, std::string_view handler) override;
  std::span<uint8_t> memory() override { return offChip; }
  Status resizeMemory(uint64_t bytes) override;
  Status attachMemory(std::span<uint8_t> bytes) override;
  void push(std::span<const uint8_t> payload) override { input.push(payload); }
  Status run() override;
  bool pop(std::vector<uint8_t> &payload) override;
  const Counters &counters() const override;
  const Trap *trap() const override { return failure ? &*failure : nullptr; }
  void setDeadline(uint64_t steps) override { deadline = steps; }

private:
  using Answer = scalar::Answer;

  // scalar::ScalarPort
  Answer load(uint32_t address, unsigned bytes, uint32_t &value) override;
  Answer store(uint32_t address, unsigned bytes, uint32_t value) override;
  Answer readCsr(uint32_t csr, uint32_t &value) override;
  Answer writeCsr(uint32_t csr, uint32_t value) override;
  Answer argument(uint32_t index, uint32_t value) override;
  Answer launch(uint32_t context, uint32_t iterations, uint32_t tail, uint32_t pc) override;
  Answer result(uint32_t word, uint32_t &value) override;
  Answer sync() override { return Answer::Done; }
  Answer tile(uint32_t tile, uint32_t position, uint32_t &value) override;
  Answer streamIn(uint32_t position, unsigned bytes, bool isSigned, uint32_t &value) override;
  Answer streamOut(uint32_t position, unsigned bytes, uint32_t value) override;
  Answer vector(const scalar::VectorRequest &instruction) override;
  Answer endInvocation() override;

  bool runInvocation();
  scalar::Step runScalar();
  void leaveOut(size_t from, unsigned bytes);
  Answer refuse(std::string why);
  uint8_t *locate(uint32_t address, unsigned bytes);
  /// The stream's bytes [position, position + bytes), nullptr after a refusal.
  const uint8_t *take(uint64_t position, uint64_t bytes);
  uint8_t *give(uint64_t position, uint64_t bytes);
  /// `line`: source line of a slot, for a trap inside the loop.
  Answer runLoop(PreparedLoop &prepared, std::span<const uint32_t> args, uint32_t iterations,
                 uint32_t tail, std::optional<uint32_t> context);
  PreparedLoop *vectorLoop(uint32_t word, isa::LoopContext context);
  void fail(std::string what, std::string line);

  const Overlay machine;
  std::shared_ptr<const Image> image;
  const Handler *handler = nullptr;
  Grid grid;
  std::vector<std::unique_ptr<PreparedLoop>> loops; ///< by context of the image, made when launched
  struct VectorLoop {
    uint32_t word;
    std::unique_ptr<PreparedLoop> loop;
  };
  std::deque<VectorLoop> vectorLoops; ///< the last few, newest first
  scalar::ScalarUnit unit;
  std::vector<uint8_t> scratch, ownMemory;
  std::span<uint8_t> offChip; ///< ownMemory, or what was attached
  Packets input;
  std::deque<std::vector<uint8_t>> output;

  // Of the invocation
  std::vector<uint8_t> sent;
  std::vector<uint8_t> sends; ///< LoopInput::sends of the loop that runs
  uint64_t position = 0;      ///< next byte of the input stream
  uint64_t steps = 0;
  std::optional<uint32_t> packetLength; ///< written to pktlen
  VectorState vectorState;
  std::string trapLine; ///< of a trap inside a loop

  std::array<uint32_t, isa::MaxArgs> args{};
  uint64_t deadline = uint64_t(1) << 32, sparseLaunches = 0, totalSteps = 0;
  mutable Counters count; ///< its instructions are filled in when it is asked for
  std::optional<Trap> failure;
};

} // namespace acis::fast
