// What the interposition tells of the program's calls (runtime/host/mpi/interpose/Observer.h): to
// the cluster, which lets computation take time and draws calls.
#include "runtime/host/mpi/interpose/Observer.h"

#include "runtime/sim/smpi/Cluster.h"

#include <simgrid/s4u/Engine.hpp>

namespace acis::mpi {
namespace {

double callBegan = 0; ///< of this rank, whose copy of the library this is

uint32_t worldRank() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return uint32_t(rank);
}

uint64_t bytesOf(const BufferArgument &buffer) {
  int size = 0;
  if (buffer.count <= 0 || buffer.type == MPI_DATATYPE_NULL ||
      PMPI_Type_size(buffer.type, &size) != MPI_SUCCESS)
    return 0;
  return uint64_t(buffer.count) * uint64_t(size);
}

/// Of one rank's block: what it gives, or in place, what it takes.
uint64_t bytesOf(const Arguments &call) {
  return call.send.at == MPI_IN_PLACE ? bytesOf(call.recv)
                                      : std::max(bytesOf(call.send), bytesOf(call.recv));
}

/// "switch", or "MPI: element type that the switch does not have".
std::string servedBy(Reason reason) {
  if (reason == Reason::Offloaded)
    return "switch";
  if (reason == Reason::NoSwitch)
    return "MPI";
  return (reason >= Reason::ByBinomial ? "hosts: " : "MPI: ") + std::string(wordsOf(reason));
}

} // namespace

void endOfWork(uint64_t step, const Arguments &call) {
  cluster::endOfWork(worldRank(), step, std::string(nameOf(call.kind)));
}

void callBegins() { callBegan = simgrid::s4u::Engine::get_clock(); }

void callEnds(const Arguments &call, Reason reason) {
  if (cluster::hasTimeline())
    cluster::drawCall(worldRank(), call.name, callBegan, bytesOf(call), servedBy(reason));
}

} // namespace acis::mpi
