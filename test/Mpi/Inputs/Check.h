// What the MPI test programs share: each compares a collective of MPI_ with the same of
// PMPI_, which is the MPI library itself, in the same program. Integers must be equal bit
// for bit, sums of floating point numbers within the error of another order.
#pragma once

#include <mpi.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace check {

inline int errors = 0;
inline long compared = 0;

inline int rankOf(MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return rank;
}
inline int sizeOf(MPI_Comm comm) {
  int size = 0;
  PMPI_Comm_size(comm, &size);
  return size;
}

inline void fail(const std::string &what) {
  if (++errors <= 10)
    std::printf("rank %d: %s\n", rankOf(MPI_COMM_WORLD), what.c_str());
}

inline void require(bool good, const std::string &what) {
  ++compared;
  if (!good)
    fail(what);
}

/// Numbers that depend on the rank and the case only.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed * 0x9e3779b97f4a7c15u + 1) {}
  uint64_t next() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
  }
  int below(int limit) { return int(next() % uint64_t(limit)); }

private:
  uint64_t state;
};

/// Bytes of a buffer with a margin that nobody may write to.
class Buffer {
public:
  static constexpr size_t Margin = 64;
  explicit Buffer(size_t size, unsigned char fill = 0xa5)
      : bytes(size + 2 * Margin, fill), length(size) {}
  char *data() { return reinterpret_cast<char *>(bytes.data()) + Margin; }
  size_t size() const { return length; }
  bool operator==(const Buffer &other) const { return bytes == other.bytes; }

private:
  std::vector<unsigned char> bytes;
  size_t length;
};

inline void same(Buffer &ours, Buffer &theirs, const std::string &what) {
  ++compared;
  if (ours == theirs)
    return;
  size_t at = 0;
  while (at < ours.size() && ours.data()[at] == theirs.data()[at])
    ++at;
  fail(what + ": differs from the MPI library at byte " + std::to_string(at) + " of " +
       std::to_string(ours.size()));
}

/// Prints "No Errors" on rank 0 if no rank has one. To be returned from main().
inline int finish() {
  int total = 0;
  PMPI_Allreduce(&errors, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rankOf(MPI_COMM_WORLD) == 0) {
    if (total == 0)
      std::printf("No Errors in %ld comparisons\n", compared);
    else
      std::printf("%d errors\n", total);
  }
  MPI_Finalize();
  return total != 0;
}

} // namespace check
