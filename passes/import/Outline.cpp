// Replaces a loop by a call of its nest.
#include "passes/import/Outline.h"

#include "passes/import/Operations.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace acis::import {
namespace {

class Replacer {
public:
  Replacer(Loop &root, const FunctionAnalyses &analyses)
      : analyses(analyses), root(root), builder(root.getLoopPreheader()->getTerminator()) {
    builder.SetCurrentDebugLocation(root.getStartLoc());
  }

  void call(const std::string &callee, ArrayRef<Value *> arguments,
            const std::vector<NestResult> &results);
  void replaceExits();

private:
  const FunctionAnalyses &analyses;
  Loop &root;
  IRBuilder<> builder;
  DenseMap<const Value *, Value *> after; ///< by the value in the loop
};

void Replacer::call(const std::string &callee, ArrayRef<Value *> arguments,
                    const std::vector<NestResult> &results) {
  SmallVector<Type *, 8> parameters, fields;
  for (Value *argument : arguments)
    parameters.push_back(argument->getType());
  for (const NestResult &result : results)
    fields.push_back(result.carried->next->getType());
  Type *type = fields.empty() ? builder.getVoidTy() : StructType::get(builder.getContext(), fields);
  Module &module = *root.getHeader()->getModule();
  FunctionCallee function =
      module.getOrInsertFunction(callee, FunctionType::get(type, parameters, false));
  CallInst *inst = builder.CreateCall(function, arguments);
  for (auto [i, result] : enumerate(results)) {
    const Carried &carried = *result.carried;
    Value *value = builder.CreateExtractValue(inst, unsigned(i));
    if (result.fromNeutral && carried.init != identityOf(carried.op, carried.next->getType()))
      value = compute(carried.op, carried.init, value, builder);
    after[carried.next] = value;
  }
}

void Replacer::replaceExits() {
  ScalarEvolution &evolution = analyses.evolution;
  SCEVExpander expander(evolution, "acis", /*PreserveLCSSA=*/false);
  Instruction *before = root.getLoopPreheader()->getTerminator();
  for (PHINode &phi : root.getUniqueExitBlock()->phis()) {
    Value *value = phi.getIncomingValueForBlock(root.getLoopLatch());
    if (root.isLoopInvariant(value))
      continue;
    Value *&replacement = after[value];
    if (!replacement)
      replacement = expander.expandCodeFor(evolution.getSCEVAtScope(value, root.getParentLoop()),
                                           value->getType(), before);
    evolution.forgetValue(&phi);
    phi.setIncomingValueForBlock(root.getLoopLatch(), replacement);
  }
}

} // namespace

void replaceWithCall(const NestPlan &plan, const std::string &callee, ArrayRef<Value *> arguments,
                     const std::vector<NestResult> &results, const FunctionAnalyses &analyses) {
  Loop *root = plan.shape.root().loop;
  Replacer replacer(*root, analyses);
  replacer.call(callee, arguments, results);
  replacer.replaceExits();
  deleteDeadLoop(root, &analyses.dominators, &analyses.evolution, &analyses.loops);
}

} // namespace acis::import
