// Makes the handler of one op: what of its memory goes where.
#pragma once

#include "compiler/rewriter/HandlerText.h"
#include "compiler/rewriter/OpBuffers.h"
#include "compiler/rewriter/OpHandler.h"
#include "compiler/rewriter/OpRanges.h"
#include "compiler/rewriter/OpScan.h"

namespace acis::rewriter {

class OpMaker {
public:
  OpMaker(EffectsAnalysis &effects, const Candidate &candidate, const Captures &captured,
          const DoneCall &done, const std::string &label)
      : effects(effects), candidate(candidate), captured(captured), done(done), label(label),
        context(candidate.in->getASTContext()), questions(effects, candidate, done),
        op(questions.op), scanned(scan(candidate.op, done)), memory(context, done),
        buffers(effects, candidate, memory), printer(context, memory, scanned.callees),
        handler(context, printer) {}

  OpHandler run();

private:
  void refuse(std::string why);
  std::string name(const std::string &what) const { return "acis_" + what + "_" + label; }

  // The memory that the op uses -------------------------------------------------------------------

  void layOut();

  Path pathOf(const clang::VarDecl *var) { return questions.pathOf(var); }
  bool isSent(const clang::VarDecl *var);
  bool isReceived(const Path &path) { return overlaps(Paths{candidate.first.recv}, path); }

  unsigned objectOf(const std::string &base);

  Cargo cargoOf(const clang::VarDecl *var);

  /// A field.
  Cargo cargoOf(const Place &place);

  bool isShared(const Cargo &cargo) const;

  void take(const clang::VarDecl *var);

  /// A place of constant size.
  void takeWhole(const Cargo &cargo, bool isRead, bool isWritten, bool isStream, bool isSentOn,
                 const clang::VarDecl *var = nullptr);

  void number(const clang::VarDecl *var);

  void keep(const Cargo &cargo, bool isSentOn, const std::string &count,
            const std::string &start = "");

  // Arrays whose sizes are known at run time ------------------------------------------------------

  void countBuffers();

  void isStart(const Collective &collective, int index, const clang::VarDecl *var);

  std::string numberOf(const std::string &counted) const;
  /// Whether a buffer is somewhere inside the place.
  bool isInside(const Buffer &buffer, const clang::VarDecl *var) const {
    return buffer.place && buffer.place->var == var && buffer.place->fields.empty() &&
           !buffer.start.empty();
  }
  bool hasCount(const Buffer &buffer) const {
    return buffer.place && (buffer.place->isSized() || !buffer.start.empty());
  }
  /// An array with a buffer inside; bytes of it that the op touches and writes.
  void takeParts(const Cargo &cargo, const Place &place, const std::string &touched,
                 const std::string &written, bool isWritten);

  /// Parameters of the function of a call that is done, as the handler declares them.
  std::string parameters();

  void takeSized(const std::vector<const Place *> &places);

  void takeSized(const Place &place, uint64_t room);

  std::string sizesText() const;

  EffectsAnalysis &effects;
  const Candidate &candidate;
  const Captures &captured;
  const DoneCall &done;
  std::string label;
  const clang::ASTContext &context;
  OpQuestions questions;
  const Effects &op;
  OpScan scanned;
  OpMemory memory;
  OpBuffers buffers;
  OpPrinter printer;
  HandlerText handler;
  OpRanges ranges;
  OpHandler result;
  Buffer firstBuffer, secondBuffer;
  const Place *received = nullptr, *sent = nullptr; ///< of these
  bool isSized = false;
  std::vector<std::string> numbers, numberNames;
  std::map<std::string, unsigned> objects;
  struct Kept {
    Cargo cargo;
    std::string count, start;
  };
  std::vector<Kept> sentCargo, keptCargo;
};

} // namespace acis::rewriter
