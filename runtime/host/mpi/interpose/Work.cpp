// See Work.h.
#include "runtime/host/mpi/interpose/Work.h"

#include <utility>

namespace acis::mpi {

Work::Work(Call described, Communicator &of) : call(std::move(described)), communicator(of) {
  Collective &collective = call.collective;
  collective.context = communicator.context;
  if (call.isRefused) {
    unwanted.reset(new uint8_t[call.take.bytes()]);
    call.take.at = unwanted.get();
  }
  // What is in place is found there, if it lies there as it is sent.
  if (call.give.isUsed && !(call.give.isInPlace && call.give.layout.packed))
    collective.send = staging.toSend(call.give, call.comm);
  // The lowest rank gets nothing from an Exscan: a copy would bring it something.
  const bool isKept = collective.kind == Kind::Exscan && communicator.rank == 0 && call.take.form;
  if (call.take.isUsed && !call.take.isInPlace && !isKept)
    collective.recv = staging.toReceive(call.take);
  // Bcast has one buffer, which its root only reads.
  if (collective.kind == Kind::Bcast && call.give.isUsed)
    collective.recv = const_cast<void *>(std::exchange(collective.send, nullptr));
}

int Work::finish() {
  const int code = staging.deliver();
  release(communicator);
  return code;
}

} // namespace acis::mpi
