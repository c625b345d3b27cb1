// See Message.h.
#include "runtime/host/device/mpi/Message.h"

namespace acis::device {

Layout Layout::of(size_t count, MPI_Datatype type) {
  Layout made;
  made.type = type;
  made.count = count;
  int size = 0, integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
  PMPI_Type_size(type, &size);
  made.size = size_t(size);
  MPI_Aint low = 0, extent = 0, trueLow = 0, trueExtent = 0;
  PMPI_Type_get_extent(type, &low, &extent);
  PMPI_Type_get_true_extent(type, &trueLow, &trueExtent);
  PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  if (count == 0 || size == 0)
    return made;
  // Elements may follow each other downwards.
  const MPI_Aint last = extent * MPI_Aint(count - 1);
  made.first = trueLow + std::min<MPI_Aint>(last, 0);
  made.span = size_t(trueExtent + std::max(last, -last));
  made.isPlain = combiner == MPI_COMBINER_NAMED && !made.hasGaps();
  return made;
}

Result<std::unique_ptr<Message>> Message::make(Use use, const void *address, size_t count,
                                               MPI_Datatype type, MPI_Comm comm) {
  std::unique_ptr<Message> made(new Message(use, comm));
  made->layout = Layout::of(count, type);
  const Layout &layout = made->layout;
  made->given = const_cast<void *>(address);
  if (layout.span == 0)
    return made;
  const char *first = static_cast<const char *>(address) + layout.first;
  for (Direction direction : {Direction::Send, Direction::Receive}) {
    if (use == (direction == Direction::Send ? Use::Receive : Use::Send))
      continue;
    Result<std::optional<Place>> place = placeAt(first, layout.span, direction);
    if (!place)
      return place.error();
    made->place = *place;
  }
  if (!made->place)
    return made;
  made->hold.emplace(made->place->buffer);
  if (made->place->kind == Kind::Mapped)
    return made;
  made->staging = Staging(layout.span);
  if (!made->staging.data())
    return Error{registry().describe(*made->place->buffer),
                 "needs " + std::to_string(layout.span) + " bytes of host memory: there are none"};
  made->given = made->staging.data() - layout.first;
  // The program may free a type while a message with it is under way.
  if (!layout.isPlain && PMPI_Type_dup(type, &made->layout.type) == MPI_SUCCESS)
    made->ownsType = true;
  return made;
}

Message::~Message() {
  abandon();
  if (ownsType)
    PMPI_Type_free(&layout.type);
}

/// A persistent request may have been made in an earlier map of the same address.
Status Message::beginMapped() {
  const Direction direction = use == Use::Send ? Direction::Send : Direction::Receive;
  Result<std::optional<Place>> now =
      placeAt(static_cast<char *>(given) + layout.first, layout.span, direction);
  if (!now)
    return now.error();
  const bool isStill = *now && (*now)->kind == Kind::Mapped && (*now)->buffer == place->buffer;
  if (!isStill || !registry().beginMessage((*now)->window))
    return Error{registry().describe(*place->buffer), "was unmapped before the message began"};
  place = *now;
  return {};
}

Status Message::begin() {
  if (!place)
    return {};
  if (registry().isGone(*place->buffer))
    return Error{registry().describe(*place->buffer), "was released before the message began"};
  if (place->kind == Kind::Mapped) {
    if (Status status = beginMapped(); !status)
      return status;
  } else if (use != Use::Receive) {
    if (Status status = read(*place, 0, layout.span, staging.data()); !status)
      return status;
  }
  isUnderWay = true;
  return {};
}

void Message::abandon() {
  if (std::exchange(isUnderWay, false) && place->kind == Kind::Mapped)
    (void)registry().endMessage(place->window);
}

Status Message::endMapped() {
  const bool isToldOff = registry().endMessage(place->window);
  if (registry().isGone(*place->buffer))
    return Error{registry().describe(*place->buffer), "was released while a message was under way"};
  if (isToldOff)
    return Error{registry().describe(*place->buffer),
                 "was to be unmapped while a message was under way; it is still mapped"};
  return {};
}

Status Message::end(const MPI_Status *status) {
  if (!std::exchange(isUnderWay, false))
    return {};
  if (place->kind == Kind::Mapped)
    return endMapped();
  if (registry().isGone(*place->buffer))
    return Error{registry().describe(*place->buffer),
                 use == Use::Send ? "was released while a message was under way"
                                  : "was released while a message was under way, which is lost"};
  if (use == Use::Send)
    return {};
  if (!status)
    return deliver(layout.count);
  int isCancelled = 0, elements = 0;
  PMPI_Test_cancelled(status, &isCancelled);
  if (isCancelled)
    return {};
  PMPI_Get_count(status, layout.type, &elements);
  if (elements == MPI_UNDEFINED)
    return Error{registry().describe(*place->buffer),
                 "received a part of an element of a derived datatype, which is lost"};
  return deliver(size_t(elements));
}

Status Message::deliver(size_t elements) {
  const Layout came = layout.of(elements);
  if (came.span == 0)
    return {};
  // A type of which a part came, or whose elements go downwards, may leave gaps of its own.
  if (layout.isPlain || (elements == layout.count && !layout.hasGaps()))
    return write(*place, 0, came.span, staging.data());
  return deliverAroundGaps(came);
}

/// What lies between the elements is the program's, and may have changed since the message began.
Status Message::deliverAroundGaps(const Layout &came) {
  const size_t at = size_t(came.first - layout.first);
  Staging whole(came.span), packed(came.size * came.count);
  if (!whole.data() || !packed.data())
    return Error{registry().describe(*place->buffer), "has no host memory to unpack a message"};
  if (Status status = read(*place, at, came.span, whole.data()); !status)
    return status;
  int bytes = 0, position = 0;
  PMPI_Pack_size(int(came.count), layout.type, comm, &bytes);
  if (size_t(bytes) > came.size * came.count)
    packed = Staging(size_t(bytes));
  PMPI_Pack(given, int(came.count), layout.type, packed.data(), bytes, &position, comm);
  const int filled = std::exchange(position, 0);
  PMPI_Unpack(packed.data(), filled, &position, whole.data() - came.first, int(came.count),
              layout.type, comm);
  return write(*place, at, came.span, whole.data());
}

} // namespace acis::device
