// What calls do: of MPI, of visible functions, of the libraries.
#include "compiler/rewriter/EffectsWalker.h"

#include "compiler/rewriter/Library.h"
#include "compiler/rewriter/MpiCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace acis::rewriter {
namespace {

bool isCallable(QualType type) {
  if (type->isFunctionType() || type->isFunctionPointerType())
    return true;
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return record && record->hasDefinition() &&
         (record->isLambda() || llvm::any_of(record->methods(), [](const CXXMethodDecl *method) {
            return method->getOverloadedOperator() == OO_Call;
          }));
}

/// Whether objects of the class lead to others, like iterators.
bool hasElements(const CXXRecordDecl *record) {
  return record->hasDefinition() &&
         llvm::any_of(record->methods(), [](const CXXMethodDecl *method) {
           return method->getOverloadedOperator() == OO_Star;
         });
}

/// Whether it moves elements about where they are.
bool isInPlace(llvm::StringRef name) {
  return isOneOf(name,
                 {"sort",      "stable_sort", "partial_sort", "nth_element", "inplace_merge",
                  "reverse",   "rotate",      "swap_ranges",  "unique",      "remove",
                  "remove_if", "replace",     "replace_if",   "partition",   "stable_partition",
                  "make_heap", "sort_heap",   "push_heap",    "pop_heap",    "qsort"});
}

/// Numbers, pointers and pairs of them, which are compared and moved by nothing of the program; of
/// other classes those that are bytes, if a callable compares them or nothing does (`isCompared`).
bool isPlainElement(QualType type, bool isCompared) {
  if (type.isNull())
    return false;
  const auto *record = type->getAsCXXRecordDecl();
  if (!record)
    return type->isScalarType();
  const auto *instance = dyn_cast<ClassTemplateSpecializationDecl>(record);
  if (instance && record->isInStdNamespace() && isOneOf(record->getName(), {"pair", "complex"}))
    return llvm::all_of(instance->getTemplateArgs().asArray(), [&](const TemplateArgument &each) {
      return isPlainElement(each.getAsType(), isCompared);
    });
  return isCompared && record->hasDefinition() && record->isTrivial();
}

/// What a pointer or an iterator of a library class leads to; null: not known.
QualType elementOf(QualType iterator) {
  if (iterator->isPointerType())
    return iterator->getPointeeType();
  const auto *instance =
      dyn_cast_or_null<ClassTemplateSpecializationDecl>(iterator->getAsCXXRecordDecl());
  if (!instance || !isIterator(iterator) || instance->getTemplateArgs().size() == 0 ||
      instance->getTemplateArgs()[0].getKind() != TemplateArgument::Type)
    return {};
  QualType inner = instance->getTemplateArgs()[0].getAsType();
  return inner->isPointerType() || isIterator(inner) ? elementOf(inner) : QualType();
}

/// Which of the iterators gets results; none: a number past the last.
size_t resultOf(llvm::StringRef name, size_t count) {
  if (isOneOf(name, {"fill", "fill_n", "iota", "generate", "generate_n"}))
    return 0;
  if (isOneOf(name, {"merge", "copy", "copy_n", "copy_if", "transform", "partial_sum",
                     "exclusive_scan", "inclusive_scan", "adjacent_difference"}))
    return count - 1;
  return count;
}

/// Whether a format of printf may write: it has a %n, or is not to be seen.
bool mayStore(const CallExpr *call, llvm::StringRef name) {
  name.consume_front("std::");
  name.consume_front("__builtin_");
  unsigned index = llvm::StringSwitch<unsigned>(name)
                       .Case("printf", 0)
                       .Cases({"fprintf", "__printf_chk"}, 1)
                       .Default(~0u);
  if (index >= call->getNumArgs())
    return false;
  const auto *format = dyn_cast<StringLiteral>(call->getArg(index)->IgnoreParenCasts());
  if (!format || format->getCharByteWidth() != 1)
    return true;
  llvm::StringRef text = format->getString();
  for (size_t at = text.find('%'); at != text.npos; at = text.find('%', at)) {
    size_t kind = text.find_first_not_of("-+ #0123456789.*'hlLqjzt$I", at + 1);
    if (kind == text.npos || text[kind] == 'n')
      return kind != text.npos;
    at = kind + 1;
  }
  return false;
}

} // namespace

