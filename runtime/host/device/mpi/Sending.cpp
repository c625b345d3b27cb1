// See Sending.h.
#include "runtime/host/device/mpi/Sending.h"

#include "runtime/host/device/mpi/Progress.h"

#include <algorithm>
#include <mutex>
#include <vector>

namespace acis::device {

namespace {

/// How long a send stays in its call although no chunk goes.
constexpr std::chrono::milliseconds Patience(5);

struct Leftovers {
  std::mutex mutex;
  std::vector<std::unique_ptr<Sending>> all;
  std::atomic<size_t> size = 0;
};

Leftovers &leftovers() {
  static Leftovers &instance = *new Leftovers;
  return instance;
}

} // namespace

Sending::Sending(const Place &place, size_t bytes, size_t chunk, int receiver)
    : place(place), receiver(receiver), lastProgress(Clock::now()) {
  Header &header = announcement.header;
  header.cookie = job()->cookie;
  header.bytes = bytes;
  header.chunk = std::min(chunk, bytes);
  header.sender = uint32_t(job()->rank);
  header.tag = job()->transfers++ % uint32_t(job()->numTags);
  header.way = uint32_t(Way::Chunks);
  job()->buffered += bytes;
}

Sending::~Sending() {
  if (Job *now = job())
    now->buffered -= announcement.header.bytes;
}

Result<std::unique_ptr<Sending>> Sending::begin(const Place &place, size_t bytes, const Step &step,
                                                int receiver, MPI_Comm comm, int to, int tag,
                                                Mode mode, MPI_Request *request) {
  job()->isUsed = true;
  std::unique_ptr<Sending> made(new Sending(place, bytes, step.chunk, receiver));
  if (step.way == Way::Peer)
    made->offer = Offer::make(place, receiver, made->announcement.header);
  if (!made->offer)
    if (Status status = made->readAll(); !status)
      return status.error();
  const auto send = mode == Mode::Synchronous ? PMPI_Issend
                    : mode == Mode::Ready     ? PMPI_Irsend
                                              : PMPI_Isend;
  if (send(&made->announcement, int(sizeof(Announcement)), MPI_BYTE, to, tag, comm, request) !=
      MPI_SUCCESS)
    return Error{"", "MPI cannot send"};
  if (!made->offer)
    made->handAll();
  // Settled before the program has a request: some libraries give one handle to several sends that
  // are over for them, and an offered buffer must not be taken for a free one.
  for (Backoff backoff; made->offer && !made->isOfferOver(); backoff.pause())
    advanceOthers();
  return made;
}

/// The first copy must begin; that a later one cannot is for both ends.
Status Sending::readAll() {
  const Header &header = announcement.header;
  staging = Staging(header.bytes);
  if (!staging.data())
    return Error{registry().describe(*place.buffer),
                 "needs " + std::to_string(header.bytes) + " bytes of host memory: there are none"};
  for (size_t i = 0; i < header.numChunks(); ++i) {
    const size_t at = i * header.chunk;
    Result<Copying> copy = readLater(place, at, header.chunkAt(i), staging.data() + at);
    if (!copy && i == 0)
      return copy.error();
    if (!copy) {
      failure = copy.error();
      break;
    }
    reads.push_back(std::move(*copy));
  }
  return {};
}

/// A chunk without bytes says that there will be none: why follows the last.
void Sending::hand(size_t i) {
  const Header &header = announcement.header;
  if (i < reads.size() && failure)
    failure = reads[i].result();
  const bool fails = !failure;
  MPI_Request request = MPI_REQUEST_NULL;
  PMPI_Isend(staging.data() + i * header.chunk, fails ? 0 : int(header.chunkAt(i)), MPI_BYTE,
             receiver, int(header.tag), job()->all, &request);
  sends.push_back(request);
  ++numHanded;
  if (numHanded < header.numChunks() || !fails)
    return;
  failureText = failure.error().str();
  PMPI_Isend(failureText.data(), int(failureText.size()), MPI_BYTE, receiver, int(header.tag),
             job()->all, &request);
  sends.push_back(request);
}

void Sending::handAll() {
  ++job()->sent[size_t(Way::Chunks)];
  Backoff backoff;
  while (numHanded < announcement.header.numChunks()) {
    if (numHanded < reads.size() && !reads[numHanded].isOver()) {
      advance();
      advanceOthers();
      backoff.pause();
      continue;
    }
    hand(numHanded);
  }
  reads.clear();
  lastProgress = Clock::now();
}

void Sending::advance() {
  while (numGone < sends.size()) {
    int isOver = 0;
    PMPI_Test(&sends[numGone], &isOver, MPI_STATUS_IGNORE);
    if (!isOver)
      return;
    ++numGone;
    lastProgress = Clock::now();
  }
}

/// An offer that nobody takes becomes chunks: the receiver may be in MPI, not in this library.
bool Sending::isOfferOver() {
  if (offer->isDone()) {
    ++job()->sent[size_t(Way::Peer)];
    offer.reset();
    return true;
  }
  if (Clock::now() - lastProgress <= Patience || !offer->withdraw())
    return false;
  offer.reset();
  noteReason("not peer: the other rank was not receiving");
  failure = readAll();
  handAll();
  return true;
}

bool Sending::isGone() {
  if (offer && !isOfferOver())
    return false;
  advance();
  return numGone == sends.size();
}

bool Sending::isOver() { return isGone() || (!offer && Clock::now() - lastProgress > Patience); }

void leaveToMpi(std::unique_ptr<Sending> sending) {
  if (sending->isGone())
    return;
  Leftovers &now = leftovers();
  std::lock_guard lock(now.mutex);
  now.all.push_back(std::move(sending));
  now.size = now.all.size();
}

bool hasLeftovers() { return leftovers().size.load(std::memory_order_relaxed) > 0; }

void endLeftovers() {
  if (!hasLeftovers())
    return;
  Leftovers &now = leftovers();
  std::lock_guard lock(now.mutex);
  std::erase_if(now.all, [](const auto &one) { return one->isGone(); });
  now.size = now.all.size();
}

} // namespace acis::device
