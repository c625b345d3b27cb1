// The models by name: a request in JSON, rows in JSON. What acis-model, its Python module and
// whoever reads parameters from a file have in common.
#pragma once

#include "backend/support/Result.h"

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <vector>

namespace acis::netmodel {

/// A number of a request. The name ends with its unit (_us, _ns, _bytes, _bytes_per_us).
struct Parameter {
  std::string name, source;
  double value; ///< if the request does not say it
};

/// One model: what can be asked, and how.
struct ModelInfo {
  std::string name, summary;
  std::vector<Parameter> parameters;
  std::vector<std::string> lists;   ///< what may be several numbers: a row for each combination
  std::vector<std::string> columns; ///< of a row, in order
};
const std::vector<ModelInfo> &models();
const ModelInfo *findModel(const std::string &name);

/// `request` is an object with any of the model's parameters (numbers), lists (numbers or arrays
/// of numbers) and, for logcn, `network` ("torus3d", "tree") and `gather` (true, false). Fails with
/// the name of the field, what was found and what is allowed. Rows are objects of the columns.
Result<nlohmann::json> evaluate(const ModelInfo &model, const nlohmann::json &request);

} // namespace acis::netmodel
