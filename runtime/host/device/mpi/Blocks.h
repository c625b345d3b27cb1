// Blocks of a rank's buffer in a collective with another count, or type, for each rank, as one
// element of one datatype: what lies between them stays as it is.
#pragma once

#include <mpi.h>

#include <span>

namespace acis::device {

class Blocks {
public:
  /// `isUsed`: false makes none. Offsets are elements of `of`, or bytes; `count`: of blocks.
  Blocks(bool isUsed, int count, const int counts[], const int offsets[], MPI_Datatype of);
  Blocks(bool isUsed, int count, const int counts[], const int bytes[], const MPI_Datatype of[]);
  Blocks(bool isUsed, int count, const int counts[], const MPI_Aint bytes[],
         const MPI_Datatype of[]);
  ~Blocks();
  Blocks(const Blocks &) = delete;
  Blocks &operator=(const Blocks &) = delete;

  MPI_Datatype type = MPI_BYTE;
  size_t count() const { return isMade; }

private:
  void make(int code);
  bool isMade = false;
};

/// How many ranks a rank receives from, and sends to, in a neighbourhood collective.
struct Neighbours {
  explicit Neighbours(MPI_Comm comm);
  int in = 0, out = 0;
};

} // namespace acis::device
