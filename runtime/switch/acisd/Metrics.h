// A switch's status in the text format of Prometheus.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace acis::acisd {

/// `status`: as Commands answers to "status".
std::string metricsText(const nlohmann::json &status);

} // namespace acis::acisd
