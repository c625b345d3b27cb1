// JSON text to a tree, with errors that say line and column. Private to the overlay.
#pragma once

#include "backend/support/Result.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace acis::overlay {

using Json = nlohmann::json;

/// Parses one document. Refuses broken syntax, a name given twice in one object and
/// nesting deeper than any description needs. Never throws.
Result<Json> parseJson(std::string_view text, std::string_view fileName);

/// A value as a message quotes it: text of scalars, "an object", "an array".
std::string describe(const Json &value);

/// One more step of a JSON pointer (RFC 6901), with its escapes.
std::string childPath(const std::string &path, std::string_view key);

} // namespace acis::overlay
