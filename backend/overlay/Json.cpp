// JSON text to a tree. A first pass over the text finds what is wrong and where;
// only text without errors is made into a tree.
#include "backend/overlay/Json.h"

#include <set>
#include <vector>

namespace acis::overlay {

namespace {

constexpr size_t MaxDepth = 16;
constexpr size_t MaxQuoted = 60; ///< bytes of a value that a message repeats

/// Listens to the parser: keeps the first error and its byte offset.
class Checker final : public nlohmann::json_sax<Json> {
public:
  bool failed = false;
  bool syntax = false; ///< the parser's own error, `offset` is known
  size_t offset = 0;
  std::string path, what;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t &) override { return true; }
  bool string(string_t &) override { return true; }
  bool binary(binary_t &) override { return true; }
  bool start_object(std::size_t) override { return enter(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }

  bool key(string_t &name) override {
    Level &level = levels.back();
    level.path = childPath(levels.size() > 1 ? levels[levels.size() - 2].path : "", name);
    if (level.names.insert(name).second)
      return true;
    failed = true;
    path = level.path;
    what = "field given twice; keep one";
    return false;
  }

  bool parse_error(std::size_t position, const std::string &,
                   const nlohmann::detail::exception &error) override {
    failed = syntax = true;
    offset = position;
    // "[json.exception.parse_error.101] parse error at line 1, column 2: text"
    std::string text = error.what();
    size_t colon = text.find(": ");
    what = colon == std::string::npos ? text : text.substr(colon + 2);
    return false;
  }

private:
  struct Level {
    std::string path;
    std::set<std::string> names;
  };
  std::vector<Level> levels;

  bool enter() {
    std::string parent = levels.empty() ? "" : levels.back().path;
    levels.push_back({parent, {}});
    if (levels.size() <= MaxDepth)
      return true;
    failed = true;
    path = parent;
    what = "nested deeper than " + std::to_string(MaxDepth) + " levels";
    return false;
  }
  bool leave() {
    levels.pop_back();
    return true;
  }
};

/// "line:column", both from 1, of the byte before `offset` (the last one read).
std::string lineAndColumn(std::string_view text, size_t offset) {
  size_t line = 1, column = 1;
  for (size_t i = 0; i + 1 < offset && i < text.size(); ++i) {
    ++column;
    if (text[i] == '\n') {
      ++line;
      column = 1;
    }
  }
  return std::to_string(line) + ":" + std::to_string(column);
}

} // namespace

std::string childPath(const std::string &path, std::string_view key) {
  std::string result = path + "/";
  for (char c : key)
    result += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return result;
}

std::string describe(const Json &value) {
  if (value.is_object())
    return "an object";
  if (value.is_array())
    return "an array";
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() <= MaxQuoted ? text : text.substr(0, MaxQuoted) + "...";
}

Result<Json> parseJson(std::string_view text, std::string_view fileName) {
  Checker checker;
  Json::sax_parse(text.begin(), text.end(), &checker);
  std::string file(fileName);
  if (checker.syntax)
    return Error{file + ":" + lineAndColumn(text, checker.offset), checker.what};
  if (checker.failed)
    return Error{file + ": " + (checker.path.empty() ? "/" : checker.path), checker.what};
  return Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
}

} // namespace acis::overlay
