// Lists and files of hosts, as users and schedulers write them, and what is none.
#include "runtime/host/acis-mpirun/Hosts.h"

#include "gtest/gtest.h"

namespace {

using namespace acis;
using namespace acis::tools;

std::string list(std::string_view text) {
  Result<std::vector<Host>> hosts = parseHosts(text);
  return hosts ? hostList(*hosts) : "error: " + hosts.error().str();
}

std::string file(std::string_view text) {
  Result<std::vector<Host>> hosts = parseHostFile(text);
  return hosts ? hostList(*hosts) : "error: " + hosts.error().str();
}

TEST(Hosts, ListsAndFiles) {
  EXPECT_EQ(list("node0:2,node1"), "node0:2,node1:1");
  EXPECT_EQ(list("a, b:3"), "a:1,b:3");
  EXPECT_EQ(list("10.77.0.10:4"), "10.77.0.10:4");
  EXPECT_EQ(file("node0:2\nnode1 slots=4\n"), "node0:2,node1:4");
  EXPECT_EQ(file("# rack 1\n\n  n0\t slots=2  # two\r\nn1"), "n0:2,n1:1");
}

TEST(Hosts, WhatIsNone) {
  for (const char *text : {"", "a,,b", "a:", "a:0", "a:x", "a:-1", "a:2x", "a b", "-launcher",
                           "a=1", "a:99999999999", "$(true)"})
    EXPECT_TRUE(list(text).starts_with("error: ")) << text;
  EXPECT_EQ(file("a\nb slot=2\n"),
            "error: 2: 'b slot=2' is no host; write node0, node0:2 or node0 slots=2");
  EXPECT_EQ(file("# none\n"), "error: names no host; write one a line, as node0:2");
}

} // namespace
