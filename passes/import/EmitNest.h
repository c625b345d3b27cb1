// A planned nest as a dfg.nest, and its call in the control function.
#pragma once

#include "passes/dfg/DfgDialect.h"
#include "passes/import/Plan.h"

namespace acis::import {

/// Adds nest `name` (and the arrays it uses) to `handler`, puts the call in front of the
/// loop and deletes the loop. Refuses a value that cannot be expressed.
Verdict emitNest(const NestPlan &plan, llvm::StringRef name, dfg::HandlerOp handler,
                 const FunctionAnalyses &analyses);

} // namespace acis::import
