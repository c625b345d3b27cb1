// Decides what can be written anew and makes the edits.
#include "compiler/rewriter/Rewrite.h"

#include "compiler/rewriter/ChainText.h"
#include "compiler/rewriter/MacroScope.h"
#include "compiler/rewriter/MpiCalls.h"
#include "compiler/rewriter/OpHandler.h"
#include "compiler/rewriter/ParseCollective.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace acis::rewriter {
namespace {

/// The children of the block from the first statement of a candidate to its last.
struct Span {
  std::vector<const Stmt *> stmts;
  const CompoundStmt *block = nullptr;
  size_t end = 0; ///< index in the block behind the last one
};

class Writer {
public:
  Writer(Program &program, std::vector<Candidate> &candidates, const RewriteOptions &options)
      : effects(program), candidates(candidates), options(options) {}

  std::map<std::string, Rewritten> run() {
    for (Candidate &candidate : candidates)
      if (candidate.isFusable())
        consider(candidate);
    std::map<std::string, Rewritten> result;
    for (auto &[file, source] : sources)
      if (source.hasEdits())
        result[file] = {source.apply(), binaries[file]};
    return result;
  }

private:
  void consider(Candidate &candidate) {
    const Candidate whole = candidate;
    attempt(candidate);
    // An op may end earlier, as long as it is worth a chain.
    for (Candidate shorter = whole; candidate.kind == Kind::SemiFused && !candidate.isRewritten &&
                                    isOfText(candidate.notRewritten) && shorter.op.size() > 1;) {
      shorter.op.pop_back();
      Candidate next = shorter;
      if (llvm::none_of(next.op, [&](const Stmt *stmt) { return effects.of(stmt).loop; }))
        break;
      attempt(next);
      if (next.isRewritten)
        candidate = std::move(next);
    }
  }

  /// Whether a shorter op might not have the trouble.
  static bool isOfText(const Refusal &refusal) {
    return llvm::is_contained(
        {"wrapper", "macro", "preprocessor", "blocks", "order", "extraction", "template"},
        refusal.code);
  }

  void attempt(Candidate &candidate) {
    candidate.notRewritten = judge(candidate);
    if (candidate.notRewritten)
      return;
    Span span;
    candidate.notRewritten = findSpan(candidate, span);
    if (candidate.notRewritten)
      return;
    SourceText &source = textOf(candidate);
    if (source.contains(CccfInclude))
      candidate.notRewritten = {"rewritten", "the file was rewritten before"};
    else if (Refusal refusal = source.judge(span.stmts))
      candidate.notRewritten = refusal;
    else if (!place(candidate, span))
      return;
    else
      candidate.notRewritten = write(candidate, span, source);
    if (!candidate.notRewritten) {
      candidate.isRewritten = true;
      taken.insert(span.stmts.begin(), span.stmts.end());
    }
  }

  Refusal judge(const Candidate &candidate) {
    if (candidate.kind == Kind::KernelSpmv || candidate.kind == Kind::KernelGemm)
      return {"kernel",
              "distributed kernels with messages of their own are reported, not rewritten"};
    // Between the braces of an inlined body the variable of a return code might be another one.
    bool isOtherName = candidate.wrapper && candidate.secondStmt &&
                       plain(candidate.secondStmt) != candidate.second.call;
    if (isOtherName ||
        (candidate.secondStmt && !isWholeCall(candidate.secondStmt, candidate.second.call)))
      return {"wrapper", "the last collective is in another function or a larger statement"};
    bool isDirect = candidate.first.call && isWholeCall(candidate.firstStmt, candidate.first.call);
    if (!isDirect && !(candidate.wrapper && isa<Expr, DeclStmt>(candidate.firstStmt)))
      return {"wrapper", "the collective is part of a larger statement"};
    if (!candidate.assumes.empty())
      return {"assumed", "'" + *candidate.assumes.begin() +
                             "' is held for a clock because of its name; give its file too, or "
                             "say that it does not communicate: --assume-local=" +
                             llvm::join(candidate.assumes, ",")};
    if (isInMacro(candidate.first) || isInMacro(candidate.second))
      return {"macro", "a macro stands round the call"};
    const FunctionDecl *in = candidate.in;
    const SourceManager &manager = in->getASTContext().getSourceManager();
    if (!manager.isInMainFile(manager.getExpansionLoc(in->getLocation())))
      return {"header", "it is in a header"};
    if (!isLambda(candidate) && (in->isTemplateInstantiation() || in->isDependentContext()))
      return {"template", "it is in a template"};
    if (!isLambda(candidate) && isa<CXXMethodDecl>(in))
      return {"method", "it is in a method"};
    if (candidate.evaluator == "tiny" && !options.force)
      return {"tiny", "no more parallelism than the lanes of one beat; --force rewrites it"};
    if (candidate.evaluator == "size" && !options.force)
      return {"size", "an inbound or outbound array is larger than the limit; --force rewrites it"};
    return {};
  }

