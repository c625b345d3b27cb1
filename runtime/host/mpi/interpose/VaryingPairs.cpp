// See VaryingPairs.h.
#include "runtime/host/mpi/interpose/VaryingPairs.h"

#include "runtime/host/mpi/interpose/Process.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace acis::mpi {
namespace {

/// MPI counts bytes in an int.
constexpr uint64_t MostPiece = 1u << 30;

bool isLong(const Message &block) { return block.bytes() > ShortBlock; }

int testAll(std::vector<MPI_Request> &requests, bool &isDone) {
  int flag = 1;
  const int code = requests.empty() ? MPI_SUCCESS
                                    : PMPI_Testall(int(requests.size()), requests.data(), &flag,
                                                   MPI_STATUSES_IGNORE);
  isDone &= flag != 0 || code != MPI_SUCCESS;
  return code;
}

} // namespace

PairGroup::~PairGroup() {
  if (comm != MPI_COMM_NULL)
    PMPI_Comm_free(&comm);
}

std::unique_ptr<PairGroup> makePairGroup(MPI_Comm comm) {
  if (!process().settings.policy.pairs)
    return nullptr;
  auto group = std::make_unique<PairGroup>();
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  // Not a duplicate, which would copy the program's attributes.
  if (PMPI_Comm_split(comm, 0, rank, &group->comm) != MPI_SUCCESS)
    return nullptr;
  PMPI_Comm_set_errhandler(group->comm, MPI_ERRORS_RETURN); // what is wrong is said by finish()
  return group;
}

PairedWork::PairedWork(const VaryingArguments &arguments, VaryingCall known,
                       Communicator &communicator)
    : given(arguments.call), communicator(communicator), read(std::move(known)) {
  const Roles &roles = rolesOf(given.kind);
  const auto all = uint64_t(communicator.size);
  collective.kind = given.kind;
  collective.context = communicator.context;
  collective.root = uint32_t(given.root);
  collective.count = PairedBlock;
  // The program may free its types before the call is complete.
  for (Message &block : read.take)
    if (!block.layout.packed && block.items > 0) {
      PMPI_Type_dup(block.type, &block.type);
      types.push_back(block.type);
    }
  if (!read.give.empty()) {
    sent.resize((roles.givesEach ? all : 1) * PairedBlock);
    collective.send = sent.data();
    giveAll(arguments.send.at == MPI_IN_PLACE);
  }
  if (!read.take.empty()) {
    received.resize((roles.takesEach ? all : 1) * PairedBlock);
    collective.recv = received.data();
    takeAll();
  }
}

PairedWork::~PairedWork() {
  for (MPI_Datatype &type : types)
    PMPI_Type_free(&type);
}

/// The other end of a block: its rank, or the root of one that is alone.
int PairedWork::peerOf(const std::vector<Message> &blocks, size_t block) const {
  const Roles &roles = rolesOf(given.kind);
  const bool areEach = &blocks == &read.give ? roles.givesEach : roles.takesEach;
  return areEach ? int(block) : given.root;
}

/// By MPI, to or from the other end; its error code.
int PairedWork::exchange(Long &block, uint64_t bytes, int peer, bool sends) {
  int result = MPI_SUCCESS;
  for (uint64_t from = 0; from < bytes && result == MPI_SUCCESS; from += MostPiece) {
    const int piece = int(std::min(MostPiece, bytes - from));
    MPI_Request &request = block.requests.emplace_back(MPI_REQUEST_NULL);
    MPI_Comm comm = communicator.pairs->comm;
    result = sends ? PMPI_Isend(block.at + from, piece, MPI_BYTE, peer, 0, comm, &request)
                   : PMPI_Irecv(block.at + from, piece, MPI_BYTE, peer, 0, comm, &request);
  }
  return result;
}

