// What the readers of platforms and descriptions share. Errors name the JSON path.
#pragma once

#include "backend/support/Nearest.h"
#include "backend/support/Result.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace acis::cluster {

using Json = nlohmann::json;

inline Error wrong(const std::string &path, const Json &found, const std::string &expected) {
  return {path, "found " + found.dump() + "; expected " + expected};
}

/// Only the fields that exist, so that a misspelt one is not ignored.
inline Status checkFields(const Json &object, const std::string &path,
                          const std::vector<std::string> &fields) {
  if (!object.is_object())
    return wrong(path, object, "an object");
  std::string allowed;
  for (const std::string &name : fields)
    allowed += (allowed.empty() ? "" : ", ") + name;
  for (const auto &[name, value] : object.items())
    if (std::find(fields.begin(), fields.end(), name) == fields.end())
      return Error{path.empty() ? name : path + "/" + name,
                   "unknown field; allowed are " + allowed + didYouMean(name, fields)};
  return {};
}

} // namespace acis::cluster
