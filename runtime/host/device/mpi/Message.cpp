// See Message.h.
#include "runtime/host/device/mpi/Message.h"

#include "runtime/host/device/mpi/Errors.h"
#include "runtime/host/device/mpi/Next.h"
#include "runtime/host/device/mpi/Shape.h"

#include <algorithm>
#include <cstring>

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
  made->ownType();
  if (made->isInPlace() && made->place->kind != Kind::Mapped)
    made->given = made->place->buffer->shared + made->place->offset - layout.first;
  if (made->isInPlace() || use == Use::Send)
    return made;
  if (Status status = made->stage(); !status)
    return status.error();
  return made;
}

/// The program may free a type while a message with it is under way.
void Message::ownType() {
  int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
  PMPI_Type_get_envelope(layout.type, &integers, &addresses, &types, &combiner);
  if (combiner == MPI_COMBINER_NAMED)
    return;
  MPI_Datatype own = MPI_DATATYPE_NULL;
  if (PMPI_Type_dup(layout.type, &own) != MPI_SUCCESS)
    return;
  layout.type = own;
  ownsType = true;
}

Status Message::stage() {
  if (!place || isInPlace() || staging.data())
    return {};
  staging = Staging(layout.span);
  if (!staging.data())
    return Error{registry().describe(*place->buffer),
                 "needs " + std::to_string(layout.span) + " bytes of host memory: there are none"};
  given = staging.data() - layout.first;
  return {};
}

std::unique_ptr<Message> Message::ordinary(void *address, size_t count, MPI_Datatype type,
                                           MPI_Comm comm) {
  std::unique_ptr<Message> made(new Message(Use::Receive, comm));
  made->layout.type = type;
  made->layout.count = count;
  made->given = address;
  made->ownType();
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
  isUnderWay = !place;
  if (!place)
    return {};
  if (registry().isGone(*place->buffer))
    return Error{registry().describe(*place->buffer), "was released before the message began"};
  if (place->kind == Kind::Mapped) {
    if (Status status = beginMapped(); !status)
      return status;
  } else if (use != Use::Receive && !isInPlace()) {
    if (Status status = stage(); !status)
      return status;
    const std::optional<Rows> rows = rowsOfGaps(layout);
    if (Status status = rows ? readRows(*place, 0, *rows, staging.data())
                             : read(*place, 0, layout.span, staging.data());
        !status)
      return status;
  }
  isUnderWay = true;
  return {};
}