void EffectsAnalysis::Walker::walkArguments(const CallExpr *call) {
  for (const Expr *arg : call->arguments())
    walk(arg);
  if (const auto *member = dyn_cast<CXXMemberCallExpr>(call))
    if (const Expr *object = member->getImplicitObjectArgument())
      walk(object);
}

/// Everything that arguments of pointer or reference type lead to.
void EffectsAnalysis::Walker::touchTargets(const CallExpr *call, bool mayWrite) {
  const FunctionDecl *callee = Program::callee(call);
  for (unsigned i = 0; i < call->getNumArgs(); i++) {
    const Expr *arg = call->getArg(i);
    QualType param =
        callee && i < callee->getNumParams() ? callee->getParamDecl(i)->getType() : arg->getType();
    if (arg->isGLValue()) {
      Path place = analysis.pathOf(arg);
      read(place);
      if (mayWrite && param->isLValueReferenceType() && !param->getPointeeType().isConstQualified())
        write(place);
      continue;
    }
    if (!arg->getType()->isPointerType()) {
      // Iterators.
      if (Path target = analysis.targetOf(arg); target.var != Path::Unknown)
        read(target);
      continue;
    }
    Path target = analysis.targetOf(arg);
    if (target.var == Path::Unknown)
      continue;
    read(target);
    bool isConst = param->isPointerType() && param->getPointeeType().isConstQualified();
    if (mayWrite && !isConst)
      write(target);
  }
}

void EffectsAnalysis::Walker::walkCall(const CallExpr *call) {
  if (call == analysis.doneCall)
    return walk(analysis.doneValue);
  std::string name = Program::calleeName(call);
  if (walkMember(call))
    return;
  MpiClass mpi = classOf(name);
  if (mpi != MpiClass::None && name != "MPI_Abort") {
    walkArguments(call);
    touchTargets(call, /*mayWrite=*/true);
    effects.timer |= name == "MPI_Wtime";
    if (mpi != MpiClass::Quiet) {
      effects.comm = true;
      effects.blame = name;
    }
    return;
  }
  walkArguments(call);
  if (const FunctionDecl *body = analysis.program.definition(call))
    return walkBody({call, body});
  walkLibrary(call, name);
}

void EffectsAnalysis::Walker::walkBody(const CallSite &site) {
  const Effects &inner = analysis.ofFunction(site.callee);
  Effects outer = inner;
  outer.reads.clear();
  outer.writes.clear();
  outer.jump = false;
  Path path;
  for (const Path &place : inner.reads)
    if (analysis.translate(place, site, path))
      outer.reads.insert(path);
  for (const Path &place : inner.writes)
    if (analysis.translate(place, site, path))
      outer.writes.insert(path);
  effects.add(outer);
}

void EffectsAnalysis::Walker::walkLibrary(const CallExpr *call, const std::string &name) {
  auto say = [&](bool &flag) {
    flag = true;
    if (effects.blame.empty() || effects.calls)
      effects.blame = name;
  };
  switch (libraryEffect(Program::callee(call))) {
  case LibraryEffect::Pure:
    touchTargets(call, /*mayWrite=*/false);
    break;
  case LibraryEffect::Loop:
    walkAlgorithm(call, name);
    break;
  case LibraryEffect::Random:
    for (Paths *paths : {&effects.reads, &effects.writes})
      paths->insert({Path::Library, "random"});
    break;
  case LibraryEffect::Memory:
    touchTargets(call, /*mayWrite=*/true);
    break;
  case LibraryEffect::Alloc:
    effects.alloc = true;
    // What is freed is no longer there for others.
    if (name == "free" || name == "realloc")
      if (Path target = analysis.targetOf(call->getArg(0)); target.var != Path::Unknown)
        write(target);
    break;
  case LibraryEffect::Timer:
    effects.timer = true;
    touchTargets(call, /*mayWrite=*/true);
    break;
  case LibraryEffect::Print:
    touchTargets(call, mayStore(call, name));
    say(effects.print);
    break;
  case LibraryEffect::Io:
    touchTargets(call, /*mayWrite=*/true);
    say(effects.io);
    break;
  case LibraryEffect::Exit:
    effects.exits = true;
    break;
  case LibraryEffect::Unknown:
    walkUnseen(call, name);
    break;
  }
}

