// See Arriving.h.
#include "runtime/host/device/mpi/Arriving.h"

#include "runtime/host/device/mpi/Job.h"
#include "runtime/host/device/mpi/Progress.h"

#include <algorithm>
#include <cstring>

namespace acis::device {

namespace {

/// Receives that wait at once; of chunks that are dropped, which share their memory, one.
constexpr size_t MostWaiting = 16;
constexpr size_t LongestText = 4096;

} // namespace

Arriving::Arriving(const Header &header, Target target)
    : header(header), target(std::move(target)) {
  job()->isUsed = true;
  if (takeOffer(header)) {
    isPeer = true;
    if (this->target.host)
      failure = copyFromPeer();
    // The sender waits for a taken offer, perhaps in a send that is not to block: this rank must
    // not go on to wait for the sender before it has the bytes.
    for (Backoff backoff; !advance(); backoff.pause())
      ;
    return;
  }
  if (!this->target.host)
    dropped = Staging(header.chunk);
  post();
}

/// Only of a job that ends without its messages.
Arriving::~Arriving() {
  if (!job())
    return;
  for (MPI_Request &request : receives)
    if (request != MPI_REQUEST_NULL) {
      PMPI_Cancel(&request);
      PMPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

Status Arriving::copyFromPeer() {
  Result<std::shared_ptr<Import>> found = importOffered(header);
  if (!found)
    return found.error();
  import = *found;
  Result<Copying> copy = Copying();
  if (import->kind == ExportKind::Device) {
    Result<Place> from = import->in(target.place ? target.place->buffer->context : nullptr,
                                    header.offset, header.bytes);
    if (!from)
      return from.error();
    if (target.place && !target.place->buffer->svm)
      copy = copyLater(*from, *target.place);
    else if (Status read = device::read(*from, 0, header.bytes, target.host); !read)
      return read;
    else if (target.place)
      copy = writeLater(*target.place, 0, header.bytes, target.host);
  } else if (target.place) {
    copy = writeLater(*target.place, 0, header.bytes, import->mapped + header.offset);
  } else {
    std::memcpy(target.host, import->mapped + header.offset, header.bytes);
  }
  if (!copy)
    return copy.error();
  writes.push_back(std::move(*copy));
  return {};
}

void Arriving::post() {
  const size_t window = target.host ? MostWaiting : 1;
  while (receives.size() < header.numChunks() && receives.size() < numTaken + window) {
    const size_t i = receives.size();
    char *to = target.host ? target.host + i * header.chunk : dropped.data();
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Irecv(to, int(header.chunkAt(i)), MPI_BYTE, int(header.sender), int(header.tag),
               job()->all, &request);
    receives.push_back(request);
  }
}

void Arriving::take(size_t i, const MPI_Status &status) {
  int came = 0;
  PMPI_Get_count(&status, MPI_BYTE, &came);
  if (came == 0)
    isFailing = true;
  if (isFailing || !failure || !target.place)
    return;
  const size_t at = i * header.chunk;
  Result<Copying> copy = writeLater(*target.place, at, size_t(came), target.host + at);
  if (copy)
    writes.push_back(std::move(*copy));
  else
    failure = copy.error();
}

bool Arriving::advanceChunks() {
  while (numTaken < header.numChunks()) {
    int isOver = 0;
    MPI_Status status;
    PMPI_Test(&receives[numTaken], &isOver, &status);
    if (!isOver)
      return false;
    take(numTaken++, status);
    post();
  }
  return true;
}

/// Why the sender failed.
bool Arriving::advanceText() {
  if (text.empty()) {
    text.resize(LongestText);
    PMPI_Irecv(text.data(), int(text.size()), MPI_BYTE, int(header.sender), int(header.tag),
               job()->all, &textRequest);
  }
  int isOver = 0, length = 0;
  MPI_Status status;
  if (textRequest == MPI_REQUEST_NULL)
    return true;
  PMPI_Test(&textRequest, &isOver, &status);
  if (!isOver)
    return false;
  PMPI_Get_count(&status, MPI_BYTE, &length);
  text.resize(size_t(std::max(length, 1)));
  if (failure)
    failure = Error{"rank " + std::to_string(header.sender) + " could not send", text};
  return true;
}

bool Arriving::advance() {
  if (isOver)
    return true;
  if (!isPeer && !advanceChunks())
    return false;
  if (isFailing && !advanceText())
    return false;
  for (; numWritten < writes.size(); ++numWritten) {
    if (!writes[numWritten].isOver())
      return false;
    if (failure)
      failure = writes[numWritten].result();
  }
  isOver = true;
  if (isPeer)
    finishOffer(header);
  return true;
}

} // namespace acis::device
