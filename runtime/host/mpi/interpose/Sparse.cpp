// ACIS_Sparse_allreduce (acis_mpi.h). The switch merges vectors of a fixed room. How much the union
// has is not known before it is there, so the indices are cut into ranges, each merged in a vector
// of its own; ranges whose union had no room, which all ranks hear alike, are halved and merged
// again. One that is no longer than the room has room.
#include "runtime/host/mpi/acis_mpi.h"

#include "runtime/host/mpi/interpose/Decide.h"
#include "runtime/host/mpi/interpose/Perform.h"
#include "runtime/host/mpi/interpose/Process.h"
#include "runtime/switch/collective/Combine.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <vector>

namespace acis::mpi {
namespace {

using collective::MergeFull, collective::MergeNone;

/// A type of values with the one of entries.
struct Entries {
  ElementType type;
  size_t valueBytes, indexAt;
  size_t bytes() const { return bytesOf(type); }
};

std::optional<Entries> entriesOf(MPI_Datatype type) {
  const std::optional<NamedElement> named = namedElement(type);
  if (!named || !acis::mpi::takes(ReduceOp::Sum, named->classes))
    return std::nullopt;
  switch (named->type) {
  case ElementType::Int32:
    return Entries{ElementType::Int32Int, 4, 4};
  case ElementType::Int64:
    return Entries{ElementType::Int64Int, 8, 8};
  case ElementType::Float32:
    return Entries{ElementType::Float32Int, 4, 4};
  case ElementType::Float64:
    return Entries{ElementType::Float64Int, 8, 8};
  default:
    return std::nullopt;
  }
}

/// Entries of a sparse vector, or places for such, as the switch has them.
class Vector {
public:
  explicit Vector(const Entries &form) : form(form) {}

  size_t size() const { return data.size() / form.bytes(); }
  int32_t index(size_t place) const {
    int32_t index;
    std::memcpy(&index, &data[place * form.bytes() + form.indexAt], sizeof index);
    return index;
  }
  const uint8_t *value(size_t place) const { return &data[place * form.bytes()]; }
  void add(int32_t index, const void *value) {
    data.resize(data.size() + form.bytes());
    uint8_t *place = &data[data.size() - form.bytes()];
    if (value)
      std::memcpy(place, value, form.valueBytes);
    std::memcpy(place + form.indexAt, &index, sizeof index);
  }
  void append(const Vector &other, size_t from, size_t to) {
    const auto *first = other.data.data();
    data.insert(data.end(), first + from * form.bytes(), first + to * form.bytes());
  }
  std::vector<uint8_t> data;

private:
  Entries form;
};

/// Indices from `first` on, before `end`.
struct Range {
  int64_t first, end;
};

class Merger {
public:
  Merger(const Vector &own, const Entries &form, int64_t length)
      : own(own), form(form), length(length) {}

  /// Of all ranks, the switch's entry `communicator` has them. `most`: entries that one gives.
  Result<Vector> bySwitch(const Communicator &communicator, uint64_t most) {
    room = std::clamp<uint64_t>(std::bit_ceil(2 * most), 16, MostBytes / form.bytes());
    const uint64_t number = std::clamp<uint64_t>((2 * most + room - 1) / room, 1, length);
    std::vector<Range> ranges;
    for (uint64_t i = 0; i < number; ++i)
      ranges.push_back(
          {int64_t(i) * length / int64_t(number), int64_t(i + 1) * length / int64_t(number)});
    std::vector<std::pair<int64_t, Vector>> parts;
    while (!ranges.empty()) {
      Vector merged(form);
      if (Status done = merge(communicator, ranges, merged); !done)
        return done.error();
      std::vector<Range> again;
      for (size_t i = 0; i < ranges.size(); ++i)
        take(ranges[i], merged, i * room, parts, again);
      ranges = std::move(again);
    }
    std::ranges::sort(parts, {}, [](const auto &part) { return part.first; });
    Vector all(form);
    for (const auto &[first, part] : parts)
      all.append(part, 0, part.size());
    return all;
  }

