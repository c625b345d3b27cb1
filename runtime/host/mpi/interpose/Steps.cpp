// See Steps.h. What is recorded stays in the process until MPI_Finalize, 32 bytes for each
// superstep.
#include "runtime/host/mpi/interpose/Steps.h"

#include "runtime/host/mpi/interpose/Observer.h"
#include "runtime/host/mpi/interpose/Process.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace acis::mpi {
namespace {

/// Nanoseconds since beginSteps().
struct Step {
  uint64_t begin = 0, arrival = 0, end = 0, kind = 0;
};
constexpr size_t mostSteps = 1 << 22;

struct Recorder {
  bool records = false;
  std::chrono::steady_clock::time_point start;
  std::vector<Step> steps;
  uint64_t last = 0;  ///< when the last collective ended
  uint64_t count = 0; ///< supersteps, recorded or not

  uint64_t now() const {
    return uint64_t(std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count());
  }
};

Recorder &recorder() {
  static Recorder &instance = *new Recorder;
  return instance;
}

/// Of all ranks, as many of each as the least has; on rank 0 only. `common`: so many.
std::vector<Step> gather(uint64_t &common) {
  const Process &state = process();
  uint64_t mine = recorder().steps.size();
  uint64_t range[2] = {mine, ~mine}, least[2];
  PMPI_Allreduce(range, least, 2, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
  common = least[0];
  if (state.rank == 0 && common != ~least[1])
    std::fprintf(stderr,
                 "acis: ranks have %llu to %llu supersteps; the first %llu are written to %s\n",
                 (unsigned long long)common, (unsigned long long)~least[1],
                 (unsigned long long)common, state.settings.stepsFile.c_str());
  std::vector<Step> all(state.rank == 0 ? common * uint64_t(state.size) : 0);
  MPI_Datatype step;
  PMPI_Type_contiguous(sizeof(Step), MPI_BYTE, &step);
  PMPI_Type_commit(&step);
  PMPI_Gather(recorder().steps.data(), int(common), step, all.data(), int(common), step, 0,
              MPI_COMM_WORLD);
  PMPI_Type_free(&step);
  return all;
}

/// The file appears when it is whole.
bool write(const std::string &path, const std::vector<Step> &all, uint64_t common) {
  const std::string made = path + ".part";
  std::FILE *file = std::fopen(made.c_str(), "w");
  if (!file)
    return false;
  std::fputs("step,rank,call,begin_ns,arrival_ns,end_ns\n", file);
  for (uint64_t i = 0; i < common; ++i)
    for (int rank = 0; rank < process().size; ++rank) {
      const Step &step = all[uint64_t(rank) * common + i];
      std::fprintf(file, "%llu,%d,%s,%llu,%llu,%llu\n", (unsigned long long)i, rank,
                   std::string(nameOf(Kind(step.kind))).c_str(), (unsigned long long)step.begin,
                   (unsigned long long)step.arrival, (unsigned long long)step.end);
    }
  const bool whole = !std::ferror(file);
  return std::fclose(file) == 0 && whole && std::rename(made.c_str(), path.c_str()) == 0;
}

} // namespace

[[gnu::weak]] void endOfWork(uint64_t, const Arguments &) {}
[[gnu::weak]] void callBegins() {}
[[gnu::weak]] void callEnds(const Arguments &, Reason) {}

StepMark::StepMark(const Arguments &given) : call(given) {
  Recorder &all = recorder();
  if (given.comm == MPI_COMM_WORLD && (process().settings.stepKinds >> unsigned(given.kind) & 1)) {
    endOfWork(all.count++, given);
    records = all.records;
  }
  if (records)
    all.steps.push_back({all.last, all.now(), 0, uint64_t(given.kind)});
  callBegins();
}

StepMark::~StepMark() {
  callEnds(call, reason);
  if (!records)
    return;
  Recorder &all = recorder();
  all.last = all.steps.back().end = all.now();
  all.records = all.steps.size() < mostSteps;
}

void beginSteps() {
  Recorder &all = recorder();
  if (process().settings.stepsFile.empty())
    return;
  all.steps.reserve(4096);
  all.records = true;
  PMPI_Barrier(MPI_COMM_WORLD); // clocks begin at about the same time
  all.start = std::chrono::steady_clock::now();
}

void writeSteps() {
  recorder().records = false;
  int wanted = !process().settings.stepsFile.empty();
  PMPI_Bcast(&wanted, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (!wanted)
    return;
  uint64_t common = 0;
  const std::vector<Step> all = gather(common);
  const std::string &path = process().settings.stepsFile;
  if (process().rank == 0 && !write(path, all, common))
    std::fprintf(stderr, "acis: %s: cannot be written; the supersteps are lost\n", path.c_str());
}

} // namespace acis::mpi
