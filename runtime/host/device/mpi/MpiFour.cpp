// What MPI 4 adds to messages: counts of MPI_Count, and both directions with one request. They may
// meet announcements like other receives, and take device memory like them.
#include "runtime/host/device/mpi/Ends.h"
#include "runtime/host/device/mpi/Errors.h"
#include "runtime/host/device/mpi/Next.h"

#if MPI_VERSION >= 4

#include <climits>

using namespace acis;
using namespace acis::device;

namespace {

/// So many elements as an int's worth of some type.
class Elements {
public:
  Elements(MPI_Count count, MPI_Datatype of) : number(int(count)), type(of) {
    if (count <= INT_MAX)
      return;
    constexpr MPI_Count Block = 1 << 20;
    MPI_Aint low, extent;
    PMPI_Type_get_extent(of, &low, &extent);
    MPI_Datatype block, blocks;
    PMPI_Type_contiguous(int(Block), of, &block);
    PMPI_Type_contiguous(int(count / Block), block, &blocks);
    const int lengths[] = {1, int(count % Block)};
    const MPI_Aint offsets[] = {0, extent * (count - count % Block)};
    const MPI_Datatype types[] = {blocks, of};
    PMPI_Type_create_struct(2, lengths, offsets, types, &type);
    PMPI_Type_commit(&type);
    PMPI_Type_free(&block);
    PMPI_Type_free(&blocks);
    number = 1;
    isOwn = true;
  }
  ~Elements() {
    if (isOwn)
      PMPI_Type_free(&type); // calls that have begun keep it
  }
  Elements(const Elements &) = delete;
  Elements &operator=(const Elements &) = delete;

  int number;
  MPI_Datatype type;

private:
  bool isOwn = false;
};

/// One request for a receive and a send: the receive's, which is ready when both are.
int both(const void *give, int giveCount, MPI_Datatype giveType, int to, int giveTag, void *get,
         int getCount, MPI_Datatype getType, int from, int getTag, MPI_Comm comm, Staging given,
         MPI_Request *request) {
  int code;
  *request = MPI_REQUEST_NULL;
  auto receive = startReceive(get, getCount, getType, from, comm, code);
  if (!receive)
    return code;
  Message::Companion other;
  other.memory = std::move(given);
  if (isDevice(give, to) &&
      !(other.message = prepare(Message::Use::Send, give, giveCount, giveType, comm, code)))
    return code;
  code = post(*receive, getCount, getType, from, getTag, request);
  if (code != MPI_SUCCESS)
    return code;
  code =
      beginSend(other.message.get(), give, giveCount, giveType, to, giveTag, comm, &other.request);
  if (code != MPI_SUCCESS) {
    giveUp(request);
    return code;
  }
  receive->companion = std::move(other);
  return keep(std::move(receive), request, code);
}

} // namespace

#define SEND_C(name)                                                                               \
  int MPI_##name##_c(const void *buffer, MPI_Count count, MPI_Datatype type, int to, int tag,      \
                     MPI_Comm comm) {                                                              \
    const Elements all(count, type);                                                               \
    return MPI_##name(buffer, all.number, all.type, to, tag, comm);                                \
  }
#define ISEND_C(name)                                                                              \
  int MPI_##name##_c(const void *buffer, MPI_Count count, MPI_Datatype type, int to, int tag,      \
                     MPI_Comm comm, MPI_Request *request) {                                        \
    const Elements all(count, type);                                                               \
    return MPI_##name(buffer, all.number, all.type, to, tag, comm, request);                       \
  }