  static constexpr uint64_t MostBytes = 16 << 10; ///< of a vector of a range: a packet

private:
  /// What this rank has in the ranges, and what comes of all.
  Status merge(const Communicator &communicator, const std::vector<Range> &ranges,
               Vector &merged) const {
    Vector given(form);
    given.data.reserve(ranges.size() * room * form.bytes());
    for (const Range &range : ranges)
      give(range, given);
    merged.data.resize(given.data.size());
    Collective merge;
    merge.kind = Kind::Allreduce;
    merge.op = ReduceOp::Merge;
    merge.type = form.type;
    merge.context = communicator.context;
    merge.count = given.size();
    merge.itemElements = room;
    merge.send = given.data.data();
    merge.recv = merged.data.data();
    Result<Request> started = process().session->start(merge);
    return started ? await(*started) : Status(started.error());
  }

  size_t placeOf(int64_t index) const {
    size_t low = 0, high = own.size();
    while (low < high) {
      const size_t middle = (low + high) / 2;
      if (own.index(middle) < index)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  void give(const Range &range, Vector &into) const {
    const size_t from = placeOf(range.first), to = placeOf(range.end);
    const bool isFull = to - from > room;
    if (!isFull)
      into.append(own, from, to);
    for (size_t i = isFull ? 0 : to - from; i < room; ++i)
      into.add(i == 0 && isFull ? MergeFull : MergeNone, nullptr);
  }

  void take(const Range &range, const Vector &merged, size_t first,
            std::vector<std::pair<int64_t, Vector>> &parts, std::vector<Range> &again) const {
    if (merged.index(first) == MergeFull) {
      const int64_t middle = (range.first + range.end) / 2;
      again.push_back({range.first, middle});
      again.push_back({middle, range.end});
      return;
    }
    size_t end = first;
    while (end < first + room && merged.index(end) >= 0)
      ++end;
    Vector part(form);
    part.append(merged, first, end);
    parts.emplace_back(range.first, std::move(part));
  }

  const Vector &own;
  const Entries form;
  const int64_t length;
  uint64_t room = 16;
};

/// The same by the MPI underneath: each rank gets all and merges them as one switch does,
/// neighbours, then their results.
Result<Vector> byMpi(const Vector &own, const Entries &form, MPI_Comm comm, int size, int &code) {
  std::vector<int> counts(static_cast<size_t>(size)), places(counts.size());
  const int mine = int(own.size());
  const Error failed = {"", "the MPI underneath has failed"};
  if (code = PMPI_Allgather(&mine, 1, MPI_INT, counts.data(), 1, MPI_INT, comm);
      code != MPI_SUCCESS)
    return failed;
  int64_t total = 0;
  for (size_t r = 0; r < counts.size(); ++r) {
    places[r] = int(total);
    total += counts[r];
  }
  if (total > INT32_MAX)
    return Error{"", "the vectors have " + std::to_string(total) + " entries in all; at most " +
                         std::to_string(INT32_MAX)};
  Vector all(form);
  all.data.resize(size_t(total) * form.bytes());
  MPI_Datatype entry = MPI_DATATYPE_NULL;
  PMPI_Type_contiguous(int(form.bytes()), MPI_BYTE, &entry);
  PMPI_Type_commit(&entry);
  code = PMPI_Allgatherv(own.data.data(), mine, entry, all.data.data(), counts.data(),
                         places.data(), entry, comm);
  PMPI_Type_free(&entry);
  if (code != MPI_SUCCESS)
    return failed;
  std::vector<Vector> level;
  for (size_t r = 0; r < counts.size(); ++r) {
    Vector &one = level.emplace_back(form);
    one.append(all, size_t(places[r]), size_t(places[r] + counts[r]));
  }
  while (level.size() > 1) {
    std::vector<Vector> next;
    for (size_t i = 0; i < level.size(); i += 2) {
      if (i + 1 == level.size()) {
        next.push_back(std::move(level[i]));
        continue;
      }
      const size_t room = level[i].size() + level[i + 1].size();
      Vector merged(form);
      for (Vector *side : {&level[i], &level[i + 1]})
        while (side->size() < room)
          side->add(MergeNone, nullptr);
      merged.data.resize(room * form.bytes());
      collective::combine(ReduceOp::Merge, form.type, level[i].data, level[i + 1].data,
                          merged.data);
      size_t end = 0;
      while (end < room && merged.index(end) >= 0)
        ++end;
      merged.data.resize(end * form.bytes());
      next.push_back(std::move(merged));
    }
    level = std::move(next);
  }
  return std::move(level.front());
}

/// As the program gives it.
struct SparseVector {
  const int *indices;
  const void *values;
  int count, length;
  MPI_Datatype type;
  MPI_Comm comm;
};

/// "" or what is wrong.
std::string mistakeIn(const SparseVector &given) {
  if (given.count < 0 || given.length < 0)
    return "a count or length that is negative";
  if (given.count > 0 && (!given.indices || !given.values))
    return "no indices or values";
  for (int i = 0; i < given.count; ++i) {
    const int64_t before = i == 0 ? -1 : given.indices[i - 1];
    if (given.indices[i] <= before || given.indices[i] >= given.length)
      return "index " + std::to_string(given.indices[i]) + " at place " + std::to_string(i) +
             "; they must grow, from 0 on, and be less than the length " +
             std::to_string(given.length);
  }
  return "";
}

/// Why the switch does not do it, or Offloaded; alike on all members.
Reason decideSparse(const Entries &form, Communicator &communicator) {
  Call call;
  call.reason = Reason::Offloaded;
  call.collective.kind = Kind::Allreduce;
  call.collective.op = ReduceOp::Merge;
  call.collective.type = form.type;
  call.collective.itemElements = Merger::MostBytes / form.bytes();
  call.collective.count = call.collective.itemElements;
  call.bytes = Merger::MostBytes;
  return decide(call, communicator, process().settings.policy, *process().session,
                /*blocks=*/false)
      .reason;
}

Result<uint64_t> mostOf(const Communicator &communicator, uint64_t mine) {
  uint64_t most = 0;
  Collective allreduce;
  allreduce.kind = Kind::Allreduce;
  allreduce.op = ReduceOp::Max;
  allreduce.type = ElementType::Uint64;
  allreduce.context = communicator.context;
  allreduce.count = 1;
  allreduce.send = &mine;
  allreduce.recv = &most;
  Result<Request> started = process().session->start(allreduce);
  if (Status done = started ? await(*started) : Status(started.error()); !done)
    return done.error();
  return most;
}

Result<Vector> mergeAll(const SparseVector &given, const Entries &form, const Vector &own,
                        const void *site, int &code) {
  auto [communicator, reason] = communicatorOf(given.comm, Kind::Allreduce, /*blocks=*/true);
  if (communicator && !communicator->failure.empty())
    return Error{"", communicator->failure};
  if (communicator && communicator->state == Reason::Offloaded)
    reason = decideSparse(form, *communicator);
  process().summary.count("ACIS_Sparse_allreduce", site, reason, own.data.size());
  int size = 1;
  PMPI_Comm_size(given.comm, &size);
  if (!communicator || reason != Reason::Offloaded)
    return byMpi(own, form, given.comm, size, code);
  const Result<uint64_t> most = mostOf(*communicator, own.size());
  if (!most)
    return most.error();
  return *most == 0 ? Result<Vector>(Vector(form))
                    : Merger(own, form, given.length).bySwitch(*communicator, *most);
}

} // namespace
} // namespace acis::mpi

using namespace acis::mpi;

extern "C" int ACIS_Sparse_allreduce(const int *indices, const void *values, int count, int length,
                                     MPI_Datatype type, int *resultIndices, void *resultValues,
                                     int room, int *resultCount, MPI_Comm comm) {
  const SparseVector given = {indices, values, count, length, type, comm};
  auto fail = [&](const std::string &what) {
    return raiseError(comm, "ACIS_Sparse_allreduce: " + what);
  };
  const std::optional<Entries> form = entriesOf(type);
  if (!form)
    return fail("values have to be of a signed or floating-point type of 4 or 8 bytes");
  if (std::string mistake = mistakeIn(given); !mistake.empty())
    return fail(mistake);
  Vector own(*form);
  for (int i = 0; i < count; ++i)
    own.add(indices[i], static_cast<const uint8_t *>(values) + size_t(i) * form->valueBytes);
  int code = MPI_SUCCESS;
  const acis::Result<Vector> merged =
      mergeAll(given, *form, own, __builtin_return_address(0), code);
  if (!merged)
    return code == MPI_SUCCESS ? fail(merged.error().str()) : code;
  *resultCount = int(merged->size());
  if (*resultCount > room)
    return fail("the result has " + std::to_string(*resultCount) +
                " entries, and there is room for " + std::to_string(room));
  for (size_t i = 0; i < merged->size(); ++i) {
    resultIndices[i] = merged->index(i);
    std::memcpy(static_cast<uint8_t *>(resultValues) + i * form->valueBytes, merged->value(i),
                form->valueBytes);
  }
  return MPI_SUCCESS;
}
