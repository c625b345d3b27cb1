// Persistent collectives of each kind, started again and again: results are as those of the
// blocking ones of the MPI library. They are started in an order of each rank's own, completed by
// each completion call, beside others; types, operations' communicators are freed before they are
// used. usage: persistent [rounds]
#include "Check.h"

#ifdef OPEN_MPI
#include <mpi-ext.h>
#define INIT(name) MPIX_##name##_init
#else
#define INIT(name) MPI_##name##_init
#endif

#include <algorithm>
#include <functional>
#include <numeric>

using namespace check;

namespace {

struct Operation {
  std::string name;
  std::vector<int> send, recv, reference;
  MPI_Request request = MPI_REQUEST_NULL;
  std::function<void()> plain; ///< into `reference`
  bool isInPlace = false;
};

constexpr int Count = 700;
std::vector<MPI_Datatype> freedAtEnd;
bool usesRights = true;

struct Set {
  std::vector<Operation> all;
  MPI_Comm comm;

  Operation &add(const char *name, int sends, int receives) {
    Operation &made = all.emplace_back();
    made.name = name;
    made.send.resize(sends);
    made.recv.resize(receives);
    made.reference.resize(receives);
    return made;
  }
};

/// A block of its own length for each rank: rank r gives rank q (r + 2 q) % 5 items, of pairs of
/// ints with gaps at one end. Counts and places live as long as the program.
struct Lengths {
  std::vector<int> sends, receives, sendPlaces, receivePlaces, sendBytes, receiveBytes;
  std::vector<MPI_Datatype> sendTypes, receiveTypes;
  int sendItems = 0, receiveItems = 0;

