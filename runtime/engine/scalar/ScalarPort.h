// What the scalar unit needs from its surroundings. An engine implements it; a
// call may answer "not now", and the scalar unit asks again in the next step, so
// that a cycle-exact engine can stall it. A call that waits must change nothing.
#pragma once

#include <cstdint>
#include <string>

namespace acis::scalar {

enum class Answer : uint8_t {
  Done,
  Wait, ///< not ready: ask again
  Trap, ///< the reason is in ScalarPort::reason
};

/// The vector configuration that vsetvli sets, and a vector instruction with it.
struct VectorRequest {
  uint32_t word = 0;   ///< as fetched
  uint32_t scalar = 0; ///< x[rs1]
  uint32_t vl = 0;     ///< elements
  uint8_t sewBytes = 4;
  uint8_t lmul = 1;
  uint32_t pc = 0;
};

class ScalarPort {
public:
  virtual ~ScalarPort() = default;

  /// Aligned access to scratch or off-chip memory, 1, 2 or 4 bytes, zero-extended.
  /// The port checks the address range.
  virtual Answer load(uint32_t address, unsigned bytes, uint32_t &value) = 0;
  virtual Answer store(uint32_t address, unsigned bytes, uint32_t value) = 0;

  /// Traps for an unknown CSR and for a write to a read-only one.
  virtual Answer readCsr(uint32_t csr, uint32_t &value) = 0;
  virtual Answer writeCsr(uint32_t csr, uint32_t value) = 0;

  virtual Answer argument(uint32_t index, uint32_t value) = 0;
  virtual Answer launch(uint32_t context, uint32_t iterations, uint32_t tail, uint32_t pc) = 0;
  virtual Answer result(uint32_t word, uint32_t &value) = 0;
  virtual Answer sync() = 0;
  /// Pops the 32-bit word at `position`; `tile` is what the program expected.
  virtual Answer tile(uint32_t tile, uint32_t position, uint32_t &value) = 0;
  virtual Answer streamIn(uint32_t position, unsigned bytes, bool isSigned, uint32_t &value) = 0;
  virtual Answer streamOut(uint32_t position, unsigned bytes, uint32_t value) = 0;
  virtual Answer vector(const VectorRequest &instruction) = 0;
  /// wfi: the invocation ends.
  virtual Answer endInvocation() = 0;

  std::string reason; ///< of the last Answer::Trap
};

} // namespace acis::scalar
