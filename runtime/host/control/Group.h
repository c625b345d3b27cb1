// What acis_control of the C interface is; private to those who make one.
#pragma once

#include "runtime/host/client/Session.h"
#include "runtime/host/control/acis_control.h"

#include <functional>

struct acis_control {
  acis::Session *session = nullptr;
  uint32_t context = 0;
  acis::Nanoseconds timeout{};
  /// Called now and then by who waits; empty: nothing else has to be done.
  std::function<void()> meanwhile;
  std::string error;
  std::vector<uint8_t> task;   ///< that was given last
  std::vector<uint32_t> ranks; ///< in the world
};

namespace acis {

/// Opens the group. Fails on a policy with values that are not allowed.
Result<std::unique_ptr<acis_control>> openGroup(Session &session, uint32_t context,
                                                std::span<const uint32_t> ranks,
                                                const acis_control_policy *policy);

} // namespace acis
