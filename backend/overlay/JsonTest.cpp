// Positions and reasons of JSON errors.
#include "backend/overlay/Json.h"

#include <gtest/gtest.h>

using namespace acis;
using namespace acis::overlay;

namespace {

std::string errorOf(std::string_view text) {
  Result<Json> json = parseJson(text, "f.json");
  return json ? "no error" : json.error().str();
}

TEST(Json, ParsesAValidDocument) {
  Result<Json> json = parseJson("{\"a\": [1, {\"b\": \"x\"}]}", "f.json");
  ASSERT_TRUE(json);
  EXPECT_EQ((*json)["a"][1]["b"], "x");
}

TEST(Json, SyntaxErrorHasLineAndColumn) {
  EXPECT_TRUE(errorOf("{\n  \"a\": }").starts_with("f.json:2:8: syntax error"))
      << errorOf("{\n  \"a\": }");
  EXPECT_TRUE(errorOf("").starts_with("f.json:1:1: syntax error")) << errorOf("");
  EXPECT_TRUE(errorOf("{} x").starts_with("f.json:1:4: syntax error")) << errorOf("{} x");
}

TEST(Json, TruncatedTextAndBadUtf8AreErrors) {
  EXPECT_TRUE(errorOf("{\"a\": [1, 2").starts_with("f.json:1:"));
  EXPECT_TRUE(errorOf("{\"a\": \"\xff\"}").starts_with("f.json:1:"));
  EXPECT_TRUE(errorOf("{\"a\": 1e999}").starts_with("f.json:1:"));
}

TEST(Json, NameGivenTwiceIsAnError) {
  EXPECT_EQ(errorOf("{\"a\": {\"b\": 1, \"c\": [], \"b\": 2}}"),
            "f.json: /a/b: field given twice; keep one");
  EXPECT_EQ(errorOf("{\"a\": {\"b\": 1}, \"c\": {\"b\": 1}}"), "no error");
}

TEST(Json, DeepNestingIsAnError) {
  EXPECT_EQ(errorOf(std::string(16, '[') + std::string(16, ']')), "no error");
  EXPECT_EQ(errorOf(std::string(100000, '[')), "f.json: /: nested deeper than 16 levels");
}

TEST(Json, PathsEscapeSlashAndTilde) { EXPECT_EQ(childPath("/a", "b/c~"), "/a/b~1c~0"); }

} // namespace
