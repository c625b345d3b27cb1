// Messages between the members of a communicator for the collectives that hosts do, through the
// MPI underneath: with a deadline, after which who has not come is found out and named.
#pragma once

#include "runtime/host/algorithms/Run.h"

#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace acis::mpi {

class HostNetwork final : public algorithms::PointToPoint {
public:
  using Clock = std::chrono::steady_clock;

  /// `comm`: only for messages of this class. `ranks[p]`: its rank for position p. `sequence`:
  /// collectives before this one on it. `watch`: asked now and then while a message does not come;
  /// its error ends the wait. With it nothing is said to others when the deadline has passed.
  HostNetwork(MPI_Comm comm, const std::vector<uint32_t> &ranks, uint32_t sequence,
              Clock::time_point end, std::function<Status()> watch = {})
      : comm(comm), ranks(ranks), sequence(sequence), end(end), watch(std::move(watch)) {}

  Status exchange(uint32_t to, std::span<const uint8_t> out, uint32_t from,
                  std::span<uint8_t> in) override;

  /// To all others in `comm`: the collective has failed. It ends their waits at once, with `what`.
  void tell(const std::string &what);

  /// After an error: of MPI, or MPI_SUCCESS where the deadline has passed.
  int code() const { return error; }
  /// After the deadline: the rank in `comm` that is waited for, with no watch the one that all
  /// others wait for, as far as they say; else negative.
  int missing() const { return absent; }

private:
  /// What who gives up says to all: the collective, and the rank that it waits for.
  struct Notice {
    uint32_t sequence = 0;
    int32_t waitsFor = 0;
  };

  template <typename Bytes, typename Call> void start(Bytes bytes, Call call);
  bool complete();
  Status look();
  void giveUp(int waitsFor);

  MPI_Comm comm;
  const std::vector<uint32_t> &ranks;
  uint32_t sequence;
  Clock::time_point end;
  std::function<Status()> watch;
  int error = MPI_SUCCESS, absent = -1;
  std::vector<MPI_Request> requests;
};

} // namespace acis::mpi
