// The arguments of a collective with a block of its own length for each rank. See Varying.h.
#include "runtime/host/mpi/interpose/Varying.h"

#include <algorithm>

namespace acis::mpi {
namespace {

uint64_t bytesOf(const std::vector<Message> &blocks) {
  uint64_t sum = 0;
  for (const Message &block : blocks)
    sum += block.bytes();
  return sum;
}

/// False: a mistake that MPI reports.
bool read(const Blocks &blocks, int size, std::vector<Message> &into) {
  const int number = blocks.areEach ? size : 1;
  if (!blocks.counts || (blocks.areEach && !blocks.places))
    return false;
  // One type is looked at once, whatever the number of ranks.
  TypeLayout layout;
  for (int i = 0; i < number; ++i) {
    const MPI_Datatype type = blocks.types ? blocks.types[i] : blocks.type;
    if (blocks.counts[i] < 0 || type == MPI_DATATYPE_NULL)
      return false;
    if (blocks.types || i == 0) {
      if (!isCommitted(type))
        return false;
      layout = layoutOf(type);
    }
    Message message;
    message.isUsed = true;
    message.items = uint64_t(blocks.counts[i]);
    message.type = type;
    message.layout = layout;
    const int64_t place = blocks.areEach ? blocks.places[i] : 0;
    const TypeLayout bytes = {1, 1, true};
    message.at = (blocks.types ? bytes : layout).address(blocks.at, place);
    into.push_back(std::move(message));
  }
  return true;
}

/// What MPICH takes for a mistake: a block that is sent from where the own one is received.
bool areOne(const VaryingArguments &given, const VaryingCall &call, int rank) {
#ifdef OPEN_MPI
  return false;
#else
  if (given.call.kind == Kind::Alltoall)
    return given.send.at == given.recv.at && given.send.counts == given.recv.counts &&
           call.most() > 0;
  auto own = [&](const std::vector<Message> &blocks) {
    return blocks[blocks.size() > 1 ? size_t(rank) : 0];
  };
  const Message sent = own(call.give), received = own(call.take);
  return sent.at && sent.at == received.at && sent.bytes() > 0 && received.bytes() > 0;
#endif
}

} // namespace

uint64_t VaryingCall::longest() const {
  uint64_t longest = 0;
  for (const auto *blocks : {&give, &take})
    for (const Message &block : *blocks)
      longest = std::max(longest, block.bytes());
  return longest;
}

uint64_t VaryingCall::most() const { return std::max(bytesOf(give), bytesOf(take)); }

VaryingCall readVarying(const VaryingArguments &given, int rank, int size) {
  const Roles &roles = rolesOf(given.call.kind);
  auto is = [&](Who who) {
    return unsigned(who) & unsigned(rank == given.call.root ? Who::Root : Who::Others);
  };
  const bool gives = is(roles.gives), takes = is(roles.takes);
  const bool givesInPlace = gives && given.send.at == MPI_IN_PLACE,
             takesInPlace = takes && given.recv.at == MPI_IN_PLACE;
  VaryingCall call;
  if ((givesInPlace && !is(roles.givesInPlace)) || (takesInPlace && !is(roles.takesInPlace)))
    return call;
  if (takes && !takesInPlace && !read(given.recv, size, call.take))
    return call;
  if (gives && !givesInPlace && !read(given.send, size, call.give))
    return call;
  if (givesInPlace && roles.givesEach)
    call.give = call.take;
  else if (givesInPlace)
    call.give.push_back(call.take[size_t(rank)]);
  call.isSound = !gives || !takes || givesInPlace || takesInPlace || !areOne(given, call, rank);
  return call;
}

} // namespace acis::mpi