/// What lies in memory as it is sent goes from there, unless what comes goes there, too.
void PairedWork::giveAll(bool isInPlace) {
  for (size_t i = 0; i < read.give.size() && code == MPI_SUCCESS; ++i) {
    const Message &block = read.give[i];
    const uint64_t bytes = block.bytes();
    uint8_t *place = sent.data() + i * PairedBlock;
    std::memcpy(place, &bytes, sizeof bytes);
    const int peer = peerOf(read.give, i);
    if (!isLong(block)) {
      code = pack(block, given.comm, place + sizeof bytes);
    } else if (peer == communicator.rank) {
      own.reset(new uint8_t[bytes]);
      code = pack(block, given.comm, own.get());
    } else {
      Long &one = gives[i];
      one.at = static_cast<uint8_t *>(block.at);
      if (isInPlace || !block.layout.packed || !block.at) {
        one.copy.reset(new uint8_t[bytes]);
        one.at = one.copy.get();
        code = pack(block, given.comm, one.at);
      }
      if (code == MPI_SUCCESS)
        code = exchange(one, bytes, peer, /*sends=*/true);
    }
  }
}

void PairedWork::takeAll() {
  for (size_t i = 0; i < read.take.size() && code == MPI_SUCCESS; ++i) {
    const Message &block = read.take[i];
    const int peer = peerOf(read.take, i);
    if (!isLong(block) || peer == communicator.rank)
      continue;
    Long &one = takes[i];
    one.at = static_cast<uint8_t *>(block.at);
    if (!block.layout.packed || !block.at) {
      one.copy.reset(new uint8_t[block.bytes()]);
      one.at = one.copy.get();
    }
    code = exchange(one, block.bytes(), peer, /*sends=*/false);
  }
}

/// Bytes of a block that was received, as its sender has it.
uint64_t PairedWork::said(size_t block) const {
  uint64_t bytes;
  std::memcpy(&bytes, received.data() + block * PairedBlock, sizeof bytes);
  return bytes;
}

void PairedWork::callOff(Long &block) {
  block.isCalledOff = true;
  for (MPI_Request &request : block.requests)
    if (request != MPI_REQUEST_NULL)
      PMPI_Cancel(&request);
}

/// Once the lengths have come: what an end gives that the other does not expect so is a mistake of
/// the program, or less than there is room for.
void PairedWork::compare() {
  isCompared = true;
  for (size_t i = 0; i < read.take.size(); ++i) {
    const uint64_t bytes = said(i), room = read.take[i].bytes();
    const int peer = peerOf(read.take, i);
    if (bytes > room && problem.empty())
      problem = "rank " + std::to_string(peer) + " gives " + std::to_string(bytes) +
                " bytes, and there is room for " + std::to_string(room);
    if (peer == communicator.rank)
      continue;
    if (bytes <= ShortBlock && isLong(read.take[i])) {
      callOff(takes.at(i));
    } else if (bytes > ShortBlock && !isLong(read.take[i])) {
      Long &one = unwanted.emplace_back();
      one.copy.reset(new uint8_t[bytes]);
      one.at = one.copy.get();
      (void)exchange(one, bytes, peer, /*sends=*/false);
    }
  }
}

bool PairedWork::isDone() {
  if (!isCompared)
    compare();
  bool isDone = true;
  int failed = MPI_SUCCESS;
  for (auto *blocks : {&gives, &takes})
    for (auto &[number, block] : *blocks)
      if (const int result = testAll(block.requests, isDone); result != MPI_SUCCESS)
        failed = result;
  for (Long &block : unwanted)
    (void)testAll(block.requests, isDone);
  if (failed != MPI_SUCCESS && problem.empty())
    problem = "a block could not be sent or received";
  return isDone;
}

int PairedWork::finish() {
  if (!problem.empty())
    code = raiseError(MPI_COMM_WORLD, std::string(given.name) + ": " + problem);
  for (size_t i = 0; i < read.take.size() && code == MPI_SUCCESS; ++i) {
    Message block = read.take[i];
    const uint64_t bytes = std::min(said(i), block.bytes());
    const auto one = takes.find(i);
    const bool isOwn = peerOf(read.take, i) == communicator.rank;
    // Of what is shorter than its room the rest stays as it is.
    block.items = block.layout.size ? bytes / block.layout.size : 0;
    if (bytes <= ShortBlock)
      code = unpack(block, received.data() + i * PairedBlock + sizeof(uint64_t));
    else if (isOwn)
      code = unpack(block, own.get());
    else if (one->second.copy)
      code = unpack(block, one->second.copy.get());
  }
  release(communicator);
  return code;
}

} // namespace acis::mpi
