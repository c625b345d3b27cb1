// Descriptions: the shipped ones, and what is wrong with others.
#include "backend/overlay/Overlay.h"

#include "backend/overlay/Fields.h"
#include "backend/overlay/Json.h"
#include "backend/overlay/SystemVerilog.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

using namespace acis;
using namespace acis::overlay;

namespace {

std::string pathOf(const std::string &name) {
  const char *root = std::getenv("ACIS_SRC_ROOT");
  return std::string(root ? root : ".") + "/backend/overlay/descriptions/" + name;
}

Overlay loaded(const std::string &name) {
  Result<Overlay> overlay = Overlay::load(pathOf(name));
  EXPECT_TRUE(overlay) << (overlay ? "" : overlay.error().str());
  return overlay ? *overlay : Overlay();
}

/// A good description, as a tree that a test spoils.
Json good() {
  return Json::parse(R"({
    "name": "t",
    "grid": {"rows": 2, "cols": 2, "topology": "mesh",
      "default": {"units": ["integer"], "memory": false, "vrf": true},
      "overrides": [{"pes": [0, 2], "memory": true}, {"pes": [3], "units": [], "vrf": false}]},
    "pe": {"lanes": 8, "latency": {"integer": 1, "convert": 2, "float": 3, "divide": 4},
      "routeRegs": 5, "operandDelay": 9, "contextSlots": 6, "maxContexts": 7},
    "vrf": {"beats": 64, "readPorts": 1},
    "memory": {"bytes": 8192, "banks": 2, "interleaveBytes": 4096, "readLatency": 10,
      "writeLatency": 11, "burstBeats": 12, "outstanding": 13},
    "stream": {"fifoBeats": 14, "headerBytes": 15},
    "scalar": {"codeBytes": 512, "scratchBytes": 1024},
    "clockMhz": 99.5})");
}

std::string errorOf(const Json &json) {
  Result<Overlay> overlay = Overlay::parse(json.dump(), "f.json");
  return overlay ? "no error" : overlay.error().str();
}

std::string errorWith(const char *pointer, Json value) {
  Json json = good();
  json[Json::json_pointer(pointer)] = std::move(value);
  return errorOf(json);
}

TEST(Overlay, U280HasThePapersNumbers) {
  Overlay o = loaded("u280-full.json");
  EXPECT_EQ(o.name, "u280-full");
  EXPECT_EQ(o.numPes(), 16u);
  EXPECT_EQ(o.links.size(), 30u);
  EXPECT_EQ(o.beatBytes(), 64u);
  EXPECT_EQ(o.vregBeats(), 128u);
  EXPECT_EQ(o.latencyOf(UnitClass::Integer), 6u);
  EXPECT_EQ(o.latencyOf(UnitClass::Convert), 4u);
  EXPECT_EQ(o.latencyOf(UnitClass::Float), 8u);
  EXPECT_EQ(o.latencyOf(UnitClass::Divide), 57u);
  EXPECT_EQ(o.memBytes, uint64_t(8) << 30);
  EXPECT_EQ(o.memBanks, 32u);
  for (const PeKind &pe : o.pes)
    EXPECT_TRUE(pe.memory && pe.vrf && pe.units[0] && pe.units[1] && pe.units[2] && pe.units[3]);
}

TEST(Overlay, U280At250MhzHasLongerUnitsAndRegisters) {
  Overlay slow = loaded("u280-full.json"), fast = loaded("u280-250mhz.json");
  EXPECT_EQ(fast.name, "u280-250mhz");
  EXPECT_EQ(fast.latencyOf(UnitClass::Integer), 7u);
  EXPECT_EQ(fast.latencyOf(UnitClass::Convert), 6u);
  EXPECT_EQ(fast.latencyOf(UnitClass::Float), 10u);
  EXPECT_EQ(fast.latencyOf(UnitClass::Divide), 58u);
  EXPECT_EQ(fast.inputLatency, 1u);
  EXPECT_EQ(fast.indexLatency, 1u);
  EXPECT_EQ(fast.launchLatency, 2u);
  // Nothing else differs.
  EXPECT_NE(fast.fingerprint(), slow.fingerprint());
  fast.latency = slow.latency;
  fast.inputLatency = fast.indexLatency = 0;
  EXPECT_EQ(fast.fingerprint(), slow.fingerprint());
}

