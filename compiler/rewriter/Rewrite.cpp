// Decides what can be written anew and makes the edits.
#include "compiler/rewriter/Rewrite.h"

#include "compiler/rewriter/ChainText.h"
#include "compiler/rewriter/Clashes.h"
#include "compiler/rewriter/MacroScope.h"
#include "compiler/rewriter/MpiCalls.h"
#include "compiler/rewriter/OpHandler.h"
#include "compiler/rewriter/ParseCollective.h"
#include "compiler/rewriter/PlaceBound.h"
#include "compiler/rewriter/Placement.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace acis::rewriter {
namespace {

/// Whether the text of the function stands for several functions, which may differ in their types.
bool isInTemplate(const FunctionDecl *function) {
  for (const DeclContext *context = function; context; context = context->getParent()) {
    const auto *inner = dyn_cast<FunctionDecl>(context);
    if ((inner && inner->isTemplateInstantiation()) ||
        isa<ClassTemplateSpecializationDecl>(context) || context->isDependentContext())
      return true;
  }
  return false;
}

/// The children of the block from the first statement of a candidate to its last.
struct Span {
  std::vector<const Stmt *> stmts;
  const CompoundStmt *block = nullptr;
  size_t end = 0; ///< index in the block behind the last one
};

/// What is to be done for a candidate; nothing is done yet.
struct Draft {
  Candidate candidate;
  Span span;
  std::string head, text, binary;
  std::string wait;           ///< empty: it is in `text`
  const Stmt *last = nullptr; ///< the wait goes behind it
};

class Writer {
public:
  Writer(Program &program, std::vector<Candidate> &candidates, const RewriteOptions &options)
      : effects(program), clashes(program, options.ownMpi), candidates(candidates),
        options(options) {}

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
  /// As it was found, or with a shorter op: where that can be written and the whole cannot, and
  /// where the switch can do that and cannot do the whole.
  void consider(Candidate &candidate) {
    if (splitOff(candidate))
      return;
    Draft best;
    bool isGood = attempt(candidate, best);
    candidate.notRewritten = best.candidate.notRewritten;
    if (isGood ? isServed(best.candidate) : !isOfText(candidate.notRewritten)) {
      if (isGood)
        commit(candidate, std::move(best));
      return;
    }
    const Refusal notWhole = isGood ? best.candidate.notMapped : candidate.notRewritten;
    for (Candidate shorter = candidate; shorten(shorter);) {
      Draft cut;
      const bool isWritten = attempt(shorter, cut);
      // With a barrier between the whole is never written: what stands against the rest matters.
      if (!isWritten && candidate.notRewritten.code == "barrier")
        candidate.notRewritten = cut.candidate.notRewritten;
      if (!isWritten || (isGood && !isServed(cut.candidate)))
        continue;
      noteCut(cut, notWhole);
      best = std::move(cut);
      isGood = true;
      if (isServed(best.candidate))
        break;
    }
    if (isGood)
      commit(candidate, std::move(best));
  }

  /// The chain that begins with the last collective of this one; null: none.
  Candidate *next(const Candidate &candidate) const {
    if (candidate.kind != Kind::Fused)
      return nullptr;
    auto found = llvm::find_if(candidates, [&](const Candidate &other) {
      return other.isFusable() && other.kind == Kind::Fused && other.in == candidate.in &&
             other.firstStmt == candidate.secondStmt;
    });
    return found == candidates.end() ? nullptr : &*found;
  }

  /// A op B op C: a collective can be in one call only. Pairs take the fewest calls; of an odd
  /// number of collectives the first one is left over, and has its op for itself. It has so too
  /// where the switch can do the rest, and not the first pair.
  bool splitOff(Candidate &candidate) {
    const Candidate *rest = next(candidate);
    Draft whole, later, first;
    if (!rest || !attempt(*rest, later) || !isServed(later.candidate))
      return false;
    bool isWhole = attempt(candidate, whole) && isServed(whole.candidate), isOdd = false;
    for (const Candidate *link = rest; link; link = next(*link))
      isOdd = !isOdd;
    if (isWhole && !isOdd)
      return false;
    for (Candidate shorter = candidate; shorten(shorter);) {
      if (!attempt(shorter, first) || (isWhole && !isServed(first.candidate)))
        continue;
      noteCut(first, {"chain", "its last collective begins the next chain"});
      commit(candidate, std::move(first));
      return true;
    }
    return false;
  }

