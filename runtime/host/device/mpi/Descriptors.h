// File descriptors of exported memory, from rank to rank of a host: one Unix socket for each rank,
// which takes only what knows the job's secret and is of the same user. A descriptor goes to a rank
// once; what it stands for there is kept until the sender says that the memory is gone.
#pragma once

#include "runtime/host/device/Export.h"

#include <memory>

namespace acis::device {

/// Collective over the ranks of a host.
void openDescriptors();
void closeDescriptors();

/// Gives the memory's descriptor to a rank that does not have it. False: it does not take it now.
bool giveDescriptor(const std::shared_ptr<Export> &exported, int receiver);

/// What has come. The socket holds few: a rank that does not look gets no more.
void takeDescriptors();
/// Memory that a rank has given.
Result<std::shared_ptr<Import>> importFrom(int sender, uint64_t number);

} // namespace acis::device