TEST(Overlay, Mesh4x4HasMemoryOnOneSide) {
  Overlay o = loaded("mesh4x4.json");
  EXPECT_EQ(o.numPes(), 16u);
  EXPECT_EQ(o.links.size(), 48u);
  for (unsigned pe = 0; pe < 16; ++pe) {
    EXPECT_EQ(o.pes[pe].memory, pe % 4 == 0) << pe;
    EXPECT_TRUE(o.pes[pe].vrf);
  }
}

TEST(Overlay, TinyIsTiny) {
  Overlay o = loaded("tiny.json");
  EXPECT_EQ(o.numPes(), 2u);
  EXPECT_EQ(o.beatBytes(), 16u);
  EXPECT_EQ(o.vrfBeats, 256u);
}

TEST(Overlay, EveryFieldReachesItsMember) {
  Result<Overlay> parsed = Overlay::parse(good().dump(), "f.json");
  ASSERT_TRUE(parsed) << parsed.error().str();
  const Overlay &o = *parsed;
  EXPECT_EQ(o.topology, Topology::Mesh);
  EXPECT_EQ(o.lanes, 8u);
  EXPECT_EQ(o.latency, (std::array<unsigned, 4>{1, 2, 3, 4}));
  EXPECT_EQ(o.routeRegs, 5u);
  EXPECT_EQ(o.operandDelay, 9u);
  EXPECT_EQ(o.contextSlots, 6u);
  EXPECT_EQ(o.maxContexts, 7u);
  EXPECT_EQ(o.vrfBeats, 64u);
  EXPECT_EQ(o.vrfReadPorts, 1u);
  EXPECT_EQ(o.memBytes, 8192u);
  EXPECT_EQ(o.memBanks, 2u);
  EXPECT_EQ(o.memInterleaveBytes, 4096u);
  EXPECT_EQ(o.memReadLatency, 10u);
  EXPECT_EQ(o.memWriteLatency, 11u);
  EXPECT_EQ(o.memBurstBeats, 12u);
  EXPECT_EQ(o.memOutstanding, 13u);
  EXPECT_EQ(o.fifoBeats, 14u);
  EXPECT_EQ(o.headerBytes, 15u);
  EXPECT_EQ(o.codeBytes, 512u);
  EXPECT_EQ(o.scratchBytes, 1024u);
  EXPECT_EQ(o.clockMhz, 99.5);
  EXPECT_TRUE(o.pes[0].memory && o.pes[2].memory && !o.pes[1].memory);
  EXPECT_TRUE(o.pes[1].units[0] && !o.pes[1].units[1]);
  EXPECT_TRUE(!o.pes[3].units[0] && !o.pes[3].vrf && o.pes[2].vrf);
}

TEST(Overlay, InputsTakeNoCycleUnlessTheDescriptionSaysSo) {
  Json json = good();
  Result<Overlay> at0 = Overlay::parse(json.dump(), "f.json");
  ASSERT_TRUE(at0) << at0.error().str();
  EXPECT_EQ(at0->inputLatency, 0u);
  json["pe"]["inputLatency"] = 0;
  EXPECT_EQ(Overlay::parse(json.dump(), "f.json")->fingerprint(), at0->fingerprint());
  json["pe"]["inputLatency"] = 1;
  Result<Overlay> at1 = Overlay::parse(json.dump(), "f.json");
  ASSERT_TRUE(at1) << at1.error().str();
  EXPECT_EQ(at1->inputLatency, 1u);
  EXPECT_NE(at1->fingerprint(), at0->fingerprint());
  EXPECT_EQ(errorWith("/pe/inputLatency", 2),
            "f.json: /pe/inputLatency: found 2, allowed is an integer from 0 to 1");
}

