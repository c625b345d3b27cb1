// See Costs.h.
#include "runtime/host/mpi/Costs.h"

#include "backend/support/Nearest.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

namespace acis::mpi {
namespace {

using Json = nlohmann::ordered_json;

size_t indexOf(algorithms::Algorithm way) {
  return std::ranges::find(Costs::Ways, way) - Costs::Ways.begin();
}

template <typename Names>
Error unknown(const std::string &at, const std::string &name, const Names &names) {
  return {at, "'" + name + "' is not known here" + didYouMean(name, names)};
}

} // namespace

const Costs::Row &Costs::row(Kind kind, Algorithm way) const {
  return us[unsigned(kind)][indexOf(way)];
}

void Costs::set(Kind kind, Algorithm way, size_t size, float microseconds) {
  us[unsigned(kind)][indexOf(way)][size] = microseconds;
}

std::optional<double> Costs::of(Kind kind, Algorithm way, uint64_t bytes) const {
  const Row &measured = row(kind, way);
  const size_t known = std::ranges::find(measured, 0.0f) - measured.begin();
  if (known == 0 || (known == 1 && bytes > Sizes[0]))
    return std::nullopt;
  if (bytes <= Sizes[0])
    return measured[0];
  size_t above = 1;
  while (above + 1 < known && bytes > Sizes[above])
    ++above;
  const double span = double(Sizes[above] - Sizes[above - 1]);
  const double rise = std::max(0.0, double(measured[above]) - measured[above - 1]);
  return measured[above - 1] + rise * double(bytes - Sizes[above - 1]) / span;
}

Costs::Algorithm Costs::cheapest(Kind kind, uint64_t bytes, std::span<const Algorithm> ways) const {
  Algorithm best = ways.back();
  double least = 0;
  for (bool isFirst = true; Algorithm way : ways) {
    const std::optional<double> cost = of(kind, way, bytes);
    if (!cost)
      return ways.back();
    if (isFirst || *cost < least) {
      best = way;
      least = *cost;
    }
    isFirst = false;
  }
  return best;
}

bool Costs::isEmpty() const {
  return std::ranges::all_of(us, [](const auto &kind) {
    return std::ranges::all_of(kind, [](const Row &row) { return row[0] == 0; });
  });
}

std::string Costs::json() const {
  Json text;
  for (unsigned k = 0; k < NumKinds; ++k)
    for (Algorithm way : Ways)
      for (float cost : row(Kind(k), way))
        if (cost > 0)
          text[std::string(acis::nameOf(Kind(k)))][std::string(algorithms::nameOf(way))].push_back(
              cost);
  return text.dump(2) + "\n";
}

Result<Costs> Costs::parse(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object())
    return Error{"", "is no JSON object"};
  std::vector<std::string> kinds, ways;
  for (unsigned k = 0; k < NumKinds; ++k)
    kinds.emplace_back(acis::nameOf(Kind(k)));
  for (Algorithm way : Ways)
    ways.emplace_back(algorithms::nameOf(way));
  Costs costs;
  for (const auto &[kind, byWay] : json.items()) {
    const size_t k = std::ranges::find(kinds, kind) - kinds.begin();
    if (k == kinds.size())
      return unknown("/", kind, kinds);
    const std::string at = "/" + kind;
    if (!byWay.is_object())
      return Error{at, "is no JSON object"};
    for (const auto &[way, numbers] : byWay.items()) {
      const size_t w = std::ranges::find(ways, way) - ways.begin();
      if (w == ways.size())
        return unknown(at, way, ways);
      if (!numbers.is_array() || numbers.size() > Sizes.size())
        return Error{at + "/" + way, "is no list of at most " + std::to_string(Sizes.size()) +
                                         " numbers, microseconds"};
      for (size_t s = 0; s < numbers.size(); ++s) {
        const double number = numbers[s].is_number() ? numbers[s].get<double>() : 0;
        if (!(number > 0 && number < 1e12))
          return Error{at + "/" + way + "/" + std::to_string(s),
                       "is no number above 0, microseconds"};
        costs.us[k][w][s] = float(number);
      }
    }
  }
  return costs;
}

} // namespace acis::mpi
