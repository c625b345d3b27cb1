// What the arguments of each collective mean on each rank, by one process: nothing is sent. Also
// those that mean nothing on a rank, which may be anything.
#include "runtime/host/mpi/interpose/Call.h"
#include "runtime/host/mpi/interpose/Operators.h"
#include "runtime/host/mpi/interpose/Varying.h"

#include <gtest/gtest.h>

#include <climits>
#include <cstddef>
#include <cstdlib>
#include <cstring>

using namespace acis;
using namespace acis::mpi;

namespace {

MPI_Op compiled = MPI_OP_NULL; ///< a user's operation that has a compiled handler
constexpr uint64_t Handle = 7;

} // namespace

const uint64_t *acis::mpi::findOperator(MPI_Op op) { return op == compiled ? &Handle : nullptr; }

namespace {

void nothing(void *, void *, int *, MPI_Datatype *) {}

/// One process is MPI enough for types and operations.
class Mpi : public testing::Environment {
  void SetUp() override {
    setenv("OMPI_MCA_ess_singleton_isolated", "1", 0); // Open MPI: without a daemon
    MPI_Init(nullptr, nullptr);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Op_create(nothing, 0, &compiled);
  }
  void TearDown() override {
    MPI_Op_free(&compiled);
    MPI_Finalize();
  }
};
[[maybe_unused]] testing::Environment *const mpi = testing::AddGlobalTestEnvironment(new Mpi);

constexpr int Size = 4;
/// Of an argument that must not be looked at: as a type it is none, as an address nobody's.
const MPI_Datatype NoType = MPI_DATATYPE_NULL;
void *const Garbage = reinterpret_cast<void *>(intptr_t(0xdead));
const BufferArgument Nonsense = {Garbage, -3, NoType};

int a[256], b[256];

/// Of kinds whose arguments name one count and type.
Arguments reduction(Kind kind, const void *send, const void *recv, int count,
                    MPI_Datatype type = MPI_INT, MPI_Op op = MPI_SUM, int root = 0) {
  return {.kind = kind,
          .name = "MPI_Test",
          .site = nullptr,
          .comm = MPI_COMM_SELF,
          .send = {send, count, type},
          .recv = {recv, count, type},
          .op = op,
          .root = root};
}

Arguments movement(Kind kind, BufferArgument send, BufferArgument recv, int root = 0) {
  Arguments given = reduction(kind, nullptr, nullptr, 0, NoType, MPI_OP_NULL, root);
  given.send = send;
  given.recv = recv;
  return given;
}

Arguments split(const void *send, const void *recv, const int *counts) {
  Arguments given = reduction(Kind::ReduceScatter, send, recv, 0);
  given.counts = counts;
  return given;
}

Reason reasonOf(const Arguments &given, int rank = 0) {
  return normalise(given, rank, Size).reason;
}

/// "unused", "in place" or "items at address", for comparison.
struct Expected {
  bool isUsed = false, isInPlace = false;
  const void *at = nullptr;
  uint64_t items = 0;
};
const Expected Unused;

void expectMessage(const Message &is, const Expected &expected) {
  EXPECT_EQ(is.isUsed, expected.isUsed);
  EXPECT_EQ(is.isInPlace, expected.isInPlace);
  EXPECT_EQ(is.at, expected.at);
  EXPECT_EQ(is.items, expected.items);
}

void expectCall(const Arguments &given, int rank, uint64_t count, const Expected &give,
                const Expected &take) {
  SCOPED_TRACE(std::string(nameOf(given.kind)) + " on rank " + std::to_string(rank));
  const Call call = normalise(given, rank, Size);
  ASSERT_EQ(call.reason, Reason::Offloaded);
  EXPECT_EQ(call.collective.kind, given.kind);
  EXPECT_EQ(call.collective.root, uint32_t(given.root));
  EXPECT_EQ(call.collective.count, count);
  EXPECT_EQ(call.bytes, count * bytesOf(call.collective.type));
  EXPECT_FALSE(call.isRefused);
  expectMessage(call.give, give);
  expectMessage(call.take, take);
}

TEST(Call, ReductionsHaveOneBlock) {
  for (Kind kind : {Kind::Allreduce, Kind::Scan, Kind::Exscan}) {
    expectCall(reduction(kind, a, b, 5), 2, 5, {true, false, a, 5}, {true, false, b, 5});
    expectCall(reduction(kind, MPI_IN_PLACE, b, 5), 2, 5, {true, true, b, 5}, {true, false, b, 5});
  }
  expectCall(reduction(Kind::ReduceScatterBlock, a, b, 5), 2, 5, {true, false, a, 20},
             {true, false, b, 5});
  expectCall(reduction(Kind::ReduceScatterBlock, MPI_IN_PLACE, b, 5), 2, 5, {true, true, b, 20},
             {true, false, b, 5});
}

TEST(Call, ReduceLooksAtTheResultOfTheRootOnly) {
  for (void *result : {static_cast<void *>(nullptr), Garbage, static_cast<void *>(a), MPI_IN_PLACE})
    expectCall(reduction(Kind::Reduce, a, result, 5, MPI_INT, MPI_SUM, 3), 1, 5,
               {true, false, a, 5}, Unused);
  expectCall(reduction(Kind::Reduce, a, b, 5, MPI_INT, MPI_SUM, 3), 3, 5, {true, false, a, 5},
             {true, false, b, 5});
  expectCall(reduction(Kind::Reduce, MPI_IN_PLACE, b, 5, MPI_INT, MPI_SUM, 3), 3, 5,
             {true, true, b, 5}, {true, false, b, 5});
  EXPECT_EQ(reasonOf(reduction(Kind::Reduce, MPI_IN_PLACE, b, 5, MPI_INT, MPI_SUM, 3), 1),
            Reason::Refused);
}

TEST(Call, ReduceScatterHasACountForEachRank) {
  const int counts[Size] = {3, 0, 2, 1};
  for (const void *send : {static_cast<const void *>(a), static_cast<const void *>(MPI_IN_PLACE)}) {
    const bool inPlace = send == MPI_IN_PLACE;
    expectCall(split(send, b, counts), 2, 6, {true, inPlace, inPlace ? b : a, 6},
               {true, false, b, 2});
  }
  const Call call = normalise(split(a, b, counts), 1, Size);
  EXPECT_EQ(call.take.items, 0u);
  ASSERT_EQ(call.collective.counts.size(), size_t(Size));
  EXPECT_EQ(call.collective.counts[0], 3u);
  const int negative[Size] = {3, 0, -1, 1}, none[Size] = {};
  EXPECT_EQ(reasonOf(split(a, b, negative)), Reason::Refused);
  EXPECT_EQ(reasonOf(split(a, b, nullptr)), Reason::Refused);
  EXPECT_EQ(reasonOf(split(nullptr, nullptr, none)), Reason::Empty);
}

TEST(Call, CountsOfADescriptionThatIsMovedAreItsOwn) {
  const int counts[Size] = {3, 0, 2, 1};
  Call first = normalise(split(a, b, counts), 0, Size);
  const Call second = std::move(first);
  EXPECT_EQ(second.collective.counts.data(), second.counts.data());
  EXPECT_EQ(second.collective.counts[2], 2u);
}

TEST(Call, BcastHasOneBuffer) {
  const BufferArgument buffer = {a, 5, MPI_INT};
  expectCall(movement(Kind::Bcast, buffer, buffer, 1), 1, 20, {true, false, a, 5}, Unused);
  expectCall(movement(Kind::Bcast, buffer, buffer, 1), 0, 20, Unused, {true, false, a, 5});
  for (int count : {0, 5}) {
    const BufferArgument inPlace = {MPI_IN_PLACE, count, MPI_INT};
    for (int rank : {0, 1})
      EXPECT_EQ(reasonOf(movement(Kind::Bcast, inPlace, inPlace, 1), rank), Reason::Refused);
  }
}

TEST(Call, GatherLooksAtTheResultOfTheRootOnly) {
  const BufferArgument block = {a, 5, MPI_INT}, all = {b, 5, MPI_INT};
  expectCall(movement(Kind::Gather, block, all, 2), 2, 20, {true, false, a, 5},
             {true, false, b, 20});
  expectCall(movement(Kind::Gather, block, Nonsense, 2), 1, 20, {true, false, a, 5}, Unused);
  expectCall(movement(Kind::Gather, {MPI_IN_PLACE, -3, NoType}, all, 2), 2, 20,
             {true, true, b + 10, 5}, {true, false, b, 20});
  EXPECT_EQ(reasonOf(movement(Kind::Gather, {MPI_IN_PLACE, 5, MPI_INT}, all, 2), 1),
            Reason::Refused);
  EXPECT_EQ(reasonOf(movement(Kind::Gather, block, {MPI_IN_PLACE, 5, MPI_INT}, 2), 2),
            Reason::Refused);
}

TEST(Call, ScatterLooksAtWhatIsSentAtTheRootOnly) {
  const BufferArgument all = {a, 5, MPI_INT}, block = {b, 5, MPI_INT};
  expectCall(movement(Kind::Scatter, all, block, 2), 2, 20, {true, false, a, 20},
             {true, false, b, 5});
  expectCall(movement(Kind::Scatter, Nonsense, block, 2), 1, 20, Unused, {true, false, b, 5});
  expectCall(movement(Kind::Scatter, all, {MPI_IN_PLACE, -3, NoType}, 2), 2, 20,
             {true, false, a, 20}, {true, true, a + 10, 5});
  EXPECT_EQ(reasonOf(movement(Kind::Scatter, all, {MPI_IN_PLACE, 5, MPI_INT}, 2), 1),
            Reason::Refused);
  EXPECT_EQ(reasonOf(movement(Kind::Scatter, {MPI_IN_PLACE, 5, MPI_INT}, block, 2), 2),
            Reason::Refused);
}

TEST(Call, AllgatherAndAlltoallHaveABlockOfEach) {
  const BufferArgument mine = {a, 5, MPI_INT}, result = {b, 5, MPI_INT},
                       inPlace = {MPI_IN_PLACE, -3, NoType};
  expectCall(movement(Kind::Allgather, mine, result), 3, 20, {true, false, a, 5},
             {true, false, b, 20});
  expectCall(movement(Kind::Allgather, inPlace, result), 3, 20, {true, true, b + 15, 5},
             {true, false, b, 20});
  expectCall(movement(Kind::Alltoall, mine, result), 3, 20, {true, false, a, 20},
             {true, false, b, 20});
  expectCall(movement(Kind::Alltoall, inPlace, result), 3, 20, {true, true, b, 20},
             {true, false, b, 20});
  for (Kind kind : {Kind::Allgather, Kind::Alltoall}) {
    EXPECT_EQ(reasonOf(movement(kind, mine, {MPI_IN_PLACE, 5, MPI_INT})), Reason::Refused);
    EXPECT_EQ(reasonOf(movement(kind, mine, mine)), Reason::Refused);
  }
  EXPECT_EQ(reasonOf(movement(Kind::Allgather, {b + 15, 5, MPI_INT}, result), 3), Reason::Refused);
}

TEST(Call, BarrierNeedsNothing) {
  const Call call = normalise(movement(Kind::Barrier, {}, {}), 1, Size);
  EXPECT_EQ(call.reason, Reason::Offloaded);
  EXPECT_EQ(call.bytes, 0u);
  EXPECT_FALSE(call.give.isUsed || call.take.isUsed);
}

/// The roots of an intercommunicator are no ranks, either.
TEST(Call, RootsAreRanks) {
  const BufferArgument buffer = {a, 5, MPI_INT}, other = {b, 5, MPI_INT};
  for (int root : {-1, Size, INT_MAX, int(MPI_PROC_NULL), int(MPI_ROOT), int(MPI_ANY_SOURCE)}) {
    EXPECT_EQ(reasonOf(reduction(Kind::Reduce, a, b, 5, MPI_INT, MPI_SUM, root)), Reason::Refused);
    for (Kind kind : {Kind::Bcast, Kind::Gather, Kind::Scatter})
      EXPECT_EQ(reasonOf(movement(kind, buffer, kind == Kind::Bcast ? buffer : other, root)),
                Reason::Refused);
  }
}

TEST(Call, NothingToSendIsEmptyWhateverTheBuffersAre) {
  for (Kind kind : {Kind::Allreduce, Kind::Reduce, Kind::Scan, Kind::ReduceScatterBlock})
    EXPECT_EQ(reasonOf(reduction(kind, nullptr, nullptr, 0)), Reason::Empty);
  EXPECT_EQ(reasonOf(reduction(Kind::Allreduce, a, a, 0)), Reason::Empty);
  MPI_Datatype empty;
  MPI_Type_contiguous(0, MPI_INT, &empty);
  MPI_Type_commit(&empty);
  for (const BufferArgument &block :
       {BufferArgument{a, 0, MPI_INT}, {nullptr, 0, MPI_INT}, {nullptr, 3, empty}})
    for (Kind kind : {Kind::Bcast, Kind::Gather, Kind::Scatter, Kind::Allgather, Kind::Alltoall})
      for (int rank : {0, 1})
        EXPECT_EQ(reasonOf(movement(kind, block, {b, block.count, block.type}), rank),
                  Reason::Empty);
  const Call call = normalise(movement(Kind::Bcast, {nullptr, 3, empty}, {}), 0, Size);
  EXPECT_EQ(call.bytes, 0u);
  MPI_Type_free(&empty);
}

TEST(Call, MistakesAreRefused) {
  MPI_Datatype raw; // not committed
  MPI_Type_contiguous(2, MPI_INT, &raw);
  const BufferArgument good = {a, 1, MPI_INT};
  for (const BufferArgument &bad :
       {BufferArgument{b, -1, MPI_INT}, {b, 1, MPI_DATATYPE_NULL}, {b, 1, raw}})
    for (Kind kind : {Kind::Gather, Kind::Scatter, Kind::Allgather, Kind::Alltoall}) {
      EXPECT_EQ(reasonOf(movement(kind, good, bad)), Reason::Refused);
      EXPECT_EQ(reasonOf(movement(kind, bad, good)), Reason::Refused);
    }
  MPI_Type_free(&raw);
  EXPECT_EQ(reasonOf(reduction(Kind::Allreduce, a, b, -1)), Reason::Refused);
  EXPECT_EQ(reasonOf(reduction(Kind::Allreduce, a, a, 1)), Reason::Refused);
  EXPECT_EQ(reasonOf(reduction(Kind::Allreduce, nullptr, b, 1)), Reason::Refused);
  EXPECT_EQ(reasonOf(reduction(Kind::Allreduce, a, nullptr, 1)), Reason::Refused);
  EXPECT_EQ(reasonOf(reduction(Kind::Allreduce, a, b, 1, MPI_INT, MPI_OP_NULL)), Reason::Refused);
}

TEST(Call, ReductionsAreOfElements) {
  struct Case {
    MPI_Datatype type;
    MPI_Op op;
    Reason reason;
    ElementType element;
    uint64_t bytes; ///< of three items
  };
  MPI_Datatype four, strided;
  MPI_Type_contiguous(4, MPI_DOUBLE, &four);
  MPI_Type_vector(2, 1, 2, MPI_INT, &strided);
  MPI_Type_commit(&four);
  MPI_Type_commit(&strided);
  MPI_Op unknown;
  MPI_Op_create(nothing, 1, &unknown);
  for (const Case &each : {
           Case{MPI_DOUBLE, MPI_MAX, Reason::Offloaded, ElementType::Float64, 24},
           {MPI_DOUBLE_INT, MPI_MINLOC, Reason::Offloaded, ElementType::Float64Int, 48},
           {four, compiled, Reason::Offloaded, ElementType::Float64, 96},
           {four, MPI_SUM, Reason::Type, {}, 0},
           {strided, compiled, Reason::Offloaded, ElementType::Int32, 24},
           {strided, MPI_SUM, Reason::Type, {}, 0},
           {MPI_CHAR, MPI_SUM, Reason::Offloaded, ElementType::Int8, 3},
           {MPI_LONG_DOUBLE, compiled, Reason::Type, {}, 0},
           {MPI_LONG_DOUBLE, MPI_SUM, Reason::Type, {}, 0},
           {MPI_FLOAT, MPI_BAND, Reason::Operator, {}, 0},
           {MPI_INT, MPI_REPLACE, Reason::Operator, {}, 0},
           {MPI_C_BOOL, MPI_SUM, Reason::Operator, {}, 0}, // as elements they have sums
           {MPI_INT, unknown, Reason::UserOperator, {}, 0},
       }) {
    const Call call = normalise(reduction(Kind::Allreduce, a, b, 3, each.type, each.op), 0, Size);
    EXPECT_EQ(call.reason, each.reason);
    EXPECT_EQ(call.bytes, each.bytes);
    if (each.reason != Reason::Offloaded)
      continue;
    EXPECT_EQ(call.collective.type, each.element);
    EXPECT_EQ(call.collective.count * bytesOf(each.element), each.bytes);
    EXPECT_EQ(call.collective.operatorHandle, each.op == compiled ? Handle : 0);
    EXPECT_EQ(call.collective.commutative, each.op != compiled);
    EXPECT_EQ(call.give.layout.packed, each.type != strided);
    EXPECT_EQ(bool(call.give.form), each.type == strided);
    EXPECT_EQ(call.give.bytes(), each.bytes);
  }
  const int counts[Size] = {3, 0, 2, 1};
  Arguments parts = split(a, b, counts);
  parts.send.type = parts.recv.type = four;
  parts.op = compiled;
  const Call call = normalise(parts, 0, Size);
  EXPECT_EQ(call.collective.count, 24u);
  EXPECT_EQ(call.collective.counts[2], 8u);
  EXPECT_EQ(call.take.items, 3u);
  MPI_Op_free(&unknown);
  MPI_Type_free(&four);
  MPI_Type_free(&strided);
}

struct Pair {
  double value;
  int where;
};

/// A handler gets what C makes of the members, wherever they are in memory.
TEST(Items, HaveOneFormWhateverTheirLayout) {
  const int ones[] = {1, 1};
  const MPI_Datatype members[] = {MPI_DOUBLE, MPI_INT};
  const MPI_Aint asInC[] = {0, offsetof(Pair, where)}, apart[] = {24, 8};
  for (const MPI_Aint *at : {asInC, apart}) {
    MPI_Datatype open, pair;
    MPI_Type_create_struct(2, ones, at, members, &open);
    MPI_Type_create_resized(open, 0, at == asInC ? 16 : 40, &pair);
    MPI_Type_commit(&pair);
    const std::optional<ItemForm> form = formOf(pair);
    ASSERT_TRUE(form);
    EXPECT_EQ(form->type, ElementType::Uint8);
    EXPECT_EQ(form->bytes(), 16u);
    EXPECT_FALSE(form->isDense); // 4 bytes that are no member's
    uint8_t memory[80], back[80];
    Pair forms[2];
    for (size_t i = 0; i < sizeof memory; ++i)
      memory[i] = uint8_t(3 * i + 1), back[i] = 0xee;
    form->gather(memory, 2, reinterpret_cast<uint8_t *>(forms));
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(std::memcmp(&forms[i].value, memory + i * form->extent + at[0], 8), 0);
      EXPECT_EQ(std::memcmp(&forms[i].where, memory + i * form->extent + at[1], 4), 0);
      EXPECT_EQ(reinterpret_cast<uint32_t *>(&forms[i])[3], 0u);
    }
    form->scatter(reinterpret_cast<const uint8_t *>(forms), 2, back);
    for (int64_t i = 0; i < int64_t(sizeof back); ++i) {
      const int64_t in = i % form->extent;
      const bool isMember = i < 2 * form->extent &&
                            ((in >= at[0] && in < at[0] + 8) || (in >= at[1] && in < at[1] + 4));
      EXPECT_EQ(back[i], isMember ? memory[i] : 0xee) << i;
    }
    MPI_Type_free(&open);
    MPI_Type_free(&pair);
  }
}