  static void noteCut(Draft &draft, Refusal notWhole) {
    Candidate &candidate = draft.candidate;
    candidate.cutLine =
        Program::lineOf(candidate.in->getASTContext(), candidate.op.back()->getEndLoc());
    candidate.notWhole = std::move(notWhole);
  }

  /// Whether there is no more to ask for.
  bool isServed(const Candidate &written) const {
    return !options.mapOp || !written.binary.empty();
  }

  /// The next shorter op that has a loop at its end, before it no second collective. False: none.
  bool shorten(Candidate &candidate) {
    std::vector<const Stmt *> &op = candidate.op;
    if (candidate.kind == Kind::Fused) {
      candidate.kind = Kind::SemiFused;
      candidate.pattern = candidate.collFirst + "_op";
      candidate.second = {};
      candidate.secondStmt = nullptr;
    } else if (candidate.kind == Kind::SemiFused && !op.empty()) {
      op.pop_back();
    } else {
      return false;
    }
    while (!op.empty() && !effects.of(op.back()).loop)
      op.pop_back();
    return !op.empty();
  }

  /// Whether a shorter op might not have the trouble.
  static bool isOfText(const Refusal &refusal) {
    return llvm::is_contained({"wrapper", "macro", "preprocessor", "blocks", "order", "extraction",
                               "template", "barrier"},
                              refusal.code);
  }

  bool attempt(const Candidate &from, Draft &draft) {
    draft.candidate = from;
    Candidate &candidate = draft.candidate;
    if (const Stmt *checked = checkedCall(candidate)) {
      candidate.firstStmt = checked;
      candidate.isChecked = true;
    }
    candidate.notRewritten = judge(candidate);
    if (!candidate.notRewritten)
      candidate.notRewritten = findSpan(candidate, draft.span);
    if (candidate.notRewritten)
      return false;
    SourceText &source = textOf(candidate);
    if (source.contains(CccfInclude))
      candidate.notRewritten = {"rewritten", "the file was rewritten before"};
    else if (Refusal refusal = source.judge(draft.span.stmts))
      candidate.notRewritten = refusal;
    else if (Refusal refusal = placeStatements(effects, candidate, draft.span.stmts))
      candidate.notRewritten = refusal;
    else
      candidate.notRewritten = write(draft, source);
    return !candidate.notRewritten;
  }

  void commit(Candidate &candidate, Draft draft) {
    SourceText &source = textOf(candidate);
    std::string file = fileOf(candidate);
    if (isLambda(candidate))
      source.insertBeforeOutermost(candidate.in, draft.head);
    else
      source.insertBeforeFunction(candidate.in, draft.head);
    source.replace(draft.span.stmts, draft.text);
    if (draft.last)
      source.insertAfter(draft.last, draft.wait);
    if (!draft.binary.empty()) {
      std::string &text = binaries[file];
      if (text.empty())
        text = "#pragma once\n"; // each op of the file includes it
      text += draft.binary;
    }
    labels[file + ":" + std::to_string(candidate.lineFirst)]++;
    taken.insert(draft.span.stmts.begin(), draft.span.stmts.end());
    // What was found stays what it is, also where less of it is written.
    Kind kind = candidate.kind;
    std::string pattern = candidate.pattern;
    Collective second = candidate.second;
    candidate = std::move(draft.candidate);
    candidate.kind = kind;
    candidate.pattern = std::move(pattern);
    candidate.second = std::move(second);
    candidate.isRewritten = true;
  }

  /// Chains match the calls that they replace, one by one. A kernel's messages are no calls of all
  /// ranks; a rank that does not come to the kernel would wait for ever for those that do.
  static Refusal judgeKernel(const Candidate &candidate) {
    if (candidate.kind != Kind::KernelSpmv && candidate.kind != Kind::KernelGemm)
      return {};
    const std::string call = candidate.kind == Kind::KernelSpmv ? "ACIS_Ispmv" : "ACIS_Igemm";
    return {"kernel",
            "a call of all ranks does not match its messages, which ranks that do not come "
            "here make one by one; where all do, write " +
                call + " of acis_kernels.h"};
  }

