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

  /// The local sum before an Allreduce of it.
  void dot(const Event &event, size_t index) {
    if (llvm::StringRef(event.first.info->name) != "Allreduce" || event.first.op != "MPI_SUM" ||
        event.first.problem || event.asFirst)
      return;
    for (size_t i = index; i-- > 0;) {
      Effects effect = effects.of(items[i]);
      if (!overlaps(effect.writes, event.first.send)) {
        if (effect.isQuiet())
          continue;
        return;
      }
      // Not the zero that the sum starts with.
      if (!effect.loop)
        continue;
      const CallExpr *call = nullptr;
      if (!sumOf(items[i], event.first.send, call) || !effect.isQuiet())
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
  bool sumOf(const Stmt *stmt, const Path &sum, const CallExpr *&call) {
    std::vector<std::pair<Product, const CallExpr *>> found;
    productsOf(stmt, found);
    for (auto &[product, inner] : found) {
      if (product.loops != 1 || !isElement(product.left) || !isElement(product.right))
        continue;
      Path place = effects.pathOf(product.sum);
      if (inner) {
        const FunctionDecl *body = program.definition(inner);
        const Expr *returned = program.lastReturn(body);
        Path outer;
        bool isReturned = returned && effects.pathOf(returned) == place;
        bool isGiven =
            effects.translate(place, {inner, body}, outer) && overlaps(Paths{outer}, sum);
        if (!isReturned && !isGiven && !isCopied(body->getBody(), place, {inner, body}, sum))
          continue;
      } else if (!overlaps(Paths{place}, sum)) {
        continue;
      }
      call = inner;
      return !isElement(product.sum); // not an array of sums
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
  bool isCopied(const Stmt *stmt, const Path &local, const CallSite &site, const Path &sum) {
    return contains(stmt, [&](const Expr *expr) {
      const auto *assign = dyn_cast<BinaryOperator>(expr);
      Path outer;
      return assign && assign->getOpcode() == BO_Assign &&
             effects.pathOf(assign->getRHS()->IgnoreParenImpCasts()) == local &&
             effects.translate(effects.pathOf(assign->getLHS()), site, outer) &&
             overlaps(Paths{outer}, sum);
    });
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
