// JSON in, JSON out; no exception leaves.
#include "backend/netmodel/acis_model.h"

#include "backend/netmodel/Evaluate.h"

#include <cmath>
#include <cstring>

using namespace acis;
using nlohmann::json;

namespace {

char *copyOf(const json &value) {
  // Bytes of a request that are no UTF-8 are replaced in what is said of them.
  const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  return strdup(text.c_str());
}

json answer(const char *name, const char *text) {
  const netmodel::ModelInfo *model = netmodel::findModel(name ? name : "");
  if (!model)
    return {{"error", "no model '" + std::string(name ? name : "") +
                          "'; models are loggp, logcn, buffers, gemm and gemm-tuner"}};
  const json request = json::parse(text ? text : "{}", nullptr, /*allow_exceptions=*/false);
  if (request.is_discarded())
    return {{"error", "the request is not JSON"}};
  Result<json> rows = netmodel::evaluate(*model, request);
  if (!rows)
    return {{"error", rows.error().str()}};
  return {{"rows", *rows}};
}

} // namespace

char *acis_model_evaluate(const char *model, const char *request) {
  try {
    return copyOf(answer(model, request));
  } catch (...) { // no memory
    return nullptr;
  }
}

char *acis_model_describe(void) {
  try {
    json all = json::object();
    for (const netmodel::ModelInfo &model : netmodel::models()) {
      json &entry = all[model.name];
      entry = {{"summary", model.summary}, {"lists", model.lists}, {"columns", model.columns}};
      for (const netmodel::Parameter &one : model.parameters)
        entry["parameters"][one.name] = {
            {"default", std::isfinite(one.value) ? json(one.value) : json()},
            {"source", one.source}};
    }
    return copyOf(all);
  } catch (...) {
    return nullptr;
  }
}

void acis_model_free(char *text) { std::free(text); }
