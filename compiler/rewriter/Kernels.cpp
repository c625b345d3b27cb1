// Distributed kernels by the shape of their loops.
#include "compiler/rewriter/Finder.h"
#include "compiler/rewriter/MpiCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace acis::rewriter {
namespace {

bool isLoop(const Stmt *stmt) { return isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(stmt); }

/// An element of an array, or a local copy of one.
bool isElement(const Expr *expr) {
  expr = expr->IgnoreParenImpCasts();
  if (isa<ArraySubscriptExpr>(expr))
    return true;
  if (const auto *op = dyn_cast<CXXOperatorCallExpr>(expr))
    return op->getOperator() == OO_Subscript;
  if (const auto *unary = dyn_cast<UnaryOperator>(expr))
    return unary->getOpcode() == UO_Deref;
  if (const auto *ref = dyn_cast<DeclRefExpr>(expr))
    if (const auto *var = dyn_cast<VarDecl>(ref->getDecl()))
      return var->isCXXForRangeDecl();
  return false;
}

/// The index of an element; null: none.
const Expr *indexOf(const Expr *expr) {
  expr = expr->IgnoreParenImpCasts();
  if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(expr))
    return subscript->getIdx();
  if (const auto *op = dyn_cast<CXXOperatorCallExpr>(expr);
      op && op->getOperator() == OO_Subscript && op->getNumArgs() == 2)
    return op->getArg(1);
  return nullptr;
}

bool contains(const Stmt *stmt, llvm::function_ref<bool(const Expr *)> test) {
  if (!stmt)
    return false;
  if (const auto *expr = dyn_cast<Expr>(stmt); expr && test(expr))
    return true;
  for (const Stmt *child : stmt->children())
    if (contains(child, test))
      return true;
  return false;
}

/// What `value` is a product of, one by one: through variables of the loop that are set once.
void factors(const Program &program, const Expr *value, std::vector<const Expr *> &result,
             unsigned depth = 0) {
  value = value->IgnoreParenCasts();
  const auto *call = dyn_cast<CallExpr>(value);
  std::string name = call ? Program::calleeName(call) : "";
  Expr::EvalResult exponent;
  if (const auto *product = dyn_cast<BinaryOperator>(value);
      product && product->getOpcode() == BO_Mul) {
    factors(program, product->getLHS(), result, depth);
    factors(program, product->getRHS(), result, depth);
  } else if ((name == "pow" || name == "std::pow") && call->getNumArgs() == 2) {
    const ASTContext &context = Program::callee(call)->getASTContext();
    bool isSquare = !call->getArg(1)->isValueDependent() &&
                    call->getArg(1)->EvaluateAsRValue(exponent, context) &&
                    (exponent.Val.isInt() ? exponent.Val.getInt() == 2
                                          : exponent.Val.isFloat() &&
                                                exponent.Val.getFloat().convertToDouble() == 2);
    result.insert(result.end(), isSquare ? 2 : 1, call->getArg(0));
  } else if (const auto *ref = dyn_cast<DeclRefExpr>(value);
             ref && depth < 4 && !isElement(value)) {
    const auto *var = dyn_cast<VarDecl>(ref->getDecl());
    const Expr *only = var && var->hasLocalStorage() ? program.onlyValue(var) : nullptr;
    if (only)
      factors(program, only, result, depth + 1);
    else
      result.push_back(value);
  } else {
    result.push_back(value);
  }
}

/// Whether two factors of the value, or more, are computed from elements of arrays.
bool isProduct(const Program &program, const Expr *value) {
  std::vector<const Expr *> each;
  factors(program, value, each);
  return llvm::count_if(each, [](const Expr *factor) { return contains(factor, isElement); }) >= 2;
}

/// Whether it is a sum with a product in it, or one.
bool hasProduct(const Program &program, const Expr *value) {
  value = value->IgnoreParenCasts();
  const auto *add = dyn_cast<BinaryOperator>(value);
  if (add && add->isAdditiveOp())
    return hasProduct(program, add->getLHS()) || hasProduct(program, add->getRHS());
  return isProduct(program, value);
}

bool isSame(const Expr *a, const Expr *b, const ASTContext &context) {
  llvm::FoldingSetNodeID left, right;
  a->IgnoreParenImpCasts()->Profile(left, context, /*Canonical=*/true);
  b->IgnoreParenImpCasts()->Profile(right, context, /*Canonical=*/true);
  return left == right;
}

