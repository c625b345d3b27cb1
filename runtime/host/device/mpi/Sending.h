// A large message on its way from a device: announced, then in chunks, or offered first to a rank
// of this host (Peer.h).
//
// No rank ever waits for another one's library. When begin() has returned, all chunks are MPI's,
// as sends from host memory: MPI alone brings them to a receiver, whatever call this rank is in or
// waits in. So the program's send is over, in MPI's sense, as soon as the announcement is; but a
// program that then computes would let MPI stand still, so its call stays while chunks go.
#pragma once

#include "runtime/host/device/Copy.h"
#include "runtime/host/device/Staging.h"
#include "runtime/host/device/mpi/Announcement.h"
#include "runtime/host/device/mpi/Job.h"
#include "runtime/host/device/mpi/Peer.h"

#include <chrono>
#include <deque>
#include <memory>

namespace acis::device {

/// In which way of MPI the program sends.
enum class Mode { Standard, Synchronous, Ready };

class Sending {
public:
  /// `bytes` from `place`, which stay as they are until this returns, are announced and handed to
  /// MPI. `request` is the announcement's. An error: nothing was sent. A device that fails later
  /// ends the message at both ranks; see result().
  static Result<std::unique_ptr<Sending>> begin(const Place &place, size_t bytes, const Step &step,
                                                int receiver, MPI_Comm comm, int to, int tag,
                                                Mode mode, MPI_Request *request);
  ~Sending();

  /// Whether the program's call can return: MPI has sent all, or nobody takes it now.
  bool isOver();
  /// Whether MPI has sent all.
  bool isGone();
  const Status &result() const { return failure; }

private:
  Sending(const Place &place, size_t bytes, size_t chunk, int receiver);
  Status readAll();
  bool isOfferOver();
  void hand(size_t i);
  void handAll();
  void advance();

  using Clock = std::chrono::steady_clock;
  Place place;
  int receiver;
  Announcement announcement;
  std::unique_ptr<Offer> offer; ///< that stands
  Staging staging;
  std::deque<Copying> reads;
  std::deque<MPI_Request> sends;
  size_t numHanded = 0, numGone = 0;
  std::string failureText;
  Status failure;
  Clock::time_point lastProgress;
};

/// Keeps what MPI is still sending, after the program's send is over. Ends what it can.
void leaveToMpi(std::unique_ptr<Sending> sending);
void endLeftovers();
bool hasLeftovers();

} // namespace acis::device
