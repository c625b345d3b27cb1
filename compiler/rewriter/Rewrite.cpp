// Decides what can be written anew and makes the edits.
#include "compiler/rewriter/Rewrite.h"

#include "compiler/rewriter/Captures.h"
#include "compiler/rewriter/MpiCalls.h"
#include "compiler/rewriter/OpHandler.h"
#include "compiler/rewriter/ParseCollective.h"
#include "compiler/rewriter/SourceText.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace acis::rewriter {
namespace {

constexpr const char *Marker = "/* acis: ";
constexpr const char *Include = "\n#include <acis_cccf.h>\n";

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
    candidate.notRewritten = judge(candidate);
    if (candidate.notRewritten)
      return;
    Span span;
    candidate.notRewritten = findSpan(candidate, span);
    if (candidate.notRewritten)
      return;
    SourceText &source = textOf(candidate);
    if (source.contains(Include))
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
    if (candidate.level == "ipo" && !candidate.mpiCall.empty())
      return {"wrapper", "the MPI call is in another function"};
    bool isDirect = candidate.first.call && isWhole(candidate.firstStmt, candidate.first.call) &&
                    (!candidate.secondStmt || isWhole(candidate.secondStmt, candidate.second.call));
    if (!isDirect)
      return {"wrapper", "a collective is part of a larger statement"};
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

  /// Since C++11 the op stays where it is, as a lambda: members, templates and local types do
  /// not matter then.
  static bool isLambda(const Candidate &candidate) {
    return candidate.in->getASTContext().getLangOpts().CPlusPlus11;
  }