/// What loops of the statement add products to: sum += left * right, sum = sum + left * right.
void sums(const Program &program, const ASTContext &context, const Stmt *stmt, bool inLoop,
          std::vector<const Expr *> &result) {
  if (!stmt)
    return;
  inLoop |= isLoop(stmt);
  if (const auto *op = dyn_cast<BinaryOperator>(stmt); op && inLoop && op->isAssignmentOp()) {
    auto isSum = [&](const Expr *part) { return isSame(part, op->getLHS(), context); };
    const auto *add = dyn_cast<BinaryOperator>(op->getRHS()->IgnoreParenCasts());
    bool adds =
        op->getOpcode() == BO_AddAssign || op->getOpcode() == BO_SubAssign ||
        (op->getOpcode() == BO_Assign && add && add->isAdditiveOp() && contains(add, isSum));
    if (adds && hasProduct(program, op->getRHS()))
      result.push_back(op->getLHS());
  }
  for (const Stmt *child : stmt->children())
    sums(program, context, child, inLoop, result);
}

struct Product {
  const Expr *sum = nullptr, *left = nullptr, *right = nullptr;
  unsigned loops = 0;
};

/// Every sum += left * right below `stmt`, with the number of loops round it.
void products(const Stmt *stmt, unsigned loops, std::vector<Product> &result) {
  if (!stmt)
    return;
  loops += isLoop(stmt);
  if (const auto *op = dyn_cast<BinaryOperator>(stmt); op && op->isAssignmentOp()) {
    const Expr *value = op->getRHS()->IgnoreParenImpCasts();
    const auto *add = dyn_cast<BinaryOperator>(value);
    // s = s + a * b
    if (op->getOpcode() == BO_Assign && add && add->getOpcode() == BO_Add)
      value = add->getRHS()->IgnoreParenImpCasts();
    const auto *product = dyn_cast<BinaryOperator>(value);
    if ((op->getOpcode() == BO_AddAssign || value != op->getRHS()->IgnoreParenImpCasts()) &&
        product && product->getOpcode() == BO_Mul)
      result.push_back({op->getLHS(), product->getLHS(), product->getRHS(), loops});
  }
  for (const Stmt *child : stmt->children())
    products(child, loops, result);
}

class Kernels {
public:
  Kernels(Program &program, EffectsAnalysis &effects, Events &events, const FunctionDecl *function,
          const std::vector<const Stmt *> &items, std::vector<Candidate> &candidates)
      : program(program), effects(effects), events(events), function(function), items(items),
        candidates(candidates) {}

  void run() {
    for (size_t i = 0; i < items.size(); i++) {
      Event event = events.eventOf(items[i], function->getASTContext());
      if (event.call && !event.wrapper && event.first.info)
        dot(event, i);
      Effects effect = effects.of(items[i]);
      if (effect.comm && !event.first.info)
        exchange(i, effect);
      if (event.call && !event.wrapper && event.first.info)
        panel(event, i);
    }
  }

private:
  Candidate begin(const Stmt *stmt, Kind kind) {
    const ASTContext &context = function->getASTContext();
    Candidate candidate;
    candidate.kind = kind;
    candidate.pattern = kindName(kind);
    candidate.in = function;
    candidate.function = function->getNameAsString();
    candidate.file = Program::fileOf(context, stmt->getBeginLoc());
    candidate.lineFirst = Program::lineOf(context, stmt->getBeginLoc());
    const SourceManager &sources = context.getSourceManager();
    candidate.columnFirst =
        sources.getPresumedLoc(sources.getExpansionLoc(stmt->getBeginLoc())).getColumn();
    candidate.firstStmt = stmt;
    return candidate;
  }

  void setOp(Candidate &candidate, const Stmt *op) {
    const ASTContext &context = function->getASTContext();
    candidate.op = {op};
    candidate.opFirst = Program::lineOf(context, op->getBeginLoc());
    candidate.opLast = Program::lineOf(context, op->getEndLoc());
    describeArrays(program, effects, candidate);
  }

  /// The local sum before an Allreduce of it, or of what is computed from it.
  void dot(const Event &event, size_t index) {
    if (llvm::StringRef(event.first.info->name) != "Allreduce" || event.first.op != "MPI_SUM" ||
        event.first.problem || event.asFirst)
      return;
    Paths sent{event.first.send};
    for (size_t i = index; i-- > 0;) {
      Effects effect = effects.of(items[i]);
      if (!effect.isQuiet())
        return;
      if (!overlaps(effect.writes, sent))
        continue;
      if (!effect.loop) { // a copy, a factor, the zero that the sum starts with
        sent.insert(effect.reads.begin(), effect.reads.end());
        continue;
      }
      const CallExpr *call = nullptr;
      if (!sumOf(items[i], sent, call) || makesArrays(effect, sent))
        return;
      Candidate candidate = begin(items[index], Kind::KernelDot);
      candidate.first = event.first;
      candidate.collFirst = "Allreduce";
      candidate.level = levelOf(call);
      setOp(candidate, items[i]);
      candidates.push_back(std::move(candidate));
      return;
    }
  }

