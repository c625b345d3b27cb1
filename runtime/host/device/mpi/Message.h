// One end of a message, or of a rank's part in a collective, on device memory; or of a receive into
// ordinary memory that may meet a device's large message.
//
// A message below a size (Choices.h) is one message of MPI, from or into host memory of this
// library's. The life of such an end:
//
//   begin     a send's bytes are copied from the device. Nothing has gone out if that fails.
//   (MPI)     moves bytes from or to buffer().
//   conclude  a receive's bytes are copied to the device, if MPI received them and the program has
//             still the buffer; else nothing is.
//
// A larger one is announced, by a message of MPI where the program's own would be (Announcement.h),
// and goes in chunks beside the program's communicators (Sending.h, Arriving.h). Between (MPI) and
// conclude, isReady then moves them.
//
// Mapped memory is the host's already: MPI uses it where it is, and between begin and conclude the
// program cannot unmap it (Registry.h). The same holds for buffers that device and host share
// (Shared.h), which need no map.
#pragma once

#include "runtime/host/device/Copy.h"
#include "runtime/host/device/Staging.h"
#include "runtime/host/device/mpi/Arriving.h"
#include "runtime/host/device/mpi/Sending.h"

#include <mpi.h>

#include <utility>

namespace acis::device {

/// What elements of a datatype take in memory.
struct Layout {
  MPI_Datatype type = MPI_BYTE;
  size_t count = 0;     ///< elements
  size_t size = 0;      ///< bytes of one, without gaps
  MPI_Aint first = 0;   ///< of the lowest byte, from the address that MPI is given
  size_t span = 0;      ///< from the lowest to the highest byte
  bool isPlain = false; ///< a prefix of the message is a prefix of the memory
  bool hasGaps() const { return size * count != span; }

  static Layout of(size_t count, MPI_Datatype type);
  Layout of(size_t otherCount) const { return of(otherCount, type); }
};

class Message {
public:
  /// With InOut, elements that a collective reads and writes, both copies are made.
  enum class Use { Send, Receive, InOut };
  /// `count` elements at `address`. Where that is not device memory after all, buffer() is the
  /// address and nothing is copied.
  static Result<std::unique_ptr<Message>> make(Use use, const void *address, size_t count,
                                               MPI_Datatype type, MPI_Comm comm);
  /// A receive into ordinary memory.
  static std::unique_ptr<Message> ordinary(void *address, size_t count, MPI_Datatype type,
                                           MPI_Comm comm);
  ~Message();

  Status begin();
  /// Instead of begin, of a send that is to be announced (see announcedBy): gives the request of
  /// that.
  Status beginLarge(int receiver, int to, int tag, Mode mode, MPI_Request *request);
  /// What MPI is given in place of the address.
  void *buffer() const { return given; }

  /// After a receive of MPI that has blocked. Starts what was announced, if anything.
  void meet(const MPI_Status &status);
  /// Whether all is over but conclude, of a message with this request of MPI, which has not been
  /// given to a call that ends it. Does not block.
  bool isReady(MPI_Request request);
  /// The same for a receive that has met.
  bool isReady() { return !arriving || arriving->advance(); }
  /// The end of a message that MPI has ended with `code`; `status`, of a receive, becomes the
  /// program's (null: all elements came). Gives the program's code.
  int conclude(MPI_Status *status, int code);
  /// The same, for nobody: no error is raised.
  void endQuietly(MPI_Status &status, int code);
  /// Of a message that MPI has not ended well.
  void abandon();

  /// Host memory for buffer(), of a send that is made to MPI before it begins.
  Status stage();
  MPI_Datatype type() const { return layout.type; }
  int count() const { return int(layout.count); }
  /// Between begin and conclude.
  bool isActive() const { return isUnderWay; }
  bool isLarge() const { return sending || arriving; }
  /// The program's status of a message that is ready, from that of MPI.
  void show(MPI_Status &status) const;
  /// How many bytes a send has, where they are in the order and without gaps on a device; else 0.
  size_t bytesInOrder() const;
  /// Whether those are where MPI can read them.
  bool isShared() const { return place && place->buffer->shared; }

  const MPI_Comm comm;
  /// Of a persistent request: the arguments that it was made with.
  struct Repeated {
    bool receives;
    int peer, tag;
    std::optional<Mode> mode; ///< of a send that may be announced
  };
  std::optional<Repeated> repeated;
  bool isCollective = false; ///< a rank's part in one, all of whose elements come
  /// Another end with the same request: of a receive, the send that has a request of its own; of a
  /// collective, the other part.
  struct Companion {
    std::unique_ptr<Message> message; ///< null: of ordinary memory
    MPI_Request request = MPI_REQUEST_NULL;
    Staging memory; ///< from which it is sent
    bool isReady() const;
    int conclude();
  };
  std::optional<Companion> companion;
  /// What MPI has in the place of the program's persistent request.
  MPI_Request proxy = MPI_REQUEST_NULL;
  /// Source and tag of a message that was taken before it was received (Taken.h).
  std::optional<std::pair<int, int>> takenFrom;

private:
  Message(Use use, MPI_Comm comm) : comm(comm), use(use) {}
  std::optional<Header> announced(const MPI_Status &status);
  void ownType();
  /// Whether MPI uses the bytes where they are: nothing is copied.
  bool isInPlace() const { return place->kind == Kind::Mapped || place->buffer->shared; }
  Status finished(MPI_Status *status, int code);
  Status end(const MPI_Status *status);
  Status arrived();
  Status deliver(size_t elements);
  std::optional<Rows> rowsOfGaps(const Layout &part) const;
  Status deliverAroundGaps(const Layout &came);
  Status beginMapped();
  Status endMapped();

  Use use;
  std::optional<Place> place; ///< of the lowest byte
  std::optional<Hold> hold;
  Layout layout;
  Staging staging;
  void *given = nullptr;
  bool ownsType = false, isUnderWay = false;
  bool isDelivered = false; ///< chunk by chunk
  bool isTooLong = false;   ///< what was announced, for this receive
  Staging packed;           ///< a large message whose elements are apart in memory
  std::unique_ptr<Sending> sending;
  std::unique_ptr<Arriving> arriving;
};

/// Whether a receive of so many elements may meet an announcement: a smaller one cannot.
inline bool mayMeet(int count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return size_t(size) * size_t(count) >= AnnouncementBytes && count > 0;
}

} // namespace acis::device