TEST(Overlay, AddressesInRegistersNeedTheOtherRegisters) {
  Json json = good();
  json["pe"]["indexLatency"] = 0;
  Result<Overlay> at0 = Overlay::parse(json.dump(), "f.json");
  ASSERT_TRUE(at0) << at0.error().str();
  EXPECT_EQ(at0->fingerprint(), Overlay::parse(good().dump(), "f.json")->fingerprint());
  json["pe"]["indexLatency"] = 1;
  auto refusal = [&](unsigned inputs, unsigned launches) {
    json["pe"]["inputLatency"] = inputs;
    json["grid"]["launchLatency"] = launches;
    Result<Overlay> parsed = Overlay::parse(json.dump(), "f.json");
    return parsed ? std::string() : parsed.error().str();
  };
  EXPECT_EQ(refusal(1, 0),
            "f.json: /pe/indexLatency: found 1 with an inputLatency of 1 and a launchLatency of 0, "
            "needed are /pe/inputLatency 1 and /grid/launchLatency 1 or 2 (an index is taken a "
            "cycle before its slot)");
  EXPECT_NE(refusal(0, 1).find("an inputLatency of 0 and a launchLatency of 1"), std::string::npos);
  EXPECT_EQ(refusal(1, 2), "");
  EXPECT_EQ(refusal(1, 1), "");
  Result<Overlay> at1 = Overlay::parse(json.dump(), "f.json");
  ASSERT_TRUE(at1) << at1.error().str();
  EXPECT_EQ(at1->indexLatency, 1u);
  json["pe"]["indexLatency"] = 0;
  EXPECT_NE(Overlay::parse(json.dump(), "f.json")->fingerprint(), at1->fingerprint());
  EXPECT_EQ(errorWith("/pe/indexLatency", 4),
            "f.json: /pe/indexLatency: found 4, allowed is an integer from 0 to 3");
}

TEST(Overlay, AnArrayThatFollowsNeedsIndicesEarlier) {
  Json json = good();
  json["pe"]["inputLatency"] = 1;
  json["grid"]["launchLatency"] = 2;
  auto parsedWith = [&](unsigned stalls, unsigned indices) {
    json["grid"]["stallLatency"] = stalls;
    json["pe"]["indexLatency"] = indices;
    return Overlay::parse(json.dump(), "f.json");
  };
  auto refusal = [&](unsigned stalls, unsigned indices) {
    Result<Overlay> parsed = parsedWith(stalls, indices);
    return parsed ? std::string() : parsed.error().str();
  };
  Result<Overlay> none = parsedWith(0, 1), one = parsedWith(1, 2), two = parsedWith(2, 3);
  ASSERT_TRUE(none && one && two) << refusal(0, 1) << refusal(1, 2) << refusal(2, 3);
  EXPECT_EQ(none->stallLatency, 0u);
  EXPECT_EQ(two->stallLatency, 2u);
  // A binary knows when an index is taken, not why.
  EXPECT_NE(one->fingerprint(), none->fingerprint());
  EXPECT_NE(two->fingerprint(), one->fingerprint());
  EXPECT_EQ(refusal(1, 1),
            "f.json: /grid/stallLatency: found 1 with an indexLatency of 1, needed is "
            "/pe/indexLatency 2 (addresses are known when a slot is decided)");
  EXPECT_NE(refusal(2, 2).find("needed is /pe/indexLatency 3"), std::string::npos);
  EXPECT_NE(refusal(1, 0).find("needed is /pe/indexLatency 2"), std::string::npos);
  EXPECT_EQ(refusal(0, 2),
            "f.json: /pe/indexLatency: found 2 with a stallLatency of 0, allowed are "
            "0 and 1 (or /grid/stallLatency 1)");
  json["pe"]["inputLatency"] = 0;
  EXPECT_NE(refusal(1, 2).find("/pe/indexLatency: found 2 with an inputLatency of 0"),
            std::string::npos);
  EXPECT_EQ(errorWith("/grid/stallLatency", 3),
            "f.json: /grid/stallLatency: found 3, allowed is an integer from 0 to 2");
}

TEST(Overlay, LaunchLatencyIsNoMatterOfTheBinary) {
  Json json = good();
  Result<Overlay> at0 = Overlay::parse(json.dump(), "f.json");
  ASSERT_TRUE(at0) << at0.error().str();
  EXPECT_EQ(at0->launchLatency, 0u);
  json["grid"]["launchLatency"] = 1;
  Result<Overlay> at1 = Overlay::parse(json.dump(), "f.json");
  ASSERT_TRUE(at1) << at1.error().str();
  EXPECT_EQ(at1->launchLatency, 1u);
  EXPECT_EQ(at1->fingerprint(), at0->fingerprint());
  EXPECT_NE(hardwareFingerprint(*at1), hardwareFingerprint(*at0));
  json["grid"]["launchLatency"] = 2;
  Result<Overlay> at2 = Overlay::parse(json.dump(), "f.json");
  ASSERT_TRUE(at2) << at2.error().str();
  EXPECT_EQ(at2->launchLatency, 2u);
  EXPECT_EQ(at2->fingerprint(), at0->fingerprint());
  EXPECT_NE(hardwareFingerprint(*at2), hardwareFingerprint(*at1));
  EXPECT_EQ(errorWith("/grid/launchLatency", 3),
            "f.json: /grid/launchLatency: found 3, allowed is an integer from 0 to 2");
}