  /// Whether arguments of the call are arguments of a macro, too: their text is not to be had.
  static bool isInMacro(const Collective &collective) {
    if (!collective.call || !collective.call->getBeginLoc().isMacroID())
      return false;
    const SourceManager &manager = collective.context->getSourceManager();
    SourceLocation use = manager.getExpansionLoc(collective.call->getBeginLoc());
    return llvm::any_of(collective.call->arguments(), [&](const Expr *argument) {
      return manager.getExpansionLoc(argument->getBeginLoc()) == use;
    });
  }

  Refusal findSpan(const Candidate &candidate, Span &span) {
    const Stmt *first = candidate.kind == Kind::KernelDot ? candidate.op[0] : candidate.firstStmt;
    const Stmt *last = candidate.secondStmt                ? candidate.secondStmt
                       : candidate.kind == Kind::KernelDot ? candidate.firstStmt
                                                           : candidate.op.back();
    span.block = blockOf(candidate.in->getBody(), first);
    const char *reason = "the chain does not lie in one block of the source";
    if (!span.block)
      return {"blocks", reason};
    bool inside = false, complete = false;
    size_t index = 0;
    llvm::SmallPtrSet<const Stmt *, 16> seen;
    for (const Stmt *child : span.block->body()) {
      index++;
      inside |= child == first;
      if (!inside || complete)
        continue;
      if (isa<NullStmt>(child))
        continue;
      span.stmts.push_back(child);
      seen.insert(child);
      if (taken.contains(child))
        return {"taken", "a part of it belongs to a chain before it"};
      if (child == last) {
        complete = true;
        span.end = index;
      }
    }
    if (!complete)
      return {"blocks", reason};
    for (const Stmt *op : candidate.op)
      if (!seen.contains(op))
        return {"blocks", "the op is a part of a larger statement"};
    return {};
  }

  static const CompoundStmt *blockOf(const Stmt *stmt, const Stmt *child) {
    if (!stmt)
      return nullptr;
    for (const Stmt *inner : stmt->children()) {
      if (inner == child)
        return dyn_cast<CompoundStmt>(stmt);
      if (const CompoundStmt *found = blockOf(inner, child))
        return found;
    }
    return nullptr;
  }

  static std::string fileOf(const Candidate &candidate) {
    const SourceManager &manager = candidate.in->getASTContext().getSourceManager();
    SourceLocation loc = manager.getExpansionLoc(candidate.in->getLocation());
    return manager.getFileEntryRefForID(manager.getFileID(loc))->getName().str();
  }

  SourceText &textOf(const Candidate &candidate) {
    std::string file = fileOf(candidate);
    auto found = sources.find(file);
    if (found == sources.end())
      found = sources.try_emplace(file, candidate.in, file).first;
    return found->second;
  }

  /// Sorts the statements between into op, before and after. False: it cannot be done.
  bool place(Candidate &candidate, const Span &span) {
    const Candidate given = candidate;
    if (arrange(candidate, span, /*inOrder=*/false))
      return true;
    // All of them in the op, in their order: this is what the program says, but no switch can do
    // an op that allocates, prints or reads a clock.
    Candidate plainly = given;
    if (!arrange(plainly, span, /*inOrder=*/true))
      return false;
    candidate = std::move(plainly);
    return true;
  }