extern "C" {

SEND_C(Send)
SEND_C(Bsend)
SEND_C(Rsend)
SEND_C(Ssend)
ISEND_C(Isend)
ISEND_C(Ibsend)
ISEND_C(Irsend)
ISEND_C(Issend)
ISEND_C(Send_init)
ISEND_C(Bsend_init)
ISEND_C(Rsend_init)
ISEND_C(Ssend_init)

int MPI_Recv_c(void *buffer, MPI_Count count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
               MPI_Status *status) {
  const Elements all(count, type);
  return MPI_Recv(buffer, all.number, all.type, from, tag, comm, status);
}

int MPI_Irecv_c(void *buffer, MPI_Count count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                MPI_Request *request) {
  const Elements all(count, type);
  return MPI_Irecv(buffer, all.number, all.type, from, tag, comm, request);
}

int MPI_Recv_init_c(void *buffer, MPI_Count count, MPI_Datatype type, int from, int tag,
                    MPI_Comm comm, MPI_Request *request) {
  const Elements all(count, type);
  return MPI_Recv_init(buffer, all.number, all.type, from, tag, comm, request);
}

int MPI_Mrecv_c(void *buffer, MPI_Count count, MPI_Datatype type, MPI_Message *message,
                MPI_Status *status) {
  const Elements all(count, type);
  return MPI_Mrecv(buffer, all.number, all.type, message, status);
}

int MPI_Imrecv_c(void *buffer, MPI_Count count, MPI_Datatype type, MPI_Message *message,
                 MPI_Request *request) {
  const Elements all(count, type);
  return MPI_Imrecv(buffer, all.number, all.type, message, request);
}

int MPI_Sendrecv_c(const void *give, MPI_Count giveCount, MPI_Datatype giveType, int to,
                   int giveTag, void *get, MPI_Count getCount, MPI_Datatype getType, int from,
                   int getTag, MPI_Comm comm, MPI_Status *status) {
  const Elements gives(giveCount, giveType), gets(getCount, getType);
  return MPI_Sendrecv(give, gives.number, gives.type, to, giveTag, get, gets.number, gets.type,
                      from, getTag, comm, status);
}

int MPI_Sendrecv_replace_c(void *buffer, MPI_Count count, MPI_Datatype type, int to, int giveTag,
                           int from, int getTag, MPI_Comm comm, MPI_Status *status) {
  const Elements all(count, type);
  return MPI_Sendrecv_replace(buffer, all.number, all.type, to, giveTag, from, getTag, comm,
                              status);
}

int MPI_Isendrecv(const void *give, int giveCount, MPI_Datatype giveType, int to, int giveTag,
                  void *get, int getCount, MPI_Datatype getType, int from, int getTag,
                  MPI_Comm comm, MPI_Request *request) {
  if (!isDevice(give, to) && !isDevice(get, from) && !hasPart(getCount, getType, from))
    return ACIS_NEXT(MPI_Isendrecv)(give, giveCount, giveType, to, giveTag, get, getCount, getType,
                                    from, getTag, comm, request);
  return both(give, giveCount, giveType, to, giveTag, get, getCount, getType, from, getTag, comm,
              Staging(), request);
}

int MPI_Isendrecv_c(const void *give, MPI_Count giveCount, MPI_Datatype giveType, int to,
                    int giveTag, void *get, MPI_Count getCount, MPI_Datatype getType, int from,
                    int getTag, MPI_Comm comm, MPI_Request *request) {
  const Elements gives(giveCount, giveType), gets(getCount, getType);
  return MPI_Isendrecv(give, gives.number, gives.type, to, giveTag, get, gets.number, gets.type,
                       from, getTag, comm, request);
}

int MPI_Isendrecv_replace(void *buffer, int count, MPI_Datatype type, int to, int giveTag, int from,
                          int getTag, MPI_Comm comm, MPI_Request *request) {
  if (!registry().mayHold(buffer) && !hasPart(count, type, from))
    return ACIS_NEXT(MPI_Isendrecv_replace)(buffer, count, type, to, giveTag, from, getTag, comm,
                                            request);
  int filled = 0, code;
  *request = MPI_REQUEST_NULL;
  Staging packed = pack(buffer, count, type, to, comm, filled, code);
  if (!packed.data())
    return code;
  const char *give = packed.data();
  return both(give, filled, MPI_PACKED, to, giveTag, buffer, count, type, from, getTag, comm,
              std::move(packed), request);
}

int MPI_Isendrecv_replace_c(void *buffer, MPI_Count count, MPI_Datatype type, int to, int giveTag,
                            int from, int getTag, MPI_Comm comm, MPI_Request *request) {
  const Elements all(count, type);
  return MPI_Isendrecv_replace(buffer, all.number, all.type, to, giveTag, from, getTag, comm,
                               request);
}

} // extern "C"

#endif
