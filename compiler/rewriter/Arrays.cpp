// The four kinds of arrays of a CCCF (dissertation, section 5.3) with what is known of their sizes.
#include "compiler/rewriter/Finder.h"
#include "compiler/rewriter/MpiCalls.h"
#include "compiler/rewriter/ParseCollective.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace acis::rewriter {
namespace {

class Arrays {
public:
  Arrays(Program &program, EffectsAnalysis &effects, Candidate &candidate)
      : program(program), effects(effects), candidate(candidate),
        context(candidate.in->getASTContext()) {}

  void run() {
    if (candidate.first.info)
      stream(Role::StreamIn, candidate.first, candidate.first.info->send,
             candidate.first.info->sendCount, candidate.first.type);
    Effects op;
    for (const Stmt *stmt : candidate.op)
      op.add(effects.of(stmt));
    for (const Path &path : op.reads)
      if (!overlaps(Paths{candidate.first.recv}, path) && isForeign(path))
        memory(Role::Inbound, path);
    if (candidate.second.info)
      stream(Role::StreamOut, candidate.second, candidate.second.info->recv,
             candidate.second.info->recvCount, candidate.second.recvType);
    for (const Path &path : op.writes)
      if (!(candidate.second.info && overlaps(Paths{candidate.second.send}, path)) &&
          isForeign(path))
        memory(Role::Outbound, path);
  }

private:
  void stream(Role role, const Collective &collective, int buffer, int count,
              const std::string &type) {
    Array array;
    array.role = role;
    array.name = sourceText(collective.arg(buffer), *collective.context);
    array.type = type;
    Expr::EvalResult value;
    const Expr *expr = collective.arg(count);
    const MpiType *mpi = findType(type);
    llvm::StringRef name = collective.info->name;
    bool each = name == "Alltoall" || name == "Gather" || name == "Allgather" || name == "Scatter";
    if (expr && mpi && expr->getType()->isIntegerType() &&
        expr->EvaluateAsInt(value, *collective.context)) {
      array.bytes = value.Val.getInt().getZExtValue() * mpi->bytes;
      array.perRank = each && value.Val.getInt() == 1;
    } else if (const auto *ref =
                   expr ? dyn_cast<DeclRefExpr>(expr->IgnoreParenImpCasts()) : nullptr) {
      array.perRank = program.isSizeVariable(ref->getDecl());
    }
    candidate.arrays.push_back(std::move(array));
  }

  /// Declared outside the op, and memory rather than a scalar.
  bool isForeign(const Path &path) {
    if (path.var < Path::FirstVariable || path.rest.empty())
      return false;
    SourceLocation loc = program.variable(path.var)->getLocation();
    for (const Stmt *stmt : candidate.op) {
      SourceRange range = stmt->getSourceRange();
      const SourceManager &sources = context.getSourceManager();
      if (&program.variable(path.var)->getASTContext() == &context &&
          sources.isPointWithin(loc, range.getBegin(), range.getEnd()))
        return false;
    }
    return true;
  }

  void memory(Role role, const Path &path) {
    const VarDecl *var = program.variable(path.var);
    Array array;
    array.role = role;
    array.name = var->getNameAsString();
    for (char step : path.rest.substr(0, path.rest.find_last_not_of("[*") + 1))
      if (step != '[' && step != '*')
        array.name += step;
    QualType type = var->getType();
    if (const auto *constant = context.getAsConstantArrayType(type);
        constant && path.rest == "[" && &var->getASTContext() == &context)
      array.bytes = context.getTypeSizeInChars(type).getQuantity();
    while (type->isPointerType() || type->isArrayType())
      type = type->isPointerType() ? type->getPointeeType()
                                   : QualType(type->getPointeeOrArrayElementType(), 0);
    array.type = type.getUnqualifiedType().getAsString();
    candidate.arrays.push_back(std::move(array));
  }

  Program &program;
  EffectsAnalysis &effects;
  Candidate &candidate;
  const ASTContext &context;
};

} // namespace

void describeArrays(Program &program, EffectsAnalysis &effects, Candidate &candidate) {
  candidate.arrays.clear();
  Arrays(program, effects, candidate).run();
}

} // namespace acis::rewriter