  bool arrange(Candidate &candidate, const Span &span, bool inOrder) {
    std::set<const Stmt *> after(candidate.movedAfter.begin(), candidate.movedAfter.end());
    candidate.movedBefore.clear();
    candidate.movedAfter.clear();
    std::vector<const Stmt *> op;
    Effects kept; // what comes before in the order and is not moved before
    if (candidate.wrapper)
      kept.add(effects.of(candidate.firstStmt));
    else if (candidate.kind != Kind::KernelDot)
      kept.add(effects.of(candidate.first.call));
    // What the function round the collective returns goes into the op.
    if (candidate.wrapper && plain(candidate.firstStmt) != candidate.wrapperCall)
      op.push_back(candidate.firstStmt);
    Effects printed;
    for (const Stmt *stmt : span.stmts) {
      if (stmt == candidate.firstStmt || stmt == candidate.secondStmt)
        continue;
      Effects effect = effects.of(stmt);
      bool mustHoist = !isOp(candidate, stmt) &&
                       (isa<DeclStmt>(stmt) || effect.alloc || effect.exits || effect.timer);
      if (after.contains(stmt) && !inOrder) {
        candidate.movedAfter.push_back(stmt);
        printed.add(effect);
        continue;
      }
      // Clocks keep their order.
      bool canHoist = !effects.conflict(kept, effect) && !effects.conflict(printed, effect) &&
                      !(effect.exits && (kept.print || kept.io)) && !(effect.timer && kept.timer);
      if (mustHoist && canHoist) {
        candidate.movedBefore.push_back(stmt);
        continue;
      }
      if (mustHoist && !inOrder)
        return refuse(candidate, "a declaration, allocation or clock between depends on the op");
      // A print that was before this statement comes after it.
      if (effects.conflict(printed, effect))
        return refuse(candidate, "what is printed between is changed later");
      op.push_back(stmt);
      kept.add(effect);
    }
    candidate.op = std::move(op);
    return argumentsHold(candidate, printed);
  }

  /// The arguments of the last collective are read before the op is done, those of output and
  /// of the return code after.
  bool argumentsHold(Candidate &candidate, const Effects &printed) {
    Effects op, arguments;
    for (const Stmt *stmt : candidate.op)
      op.add(effects.of(stmt));
    if (candidate.wrapper)
      op.add(effects.of(candidate.firstStmt));
    const Collective &last = candidate.kind == Kind::Fused ? candidate.second : candidate.first;
    if (candidate.kind != Kind::SemiFused) {
      for (const Expr *argument : last.call->arguments())
        arguments.reads.merge(effects.of(argument).reads);
      if (effects.conflict(op, arguments))
        return refuse(candidate, "an argument of the last collective is computed between");
      Effects received;
      received.writes.insert(last.recv);
      if (effects.conflict(received, printed))
        return refuse(candidate, "the last collective changes what is printed before it");
    }
    Effects code;
    if (const auto *expr = candidate.wrapper ? nullptr : dyn_cast<Expr>(candidate.firstStmt))
      if (const auto *assign = dyn_cast<BinaryOperator>(expr->IgnoreParenCasts()))
        code.writes.insert(effects.pathOf(assign->getLHS()));
    if (effects.conflict(code, op) || effects.conflict(code, printed))
      return refuse(candidate, "the return code of the first collective is used between");
    return true;
  }

  static const Stmt *plain(const Stmt *stmt) {
    const auto *expr = dyn_cast<Expr>(stmt);
    return expr ? expr->IgnoreParenCasts() : stmt;
  }

  static bool isOp(const Candidate &candidate, const Stmt *stmt) {
    return llvm::is_contained(candidate.op, stmt);
  }

  static bool refuse(Candidate &candidate, std::string text) {
    candidate.notRewritten = {"order", std::move(text)};
    return false;
  }

  Refusal write(Candidate &candidate, const Span &span, SourceText &source) {
    Captures captured = captures(effects, candidate.in, candidate.op, candidate.wrapperCall);
    if (Refusal refusal = isLambda(candidate) ? captured.inPlace : captured.refusal)
      return refusal;
    if (!isLambda(candidate) && usesOtherMacros(candidate))
      return {"macro", "the op uses a macro that is another one before the function"};
    unsigned &count = labels[fileOf(candidate) + ":" + std::to_string(candidate.lineFirst)];
    std::string label = labelOf(candidate, count), indent = source.indentOf(span.stmts.front());
    InlinedBody inlined;
    if (candidate.wrapper)
      inlined = inlineBody(effects, candidate, source, label, indent);
    if (inlined.refusal)
      return inlined.refusal;
    count++;
    candidate.opName = "acis_op_" + label;
    std::vector<Array> arrays = map(candidate, captured);
    ChainText chain(candidate, span.stmts, source, label, binariesName(fileOf(candidate)));
    if (isLambda(candidate))
      source.insertBeforeOutermost(candidate.in, chain.head(captured, inlined));
    else
      source.insertBeforeFunction(candidate.in, chain.head(captured, inlined));

    std::string text = "/* acis: " + candidate.pattern + ", op in " + candidate.opName + " */\n";
    for (const Stmt *stmt : {candidate.firstStmt, candidate.secondStmt})
      if (std::string comment = stmt ? source.commentAfter(stmt) : "";
          !comment.empty() && !isOp(candidate, stmt))
        text += indent + comment + "\n";
    text += chain.declarations(captured, indent);
    for (const Stmt *stmt : candidate.movedBefore)
      text += moved(source, span, stmt);
    if (candidate.secondStmt)
      text += source.commentsBefore(span.stmts, candidate.secondStmt);
    text += chain.call(captured, inlined, arrays, indent);
    const Stmt *last = candidate.movedAfter.empty() && !candidate.wrapper
                           ? lastBeforeUse(candidate, span, captured)
                           : nullptr;
    std::string wait = indent + chain.wait() + "\n";
    if (!last && !candidate.wrapper)
      text += wait;
    for (const Stmt *stmt : candidate.movedAfter)
      text += moved(source, span, stmt);
    source.replace(span.stmts, text);
    if (last)
      source.insertAfter(last, wait);
    return {};
  }

