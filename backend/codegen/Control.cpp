#include "backend/codegen/Control.h"

#include "backend/codegen/Insn.h"
#include "backend/codegen/SourceError.h"
#include "backend/isa/Numbers.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"

using llvm::CallInst;
using llvm::Instruction;

namespace acis::codegen {
namespace {

/// What loops that were started may still be doing with the off-chip memory.
struct MemoryState {
  bool reads = false, writes = false;
  bool operator==(const MemoryState &) const = default;
};

class ControlLowering {
public:
  ControlLowering(llvm::Function &function, const MHandler &handler) : function(function) {
    for (const MNest &nest : handler.nests)
      nests[nest.callee] = &nest;
  }

  llvm::Error run() {
    if (llvm::Error error = checkCalls())
      return error;
    insertSyncs();
    for (Instruction &instr : llvm::make_early_inc_range(llvm::instructions(function)))
      if (auto *call = llvm::dyn_cast<CallInst>(&instr))
        lowerCall(*call);
    lowerReturns();
    lowerParameters();
    return llvm::Error::success();
  }

private:
  static llvm::StringRef calleeOf(const Instruction &instr) {
    auto *call = llvm::dyn_cast<CallInst>(&instr);
    const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee ? callee->getName() : "";
  }
  const MNest *nestOf(const Instruction &instr) const { return nests.lookup(calleeOf(instr)); }

  llvm::Error checkCalls();
  MemoryState after(Instruction &instr, MemoryState before, bool &needsSync) const;
  void insertSyncs();
  void lowerCall(CallInst &call);
  void lowerReturns();
  void lowerParameters();

  llvm::Function &function;
  llvm::StringMap<const MNest *> nests;
};

llvm::Error faultAt(const Instruction &instr, const std::string &what) {
  if (const llvm::DILocation *loc = instr.getDebugLoc().get(); loc && loc->getLine())
    return llvm::make_error<SourceError>(loc->getFilename().str(), loc->getLine(), loc->getColumn(),
                                         fault(what));
  if (const llvm::DISubprogram *function = instr.getFunction()->getSubprogram())
    return llvm::make_error<SourceError>(function->getFilename().str(), function->getLine(), 1,
                                         fault(what));
  return llvm::make_error<SourceError>("", 0, 0, fault(what));
}

bool hasConstantFormat(const CallInst &call, unsigned operand, unsigned limit) {
  auto *format = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(operand));
  return format && format->getZExtValue() < limit && format->getZExtValue() % 4 != 3;
}

llvm::Error ControlLowering::checkCalls() {
  for (Instruction &instr : llvm::instructions(function)) {
    llvm::StringRef callee = calleeOf(instr);
    if (!callee.starts_with("acis."))
      continue;
    auto &call = llvm::cast<CallInst>(instr);
    if (callee.starts_with("acis.nest.")) {
      const MNest *nest = nestOf(instr);
      if (!nest)
        return faultAt(instr, "'" + callee.str() + "' is called but there is no such loop nest");
      for (const ScalarNode &node : nest->scalar.nodes)
        if (node.kind == ScalarNode::Kind::Arg && node.value >= call.arg_size())
          return faultAt(instr, "'" + callee.str() + "' is called with " +
                                    std::to_string(call.arg_size()) +
                                    " arguments; the nest has more");
    } else if (callee == "acis.streamin"
                   ? !hasConstantFormat(call, 1, 8)
                   : callee == "acis.streamout" && !hasConstantFormat(call, 2, 4)) {
      return faultAt(instr, "'" + callee.str() +
                                "' needs a constant format: log2 of 1, 2 or 4 "
                                "bytes, plus 4 if signed (input only)");
    } else if (callee != "acis.streamin" && callee != "acis.streamout" && callee != "acis.tile" &&
               callee != "acis.pktlen" && callee != "acis.setpktlen") {
      return faultAt(instr, "unknown operation '" + callee.str() + "'");
    }
  }
  return llvm::Error::success();
}

bool touchesMemory(const Instruction &instr, const llvm::Value *&pointer) {
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instr))
    pointer = load->getPointerOperand();
  else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instr))
    pointer = store->getPointerOperand();
  else
    return false;
  return !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
}

