// Iterations that are taken out of loops are control code, so that comes first; what loops read in
// each iteration is known to be read when they are entered, so control code comes last.
#include "passes/llvm/windows/ReadWindows.h"

#include "passes/llvm/windows/ControlWindows.h"
#include "passes/llvm/windows/LoopWindows.h"
#include "passes/llvm/windows/Rereads.h"

namespace acis {

bool readWindows(Forming &forming) {
  bool isChanged = forming.settle(peelRereads(forming.handler, forming.analyses));
  isChanged |= forming.settle(readLoopWindows(forming.handler, forming.analyses));
  isChanged |= forming.settle(readControlWindows(forming.handler, forming.analyses));
  return isChanged;
}

} // namespace acis