  bool usesOtherMacros(const Candidate &candidate) {
    const ASTContext &context = candidate.in->getASTContext();
    return llvm::any_of(candidate.op, [&](const Stmt *stmt) {
      return isChangedBetween(effects.theProgram(), context, candidate.in->getBeginLoc(),
                              stmt->getEndLoc(), sourceText(stmt, context));
    });
  }

  /// The line; with a number when an op of that line was written before, e.g. one from another
  /// source of generated code.
  static std::string labelOf(const Candidate &candidate, unsigned before) {
    std::string line = std::to_string(candidate.lineFirst);
    return before ? line + "_" + std::to_string(before + 1) : line;
  }

  /// Has the op compiled for the switch; the arrays that go with its binary.
  std::vector<Array> map(Candidate &candidate, const Captures &captured) {
    if (!options.mapOp)
      return {};
    if (candidate.wrapper) {
      candidate.notMapped = {"wrapper", "the collective is in a function of the program"};
      return {};
    }
    OpHandler handler = makeHandler(effects, candidate, captured);
    candidate.notMapped = handler.refusal;
    if (captured.refusal)
      candidate.notMapped = captured.refusal;
    if (candidate.notMapped)
      return {};
    MappedOp mapped = options.mapOp(handler.source);
    if (mapped.binary.empty()) {
      candidate.notMapped = {"mapper", mapped.reason};
      return {};
    }
    candidate.binary = std::move(mapped.binary);
    candidate.ii = mapped.ii;
    std::string &text = binaries[fileOf(candidate)];
    if (text.empty())
      text = "#pragma once\n"; // each op of the file includes it
    text += "static const unsigned char " + candidate.opName + "_binary[] = {";
    for (size_t i = 0; i < candidate.binary.size(); i++)
      text += (i % 24 ? " " : "\n    ") + std::to_string(candidate.binary[i]) + ",";
    text += "\n};\n";
    return handler.arrays;
  }

  /// Assertions say their line.
  std::string moved(const SourceText &source, const Span &span, const Stmt *stmt) {
    std::string piece = source.pieceOf(span.stmts, stmt);
    return effects.of(stmt).exits ? source.lineDirective(span.stmts, stmt) + piece : piece;
  }

  /// The statement after which the wait has to be; null: at once.
  const Stmt *lastBeforeUse(const Candidate &candidate, const Span &span,
                            const Captures &captured) {
    Effects touched;
    for (const Stmt *stmt : span.stmts)
      touched.add(effects.of(stmt));
    const Stmt *last = nullptr;
    for (size_t i = span.end; i < span.block->size(); i++) {
      const Stmt *stmt = *(span.block->body_begin() + i);
      Effects effect = effects.of(stmt);
      if (!effect.isQuiet() || effect.alloc || effect.exits || taken.contains(stmt) ||
          textOf(candidate).judge({stmt}))
        break;
      // Reading what the chain only reads would be fine; one rule for all is easier to trust.
      Effects any = touched;
      any.writes.insert(touched.reads.begin(), touched.reads.end());
      if (effects.conflict(any, effect))
        break;
      last = stmt;
    }
    return last;
  }

  EffectsAnalysis effects;
  std::vector<Candidate> &candidates;
  const RewriteOptions &options;
  std::map<std::string, SourceText> sources;
  std::map<std::string, std::string> binaries; ///< by file
  std::map<std::string, unsigned> labels;      ///< ops by file and line
  llvm::SmallPtrSet<const Stmt *, 32> taken;
};

} // namespace

std::map<std::string, Rewritten> rewrite(Program &program, std::vector<Candidate> &candidates,
                                         const RewriteOptions &options) {
  return Writer(program, candidates, options).run();
}

std::string binariesName(llvm::StringRef file) {
  return llvm::sys::path::stem(file).str() + ".acis.inc";
}

bool isRewrittenText(llvm::StringRef text) { return text.contains(CccfInclude); }

} // namespace acis::rewriter