/// A function of which there is only a declaration, or none.
void EffectsAnalysis::Walker::walkUnseen(const CallExpr *call, const std::string &name) {
  const FunctionDecl *callee = Program::callee(call);
  // The declaration promises it: a value from values.
  if (callee && callee->hasAttr<ConstAttr>() && !callee->isNoReturn())
    return;
  touchTargets(call, /*mayWrite=*/true);
  if (callee && analysis.program.isLocalByOption(name)) {
    effects.timer = true;
    return;
  }
  if (looksLikeClock(callee)) {
    effects.timer = true;
    effects.assumed.insert(name);
    return;
  }
  if (callee) {
    effects.exits |= callee->isNoReturn();
    if (effects.blame.empty())
      effects.unseen = name;
  }
  block(name.empty() ? "a function pointer" : name);
}

/// A function of <algorithm> or <numeric> over ranges.
void EffectsAnalysis::Walker::walkAlgorithm(const CallExpr *call, llvm::StringRef name) {
  name.consume_front("std::");
  effects.loop = true;
  bool isOfElements = true;
  bool isCompared =
      isOneOf(name, {"reverse", "rotate", "swap_ranges"}) ||
      llvm::any_of(call->arguments(), [](const Expr *arg) {
        return isCallable(arg->IgnoreParenImpCasts()->getType().getNonReferenceType());
      });
  // Iterators, then a place for results, values and callables, in an order of each function's.
  Paths ranges;
  std::vector<Path> iterators;
  std::vector<const Expr *> callables;
  for (const Expr *arg : call->arguments()) {
    const Expr *plain = arg->IgnoreParenImpCasts();
    QualType type = plain->getType().getNonReferenceType();
    const CXXRecordDecl *record = type->getAsCXXRecordDecl();
    if (type->isArithmeticType() || type->isEnumeralType())
      continue;
    if (isCallable(type)) {
      callables.push_back(plain);
      continue;
    }
    if (record && (!isIterator(type) || record->getName().contains("stream"))) {
      if (hasElements(record))
        return block(record->getQualifiedNameAsString());
      continue; // a value
    }
    Path target = analysis.targetOf(arg);
    QualType element = elementOf(type);
    isOfElements &= isPlainElement(element, isCompared) || name == "qsort";
    iterators.push_back(target);
    ranges.insert(target);
  }
  if (iterators.empty())
    return block("std::" + name.str());
  if (isInPlace(name)) {
    if (!isOfElements)
      return block("std::" + name.str());
    effects.writes.insert(ranges.begin(), ranges.end());
  }
  size_t result = resultOf(name, iterators.size());
  for (size_t i = 0; i < iterators.size(); i++)
    (i == result ? effects.writes : effects.reads).insert(iterators[i]);
  for (const Expr *callable : callables)
    walkCallable(callable, ranges);
}