/// Loops run beside the code and vector loads beside loops, so an access has to wait
/// for an earlier one if one of the two is a write.
MemoryState ControlLowering::after(Instruction &instr, MemoryState state, bool &needsSync) const {
  const llvm::Value *pointer = nullptr;
  bool isScalar = touchesMemory(instr, pointer);
  const MNest *nest = nestOf(instr);
  bool reads = isScalar ? llvm::isa<llvm::LoadInst>(instr) : nest && nest->readsMemory;
  bool writes = isScalar ? llvm::isa<llvm::StoreInst>(instr) : nest && nest->writesMemory;
  needsSync = (reads && state.writes) || (writes && (state.reads || state.writes));
  if (needsSync)
    state = {};
  if (nest) {
    state.reads |= reads;
    state.writes |= writes;
  }
  return state;
}

void ControlLowering::insertSyncs() {
  llvm::DenseMap<const llvm::BasicBlock *, MemoryState> out;
  llvm::ReversePostOrderTraversal<llvm::Function *> order(&function);
  auto entryState = [&](llvm::BasicBlock *block) {
    MemoryState state;
    for (llvm::BasicBlock *predecessor : llvm::predecessors(block)) {
      state.reads |= out.lookup(predecessor).reads;
      state.writes |= out.lookup(predecessor).writes;
    }
    return state;
  };
  bool needsSync = false;
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::BasicBlock *block : order) {
      MemoryState state = entryState(block);
      for (Instruction &instr : *block)
        state = after(instr, state, needsSync);
      changed |= out.lookup(block) != state;
      out[block] = state;
    }
  }
  for (llvm::BasicBlock *block : order) {
    MemoryState state = entryState(block);
    for (Instruction &instr : llvm::make_early_inc_range(*block)) {
      state = after(instr, state, needsSync);
      if (needsSync) {
        llvm::IRBuilder<> builder(&instr);
        InsnBuilder(builder).sync();
      }
    }
  }
}

void ControlLowering::lowerCall(CallInst &call) {
  llvm::StringRef callee = calleeOf(call);
  if (!callee.starts_with("acis."))
    return;
  if (const MNest *nest = nestOf(call))
    return lowerNest(call, *nest);
  llvm::IRBuilder<> builder(&call);
  InsnBuilder insn(builder);
  auto operand = [&](unsigned index) { return call.getArgOperand(index); };
  auto number = [&](unsigned index) {
    return unsigned(llvm::cast<llvm::ConstantInt>(operand(index))->getZExtValue());
  };
  llvm::Value *value = nullptr;
  if (callee == "acis.streamin")
    value = insn.streamin(operand(0), number(1));
  else if (callee == "acis.streamout")
    insn.streamout(operand(1), operand(0), number(2));
  else if (callee == "acis.tile")
    value = insn.tile(operand(1), operand(0));
  else if (callee == "acis.pktlen")
    value = insn.readCsr(isa::CsrPktLen);
  else
    insn.writeCsr(isa::CsrPktLen, operand(0));
  if (value)
    call.replaceAllUsesWith(value);
  call.eraseFromParent();
}

void ControlLowering::lowerReturns() {
  for (llvm::BasicBlock &block : function) {
    auto *ret = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
    if (!ret)
      continue;
    llvm::IRBuilder<> builder(ret);
    InsnBuilder(builder).wfi();
    builder.CreateUnreachable();
    ret->eraseFromParent();
  }
  function.setDoesNotReturn();
}

/// Both streams start at position 0; what is left of their pointers are positions. They
/// are no addresses of objects, so flags that promise so have to go.
void ControlLowering::lowerParameters() {
  for (Instruction &instr : llvm::instructions(function))
    if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instr))
      address->setNoWrapFlags(llvm::GEPNoWrapFlags::none());
  for (unsigned index = 0; index < 2 && index < function.arg_size(); ++index) {
    llvm::Argument *stream = function.getArg(index);
    stream->replaceAllUsesWith(llvm::Constant::getNullValue(stream->getType()));
  }
}

} // namespace

bool isHandler(const llvm::Function &function) { return function.hasFnAttribute("acis.handler"); }

llvm::Error lowerControl(llvm::Function &function, const MHandler &handler) {
  return ControlLowering(function, handler).run();
}

} // namespace acis::codegen
