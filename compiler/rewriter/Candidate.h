// What the finder says about one place of the program: a chain of collectives and computation,
// whether it can be fused, and if not why not.
#pragma once

#include "compiler/rewriter/Path.h"
#include "compiler/rewriter/TextEdit.h"

#include "clang/AST/Expr.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace acis::rewriter {

struct MpiCall;

/// Why something is not fused. `code` is one of refusalClass()'s; `text` is for people.
struct Refusal {
  std::string code, text;
  explicit operator bool() const { return !code.empty(); }
};

/// "no-chain", "trivial", "unsupported" or "unsafe".
const char *refusalClass(llvm::StringRef code);

enum class Kind : uint8_t { Fused, SemiFused, KernelDot, KernelSpmv, KernelGemm };
const char *kindName(Kind kind);

/// One MPI call that may be part of a CCCF.
struct Collective {
  const MpiCall *info = nullptr;
  const clang::CallExpr *call = nullptr;
  const clang::ASTContext *context = nullptr;
  Path send, recv; ///< in terms of the function that is looked at
  bool inPlace = false;
  std::string type, recvType, op, comm, root; ///< as named in the source
  Path commPath;                              ///< of a communicator that is no predefined one
  Refusal problem;
  /// Arguments that a function round the call takes from its caller, as the caller gives them.
  std::map<int, std::pair<const clang::Expr *, const clang::ASTContext *>> given;

  const clang::Expr *arg(int index) const {
    return index < 0 || unsigned(index) >= call->getNumArgs() ? nullptr : call->getArg(index);
  }
  /// The same, seen from the function that is looked at.
  const clang::Expr *outerArg(int index) const {
    auto found = given.find(index);
    return found == given.end() ? arg(index) : found->second.first;
  }
  const clang::ASTContext &outerContext(int index) const {
    auto found = given.find(index);
    return found == given.end() ? *context : *found->second.second;
  }
};

enum class Role : uint8_t { StreamIn, Inbound, StreamOut, Outbound };
const char *roleName(Role role);

struct Array {
  Role role;
  std::string name, type;
  std::optional<uint64_t> bytes; ///< where the source says it
  bool perRank = false;          ///< the size is a number of processes
  // In the table of an op with sizes of run time:
  std::string size;    ///< bytes as an expression; empty: `bytes`
  std::string used;    ///< of them, those that are used; an expression
  unsigned object = 0; ///< the same for what is one array
};

struct Prediction {
  double plainMicroseconds = 0, fusedMicroseconds = 0;
  unsigned ranks = 0;
  /// What one host sends and receives; no value where only the run knows the sizes.
  std::optional<double> plainBytes, fusedBytes;
};

/// The op on the array of the overlay.
struct MappedLoops {
  unsigned ii = 0;                ///< the largest of its loops; 0: not mapped
  unsigned elements = 0;          ///< that the loop with this II does in one iteration
  std::optional<uint64_t> cycles; ///< of all loops; no value where only the run knows their trips
  double clockMhz = 0;
};

struct Candidate {
  Kind kind = Kind::Fused;
  std::string file, function;
  unsigned lineFirst = 0, columnFirst = 0, lineSecond = 0;
  std::string mpiCall; ///< file:line of the MPI call when a callee makes it
  std::string collFirst, collSecond, pattern;
  unsigned opFirst = 0, opLast = 0; ///< lines; 0: no op
  Refusal refusal;                  ///< empty: it can be fused
  std::string level = "intra";      ///< intra, inline (callees of the same file), ipo
  bool recvLiveOut = false;
  std::vector<std::string> notes;
  std::vector<Array> arrays;
  std::set<std::string> assumes; ///< Effects::assumed of the chain
  std::string evaluator; ///< ok, size, tiny, P (parallelism is the number of processes), runtime
  Prediction prediction;

  // For the rewriter.
  Collective first, second;
  const clang::FunctionDecl *in = nullptr;
  const clang::CallExpr *wrapperCall = nullptr; ///< of the function that makes `first`
  const clang::FunctionDecl *wrapper = nullptr; ///< null: `in` itself makes it
  const clang::Stmt *firstStmt = nullptr, *secondStmt = nullptr, *block = nullptr;
  bool isChecked = false; ///< `firstStmt` is a macro round the call, which tests its return code
  std::vector<const clang::Stmt *> op, movedBefore, movedAfter, tail;
  std::vector<const clang::Stmt *> barriers; ///< between the collectives
  std::vector<TextEdit> split; ///< of its file: with them its op is of whole statements
  Refusal notRewritten;        ///< it could be fused, but the source is left as it is
  bool isRewritten = false;
  /// What is written is semi-fused, with an op that ends there, because of `notWhole`; 0: it is
  /// the whole.
  unsigned cutLine = 0;
  Refusal notWhole;
  std::string opName;
  Refusal notMapped;           ///< why the op has no switch binary
  std::vector<uint8_t> binary; ///< of the op
  bool hasSizes = false;       ///< of run time
  std::string sizes;           ///< statements before the call that find the sizes of its arrays
  std::vector<std::string> aliases; ///< declarations before a body that is put here
  MappedLoops loops;
  std::vector<Array> mappedArrays; ///< of the binary: what goes to the switch and comes back

  bool isFusable() const { return !refusal; }
};

} // namespace acis::rewriter
