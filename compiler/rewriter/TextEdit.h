// Changes of a source's text.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace acis::rewriter {

struct TextEdit {
  unsigned offset = 0, length = 0; ///< bytes of the file that the text replaces
  std::string text;
  auto operator<=>(const TextEdit &) const = default;
};

/// Edits of one text, which do not overlap; equal ones are made once.
inline std::string applied(std::string text, std::vector<TextEdit> edits) {
  std::sort(edits.begin(), edits.end());
  edits.erase(std::unique(edits.begin(), edits.end()), edits.end());
  for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit)
    text.replace(edit->offset, edit->length, edit->text);
  return text;
}

} // namespace acis::rewriter