void EffectsAnalysis::Walker::walkCallable(const Expr *callable, const Paths &ranges) {
  while (isa<MaterializeTemporaryExpr, CXXBindTemporaryExpr, ImplicitCastExpr>(callable))
    callable = cast<Expr>(*callable->child_begin());
  if (const auto *copy = dyn_cast<CXXConstructExpr>(callable); copy && copy->getNumArgs() == 1)
    return walkCallable(copy->getArg(0), ranges);
  if (const CXXRecordDecl *record = callable->getType()->getAsCXXRecordDecl()) {
    if (record->isInStdNamespace()) // std::plus and its like
      return;
    const CXXMethodDecl *method = record->isLambda() ? record->getLambdaCallOperator() : nullptr;
    if (!method)
      return block(record->getQualifiedNameAsString());
    const FunctionTemplateDecl *generic = method->getDescribedFunctionTemplate();
    if (!generic)
      return walkCallee(method, ranges);
    for (const FunctionDecl *instance : generic->specializations())
      walkCallee(instance, ranges);
    return;
  }
  const auto *ref = dyn_cast<DeclRefExpr>(callable->IgnoreParenImpCasts());
  const auto *function = ref ? dyn_cast<FunctionDecl>(ref->getDecl()) : nullptr;
  if (function && libraryEffect(function) == LibraryEffect::Pure)
    return;
  const FunctionDecl *body = nullptr;
  if (function && function->isDefined(body))
    return walkCallee(body, ranges);
  block(function ? function->getQualifiedNameAsString() : "a function pointer");
}

void EffectsAnalysis::Walker::walkCallee(const FunctionDecl *callee, const Paths &ranges) {
  if (!callee->isDefined(callee)) // an instance of a template without its body
    return block(callee->getQualifiedNameAsString());
  walkBody(CallSite(callee));
  // Its parameters are the elements.
  for (const Path &place : analysis.ofFunction(callee).writes) {
    const auto *param = place.var < Path::FirstVariable
                            ? nullptr
                            : dyn_cast<ParmVarDecl>(analysis.program.variable(place.var));
    if (!param || !llvm::is_contained(callee->parameters(), param))
      continue;
    if (param->getType()->isReferenceType())
      effects.writes.insert(ranges.begin(), ranges.end());
    else if (place.throughPointer())
      write({}); // to where an element points
  }
}

/// Methods and operators of library classes. False: not one.
bool EffectsAnalysis::Walker::walkMember(const CallExpr *call) {
  if (const auto *op = dyn_cast<CXXOperatorCallExpr>(call)) {
    if (op->getNumArgs() == 0)
      return false;
    const Expr *object = op->getArg(0);
    if (isStream(object->getType())) {
      for (const Expr *arg : op->arguments()) {
        if (arg->isGLValue())
          read(analysis.pathOf(arg));
        walk(arg);
      }
      (op->getOperator() == OO_LessLess ? effects.print : effects.io) = true;
      effects.blame = "std::ostream";
      return true;
    }
    if (isIterator(object->getType())) {
      walkArguments(call);
      const char *spelling = getOperatorSpelling(op->getOperator());
      if (isOneOf(spelling, {"*", "->", "[]"}))
        read(analysis.targetOf(object));
      else if (isOneOf(spelling, {"++", "--", "+=", "-=", "="}))
        write(analysis.pathOf(object));
      return true;
    }
    if (!isContainer(object->getType()))
      return false;
    walkArguments(call);
    if (op->getOperator() == OO_Equal)
      write(analysis.pathOf(object));
    return true;
  }
  const auto *member = dyn_cast<CXXMemberCallExpr>(call);
  if (!member || !member->getMethodDecl())
    return false;
  const Expr *object = member->getImplicitObjectArgument();
  if (isStream(object->getType())) {
    walkArguments(call);
    effects.print = true;
    return true;
  }
  if (!isContainer(object->getType()))
    return false;
  walkArguments(call);
  Path path = analysis.pathOf(object);
  // Where the elements are and how many, which what is written to them does not change.
  if (isOneOf(member->getMethodDecl()->getNameAsString(),
              {"data", "size", "empty", "begin", "end", "cbegin", "cend", "get"})) {
    read(path + ".header");
    return true;
  }
  read(path);
  if (!member->getMethodDecl()->isConst() &&
      !isOneOf(member->getMethodDecl()->getNameAsString(), {"at", "front", "back", "operator[]"})) {
    write(path);
    effects.alloc = true;
  }
  return true;
}

} // namespace acis::rewriter