  Refusal judge(const Candidate &candidate) {
    if (Refusal refusal = judgeKernel(candidate))
      return refusal;
    if (candidate.kind == Kind::Fused && !candidate.barriers.empty())
      return {"barrier", "a barrier stands between the collectives, and has to stay there"};
    // Between the braces of an inlined body the variable of a return code might be another one.
    bool isOtherName = candidate.wrapper && candidate.secondStmt &&
                       plain(candidate.secondStmt) != candidate.second.call;
    if (isOtherName ||
        (candidate.secondStmt && !isWholeCall(candidate.secondStmt, candidate.second.call)))
      return {"wrapper", "the last collective is in another function or a larger statement"};
    bool isDirect = candidate.first.call && isWholeCall(candidate.firstStmt, candidate.first.call);
    if (candidate.isChecked && candidate.kind != Kind::SemiFused)
      return {"macro", "a macro tests the return code of the first collective"};
    if (!isDirect && !candidate.isChecked &&
        !(candidate.wrapper && isa<Expr, DeclStmt>(candidate.firstStmt)))
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
    return clashes.judge(candidate);
  }

  /// The statement that a macro writes round the first collective, its argument, if it only tests
  /// the return code; null: it is another one. The op, which is done before the test then, must
  /// not be seen outside.
  const Stmt *checkedCall(const Candidate &candidate) {
    const CallExpr *call = candidate.first.call;
    if (!call || candidate.wrapper || !call->getBeginLoc().isMacroID() ||
        isWholeCall(candidate.firstStmt, call))
      return nullptr;
    const ASTContext &context = candidate.in->getASTContext();
    const SourceManager &manager = context.getSourceManager();
    SourceLocation use = manager.getExpansionLoc(call->getBeginLoc());
    const Stmt *whole = statementAt(candidate.in->getBody(), use, manager);
    std::string macro = Lexer::getSourceText(CharSourceRange::getTokenRange(use, use), manager,
                                             context.getLangOpts())
                            .str();
    if (!whole || textOf(candidate).around(whole, call).first.empty() ||
        quotesArguments(effects.theProgram(), context, use, macro))
      return nullptr;
    effects.setDone(call, nullptr);
    Effects rest = effects.of(whole);
    effects.setDone(nullptr, nullptr);
    Effects op;
    for (const Stmt *stmt : candidate.op)
      op.add(effects.of(stmt));
    bool isLocal = !rest.comm && !rest.io && !rest.calls && !rest.jump && !rest.loop && !op.print &&
                   !op.exits && !effects.conflict(rest, op);
    return isLocal ? whole : nullptr;
  }

  /// The statement of a block that a macro used at `use` writes all of.
  static const Stmt *statementAt(const Stmt *stmt, SourceLocation use,
                                 const SourceManager &manager) {
    for (const Stmt *child : stmt->children()) {
      if (!child)
        continue;
      SourceLocation begin = child->getBeginLoc(), end = child->getEndLoc();
      if (isa<CompoundStmt>(stmt) && begin.isMacroID() && end.isMacroID() &&
          manager.getExpansionLoc(begin) == use && manager.getExpansionLoc(end) == use)
        return child;
      if (const Stmt *found = statementAt(child, use, manager))
        return found;
    }
    return nullptr;
  }

