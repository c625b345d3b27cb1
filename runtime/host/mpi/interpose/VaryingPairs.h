// Non-blocking collectives with a block of its own length for each pair of ranks, of which nobody
// may ask the others: Igatherv, Iscatterv, Ialltoallv, Ialltoallw.
//
// Both ends of a block know its length. The switch does the plain collective with blocks of one
// length that all know, ShortBlock and eight bytes that say how many are in it; what is longer goes
// from one end to the other by the MPI underneath, which goes on with it in whatever call the
// program waits. So all is begun in the call, and nobody has to be waited for to begin the rest.
#pragma once

#include "runtime/host/mpi/interpose/PairGroup.h"
#include "runtime/host/mpi/interpose/Varying.h"
#include "runtime/host/mpi/interpose/Work.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace acis::mpi {

/// Most bytes of a block that the switch carries.
constexpr uint64_t ShortBlock = 256;
/// What the switch moves for each block.
constexpr uint64_t PairedBlock = ShortBlock + sizeof(uint64_t);

class PairedWork final : public Pending {
public:
  /// Begins what goes by MPI; error() says whether that was possible. Requires communicator.pairs.
  PairedWork(const VaryingArguments &given, VaryingCall read, Communicator &communicator);
  ~PairedWork() override;

  const char *name() const override { return given.name; }
  bool isDone() override;
  int finish() override;
  int error() const { return code; }

  Collective collective;

private:
  /// A block that is longer than ShortBlock, as bytes: in the program's memory, or in a copy.
  struct Long {
    uint8_t *at = nullptr;
    std::unique_ptr<uint8_t[]> copy;
    std::vector<MPI_Request> requests; ///< of its pieces
    bool isCalledOff = false;          ///< the other end has sent less, by the switch
  };

  void giveAll(bool isInPlace);
  void takeAll();
  int exchange(Long &block, uint64_t bytes, int peer, bool sends);
  void compare();
  void callOff(Long &block);
  int peerOf(const std::vector<Message> &blocks, size_t block) const;
  uint64_t said(size_t block) const;

  const Arguments given;
  Communicator &communicator;
  VaryingCall read;
  std::vector<uint8_t> sent, received;
  std::map<size_t, Long> gives, takes; ///< by block
  std::vector<Long> unwanted;          ///< that were sent, and have no room
  std::unique_ptr<uint8_t[]> own;      ///< what this rank gives itself, if it is long
  std::vector<MPI_Datatype> types;
  bool isCompared = false;
  int code = MPI_SUCCESS; ///< of MPI, while it was begun
  std::string problem;    ///< that finish() says: what the other ends gave, "": nothing wrong
};

} // namespace acis::mpi
