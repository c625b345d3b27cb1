// Says now and then how far a long simulation is.
#pragma once

namespace acis::cluster {

/// A line on standard error each time that so many seconds have passed on this machine. Nothing of
/// the simulation depends on it.
void reportProgress(double every);

} // namespace acis::cluster
