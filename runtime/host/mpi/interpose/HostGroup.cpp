// See HostGroup.h.
#include "runtime/host/mpi/interpose/HostGroup.h"

#include "runtime/host/mpi/interpose/Process.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace acis::mpi {
namespace {

/// Numbers of the switches of the members; nothing where there is only one.
std::vector<uint16_t> switchesOf(std::span<const int> world) {
  const std::vector<uint16_t> &leafOfRank = process().settings.session.leafOfRank;
  if (leafOfRank.empty())
    return {};
  std::vector<uint16_t> switches;
  for (int rank : world)
    switches.push_back(size_t(rank) < leafOfRank.size() ? leafOfRank[rank] : 0);
  return switches;
}

} // namespace

HostGroup::~HostGroup() {
  if (comm != MPI_COMM_NULL)
    PMPI_Comm_free(&comm);
}

std::unique_ptr<HostGroup> makeHostGroup(MPI_Comm comm, std::span<const int> world) {
  if (!process().settings.policy.mayUseHosts())
    return nullptr;
  auto hosts = std::make_unique<HostGroup>();
  const auto size = uint32_t(world.size());
  hosts->group.size = size;
  hosts->rankAt.resize(size);
  std::iota(hosts->rankAt.begin(), hosts->rankAt.end(), 0);
  const std::vector<uint16_t> switches = switchesOf(world);
  std::map<uint16_t, uint32_t> perSwitch;
  for (uint16_t number : switches)
    ++perSwitch[number];
  if (perSwitch.size() > 1) {
    std::sort(hosts->rankAt.begin(), hosts->rankAt.end(), [&](uint32_t a, uint32_t b) {
      return std::pair(switches[a], a) < std::pair(switches[b], b);
    });
    if (std::all_of(perSwitch.begin(), perSwitch.end(),
                    [&](const auto &each) { return each.second == perSwitch.begin()->second; }))
      hosts->group.rows = uint32_t(perSwitch.size());
  }
  hosts->positionOf.resize(size);
  for (uint32_t position = 0; position < size; ++position)
    hosts->positionOf[hosts->rankAt[position]] = position;
  // Not a duplicate, which would copy the program's attributes.
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  if (PMPI_Comm_split(comm, 0, rank, &hosts->comm) != MPI_SUCCESS)
    return nullptr;
  return hosts;
}

} // namespace acis::mpi