  Lengths(int rank, int size, MPI_Datatype type) : sendTypes(size, type), receiveTypes(size, type) {
    for (int other = 0; other < size; ++other) {
      sends.push_back((rank + 2 * other) % 5);
      receives.push_back((other + 2 * rank) % 5);
      sendPlaces.push_back(sendItems);
      receivePlaces.push_back(receiveItems);
      sendBytes.push_back(16 * sendItems);
      receiveBytes.push_back(16 * receiveItems);
      sendItems += sends.back() + 1;
      receiveItems += receives.back() + 1;
    }
  }
};

/// The v and w forms. `type`: two of four ints; the program frees it before it starts them.
void makeVarying(Set &set, MPI_Comm comm, MPI_Comm kept, MPI_Datatype type) {
  const int size = sizeOf(comm), rank = rankOf(comm), root = size - 1;
  const MPI_Info none = MPI_INFO_NULL;
  const Lengths &of = *new Lengths(rank, size, type);
  MPI_Datatype own; // of the plain calls
  MPI_Type_dup(type, &own);
  freedAtEnd.push_back(own);
  const Lengths &plain = *new Lengths(rank, size, own);
  const int gives = of.sends[root], gets = of.receives[root];
  {
    Operation &o = set.add("Gatherv", 4 * 5, 4 * of.receiveItems);
    INIT(Gatherv)(o.send.data(), gives, type, o.recv.data(), of.receives.data(),
                  of.receivePlaces.data(), type, root, comm, none, &o.request);
    o.plain = [&o, &of, kept, own, gives, root] {
      PMPI_Gatherv(o.send.data(), gives, own, o.reference.data(), of.receives.data(),
                   of.receivePlaces.data(), own, root, kept);
    };
  }
  {
    Operation &o = set.add("Scatterv", 4 * of.sendItems, 4 * 5);
    INIT(Scatterv)(o.send.data(), of.sends.data(), of.sendPlaces.data(), type, o.recv.data(), gets,
                   type, root, comm, none, &o.request);
    o.plain = [&o, &of, kept, own, gets, root] {
      PMPI_Scatterv(o.send.data(), of.sends.data(), of.sendPlaces.data(), own, o.reference.data(),
                    gets, own, root, kept);
    };
  }
  {
    Operation &o = set.add("Alltoallv", 4 * of.sendItems, 4 * of.receiveItems);
    INIT(Alltoallv)(o.send.data(), of.sends.data(), of.sendPlaces.data(), type, o.recv.data(),
                    of.receives.data(), of.receivePlaces.data(), type, comm, none, &o.request);
    o.plain = [&o, &of, kept, own] {
      PMPI_Alltoallv(o.send.data(), of.sends.data(), of.sendPlaces.data(), own, o.reference.data(),
                     of.receives.data(), of.receivePlaces.data(), own, kept);
    };
  }
  {
    Operation &o = set.add("Alltoallw", 4 * of.sendItems, 4 * of.receiveItems);
    INIT(Alltoallw)(o.send.data(), of.sends.data(), of.sendBytes.data(), of.sendTypes.data(),
                    o.recv.data(), of.receives.data(), of.receiveBytes.data(),
                    of.receiveTypes.data(), comm, none, &o.request);
    o.plain = [&o, &plain, kept] {
      PMPI_Alltoallw(o.send.data(), plain.sends.data(), plain.sendBytes.data(),
                     plain.sendTypes.data(), o.reference.data(), plain.receives.data(),
                     plain.receiveBytes.data(), plain.receiveTypes.data(), kept);
    };
  }
}

void make(Set &set, MPI_Comm comm, MPI_Comm kept) {
  const int size = sizeOf(comm), n = Count, root = size - 1;
  MPI_Info none = MPI_INFO_NULL;
  set.comm = kept;
  set.all.reserve(24); // addresses stay
  {
    Operation &o = set.add("Allreduce", n, n);
    INIT(Allreduce)(o.send.data(), o.recv.data(), n, MPI_INT, MPI_SUM, comm, none, &o.request);
    o.plain = [&o, kept, n] {
      PMPI_Allreduce(o.send.data(), o.reference.data(), n, MPI_INT, MPI_SUM, kept);
    };
  }
  {
    Operation &o = set.add("Allreduce in place", n, n);
    o.isInPlace = true;
    INIT(Allreduce)(MPI_IN_PLACE, o.recv.data(), n, MPI_INT, MPI_MAX, comm, none, &o.request);
    o.plain = [&o, kept, n] {
      PMPI_Allreduce(MPI_IN_PLACE, o.reference.data(), n, MPI_INT, MPI_MAX, kept);
    };
  }
  {
    Operation &o = set.add("Reduce", n, n);
    INIT(Reduce)(o.send.data(), o.recv.data(), n, MPI_INT, MPI_BXOR, root, comm, none, &o.request);
    o.plain = [&o, kept, n, root] {
      PMPI_Reduce(o.send.data(), o.reference.data(), n, MPI_INT, MPI_BXOR, root, kept);
    };
  }
  {
    Operation &o = set.add("Bcast", 0, n);
    o.isInPlace = true;
    INIT(Bcast)(o.recv.data(), n, MPI_INT, root, comm, none, &o.request);
    o.plain = [&o, kept, n, root] { PMPI_Bcast(o.reference.data(), n, MPI_INT, root, kept); };
  }
  {
    Operation &o = set.add("Gather", n, n * size);
    INIT(Gather)(o.send.data(), n, MPI_INT, o.recv.data(), n, MPI_INT, root, comm, none,
                 &o.request);
    o.plain = [&o, kept, n, root] {
      PMPI_Gather(o.send.data(), n, MPI_INT, o.reference.data(), n, MPI_INT, root, kept);
    };
  }
  { // every other int, of a type that is gone when the request is started
    Operation &o = set.add("Allgather", n, 2 * n * size);
    MPI_Datatype open, other;
    MPI_Type_vector(n, 1, 2, MPI_INT, &open);
    MPI_Type_create_resized(open, 0, 8 * n, &other);
    MPI_Type_commit(&other);
    INIT(Allgather)(o.send.data(), n, MPI_INT, o.recv.data(), 1, other, comm, none, &o.request);
    MPI_Type_free(&open);
    if (usesRights)
      MPI_Type_free(&other);
    o.plain = [&o, kept, n, size] {
      std::vector<int> dense(n * size);
      PMPI_Allgather(o.send.data(), n, MPI_INT, dense.data(), n, MPI_INT, kept);
      for (int i = 0; i < n * size; ++i)
        o.reference[2 * i] = dense[i];
    };
  }
  {
    Operation &o = set.add("Scatter", n * size, n);
    INIT(Scatter)(o.send.data(), n, MPI_INT, o.recv.data(), n, MPI_INT, root, comm, none,
                  &o.request);
    o.plain = [&o, kept, n, root] {
      PMPI_Scatter(o.send.data(), n, MPI_INT, o.reference.data(), n, MPI_INT, root, kept);
    };
  }
  {
    Operation &o = set.add("Alltoall", n * size, n * size);
    INIT(Alltoall)(o.send.data(), n, MPI_INT, o.recv.data(), n, MPI_INT, comm, none, &o.request);
    o.plain = [&o, kept, n] {
      PMPI_Alltoall(o.send.data(), n, MPI_INT, o.reference.data(), n, MPI_INT, kept);
    };
  }
  {
    Operation &o = set.add("Scan", n, n);
    INIT(Scan)(o.send.data(), o.recv.data(), n, MPI_INT, MPI_SUM, comm, none, &o.request);
    o.plain = [&o, kept, n] {
      PMPI_Scan(o.send.data(), o.reference.data(), n, MPI_INT, MPI_SUM, kept);
    };
  }
  {
    Operation &o = set.add("Exscan", n, n);
    INIT(Exscan)(o.send.data(), o.recv.data(), n, MPI_INT, MPI_SUM, comm, none, &o.request);
    o.plain = [&o, kept, n] {
      PMPI_Exscan(o.send.data(), o.reference.data(), n, MPI_INT, MPI_SUM, kept);
    };
  }
  {
    Operation &o = set.add("Reduce_scatter_block", n * size, n);
    INIT(Reduce_scatter_block)(o.send.data(), o.recv.data(), n, MPI_INT, MPI_SUM, comm, none,
                               &o.request);
    o.plain = [&o, kept, n] {
      PMPI_Reduce_scatter_block(o.send.data(), o.reference.data(), n, MPI_INT, MPI_SUM, kept);
    };
  }
  {
    static std::vector<int> counts;
    counts.resize(size);
    std::iota(counts.begin(), counts.end(), 0);
    Operation &o = set.add("Reduce_scatter", size * size, size);
    INIT(Reduce_scatter)(o.send.data(), o.recv.data(), counts.data(), MPI_INT, MPI_SUM, comm, none,
                         &o.request);
    o.plain = [&o, kept] {
      PMPI_Reduce_scatter(o.send.data(), o.reference.data(), counts.data(), MPI_INT, MPI_SUM, kept);
    };
  }
  {
    Operation &o = set.add("Barrier", 0, 0);
    INIT(Barrier)(comm, none, &o.request);
    o.plain = [] {};
  }
  MPI_Datatype open, pairs; // two ints of four
  MPI_Type_vector(2, 1, 2, MPI_INT, &open);
  MPI_Type_create_resized(open, 0, 16, &pairs);
  MPI_Type_commit(&pairs);
  MPI_Type_free(&open);
  makeVarying(set, comm, kept, pairs);
  if (usesRights)
    MPI_Type_free(&pairs);
  else
    freedAtEnd.push_back(pairs);
}

/// Completes `requests`, all of which are started, by one of the completion calls.
void complete(std::vector<MPI_Request> &requests, int way) {
  const int n = int(requests.size());
  const std::vector<MPI_Request> before = requests;
  int flag = 0, index = 0, left = n;
  std::vector<int> indices(n);
  switch (way % 6) {
  case 0:
    MPI_Waitall(n, requests.data(), MPI_STATUSES_IGNORE);
    break;
  case 1:
    for (MPI_Request &request : requests)
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    break;
  case 2:
    for (MPI_Request &request : requests)
      for (flag = 0; !flag;)
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    break;
  case 3:
    while (!flag)
      MPI_Testall(n, requests.data(), &flag, MPI_STATUSES_IGNORE);
    break;
  case 4:
    for (std::vector<bool> seen(n); left > 0; --left) {
      MPI_Waitany(n, requests.data(), &index, MPI_STATUS_IGNORE);
      require(index >= 0 && index < n && !seen[index], "Waitany gives each request once");
      seen[index] = true;
    }
    break;
  case 5:
    while (left > 0) {
      int some = 0;
      MPI_Waitsome(n, requests.data(), &some, indices.data(), MPI_STATUSES_IGNORE);
      require(some > 0 && some <= left, "Waitsome gives each request once");
      left -= std::max(some, 1);
    }
    break;
  }
  require(requests == before, "a persistent request stays");
  // Not active: complete at once.
  if (!usesRights)
    return;
  flag = 0;
  MPI_Testall(n, requests.data(), &flag, MPI_STATUSES_IGNORE);
  require(flag, "inactive requests are complete");
  MPI_Waitany(n, requests.data(), &index, MPI_STATUS_IGNORE);
  require(index == MPI_UNDEFINED, "no request is active");
}

void onComm(Set &set, int round) {
  const int rank = rankOf(set.comm);
  Random random(round * 100 + rank), order(round * 1000 + rank);
  for (Operation &o : set.all) {
    for (int &value : o.send)
      value = random.below(1000);
    for (int &value : o.recv)
      value = random.below(1000);
    o.reference = o.recv;
  }
  std::vector<size_t> places(set.all.size());
  std::iota(places.begin(), places.end(), size_t(0));
  for (size_t i = places.size() - 1; i > 0 && usesRights; --i)
    std::swap(places[i], places[size_t(order.below(int(i) + 1))]);
  std::vector<MPI_Request> requests;
  for (size_t place : places)
    requests.push_back(set.all[place].request);
  if (round % 2)
    MPI_Startall(int(requests.size()), requests.data());
  else
    for (MPI_Request &request : requests)
      MPI_Start(&request);
  // Others in between, in the order that all have.
  int sum = 0, one = 1;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, set.comm);
  require(sum == sizeOf(set.comm), "a sum while others are started");
  complete(requests, round);
  for (Operation &o : set.all) {
    o.plain();
    require(o.recv == o.reference, o.name + " differs from the MPI library");
  }
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 12;
  usesRights = argc <= 2;
  MPI_Comm used, kept, part, partKept;
  MPI_Comm_dup(MPI_COMM_WORLD, &used);
  MPI_Comm_dup(MPI_COMM_WORLD, &kept);
  const int rank = rankOf(MPI_COMM_WORLD), size = sizeOf(MPI_COMM_WORLD);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, size - rank, &part);
  MPI_Comm_dup(part, &partKept);
  Set whole, half;
  make(whole, used, kept);
  if (usesRights)
    MPI_Comm_free(&used);
  if (sizeOf(part) > 0)
    make(half, part, partKept);
  for (int round = 0; round < rounds; ++round) {
    onComm(whole, round);
    onComm(half, round);
  }
  for (Set *set : {&whole, &half})
    for (Operation &o : set->all)
      MPI_Request_free(&o.request);
  for (MPI_Datatype &type : freedAtEnd)
    MPI_Type_free(&type);
  if (!usesRights)
    MPI_Comm_free(&used);
  MPI_Comm_free(&part);
  MPI_Comm_free(&partKept);
  MPI_Comm_free(&kept);
  return finish();
}
