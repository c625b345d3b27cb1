// A binary that was read, checked and traced: what the engines execute.
#pragma once

#include "backend/isa/Context.h"
#include "backend/overlay/Overlay.h"
#include "backend/support/Result.h"
#include "runtime/engine/loader/Certificate.h"
#include "runtime/engine/loader/Trace.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace acis {

struct Handler {
  std::string name;
  uint32_t entry = 0, codeBytes = 0; ///< its code is [entry, entry + codeBytes)
  uint32_t firstContext = 0, contextCount = 0;
  uint32_t memoryBytes = 0;           ///< off-chip memory it needs, 0: any
  uint32_t inBytes = 0, outBytes = 0; ///< element sizes of the streams
};

struct LineEntry {
  static constexpr uint32_t Code = 0xffffffff;
  uint32_t kind = Code; ///< Code, or a context
  uint32_t key = 0;     ///< PC, or pe << 16 | slot
  uint32_t file = 0;    ///< index in Image::files
  uint32_t line = 0;
};

/// What a PE's register file holds at load; the rest is zero.
struct InitialValues {
  uint32_t handler = 0, pe = 0;
  uint32_t firstByte = 0;        ///< in the register file
  uint32_t offset = 0, size = 0; ///< in Image::initialBytes
};

struct ImageContext {
  isa::LoopContext loop;
  ContextGraph graph;
};

struct Image {
  uint64_t fingerprint = 0;
  std::vector<uint32_t> code; ///< from address 0
  std::vector<Handler> handlers;
  std::vector<ImageContext> contexts;
  std::vector<InitialValues> initial; ///< sorted by handler, PE, position; disjoint
  std::vector<uint8_t> initialBytes;
  std::vector<LineEntry> lines; ///< sorted by kind, key
  std::vector<std::string> files;
  /// By handler; empty if the binary has none. What they say is not checked.
  std::vector<Certificate> certificates;

  /// The handler called `name`, or the only one if that is empty; the image keeps it. The
  /// error says which there are.
  Result<const Handler *> handler(std::string_view name) const;
  /// Calls `store(pe, first byte in its register file, bytes)` for what the register files
  /// hold when `handler`, one of `handlers`, is loaded.
  template <typename Store> void loadRegisters(const Handler &handler, Store store) const {
    for (const InitialValues &part : initial)
      if (&handlers[part.handler] == &handler)
        store(part.pe, part.firstByte,
              std::span<const uint8_t>(initialBytes).subspan(part.offset, part.size));
  }
  /// "file:line" of an instruction (the nearest entry at or before it) or of a
  /// context's slot (exactly it, else any of the context), "" if unknown.
  std::string lineOfCode(uint32_t pc) const;
  std::string lineOfSlot(uint32_t context, unsigned pe, unsigned slot) const;
};

/// Reads a binary. Nothing in it is trusted: an image that is returned needs no
/// further checks of code words, contexts, or addresses that are constant.
Result<std::shared_ptr<const Image>> loadImage(std::span<const uint8_t> elf,
                                               const Overlay &overlay);

} // namespace acis
