// What acis_session of the C interface is; private to it.
#pragma once

#include "runtime/host/client/Session.h"

struct acis_session {
  std::unique_ptr<acis::Session> session;
  std::string error;

  const char *give(const acis::Status &status) {
    if (status)
      return nullptr;
    error = status.error().str();
    return error.c_str();
  }
};
