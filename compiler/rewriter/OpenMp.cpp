// Pragmas are read from the text before a statement; without -fopenmp the tree has none.
#include "compiler/rewriter/OpenMp.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Expr.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace acis::rewriter {
namespace {

/// The last line of the text that is not empty or a comment, with the lines that it goes on from.
llvm::StringRef lastLine(llvm::StringRef text) {
  while (true) {
    text = text.rtrim();
    if (size_t open = text.ends_with("*/") ? text.rfind("/*") : text.npos; open != text.npos) {
      text = text.take_front(open);
      continue;
    }
    size_t begin = text.rfind('\n');
    while (begin != text.npos && text.take_front(begin).rtrim(" \t\r").ends_with("\\"))
      begin = text.rfind('\n', begin);
    llvm::StringRef line = begin == text.npos ? text : text.drop_front(begin + 1);
    if (!line.ltrim().starts_with("//") || line.size() == text.size())
      return line.trim();
    text = text.drop_back(line.size());
  }
}

bool isOpenMpPragma(llvm::StringRef line) {
  if (line.consume_back(")") && line.consume_back("\"")) // _Pragma("omp ...")
    line = line.substr(line.rfind('"') + 1);
  else if (!line.consume_front("#") || !(line = line.ltrim()).consume_front("pragma"))
    return false;
  line = line.ltrim();
  return line.consume_front("omp") && !line.ltrim().starts_with("simd");
}

class Walk : public DynamicRecursiveASTVisitor {
public:
  explicit Walk(const ASTContext &context) : manager(context.getSourceManager()) {}
  llvm::DenseSet<const CallExpr *> found;

  bool TraverseStmt(Stmt *stmt) override {
    bool isRegion = stmt && (isa<OMPExecutableDirective>(stmt) || hasPragma(stmt));
    depth += isRegion;
    bool result = DynamicRecursiveASTVisitor::TraverseStmt(stmt);
    depth -= isRegion;
    return result;
  }
  bool VisitCallExpr(CallExpr *call) override {
    if (depth)
      found.insert(call);
    return true;
  }

private:
  bool hasPragma(const Stmt *stmt) const {
    if (stmt->getBeginLoc().isInvalid())
      return false;
    auto [file, offset] = manager.getDecomposedExpansionLoc(stmt->getBeginLoc());
    llvm::StringRef text = manager.getBufferData(file).take_front(offset);
    return isOpenMpPragma(lastLine(text));
  }

  const SourceManager &manager;
  unsigned depth = 0;
};

} // namespace

llvm::DenseSet<const CallExpr *> callsInOpenMp(const FunctionDecl *function) {
  Walk walk(function->getASTContext());
  walk.TraverseStmt(function->getBody());
  return std::move(walk.found);
}

} // namespace acis::rewriter
