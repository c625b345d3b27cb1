// The published JSON Schema and the table of known fields say the same.
#include "backend/overlay/Fields.h"
#include "backend/overlay/Json.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

using namespace acis;
using namespace acis::overlay;

namespace {

std::string readDescription(const std::string &name) {
  const char *root = std::getenv("ACIS_SRC_ROOT");
  std::ifstream file(std::string(root ? root : ".") + "/backend/overlay/descriptions/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

struct Property {
  Json schema;
  bool required;
};

/// Every property of the schema by its path in a description.
void collect(const Json &schema, const std::string &path, std::map<std::string, Property> &into) {
  for (const auto &item : schema.at("properties").items()) {
    std::string child = path + "/" + item.key();
    const Json &required = schema.value("required", Json::array());
    into[child] = {item.value(),
                   std::find(required.begin(), required.end(), item.key()) != required.end()};
    EXPECT_TRUE(child == "/$schema" || item.value().contains("description")) << child;
    if (item.value().contains("properties"))
      collect(item.value(), child, into);
    if (item.value().contains("items") && item.value()["items"].contains("properties"))
      collect(item.value()["items"], child + "/*", into);
  }
  EXPECT_EQ(schema.value("additionalProperties", true), false) << path;
}

std::map<std::string, Property> properties() {
  Result<Json> schema = parseJson(readDescription("overlay.schema.json"), "overlay.schema.json");
  std::map<std::string, Property> result;
  EXPECT_TRUE(schema) << (schema ? "" : schema.error().str());
  if (schema) {
    EXPECT_EQ((*schema)["$schema"], "https://json-schema.org/draft/2020-12/schema");
    collect(*schema, "", result);
  }
  return result;
}

TEST(Schema, HasEveryFieldAndNoOther) {
  std::map<std::string, Property> schema = properties();
  for (const Field &field : fields()) {
    auto found = schema.find(std::string(field.path));
    ASSERT_NE(found, schema.end()) << field.path << " is missing in the schema";
    EXPECT_EQ(found->second.required, field.required) << field.path;
    schema.erase(found);
  }
  for (const auto &[path, property] : schema)
    ADD_FAILURE() << path << " is in the schema and unknown to the reader";
}

TEST(Schema, HasTheSameLimits) {
  std::map<std::string, Property> schema = properties();
  for (const Field &field : fields()) {
    const Json &property = schema.at(std::string(field.path)).schema;
    switch (field.kind) {
    case FieldKind::Integer:
      EXPECT_EQ(property.at("type"), "integer") << field.path;
      EXPECT_EQ(property.at("minimum"), field.min) << field.path;
      EXPECT_EQ(property.at("maximum"), field.max) << field.path;
      break;
    case FieldKind::Power: {
      Json powers = Json::array();
      for (uint64_t value = std::bit_ceil(field.min); value <= field.max; value *= 2)
        powers.push_back(value);
      EXPECT_EQ(property.at("enum"), powers) << field.path;
      break;
    }
    case FieldKind::Number:
      EXPECT_EQ(property.at("type"), "number") << field.path;
      EXPECT_EQ(property.at("exclusiveMinimum"), 0) << field.path;
      EXPECT_EQ(property.at("maximum"), field.max) << field.path;
      break;
    case FieldKind::Units:
      EXPECT_EQ(property.at("items").at("enum"), Json(unitNames)) << field.path;
      EXPECT_EQ(property.at("uniqueItems"), true) << field.path;
      break;
    case FieldKind::Widths:
      EXPECT_EQ(property.at("enum"), Json::array({{32}, {32, 64}})) << field.path;
      break;
    case FieldKind::Choice:
      EXPECT_EQ(property.at("enum"),
                Json(std::vector<std::string_view>(field.names.begin(), field.names.end())))
          << field.path;
      break;
    case FieldKind::Text:
      EXPECT_EQ(property.at("type"), "string") << field.path;
      EXPECT_EQ(property.at("minLength"), 1) << field.path;
      break;
    case FieldKind::Flag:
      EXPECT_EQ(property.at("type"), "boolean") << field.path;
      break;
    case FieldKind::Object:
      EXPECT_EQ(property.at("type"), "object") << field.path;
      break;
    case FieldKind::PeList:
      EXPECT_EQ(property.at("minItems"), 1) << field.path;
      [[fallthrough]];
    case FieldKind::Overrides:
      EXPECT_EQ(property.at("type"), "array") << field.path;
      break;
    }
  }
}

} // namespace
