// See Variants.h.
#include "backend/overlay/Variants.h"

#include "backend/overlay/Fields.h"
#include "backend/overlay/Json.h"

#include <algorithm>

namespace acis {
namespace {

using overlay::Json;

/// The steps of a JSON pointer, without their escapes.
std::vector<std::string> stepsOf(std::string_view path) {
  std::vector<std::string> steps;
  for (size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '/' || steps.empty())
      steps.emplace_back();
    if (path[i] == '/')
      continue;
    const bool isEscape = path[i] == '~' && i + 1 < path.size() && (path[i + 1] | 1) == '1';
    steps.back() += isEscape ? (path[++i] == '0' ? '~' : '/') : path[i];
  }
  return steps;
}

/// What a step leads to: a field, which is made where it is not there, or an element that is.
Json *follow(Json &from, const std::string &step) {
  if (from.is_null() || from.is_object())
    return &from[step];
  const bool isNumber = !step.empty() && step.size() < 6 &&
                        std::ranges::all_of(step, [](char c) { return c >= '0' && c <= '9'; });
  if (!from.is_array() || !isNumber || std::stoul(step) >= from.size())
    return nullptr;
  return &from[std::stoul(step)];
}

Status set(Json &tree, const std::string &path, const std::string &value) {
  Json *at = &tree;
  for (const std::string &step : stepsOf(path)) {
    at = follow(*at, step);
    if (!at)
      return Error{path, "'" + step + "' leads to nothing in this description"};
  }
  *at = Json::parse(value, nullptr, /*allow_exceptions=*/false);
  return Status::ok();
}

/// A number of the description; `otherwise` if there is none.
uint64_t numberAt(const Json &tree, const char *object, const char *field, uint64_t otherwise) {
  const auto inner = tree.find(object);
  if (inner == tree.end() || !inner->is_object())
    return otherwise;
  const auto found = inner->find(field);
  return found != inner->end() && found->is_number_unsigned() ? found->get<uint64_t>() : otherwise;
}

/// Leaves PEs out of overrides that the grid does not have, and overrides that are of none then.
void dropPesBeyond(Json &tree) {
  const uint64_t pes = numberAt(tree, "grid", "rows", 0) * numberAt(tree, "grid", "cols", 0);
  if (pes == 0 || !tree["grid"].contains("overrides") || !tree["grid"]["overrides"].is_array())
    return;
  Json kept = Json::array();
  for (Json &one : tree["grid"]["overrides"]) {
    if (!one.is_object() || !one.contains("pes") || !one["pes"].is_array()) {
      kept.push_back(one); // the reader says what is wrong with it
      continue;
    }
    Json numbers = Json::array();
    for (const Json &number : one["pes"])
      if (!number.is_number_unsigned() || number.get<uint64_t>() < pes)
        numbers.push_back(number);
    if (numbers.empty() && !one["pes"].empty())
      continue;
    one["pes"] = std::move(numbers);
    kept.push_back(one);
  }
  tree["grid"]["overrides"] = std::move(kept);
}

std::vector<Sweep> usualSweeps(const Overlay &base) {
  std::vector<Sweep> sweeps;
  const std::pair<const char *, unsigned> sizes[] = {
      {"/grid/rows", base.rows}, {"/grid/cols", base.cols}, {"/pe/lanes", base.lanes}};
  for (const auto &[path, size] : sizes) {
    Sweep sweep{path, {}};
    const auto field = std::ranges::find(overlay::fields(), path, &overlay::Field::path);
    const uint64_t least = field->path == "/pe/lanes" ? base.leastLanes() : field->min;
    for (unsigned value = size; value >= least && sweep.values.size() < 3; value /= 2)
      sweep.values.push_back(std::to_string(value));
    sweeps.push_back(std::move(sweep));
  }
  return sweeps;
}

} // namespace

Result<Sweep> parseSweep(std::string_view text) {
  const size_t equals = text.find('=');
  if (text.empty() || text.front() != '/' || equals == std::string_view::npos)
    return Error{std::string(text), "no sweep; allowed is a field's path and its values, such as "
                                    "/pe/lanes=4,8,16"};
  Sweep sweep{std::string(text.substr(0, equals)), {}};
  const Json values = Json::parse("[" + std::string(text.substr(equals + 1)) + "]", nullptr,
                                  /*allow_exceptions=*/false);
  if (!values.is_array() || values.empty())
    return Error{std::string(text), "its values are no JSON; allowed are numbers, texts in quotes "
                                    "and arrays, with commas between"};
  for (const Json &value : values)
    sweep.values.push_back(value.dump());
  return sweep;
}

Result<std::vector<Variant>> variantsOf(std::string_view json, const std::string &fileName,
                                        std::vector<Sweep> sweeps) {
  Result<Overlay> base = Overlay::parse(json, fileName);
  if (!base)
    return base.error();
  if (sweeps.empty())
    sweeps = usualSweeps(*base);
  size_t count = 1;
  for (const Sweep &sweep : sweeps) {
    count *= sweep.values.size();
    if (count > MaxVariants)
      return Error{sweep.path, "more than " + std::to_string(MaxVariants) +
                                   " combinations; sweep fewer fields or values"};
  }
  const Result<Json> tree = overlay::parseJson(json, fileName);
  std::vector<Variant> variants;
  for (size_t number = 0; number < count; ++number) {
    Json changed = *tree;
    std::vector<std::pair<std::string, std::string>> fields;
    size_t left = number;
    for (size_t i = sweeps.size(); i-- > 0; left /= sweeps[i].values.size())
      fields.emplace_back(sweeps[i].path, sweeps[i].values[left % sweeps[i].values.size()]);
    std::ranges::reverse(fields);
    Status status = Status::ok();
    for (const auto &[path, value] : fields)
      if (status)
        status = set(changed, path, value);
    if (!status)
      return status.error();
    dropPesBeyond(changed);
    variants.push_back({std::move(fields), Overlay::parse(changed.dump(), fileName)});
  }
  return variants;
}

} // namespace acis
