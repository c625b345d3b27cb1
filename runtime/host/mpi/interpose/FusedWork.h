// A CCCF (runtime/host/cccf) as a collective with a task: what of its arguments the switch gets,
// and where what comes back belongs.
#pragma once

#include "runtime/host/cccf/acis_cccf.h"
#include "runtime/host/mpi/interpose/Meter.h"
#include "runtime/host/mpi/interpose/Work.h"

#include <optional>
#include <vector>

namespace acis::mpi {

/// The program has fused calls, as its CCCF library says when it is loaded.
bool hasFusedCalls();

/// The arrays of an op as its binary has them. Their memory is the program's.
class OpArrays {
public:
  /// Without what a binary can be compiled for (4 GiB, two packets) no value, and why.
  static std::optional<OpArrays> of(const ACIS_Op &op, Reason &why);

  /// The op's packet: the buffer in which the first collective's result is.
  const ACIS_Array &packet() const { return arrays[packetAt]; }
  /// What the second collective sends; null: nothing.
  const ACIS_Array *sent() const;
  uint64_t memoryBytes() const;
  uint64_t outputBytes() const;
  /// Whether two that are not one share memory.
  bool overlap() const;
  /// Whether `bytes` at `at` share memory with one that begins elsewhere.
  bool overlaps(const void *at, uint64_t bytes) const;

  /// What a task gives: the packet without its first bytes, and the memory.
  std::vector<SwitchTask::Piece> given(uint64_t resultBytes) const;
  void take(std::span<const uint8_t> output) const;

private:
  std::vector<ACIS_Array> arrays;
  size_t packetAt = 0;
};

class FusedWork final : public Pending {
public:
  /// `second`: null if the op is the end. `program`: as the session will name it. `mostMore`: of
  /// the task.
  FusedWork(const char *name, Call first, Call *second, const ACIS_Op &op, OpArrays arrays,
            uint64_t program, uint64_t mostMore, Communicator &communicator, const Meter &meter);

  /// For the session; its buffers are there as long as this.
  const Collective &collective() const { return first.call.collective; }
  const char *name() const override { return called; }
  int finish() override;

  /// Offloaded if the arrays of this rank are what the op's binary takes them for: separate, the
  /// first collective's result where its packet comes from, the second's data what it gives. Else
  /// why not.
  static Reason judge(const Call &first, const Call *second, const OpArrays &arrays);

private:
  const char *called;
  Work first;
  std::optional<Work> second;
  const ACIS_Op op;
  const OpArrays arrays;
  SwitchTask task;
  Meter meter; ///< until the call is complete
  bool ranHere = false;
};

} // namespace acis::mpi
