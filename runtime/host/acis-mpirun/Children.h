// Processes that acis-mpirun starts and ends.
#pragma once

#include "backend/support/Result.h"

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

namespace acis::tools {

using Variables = std::vector<std::pair<std::string, std::string>>;

/// A child that is ended (SIGTERM, then SIGKILL after two seconds) when this goes away.
class Child {
public:
  Child() = default;
  explicit Child(pid_t pid) : pid(pid) {}
  Child(Child &&other) noexcept : pid(std::exchange(other.pid, 0)) {}
  Child &operator=(Child &&other) noexcept;
  ~Child() { end(); }

  void end();
  /// The exit code, 128 + the signal as in a shell.
  int wait();

  pid_t pid = 0;
};

/// Starts `command` with these variables on top of the environment. With `output`, the
/// child's standard output is readable there. The child dies with this process.
Result<Child> start(const std::vector<std::string> &command, const Variables &variables,
                    int *output = nullptr);

/// All that `command` prints, when it ends with 0; else an empty text.
std::string outputOf(const std::vector<std::string> &command, const Variables &variables);

/// Passes SIGINT and SIGTERM on to `child` from now on.
void forwardSignals(const Child &child);

} // namespace acis::tools
