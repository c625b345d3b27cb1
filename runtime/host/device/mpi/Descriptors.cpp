// See Descriptors.h.
#include "runtime/host/device/mpi/Descriptors.h"

#include "runtime/host/device/mpi/Job.h"

#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>

namespace acis::device {

namespace {

struct Note {
  std::array<uint64_t, 2> cookie;
  uint64_t number, bytes;
  uint32_t sender;
  ExportKind kind;
  uint32_t isGone;
};

struct Given {
  std::weak_ptr<Export> exported;
  std::map<int, bool> receivers;
};

struct All {
  std::mutex mutex;
  int socket = -1;
  uint64_t name = 0; ///< of the job's sockets; not its secret, as other users see it
  std::map<uint64_t, Given> given;
  std::map<std::pair<int, uint64_t>, std::shared_ptr<Import>> imports;
};

All *all = nullptr;

socklen_t addressOf(int rank, sockaddr_un &address) {
  address = {};
  address.sun_family = AF_UNIX;
  // The first byte stays 0: the name is in no folder and ends with its socket.
  const int length = std::snprintf(address.sun_path + 1, sizeof address.sun_path - 1,
                                   "acis-device-%016llx-%d", (unsigned long long)all->name, rank);
  return socklen_t(offsetof(sockaddr_un, sun_path) + 1 + size_t(length));
}

/// One message; a descriptor with it unless it is -1.
bool send(int receiver, const Note &note, int descriptor) {
  sockaddr_un address;
  iovec data{const_cast<Note *>(&note), sizeof note};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_name = &address;
  message.msg_namelen = addressOf(receiver, address);
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  if (descriptor >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  }
  return sendmsg(all->socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL) == ssize_t(sizeof note);
}

/// Takes a message, whoever it is from; false: there is none.
bool takeOne() {
  Note note;
  iovec data{&note, sizeof note};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(ucred)) + CMSG_SPACE(8 * sizeof(int))];
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t came = recvmsg(all->socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (came < 0)
    return false;
  std::vector<int> descriptors;
  bool isOurUser = false;
  for (cmsghdr *one = CMSG_FIRSTHDR(&message); one; one = CMSG_NXTHDR(&message, one)) {
    if (one->cmsg_level == SOL_SOCKET && one->cmsg_type == SCM_RIGHTS) {
      descriptors.resize((one->cmsg_len - CMSG_LEN(0)) / sizeof(int));
      std::memcpy(descriptors.data(), CMSG_DATA(one), descriptors.size() * sizeof(int));
    } else if (one->cmsg_level == SOL_SOCKET && one->cmsg_type == SCM_CREDENTIALS) {
      ucred sender;
      std::memcpy(&sender, CMSG_DATA(one), sizeof sender);
      isOurUser = sender.uid == getuid();
    }
  }
  const bool isOurs = came == ssize_t(sizeof note) && isOurUser && note.cookie == job()->cookie;
  if (isOurs && note.isGone) {
    all->imports.erase({int(note.sender), note.number});
  } else if (isOurs && descriptors.size() == 1) {
    if (auto made = Import::make(note.kind, descriptors[0], note.bytes))
      all->imports[{int(note.sender), note.number}] = *made;
    descriptors.clear(); // the import's
  }
  for (int descriptor : descriptors)
    close(descriptor);
  return true;
}

/// Tells ranks of memory that is gone. One that does not take it keeps a map of it until the end.
void tellGone() {
  for (auto one = all->given.begin(); one != all->given.end();) {
    if (!one->second.exported.expired()) {
      ++one;
      continue;
    }
    const Note note{job()->cookie, one->first, 0, uint32_t(job()->rank), ExportKind::Host, 1};
    for (const auto &[receiver, isGiven] : one->second.receivers)
      send(receiver, note, -1);
    one = all->given.erase(one);
  }
}

} // namespace

void openDescriptors() {
  all = new All;
  if (job()->rank == 0 && getrandom(&all->name, sizeof all->name, 0) != ssize_t(sizeof all->name))
    all->name = uint64_t(getpid());
  PMPI_Bcast(&all->name, 1, MPI_UINT64_T, 0, job()->all);
  all->socket = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_un address;
  const socklen_t length = addressOf(job()->rank, address);
  const int yes = 1;
  setsockopt(all->socket, SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes);
  // Without it no descriptor comes, and messages go in chunks.
  (void)bind(all->socket, reinterpret_cast<const sockaddr *>(&address), length);
}

void closeDescriptors() {
  close(all->socket);
  delete all;
  all = nullptr;
}

bool giveDescriptor(const std::shared_ptr<Export> &exported, int receiver) {
  std::lock_guard lock(all->mutex);
  tellGone();
  Given &given = all->given[exported->number];
  given.exported = exported;
  if (given.receivers.contains(receiver))
    return true;
  const Note note{job()->cookie,         exported->number, exported->bytes,
                  uint32_t(job()->rank), exported->kind,   0};
  if (!send(receiver, note, exported->descriptor))
    return false;
  given.receivers[receiver] = true;
  return true;
}

void takeDescriptors() {
  if (!all)
    return;
  std::lock_guard lock(all->mutex);
  while (takeOne())
    ;
}

Result<std::shared_ptr<Import>> importFrom(int sender, uint64_t number) {
  takeDescriptors();
  std::lock_guard lock(all->mutex);
  const auto found = all->imports.find({sender, number});
  if (found == all->imports.end())
    return Error{"", "rank " + std::to_string(sender) + "'s exported memory cannot be used here"};
  return found->second;
}

} // namespace acis::device
