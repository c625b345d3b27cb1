// The ISA's records as plain data, checked once, in the order of the .td files.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/TableGen/Record.h"

#include <cstdint>
#include <string>
#include <vector>

namespace acis::tblgen {

/// Bits of an operand that stand together in the instruction word.
struct Segment {
  unsigned operandBit, instrBit, width;
};

struct Operand {
  std::string name, role, kind;
  unsigned bits;
  bool isSigned;
  uint64_t allowed; ///< mask of values below 64; 0: any
  std::vector<Segment> segments;
};

struct Instr {
  std::string name, mnemonic, text, extension, kind, semantics;
  uint32_t mask, match;
  std::vector<Operand> operands;
};

struct Field {
  std::string member, kind, meaning;
  unsigned offset, width;
};

struct ContextRecord {
  std::string name, summary;
  std::vector<Field> fields;
  unsigned bits;  ///< without padding
  unsigned words; ///< 32 bits each
};

/// Signals of a port: a struct in SystemVerilog.
struct SignalRecord {
  std::string name, type, summary;
  std::vector<Field> fields;
  unsigned bits;
};

/// Stop with a message at the record's place in the .td file if it is inconsistent:
/// operand bits without a place or with two, two instructions that match one word.
std::vector<Instr> readInstrs(const llvm::RecordKeeper &records);
std::vector<ContextRecord> readContextRecords(const llvm::RecordKeeper &records);
std::vector<SignalRecord> readSignals(const llvm::RecordKeeper &records);

/// All records of a class in the order of their definition, which is that of codes.
std::vector<const llvm::Record *> inOrder(const llvm::RecordKeeper &records, llvm::StringRef name);

/// "read[0].index.source" to "read_0_index_source".
std::string identifier(llvm::StringRef member);

} // namespace acis::tblgen
