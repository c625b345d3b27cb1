// See Shape.h.
#include "runtime/host/device/mpi/Shape.h"

#include <vector>

namespace acis::device {

namespace {

struct Repeat {
  size_t count;
  MPI_Aint stride;
};

/// A block of bytes, repeated by the last of `repeats`, that by the one before, ...
struct Shape {
  MPI_Aint block = 0;
  std::vector<Repeat> repeats;
};
using Found = std::optional<Shape>;

MPI_Aint extentOf(MPI_Datatype type) {
  MPI_Aint low = 0, extent = 0;
  PMPI_Type_get_extent(type, &low, &extent);
  return extent;
}

Found repeated(Found shape, size_t count, MPI_Aint stride) {
  if (!shape || count == 0)
    return std::nullopt;
  std::vector<Repeat> &all = shape->repeats;
  const MPI_Aint span = all.empty() ? shape->block : MPI_Aint(all[0].count) * all[0].stride;
  if (count == 1)
    return shape;
  if (all.empty() && stride == span)
    shape->block *= MPI_Aint(count);
  else if (!all.empty() && stride == span)
    all[0].count *= count;
  else if (stride <
           (all.empty() ? span : MPI_Aint(all[0].count - 1) * all[0].stride + shape->block))
    return std::nullopt;
  else
    all.insert(all.begin(), {count, stride});
  return shape;
}

Found shapeOf(MPI_Datatype type);

/// What a derived type was made from.
struct Contents {
  explicit Contents(MPI_Datatype type) {
    int numIntegers = 0, numAddresses = 0, numTypes = 0;
    PMPI_Type_get_envelope(type, &numIntegers, &numAddresses, &numTypes, &combiner);
    if (combiner == MPI_COMBINER_NAMED)
      return;
    integers.resize(size_t(numIntegers) + 1);
    addresses.resize(size_t(numAddresses) + 1);
    types.resize(size_t(numTypes) + 1);
    PMPI_Type_get_contents(type, numIntegers, numAddresses, numTypes, integers.data(),
                           addresses.data(), types.data());
    types.resize(size_t(numTypes));
  }
  ~Contents() {
    for (MPI_Datatype &one : types) {
      int numIntegers = 0, numAddresses = 0, numTypes = 0, of = MPI_COMBINER_NAMED;
      PMPI_Type_get_envelope(one, &numIntegers, &numAddresses, &numTypes, &of);
      if (of != MPI_COMBINER_NAMED)
        PMPI_Type_free(&one);
    }
  }
  int combiner = MPI_COMBINER_NAMED;
  std::vector<int> integers;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Datatype> types;
};

Found subarray(const Contents &made) {
  const size_t dimensions = size_t(made.integers[0]);
  const int *sizes = &made.integers[1], *own = sizes + dimensions;
  const bool isC = made.integers[3 * dimensions + 1] == MPI_ORDER_C;
  Found shape = shapeOf(made.types[0]);
  MPI_Aint stride = extentOf(made.types[0]);
  for (size_t k = 0; k < dimensions; ++k) {
    const size_t at = isC ? dimensions - 1 - k : k;
    shape = repeated(std::move(shape), size_t(own[at]), stride);
    stride *= sizes[at];
  }
  return shape;
}

Found shapeOf(MPI_Datatype type) {
  const Contents made(type);
  const auto integer = [&](size_t i) { return made.integers[i]; };
  switch (made.combiner) {
  case MPI_COMBINER_NAMED: {
    int size = 0;
    PMPI_Type_size(type, &size);
    return size > 0 && extentOf(type) == size ? Found(Shape{size, {}}) : std::nullopt;
  }
  case MPI_COMBINER_DUP:
  case MPI_COMBINER_RESIZED:
    return shapeOf(made.types[0]);
  case MPI_COMBINER_CONTIGUOUS:
    return repeated(shapeOf(made.types[0]), size_t(integer(0)), extentOf(made.types[0]));
  case MPI_COMBINER_VECTOR:
  case MPI_COMBINER_HVECTOR: {
    const MPI_Aint extent = extentOf(made.types[0]);
    const bool inBytes = made.combiner == MPI_COMBINER_HVECTOR;
    Found block = repeated(shapeOf(made.types[0]), size_t(integer(1)), extent);
    return repeated(std::move(block), size_t(integer(0)),
                    inBytes ? made.addresses[0] : MPI_Aint(integer(2)) * extent);
  }
  case MPI_COMBINER_SUBARRAY:
    return subarray(made);
  default:
    return std::nullopt;
  }
}

} // namespace

std::optional<Rows> rowsOf(MPI_Datatype type, size_t count) {
  const Found shape = repeated(shapeOf(type), count, extentOf(type));
  if (!shape || shape->repeats.size() > 2 || shape->repeats.empty())
    return std::nullopt;
  Rows rows;
  rows.bytes = size_t(shape->block);
  const Repeat &inner = shape->repeats.back();
  rows.count = inner.count;
  rows.stride = size_t(inner.stride);
  if (shape->repeats.size() == 2) {
    rows.planes = shape->repeats[0].count;
    rows.planeStride = size_t(shape->repeats[0].stride);
  }
  return rows;
}

} // namespace acis::device
