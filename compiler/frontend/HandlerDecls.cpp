// Reads ACIS_HANDLER functions off the syntax tree.
#include "compiler/frontend/HandlerDecls.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclGroup.h"
#include "clang/Basic/Diagnostic.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

using namespace clang;

namespace acis::frontend {
namespace {

constexpr unsigned NumParameters = 4;
constexpr const char *ParameterNames[NumParameters] = {"input stream", "output stream", "memory",
                                                       "packet length"};

bool isHandler(const FunctionDecl &function) {
  for (const auto *attribute : function.specific_attrs<AnnotateAttr>())
    if (attribute->getAnnotation() == "acis.handler")
      return true;
  return false;
}

class Collector : public ASTConsumer {
public:
  Collector(DiagnosticsEngine &diags, HandlerDecls &decls, std::optional<Refusal> &said)
      : diags(diags), decls(decls), said(said) {}

  void Initialize(ASTContext &astContext) override { context = &astContext; }

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl *decl : group)
      visit(decl);
    return true;
  }

private:
  void visit(Decl *decl) {
    if (auto *linkage = dyn_cast<LinkageSpecDecl>(decl))
      for (Decl *inner : linkage->decls())
        visit(inner);
    else if (auto *function = dyn_cast<FunctionDecl>(decl))
      if (isHandler(*function) && function->isThisDeclarationADefinition() &&
          !function->isInvalidDecl())
        add(*function);
  }

  template <unsigned N> DiagnosticBuilder error(SourceLocation where, const char (&text)[N]) {
    return diags.Report(where, diags.getCustomDiagID(DiagnosticsEngine::Error, text));
  }

  void add(const FunctionDecl &function) {
    if (!function.getReturnType()->isVoidType())
      error(function.getReturnTypeSourceRange().getBegin(),
            "handler %0 returns a value; a handler returns void and sends with its output stream")
          << &function;
    if (function.isVariadic() || function.getNumParams() != NumParameters) {
      error(function.getLocation(),
            "handler %0 has %1 parameters; it must have 4 pointers: input stream, output stream, "
            "memory, packet length")
          << &function << function.getNumParams();
      return;
    }
    HandlerDecl decl;
    decl.name = function.getNameAsString();
    for (unsigned i = 0; i < NumParameters; i++)
      checkParameter(function, i);
    decl.inBytes = elementBytes(*function.getParamDecl(0));
    decl.outBytes = elementBytes(*function.getParamDecl(1));
    decl.inType = elementType(*function.getParamDecl(0));
    decl.outType = elementType(*function.getParamDecl(1));
    decls.push_back(std::move(decl));
  }

  void checkParameter(const FunctionDecl &function, unsigned i) {
    const ParmVarDecl &parameter = *function.getParamDecl(i);
    QualType type = parameter.getType();
    if (!type->isPointerType()) {
      error(parameter.getLocation(),
            "parameter %0 of handler %1 (%2) has type %3; it must be a pointer")
          << i + 1 << &function << ParameterNames[i] << type;
      return;
    }
    QualType pointee = type->getPointeeType();
    if (pointee.isVolatileQualified())
      error(parameter.getLocation(), "parameter %0 of handler %1 (%2) points to volatile data; "
                                     "remove volatile")
          << i + 1 << &function << ParameterNames[i];
    // The packet length is never accessed through a stream pointer.
    if (i == NumParameters - 1 || type.isRestrictQualified())
      return;
    said = Refusal(Why::ParameterAliases, function.getNameAsString(), parameter.getName());
    error(parameter.getLocation(), "%0") << textOf(*said);
  }

  unsigned elementBytes(const ParmVarDecl &parameter) const {
    QualType type = parameter.getType();
    if (!type->isPointerType() || type->getPointeeType()->isIncompleteType())
      return 1;
    return context->getTypeSizeInChars(type->getPointeeType()).getQuantity();
  }

  std::string elementType(const ParmVarDecl &parameter) const {
    QualType type = parameter.getType();
    if (!type->isPointerType())
      return "";
    type = type->getPointeeType();
    if (type->isIncompleteType() || !type->isArithmeticType())
      return "";
    const char *kind = type->isRealFloatingType()      ? "float"
                       : type->isSignedIntegerType()   ? "int"
                       : type->isUnsignedIntegerType() ? "uint"
                                                       : "";
    return *kind ? kind + std::to_string(context->getTypeSize(type)) : "";
  }

  DiagnosticsEngine &diags;
  HandlerDecls &decls;
  std::optional<Refusal> &said;
  ASTContext *context = nullptr;
};

} // namespace

std::unique_ptr<ASTConsumer> collectHandlers(DiagnosticsEngine &diags, HandlerDecls &decls,
                                             std::optional<Refusal> &said) {
  return std::make_unique<Collector>(diags, decls, said);
}

void markHandlers(llvm::Module &module, const HandlerDecls &decls) {
  for (const HandlerDecl &decl : decls)
    if (llvm::Function *function = module.getFunction(decl.name)) {
      function->addFnAttr("acis.handler");
      function->addFnAttr("acis.in-bytes", std::to_string(decl.inBytes));
      function->addFnAttr("acis.out-bytes", std::to_string(decl.outBytes));
    }
  if (llvm::GlobalVariable *annotations = module.getGlobalVariable("llvm.global.annotations"))
    annotations->eraseFromParent();
}

} // namespace acis::frontend