  /// Whether arguments of the call are written by a macro: their text is not to be had.
  static bool isInMacro(const Collective &collective) {
    if (!collective.call || !collective.call->getBeginLoc().isMacroID())
      return false;
    const SourceManager &manager = collective.context->getSourceManager();
    SourceLocation use = manager.getExpansionLoc(collective.call->getBeginLoc());
    return llvm::any_of(collective.call->arguments(), [&](const Expr *argument) {
      CharSourceRange text =
          Lexer::makeFileCharRange(CharSourceRange::getTokenRange(argument->getSourceRange()),
                                   manager, collective.context->getLangOpts());
      return text.isInvalid() || text.getBegin() == use;
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
      found = sources.try_emplace(file, effects.theProgram(), candidate.in, file).first;
    return found->second;
  }

  static const Stmt *plain(const Stmt *stmt) {
    const auto *expr = dyn_cast<Expr>(stmt);
    return expr ? expr->IgnoreParenCasts() : stmt;
  }

  static bool isOp(const Candidate &candidate, const Stmt *stmt) {
    return llvm::is_contained(candidate.op, stmt);
  }

  Refusal write(Draft &draft, SourceText &source) {
    Candidate &candidate = draft.candidate;
    const Span &span = draft.span;
    Captures captured = captures(effects, candidate.in, candidate.op, candidate.wrapperCall);
    if (Refusal refusal = isLambda(candidate) ? captured.inPlace : captured.refusal)
      return refusal;
    if (!isLambda(candidate) && usesOtherMacros(candidate))
      return {"macro", "the op uses a macro that is another one before the function"};
    // No jump passes over a declaration with a value.
    bool isInBraces =
        isLambda(candidate) && captured.declared.empty() && hasTargets(candidate.in->getBody());
    for (const FunctionDecl *from : {candidate.in, candidate.wrapper})
      if (std::string reason = from ? boundToFunction(from) : ""; !reason.empty())
        return {"extraction", "the op cannot be taken out: " + reason};
    unsigned count = labels[fileOf(candidate) + ":" + std::to_string(candidate.lineFirst)];
    while (clashes.isTaken(candidate.in->getASTContext(), labelOf(candidate, count)))
      count++;
    std::string label = labelOf(candidate, count), indent = source.indentOf(span.stmts.front());
    InlinedBody inlined;
    if (candidate.wrapper)
      inlined = inlineBody(effects, candidate, source, label, indent);
    if (inlined.refusal)
      return inlined.refusal;
    candidate.opName = "acis_op_" + label;
    std::vector<Array> arrays = map(draft, captured, inlined.done);
    ChainText chain(candidate, span.stmts, source, label, binariesName(fileOf(candidate)));
    draft.head = chain.head(captured, inlined);
    std::string &text = draft.text;
    text = "/* acis: " + candidate.pattern + ", op in " + candidate.opName + " */\n";
    for (const Stmt *stmt : {candidate.firstStmt, candidate.secondStmt})
      if (std::string comment = stmt ? source.commentAfter(stmt) : "";
          !comment.empty() && !isOp(candidate, stmt))
        text += indent + comment + "\n";
    text += chain.declarations(captured, indent);
    for (const Stmt *stmt : candidate.movedBefore)
      text += moved(source, span, stmt);
    if (candidate.secondStmt)
      text += source.commentsBefore(span.stmts, candidate.secondStmt);
    if (isInBraces)
      text += indent + "{\n";
    text += chain.call(captured, inlined, arrays, indent);
    const Stmt *last = candidate.movedAfter.empty() && !candidate.wrapper && !isInBraces
                           ? lastBeforeUse(candidate, span, captured)
                           : nullptr;
    std::string wait = indent + chain.wait() + "\n";
    if (!last && !candidate.wrapper)
      text += wait;
    if (isInBraces)
      text += indent + "}\n";
    for (const Stmt *stmt : candidate.movedAfter)
      text += moved(source, span, stmt);
    draft.last = last;
    draft.wait = last ? wait : "";
    return {};
  }

  /// Whether a jump of the function may pass over a chain: in C++ not over its lambda.
  static bool hasTargets(const Stmt *stmt) {
    return stmt && (isa<LabelStmt, SwitchCase>(stmt) || llvm::any_of(stmt->children(), hasTargets));
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
  std::vector<Array> map(Draft &draft, const Captures &captured, const DoneCall &done) {
    Candidate &candidate = draft.candidate;
    if (!options.mapOp)
      return {};
    if (isInTemplate(candidate.in)) {
      candidate.notMapped = {
          "instances", "all instances of the template share the text, and a switch program has "
                       "the types of one; move the chain to a function that is no template"};
      return {};
    }
    OpHandler handler = makeHandler(effects, candidate, captured, done,
                                    candidate.opName.substr(sizeof("acis_op_") - 1));
    candidate.notMapped = handler.refusal;
    if (captured.refusal)
      candidate.notMapped = captured.refusal;
    if (handler.hasSizes && !candidate.notMapped)
      candidate.notMapped = clashes.judgeSizes(candidate);
    if (candidate.notMapped)
      return {};
    MappedOp mapped = options.mapOp(handler.source);
    if (mapped.binary.empty()) {
      candidate.notMapped = {"mapper", mapped.reason};
      return {};
    }
    candidate.binary = std::move(mapped.binary);
    candidate.loops = mapped.loops;
    candidate.mappedArrays = handler.arrays;
    candidate.sizes = handler.sizes;
    candidate.hasSizes = handler.hasSizes;
    candidate.aliases = handler.aliases;
    std::string &text = draft.binary;
    text = "static const unsigned char " + candidate.opName + "_binary[] = {";
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
      // A clock behind the chain measures it.
      if (!effect.isQuiet() || effect.alloc || effect.exits || effect.timer ||
          taken.contains(stmt) || textOf(candidate).judge({stmt}) ||
          textOf(candidate).hasDirectives(span.stmts.back(), stmt))
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
  Clashes clashes;
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
