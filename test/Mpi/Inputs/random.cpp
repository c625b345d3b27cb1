// Many collectives of random kind, size, root, type and communicator, some of them several
// at a time without blocking, each compared with the MPI library. Every rank draws the
// same calls. Sums of doubles are also compared with those of the same call made twice.
// usage: random <calls> [seed] [largest bytes]
#include "Check.h"

#include <unistd.h>

using namespace check;

namespace {

enum Collective {
  Allreduce,
  Bcast,
  Reduce,
  Gather,
  Allgather,
  Scatter,
  Alltoall,
  Scan,
  Exscan,
  ReduceScatterBlock,
  Barrier,
  NumCollectives
};

/// One call, the same on all members of `comm`.
struct Draw {
  Collective collective;
  int count, root;
  MPI_Op op;
  MPI_Comm comm;
};

struct Buffers {
  Buffer send, ours, theirs;
};

int start(const Draw &d, Buffers &b, MPI_Request *r) {
  char *send = b.send.data(), *recv = b.ours.data();
  const MPI_Datatype t = MPI_INT64_T;
  switch (d.collective) {
  case Allreduce:
    return MPI_Iallreduce(send, recv, d.count, t, d.op, d.comm, r);
  case Bcast:
    return MPI_Ibcast(recv, d.count, t, d.root, d.comm, r);
  case Reduce:
    return MPI_Ireduce(send, recv, d.count, t, d.op, d.root, d.comm, r);
  case Gather:
    return MPI_Igather(send, d.count, t, recv, d.count, t, d.root, d.comm, r);
  case Allgather:
    return MPI_Iallgather(send, d.count, t, recv, d.count, t, d.comm, r);
  case Scatter:
    return MPI_Iscatter(send, d.count, t, recv, d.count, t, d.root, d.comm, r);
  case Alltoall:
    return MPI_Ialltoall(send, d.count, t, recv, d.count, t, d.comm, r);
  case Scan:
    return MPI_Iscan(send, recv, d.count, t, d.op, d.comm, r);
  case Exscan:
    return MPI_Iexscan(send, recv, d.count, t, d.op, d.comm, r);
  case ReduceScatterBlock:
    return MPI_Ireduce_scatter_block(send, recv, d.count, t, d.op, d.comm, r);
  default:
    return MPI_Ibarrier(d.comm, r);
  }
}

/// The MPI library's own, waited for so that ranks without a core of their own get on: MPICH
/// polls without pause.
void reference(const Draw &d, Buffers &b) {
  char *send = b.send.data(), *recv = b.theirs.data();
  const MPI_Datatype t = MPI_INT64_T;
  MPI_Request r = MPI_REQUEST_NULL;
  switch (d.collective) {
  case Allreduce:
    PMPI_Iallreduce(send, recv, d.count, t, d.op, d.comm, &r);
    break;
  case Bcast:
    PMPI_Ibcast(recv, d.count, t, d.root, d.comm, &r);
    break;
  case Reduce:
    PMPI_Ireduce(send, recv, d.count, t, d.op, d.root, d.comm, &r);
    break;
  case Gather:
    PMPI_Igather(send, d.count, t, recv, d.count, t, d.root, d.comm, &r);
    break;
  case Allgather:
    PMPI_Iallgather(send, d.count, t, recv, d.count, t, d.comm, &r);
    break;
  case Scatter:
    PMPI_Iscatter(send, d.count, t, recv, d.count, t, d.root, d.comm, &r);
    break;
  case Alltoall:
    PMPI_Ialltoall(send, d.count, t, recv, d.count, t, d.comm, &r);
    break;
  case Scan:
    PMPI_Iscan(send, recv, d.count, t, d.op, d.comm, &r);
    break;
  case Exscan:
    PMPI_Iexscan(send, recv, d.count, t, d.op, d.comm, &r);
    break;
  case ReduceScatterBlock:
    PMPI_Ireduce_scatter_block(send, recv, d.count, t, d.op, d.comm, &r);
    break;
  default:
    break;
  }
  for (int done = 0; PMPI_Test(&r, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done;)
    usleep(20);
}

Draw draw(Random &random, const std::vector<MPI_Comm> &comms, int largest) {
  static const MPI_Op ops[] = {MPI_SUM, MPI_MIN, MPI_MAX, MPI_BXOR, MPI_BAND, MPI_LOR};
  Draw d;
  d.collective = Collective(random.below(NumCollectives));
  int size = 1 << random.below(24), spread = random.below(1 << 20);
  d.count = 1 + (size + spread % size) % (largest / 8);
  int comm = random.below(int(comms.size()));
  d.root = random.below(64);
  d.op = ops[random.below(6)];
  d.comm = comms[comm];
  if (d.comm != MPI_COMM_NULL)
    d.root %= sizeOf(d.comm);
  return d;
}

/// The same bits, however the contributions arrive.
void repeatable(Random &random) {
  int count = 1 + random.below(3000);
  std::vector<double> in(count), first(count), second(count);
  for (double &value : in)
    value = std::ldexp(double(random.below(1000) + rankOf(MPI_COMM_WORLD)), random.below(60) - 30);
  MPI_Allreduce(in.data(), first.data(), count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(in.data(), second.data(), count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  require(std::memcmp(first.data(), second.data(), count * sizeof(double)) == 0,
          "sums of doubles differ between two calls");
}

/// Up to four calls at once, completed together.
void batch(Random &random, const std::vector<MPI_Comm> &comms, int largest, int &done) {
  std::vector<Draw> draws;
  std::vector<Buffers> buffers;
  int calls = 1 + random.below(4);
  done += calls;
  for (int i = 0; i < calls; ++i) {
    Draw d = draw(random, comms, largest);
    if (d.comm == MPI_COMM_NULL)
      continue; // this rank is no member
    size_t bytes = size_t(d.count) * 8 * sizeOf(d.comm);
    draws.push_back(d);
    buffers.push_back({Buffer(bytes), Buffer(bytes, 0x11), Buffer(bytes, 0x11)});
    Random data(uint64_t(rankOf(d.comm)) * 7919 + d.count);
    for (size_t at = 0; at < bytes; at += 8) {
      uint64_t value = data.next();
      std::memcpy(buffers.back().send.data() + at, &value, 8);
    }
    if (d.collective == Bcast && rankOf(d.comm) == d.root) {
      std::memcpy(buffers.back().ours.data(), buffers.back().send.data(), bytes);
      std::memcpy(buffers.back().theirs.data(), buffers.back().send.data(), bytes);
    }
  }
  std::vector<MPI_Request> requests(draws.size());
  for (size_t i = 0; i < draws.size(); ++i)
    start(draws[i], buffers[i], &requests[i]);
  MPI_Waitall(int(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  for (size_t i = 0; i < draws.size(); ++i) {
    reference(draws[i], buffers[i]);
    if (draws[i].collective != Exscan || rankOf(draws[i].comm) != 0)
      same(buffers[i].ours, buffers[i].theirs,
           "collective " + std::to_string(draws[i].collective) + " of " +
               std::to_string(draws[i].count) + " int64");
  }
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int calls = argc > 1 ? std::atoi(argv[1]) : 100, largest = argc > 3 ? std::atoi(argv[3]) : 30000;
  // The same draws on all ranks; the data of each rank come from elsewhere.
  Random random(argc > 2 ? std::atoi(argv[2]) : 1);
  std::vector<MPI_Comm> comms = {MPI_COMM_WORLD, MPI_COMM_NULL, MPI_COMM_NULL};
  int rank = rankOf(MPI_COMM_WORLD);
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &comms[2]);
  for (int done = 0; done < calls;) {
    batch(random, comms, largest, done);
    Random mine(done);
    repeatable(mine);
  }
  MPI_Comm_free(&comms[1]);
  MPI_Comm_free(&comms[2]);
  return finish();
}
