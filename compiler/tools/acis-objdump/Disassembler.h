// Instruction words as text: standard ones by LLVM MC, ours by the tables of
// backend/isa.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace acis::objdump {

class Disassembler {
public:
  Disassembler();
  ~Disassembler();

  /// Targets of branches are printed as addresses. "<unknown>" for no instruction.
  std::string text(uint32_t word, uint32_t pc) const;

private:
  struct Mc;
  std::unique_ptr<Mc> mc;
};

} // namespace acis::objdump
