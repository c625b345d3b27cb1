// A window into the instruction table, for the tests that compare it with llvm-mc.
//
//   acis-isa --cases     every standard instruction with several operand values: its
//                        word in hexadecimal and its assembly text, one per line
//   acis-isa --decode    words in hexadecimal from stdin to assembly text
#include "backend/isa/Decode.h"

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

using namespace acis::isa;

namespace {

/// Both ends of an operand's range and some values between, those that fit.
std::vector<int32_t> samples(const OperandInfo &operand) {
  if (operand.kind == OperandKind::Gpr || operand.kind == OperandKind::Vreg)
    return {0, 1, 10, 21, 31};
  if (operand.kind == OperandKind::Upper)
    return {0, 0x1000, 0x12345000, 0x7ffff000, INT32_MIN, -4096};
  int64_t least = operand.isSigned ? -(int64_t(1) << (operand.bits - 1)) : 0;
  int64_t most = (int64_t(1) << (operand.bits - operand.isSigned)) - 1;
  if (operand.kind == OperandKind::Branch)
    most &= ~int64_t(1);
  std::vector<int32_t> values = {static_cast<int32_t>(least), static_cast<int32_t>(most), 0};
  for (unsigned bit = operand.kind == OperandKind::Branch; bit + operand.isSigned < operand.bits;
       ++bit) {
    values.push_back(int32_t(1) << bit);
    if (operand.isSigned)
      values.push_back(-(int32_t(1) << bit));
  }
  return values;
}

/// Each operand takes each of its samples while the others stay at their second one.
bool printCases(Instr id) {
  const InstrInfo &instr = info(id);
  Decoded base{id};
  for (const OperandInfo &operand : instr.operands)
    setOperand(base, operand.role, samples(operand)[1]);
  auto print = [](const Decoded &decoded) {
    std::optional<uint32_t> word = encodeInstruction(decoded);
    if (word)
      std::printf("%08x %s\n", *word, assembly(decoded).c_str());
    else
      std::fprintf(stderr, "acis-isa: cannot encode %s\n", assembly(decoded).c_str());
    return word.has_value();
  };
  bool good = true;
  for (const OperandInfo &operand : instr.operands)
    for (int32_t value : samples(operand)) {
      Decoded decoded = base;
      setOperand(decoded, operand.role, value);
      good &= print(decoded);
    }
  if (instr.operands.empty())
    good &= print(base);
  return good;
}

int cases() {
  bool good = true;
  for (unsigned i = 0; i < numInstrs(); ++i)
    if (info(Instr(i)).kind != InstrKind::Custom)
      good &= printCases(Instr(i));
  return good ? 0 : 1;
}

int decode() {
  std::string text;
  while (std::cin >> text) {
    char *end = nullptr;
    unsigned long word = std::strtoul(text.c_str(), &end, 16);
    if (*end != '\0' || word > UINT32_MAX) {
      std::fprintf(stderr, "acis-isa: error: '%s' is not a word in hexadecimal\n", text.c_str());
      return 1;
    }
    std::optional<Decoded> decoded = decodeInstruction(static_cast<uint32_t>(word));
    std::printf("%08lx %s\n", word, decoded ? assembly(*decoded).c_str() : "undefined");
  }
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  std::string mode = argc == 2 ? argv[1] : "";
  if (mode == "--cases")
    return cases();
  if (mode == "--decode")
    return decode();
  std::fprintf(stderr, "acis-isa: error: %s; usage: acis-isa --cases | --decode\n",
               argc == 1 ? "no option" : ("found '" + std::string(argv[argc - 1]) + "'").c_str());
  return 1;
}
