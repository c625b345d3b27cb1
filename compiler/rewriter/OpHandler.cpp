// Prints the op from the tree, so that macros and headers of the program do not matter.
#include "compiler/rewriter/OpHandler.h"

#include "compiler/rewriter/MpiCalls.h"
#include "compiler/rewriter/OpMaker.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace acis::rewriter {

OpHandler OpMaker::run() {
  if (candidate.kind != Kind::Fused && candidate.kind != Kind::SemiFused)
    refuse("kernels stay on the hosts");
  if (!done.problem.empty())
    refuse(done.problem);
  if (op.alloc)
    refuse("it allocates memory");
  if (op.timer || op.print || op.exits)
    refuse("it reads a clock, prints or may end the program");
  if (!scanned.wrongType.empty())
    refuse("the overlay has no '" + scanned.wrongType + "'");
  if (result.refusal)
    return std::move(result);
  firstBuffer = buffers.at(candidate.first, candidate.first.info->recv);
  received = firstBuffer.place;
  if (candidate.second.info)
    secondBuffer =
        buffers.at(candidate.second, candidate.second.inPlace ? candidate.second.info->recv
                                                              : candidate.second.info->send);
  sent = secondBuffer.place;
  if (done.call && !firstBuffer.start.empty())
    refuse("the function of the collective gives it a part of an array; the whole would do");
  const Place *changed = buffers.baseOf(candidate.first.outerArg(candidate.first.info->recv));
  if (!changed)
    refuse("what the first collective gives goes to memory without a name");
  if (result.refusal)
    return std::move(result);
  ranges = findRanges(candidate, memory, changed, name("used"), "      ");
  result.refusal = ranges.refusal;
  if (!result.refusal)
    layOut();
  if (!result.refusal && !handler.hasOutput())
    refuse("it gives nothing back");
  if (!result.refusal) {
    std::vector<const Stmt *> statements = done.tail;
    statements.insert(statements.end(), candidate.op.begin(), candidate.op.end());
    result.source = handler.text(statements, parameters());
    result.arrays = std::move(handler.arrays);
    result.hasSizes = isSized;
    if (isSized)
      result.sizes = sizesText();
    for (const auto &[name, text] : memory.aliases)
      result.aliases.push_back(text);
  }
  return std::move(result);
}

std::string OpMaker::parameters() {
  std::string text;
  for (const auto &[param, argument] : done.arguments) {
    if (param->getType()->isReferenceType())
      continue;
    text += "  " +
            printer.declare(param->getType().getUnqualifiedType(), memory.handlerName(param)) +
            " = " + printer.print(argument);
  }
  return text;
}

void OpMaker::refuse(std::string why) {
  if (!result.refusal)
    result.refusal = {"handler", std::move(why)};
}

void OpMaker::layOut() {
  llvm::SetVector<const VarDecl *> variables;
  for (const Capture &capture : captured.list)
    variables.insert(capture.var);
  variables.insert(scanned.given.begin(), scanned.given.end());
  for (const VarDecl *var : done.locals)
    if (!done.arguments.count(var))
      variables.insert(var);
  variables.insert(scanned.globals.begin(), scanned.globals.end());
  std::vector<const Place *> sized, fields;
  for (const Place &place : memory.places) {
    if (ranges.own.contains(place.var))
      continue;
    isSized |= place.isSized();
    if (place.isSized())
      sized.push_back(&place);
    else if (!place.fields.empty())
      fields.push_back(&place);
  }
  isSized |= !fields.empty() || !firstBuffer.start.empty() || !secondBuffer.start.empty();
  if (isSized)
    countBuffers();
  for (const VarDecl *var : variables)
    take(var);
  for (const Place *place : fields)
    if ((place == received && !firstBuffer.start.empty()) ||
        (place == sent && !secondBuffer.start.empty()))
      takeParts(cargoOf(*place), *place, "", "", place->isWritten);
    else
      takeWhole(cargoOf(*place), place->isRead, place->isWritten, place == received, place == sent);
  takeSized(sized);
  for (const VarDecl *var : captured.declared)
    keep(cargoOf(var), isSent(var), "1");
  for (const auto &[collective, isThere] :
       {std::pair(&candidate.first, handler.hasStream()),
        std::pair(&candidate.second, !candidate.second.info || !sentCargo.empty())})
    if (!isThere)
      refuse("the buffer of a collective is a part of an array (line " +
             std::to_string(context.getSourceManager().getExpansionLineNumber(
                 collective->call->getBeginLoc())) +
             "); one that begins with it would do");
  // What is sent on comes first.
  for (const Kept &kept : sentCargo)
    handler.output(kept.cargo, Role::StreamOut, kept.count, kept.start);
  for (const Kept &kept : keptCargo)
    handler.output(kept.cargo, Role::Outbound, kept.count, kept.start);
}