TEST(Overlay, ScalarPipelineIsNoMatterOfTheBinary) {
  Json json = good();
  Result<Overlay> without = Overlay::parse(json.dump(), "f.json");
  ASSERT_TRUE(without) << without.error().str();
  EXPECT_EQ(without->scalarPipeline, 0u);
  json["scalar"]["pipeline"] = 1;
  Result<Overlay> with = Overlay::parse(json.dump(), "f.json");
  ASSERT_TRUE(with) << with.error().str();
  EXPECT_EQ(with->scalarPipeline, 1u);
  EXPECT_EQ(with->fingerprint(), without->fingerprint());
  EXPECT_NE(hardwareFingerprint(*with), hardwareFingerprint(*without));
  EXPECT_EQ(errorWith("/scalar/pipeline", 2),
            "f.json: /scalar/pipeline: found 2, allowed is an integer from 0 to 1");
}

TEST(Overlay, WrongTypeNamesPathFoundAndAllowed) {
  EXPECT_EQ(errorWith("/pe/lanes", "16"),
            "f.json: /pe/lanes: found \"16\", allowed is a power of two from 2 to 64");
  EXPECT_EQ(errorWith("/grid", 3), "f.json: /grid: found 3, allowed is an object");
  EXPECT_EQ(errorWith("/grid/default/vrf", 1),
            "f.json: /grid/default/vrf: found 1, allowed is true or false");
  EXPECT_EQ(errorWith("/grid/default/units", "integer"),
            "f.json: /grid/default/units: found \"integer\", allowed is an array of different unit "
            "classes out of \"integer\", \"convert\", \"float\", \"divide\"");
  EXPECT_EQ(errorOf(Json::array()), "f.json: /: found an array, expected an object");
}

TEST(Overlay, OutOfRangeValuesAreErrors) {
  EXPECT_EQ(errorWith("/pe/lanes", 1),
            "f.json: /pe/lanes: found 1, allowed is a power of two from 2 to 64");
  EXPECT_EQ(errorWith("/pe/lanes", 12),
            "f.json: /pe/lanes: found 12, allowed is a power of two from 2 to 64");
  EXPECT_EQ(errorWith("/pe/routeRegs", 17),
            "f.json: /pe/routeRegs: found 17, allowed is an integer from 1 to 16");
  EXPECT_EQ(errorWith("/pe/routeRegs", -1),
            "f.json: /pe/routeRegs: found -1, allowed is an integer from 1 to 16");
  EXPECT_EQ(errorWith("/pe/routeRegs", 1.5),
            "f.json: /pe/routeRegs: found 1.5, allowed is an integer from 1 to 16");
  EXPECT_EQ(errorWith("/clockMhz", 0),
            "f.json: /clockMhz: found 0, allowed is a number above 0, at most 10000");
  EXPECT_EQ(errorWith("/name", ""),
            "f.json: /name: found \"\", allowed is a text of at least one character");
  EXPECT_EQ(errorWith("/grid/topology", "ring"),
            "f.json: /grid/topology: found \"ring\", allowed is one of \"chain\", \"mesh\", "
            "\"torus\", \"king\", \"onehop\"");
}

// Each integer field, just inside and just outside of both ends of its range. The
// inside values may break a rule between fields, but not the field's own.
TEST(Overlay, EveryLimitIsChecked) {
  for (const Field &field : fields()) {
    if (field.kind != FieldKind::Integer && field.kind != FieldKind::Power)
      continue;
    std::string path(field.path);
    if (size_t star = path.find('*'); star != std::string::npos)
      path[star] = '0';
    const std::string prefix = "f.json: " + path + ": found ";
    auto refused = [&](uint64_t value) {
      return errorWith(path.c_str(), value) ==
             prefix + std::to_string(value) + ", allowed is " + allowed(field);
    };
    EXPECT_FALSE(refused(field.min)) << path;
    EXPECT_FALSE(refused(field.max)) << path;
    EXPECT_TRUE(refused(field.max + 1)) << path;
    if (field.min)
      EXPECT_TRUE(refused(field.min - 1)) << path;
  }
}

