// The name that was probably meant, for "did you mean" in messages.
#pragma once

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace acis {

/// Letters to insert, delete, replace or swap with their neighbour to make `b` of `a`.
inline size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> before, last, row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t(0));
  for (size_t i = 1; i <= a.size(); ++i) {
    before = std::move(last);
    last = row;
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j - 1] + (a[i - 1] != b[j - 1]), last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

/// "; did you mean '--name'?", or "" if no name is nearly `word`. What follows a '=' in
/// `word` does not count.
template <typename Names> std::string didYouMean(std::string_view word, const Names &names) {
  word = word.substr(0, word.find('='));
  size_t best = 3; // more than two mistakes are another word
  std::string_view nearest;
  for (std::string_view name : names)
    if (size_t distance = editDistance(word, name);
        distance < best && distance < name.size() / 2 + 1) {
      best = distance;
      nearest = name;
    }
  return nearest.empty() ? "" : "; did you mean '" + std::string(nearest) + "'?";
}

} // namespace acis
