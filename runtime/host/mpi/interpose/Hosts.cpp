// See Hosts.h.
#include "runtime/host/mpi/interpose/Hosts.h"

#include "runtime/host/mpi/interpose/Process.h"

#include <mpi.h>

#include <numeric>
#include <string>
#include <string_view>
#include <unistd.h>

namespace acis::mpi {
namespace {

std::vector<uint32_t> asked(int rank, int size) {
  MPI_Comm here = MPI_COMM_NULL;
  PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &here);
  uint32_t lowest = uint32_t(rank);
  PMPI_Bcast(&lowest, 1, MPI_UINT32_T, 0, here);
  PMPI_Comm_free(&here);
  std::vector<uint32_t> hosts(size);
  PMPI_Allgather(&lowest, 1, MPI_UINT32_T, hosts.data(), 1, MPI_UINT32_T, MPI_COMM_WORLD);
  return hosts;
}

/// Of one that is written without its domain it is the first label.
bool isSameHost(std::string_view one, std::string_view other) {
  const size_t dot = one.find('.'), otherDot = other.find('.');
  if (dot != std::string_view::npos && otherDot != std::string_view::npos)
    return one == other;
  return one.substr(0, dot) == other.substr(0, otherDot);
}

std::string ownHost() {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

Result<uint16_t> leafOf(std::string_view host, const Settings &settings) {
  std::string known;
  for (const auto &[name, leaf] : settings.leafOfHost) {
    if (isSameHost(name, host))
      return leaf;
    known += (known.empty() ? "" : ", ") + name;
  }
  return Error{"ACIS_HOST_LEAVES", "names no switch for this host, '" + std::string(host) +
                                       "'; it has " + (known.empty() ? "none" : known)};
}

} // namespace

Status findLeaves(Settings &settings, int size) {
  const Result<uint16_t> own = leafOf(ownHost(), settings);
  const uint16_t leaf = own ? *own : SessionOptions::NoSwitch;
  std::vector<uint16_t> &all = settings.session.leafOfRank;
  all.assign(size_t(size), SessionOptions::NoSwitch);
  PMPI_Allgather(&leaf, 1, MPI_UINT16_T, all.data(), 1, MPI_UINT16_T, MPI_COMM_WORLD);
  return own ? Status() : own.error();
}

Result<std::vector<uint32_t>> hostsOfWorld(const Settings &settings, int rank, int size) {
  auto placement = int(settings.placement);
  PMPI_Bcast(&placement, 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::vector<uint32_t> hosts(size);
  switch (Placement(placement)) {
  case Placement::Asked:
    return asked(rank, size);
  case Placement::Apart:
    std::iota(hosts.begin(), hosts.end(), 0);
    return hosts;
  case Placement::Listed:
    break;
  }
  auto listed = int(settings.hostOfRank.size());
  PMPI_Bcast(&listed, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (listed != size)
    return Error{"ACIS_PLACEMENT", "has " + std::to_string(listed) + " numbers for " +
                                       std::to_string(size) +
                                       " ranks; write apart, or one for each"};
  if (rank == 0)
    hosts = settings.hostOfRank;
  PMPI_Bcast(hosts.data(), size, MPI_UINT32_T, 0, MPI_COMM_WORLD);
  return hosts;
}

std::vector<uint32_t> hostsOf(std::span<const int> ranks) {
  std::vector<uint32_t> hosts;
  for (int rank : ranks)
    hosts.push_back(process().hostOfRank[size_t(rank)]);
  return hosts;
}

} // namespace acis::mpi