TEST(Overlay, MissingFieldIsAnErrorUnlessOptional) {
  for (const Field &field : fields()) {
    std::string path(field.path);
    if (size_t star = path.find('*'); star != std::string::npos)
      path[star] = '0';
    Json json = good();
    Json::json_pointer pointer(path);
    if (!json.contains(pointer))
      continue;
    json.at(pointer.parent_pointer()).erase(pointer.back());
    std::string error = errorOf(json);
    if (field.required)
      EXPECT_EQ(error, "f.json: " + path + ": field is missing, needed is " + allowed(field));
    else
      EXPECT_EQ(error, "no error") << path;
  }
}

TEST(Overlay, UnknownFieldNamesTheKnownOnes) {
  EXPECT_EQ(errorWith("/vrf/beast", 1),
            "f.json: /vrf/beast: unknown field, allowed are beats, readPorts, copies, ram");
  EXPECT_EQ(errorWith("/grid/overrides/1/lanes", 1),
            "f.json: /grid/overrides/1/lanes: unknown field, allowed are pes, units, memory, vrf, "
            "widths, fused, gather, moves, every");
}

TEST(Overlay, CopiesOfARegisterFileNeedRegistersBehindAddresses) {
  Json json = good();
  json["vrf"]["copies"] = true;
  EXPECT_EQ(errorOf(json),
            "f.json: /vrf/copies: found true with an indexLatency of 0, needed is "
            "/pe/indexLatency 1 (a memory with one clock reads at the end of the cycle that has "
            "the address)");
  json["pe"]["inputLatency"] = json["pe"]["indexLatency"] = 1;
  json["grid"]["launchLatency"] = 1;
  json["vrf"]["ram"] = "block";
  Result<Overlay> parsed = Overlay::parse(json.dump(), "f.json");
  ASSERT_TRUE(parsed) << parsed.error().str();
  EXPECT_TRUE(parsed->vrfCopies);
  EXPECT_EQ(parsed->vrfRam, Ram::Block);
  const std::string package = emitSystemVerilog(*parsed);
  EXPECT_NE(package.find("VrfCopies = 1;"), std::string::npos);
  EXPECT_NE(package.find("VrfRam = \"block\";"), std::string::npos);
  EXPECT_EQ(errorWith("/vrf/ram", "uram"), "f.json: /vrf/ram: found \"uram\", allowed is one of "
                                           "\"auto\", \"distributed\", \"block\", \"ultra\"");
}

TEST(Overlay, ContextWordsInBlocksNeedRegistersBehindFirstSlots) {
  EXPECT_EQ(errorWith("/pe/contextRam", "block"),
            "f.json: /pe/contextRam: found \"block\" with a launchLatency of 0, needed is "
            "/grid/launchLatency 2 (a memory block reads at the end of the cycle that has the "
            "address)");
  EXPECT_NE(errorWith("/pe/contextRam", "ultra").find("found \"ultra\""), std::string::npos);
  EXPECT_EQ(errorWith("/pe/contextRam", "lut"),
            "f.json: /pe/contextRam: found \"lut\", allowed is one of \"auto\", "
            "\"distributed\", \"block\", \"ultra\"");
  Json json = good();
  json["pe"]["contextRam"] = "distributed";
  EXPECT_EQ(errorOf(json), "no error");
  json["grid"]["launchLatency"] = 2;
  json["pe"]["contextRam"] = "block";
  Result<Overlay> parsed = Overlay::parse(json.dump(), "f.json");
  ASSERT_TRUE(parsed) << parsed.error().str();
  EXPECT_EQ(parsed->contextRam, Ram::Block);
  EXPECT_NE(emitSystemVerilog(*parsed).find("ContextRam = \"block\";"), std::string::npos);
}