  /// Whether the statement adds up products in `sum`: in a loop of its own, or by `call`.
  bool sumOf(const Stmt *stmt, const Paths &sum, const CallExpr *&call) {
    std::vector<std::pair<const Expr *, const CallExpr *>> found;
    auto find = [&](const Stmt *in, const ASTContext &context, const CallExpr *inner) {
      std::vector<const Expr *> own;
      sums(program, context, in, /*inLoop=*/false, own);
      for (const Expr *each : own)
        found.push_back({each, inner});
    };
    find(stmt, function->getASTContext(), nullptr);
    contains(stmt, [&](const Expr *expr) {
      const auto *inner = dyn_cast<CallExpr>(expr);
      if (const FunctionDecl *body = inner ? program.definition(inner) : nullptr)
        find(body->getBody(), body->getASTContext(), inner);
      return false;
    });
    for (auto &[added, inner] : found) {
      Path place = effects.pathOf(added);
      if (inner) {
        const FunctionDecl *body = program.definition(inner);
        const Expr *returned = program.lastReturn(body);
        Path outer;
        bool isReturned = returned && effects.pathOf(returned) == place;
        bool isGiven =
            effects.translate(place, {inner, body}, outer) && overlaps(sum, Paths{outer});
        if (!isReturned && !isGiven && !isCopied(body->getBody(), place, {inner, body}, sum))
          continue;
      } else if (!overlaps(sum, Paths{place})) {
        continue;
      }
      call = inner;
      return isOne(added);
    }
    return contains(stmt, [&](const Expr *expr) {
      const auto *library = dyn_cast<CallExpr>(expr);
      std::string name = library ? Program::calleeName(library) : "";
      bool isDot = name == "std::inner_product" || name == "std::transform_reduce";
      if (isDot)
        call = library;
      return isDot;
    });
  }

  /// Whether the callee gives away the sum that it made in a variable of its own: *result = local.
  bool isCopied(const Stmt *stmt, const Path &local, const CallSite &site, const Paths &sum) {
    return contains(stmt, [&](const Expr *expr) {
      const auto *assign = dyn_cast<BinaryOperator>(expr);
      Path outer;
      return assign && assign->getOpcode() == BO_Assign &&
             effects.pathOf(assign->getRHS()->IgnoreParenImpCasts()) == local &&
             effects.translate(effects.pathOf(assign->getLHS()), site, outer) &&
             overlaps(sum, Paths{outer});
    });
  }

  /// Whether it writes arrays beside the sum: a sweep that keeps a norm is no dot product.
  static bool makesArrays(const Effects &effect, const Paths &sum) {
    return llvm::any_of(effect.writes, [&](const Path &path) {
      return path.rest.find('[') != std::string::npos && !overlaps(sum, Paths{path});
    });
  }

  /// Whether it is a sum, rather than an array of them.
  bool isOne(const Expr *sum) const {
    const Expr *index = indexOf(sum);
    Expr::EvalResult value;
    return !isElement(sum) || (index && index->EvaluateAsInt(value, function->getASTContext()));
  }

  /// How far one has to look for what the call does; null: not at all.
  std::string levelOf(const CallExpr *call) const {
    const FunctionDecl *body = call ? program.definition(call) : nullptr;
    if (!body)
      return call ? "inline" : "intra";
    return Program::fileOf(body->getASTContext(), body->getLocation()) ==
                   Program::fileOf(function->getASTContext(), function->getLocation())
               ? "inline"
               : "ipo";
  }

  /// Calls below `stmt` of visible functions, whose loops count as the statement's own.
  void productsOf(const Stmt *stmt, std::vector<std::pair<Product, const CallExpr *>> &result) {
    std::vector<Product> own;
    products(stmt, 0, own);
    for (const Product &product : own)
      result.push_back({product, nullptr});
    contains(stmt, [&](const Expr *expr) {
      if (const auto *call = dyn_cast<CallExpr>(expr))
        if (const FunctionDecl *body = program.definition(call)) {
          std::vector<Product> inner;
          products(body->getBody(), 0, inner);
          for (const Product &product : inner)
            result.push_back({product, call});
        }
      return false;
    });
  }

