// A switch binary before it is text: code, contexts, handlers, tables, source lines.
// FORMAT: docs/binary-format.md. Plain data, no LLVM.
#pragma once

#include "backend/isa/Context.h"
#include "backend/overlay/Overlay.h"
#include "backend/support/Result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace acis::object {

inline constexpr uint32_t AbiVersion = 1;
inline constexpr uint32_t CodeLine = 0xffffffff; ///< kind of a line entry of .text
inline constexpr const char *NoteName = "ACiS";

struct Handler {
  std::string name;     ///< also its symbol in the code
  std::string endLabel; ///< symbol after its last instruction
  unsigned firstContext = 0, numContexts = 0;
  unsigned memoryBytes = 0; ///< 0: any
  unsigned inBytes = 1, outBytes = 1;
};

struct Context {
  std::string name; ///< of the nest
  isa::LoopContext loop;
};

/// What a handler's register files hold at load; the rest is zero.
struct Table {
  std::string name; ///< of the array
  unsigned handler = 0, pe = 0;
  unsigned firstByte = 0;     ///< in the PE's register file, a multiple of 4
  std::vector<uint8_t> bytes; ///< whole words
};

/// Source line of an instruction, or of an element of a context.
struct Line {
  std::string label; ///< code: the symbol in front of the instruction
  unsigned context = 0, pe = 0, slot = 0;
  std::string file;
  unsigned line = 0;
  bool inCode() const { return !label.empty(); }
};

struct Image {
  std::string code; ///< text of .text, with the symbols that handlers and lines name
  std::vector<Handler> handlers;
  std::vector<Context> contexts;
  std::vector<Table> tables;
  std::vector<Line> lines; ///< those of the code in address order
  uint64_t fingerprint = 0;
};

/// Context slots of each PE, contexts of each handler and ranges: what the loader
/// would refuse is our mistake, or a loop too large for the overlay. `slots` counts
/// per handler because one handler is loaded at a time.
Status check(const Image &image, const Overlay &overlay);

} // namespace acis::object