TEST(Overlay, PesDifferInWhatUnitsCanDo) {
  Json json = good();
  json["grid"]["default"]["widths"] = {32};
  json["grid"]["default"]["fused"] = false;
  json["grid"]["overrides"][0]["widths"] = {32, 64};
  json["grid"]["overrides"][1]["gather"] = false;
  json["grid"]["overrides"][1]["moves"] = false;
  json["pe"]["interlocks"] = 4;
  Result<Overlay> parsed = Overlay::parse(json.dump(), "f.json");
  ASSERT_TRUE(parsed) << parsed.error().str();
  EXPECT_EQ(parsed->pes[0].extras, extra::Wide | extra::Gather | extra::Moves);
  EXPECT_EQ(parsed->pes[1].extras, extra::Gather | extra::Moves);
  EXPECT_EQ(parsed->pes[3].extras, 0);
  EXPECT_EQ(parsed->interlocks, 4u);
  const std::string package = emitSystemVerilog(*parsed);
  for (const char *text :
       {"[3:0] PeWide = 4'b0101;", "[3:0] PeFused = 4'b0000;", "[3:0] PeGather = 4'b0111;",
        "[3:0] PeMoves = 4'b0111;", "Interlocks = 4;", "MaxLinks = 4;"})
    EXPECT_NE(package.find(text), std::string::npos) << text;
  EXPECT_EQ(errorWith("/grid/default/widths", {64}),
            "f.json: /grid/default/widths: found an array, allowed is [32] or [32,64]");
  EXPECT_EQ(errorWith("/pe/interlocks", 0),
            "f.json: /pe/interlocks: found 0, allowed is an integer from 1 to 16");
  // Rows of the slot tables have eight bits.
  EXPECT_EQ(errorWith("/pe/contextSlots", 256), "no error");
  EXPECT_EQ(errorWith("/pe/contextSlots", 257),
            "f.json: /pe/contextSlots: found 257, allowed is an integer from 1 to 256");
  EXPECT_TRUE(parsed->isWide());
  json["grid"]["overrides"][0]["widths"] = {32};
  parsed = Overlay::parse(json.dump(), "f.json");
  ASSERT_TRUE(parsed) << parsed.error().str();
  EXPECT_FALSE(parsed->isWide());
}

TEST(Overlay, ArgumentsAndStagesAreChoices) {
  EXPECT_EQ(loaded("u280-full.json").arguments, 32u);
  EXPECT_EQ(loaded("u280-full.json").stages, 256u);
  Json json = good();
  json["pe"]["arguments"] = 12;
  json["pe"]["stages"] = 64;
  Result<Overlay> parsed = Overlay::parse(json.dump(), "f.json");
  ASSERT_TRUE(parsed) << parsed.error().str();
  const std::string package = emitSystemVerilog(*parsed);
  EXPECT_NE(package.find("Arguments = 12;"), std::string::npos);
  EXPECT_NE(package.find("Stages = 64;"), std::string::npos);
  EXPECT_EQ(errorWith("/pe/arguments", 7),
            "f.json: /pe/arguments: found 7, allowed is an integer from 8 to 32");
  EXPECT_EQ(errorWith("/pe/stages", 48),
            "f.json: /pe/stages: found 48, allowed is a power of two from 16 to 256");
  json["pe"]["stages"] = 16;
  json["pe"]["latency"]["float"] = 16; // one more than vector instructions find room for
  EXPECT_EQ(errorOf(json), "f.json: /pe/stages: found 16, needed are 17 for vector instructions "
                           "with these latencies");
  json["pe"]["latency"]["float"] = 15;
  EXPECT_TRUE(Overlay::parse(json.dump(), "f.json"));
}

TEST(Overlay, AScalarUnitHasVectorInstructionsIfNothingElseIsSaid) {
  Json json = good();
  const Result<Overlay> with = Overlay::parse(json.dump(), "f.json");
  ASSERT_TRUE(with);
  EXPECT_TRUE(with->scalarVector);
  EXPECT_EQ(with->vregWords(), 16u);
  json["scalar"]["vector"] = false;
  json["pe"]["stages"] = 16;
  json["pe"]["latency"]["float"] = 16; // of loops alone
  const Result<Overlay> without = Overlay::parse(json.dump(), "f.json");
  ASSERT_TRUE(without) << without.error().str();
  EXPECT_FALSE(without->scalarVector);
  EXPECT_EQ(without->vregWords(), 0u);
  json["pe"]["latency"]["float"] = 3;
  json["pe"].erase("stages");
  EXPECT_NE(Overlay::parse(json.dump(), "f.json")->fingerprint(), with->fingerprint());
  EXPECT_NE(emitSystemVerilog(*without).find("ScalarVector = 0;"), std::string::npos);
  EXPECT_EQ(errorWith("/scalar/vector", 1),
            "f.json: /scalar/vector: found 1, allowed is true or false");
}