  /// The statement is the call, or assigns it to a variable that is there already.
  static bool isWhole(const Stmt *stmt, const CallExpr *call) {
    const auto *expr = dyn_cast_or_null<Expr>(stmt);
    if (!expr)
      return false;
    expr = expr->IgnoreParenCasts();
    if (expr == call)
      return true;
    const auto *assign = dyn_cast<BinaryOperator>(expr);
    return assign && assign->getOpcode() == BO_Assign &&
           assign->getRHS()->IgnoreParenCasts() == call;
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
    std::set<const Stmt *> after(candidate.movedAfter.begin(), candidate.movedAfter.end());
    candidate.movedBefore.clear();
    candidate.movedAfter.clear();
    std::vector<const Stmt *> op;
    Effects kept; // what comes before in the order and is not moved before
    if (candidate.kind != Kind::KernelDot)
      kept.add(effects.of(candidate.first.call));
    Effects printed;
    for (const Stmt *stmt : span.stmts) {
      if (stmt == candidate.firstStmt || stmt == candidate.secondStmt)
        continue;
      Effects effect = effects.of(stmt);
      bool mustHoist = isa<DeclStmt>(stmt) && !isOp(candidate, stmt);
      mustHoist |= effect.alloc || effect.exits || effect.timer;
      if (after.contains(stmt)) {
        candidate.movedAfter.push_back(stmt);
        printed.add(effect);
        continue;
      }
      if (isOp(candidate, stmt) || !mustHoist) {
        // A print that was before this statement comes after it.
        if (effects.conflict(printed, effect))
          return refuse(candidate, "what is printed between is changed later");
        op.push_back(stmt);
        kept.add(effect);
        continue;
      }
      if (effects.conflict(kept, effect) || effects.conflict(printed, effect))
        return refuse(candidate, "a declaration, allocation or clock between depends on the op");
      candidate.movedBefore.push_back(stmt);
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
    if (const auto *expr = dyn_cast<Expr>(candidate.firstStmt))
      if (const auto *assign = dyn_cast<BinaryOperator>(expr->IgnoreParenCasts()))
        code.writes.insert(effects.pathOf(assign->getLHS()));
    if (effects.conflict(code, op) || effects.conflict(code, printed))
      return refuse(candidate, "the return code of the first collective is used between");
    return true;
  }

  static bool isOp(const Candidate &candidate, const Stmt *stmt) {
    return llvm::is_contained(candidate.op, stmt);
  }

  static bool refuse(Candidate &candidate, std::string text) {
    candidate.notRewritten = {"order", std::move(text)};
    return false;
  }

  Refusal write(Candidate &candidate, const Span &span, SourceText &source) {
    Captures captured = captures(candidate.in, candidate.op);
    bool inPlace = isLambda(candidate);
    const ASTContext &context = candidate.in->getASTContext();
    if (Refusal refusal = inPlace ? captured.inPlace : captured.refusal)
      return refusal;
    std::string label = labelOf(candidate);
    candidate.opName = "acis_op_" + label;
    std::string request = "acis_request_" + label, args = "acis_args_" + label;
    std::string table = "acis_arrays_" + label;

    std::vector<Array> arrays = map(candidate, captured);
    if (inPlace)
      source.insertBeforeOutermost(candidate.in, includes(candidate));
    else
      source.insertBeforeFunction(candidate.in, opFunction(candidate, span, source, captured));
    std::string indent = source.indentOf(span.stmts.front());
    std::string text = Marker + candidate.pattern + ", op in " + candidate.opName + " */\n";
    for (const Stmt *stmt : {candidate.firstStmt, candidate.secondStmt})
      if (std::string comment = stmt ? source.commentAfter(stmt) : ""; !comment.empty())
        text += indent + comment + "\n";
    for (const VarDecl *var : captured.declared) {
      std::string name = var->getNameAsString();
      text += indent + declare(var->getType(), name, context) + ";\n";
      if (inPlace)
        text +=
            indent + declare(var->getType(), "&acis_out_" + name, context) + " = " + name + ";\n";
    }
    for (const Stmt *stmt : candidate.movedBefore)
      text += moved(source, span, stmt);
    if (candidate.secondStmt)
      text += source.commentsBefore(span.stmts, candidate.secondStmt);
    text += indent + "MPI_Request " + request + ";\n";
    if (inPlace)
      text += indent + "auto " + candidate.opName + " = [&]() {\n" +
              opText(candidate, span, source) + storeDeclared(captured, indent) + indent + "};\n";
    else
      text += indent + "struct " + candidate.opName + " " + args + " = {" + fieldValues(captured) +
              "};\n";
    text += arrayTable(table, arrays, indent);
    text += indent + call(candidate, request, args, table, arrays.size(), indent) + ";\n";
    std::string wait = "MPI_Wait(&" + request + ", MPI_STATUS_IGNORE);";
    const Stmt *last =
        candidate.movedAfter.empty() ? lastBeforeUse(candidate, span, captured) : nullptr;
    if (!last)
      text += indent + wait + "\n";
    for (const Stmt *stmt : candidate.movedAfter)
      text += moved(source, span, stmt);
    source.replace(span.stmts, text);
    if (last)
      source.insertAfter(last, indent + wait + "\n");
    return {};
  }

  /// The line; with a number when an op of that line was written before, e.g. one from another
  /// source of generated code.
  std::string labelOf(const Candidate &candidate) {
    std::string line = std::to_string(candidate.lineFirst);
    unsigned count = ++labels[fileOf(candidate) + ":" + line];
    return count == 1 ? line : line + "_" + std::to_string(count);
  }

  /// Has the op compiled for the switch; the arrays that go with its binary.
  std::vector<Array> map(Candidate &candidate, const Captures &captured) {
    if (!options.mapOp)
      return {};
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

  static std::string arrayTable(const std::string &name, const std::vector<Array> &arrays,
                                const std::string &indent) {
    if (arrays.empty())
      return "";
    std::string text = indent + "ACIS_Array " + name + "[] = {\n";
    for (const Array &array : arrays) {
      const char *role = array.role == Role::StreamIn    ? "ACIS_STREAM_IN"
                         : array.role == Role::Inbound   ? "ACIS_INBOUND"
                         : array.role == Role::StreamOut ? "ACIS_STREAM_OUT"
                                                         : "ACIS_OUTBOUND";
      text += indent + "    {" + role + ", " + array.name + ", " +
              std::to_string(array.bytes.value_or(0)) + "},\n";
    }
    return text + indent + "};\n";
  }

  /// Assertions say their line.
  std::string moved(const SourceText &source, const Span &span, const Stmt *stmt) {
    std::string piece = source.pieceOf(span.stmts, stmt);
    return effects.of(stmt).exits ? source.lineDirective(span.stmts, stmt) + piece : piece;
  }

  std::string opFunction(const Candidate &candidate, const Span &span, SourceText &source,
                         const Captures &captured) {
    const ASTContext &context = candidate.in->getASTContext();
    bool isCxx = context.getLangOpts().CPlusPlus;
    std::string name = candidate.opName;
    std::string text =
        Marker + std::string("the op of ") + candidate.pattern + " in " + candidate.function +
        ", line " + std::to_string(candidate.lineFirst) + " */" + Include +
        (candidate.binary.empty() ? "" : "#include \"" + binariesName(fileOf(candidate)) + "\"\n") +
        "struct " + name + " {\n";
    std::string load, store;
    if (captured.list.empty() && captured.declared.empty())
      text += "  char none;\n";
    auto add = [&](const VarDecl *var, bool isArray) {
      std::string field = var->getNameAsString();
      QualType type = isArray ? context.getArrayDecayedType(var->getType())
                              : context.getPointerType(var->getType().getNonReferenceType());
      text += "  " + declare(type, field, context) + ";\n";
      return field;
    };
    for (const Capture &capture : captured.list) {
      std::string field = add(capture.var, capture.isArray);
      QualType type = capture.var->getType();
      if (capture.isArray)
        load += "  " + declare(context.getArrayDecayedType(type), field, context) + " = acis->" +
                field + ";\n";
      else if (isCxx)
        load += "  " + declare(type.getNonReferenceType(), "&" + field, context) + " = *acis->" +
                field + ";\n";
      else
        load += "  " + declare(type, field, context) + " = *acis->" + field + ";\n";
      if (capture.isWrittenBack)
        store += "  *acis->" + field + " = " + field + ";\n";
    }
    for (const VarDecl *var : captured.declared)
      store += "  *acis->" + add(var, /*isArray=*/false) + " = " + var->getNameAsString() + ";\n";
    text += "};\nstatic void " + name + "_run(void *acis_pointer) {\n";
    if (!load.empty() || !store.empty())
      text += "  struct " + name + " *acis = (struct " + name + " *)acis_pointer;\n" + load;
    else
      text += "  (void)acis_pointer;\n";
    return text + opText(candidate, span, source) + store + "}\n";
  }

  /// The statements of the op with their lines.
  static std::string opText(const Candidate &candidate, const Span &span,
                            const SourceText &source) {
    std::string text;
    const Stmt *previous = nullptr;
    for (const Stmt *stmt : candidate.op) {
      if (!source.follows(span.stmts, previous, stmt))
        text += source.lineDirective(span.stmts, stmt);
      text += source.pieceOf(span.stmts, stmt);
      previous = stmt;
    }
    return text;
  }

  /// What the op declares hides the variable of the same name outside.
  static std::string storeDeclared(const Captures &captured, const std::string &indent) {
    std::string text;
    for (const VarDecl *var : captured.declared)
      text +=
          indent + "  acis_out_" + var->getNameAsString() + " = " + var->getNameAsString() + ";\n";
    return text;
  }

  static std::string includes(const Candidate &candidate) {
    std::string text = Marker + std::string("fused collectives */") + Include;
    if (!candidate.binary.empty())
      text += "#include \"" + binariesName(fileOf(candidate)) + "\"\n";
    return text;
  }

  static std::string fieldValues(const Captures &captured) {
    std::string text;
    for (const Capture &capture : captured.list)
      text += (text.empty() ? "" : ", ") + std::string(capture.isArray ? "" : "&") +
              capture.var->getNameAsString();
    for (const VarDecl *var : captured.declared)
      text += (text.empty() ? "&" : ", &") + var->getNameAsString();
    return text.empty() ? "0" : text;
  }

  /// The collective as its descriptor: the same arguments but for the communicator.
  static std::string descriptor(const Collective &collective) {
    std::string text = "ACIS_" + std::string(collective.info->name) + "(";
    for (int i = 0; i < collective.info->comm; i++)
      text += (i ? ", " : "") + sourceText(collective.arg(i), *collective.context);
    return text + ")";
  }

  static std::string assigned(const Stmt *stmt, const ASTContext &context) {
    const auto *expr = dyn_cast_or_null<Expr>(stmt);
    if (!expr)
      return "";
    const auto *assign = dyn_cast<BinaryOperator>(expr->IgnoreParenCasts());
    return assign ? sourceText(assign->getLHS(), context) + " = " : "";
  }

  static std::string call(const Candidate &candidate, const std::string &request,
                          const std::string &args, const std::string &table, size_t numArrays,
                          const std::string &indent) {
    const ASTContext &context = candidate.in->getASTContext();
    std::string made = isLambda(candidate) ? candidate.opName : candidate.opName + "_run, &" + args;
    std::string op = "ACIS_Make_op(" + made + ")";
    if (!candidate.binary.empty())
      op = "ACIS_Make_switch_op(" + made + ", " + candidate.opName + "_binary, sizeof(" +
           candidate.opName + "_binary), " + table + ", " + std::to_string(numArrays) + ")";
    std::string comm =
        sourceText(candidate.first.arg(candidate.first.info->comm), *candidate.first.context);
    std::string result = assigned(candidate.firstStmt, context);
    if (result.empty())
      result = assigned(candidate.secondStmt, context);
    std::string first = descriptor(candidate.first);
    std::string tail = comm + ", &" + request + ")";
    std::string comma = ",\n" + indent + "    ";
    switch (candidate.kind) {
    case Kind::Fused:
      return result + "ACIS_Ifused(" + first + comma + op + comma + descriptor(candidate.second) +
             comma + tail;
    case Kind::SemiFused:
      return result + "ACIS_Isemifused(" + first + comma + op + comma + tail;
    default:
      return result + "ACIS_Ikernel(" + op + comma + first + comma + tail;
    }
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

bool isRewrittenText(llvm::StringRef text) { return text.contains(Include); }

} // namespace acis::rewriter
