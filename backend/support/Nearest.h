// The name that was probably meant, for "did you mean" in messages.
#pragma once

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace acis {

/// Letters to insert, delete or replace to make `b` of `a`.
inline size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t(0));
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      size_t replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
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
