// Where ranks are to run: --host and --hostfile, the same for both MPI libraries.
#pragma once

#include "backend/support/Result.h"

#include <string>
#include <string_view>
#include <vector>

namespace acis::tools {

struct Host {
  std::string name;
  unsigned slots = 1; ///< ranks that it gets before the next one does
};

/// "node0:2,node1": what --host has.
Result<std::vector<Host>> parseHosts(std::string_view text);

/// A file of hosts, one a line, as "node0:2" or "node0 slots=2"; what follows a # is a comment.
/// Errors name the line.
Result<std::vector<Host>> parseHostFile(std::string_view text);

/// "node0:2,node1:1", which both launchers take.
std::string hostList(const std::vector<Host> &hosts);

} // namespace acis::tools