TEST(Overlay, LanesShareUnits) {
  Json json = good();
  json["pe"]["latency"] = {{"integer", 1}, {"convert", 8}, {"float", 3}, {"divide", 8}};
  json["grid"]["default"]["units"] = {"integer", "convert", "divide"};
  json["grid"]["default"]["every"] = {{"divide", 4}};
  json["grid"]["overrides"][0]["every"] = {{"convert", 2}};
  Result<Overlay> parsed = Overlay::parse(json.dump(), "f.json");
  ASSERT_TRUE(parsed) << parsed.error().str();
  EXPECT_EQ(parsed->pes[0].everyOf(UnitClass::Divide), 4u);
  EXPECT_EQ(parsed->pes[0].everyOf(UnitClass::Convert), 2u);
  EXPECT_EQ(parsed->pes[1].everyOf(UnitClass::Convert), 1u);
  const std::string package = emitSystemVerilog(*parsed);
  for (const char *text : {"int unsigned PeEveryConvert [4] = '{\n    2, 1, 2, 1};",
                           "int unsigned PeEveryDivide [4] = '{\n    4, 4, 4, 4};"})
    EXPECT_NE(package.find(text), std::string::npos) << text << package;
  // Elements of 64 bits take two lanes: as many as there are pairs.
  const unsigned lanes = parsed->lanes;
  json["grid"]["overrides"][0]["every"]["convert"] = lanes;
  parsed = Overlay::parse(json.dump(), "f.json");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().str(),
            "f.json: /grid/overrides/0/every/convert: found " + std::to_string(lanes) +
                ", allowed are at most " + std::to_string(lanes / 2) +
                " (as many lanes, or pairs of lanes with elements of 64 bits)");
  json["grid"]["overrides"][0]["widths"] = {32};
  json["pe"]["latency"]["convert"] = lanes;
  parsed = Overlay::parse(json.dump(), "f.json");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().str(),
            "f.json: /grid/overrides/0/every/convert: found " + std::to_string(lanes) +
                " with a latency of " + std::to_string(lanes) +
                ", needed is /pe/latency/convert of at least " + std::to_string(lanes + 1) +
                " (the lanes begin one after the other)");
  json["pe"]["latency"]["convert"] = lanes + 1;
  EXPECT_TRUE(Overlay::parse(json.dump(), "f.json"));
  EXPECT_EQ(errorWith("/grid/default/every", {{"divide", 3}}),
            "f.json: /grid/default/every/divide: found 3, allowed is a power of two from 1 to 64");
  EXPECT_EQ(errorWith("/grid/default/every", {{"float", 2}}),
            "f.json: /grid/default/every/float: unknown field, allowed are convert, divide");
}

TEST(Overlay, OverridesNameTheirElement) {
  EXPECT_EQ(errorWith("/grid/overrides/0/pes/1", 4),
            "f.json: /grid/overrides/0/pes/1: found 4, allowed is a PE number from 0 to 3");
  EXPECT_EQ(errorWith("/grid/overrides/0/pes", Json::array()),
            "f.json: /grid/overrides/0/pes: found no PE, needed is at least one");
  EXPECT_EQ(errorWith("/grid/overrides/1", 5),
            "f.json: /grid/overrides/1: found 5, allowed is an object");
  EXPECT_NE(errorWith("/grid/default/units", Json::array({"integer", "integer"})), "no error");
}

TEST(Overlay, SizesMustFitTogether) {
  Json json = good();
  json["pe"]["lanes"] = 16;
  json["vrf"]["beats"] = 8192;
  EXPECT_EQ(errorOf(json), "f.json: /vrf/beats: found 8192 beats of 16 lanes, allowed are at most "
                           "4096 (vector registers of 65536 bits)");
  json = good();
  json["pe"]["lanes"] = 2;
  EXPECT_EQ(errorOf(json), "f.json: /pe/lanes: found 2, needed are 4 where a PE has elements of 64 "
                           "bits (a beat is two of them); /grid/default/widths [32] and no other "
                           "widths in /grid/overrides leave them out");
  json["grid"]["default"]["widths"] = {32};
  EXPECT_EQ(errorOf(json), "no error");
  json["grid"]["overrides"][1]["widths"] = {32, 64};
  EXPECT_NE(errorOf(json), "no error");
  EXPECT_EQ(errorWith("/memory/bytes", 8193),
            "f.json: /memory/bytes: found 8193, allowed is a multiple of banks * interleaveBytes "
            "= 8192");
  json = good();
  json["grid"]["default"]["vrf"] = false;
  EXPECT_EQ(errorOf(json),
            "f.json: /grid: found no PE with a vector register file, needed is at least one");
}

