// From a device's memory to another one's within a host: the sender offers its exported memory
// (Export.h), the receiver copies from there.
//
// The state of an offer is a word in memory that the ranks of the host share. A receiver takes an
// offer, or a sender withdraws it when nobody has taken it for a while, and then sends chunks: it
// must not wait for a receiver's library (Sending.h), and a taken offer needs nothing of anybody
// but the receiver, which is at it. Descriptors go once, over a Unix socket, before the offer.
#pragma once

#include "runtime/host/device/Copy.h"
#include "runtime/host/device/Export.h"
#include "runtime/host/device/mpi/Announcement.h"

#include <memory>

namespace acis::device {

/// Collective over MPI_COMM_WORLD; does something where all have ACIS_DEVICE_P2P=1.
void openPeers();
void closePeers();
/// What this rank can do: it may have made a buffer since.
void tellPeers();

class Offer {
public:
  /// Makes the header one of Way::Peer. Null: it cannot be (noteReason has why).
  static std::unique_ptr<Offer> make(const Place &place, int receiver, Header &header);
  ~Offer();

  bool isDone() const;
  /// Whether it is the sender's again: nobody has taken it.
  bool withdraw();

private:
  Offer(uint32_t slot, uint64_t tag) : slot(slot), tag(tag) {}
  uint32_t slot;
  uint64_t tag;
  bool isMine = true; ///< the slot
};

/// Of every announcement: whether it is an offer that stands; it is this rank's then.
bool takeOffer(const Header &header);
void finishOffer(const Header &header);
/// The memory of a taken offer.
Result<std::shared_ptr<Import>> importOffered(const Header &header);

} // namespace acis::device
