// The passes of the dfg dialect: declarations and registration.
#pragma once

namespace acis::dfg {

void registerDfgPasses();

} // namespace acis::dfg
