#include "runtime/host/mpi/interpose/FusedWork.h"

#include "runtime/host/mpi/interpose/Process.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace acis::mpi {
namespace {

uint64_t aligned(uint64_t bytes) { return (bytes + 63) / 64 * 64; }

bool share(const void *a, uint64_t m, const void *b, uint64_t n) {
  const auto x = reinterpret_cast<uintptr_t>(a), y = reinterpret_cast<uintptr_t>(b);
  return x < y + n && y < x + m;
}

/// The message in which this rank has the result of a collective: what it takes, or what it gives
/// to all (Bcast's root). Null: it has none.
const Message *resultOf(const Call &call) {
  if (call.take.isUsed)
    return &call.take;
  return call.collective.kind == Kind::Bcast ? &call.give : nullptr;
}

bool isPlain(const Message &message) { return !message.isUsed || message.layout.packed; }

} // namespace

std::optional<OpArrays> OpArrays::of(const ACIS_Op &op, Reason &why) {
  OpArrays all;
  why = op.num_arrays == ACIS_ARRAYS_SHARED    ? Reason::ArraysShared
        : op.num_arrays == ACIS_ARRAYS_NO_ROOM ? Reason::ArraysNoRoom
        : op.num_arrays < 0                    ? Reason::ArraysNotHad
                                               : Reason::BuffersDiffer;
  if (op.num_arrays < 0)
    return std::nullopt;
  all.arrays.assign(op.arrays, op.arrays + op.num_arrays);
  size_t packets = 0;
  for (size_t i = 0; i < all.arrays.size(); ++i) {
    if (all.arrays[i].bytes > UINT32_MAX)
      return std::nullopt;
    if (all.arrays[i].role == ACIS_STREAM_IN) {
      ++packets;
      all.packetAt = i;
    }
  }
  if (packets != 1 || std::max(all.memoryBytes(), all.outputBytes()) > UINT32_MAX)
    return std::nullopt;
  return all;
}

const ACIS_Array *OpArrays::sent() const {
  const auto at = std::ranges::find(arrays, ACIS_STREAM_OUT, &ACIS_Array::role);
  return at == arrays.end() ? nullptr : &*at;
}

uint64_t OpArrays::memoryBytes() const {
  uint64_t bytes = 0;
  for (const ACIS_Array &array : arrays)
    bytes += array.role == ACIS_INBOUND ? aligned(array.bytes) : 0;
  return bytes;
}

uint64_t OpArrays::outputBytes() const {
  uint64_t bytes = 0;
  for (const ACIS_Array &array : arrays)
    bytes += array.role == ACIS_STREAM_OUT || array.role == ACIS_OUTBOUND ? array.bytes : 0;
  return bytes;
}

bool OpArrays::overlap() const {
  for (const ACIS_Array &a : arrays)
    for (const ACIS_Array &b : arrays)
      if (share(a.base, a.bytes, b.base, b.bytes) && (a.base != b.base || a.bytes != b.bytes))
        return true;
  return false;
}

bool OpArrays::overlaps(const void *at, uint64_t bytes) const {
  return std::ranges::any_of(arrays, [&](const ACIS_Array &array) {
    return array.base != at && share(at, bytes, array.base, array.bytes);
  });
}

std::vector<SwitchTask::Piece> OpArrays::given(uint64_t resultBytes) const {
  const auto *stream = static_cast<const uint8_t *>(packet().base);
  std::vector<SwitchTask::Piece> pieces;
  if (packet().bytes > resultBytes)
    pieces.push_back({{stream + resultBytes, stream + packet().bytes}});
  for (const ACIS_Array &array : arrays)
    if (array.role == ACIS_INBOUND)
      pieces.push_back({{static_cast<const uint8_t *>(array.base), array.bytes}, true});
  return pieces;
}

/// What is sent comes first.
void OpArrays::take(std::span<const uint8_t> output) const {
  const uint8_t *from = output.data();
  for (ACIS_Role role : {ACIS_STREAM_OUT, ACIS_OUTBOUND})
    for (const ACIS_Array &array : arrays)
      if (array.role == role && array.bytes > 0) {
        std::memcpy(array.base, from, array.bytes);
        from += array.bytes;
      }
}

Reason FusedWork::judge(const Call &first, const Call *second, const OpArrays &arrays) {
  const Message *result = resultOf(first);
  if (!result)
    return Reason::NoResult;
  if (arrays.overlap())
    return Reason::ArraysShared;
  if (result->isInPlace || !isPlain(first.give) || !isPlain(first.take) ||
      arrays.packet().base != result->at || arrays.packet().bytes < result->bytes())
    return Reason::BuffersDiffer;
  if (!second)
    return Reason::Offloaded;
  const ACIS_Array *sent = arrays.sent();
  if (!isPlain(second->give) || !isPlain(second->take) || second->take.isInPlace ||
      (second->give.isUsed &&
       (!sent || second->give.at != sent->base || second->give.bytes() > sent->bytes)))
    return Reason::BuffersDiffer;
  // What comes back last may only meet what it replaces.
  return second->take.isUsed && arrays.overlaps(second->take.at, second->take.bytes())
             ? Reason::ArraysShared
             : Reason::Offloaded;
}

FusedWork::FusedWork(const char *name, Call one, Call *two, const ACIS_Op &op, OpArrays of,
                     uint64_t program, uint64_t mostMore, Communicator &communicator,
                     const Meter &meter)
    : called(name), first(std::move(one), communicator), op(op), arrays(std::move(of)),
      meter(meter) {
  task.program = program;
  task.mostMore = mostMore;
  task.given = arrays.given(resultOf(first.call)->bytes());
  task.outputBytes = uint32_t(arrays.outputBytes());
  if (two)
    task.next = &second.emplace(std::move(*two), communicator).call.collective;
  task.ran = [this](std::span<const uint8_t> output) { arrays.take(output); };
  task.run = [this] {
    ranHere = true;
    this->op.run(this->op.args);
  };
  first.call.collective.task = &task;
}

int FusedWork::finish() {
  const auto *site = reinterpret_cast<const void *>(op.run);
  const Reason reason = ranHere ? Reason::OpByHost : Reason::Offloaded;
  process().summary.count(called, site, reason, first.call.bytes, op.place ? op.place : "");
  meter.stop(called, site, reason);
  if (second)
    release(second->communicator);
  const int code = first.finish();
  if (op.done)
    op.done(op.done_args, !ranHere);
  return code;
}

} // namespace acis::mpi
