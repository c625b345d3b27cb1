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

/// allgather, allgatherv, igatherv
std::string nameOf(Kind kind, Form form) {
  return (form == Form::Paired ? "i" : "") + std::string(acis::nameOf(kind)) +
         (form == Form::Plain ? "" : "v");
}

template <typename Names>
Error unknown(const std::string &at, const std::string &name, const Names &names) {
  return {at, "'" + name + "' is not known here" + didYouMean(name, names)};
}

} // namespace

bool Costs::has(Kind kind, Form form) {
  switch (form) {
  case Form::Plain:
    return true;
  case Form::Varying:
    return kind == Kind::Gather || kind == Kind::Allgather || kind == Kind::Scatter ||
           kind == Kind::Alltoall;
  case Form::Paired:
    return kind != Kind::Allgather && has(kind, Form::Varying);
  case Form::Lasting:
    break;
  }
  return false; // is not measured
}

const Costs::Row &Costs::row(Kind kind, Form form, Algorithm way) const {
  const bool isKnown = form != Form::Lasting && us[unsigned(kind)][unsigned(form)][indexOf(way)][0];
  if (form == Form::Lasting && way == Algorithm::Library)
    return row(kind, Form::Varying, way);
  return us[unsigned(kind)][isKnown ? unsigned(form) : 0][indexOf(way)];
}

void Costs::set(Kind kind, Form form, Algorithm way, size_t size, float microseconds) {
  us[unsigned(kind)][unsigned(form)][indexOf(way)][size] = microseconds;
}

std::optional<double> Costs::of(Kind kind, Algorithm way, uint64_t bytes, Form form) const {
  const Row &measured = row(kind, form, way);
  const size_t known = std::ranges::find(measured, 0.0f) - measured.begin();
  const bool isForAll = form == Form::Paired && &measured != &row(kind, Form::Plain, way);
  if (isForAll && known > 0)
    return measured[0];
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

/// Nothing where the cost of some is not known.
std::optional<Costs::Algorithm>
Costs::cheapestAt(Kind kind, uint64_t bytes, std::span<const Algorithm> ways, Form form) const {
  std::optional<Algorithm> best;
  double least = 0;
  for (Algorithm way : ways) {
    const std::optional<double> cost = of(kind, way, bytes, form);
    if (!cost)
      return std::nullopt;
    if (!best || *cost < least) {
      best = way;
      least = *cost;
    }
  }
  return best;
}

Costs::Algorithm Costs::cheapest(Kind kind, uint64_t bytes, std::span<const Algorithm> ways,
                                 Form form) const {
  std::optional<Algorithm> best = cheapestAt(kind, bytes, ways, form);
  for (size_t size = Sizes.size(); !best && size-- > 0;)
    if (Sizes[size] < bytes)
      best = cheapestAt(kind, Sizes[size], ways, form);
  return best.value_or(ways.back());
}

bool Costs::isEmpty() const {
  return std::ranges::all_of(us, [](const auto &kind) {
    return std::ranges::all_of(kind, [](const ByWay &form) {
      return std::ranges::all_of(form, [](const Row &row) { return row[0] == 0; });
    });
  });
}

std::string Costs::json() const {
  Json text;
  for (unsigned k = 0; k < NumKinds; ++k)
    for (unsigned form = 0; form < NumMeasured; ++form)
      for (Algorithm way : Ways)
        for (float cost : us[k][form][indexOf(way)])
          if (cost > 0)
            text[nameOf(Kind(k), Form(form))][std::string(algorithms::nameOf(way))].push_back(cost);
  return text.dump(2) + "\n";
}

Result<Costs> Costs::parse(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object())
    return Error{"", "is no JSON object"};
  std::vector<std::string> kinds, ways;
  std::vector<ByWay *> rows; // of the kinds
  Costs costs;
  for (unsigned k = 0; k < NumKinds; ++k)
    for (unsigned form = 0; form < NumMeasured; ++form)
      if (has(Kind(k), Form(form))) {
        kinds.push_back(nameOf(Kind(k), Form(form)));
        rows.push_back(&costs.us[k][form]);
      }
  for (Algorithm way : Ways)
    ways.emplace_back(algorithms::nameOf(way));
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
        (*rows[k])[w][s] = float(number);
      }
    }
  }
  return costs;
}

} // namespace acis::mpi
