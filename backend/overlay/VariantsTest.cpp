// Sweeps of descriptions: what they say, what comes of them, and what they refuse.
#include "backend/overlay/Variants.h"

#include <gtest/gtest.h>

using namespace acis;

namespace {

std::string textOf(const std::string &name) {
  Result<std::string> text = Overlay::readText(name);
  EXPECT_TRUE(text) << (text ? "" : text.error().str());
  return text ? *text : "";
}

std::vector<Variant> variants(const std::string &name, const std::vector<std::string> &sweeps) {
  std::vector<Sweep> all;
  for (const std::string &sweep : sweeps) {
    Result<Sweep> one = parseSweep(sweep);
    EXPECT_TRUE(one) << (one ? "" : one.error().str());
    if (one)
      all.push_back(*one);
  }
  Result<std::vector<Variant>> found = variantsOf(textOf(name), name, all);
  EXPECT_TRUE(found) << (found ? "" : found.error().str());
  return found ? *found : std::vector<Variant>();
}

TEST(Variants, AllCombinationsTheLastFastest) {
  const std::vector<Variant> found = variants("tiny.json", {"/pe/lanes=4,8", "/grid/cols=1,2,3"});
  ASSERT_EQ(found.size(), 6u);
  for (size_t i = 0; i < found.size(); ++i) {
    ASSERT_TRUE(found[i].overlay) << found[i].overlay.error().str();
    EXPECT_EQ(found[i].overlay->lanes, i < 3 ? 4u : 8u);
    EXPECT_EQ(found[i].overlay->cols, i % 3 + 1);
    EXPECT_EQ(found[i].fields[1], std::pair(std::string("/grid/cols"), std::to_string(i % 3 + 1)));
  }
}

TEST(Variants, FieldsMayBeTextsArraysElementsAndNew) {
  const std::vector<Variant> found =
      variants("mixed4x4.json",
               {"/grid/topology=\"mesh\",\"torus\"",
                "/grid/default/units=[\"integer\"],[\"integer\",\"float\"]", "/vrf/ram=\"block\""});
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].overlay->topology, Topology::Mesh);
  EXPECT_EQ(found[3].overlay->topology, Topology::Torus);
  EXPECT_EQ(found[3].overlay->vrfRam, Ram::Block);
  EXPECT_EQ(variants("u280.json", {"/grid/overrides/0/moves=false"})[0].overlay->pes[1].extras &
                extra::Moves,
            0);
}

TEST(Variants, ASmallerGridHasNoOverridesBeyondIt) {
  const std::vector<Variant> found = variants("u280.json", {"/grid/cols=16,2,1"});
  ASSERT_EQ(found.size(), 3u);
  for (const Variant &variant : found) {
    ASSERT_TRUE(variant.overlay) << variant.overlay.error().str();
    EXPECT_EQ(variant.overlay->pes.size(), variant.overlay->cols);
    EXPECT_TRUE(variant.overlay->pes[0].extras & extra::Wide);
  }
}

TEST(Variants, WhatIsNoMachineSaysWhy) {
  const std::vector<Variant> found = variants("tiny.json", {"/pe/lanes=4,5"});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_TRUE(found[0].overlay);
  ASSERT_FALSE(found[1].overlay);
  EXPECT_EQ(found[1].overlay.error().where, "tiny.json: /pe/lanes");
}

TEST(Variants, TheUsualSweepHalvesSizes) {
  const std::vector<Variant> found = variants("tiny.json", {});
  ASSERT_EQ(found.size(), 2u); // two columns or one; fewer than one row or 4 lanes there are not
  EXPECT_EQ(found.front().overlay->cols, 2u);
  EXPECT_EQ(found.front().overlay->lanes, 4u);
}

TEST(Variants, TwoLanesAreAsFewAsElementsOf32BitsGo) {
  const std::vector<Variant> found = variants("ecp5.json", {});
  ASSERT_EQ(found.size(), 2u);
  ASSERT_TRUE(found.back().overlay) << found.back().overlay.error().str();
  EXPECT_EQ(found.back().overlay->lanes, 2u);
}

TEST(Variants, RefusesWhatIsNoSweep) {
  for (const char *text : {"", "lanes=4", "/pe/lanes", "/pe/lanes=", "/pe/lanes=[4", "/x=1]"})
    EXPECT_FALSE(parseSweep(text)) << text;
  const std::string tiny = textOf("tiny.json");
  EXPECT_FALSE(variantsOf("{", "broken.json", {}));
  Result<std::vector<Variant>> none = variantsOf(tiny, "tiny.json", {{"/pe/lanes/0", {"4"}}});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().str(), "/pe/lanes/0: '0' leads to nothing in this description");
  std::vector<std::string> many(65, "4");
  EXPECT_FALSE(variantsOf(tiny, "tiny.json", {{"/pe/lanes", many}, {"/grid/cols", many}}));
}

TEST(Variants, PathsHaveTheEscapesOfJsonPointers) {
  Result<std::vector<Variant>> found =
      variantsOf(textOf("tiny.json"), "tiny.json", {{"/a~01/b~1c", {"1"}}});
  ASSERT_TRUE(found);
  ASSERT_FALSE(found->front().overlay);
  EXPECT_NE(found->front().overlay.error().str().find("/a~01"), std::string::npos)
      << found->front().overlay.error().str();
}

} // namespace
