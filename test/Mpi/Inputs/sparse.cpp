// Sums of sparse vectors: the same as those of dense ones by MPI, for values whose sums are exact;
// a hash of the bits of others is written to FILE.RANK, to be compared between ways to do it.
// usage: sparse FILE
#include "Check.h"

#include "runtime/host/mpi/acis_mpi.h"
#pragma weak ACIS_Sparse_allreduce

#include <algorithm>
#include <set>

using namespace check;

namespace {

struct Case {
  const char *name;
  int length, most; ///< entries of a rank
  bool isShared;    ///< ranks have the same indices
  bool isUneven;    ///< one rank has nearly all
  bool isDense;     ///< all of them lie close together
};
constexpr Case cases[] = {
    {"none", 100, 0, false, false, false},          {"few", 1'000'000, 5, false, false, false},
    {"same", 5000, 300, true, false, false},        {"many", 2'000'000, 9000, false, false, false},
    {"close", 2'000'000, 4000, false, false, true}, {"uneven", 500'000, 6000, false, true, false},
    {"full", 3000, 3000, false, false, false},      {"one", 1, 1, true, false, false},
};

std::vector<int> indicesOf(const Case &c, int rank, int size) {
  Random random(c.isShared ? 17 : 1000 + rank);
  int number = c.most;
  if (c.isUneven)
    number = rank == size - 1 ? c.most : 2;
  else if (!c.isShared && number > 10)
    number -= random.below(number / 3);
  const int limit = c.isDense ? std::min(c.length, 3 * c.most) : c.length;
  std::set<int> chosen;
  if (number >= limit)
    for (int i = 0; i < limit; ++i)
      chosen.insert(i);
  while (int(chosen.size()) < number)
    chosen.insert(c.length - limit + random.below(limit));
  return {chosen.begin(), chosen.end()};
}

/// Exact sums: whole numbers.
template <typename T> void exact(const Case &c, MPI_Datatype type, MPI_Comm comm) {
  const int rank = rankOf(comm), size = sizeOf(comm);
  const std::vector<int> indices = indicesOf(c, rank, size);
  Random random(rank + 5);
  std::vector<T> values, dense(c.length, 0), sums(c.length);
  std::vector<unsigned char> has(c.length, 0), any(c.length);
  for (int index : indices) {
    values.push_back(T(random.below(2001) - 1000));
    dense[index] = values.back();
    has[index] = 1;
  }
  PMPI_Allreduce(dense.data(), sums.data(), c.length, type, MPI_SUM, comm);
  PMPI_Allreduce(has.data(), any.data(), c.length, MPI_UNSIGNED_CHAR, MPI_BOR, comm);
  std::vector<int> expected;
  for (int i = 0; i < c.length; ++i)
    if (any[i])
      expected.push_back(i);
  const int room = int(expected.size());
  std::vector<int> got(room + 1, -7);
  std::vector<T> gotValues(room + 1, T(-7));
  int number = -1;
  const int code =
      ACIS_Sparse_allreduce(indices.data(), values.data(), int(indices.size()), c.length, type,
                            got.data(), gotValues.data(), room, &number, comm);
  require(code == MPI_SUCCESS && number == room, std::string(c.name) + ": length of the result");
  require(got[room] == -7 && gotValues[room] == T(-7), std::string(c.name) + ": end of the result");
  bool good = true;
  for (int i = 0; i < room; ++i)
    good &= got[i] == expected[i] && gotValues[i] == sums[expected[i]];
  require(good, std::string(c.name) + " differs from a dense sum");
}

/// Sums that depend on their order.
void bits(const Case &c, std::FILE *out) {
  const std::vector<int> indices = indicesOf(c, rankOf(MPI_COMM_WORLD), sizeOf(MPI_COMM_WORLD));
  Random random(rankOf(MPI_COMM_WORLD) + 50);
  std::vector<double> values;
  for (size_t i = 0; i < indices.size(); ++i)
    values.push_back(1.0 / (1 + random.below(1000)) - 0.3);
  const int room = int(indices.size() + 1) * 16 + 40'000;
  std::vector<int> got(room);
  std::vector<double> sums(room);
  int number = 0;
  ACIS_Sparse_allreduce(indices.data(), values.data(), int(indices.size()), c.length, MPI_DOUBLE,
                        got.data(), sums.data(), room, &number, MPI_COMM_WORLD);
  uint64_t hash = 1469598103934665603u;
  for (int i = 0; i < number; ++i) {
    uint64_t word = 0;
    std::memcpy(&word, &sums[i], 8);
    hash = ((hash ^ word) * 1099511628211u ^ uint64_t(got[i])) * 1099511628211u;
  }
  std::fprintf(out, "%s %d %016llx\n", c.name, number, (unsigned long long)hash);
}

/// What one rank cannot take is an error there, and the others go on.
void tooSmall() {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  const int rank = rankOf(comm), size = sizeOf(comm);
  std::vector<int> got(size);
  std::vector<float> sums(size);
  const float value = 1;
  int number = 0;
  const int room = rank == 0 ? size - 1 : size;
  const int code = ACIS_Sparse_allreduce(&rank, &value, 1, size, MPI_FLOAT, got.data(), sums.data(),
                                         room, &number, comm);
  require((code == MPI_SUCCESS) == (rank != 0), "a result without room is an error");
  require(number == size, "the length of a result that has no room");
  const int twice[] = {1, 1};
  const float two[] = {1, 1};
  if (size == 1)
    require(ACIS_Sparse_allreduce(twice, two, 2, 5, MPI_FLOAT, got.data(), sums.data(), room,
                                  &number, comm) != MPI_SUCCESS,
            "the same index twice");
  MPI_Comm_free(&comm);
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm part;
  MPI_Comm_split(MPI_COMM_WORLD, rankOf(MPI_COMM_WORLD) % 2, 0, &part);
  const std::string path =
      std::string(argc > 1 ? argv[1] : "sparse") + "." + std::to_string(rankOf(MPI_COMM_WORLD));
  std::FILE *out = std::fopen(path.c_str(), "w");
  for (const Case &c : cases) {
    exact<int>(c, MPI_INT, MPI_COMM_WORLD);
    exact<double>(c, MPI_DOUBLE, MPI_COMM_WORLD);
    exact<float>(c, MPI_FLOAT, part);
    exact<int64_t>(c, MPI_INT64_T, part);
    bits(c, out);
  }
  std::fclose(out);
  tooSmall();
  MPI_Comm_free(&part);
  return finish();
}