TEST(Overlay, FilesThatCannotBeReadAreErrors) {
  std::string error = Overlay::load("/no/such.json").error().str();
  EXPECT_EQ(error.find("/no/such.json: cannot open the overlay description: No such file or "
                       "directory; shipped are "),
            0u)
      << error;
  EXPECT_NE(error.find(", mesh4x4.json, "), std::string::npos) << error;
  EXPECT_FALSE(Overlay::load(pathOf(".")));
}

TEST(Overlay, ShippedDescriptionsNeedNoFile) {
  unsigned found = 0;
  std::ifstream readme(pathOf("README.md"));
  std::string text{std::istreambuf_iterator<char>(readme), {}};
  for (const auto &entry : std::filesystem::directory_iterator(pathOf("."))) {
    std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".json" || name == "overlay.schema.json")
      continue;
    Result<Overlay> overlay = Overlay::load(name);
    ASSERT_TRUE(overlay) << overlay.error().str();
    EXPECT_EQ(overlay->name + ".json", name);
    EXPECT_EQ(overlay->fingerprint(), loaded(name).fingerprint());
    EXPECT_NE(text.find("`" + name + "`"), std::string::npos) << name << " is not in README.md";
    ++found;
  }
  EXPECT_GE(found, 20u);
}

TEST(Overlay, OneCycleMeshesHaveMemoryOnTheLeftOrEverywhere) {
  Overlay all = loaded("mesh4x4-onecycle.json"), left = loaded("mesh4x4-onecycle-left.json");
  for (const Overlay *overlay : {&all, &left}) {
    EXPECT_EQ(overlay->latency, (std::array<unsigned, NumUnitClasses>{1, 1, 1, 1}));
    EXPECT_EQ(overlay->numPes(), 16u);
    for (unsigned pe = 0; pe < 16; ++pe) {
      bool has = overlay == &all || pe % 4 == 0;
      EXPECT_EQ(overlay->pes[pe].memory, has) << pe;
      EXPECT_EQ(overlay->pes[pe].vrf, has) << pe;
    }
  }
}

TEST(Overlay, FingerprintFollowsWhatABinaryDependsOn) {
  Overlay base = loaded("u280-full.json");
  std::set<uint64_t> seen{base.fingerprint()};
  auto changes = [&](auto change) {
    Overlay other = base;
    change(other);
    return seen.insert(other.fingerprint()).second;
  };
  EXPECT_TRUE(changes([](Overlay &o) { o.lanes = 8; }));
  EXPECT_TRUE(changes([](Overlay &o) { o.vrfBeats = 2048; }));
  EXPECT_TRUE(changes([](Overlay &o) { o.routeRegs = 7; }));
  EXPECT_TRUE(changes([](Overlay &o) { o.operandDelay = 32; }));
  EXPECT_TRUE(changes([](Overlay &o) { o.latency[3] = 58; }));
  EXPECT_TRUE(changes([](Overlay &o) { o.pes[5].units[3] = false; }));
  EXPECT_TRUE(changes([](Overlay &o) { o.pes[6].memory = false; }));
  for (Extras extra : {extra::Wide, extra::Fused, extra::Gather, extra::Moves})
    EXPECT_TRUE(changes([extra](Overlay &o) { o.pes[5].extras &= ~extra; }));
  EXPECT_TRUE(changes([](Overlay &o) { o.interlocks = 8; }));
  EXPECT_TRUE(changes([](Overlay &o) { o.pes[5].every[3] = 2; }));
  EXPECT_TRUE(changes([](Overlay &o) { o.arguments = 8; }));
  EXPECT_TRUE(changes([](Overlay &o) { o.stages = 64; }));
  EXPECT_FALSE(changes([](Overlay &o) { o.vrfCopies = true; }));
  EXPECT_FALSE(changes([](Overlay &o) { o.contextRam = Ram::Block; }));
  EXPECT_TRUE(changes([](Overlay &o) { o.topology = Topology::Mesh; }));
  EXPECT_TRUE(changes([](Overlay &o) { o.contextSlots = 32; }));
  EXPECT_FALSE(changes([](Overlay &o) { o.name = "other"; }));
  EXPECT_FALSE(changes([](Overlay &o) { o.clockMhz = 300; }));
  EXPECT_FALSE(changes([](Overlay &o) { o.memReadLatency = 1; }));
}

} // namespace
