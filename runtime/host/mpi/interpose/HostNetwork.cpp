// See HostNetwork.h.
#include "runtime/host/mpi/interpose/HostNetwork.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <sched.h>
#include <unistd.h>

namespace acis::mpi {

using algorithms::Step;

namespace {

/// MPI's counts are ints: long messages go in pieces.
constexpr size_t LargestPiece = size_t(1) << 30;
/// MPI promises tags up to here. Messages of a collective that has failed may still come: each
/// has a tag of its own, by turns.
constexpr int NoticeTag = 32'767, FailureTag = 32'766;
/// So many looks at the messages before others are let run between two, and so many of those
/// before a look at what else may have ended the collective.
constexpr unsigned EagerLooks = 200, LooksPerStep = 64;
/// How long who gives up listens to what others wait for: they began at about the same time.
constexpr auto Grace = std::chrono::milliseconds(500);

/// What who has failed says to all.
struct Failure {
  uint32_t sequence = 0;
  std::array<char, 252> what{};
};

/// Sends to one that does not come may never be complete: what they need lives on.
template <typename Message> void sendToOthers(const Message &message, int tag, MPI_Comm comm) {
  int size = 0, me = 0;
  PMPI_Comm_size(comm, &size);
  PMPI_Comm_rank(comm, &me);
  auto &sends = *new std::vector<MPI_Request>(size_t(size), MPI_REQUEST_NULL);
  auto &said = *new Message(message);
  for (int rank = 0; rank < size; ++rank)
    if (rank != me)
      PMPI_Isend(&said, sizeof said, MPI_BYTE, rank, tag, comm, &sends[size_t(rank)]);
}

} // namespace

template <typename Bytes, typename Call> void HostNetwork::start(Bytes bytes, Call call) {
  size_t done = 0;
  do {
    const size_t piece = std::min(bytes.size() - done, LargestPiece);
    MPI_Request &request = requests.emplace_back(MPI_REQUEST_NULL);
    if (error == MPI_SUCCESS)
      error = call(bytes.data() + done, int(piece), &request);
    done += piece;
  } while (done < bytes.size());
}

bool HostNetwork::complete() {
  int done = 0;
  error = PMPI_Testall(int(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
  return done != 0;
}

Status HostNetwork::exchange(uint32_t to, std::span<const uint8_t> out, uint32_t from,
                             std::span<uint8_t> in) {
  const int tag = int(sequence % FailureTag);
  requests.clear();
  if (from != Step::Nobody)
    start(in, [&](uint8_t *at, int count, MPI_Request *request) {
      return PMPI_Irecv(at, count, MPI_BYTE, int(ranks[from]), tag, comm, request);
    });
  const size_t receives = requests.size();
  if (to != Step::Nobody)
    start(out, [&](const uint8_t *at, int count, MPI_Request *request) {
      return PMPI_Isend(at, count, MPI_BYTE, int(ranks[to]), tag, comm, request);
    });
  for (unsigned looks = 1; error == MPI_SUCCESS; ++looks) {
    if (complete())
      return {};
    if (looks < EagerLooks)
      continue;
    if (looks % LooksPerStep == 0)
      if (Status status = look(); !status)
        return status;
    if (Clock::now() >= end) {
      int received = 0;
      PMPI_Testall(int(receives), requests.data(), &received, MPI_STATUSES_IGNORE);
      absent = int(ranks[received ? to : from]);
      if (!watch)
        giveUp(absent);
      return Error{"", "a member has not come"};
    }
    sched_yield();
  }
  return Error{"", "a message failed"};
}

/// What has ended the collective elsewhere, if anything.
Status HostNetwork::look() {
  if (!watch)
    return {};
  if (Status status = watch(); !status)
    return status;
  int here = 0;
  MPI_Status status;
  while (PMPI_Iprobe(MPI_ANY_SOURCE, FailureTag, comm, &here, &status) == MPI_SUCCESS && here) {
    Failure heard;
    PMPI_Recv(&heard, sizeof heard, MPI_BYTE, status.MPI_SOURCE, FailureTag, comm,
              MPI_STATUS_IGNORE);
    heard.what.back() = '\0';
    if (heard.sequence == sequence)
      return Error{"", heard.what.data()};
  }
  return {};
}

void HostNetwork::tell(const std::string &what) {
  Failure failure{sequence};
  what.copy(failure.what.data(), failure.what.size() - 1);
  sendToOthers(failure, FailureTag, comm);
}

/// Who waits for one that itself waits names the one at the end: it alone says nothing.
void HostNetwork::giveUp(int waitsFor) {
  int size = 0, me = 0;
  PMPI_Comm_size(comm, &size);
  PMPI_Comm_rank(comm, &me);
  sendToOthers(Notice{sequence, waitsFor}, NoticeTag, comm);
  std::vector<int> waits(size_t(size), -1);
  waits[size_t(me)] = waitsFor;
  for (const auto until = Clock::now() + Grace; Clock::now() < until; usleep(200)) {
    int here = 0;
    MPI_Status status;
    while (PMPI_Iprobe(MPI_ANY_SOURCE, NoticeTag, comm, &here, &status) == MPI_SUCCESS && here) {
      Notice heard;
      PMPI_Recv(&heard, sizeof heard, MPI_BYTE, status.MPI_SOURCE, NoticeTag, comm,
                MPI_STATUS_IGNORE);
      if (heard.sequence == sequence && heard.waitsFor >= 0 && heard.waitsFor < size)
        waits[size_t(status.MPI_SOURCE)] = heard.waitsFor;
    }
  }
  absent = waitsFor;
  for (int steps = 0; steps < size && waits[size_t(absent)] >= 0; ++steps)
    absent = waits[size_t(absent)];
}

} // namespace acis::mpi
