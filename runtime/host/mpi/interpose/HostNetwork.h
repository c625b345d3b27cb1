// Messages between the members of a communicator for the collectives that hosts do, through the
// MPI underneath: with a deadline, after which who has not come is found out and named.
#pragma once

#include "runtime/host/algorithms/Run.h"

#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace acis::mpi {

class HostNetwork final : public algorithms::PointToPoint {
public:
  using Clock = std::chrono::steady_clock;

  /// `comm`: only for messages of this class. `ranks[p]`: its rank for position p. `sequence`:
  /// collectives before this one on it.
  HostNetwork(MPI_Comm comm, const std::vector<uint32_t> &ranks, uint32_t sequence,
              Clock::time_point end)
      : comm(comm), ranks(ranks), sequence(sequence), end(end) {}

  Status exchange(uint32_t to, std::span<const uint8_t> out, uint32_t from,
                  std::span<uint8_t> in) override;

  /// After an error: of MPI, or MPI_SUCCESS where the deadline has passed.
  int code() const { return error; }
  /// After the deadline: the rank in `comm` that all others wait for, as far as they say.
  int missing() const { return absent; }

private:
  /// What who gives up says to all: the collective, and the rank that it waits for.
  struct Notice {
    uint32_t sequence = 0;
    int32_t waitsFor = 0;
  };

  template <typename Bytes, typename Call> void start(Bytes bytes, Call call);
  bool complete();
  void giveUp(int waitsFor);

  MPI_Comm comm;
  const std::vector<uint32_t> &ranks;
  uint32_t sequence;
  Clock::time_point end;
  int error = MPI_SUCCESS, absent = -1;
  std::vector<MPI_Request> requests;
};

} // namespace acis::mpi
