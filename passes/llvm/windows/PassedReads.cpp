// Reads of what has passed for certain; in one loop, the importer asks.
#include "passes/llvm/windows/Windows.h"

#include "passes/llvm/Diagnose.h"
#include "passes/llvm/Facts.h"
#include "passes/llvm/windows/Fields.h"
#include "passes/llvm/windows/Footprint.h"
#include "passes/llvm/windows/Streams.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace acis {
namespace {

class PassedReads {
public:
  PassedReads(Function &handler, FunctionAnalysisManager &analyses)
      : reads(inputReadsOf(handler)), loops(analyses.getResult<LoopAnalysis>(handler)),
        dominators(analyses.getResult<DominatorTreeAnalysis>(handler)),
        postDominators(analyses.getResult<PostDominatorTreeAnalysis>(handler)),
        evolution(analyses.getResult<ScalarEvolutionAnalysis>(handler)) {}

  void find(Diagnostics &diagnostics) {
    for (LoadInst *read : reads)
      if (const std::optional<int64_t> back = passedBytesAt(*read))
        diagnostics.push_back(
            diagnose(*read, Refusal(Why::StreamReadAgain,
                                    read->getFunction()->getArg(InParameter)->getName(), *back)));
  }

private:
  const Loop *outermostLoopOf(const Instruction &inst) const {
    const Loop *loop = loops.getLoopFor(inst.getParent());
    return loop ? loop->getOutermostLoop() : nullptr;
  }

  /// What a read takes the first time that the handler comes to it.
  std::optional<Footprint> firstOf(LoadInst &read) const {
    if (const Loop *loop = outermostLoopOf(read))
      return footprintOf(read, *loop, evolution);
    const SCEV *place = placeOf(read, evolution);
    return place ? std::optional(Footprint{place, bytesOf(read), 0}) : std::nullopt;
  }

  /// Whether one read comes before the other, in no loop with it, wherever the other runs.
  bool isBefore(const LoadInst &before, const LoadInst &read) const {
    if (before.getParent() == read.getParent())
      return !outermostLoopOf(read) && before.comesBefore(&read);
    return runsBefore(*before.getParent(), *read.getParent(), dominators, postDominators);
  }

  std::optional<int64_t> passedBytesAt(LoadInst &read) const {
    const std::optional<Footprint> again = firstOf(read);
    if (!again)
      return std::nullopt;
    for (LoadInst *before : reads) {
      const std::optional<Footprint> passed = firstOf(*before);
      const std::optional<int64_t> ahead =
          passed ? distance(passed->start, again->start, evolution) : std::nullopt;
      if (ahead && *ahead < passed->bytes && isBefore(*before, read))
        return passed->bytes - *ahead;
    }
    return std::nullopt;
  }

  const InputReads reads;
  const LoopInfo &loops;
  const DominatorTree &dominators;
  const PostDominatorTree &postDominators;
  ScalarEvolution &evolution;
};

} // namespace

bool refusePassedReads(Function &handler, FunctionAnalysisManager &analyses,
                       Diagnostics &diagnostics) {
  const size_t before = diagnostics.size();
  PassedReads(handler, analyses).find(diagnostics);
  return diagnostics.size() != before;
}

} // namespace acis
