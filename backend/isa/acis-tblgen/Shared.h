// Numbers, codes and texts that C++, SystemVerilog and the manual share, as plain data, checked
// once, in the order of the .td files.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/TableGen/Record.h"

#include <cstdint>
#include <string>
#include <vector>

namespace acis::tblgen {

struct Constant {
  std::string name, header, meaning;
  uint64_t value;
  unsigned width; ///< bits; 0: unsigned, int unsigned
};

struct Code {
  std::string record, name, meaning;
  unsigned value, count; ///< codes value .. value + count - 1
};

struct Enumeration {
  std::string name, header, type, summary;
  unsigned width;
  std::vector<Code> codes;
};

struct Csr {
  std::string record, name, access, meaning;
  unsigned number;
};

/// A piece of a trap's text: words, or a parameter.
struct TrapPiece {
  std::string words;   ///< if there is no parameter
  std::string name;    ///< of the parameter
  bool isText = false; ///< else a number,
  unsigned digits = 0; ///< hexadecimal with so many, 0: decimal
};

struct Trap {
  std::string name;
  unsigned code; ///< 0: none
  std::vector<TrapPiece> pieces;
};

/// Stop with a message at the record's place in the .td file if it is inconsistent: a number that
/// its bits do not hold, a code or CSR that is there twice, a text with a parameter that is none.
std::vector<Constant> readConstants(const llvm::RecordKeeper &records);
std::vector<Enumeration> readEnumerations(const llvm::RecordKeeper &records);
std::vector<Csr> readCsrs(const llvm::RecordKeeper &records);
std::vector<Trap> readTraps(const llvm::RecordKeeper &records);

/// One more than the last code: what Num<name>s is.
unsigned numCodes(const Enumeration &enumeration);
/// "Link7" of "Link0" with 8 codes.
std::string lastName(llvm::StringRef name, unsigned count);
/// As texts show it: addresses, of 32 bits and of registers, hexadecimal, other numbers decimal.
std::string shown(const Constant &constant);
/// A field of a record, with the number for each @Constant@ in it.
std::string textWithNumbers(const llvm::Record *record, llvm::StringRef field);

} // namespace acis::tblgen
