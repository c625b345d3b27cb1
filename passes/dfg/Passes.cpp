// Registration of the passes for acis-opt.
#include "passes/dfg/Passes.h"

void acis::dfg::registerDfgPasses() {}