  bool isCollectiveFree(const Stmt *stmt, std::set<const FunctionDecl *> &visited) {
    return !contains(stmt, [&](const Expr *expr) {
      const auto *call = dyn_cast<CallExpr>(expr);
      if (!call)
        return false;
      MpiClass mpi = classOf(Program::calleeName(call));
      if (mpi == MpiClass::Collective || mpi == MpiClass::Unsupported)
        return true;
      const FunctionDecl *body = program.definition(call);
      return body && visited.insert(body).second && !isCollectiveFree(body->getBody(), visited);
    });
  }

  /// Point-to-point messages followed by a sparse product of what they brought.
  void exchange(size_t index, const Effects &halo) {
    std::set<const FunctionDecl *> visited;
    if (!isCollectiveFree(items[index], visited))
      return;
    for (size_t i = index + 1; i < items.size(); i++) {
      Effects effect = effects.of(items[i]);
      // The last message of the exchange stands for it.
      if (effect.comm || effect.io || effect.calls || effect.jump || effect.print)
        return;
      std::vector<std::pair<Product, const CallExpr *>> found;
      productsOf(items[i], found);
      for (auto &[product, call] : found) {
        bool isSparse = product.loops >= 2 &&
                        (isIndirect(product.left, call) || isIndirect(product.right, call));
        bool isGemm = !isSparse && product.loops >= 3 && isElement(product.sum) &&
                      isElement(product.left) && isElement(product.right);
        if (!isSparse && !isGemm)
          continue;
        if (!overlaps(effect.reads, halo.reads) && !overlaps(effect.reads, halo.writes))
          continue;
        Candidate candidate = begin(items[index], isSparse ? Kind::KernelSpmv : Kind::KernelGemm);
        candidate.collFirst = "Irecv/Send";
        candidate.lineSecond = Program::lineOf(function->getASTContext(), items[i]->getBeginLoc());
        candidate.level = levelOf(call);
        setOp(candidate, items[i]);
        candidate.opFirst = candidate.lineFirst;
        candidates.push_back(std::move(candidate));
        return;
      }
    }
  }

  /// x[column[j]], also with the index or the pointers in local variables.
  bool isIndirect(const Expr *element, const CallExpr *call) {
    const Expr *index = indexOf(element);
    if (!index)
      return false;
    if (contains(index, [](const Expr *expr) { return isElement(expr); }))
      return true;
    const auto *ref = dyn_cast<DeclRefExpr>(index->IgnoreParenImpCasts());
    const auto *var = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
    const Expr *value = var ? program.onlyValue(var) : nullptr;
    return value && isElement(value);
  }

  /// Broadcast panels of a matrix product: a loop of broadcasts and a triple loop.
  void panel(const Event &event, size_t index) {
    auto isBcast = [](const Event &e) {
      return e.call && !e.wrapper && e.first.info && llvm::StringRef(e.first.info->name) == "Bcast";
    };
    if (!isBcast(event) || event.asFirst)
      return;
    for (size_t i = index + 1; i < items.size(); i++) {
      // The panel of the other matrix.
      if (isBcast(events.eventOf(items[i], function->getASTContext())))
        continue;
      Effects effect = effects.of(items[i]);
      if (!effect.isQuiet())
        return;
      std::vector<std::pair<Product, const CallExpr *>> found;
      productsOf(items[i], found);
      for (auto &[product, call] : found) {
        if (product.loops < 3 || !isElement(product.left) || !isElement(product.right) ||
            !overlaps(effect.reads, event.first.recv))
          continue;
        Candidate candidate = begin(items[index], Kind::KernelGemm);
        candidate.collFirst = "Bcast";
        candidate.first = event.first;
        candidate.lineSecond = Program::lineOf(function->getASTContext(), items[i]->getBeginLoc());
        candidate.level = levelOf(call);
        setOp(candidate, items[i]);
        candidates.push_back(std::move(candidate));
        return;
      }
    }
  }

  Program &program;
  EffectsAnalysis &effects;
  Events &events;
  const FunctionDecl *function;
  const std::vector<const Stmt *> &items;
  std::vector<Candidate> &candidates;
};

} // namespace

void findKernels(Program &program, EffectsAnalysis &effects, Events &events,
                 const FunctionDecl *function, const std::vector<const Stmt *> &items,
                 std::vector<Candidate> &candidates) {
  Kernels(program, effects, events, function, items, candidates).run();
}

} // namespace acis::rewriter
