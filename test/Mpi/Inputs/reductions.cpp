// Allreduce, Reduce, Scan, Exscan, Reduce_scatter and Reduce_scatter_block: all
// operations on all types, several counts, in place and not, blocking and not.
// usage: reductions [largest count]
#include "Check.h"

#include <complex>

using namespace check;

namespace {

enum class Numbers { Integer, Unsigned, Boolean, Float, Double, ComplexFloat, ComplexDouble, Pair };

struct Type {
  const char *name;
  MPI_Datatype type;
  size_t bytes;
  Numbers numbers;
};

const std::vector<Type> &types() {
  using Numbers::Integer;
  static const std::vector<Type> all = {
      {"char", MPI_SIGNED_CHAR, 1, Integer},
      {"unsigned char", MPI_UNSIGNED_CHAR, 1, Numbers::Unsigned},
      {"short", MPI_SHORT, 2, Integer},
      {"unsigned short", MPI_UNSIGNED_SHORT, 2, Numbers::Unsigned},
      {"int", MPI_INT, 4, Integer},
      {"unsigned", MPI_UNSIGNED, 4, Numbers::Unsigned},
      {"long", MPI_LONG, 8, Integer},
      {"unsigned long", MPI_UNSIGNED_LONG, 8, Numbers::Unsigned},
      {"long long", MPI_LONG_LONG, 8, Integer},
      {"int8", MPI_INT8_T, 1, Integer},
      {"uint8", MPI_UINT8_T, 1, Numbers::Unsigned},
      {"int16", MPI_INT16_T, 2, Integer},
      {"uint16", MPI_UINT16_T, 2, Numbers::Unsigned},
      {"int32", MPI_INT32_T, 4, Integer},
      {"uint32", MPI_UINT32_T, 4, Numbers::Unsigned},
      {"int64", MPI_INT64_T, 8, Integer},
      {"uint64", MPI_UINT64_T, 8, Numbers::Unsigned},
      {"byte", MPI_BYTE, 1, Integer},
      {"bool", MPI_C_BOOL, 1, Numbers::Boolean},
      {"float", MPI_FLOAT, 4, Numbers::Float},
      {"double", MPI_DOUBLE, 8, Numbers::Double},
      {"complex", MPI_C_FLOAT_COMPLEX, 8, Numbers::ComplexFloat},
      {"double complex", MPI_C_DOUBLE_COMPLEX, 16, Numbers::ComplexDouble},
      {"float int", MPI_FLOAT_INT, 8, Numbers::Pair},
      {"double int", MPI_DOUBLE_INT, 16, Numbers::Pair},
      {"long int", MPI_LONG_INT, 16, Numbers::Pair},
      {"short int", MPI_SHORT_INT, 8, Numbers::Pair},
      {"2int", MPI_2INT, 8, Numbers::Pair},
  };
  return all;
}

struct Op {
  const char *name;
  MPI_Op op;
  enum { Arithmetic, Order, Logical, Bitwise, Location } group;
};

const std::vector<Op> &operations() {
  static const std::vector<Op> all = {
      {"sum", MPI_SUM, Op::Arithmetic},     {"prod", MPI_PROD, Op::Arithmetic},
      {"min", MPI_MIN, Op::Order},          {"max", MPI_MAX, Op::Order},
      {"land", MPI_LAND, Op::Logical},      {"lor", MPI_LOR, Op::Logical},
      {"lxor", MPI_LXOR, Op::Logical},      {"band", MPI_BAND, Op::Bitwise},
      {"bor", MPI_BOR, Op::Bitwise},        {"bxor", MPI_BXOR, Op::Bitwise},
      {"minloc", MPI_MINLOC, Op::Location}, {"maxloc", MPI_MAXLOC, Op::Location}};
  return all;
}

/// MPI-3.1 section 5.9.2.
bool defined(const Op &op, const Type &type) {
  switch (type.numbers) {
  case Numbers::Integer:
  case Numbers::Unsigned:
    return type.type == MPI_BYTE ? op.group == Op::Bitwise : op.group != Op::Location;
  case Numbers::Boolean:
    return op.group == Op::Logical;
  case Numbers::Float:
  case Numbers::Double:
    return op.group == Op::Arithmetic || op.group == Op::Order;
  case Numbers::ComplexFloat:
  case Numbers::ComplexDouble:
    return op.group == Op::Arithmetic;
  case Numbers::Pair:
    return op.group == Op::Location;
  }
  return false;
}

template <typename T> void put(char *at, T value) { std::memcpy(at, &value, sizeof value); }

template <typename Value> void putPair(char *at, Random &random) {
  struct {
    Value value;
    int index;
  } pair;
  std::memset(&pair, 0, sizeof pair);
  pair.value = Value(random.below(5)); // ties are likely
  pair.index = random.below(100);
  std::memcpy(at, &pair, sizeof pair);
}

/// Sums and products of integers stay small: MPI says nothing of overflow, and Open MPI's
/// vector code saturates where its scalar code wraps round. Unsigned numbers leave their
/// top bit clear: MPICH 4.0 and Open MPI 4.1 order some of those types as if signed.
void putElement(const Type &type, bool small, char *at, Random &random) {
  double number = (random.below(2001) - 1000) / 500.0;
  switch (type.numbers) {
  case Numbers::Integer:
  case Numbers::Unsigned: {
    uint64_t bits = random.below(4) == 0 ? 0 : small ? random.below(3) : random.next();
    if (type.numbers == Numbers::Unsigned)
      bits &= (uint64_t(1) << (8 * type.bytes - 1)) - 1;
    std::memcpy(at, &bits, type.bytes);
    return;
  }
  case Numbers::Boolean:
    return put(at, random.below(2) == 1);
  case Numbers::Float:
    return put(at, float(number));
  case Numbers::Double:
    return put(at, number);
  case Numbers::ComplexFloat:
    return put(at, std::complex<float>(float(number), 0.25f));
  case Numbers::ComplexDouble:
    return put(at, std::complex<double>(number, -0.5));
  case Numbers::Pair:
    if (type.type == MPI_FLOAT_INT)
      return putPair<float>(at, random);
    if (type.type == MPI_DOUBLE_INT)
      return putPair<double>(at, random);
    if (type.type == MPI_LONG_INT)
      return putPair<long>(at, random);
    if (type.type == MPI_SHORT_INT)
      return putPair<short>(at, random);
    return putPair<int>(at, random);
  }
}

template <typename T> bool near(const char *a, const char *b, size_t bytes) {
  for (size_t at = 0; at < bytes; at += sizeof(T)) {
    T x, y;
    std::memcpy(&x, a + at, sizeof x);
    std::memcpy(&y, b + at, sizeof y);
    if (!(std::fabs(x - y) <= T(64) * std::numeric_limits<T>::epsilon() * (1 + std::fabs(y))))
      return false;
  }
  return true;
}

/// Bytes of a pair's value; the index follows, the rest is padding that nobody defines.
size_t valueBytes(MPI_Datatype type) {
  return type == MPI_SHORT_INT ? sizeof(short) : type == MPI_FLOAT_INT || type == MPI_2INT ? 4 : 8;
}

void clearPadding(const Type &type, Buffer &buffer) {
  size_t value = valueBytes(type.type), index = value < 4 ? 4 : value;
  for (size_t at = 0; at < buffer.size(); at += type.bytes) {
    std::memset(buffer.data() + at + value, 0, index - value);
    std::memset(buffer.data() + at + index + 4, 0, type.bytes - index - 4);
  }
}

void compare(const Type &type, Buffer &ours, Buffer &theirs, const std::string &what) {
  switch (type.numbers) {
  case Numbers::Float:
  case Numbers::ComplexFloat:
    return require(near<float>(ours.data(), theirs.data(), ours.size()), what);
  case Numbers::Double:
  case Numbers::ComplexDouble:
    return require(near<double>(ours.data(), theirs.data(), ours.size()), what);
  case Numbers::Pair:
    clearPadding(type, ours);
    clearPadding(type, theirs);
    [[fallthrough]];
  default:
    return same(ours, theirs, what);
  }
}

struct Case {
  const Type &type;
  const Op &op;
  int count;
  bool inPlace, blocking;
};

int wait(int code, MPI_Request *request) {
  return code == MPI_SUCCESS ? MPI_Wait(request, MPI_STATUS_IGNORE) : code;
}

enum Collective { Allreduce, Reduce, Scan, Exscan, ScatterBlock, Scatter, NumCollectives };
const char *const names[] = {"Allreduce",     "Reduce", "Scan", "Exscan", "Reduce_scatter_block",
                             "Reduce_scatter"};

/// Runs one with MPI_ (`plain` false) or PMPI_.
int run(Collective collective, const Case &c, bool plain, const void *send, void *recv, int root,
        const int *counts, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Datatype type = c.type.type;
  MPI_Op op = c.op.op;
  int n = c.count;
  switch (collective) {
  case Allreduce:
    return plain        ? PMPI_Allreduce(send, recv, n, type, op, comm)
           : c.blocking ? MPI_Allreduce(send, recv, n, type, op, comm)
                        : wait(MPI_Iallreduce(send, recv, n, type, op, comm, &request), &request);
  case Reduce:
    return plain ? PMPI_Reduce(send, recv, n, type, op, root, comm)
           : c.blocking
               ? MPI_Reduce(send, recv, n, type, op, root, comm)
               : wait(MPI_Ireduce(send, recv, n, type, op, root, comm, &request), &request);
  case Scan:
    return plain        ? PMPI_Scan(send, recv, n, type, op, comm)
           : c.blocking ? MPI_Scan(send, recv, n, type, op, comm)
                        : wait(MPI_Iscan(send, recv, n, type, op, comm, &request), &request);
  case Exscan:
    return plain        ? PMPI_Exscan(send, recv, n, type, op, comm)
           : c.blocking ? MPI_Exscan(send, recv, n, type, op, comm)
                        : wait(MPI_Iexscan(send, recv, n, type, op, comm, &request), &request);
  case ScatterBlock:
    return plain ? PMPI_Reduce_scatter_block(send, recv, n, type, op, comm)
           : c.blocking
               ? MPI_Reduce_scatter_block(send, recv, n, type, op, comm)
               : wait(MPI_Ireduce_scatter_block(send, recv, n, type, op, comm, &request), &request);
  default:
    return plain ? PMPI_Reduce_scatter(send, recv, counts, type, op, comm)
           : c.blocking
               ? MPI_Reduce_scatter(send, recv, counts, type, op, comm)
               : wait(MPI_Ireduce_scatter(send, recv, counts, type, op, comm, &request), &request);
  }
}

void test(Collective collective, const Case &c, int root, MPI_Comm comm) {
  int rank = rankOf(comm), size = sizeOf(comm);
  std::vector<int> counts(size);
  int sent = c.count;
  if (collective == ScatterBlock)
    sent = c.count * size;
  if (collective == Scatter) {
    sent = 0;
    for (int r = 0; r < size; ++r)
      sent += counts[r] = (c.count + r) % 7 * (c.count != 0);
  }
  Random random(uint64_t(rank) * 1000 + c.count);
  Buffer input(sent * c.type.bytes, 0);
  for (int i = 0; i < sent; ++i)
    putElement(c.type, c.op.group == Op::Arithmetic, input.data() + i * c.type.bytes, random);
  // In place all ranks but those of Reduce that are not the root give the receive buffer.
  bool inPlace = c.inPlace && !(collective == Reduce && rank != root);
  Buffer ours = inPlace ? input : Buffer(input.size()), theirs = ours;
  const void *send = inPlace ? MPI_IN_PLACE : input.data();
  run(collective, c, /*plain=*/false, send, ours.data(), root, counts.data(), comm);
  run(collective, c, /*plain=*/true, send, theirs.data(), root, counts.data(), comm);
  // What MPI does not define: the buffer of position 0 after Exscan, and what lies behind
  // this rank's part after an in-place Reduce_scatter.
  if (collective == Exscan && rank == 0)
    return;
  size_t defined = input.size();
  if (collective == Scatter || collective == ScatterBlock)
    defined = (collective == Scatter ? counts[rank] : c.count) * c.type.bytes;
  if (inPlace && defined != input.size()) {
    Buffer oursPart(defined), theirsPart(defined);
    std::memcpy(oursPart.data(), ours.data(), defined);
    std::memcpy(theirsPart.data(), theirs.data(), defined);
    ours = oursPart;
    theirs = theirsPart;
  }
  compare(c.type, ours, theirs,
          std::string(names[collective]) + " " + c.op.name + " of " + std::to_string(c.count) +
              " " + c.type.name + (c.inPlace ? " in place" : "") +
              (c.blocking ? "" : " non-blocking") + " root " + std::to_string(root));
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int largest = argc > 1 ? std::atoi(argv[1]) : 700;
  int every = argc > 2 ? std::atoi(argv[2]) : 1; // of the cases
  int number = 0;
  for (const Type &type : types())
    for (const Op &op : operations())
      for (int collective = 0; defined(op, type) && collective < NumCollectives; ++collective)
        for (int count : {0, 1, 5, largest}) {
          if (++number % every != 0)
            continue;
          Case c{type, op, count, number % 3 == 0, number % 2 == 0};
          test(Collective(collective), c, number % sizeOf(MPI_COMM_WORLD), MPI_COMM_WORLD);
        }
  return finish();
}
