// The descriptions of overlays that are part of every program.
#pragma once

#include <string_view>
#include <vector>

namespace acis {

/// Names by which Overlay::readText() knows them: "u280.json" and so on, sorted.
std::vector<std::string_view> shippedOverlays();

} // namespace acis
