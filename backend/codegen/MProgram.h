// Handlers after selection, before control code and assembly: plain structs.
//
// A nest is a mapped loop (a context and what its launch hands over) or a sequence of
// vector instructions. Numbers that control code has to compute for it, such as launch
// arguments, are a small list of integer operations (ScalarCode).
#pragma once

#include "backend/isa/Context.h"

#include <cstdint>
#include <string>
#include <vector>

namespace acis::codegen {

/// One integer computed by the scalar unit. Floating-point values are their bits.
struct ScalarNode {
  enum class Kind : uint8_t {
    Arg,     ///< argument `value` of the nest
    Const,   ///< `value`
    Result,  ///< result `value` of the loop, after it
    Compute, ///< op over operands; divisions and floating point do not occur
  };
  Kind kind = Kind::Const;
  uint8_t bits = 32; ///< 1, 8, 16, 32, 64
  isa::Op op = isa::Op::Nop;
  uint64_t value = 0;
  std::vector<unsigned> operands; ///< earlier nodes
  bool operator==(const ScalarNode &) const = default;
};

/// Nodes in the order of computation; equal ones are there once.
class ScalarCode {
public:
  unsigned add(ScalarNode node);
  unsigned constant(uint64_t value, unsigned bits = 32);
  unsigned arg(unsigned index, unsigned bits);
  /// 32-bit sums and products modulo 2^32, with constants folded.
  unsigned sum(unsigned a, unsigned b);
  unsigned product(unsigned a, unsigned b);
  bool isConstant(unsigned node, uint64_t &value) const;

  std::vector<ScalarNode> nodes;
};

/// 32 bits of a node.
struct Word {
  unsigned node = 0;
  bool upper = false; ///< of a 64-bit node
  bool operator==(const Word &) const = default;
};

struct VectorStep {
  enum class Kind : uint8_t { Load, Store, Zero, StreamOut };
  Kind kind = Kind::Load;
  unsigned vreg = 0;         ///< first register
  unsigned lmul = 1;         ///< registers, 1 .. 16
  unsigned firstElement = 0; ///< of the sequence
  bool operator==(const VectorStep &) const = default;
};

/// The same access to `elements` elements of an array, in pieces that vector
/// instructions can name, on the VPEs of `mask`.
struct VectorSequence {
  unsigned elementBytes = 4; ///< 4 or 8
  unsigned perBeat = 16;     ///< elements of a beat
  bool broadcast = false;    ///< loads: memory has one element per beat
  uint32_t mask = 0;
  unsigned elements = 0; ///< scalar node: how many
  unsigned address = 0;  ///< scalar node: byte address in memory or stream position
  unsigned stride = 0;   ///< scalar node: bytes from VPE to VPE
  std::vector<VectorStep> steps;
};

/// What a launch hands over besides the context.
struct LaunchInfo {
  unsigned context = 0; ///< number within the program
  std::vector<Word> args;
  unsigned iterations = 0, tail = 0; ///< scalar nodes
};

/// A value that the nest returns. If the loop did not run (0 iterations) result nodes
/// are the identity.
struct ResultInfo {
  isa::Type type = isa::Type::I32;
  uint64_t identity = 0;
};

struct MNest {
  std::string callee; ///< name that control code calls
  bool isVector = false;
  LaunchInfo launch;
  VectorSequence vector;
  bool readsMemory = false, writesMemory = false;
  ScalarCode scalar;
  std::vector<ResultInfo> results;
  std::vector<unsigned> returned; ///< scalar nodes, by result of the call
};

/// Source line of an element of a context (its number within the program).
struct ElementLine {
  unsigned context = 0, pe = 0, slot = 0;
  std::string file;
  unsigned line = 0;
};

struct MHandler {
  std::string name;
  std::vector<MNest> nests;
  unsigned firstContext = 0, numContexts = 0;
};

struct MContext {
  std::string name;
  isa::LoopContext loop;
};

/// Content of a register file at load: a part of an array with initial values.
struct MTable {
  std::string name; ///< of the array
  unsigned handler = 0, pe = 0;
  unsigned beat = 0;          ///< first one in the register file
  std::vector<uint8_t> bytes; ///< whole words
};

struct MProgram {
  std::vector<MHandler> handlers;
  std::vector<MContext> contexts;
  std::vector<MTable> tables; ///< by handler
  std::vector<ElementLine> lines;
};

} // namespace acis::codegen