void Message::abandon() {
  arriving.reset();
  isDelivered = false;
  if (std::exchange(isUnderWay, false) && place && place->kind == Kind::Mapped)
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

size_t Message::bytesInOrder() const {
  return place && place->kind != Kind::Mapped && layout.isPlain ? layout.span : 0;
}

Status Message::beginLarge(int receiver, int to, int tag, Mode mode, MPI_Request *request) {
  if (registry().isGone(*place->buffer))
    return Error{registry().describe(*place->buffer), "was released before the message began"};
  const Step step = settings().choices.of(layout.span, job()->isHere[size_t(receiver)]);
  Result<std::unique_ptr<Sending>> made =
      Sending::begin(*place, layout.span, step, receiver, comm, to, tag, mode, request);
  if (!made)
    return made.error();
  sending = std::move(*made);
  isUnderWay = true;
  return {};
}

/// The header, if it is one. Its place in memory is where the message's bytes go.
std::optional<Header> Message::announced(const MPI_Status &status) {
  int came = 0;
  PMPI_Get_count(&status, MPI_BYTE, &came);
  if (came != int(AnnouncementBytes) || use != Use::Receive || !job())
    return std::nullopt;
  layout = layout.of(layout.count);
  Header header;
  constexpr size_t At = AnnouncementBytes - sizeof(Header);
  if (layout.isPlain) {
    std::memcpy(&header, static_cast<char *>(given) + At, sizeof header);
  } else {
    const size_t elements = (AnnouncementBytes + layout.size - 1) / layout.size;
    int size = 0, filled = 0;
    PMPI_Pack_size(int(elements), layout.type, job()->own, &size);
    Staging bytes{size_t(size)};
    if (!bytes.data() || size < came)
      return std::nullopt;
    PMPI_Pack(given, int(elements), layout.type, bytes.data(), size, &filled, job()->own);
    std::memcpy(&header, bytes.data() + At, sizeof header);
  }
  return header.cookie == job()->cookie ? std::optional(header) : std::nullopt;
}

void Message::meet(const MPI_Status &status) {
  const std::optional<Header> header = announced(status);
  if (!header)
    return;
  Arriving::Target target;
  isTooLong = header->bytes > layout.size * layout.count;
  if (!isTooLong && !(place && registry().isGone(*place->buffer))) {
    if (layout.isPlain) {
      target.host = static_cast<char *>(given);
      if (place && !isInPlace())
        target.place = place;
    } else {
      packed = Staging(header->bytes);
      target.host = packed.data();
    }
  }
  isDelivered = target.place.has_value();
  arriving = std::make_unique<Arriving>(*header, std::move(target));
}

bool Message::isReady(MPI_Request request) {
  int isOver = 0;
  if (!arriving) {
    MPI_Status status;
    ACIS_NEXT(MPI_Request_get_status)(request, &isOver, &status);
    if (sending)
      return sending->isOver() && isOver;
    if (!isOver)
      return false;
    if (use == Use::Receive && !isCollective)
      meet(status);
  }
  return isReady() && (!companion || companion->isReady());
}

bool Message::Companion::isReady() const {
  if (message && !message->isCollective)
    return message->isReady(request);
  int isOver = 0;
  PMPI_Request_get_status(request, &isOver, MPI_STATUS_IGNORE);
  return isOver;
}

int Message::Companion::conclude() {
  const int code = PMPI_Wait(&request, MPI_STATUS_IGNORE);
  return message ? message->conclude(nullptr, code) : code;
}

/// A large message: its bytes where they could not go at once.
Status Message::arrived() {
  const size_t bytes = arriving->header.bytes;
  if (!arriving->result() || isTooLong)
    return arriving->result();
  if (place && isDelivered && bytes % layout.size != 0)
    return Error{registry().describe(*place->buffer), "received a part of an element"};
  if (layout.isPlain)
    return {};
  if (!packed.data())
    return Error{"", "there is no host memory to unpack a message of " + std::to_string(bytes) +
                         " bytes"};
  // MPI unpacks a part of an element, too, from a message to this rank itself.
  const int tag = 1 + int(job()->transfers++ % uint32_t(job()->numTags - 1)); // a thread's own
  PMPI_Sendrecv(packed.data(), int(bytes), MPI_BYTE, 0, tag, given, int(layout.count), layout.type,
                0, tag, job()->own, MPI_STATUS_IGNORE);
  packed = Staging();
  return {};
}

void Message::show(MPI_Status &status) const {
  if (takenFrom) {
    status.MPI_SOURCE = takenFrom->first;
    status.MPI_TAG = takenFrom->second;
  }
  if (arriving && !isTooLong)
    PMPI_Status_set_elements(&status, MPI_BYTE, int(arriving->header.bytes));
}

Status Message::finished(MPI_Status *status, int code) {
  if (status)
    show(*status);
  takenFrom.reset();
  Status ended;
  if (sending) {
    ended = sending->result();
    leaveToMpi(std::move(sending));
  } else if (arriving) {
    ended = arrived();
    arriving.reset();
  }
  if (code == MPI_SUCCESS && ended && !isTooLong)
    ended = end(isCollective ? nullptr : status);
  abandon();
  return ended;
}

int Message::conclude(MPI_Status *status, int code) {
  const int other = companion ? companion->conclude() : MPI_SUCCESS;
  companion.reset();
  const Status ended = finished(status, code);
  if (other != MPI_SUCCESS && code == MPI_SUCCESS && ended)
    code = other;
  if (code == MPI_SUCCESS && std::exchange(isTooLong, false))
    return raiseCode(comm, MPI_ERR_TRUNCATE);
  return code != MPI_SUCCESS || ended ? code : raiseError(comm, ended.error().str());
}

void Message::endQuietly(MPI_Status &status, int code) {
  MPI_Status ignored;
  if (companion)
    PMPI_Wait(&companion->request, MPI_STATUS_IGNORE);
  if (companion && companion->message)
    companion->message->endQuietly(ignored, code);
  (void)finished(&status, code);
}

Status Message::end(const MPI_Status *status) {
  if (!std::exchange(isUnderWay, false) || !place)
    return {};
  if (place->kind == Kind::Mapped)
    return endMapped();
  if (registry().isGone(*place->buffer))
    return Error{registry().describe(*place->buffer),
                 use == Use::Send ? "was released while a message was under way"
                                  : "was released while a message was under way, which is lost"};
  if (use == Use::Send || isDelivered || isInPlace())
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
  const size_t at = size_t(came.first - layout.first);
  if (const std::optional<Rows> rows = rowsOfGaps(came))
    return writeRows(*place, at, *rows, staging.data() + at);
  return deliverAroundGaps(came);
}

/// The rows of elements with so large gaps between that the device copies them faster than all. A
/// part that the device has not read is not what MPI is given, nor written.
std::optional<Rows> Message::rowsOfGaps(const Layout &part) const {
  if (!part.hasGaps() || place->buffer->svm || part.span < part.size * part.count)
    return std::nullopt;
  const std::optional<Rows> rows = rowsOf(part.type, part.count);
  const size_t gaps = part.span - part.size * part.count;
  return rows && gaps / rows->total() >= settings().choices.rowBytes ? rows : std::nullopt;
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
