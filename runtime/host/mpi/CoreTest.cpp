// The environment and the summary of libacis-mpi.
#include "runtime/host/mpi/Pace.h"
#include "runtime/host/mpi/Settings.h"
#include "runtime/host/mpi/Summary.h"

#include <gtest/gtest.h>

#include <map>

using namespace acis;
using namespace acis::mpi;

namespace {

Result<Settings> read(const std::map<std::string, std::string> &variables) {
  return readSettings([&](const char *name) -> const char * {
    auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(Settings, defaultsOffloadEverything) {
  Result<Settings> settings = read({});
  ASSERT_TRUE(settings);
  EXPECT_TRUE(settings->endpoint.address.empty());
  for (unsigned k = 0; k < NumKinds; ++k)
    EXPECT_TRUE(settings->policy.offloads(Kind(k)));
  EXPECT_TRUE(settings->why.empty());
}

TEST(Settings, readsEveryVariable) {
  Result<Settings> settings = read({{"ACIS_SWITCH", "127.0.0.1:9000"},
                                    {"ACIS_JOB", "7"},
                                    {"ACIS_KEY", "00112233445566778899aabbccddeeff"},
                                    {"ACIS_MAX_BYTES", "4096"},
                                    {"ACIS_FUSED_BYTES", "77"},
                                    {"ACIS_MOVE_BYTES", "1000"},
                                    {"ACIS_SPIN_US", "12.5"},
                                    {"ACIS_TIMEOUT", "2.5"},
                                    {"ACIS_DEAD_AFTER", "3"},
                                    {"ACIS_LEAVES", "0,0,1"},
                                    {"ACIS_PARENTS", "2,2,-"},
                                    {"ACIS_OPERATORS", "f=a.acis,g=b.acis:h"},
                                    {"ACIS_JOIN", "use"},
                                    {"ACIS_PLACEMENT", "0,0,7"},
                                    {"ACIS_COSTS", "costs.json"},
                                    {"ACIS_WHY", "report.txt"},
                                    {"ACIS_REQUIRE", "1"},
                                    {"ACIS_FAULTS", "loss=0.1,delay=0.5,seed=9"}});
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->endpoint.address, "127.0.0.1:9000");
  EXPECT_EQ(settings->endpoint.job, 7u);
  EXPECT_EQ(settings->policy.maxBytes, 4096u);
  EXPECT_EQ(settings->policy.fusedBytes, 77u);
  EXPECT_EQ(settings->policy.moveBytes, 1000u);
  EXPECT_EQ(settings->session.spin, Nanoseconds(12500));
  EXPECT_EQ(settings->timeout, std::chrono::milliseconds(2500));
  EXPECT_EQ(settings->session.deadAfter, std::chrono::seconds(3));
  EXPECT_EQ(settings->session.openTimeout, std::chrono::seconds(10));
  EXPECT_EQ(settings->session.leafOfRank, (std::vector<uint16_t>{0, 0, 1}));
  EXPECT_EQ(settings->session.parentOfSwitch,
            (std::vector<uint16_t>{2, 2, SessionOptions::NoSwitch}));
  ASSERT_EQ(settings->operators.size(), 2u);
  EXPECT_EQ(settings->operators[0].handler, "");
  EXPECT_EQ(settings->operators[1].function, "g");
  EXPECT_EQ(settings->operators[1].path, "b.acis");
  EXPECT_EQ(settings->operators[1].handler, "h");
  EXPECT_EQ(settings->joins, Joins::AtUse);
  EXPECT_EQ(settings->placement, Placement::Listed);
  EXPECT_EQ(settings->hostOfRank, (std::vector<uint32_t>{0, 0, 7}));
  EXPECT_TRUE(settings->measuresCosts);
  EXPECT_EQ(settings->costsFile, "costs.json");
  EXPECT_EQ(settings->why, "report.txt");
  EXPECT_TRUE(settings->required);
  EXPECT_EQ(settings->session.faults.loss, 0.1);
  EXPECT_EQ(settings->session.faults.delay, 0.5);
  EXPECT_EQ(settings->session.faults.seed, 9u);
}

TEST(Settings, WhoMayBeSilentForLongMayAnswerLate) {
  Result<Settings> settings = read({{"ACIS_SWITCH", "127.0.0.1:9000"}, {"ACIS_DEAD_AFTER", "60"}});
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->session.openTimeout, std::chrono::seconds(60));
}

TEST(Settings, MeasuresCostsWhereHostsAreWhatMpiSays) {
  EXPECT_TRUE(read({})->measuresCosts);
  EXPECT_EQ(read({})->placement, Placement::Asked);
  EXPECT_FALSE(read({{"ACIS_PLACEMENT", "apart"}})->measuresCosts);
  EXPECT_EQ(read({{"ACIS_PLACEMENT", "apart"}})->placement, Placement::Apart);
  EXPECT_FALSE(read({{"ACIS_PLACEMENT", "0,1"}})->measuresCosts);
  EXPECT_TRUE(read({{"ACIS_PLACEMENT", "0,1"}, {"ACIS_COSTS", "measure"}})->measuresCosts);
  EXPECT_FALSE(read({{"ACIS_COSTS", "none"}})->measuresCosts);
  EXPECT_EQ(read({{"ACIS_COSTS", "none"}})->costsFile, "");
  const Result<Settings> byName = read({{"ACIS_HOST_LEAVES", "node0=0,node1.rack=3"}});
  EXPECT_TRUE(byName->policy.leavesByHost);
  EXPECT_EQ(byName->leafOfHost[1], std::pair(std::string("node1.rack"), uint16_t(3)));
  for (const char *bad : {"node0", "=1", "node0=", "node0=x", "node0=0,,"})
    EXPECT_FALSE(read({{"ACIS_HOST_LEAVES", bad}})) << bad;
  Result<Settings> wrong = read({{"ACIS_PLACEMENT", "0,b"}});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().str(),
            "ACIS_PLACEMENT: 'b' is not the number of a host; write apart, or one for each rank");
}

TEST(Costs, AreOnLinesBetweenSizes) {
  Costs costs;
  EXPECT_TRUE(costs.isEmpty());
  const auto way = Costs::Algorithm::Switch;
  EXPECT_FALSE(costs.of(Kind::Bcast, way, 8));
  costs.set(Kind::Bcast, way, 0, 10);
  EXPECT_FALSE(costs.isEmpty());
  EXPECT_EQ(costs.of(Kind::Bcast, way, 0), 10);
  EXPECT_EQ(costs.of(Kind::Bcast, way, 8), 10);
  EXPECT_FALSE(costs.of(Kind::Bcast, way, 9)); // nothing says how it grows
  costs.set(Kind::Bcast, way, 1, 20);
  costs.set(Kind::Bcast, way, 2, 80);
  EXPECT_EQ(costs.of(Kind::Bcast, way, 8 + (4096 - 8) / 2), 15);
  EXPECT_EQ(costs.of(Kind::Bcast, way, 65'536), 80);
  EXPECT_EQ(costs.of(Kind::Bcast, way, 2 * 65'536 - 4096), 140);
  costs.set(Kind::Bcast, way, 2, 5); // noise: no call gets shorter with its length
  EXPECT_EQ(costs.of(Kind::Bcast, way, 1 << 20), 20);
}

TEST(Costs, ChooseTheCheapestWayOrTheLast) {
  using enum algorithms::Algorithm;
  Costs costs;
  const std::array all = {Library, Switch, Nodes};
  EXPECT_EQ(costs.cheapest(Kind::Allreduce, 8, all), Nodes);
  costs.set(Kind::Allreduce, Library, 0, 30);
  costs.set(Kind::Allreduce, Switch, 0, 20);
  EXPECT_EQ(costs.cheapest(Kind::Allreduce, 8, all), Nodes); // not known
  EXPECT_EQ(costs.cheapest(Kind::Allreduce, 8, std::array{Library, Switch}), Switch);
  costs.set(Kind::Allreduce, Nodes, 0, 25);
  EXPECT_EQ(costs.cheapest(Kind::Allreduce, 8, all), Switch);
  costs.set(Kind::Allreduce, Library, 0, 1);
  EXPECT_EQ(costs.cheapest(Kind::Allreduce, 8, all), Library);
  // Longer ones were not measured: what is best below is done.
  EXPECT_EQ(costs.cheapest(Kind::Allreduce, 4096, all), Library);
  costs.set(Kind::Allreduce, Library, 1, 90);
  costs.set(Kind::Allreduce, Switch, 1, 50);
  EXPECT_EQ(costs.cheapest(Kind::Allreduce, 4096, all), Library); // of one it is not known
  costs.set(Kind::Allreduce, Nodes, 1, 60);
  EXPECT_EQ(costs.cheapest(Kind::Allreduce, 4096, all), Switch);
  EXPECT_EQ(costs.cheapest(Kind::Allreduce, 1 << 20, all), Switch);
}

// Slices of a wait that ends after `takes`, each of whose looks comes `late`.
unsigned looks(Pace &pace, Pace::Time takes, Pace::Time late) {
  unsigned count = 0;
  Pace::Time now{};
  for (Pace::Time slice = pace.first(); now + slice < takes; slice = pace.after(slice)) {
    pace.ended(slice, slice + late);
    now += slice + late;
    ++count;
  }
  return count;
}

TEST(Pace, LooksLessOftenWhereARankIsWokenLate) {
  using namespace std::chrono_literals;
  Pace pace;
  EXPECT_EQ(pace.first(), 200us);
  EXPECT_EQ(looks(pace, 100ms, 50us), 51u); // 200, 400, 800, 1600 us, then each 2 ms
  for (int wait = 0; wait < 10; ++wait)
    (void)looks(pace, 100ms, 20ms);
  EXPECT_GT(pace.first(), 2ms); // as is the longest
  EXPECT_LE(looks(pace, 100ms, 20ms), 4u);
  for (int wait = 0; wait < 10; ++wait)
    (void)looks(pace, 100ms, 50us);
  EXPECT_EQ(pace.first(), 200us);
  EXPECT_EQ(looks(pace, 100ms, 50us), 51u);
}

// A form that was not measured costs what the plain one does.
TEST(Costs, FormsHaveTheirOwn) {
  const auto Library = Costs::Algorithm::Library, Switch = Costs::Algorithm::Switch;
  const std::array both = {Library, Switch};
  Costs costs;
  costs.set(Kind::Gather, Library, 0, 10);
  costs.set(Kind::Gather, Switch, 0, 20);
  for (const Form form : {Form::Plain, Form::Varying, Form::Paired, Form::Lasting})
    EXPECT_EQ(costs.cheapest(Kind::Gather, 0, both, form), Library);
  costs.set(Kind::Gather, Form::Varying, Library, 0, 30);
  costs.set(Kind::Gather, Form::Varying, Switch, 0, 40); // asks first
  EXPECT_EQ(costs.cheapest(Kind::Gather, 0, both, Form::Varying), Library);
  EXPECT_EQ(costs.cheapest(Kind::Gather, 0, both, Form::Lasting), Switch); // was asked before
  EXPECT_EQ(costs.cheapest(Kind::Gather, 0, both), Library);
  EXPECT_EQ(costs.of(Kind::Gather, Library, 8, Form::Lasting), 30);
  EXPECT_EQ(costs.of(Kind::Gather, Switch, 8, Form::Lasting), 20);
  costs.set(Kind::Gather, Form::Paired, Library, 0, 5);
  costs.set(Kind::Gather, Form::Paired, Switch, 0, 4);
  for (const uint64_t bytes : {0, 264, 1 << 20}) // of all lengths
    EXPECT_EQ(costs.cheapest(Kind::Gather, bytes, both, Form::Paired), Switch);
  EXPECT_TRUE(Costs::has(Kind::Allgather, Form::Varying));
  EXPECT_FALSE(Costs::has(Kind::Allgather, Form::Paired)); // its ranks know all lengths
  EXPECT_FALSE(Costs::has(Kind::Bcast, Form::Varying));
}

TEST(Costs, AreReadAsTheyAreWritten) {
  Costs costs;
  costs.set(Kind::Gather, Form::Paired, Costs::Algorithm::Switch, 0, 3);
  costs.set(Kind::Alltoall, Form::Varying, Costs::Algorithm::Library, 0, 4.5);
  costs.set(Kind::Allreduce, Costs::Algorithm::Nodes, 0, 1.5);
  costs.set(Kind::Allreduce, Costs::Algorithm::Nodes, 1, 2.25);
  costs.set(Kind::Barrier, Costs::Algorithm::Library, 0, 7);
  Result<Costs> read = Costs::parse(costs.json());
  ASSERT_TRUE(read) << read.error().str();
  EXPECT_EQ(read->json(), costs.json());
  EXPECT_EQ(read->of(Kind::Allreduce, Costs::Algorithm::Nodes, 4096), 2.25);
  EXPECT_NE(costs.json().find("\"igatherv\""), std::string::npos);
  EXPECT_NE(costs.json().find("\"alltoallv\""), std::string::npos);
  auto errorOf = [](const char *text) { return Costs::parse(text).error().str(); };
  EXPECT_EQ(errorOf(R"({"bcastv": {}})"), "/: 'bcastv' is not known here; did you mean 'bcast'?");
  EXPECT_EQ(errorOf("["), "is no JSON object");
  EXPECT_EQ(errorOf(R"({"bcats": {}})"), "/: 'bcats' is not known here; did you mean 'bcast'?");
  EXPECT_EQ(errorOf(R"({"bcast": {"nods": []}})"),
            "/bcast: 'nods' is not known here; did you mean 'nodes'?");
  EXPECT_EQ(errorOf(R"({"bcast": []})"), "/bcast: is no JSON object");
  EXPECT_EQ(errorOf(R"({"bcast": {"nodes": [1, -2]}})"),
            "/bcast/nodes/1: is no number above 0, microseconds");
  EXPECT_EQ(errorOf(R"({"bcast": {"nodes": [1, 2, 3, 4]}})"),
            "/bcast/nodes: is no list of at most 3 numbers, microseconds");
}

TEST(Policy, CountsWhatTheSwitchWouldCarry) {
  Policy policy;
  policy.moveBytes = 1000;
  EXPECT_FALSE(policy.movesTooMuch(Kind::Gather, 125, 4));
  EXPECT_TRUE(policy.movesTooMuch(Kind::Gather, 126, 4));
  EXPECT_FALSE(policy.movesTooMuch(Kind::Scatter, 125, 4));
  EXPECT_FALSE(policy.movesTooMuch(Kind::Allgather, 50, 4));
  EXPECT_TRUE(policy.movesTooMuch(Kind::Allgather, 51, 4));
  EXPECT_FALSE(policy.movesTooMuch(Kind::Alltoall, 31, 4));
  EXPECT_TRUE(policy.movesTooMuch(Kind::Alltoall, 32, 4));
  EXPECT_TRUE(policy.movesTooMuch(Kind::Alltoall, UINT64_MAX, 65536));
  // What is folded, or the same for all, gets less in the switch.
  EXPECT_FALSE(policy.movesTooMuch(Kind::Allreduce, 1 << 30, 4));
  EXPECT_FALSE(policy.movesTooMuch(Kind::Bcast, 1 << 30, 4));
}

TEST(Settings, ReadsWhichAlgorithmIsForWhat) {
  using enum algorithms::Algorithm;
  Result<Settings> settings =
      read({{"ACIS_ALGORITHM", "hosts,allreduce:ring,allreduce:torus@1000,scan:library"}});
  ASSERT_TRUE(settings);
  const Policy &policy = settings->policy;
  EXPECT_EQ(policy.algorithmFor(Kind::Bcast, 8), Hosts);
  EXPECT_EQ(policy.algorithmFor(Kind::Allreduce, 999), Ring);
  EXPECT_EQ(policy.algorithmFor(Kind::Allreduce, 1000), Torus);
  EXPECT_EQ(policy.algorithmFor(Kind::Scan, 8), Library);
  EXPECT_EQ(Policy().algorithmFor(Kind::Scan, 8), Automatic);
  // A name alone is for the kinds that have it.
  settings = read({{"ACIS_ALGORITHM", "ring"}});
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->policy.algorithmFor(Kind::Allgather, 8), Ring);
  EXPECT_EQ(settings->policy.algorithmFor(Kind::Gather, 8), Automatic);
  for (auto [text, problem] : {std::pair("gather:ring", "gather has auto, hosts, switch, library, "
                                                        "binomial"),
                               std::pair("rings", "did you mean 'ring'"),
                               std::pair("allreduc:ring", "did you mean 'allreduce'"),
                               std::pair("bcast:ring@", "a number of bytes"),
                               std::pair("bcast:ring@1k", "a number of bytes")}) {
    settings = read({{"ACIS_ALGORITHM", text}});
    ASSERT_FALSE(settings) << text;
    EXPECT_NE(settings.error().str().find(problem), std::string::npos) << settings.error().str();
  }
  std::string many = "auto";
  for (int i = 0; i < 6; ++i)
    many += ",auto";
  settings = read({{"ACIS_ALGORITHM", many}});
  ASSERT_FALSE(settings);
  EXPECT_NE(settings.error().what.find("more than 64 rules"), std::string::npos);
}

TEST(Settings, findsTheLeafOfARank) {
  Result<Settings> one = read({{"ACIS_SWITCH", "10.0.0.1:1"}});
  ASSERT_TRUE(one && endpointOf(*one, 5));
  EXPECT_EQ(endpointOf(*one, 5)->address, "10.0.0.1:1");
  Result<Settings> tree = read({{"ACIS_SWITCH", "a:1,b:2,c:3"}, {"ACIS_LEAVES", "0,2"}});
  ASSERT_TRUE(tree && endpointOf(*tree, 1));
  EXPECT_EQ(endpointOf(*tree, 1)->address, "c:3");
  EXPECT_FALSE(endpointOf(*tree, 2)); // no leaf is named for it
}

TEST(Settings, choosesCollectives) {
  Result<Settings> two = read({{"ACIS_OFFLOAD", "allreduce,bcast"}});
  ASSERT_TRUE(two);
  EXPECT_EQ(two->policy.kinds, 1u << unsigned(Kind::Allreduce) | 1u << unsigned(Kind::Bcast));
  Result<Settings> without = read({{"ACIS_OFFLOAD", "-alltoall"}});
  ASSERT_TRUE(without);
  EXPECT_FALSE(without->policy.offloads(Kind::Alltoall));
  EXPECT_TRUE(without->policy.offloads(Kind::Scan));
  Result<Settings> none = read({{"ACIS_OFFLOAD", "none"}});
  ASSERT_TRUE(none);
  EXPECT_EQ(none->policy.kinds, 0u);
}

TEST(Settings, refusesWithTheVariableAndAWayOut) {
  const std::pair<std::map<std::string, std::string>, std::string> cases[] = {
      {{{"ACIS_JOB", "many"}}, "ACIS_JOB: 'many' is not a number"},
      {{{"ACIS_JOIN", "late"}}, "ACIS_JOIN: 'late' is not creation or use"},
      {{{"ACIS_TIMEOUT", "0"}}, "ACIS_TIMEOUT: '0' is not a number"},
      {{{"ACIS_TIMEOUT", "nan"}}, "ACIS_TIMEOUT: 'nan' is not a number"},
      {{{"ACIS_OFFLOAD", "allreduse"}}, "did you mean 'allreduce'?"},
      {{{"ACIS_FAULTS", "loss=2"}}, "ACIS_FAULTS: 'loss=2' is not"},
      {{{"ACIS_FAULTS", "rain=0.1"}}, "ACIS_FAULTS: 'rain=0.1' is not"},
      {{{"ACIS_LEAVES", "0,x"}}, "ACIS_LEAVES: 'x' is not"},
      {{{"ACIS_OPERATORS", "f"}}, "ACIS_OPERATORS: 'f' is not function=file"},
  };
  for (const auto &[variables, message] : cases) {
    Result<Settings> settings = read(variables);
    ASSERT_FALSE(settings) << message;
    EXPECT_NE(settings.error().str().find(message), std::string::npos) << settings.error().str();
  }
}

int somewhere; // an address of this program

TEST(Summary, mergesRanksByPlaceAndCountsWhatWasServed) {
  Summary ranks[2];
  for (Summary &rank : ranks) {
    rank.count("MPI_Allreduce", &somewhere, Reason::Offloaded, 8);
    rank.count("MPI_Allreduce", &somewhere, Reason::Offloaded, 8);
    rank.count("MPI_Gatherv", &somewhere, Reason::CountsDiffer, 0);
  }
  Summary all;
  for (Summary &rank : ranks)
    all.merge(rank.serialize());
  std::string report = all.report(2, {12, 3456, 1});
  EXPECT_NE(report.find("sent 12 packets, 3456 bytes; 1 messages were repeated"), std::string::npos)
      << report;
  EXPECT_NE(report.find("4 of 6 collective calls of 2 ranks offloaded"), std::string::npos)
      << report;
  EXPECT_NE(report.find("         4             32  MPI_Allreduce"), std::string::npos) << report;
  EXPECT_NE(report.find("counts that only some ranks know"), std::string::npos) << report;
  EXPECT_NE(report.find("MpiCoreTest+0x"), std::string::npos) << report;
}

TEST(Summary, saysWhatCallsTookAndWhichAreCountedTwice) {
  Summary ranks[2];
  for (Summary &rank : ranks) {
    rank.count("ACIS_Ifused", &somewhere, Reason::Offloaded, 100, "a \"b\".c:7");
    rank.spend("ACIS_Ifused", &somewhere, Reason::Offloaded,
               {{3, 120}, {8, 64}, std::chrono::microseconds(5), 70});
    rank.count("ACIS_Ifused", &somewhere, Reason::NoBinary, 0, "a.c:9");
    rank.count("MPI_Allreduce", &somewhere, Reason::NoSwitch, 8);
    rank.count("ACIS_Isemifused", &somewhere, Reason::OpByHost, 8, "a.c:11");
  }
  Summary all;
  for (Summary &rank : ranks)
    all.merge(rank.serialize());
  const std::string json = all.json(2);
  for (const char *part :
       {"\"calls\": 6,", "\"offloaded\": 2,", "\"place\": \"a \\\"b\\\".c:7\"",
        "\"served_by\": \"switch\"", "\"served_by\": \"collectives\"", "\"served_by\": \"mpi\"",
        "\"us\": 10.0", "\"packets\": 6", "\"packet_bytes\": 240", "\"plain_messages\": 16",
        "\"plain_bytes\": 128", "\"op_cycles\": 140"})
    EXPECT_NE(json.find(part), std::string::npos) << part << " in " << json;
  EXPECT_NE(all.report(2).find("2 of 6 collective calls"), std::string::npos);
  EXPECT_NE(all.report(2).find(", a.c:9\n"), std::string::npos) << all.report(2);
}

TEST(Summary, ignoresLinesThatItDidNotWrite) {
  Summary all;
  all.merge("site\tMPI_Bcast\t99\t1\t1\nsite\tMPI_Bcast\t0\t1\t1\nbroken");
  EXPECT_NE(all.report(1).find("1 of 1 "), std::string::npos) << all.report(1);
}

TEST(Summary, hasWordsForEveryReason) {
  for (unsigned r = 0; r < NumReasons; ++r)
    EXPECT_NE(wordsOf(Reason(r)), "?");
}

} // namespace