bool OpMaker::isSent(const VarDecl *var) {
  return candidate.second.info && overlaps(Paths{candidate.second.send}, pathOf(var));
}

unsigned OpMaker::objectOf(const std::string &base) {
  return objects.try_emplace(base, unsigned(objects.size()) + 2).first->second;
}

Cargo OpMaker::cargoOf(const VarDecl *var) {
  QualType type = var->getType().getNonReferenceType().getCanonicalType();
  std::string host = memory.hostName(var), base = (type->isArrayType() ? "" : "&") + host;
  if (type.isConstQualified() || context.getBaseElementType(type).isConstQualified())
    base = "(void *)" + base;
  return {memory.handlerName(var),
          base,
          memory.flat(type),
          context.getBaseElementType(memory.flat(type)).getUnqualifiedType(),
          std::max<uint64_t>(1, memory.numbersIn(type)),
          "",
          "",
          objectOf(host)};
}

Cargo OpMaker::cargoOf(const Place &place) {
  std::string base = "(void *)" + std::string(place.isNumber() ? "&" : "") + place.text;
  return {place.name, base, memory.flat(place.type), place.element, *place.count,
          "",         "",   objectOf(place.text)};
}

bool OpMaker::isShared(const Cargo &cargo) const {
  return llvm::any_of(scanned.ofCallees,
                      [&](const VarDecl *var) { return var->getNameAsString() == cargo.name; });
}

void OpMaker::take(const VarDecl *var) {
  QualType type = var->getType().getNonReferenceType().getCanonicalType();
  std::string name = "'" + var->getNameAsString() + "'";
  if (type->isRecordType() || type->isPointerType() || type->isVariableArrayType())
    return; // its fields and elements are places of their own
  if (!type->isArrayType())
    return number(var);
  uint64_t count = memory.numbersIn(type);
  if (!count)
    return; // only its size is used
  Path elements = pathOf(var) + "[";
  for (const Buffer *buffer : {&firstBuffer, &secondBuffer})
    if (isInside(*buffer, var))
      return takeParts(cargoOf(var), *buffer->place, "", "", overlaps(op.writes, elements));
  bool isStream = isReceived(elements);
  if (isStream)
    isStart(candidate.first, candidate.first.info->recv, var);
  takeWhole(cargoOf(var), !questions.isOverwritten(var, elements, count),
            overlaps(op.writes, elements), isStream, isSent(var), var);
}

void OpMaker::takeWhole(const Cargo &cargo, bool isRead, bool isWritten, bool isStream,
                        bool isSentOn, const VarDecl *var) {
  handler.declare(cargo, "", isShared(cargo));
  if (isStream)
    handler.received(cargo, std::to_string(cargo.count));
  else if (isRead || !var)
    handler.inbound(cargo); // what the op does not write keeps its value
  if (isSentOn && var)
    isStart(candidate.second,
            candidate.second.inPlace ? candidate.second.info->recv : candidate.second.info->send,
            var);
  if (isWritten || isSentOn)
    keep(cargo, isSentOn, std::to_string(cargo.count));
}

void OpMaker::number(const VarDecl *var) {
  Cargo cargo = cargoOf(var);
  Path path = pathOf(var);
  if (isSent(var))
    isStart(candidate.second,
            candidate.second.inPlace ? candidate.second.info->recv : candidate.second.info->send,
            var);
  if (isSent(var) || (overlaps(op.writes, path) && questions.isLive(var)))
    keep(cargo, isSent(var), "1");
  if (isReceived(path)) {
    isStart(candidate.first, candidate.first.info->recv, var);
    handler.declare(cargo, "", isShared(cargo));
    return handler.received(cargo, "1");
  }
  // A counter that every loop sets before it reads it; a sum that starts with a constant.
  const Expr *initial = questions.constantBefore(var);
  bool isCounter = overlaps(op.writes, path) && questions.isSetFirst(var);
  std::string text;
  if (initial && !isCounter) {
    text = printer.print(initial);
    text = text.substr(0, text.rfind(';'));
  }
  handler.declare(cargo, text, isShared(cargo));
  if (!initial && !isCounter)
    handler.inbound(cargo);
}

void OpMaker::keep(const Cargo &cargo, bool isSentOn, const std::string &count,
                   const std::string &start) {
  (isSentOn ? sentCargo : keptCargo).push_back({cargo, count, start});
}

void OpMaker::isStart(const Collective &collective, int index, const VarDecl *var) {
  if (!buffers.isAtStart(collective, index, var))
    refuse("the buffer of a collective is a part of '" + var->getNameAsString() + "'");
}

OpHandler makeHandler(EffectsAnalysis &effects, const Candidate &candidate,
                      const Captures &captured, const DoneCall &done, const std::string &label) {
  effects.setDone(done.call, done.value);
  OpHandler handler = OpMaker(effects, candidate, captured, done, label).run();
  effects.setDone(nullptr, nullptr);
  return handler;
}

} // namespace acis::rewriter