/// Members lie where MPI_Pack takes them from, in its order, for each way to make a type.
TEST(Items, AreOfTheSignature) {
  const int lengths[] = {2, 1, 3}, places[] = {7, 0, 3}, sizes[] = {3, 4}, parts[] = {2, 2},
            from[] = {1, 1};
  const MPI_Aint bytes[] = {40, 0, 16};
  MPI_Datatype made[12], row;
  int n = 0;
  MPI_Type_contiguous(3, MPI_INT, &row);
  MPI_Type_dup(row, &made[n++]);
  MPI_Type_vector(3, 2, 3, MPI_INT, &made[n++]);
  MPI_Type_vector(2, 1, 2, row, &made[n++]);
  MPI_Type_create_hvector(3, 1, 20, row, &made[n++]);
  MPI_Type_indexed(3, lengths, places, MPI_INT, &made[n++]);
  MPI_Type_create_hindexed(3, lengths, bytes, MPI_INT, &made[n++]);
  MPI_Type_create_indexed_block(3, 2, places, MPI_INT, &made[n++]);
  MPI_Type_create_hindexed_block(3, 2, bytes, MPI_INT, &made[n++]);
  MPI_Type_create_subarray(2, sizes, parts, from, MPI_ORDER_C, MPI_INT, &made[n++]);
  MPI_Type_create_subarray(2, sizes, parts, from, MPI_ORDER_FORTRAN, row, &made[n++]);
  MPI_Type_create_resized(made[1], 0, 64, &made[n++]);
  const MPI_Datatype inner[] = {made[1], row, MPI_INT};
  MPI_Type_create_struct(3, lengths, (const MPI_Aint[]){0, 80, 100}, inner, &made[n++]);
  for (int i = 0; i < n; ++i) {
    MPI_Type_commit(&made[i]);
    const std::optional<ItemForm> form = formOf(made[i]);
    ASSERT_TRUE(form) << i;
    int memory[256], packed[256], position = 0;
    std::vector<int> forms(form->elements);
    for (int k = 0; k < 256; ++k)
      memory[k] = k;
    MPI_Pack(memory, 1, made[i], packed, sizeof packed, &position, MPI_COMM_SELF);
    form->gather(memory, 1, reinterpret_cast<uint8_t *>(forms.data()));
    EXPECT_EQ(form->type, ElementType::Int32) << i;
    EXPECT_EQ(position, int(4 * forms.size())) << i;
    EXPECT_EQ(std::memcmp(forms.data(), packed, 4 * forms.size()), 0) << i;
    MPI_Type_free(&made[i]);
  }
  MPI_Type_free(&row);
}

TEST(Items, MayHaveNoForm) {
  MPI_Datatype none, many, far;
  MPI_Type_contiguous(0, MPI_INT, &none);
  MPI_Type_contiguous(65'537, MPI_CHAR, &many);
  MPI_Type_contiguous(2, MPI_LONG_DOUBLE, &far);
  for (MPI_Datatype *type : {&none, &many, &far}) {
    EXPECT_FALSE(formOf(*type));
    MPI_Type_free(type);
  }
}

/// Count, datatype and layout may differ between ranks, the bytes of the signature may not.
TEST(Call, MovementsAreOfTheSignaturesBytes) {
  MPI_Datatype strided; // two ints, and two gaps
  MPI_Type_vector(2, 1, 2, MPI_INT, &strided);
  MPI_Datatype resized;
  MPI_Type_create_resized(strided, 0, 16, &resized);
  MPI_Type_commit(&resized);
  const BufferArgument gaps = {a, 3, resized}, whole = {b, 6, MPI_INT};
  expectCall(movement(Kind::Gather, gaps, whole, 1), 1, 24, {true, false, a, 3},
             {true, false, b, 24});
  expectCall(movement(Kind::Gather, gaps, Nonsense, 1), 0, 24, {true, false, a, 3}, Unused);
  expectCall(movement(Kind::Allgather, {MPI_IN_PLACE, 0, NoType}, gaps), 2, 24,
             {true, true, a + 24, 3}, {true, false, a, 12});
  const Call call = normalise(movement(Kind::Gather, gaps, whole, 1), 1, Size);
  EXPECT_FALSE(call.give.layout.packed);
  EXPECT_TRUE(call.take.layout.packed);
  EXPECT_EQ(call.give.bytes() * Size, call.take.bytes());
  MPI_Type_free(&strided);
  MPI_Type_free(&resized);
}

TEST(Call, AddressesMayBeAbsolute) {
  MPI_Aint at = 0;
  MPI_Get_address(a, &at);
  const int length = 4;
  MPI_Datatype absolute;
  MPI_Type_create_hindexed(1, &length, &at, MPI_INT, &absolute);
  MPI_Type_commit(&absolute);
  expectCall(movement(Kind::Allgather, {MPI_BOTTOM, 1, absolute}, {b, 4, MPI_INT}), 1, 16,
             {true, false, nullptr, 1}, {true, false, b, 16});
  EXPECT_FALSE(
      normalise(movement(Kind::Allgather, {MPI_BOTTOM, 1, absolute}, {b, 4, MPI_INT}), 1, Size)
          .give.layout.packed);
  MPI_Type_free(&absolute);
}

TEST(Call, ARefusedRootIsWhatTheOthersTakeItFor) {
  const BufferArgument block = {a, 5, MPI_INT};
  for (const BufferArgument &bad : {BufferArgument{b, -1, MPI_INT}, Nonsense}) {
    const std::optional<Call> call = asOthersSee(movement(Kind::Gather, block, bad, 2), 2, Size);
    ASSERT_TRUE(call);
    EXPECT_TRUE(call->isRefused);
    EXPECT_EQ(call->reason, Reason::Offloaded);
    EXPECT_EQ(call->bytes, 20u);
    EXPECT_EQ(call->take.bytes(), 80u);
    EXPECT_TRUE(call->take.layout.packed);
  }
  const Arguments pairs = reduction(Kind::Reduce, a, a, 5, MPI_DOUBLE_INT, MPI_MINLOC, 2);
  EXPECT_EQ(reasonOf(pairs, 2), Reason::Refused);
  const std::optional<Call> call = asOthersSee(pairs, 2, Size);
  ASSERT_TRUE(call);
  EXPECT_EQ(call->take.bytes(), 80u); // with the gaps
  expectMessage(call->give, {true, false, a, 5});

  // Not where the others see it, where nothing says how much, and where there is more to refuse.
  EXPECT_FALSE(asOthersSee(pairs, 1, Size));
  EXPECT_FALSE(asOthersSee(reduction(Kind::Allreduce, a, a, 5), 0, Size));
  EXPECT_FALSE(asOthersSee(movement(Kind::Gather, {MPI_IN_PLACE, 5, MPI_INT}, Nonsense), 0, Size));
  EXPECT_FALSE(asOthersSee(movement(Kind::Gather, {a, -1, MPI_INT}, Nonsense), 0, Size));
  EXPECT_FALSE(asOthersSee(movement(Kind::Gather, {a, 0, MPI_INT}, Nonsense), 0, Size));
}

VaryingArguments varying(Kind kind, const Blocks &send, const Blocks &recv, int root = 0) {
  return {{.kind = kind, .name = "MPI_Test", .site = nullptr, .comm = MPI_COMM_SELF, .root = root},
          send,
          recv};
}

const int blockCounts[] = {2, 0, 5, 1}, blockPlaces[] = {10, 3, 20, 0};
const Blocks one = {a, &blockCounts[2], nullptr, MPI_INT, nullptr, false};
const Blocks each = {b, blockCounts, blockPlaces, MPI_INT};
const Blocks garbage = {Garbage, nullptr, nullptr, NoType};

TEST(Varying, OnlyTheRootHasAllBlocks) {
  const VaryingArguments gather = varying(Kind::Gather, one, each, 2);
  const VaryingCall root = readVarying(gather, 2, Size);
  EXPECT_TRUE(root.isSound);
  ASSERT_EQ(root.give.size(), 1u);
  ASSERT_EQ(root.take.size(), 4u);
  EXPECT_EQ(root.longest(), 20u);
  EXPECT_EQ(root.most(), 32u);
  EXPECT_EQ(root.take[2].at, b + 20);
  EXPECT_EQ(root.take[2].bytes(), 20u);
  const VaryingCall other = readVarying(varying(Kind::Gather, one, garbage, 2), 1, Size);
  EXPECT_TRUE(other.isSound);
  EXPECT_TRUE(other.take.empty());
  EXPECT_EQ(other.most(), 20u);
  const VaryingCall leaf = readVarying(varying(Kind::Scatter, garbage, one, 2), 3, Size);
  EXPECT_TRUE(leaf.isSound);
  EXPECT_TRUE(leaf.give.empty());
  EXPECT_EQ(leaf.take.size(), 1u);
}

TEST(Varying, MayBeInPlace) {
  const Blocks inPlace = {MPI_IN_PLACE, nullptr, nullptr, NoType};
  const VaryingCall gather = readVarying(varying(Kind::Allgather, inPlace, each), 2, Size);
  EXPECT_TRUE(gather.isSound);
  ASSERT_EQ(gather.give.size(), 1u);
  EXPECT_EQ(gather.give[0].at, b + 20);
  const VaryingCall exchange = readVarying(varying(Kind::Alltoall, inPlace, each), 2, Size);
  EXPECT_TRUE(exchange.isSound);
  EXPECT_EQ(exchange.give.size(), 4u);
  const VaryingCall scatter = readVarying(varying(Kind::Scatter, each, inPlace, 1), 1, Size);
  EXPECT_TRUE(scatter.isSound);
  EXPECT_TRUE(scatter.take.empty());
  EXPECT_FALSE(readVarying(varying(Kind::Scatter, each, inPlace, 1), 0, Size).isSound);
  EXPECT_FALSE(readVarying(varying(Kind::Allgather, one, inPlace), 0, Size).isSound);
}

TEST(Varying, MistakesAreTheMpiUnderneaths) {
  const int negative[] = {1, 2, -1, 0};
  const Blocks wrong = {b, negative, blockPlaces, MPI_INT},
               placeless = {b, blockCounts, nullptr, MPI_INT},
               typeless = {b, blockCounts, blockPlaces, NoType};
  for (const Blocks &bad : {wrong, placeless, typeless, garbage}) {
    EXPECT_FALSE(readVarying(varying(Kind::Allgather, one, bad), 0, Size).isSound);
    EXPECT_FALSE(readVarying(varying(Kind::Gather, one, bad, 1), 1, Size).isSound);
    EXPECT_TRUE(readVarying(varying(Kind::Gather, one, bad, 1), 0, Size).isSound);
    EXPECT_FALSE(readVarying(varying(Kind::Alltoall, bad, each), 0, Size).isSound);
  }
}

TEST(Varying, TypesMayDifferByBlock) {
  const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE, MPI_CHAR, MPI_SHORT};
  const Blocks blocks = {b, blockCounts, blockPlaces, NoType, types};
  const Blocks given = {a, blockCounts, blockPlaces, MPI_INT};
  const VaryingCall call = readVarying(varying(Kind::Alltoall, given, blocks), 0, Size);
  EXPECT_TRUE(call.isSound);
  EXPECT_EQ(call.take[2].bytes(), 5u);
  EXPECT_EQ(call.take[2].at, reinterpret_cast<char *>(b) + 20); // places are in bytes
  EXPECT_EQ(call.longest(), 20u);
}

} // namespace
